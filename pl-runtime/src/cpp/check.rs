//! Runs an entry as Rust, and as the C++ that is printed for it: both must do the same.
//!
//! # Invariants of the unsafe code
//! * Elements are copied out of, and back into, writable arguments of the entry, which are lent until the
//!   entry returns, between runs.

use super::kernels::{Bodied, Bodies, Body, Kernels, same};
use super::{CompileOptions, CppError, Orchestration};
use crate::config::RunConfig;
use crate::dtype::ScalarValue;
use crate::entry::Lent;
use crate::error::{DeviceDifference, Error, Result};
use crate::kernel::Kernel;
use crate::record::{Edge, EdgeSource, RunReport};
use crate::runtime::Runtime;
use crate::scope::Scope;
use crate::task::{KernelInfo, TaskKernel, TaskNote};
use crate::tensor::RawTensor;
use ndarray::Dimension;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, process};

/// The most differences of one kind that are told.
const MOST: usize = 5;

/// What one path did.
struct Trace {
    outcome: Result<RunReport>,
    tasks: Vec<TaskNote>,
    /// `scope_stats.jsonl` without sites.
    samples: Vec<Value>,
    outputs: Vec<Vec<u8>>,
}

/// Runs `entry` as Rust, which is `body`, and as C++; the arguments are left as they were.
///
/// # Errors
/// [`Error::DeviceDifference`].
pub(crate) fn check(
    runtime: &Runtime,
    entry: &'static KernelInfo,
    args: &[Lent],
    scalars: &[ScalarValue],
    kernel: &Kernel,
    body: &dyn for<'r> Fn(&'r Scope<'r>, Vec<RawTensor>) -> Result<()>,
) -> Result<()> {
    // A plan has rings that no machine holds, and maps none of them.
    if let Err(Error::Reserve(_)) = noting(runtime, None) {
        return Ok(());
    }
    let before = elements(args);
    let rust = trace(runtime, args, |runtime, tasks| {
        runtime.run_lent(entry, args.into(), Some(tasks), body)
    });
    restore(args, &before);
    let bits: Vec<u64> = scalars.iter().map(|scalar| scalar.bits()).collect();
    let mut failed = None;
    let cpp = kernel
        .orchestration_cpp()
        .map_err(|error| error.to_string());
    let cpp = cpp.and_then(|source| {
        let options = CompileOptions {
            flags: ["-Wall", "-Wextra", "-Werror"].map(String::from).into(),
            ..CompileOptions::default()
        };
        let name = format!("{}.cpp", kernel.name());
        // SAFETY: the printer writes sources that do what the safe program does.
        let compiled = unsafe { Orchestration::compile_text(&name, &source, &options) };
        compiled.map_err(|error| error.to_string())
    });
    let differences = match (rust, cpp) {
        (Ok(rust), Ok(_)) if rust.outcome.as_ref().is_err_and(is_arithmetic) => Vec::new(),
        (Ok(rust), Ok(compiled)) => {
            let mut bodies = Recorded {
                tasks: &rust.tasks,
                failed: rust.outcome.is_err(),
                next: 0,
                known: HashMap::new(),
            };
            let cpp = trace(runtime, args, |runtime, tasks| {
                match compiled.run_lent(runtime, &mut bodies, args.into(), &bits, Some(tasks)) {
                    Ok(report) => Ok(report),
                    Err(CppError::Run(error)) => Err(error),
                    Err(other) => {
                        failed = Some(other.to_string());
                        Err(Error::DeviceDifference(Box::default()))
                    }
                }
            });
            match (failed, cpp) {
                (Some(error), _) | (None, Err(error)) => vec![error],
                (None, Ok(cpp)) => compare(&rust, &cpp),
            }
        }
        (Err(error), _) | (_, Err(error)) => vec![error],
    };
    restore(args, &before);
    if differences.is_empty() {
        return Ok(());
    }
    Err(Error::DeviceDifference(Box::new(DeviceDifference {
        entry: entry.name,
        defined: Some(entry.site()),
        differences,
    })))
}

/// Whether an error is one of a computation that C++ does not define, and may not end.
fn is_arithmetic(error: &Error) -> bool {
    const VIEWS: [&str; 5] = ["slice", "reshape", "transpose", "permute", "dim"];
    matches!(error, Error::Operation(error) if !VIEWS.contains(&error.operation))
}

/// Runs with everything on that is compared.
fn trace(
    runtime: &Runtime,
    args: &[Lent],
    run: impl FnOnce(&Runtime, &mut Vec<TaskNote>) -> Result<RunReport>,
) -> Result<Trace, String> {
    let work = WorkDir::new()?;
    let noting = noting(runtime, Some(&work)).map_err(|e| e.to_string())?;
    let mut tasks = Vec::new();
    let outcome = run(&noting, &mut tasks);
    Ok(Trace {
        outcome,
        tasks,
        samples: samples(&work.0),
        outputs: elements(args),
    })
}

/// A runtime that keeps what is compared, its samples in a folder.
fn noting(runtime: &Runtime, work: Option<&WorkDir>) -> Result<Runtime> {
    runtime.with_quiet_config(RunConfig {
        check_cpp: false,
        enable_dep_gen: true,
        enable_scope_stats: work.is_some(),
        work_dir: work.map(|work| work.0.clone()),
        ..runtime.config().clone()
    })
}

struct WorkDir(PathBuf);

impl WorkDir {
    fn new() -> Result<Self, String> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("pl-check-{}-{number}", process::id()));
        fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

fn samples(work: &Path) -> Vec<Value> {
    let file = work.join("dfx_outputs/scope_stats/scope_stats.jsonl");
    let text = fs::read_to_string(file).unwrap_or_default();
    let lines = text.lines().filter_map(|line| {
        let mut line: Value = serde_json::from_str(line).ok()?;
        line.as_object_mut()?.remove("site");
        Some(line)
    });
    lines.collect()
}

/// Offsets in bytes, and lengths, of the elements of an argument that can be written.
fn parts(arg: &Lent) -> Vec<(usize, usize)> {
    let (view, size) = (&arg.view, arg.view.dtype().bytes());
    if !arg.writable || !arg.has_data {
        return Vec::new();
    }
    if view.is_contiguous() {
        return vec![(view.offset() * size, view.bytes())];
    }
    let place = |index: ndarray::Dim<ndarray::IxDynImpl>| {
        let steps = index.slice().iter().zip(view.strides());
        let at = view.offset() + steps.map(|(i, stride)| i * stride).sum::<usize>();
        (at * size, size)
    };
    ndarray::indices(view.dims())
        .into_iter()
        .map(place)
        .collect()
}

fn elements(args: &[Lent]) -> Vec<Vec<u8>> {
    let copied = |arg: &Lent| {
        let mut bytes = Vec::new();
        for (at, length) in parts(arg) {
            let start = bytes.len();
            bytes.resize(start + length, 0);
            // SAFETY: elements of an argument; no task is running.
            unsafe {
                arg.base
                    .add(at)
                    .copy_to(bytes[start..].as_mut_ptr(), length);
            };
        }
        bytes
    };
    args.iter().map(copied).collect()
}

fn restore(args: &[Lent], bytes: &[Vec<u8>]) {
    for (arg, bytes) in args.iter().zip(bytes) {
        let mut start = 0;
        for (at, length) in parts(arg) {
            let from = bytes[start..start + length].as_ptr();
            // SAFETY: elements of a writable argument; no task is running.
            unsafe { arg.base.add(at).copy_from(from, length) };
            start += length;
        }
    }
}

/// The bodies of the tasks that the Rust path has submitted, in its order. A number of a kernel stands
/// for one body.
struct Recorded<'t> {
    tasks: &'t [TaskNote],
    /// Whether the Rust path has failed: then perhaps in a submit, whose task it does not tell.
    failed: bool,
    next: usize,
    known: HashMap<[Option<u32>; 3], TaskKernel>,
}

impl Bodies for Recorded<'_> {
    fn find(&mut self, ids: [Option<u32>; 3]) -> Result<Body, String> {
        let rest = self.tasks[self.next..].iter();
        let Some(skipped) = rest.clone().position(|task| !task.is_dummy()) else {
            if self.failed {
                return (&Kernels::none()).find(ids);
            }
            return Err("the Rust path submits no more tasks".into());
        };
        let task = &self.tasks[self.next + skipped];
        self.next += skipped + 1;
        let known = *self.known.entry(ids).or_insert(task.kernel);
        if !same(known, task.kernel) {
            return Err(format!(
                "kernel {ids:?} stands for `{}` and for {task}",
                known.info.name
            ));
        }
        let types = task.scalars.iter().map(|scalar| scalar.ty());
        Ok(Body {
            kernels: Bodied::One(task.kernel),
            scalars: Some(types.collect()),
            cores: task.cores,
        })
    }
}

/// What is different.
fn compare(rust: &Trace, cpp: &Trace) -> Vec<String> {
    let mut found = Vec::new();
    let (a, b) = match (&rust.outcome, &cpp.outcome) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(a), Err(b)) if a.code() == b.code() => return found,
        (a, b) => {
            let text = |outcome: &Result<RunReport>| match outcome {
                Ok(_) => "ends well".to_owned(),
                Err(error) => format!("fails: {error}"),
            };
            return vec![format!(
                "the Rust path {}, the C++ path {}",
                text(a),
                text(b)
            )];
        }
    };
    if rust.tasks.len() != cpp.tasks.len() {
        found.push(format!(
            "the Rust path submits {} tasks, the C++ path {}",
            rust.tasks.len(),
            cpp.tasks.len()
        ));
    }
    let tasks = rust.tasks.iter().zip(&cpp.tasks);
    let differing = tasks.filter_map(|(a, b)| {
        let difference = a.difference(b)?;
        Some(format!("task {a}, in C++ {b}: {difference}"))
    });
    found.extend(differing.take(MOST));
    for (index, (a, b)) in rust.outputs.iter().zip(&cpp.outputs).enumerate() {
        if let Some(at) = a.iter().zip(b).position(|(a, b)| a != b) {
            found.push(format!("argument {index} differs from byte {at} on"));
        }
    }
    compare_reports(a, b, &mut found);
    compare_orders(&a.edges, &found_or_declared(&a.edges, &b.edges), &mut found);
    // What is printed for the device may declare more than Rust needs. It changes these figures.
    let mut tasks = rust.tasks.iter().zip(&cpp.tasks);
    let mut apart = Vec::new();
    if tasks.any(|(a, b)| a.is_declared_more_in(b)) {
        apart.push("tensormap");
    } else if a.tensormap_high_water != b.tensormap_high_water {
        found.push("the tensormap is not as full".into());
    }
    if declared(&b.edges).is_subset(&declared(&a.edges)) {
        if a.timing != b.timing {
            found.push("the simulated times differ".into());
        }
    } else {
        apart.extend(["dep_pool_start", "dep_pool_end"]);
    }
    let plain = |sample: &Value| {
        let mut sample = sample.clone();
        for field in &apart {
            sample.as_object_mut().map(|sample| sample.remove(*field));
        }
        sample
    };
    let pairs = rust.samples.iter().zip(&cpp.samples).enumerate();
    let pairs = pairs.map(|(line, (a, b))| (line, (plain(a), plain(b))));
    let samples = pairs
        .filter(|(_, (a, b))| a != b)
        .map(|(line, (a, b))| format!("scope_stats line {}: {a} in Rust, {b} in C++", line + 1));
    found.extend(samples.take(MOST));
    if rust.samples.len() != cpp.samples.len() {
        found.push(format!(
            "scope_stats has {} lines in Rust, {} in C++",
            rust.samples.len(),
            cpp.samples.len()
        ));
    }
    found
}

/// The pairs of declared dependencies.
fn declared(edges: &[Edge]) -> BTreeSet<(Task, Task)> {
    let explicit = edges
        .iter()
        .filter(|edge| edge.source == EdgeSource::Explicit);
    explicit.map(|edge| (edge.from, edge.to)).collect()
}

/// The edges in C++ but for the dependencies that are declared there for the device alone. Those may order
/// more: where two tasks touch the same bytes is not known before the run.
fn found_or_declared(rust: &[Edge], cpp: &[Edge]) -> Vec<Edge> {
    let known = declared(rust);
    let own =
        |edge: &&Edge| edge.source != EdgeSource::Explicit || known.contains(&(edge.from, edge.to));
    cpp.iter().filter(own).copied().collect()
}

fn compare_reports(a: &RunReport, b: &RunReport, found: &mut Vec<String>) {
    macro_rules! same {
        ($($field:ident),*) => {$(
            if a.$field != b.$field {
                let name = stringify!($field);
                found.push(format!("{name} is {:?} in Rust, {:?} in C++", a.$field, b.$field));
            }
        )*};
    }
    same!(
        kernel_tasks,
        alloc_tasks,
        scopes,
        heap_high_water,
        heap_demand
    );
}

type Task = (usize, u64);

/// Tasks that have to end before others: which pairs are ordered, directly or by way of other tasks.
fn compare_orders(a: &[Edge], b: &[Edge], found: &mut Vec<String>) {
    let direct = |edges: &[Edge]| -> BTreeSet<(Task, Task)> {
        edges.iter().map(|edge| (edge.from, edge.to)).collect()
    };
    if direct(a) == direct(b) {
        return;
    }
    let (a, b) = (closed(a), closed(b));
    for (path, missing) in [("C++", a.difference(&b)), ("Rust", b.difference(&a))] {
        let pairs: Vec<_> = missing.collect();
        if let Some((from, to)) = pairs.first() {
            found.push(format!(
                "{} pairs of tasks are not ordered in {path}, the first {from:?} before {to:?}",
                pairs.len()
            ));
        }
    }
}

/// All ordered pairs. The edges of a task come together, after those of all tasks that it waits for.
fn closed(edges: &[Edge]) -> BTreeSet<(Task, Task)> {
    let mut before: HashMap<Task, BTreeSet<Task>> = HashMap::new();
    for edge in edges {
        let mut earlier = before.get(&edge.from).cloned().unwrap_or_default();
        earlier.insert(edge.from);
        before.entry(edge.to).or_default().extend(earlier);
    }
    let pairs = before.into_iter();
    pairs
        .flat_map(|(to, from)| from.into_iter().map(move |from| (from, to)))
        .collect()
}
