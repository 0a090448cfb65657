//! Calls of the program, and files for it.

use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How `pl` ended, and what it wrote.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.stdout, self.stderr))
    }
}

pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pl"));
    command.arg("scope-stats");
    command
}

pub(crate) fn ended(output: Output) -> Run {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run {
        // A crash has no code.
        code: output.status.code().expect("it ends by itself"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

pub(crate) fn scope_stats(args: &[&str]) -> Run {
    ended(command().args(args).output().unwrap())
}

/// A file of the corpus.
pub(crate) fn corpus(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scope_stats/corpus");
    let file = folder.join(format!("{name}.jsonl"));
    file.into_os_string().into_string().unwrap()
}

/// A new folder of this name.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scope_stats_{name}"));
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A file of this text in a folder of its own.
pub(crate) fn file(name: &str, text: impl AsRef<[u8]>) -> String {
    let file = folder(name).join("scope_stats.jsonl");
    std::fs::write(&file, text).unwrap();
    file.into_os_string().into_string().unwrap()
}

/// A file under construction.
pub(crate) struct Recording {
    records: String,
    number: u64,
}

impl Recording {
    pub(crate) fn new() -> Self {
        Self {
            records: String::new(),
            number: 0,
        }
    }

    pub(crate) fn sample(
        &mut self,
        site: &str,
        phase: &str,
        depth: u64,
        heap: (u64, u64),
    ) -> &mut Self {
        self.number += 1;
        writeln!(
            self.records,
            "{{\"site\": \"{site}\", \"phase\": \"{phase}\", \"depth\": {depth}, \"ring\": {}, \
             \"task_window_start\": 0, \"task_window_end\": 1, \"heap_start\": {}, \"heap_end\": {}, \
             \"dep_pool_start\": 1, \"dep_pool_end\": 1, \"tensormap\": 2}}",
            depth.min(3),
            heap.0,
            heap.1
        )
        .unwrap();
        self
    }

    /// A scope that allocates.
    pub(crate) fn scope(
        &mut self,
        site: &str,
        depth: u64,
        heap: (u64, u64),
        allocates: u64,
    ) -> &mut Self {
        self.sample(site, "begin", depth, heap).sample(
            site,
            "end",
            depth,
            (heap.0, heap.1 + allocates),
        )
    }

    /// With heaps of this size.
    pub(crate) fn text(&self, heap: u64) -> String {
        format!(
            "{{\"version\": 6, \"fatal\": false, \"dropped\": 0, \"total\": {}, \"task_window_max\": \
             [16, 16, 16, 16], \"heap_max\": {:?}, \"dep_pool_max\": [64, 64, 64, 64], \
             \"tensormap_max\": 65536}}\n{}",
            self.number, [heap; 4], self.records
        )
    }
}

/// `run.json` for heaps of this size, with one demand for all rings.
pub(crate) fn run_json(
    heap: u64,
    demand: u64,
    scopes: u64,
    failure: Option<(u32, &str)>,
) -> String {
    let ring = serde_json::json!({
        "ring_heap": heap, "ring_task_window": 16, "ring_dep_pool": 64, "kernel_tasks": 0,
        "alloc_tasks": 0, "heap_high_water": demand, "heap_demand": demand,
    });
    let outcome = match failure {
        None => serde_json::json!({"ok": true}),
        Some((code, text)) => {
            serde_json::json!({"ok": false, "code": code, "name": "NAME", "text": text})
        }
    };
    let run = serde_json::json!({
        "version": 1, "entry": "model", "outcome": outcome, "executor": "serial", "reclaim": "lazy",
        "dependencies": "sound", "manual_audit": "on", "clusters": 8, "tensormap_high_water": 0,
        "scopes": scopes, "rings": [ring.clone(), ring.clone(), ring.clone(), ring],
    });
    run.to_string()
}
