//! `pmu.csv`: what each kernel took and did.

use super::files::{Folder, NewFile};
use super::live::Ran;
use crate::machine::Counts;
use crate::sync::Mutex;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::PoisonError;

const FILE: &str = "pmu.csv";

/// The columns. They keep their names and their order; new ones come last.
const COLUMNS: [&str; 14] = [
    "kernel",
    "defined",
    "tasks",
    "blocks",
    "failures",
    "total_ns",
    "min_ns",
    "median_ns",
    "max_ns",
    "scratch_peak_bytes",
    "loaded_bytes",
    "stored_bytes",
    "matrix_ops",
    "element_ops",
];

/// Counters of the kernels of a run.
#[derive(Debug)]
pub(crate) struct Pmu(Mutex<State>);

#[derive(Debug)]
struct State {
    file: Option<NewFile>,
    kernels: BTreeMap<(&'static str, &'static str, u32), Counters>,
}

#[derive(Debug, Default)]
struct Counters {
    tasks: u64,
    blocks: u64,
    failures: u64,
    total_ns: u64,
    min_ns: u64,
    max_ns: u64,
    /// How many blocks took how long, to three digits.
    times: BTreeMap<u64, u64>,
    scratch: usize,
    counts: Counts,
}

/// `ns` to three digits: so there are at most some thousand different ones, however many blocks run.
fn rounded(ns: u64) -> u64 {
    let unit = 10_u64.pow(ns.checked_ilog10().unwrap_or(0).saturating_sub(2));
    (ns / unit).saturating_mul(unit)
}

impl Counters {
    fn add(&mut self, ran: &Ran) {
        let ns = ran.end_ns.saturating_sub(ran.start_ns);
        self.min_ns = if self.blocks == 0 {
            ns
        } else {
            self.min_ns.min(ns)
        };
        self.max_ns = self.max_ns.max(ns);
        self.total_ns = self.total_ns.saturating_add(ns);
        *self.times.entry(rounded(ns)).or_default() += 1;
        self.tasks += u64::from(ran.first);
        self.blocks += 1;
        self.failures += u64::from(ran.failed);
        self.scratch = self.scratch.max(ran.scratch);
        self.counts.add(&ran.counts);
    }

    /// The middle one, to three digits; of two the shorter one.
    fn median_ns(&self) -> u64 {
        let mut left = self.blocks.div_ceil(2);
        let middle = self.times.iter().find(|&(_, &count)| {
            left = left.saturating_sub(count);
            left == 0
        });
        middle.map_or(0, |(&ns, _)| ns.max(self.min_ns))
    }
}

impl Pmu {
    pub(super) fn create(folder: &Folder) -> io::Result<Self> {
        Ok(Self(Mutex::new(State {
            file: Some(folder.file(FILE)?),
            kernels: BTreeMap::new(),
        })))
    }

    pub(crate) fn ran(&self, ran: &Ran) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kernel = ran.kernel;
        let key = (kernel.name, kernel.file, kernel.line);
        state.kernels.entry(key).or_default().add(ran);
    }

    pub(super) fn publish(&self) -> io::Result<()> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(mut file) = state.file.take() else {
            return Ok(());
        };
        let to = file.writer();
        line(to, COLUMNS)?;
        for (&(name, defined, number), counters) in &state.kernels {
            let defined = format!("{defined}:{number}");
            let Counts {
                loaded,
                stored,
                matrix_ops,
                element_ops,
            } = counters.counts;
            let fields: [&dyn Display; COLUMNS.len()] = [
                &name,
                &defined,
                &counters.tasks,
                &counters.blocks,
                &counters.failures,
                &counters.total_ns,
                &counters.min_ns,
                &counters.median_ns(),
                &counters.max_ns,
                &counters.scratch,
                &loaded,
                &stored,
                &matrix_ops,
                &element_ops,
            ];
            line(to, fields)?;
        }
        file.publish(FILE)
    }
}

/// A line, as RFC 4180 has it.
fn line<T: Display>(to: &mut impl Write, fields: impl IntoIterator<Item = T>) -> io::Result<()> {
    for (at, field) in fields.into_iter().enumerate() {
        let separator = if at == 0 { "" } else { "," };
        write!(to, "{separator}{}", quoted(field.to_string()))?;
    }
    to.write_all(b"\r\n")
}

fn quoted(field: String) -> String {
    if field.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_separators_are_quoted_and_quotes_doubled() {
        let mut text = Vec::new();
        line(
            &mut text,
            ["plain", "a,b", "say \"hi\"", "two\r\nlines", ""],
        )
        .unwrap();
        let expected = "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\r\nlines\",\r\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[test]
    fn times_are_rounded_to_three_digits_and_never_to_more_values_than_that() {
        assert_eq!(
            [0, 7, 999, 1000, 1009, 12_345, u64::MAX].map(rounded),
            [0, 7, 999, 1000, 1000, 12_300, 18_400_000_000_000_000_000]
        );
        let distinct: std::collections::BTreeSet<_> = (0..1_000_000).map(rounded).collect();
        assert_eq!(distinct.len(), 1000 + 3 * 900);
    }
}
