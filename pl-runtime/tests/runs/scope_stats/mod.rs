//! `scope_stats.jsonl` and `run.json`: what stands in them, byte by byte, however a run ends.

mod determined;
mod failing;
mod files;
mod format;

use crate::common::{
    AFFINE, ENTRY, FILL, NOTHING, Outcome, UNLUCKY, UPDATE, alloc, info, nothings, random, run,
    says, serial, submit, threads,
};
use ndarray::Array2;
use pl_runtime::{
    EntryArg, Error, Executor, MachineModel, OrchestratorCost, RunConfig, Runtime, Scope,
    ScopeMode, Site, SliceItem, TaskArg, Tensor, Values, shape,
};
use serde_json::{Value, json};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const DEMO: Site = Site::new("src/demo.rs", 41);
const INNER: Site = Site::new("src/demo.rs", 57);

/// A work folder, removed at the end of its test.
struct WorkDir(PathBuf);

impl WorkDir {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scope_stats_{name}"));
        drop(fs::remove_dir_all(&path));
        Self(path)
    }

    fn folder(&self) -> PathBuf {
        self.0.join("dfx_outputs").join("scope_stats")
    }

    fn file(&self) -> PathBuf {
        self.folder().join("scope_stats.jsonl")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    /// The first line, and the others as `site phase`.
    fn lines(&self) -> (Value, Vec<String>) {
        let text = self.text();
        assert!(text.ends_with('\n'));
        let mut lines = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let meta = lines.next().unwrap();
        let records: Vec<_> = lines
            .map(|r| {
                format!(
                    "{} {}",
                    r["site"].as_str().unwrap(),
                    r["phase"].as_str().unwrap()
                )
            })
            .collect();
        assert_eq!(meta["total"], records.len());
        (meta, records)
    }

    fn run_json(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(self.folder().join("run.json")).unwrap()).unwrap()
    }

    /// No temporary file is left.
    fn holds_nothing_else(&self) {
        assert_eq!(fs::read_dir(self.folder()).unwrap().count(), 2);
    }

    fn config(&self, heap: u64, window: u32, executor: Executor) -> RunConfig {
        RunConfig {
            ring_heap: heap.into(),
            ring_task_window: window.into(),
            ring_dep_pool: 64.into(),
            executor,
            work_dir: Some(self.0.clone()),
            enable_scope_stats: true,
            ..RunConfig::default()
        }
    }

    fn runtime(&self, heap: u64, window: u32, executor: Executor) -> Runtime {
        Runtime::new(self.config(heap, window, executor)).unwrap()
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Opens and closes `n` scopes, one after the other.
fn scopes(root: &Scope<'_>, site: Site, n: u32) -> Outcome {
    (0..n).try_for_each(|_| root.enter(ScopeMode::Auto, site).map(drop))
}
