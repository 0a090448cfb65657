//! The recordings of a run beside the scope statistics: graph, swimlane, counters, arguments.

mod args_dump;
mod dep_gen;
mod files;
mod pmu;
mod swimlane;

use crate::common::{
    AFFINE, ENTRY, EXECUTORS, FILL, NOTHING, Outcome, UNLUCKY, UPDATE, alloc, kernel, nothings,
    run, says, serial, submit, threads,
};
use ndarray::Array2;
use pl_runtime::{
    DumpArgs, EntryArg, Error, Executor, KernelInfo, RunConfig, RunReport, Runtime, Scope,
    ScopeMode, Site, TaskArg, Tensor,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

const DEMO: Site = Site::new("src/demo.rs", 41);
/// A name that would be code where it is not quoted.
static ODD: KernelInfo = kernel("say \"hi\", <b>\\n</b>", 80, &[]);
const ODD_SITE: Site = Site::new("src/\"x\", <i>.rs", 3);

/// A work folder, removed at the end of its test.
struct WorkDir(PathBuf);

impl WorkDir {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("recordings_{name}"));
        drop(fs::remove_dir_all(&path));
        Self(path)
    }

    fn path(&self, below: &str) -> PathBuf {
        self.0.join("dfx_outputs").join(below)
    }

    fn text(&self, below: &str) -> String {
        let path = self.path(below);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn json(&self, below: &str) -> Value {
        serde_json::from_str(&self.text(below)).unwrap()
    }

    fn config(&self, executor: Executor) -> RunConfig {
        RunConfig {
            executor,
            work_dir: Some(self.0.clone()),
            ..RunConfig::default()
        }
    }

    /// With all recordings that the executor can make.
    fn all(&self, executor: Executor) -> RunConfig {
        RunConfig {
            enable_scope_stats: true,
            enable_dep_gen: true,
            enable_chip_swimlane: true,
            enable_dump_args: (executor != Executor::Timing).then(DumpArgs::all),
            enable_pmu: true,
            ..self.config(executor)
        }
    }

    /// The names of all files below, in order, and whether one of them is temporary.
    fn files(&self) -> Vec<String> {
        fn walk(folder: &Path, root: &Path, files: &mut Vec<String>) {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, root, files);
                } else {
                    let name = path.strip_prefix(root).unwrap();
                    files.push(name.to_str().unwrap().to_owned());
                }
            }
        }
        let (root, mut files) = (self.path(""), Vec::new());
        walk(&root, &root, &mut files);
        files.sort();
        assert!(!files.iter().any(|name| name.contains(".tmp")), "{files:?}");
        files
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Three tasks and an allocation: `t = 7; x = 3 * t + 1; x = 5 * x + t`.
fn program<'r>(root: &'r Scope<'r>, x: Tensor<'r>) -> Outcome {
    let scope = root.enter(ScopeMode::Auto, DEMO)?;
    let t = alloc(&scope, Site::new("src/demo.rs", 42), 4, 4)?;
    let fill = [TaskArg::OutputExisting(t)];
    submit(&scope, Site::new("src/demo.rs", 43), &FILL, &fill, 7, &[])?;
    let affine = [TaskArg::Input(t), TaskArg::OutputExisting(x)];
    submit(
        &scope,
        Site::new("src/demo.rs", 44),
        &AFFINE,
        &affine,
        1,
        &[],
    )?;
    let update = [TaskArg::Input(t), TaskArg::InOut(x)];
    submit(
        &scope,
        Site::new("src/demo.rs", 45),
        &UPDATE,
        &update,
        0,
        &[],
    )
    .map(|_| ())
}

/// Runs [`program`].
fn run_program(config: RunConfig) -> RunReport {
    let simulated = config.executor == Executor::Timing;
    let mut x = Array2::<u32>::zeros((4, 4));
    let args = [EntryArg::inout(&mut x).unwrap()];
    let report = Runtime::new(config)
        .unwrap()
        .run(&ENTRY, args, |root, [x]| program(root, x))
        .unwrap();
    assert!(simulated || x[[3, 3]] == 5 * 22 + 7);
    report
}

const TIMING: Executor = Executor::Timing;

/// One of each kind.
const KINDS: [Executor; 3] = [EXECUTORS[0], EXECUTORS[4], TIMING];
