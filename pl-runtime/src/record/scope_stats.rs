//! Samples at the begin and end of every scope, and their file, `scope_stats.jsonl`.

use super::files::NewFile;
use crate::config::{RINGS, TENSORMAP_ENTRIES};
use crate::site::Site;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

/// Version of the file's layout.
const SCHEMA: u32 = 6;
/// Samples that are held before they go to a file.
const HELD: usize = 4096;

/// One side of a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// It has just been opened: nothing has been submitted in it.
    Begin,
    /// It is about to be closed: nothing has been given back yet.
    End,
}

/// What the innermost scope's ring holds. Spans go from the oldest thing that is not retired to the
/// next one to come, counted over all laps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) site: Site,
    pub(crate) phase: Phase,
    /// Position on the scope stack, 0 = root.
    pub(crate) depth: u32,
    pub(crate) ring: u32,
    pub(crate) tasks: (u64, u64),
    pub(crate) heap: (u64, u64),
    pub(crate) dep_pool: (u64, u64),
    pub(crate) tensormap: u64,
}

impl Sample {
    /// `text` is a buffer.
    fn write(&self, to: &mut impl Write, text: &mut String) -> io::Result<()> {
        use std::fmt::Write as _;
        text.clear();
        write!(text, "{}:{}", self.site.file_name(), self.site.line).map_err(io::Error::other)?;
        to.write_all(b"{\"site\": ")?;
        serde_json::to_writer(&mut *to, text)?;
        let phase = match self.phase {
            Phase::Begin => "begin",
            Phase::End => "end",
        };
        writeln!(
            to,
            ", \"phase\": \"{phase}\", \"depth\": {}, \"ring\": {}, \"task_window_start\": {}, \
             \"task_window_end\": {}, \"heap_start\": {}, \"heap_end\": {}, \"dep_pool_start\": {}, \
             \"dep_pool_end\": {}, \"tensormap\": {}}}",
            self.depth,
            self.ring,
            self.tasks.0,
            self.tasks.1,
            self.heap.0,
            self.heap.1,
            self.dep_pool.0,
            self.dep_pool.1,
            self.tensormap,
        )
    }
}

/// What the first line says beside the number of records.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meta {
    pub(super) fatal: bool,
    pub(super) windows: [u32; RINGS],
    pub(super) heaps: [u64; RINGS],
    pub(super) dep_pools: [u32; RINGS],
}

/// The samples of one run. At most [`HELD`] are in memory; those before are in a file.
#[derive(Debug, Default)]
pub(super) struct ScopeStats {
    held: Vec<Sample>,
    /// Taken while a panic leaves the orchestration: they count if it is caught there.
    unwinding: Vec<Sample>,
    earlier: Option<NewFile>,
    total: u64,
    text: String,
}

impl ScopeStats {
    /// Takes a sample, `unwinding` if a panic closes the scope. Files are created in `folder`.
    pub(super) fn push(
        &mut self,
        sample: Sample,
        unwinding: bool,
        folder: &Path,
    ) -> io::Result<()> {
        if unwinding {
            self.unwinding.push(sample);
            return Ok(());
        }
        self.caught();
        self.held.push(sample);
        if self.held.len() >= HELD {
            self.spill(folder)?;
        }
        Ok(())
    }

    /// The panic that closed scopes has not ended the run.
    pub(super) fn caught(&mut self) {
        self.held.append(&mut self.unwinding);
    }

    #[cold]
    fn spill(&mut self, folder: &Path) -> io::Result<()> {
        let earlier = match &mut self.earlier {
            Some(file) => file,
            none => none.insert(NewFile::create(folder, "records")?),
        };
        write_all(
            &mut self.held,
            &mut self.total,
            &mut self.text,
            earlier.writer(),
        )
    }

    /// Writes the whole file.
    pub(super) fn write<W: Write>(&mut self, meta: Meta, to: &mut BufWriter<W>) -> io::Result<()> {
        let Meta {
            fatal,
            windows,
            heaps,
            dep_pools,
        } = meta;
        let total = self.total + self.held.len() as u64;
        // `Debug` of arrays separates by ", ", as the format does.
        writeln!(
            to,
            "{{\"version\": {SCHEMA}, \"fatal\": {fatal}, \"dropped\": 0, \"total\": {total}, \
             \"task_window_max\": {windows:?}, \"heap_max\": {heaps:?}, \
             \"dep_pool_max\": {dep_pools:?}, \"tensormap_max\": {TENSORMAP_ENTRIES}}}"
        )?;
        if let Some(mut earlier) = self.earlier.take() {
            let mut file = earlier.close()?;
            file.rewind()?;
            io::copy(&mut file, to)?;
        }
        write_all(&mut self.held, &mut self.total, &mut self.text, to)
    }
}

fn write_all(
    samples: &mut Vec<Sample>,
    total: &mut u64,
    text: &mut String,
    to: &mut impl Write,
) -> io::Result<()> {
    *total += samples.len() as u64;
    for sample in samples.drain(..) {
        sample.write(to, text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(file: &'static str) -> String {
        let sample = Sample {
            site: Site::new(file, 7),
            phase: Phase::End,
            depth: 5,
            ring: 3,
            tasks: (1, 2),
            heap: (3, 4),
            dep_pool: (5, 6),
            tensormap: 7,
        };
        let mut line = Vec::new();
        sample.write(&mut line, &mut String::new()).unwrap();
        String::from_utf8(line).unwrap()
    }

    #[test]
    fn a_record_has_the_keys_of_schema_6_in_order() {
        assert_eq!(
            line("src/model.rs"),
            "{\"site\": \"model.rs:7\", \"phase\": \"end\", \"depth\": 5, \"ring\": 3, \
             \"task_window_start\": 1, \"task_window_end\": 2, \"heap_start\": 3, \
             \"heap_end\": 4, \"dep_pool_start\": 5, \"dep_pool_end\": 6, \"tensormap\": 7}\n"
        );
    }

    #[test]
    fn any_file_name_gives_one_line_of_json() {
        for (file, name) in [
            ("src/say \"hi\".rs", r#"say \"hi\".rs"#),
            ("src\\windows.rs", "windows.rs"),
            ("src/\t\u{1}\u{7f}\n.rs", "\\t\\u0001\u{7f}\\n.rs"),
            ("src/größe-テスト.rs", "größe-テスト.rs"),
            ("", ""),
        ] {
            let line = line(file);
            assert!(
                line.starts_with(&format!("{{\"site\": \"{name}:7\", ")),
                "{line}"
            );
            assert_eq!(line.matches('\n').count(), 1);
            let value: serde_json::Value = serde_json::from_str(&line).unwrap();
            let name = Site::new(file, 7).file_name();
            assert_eq!(value["site"], format!("{name}:7"));
        }
    }
}
