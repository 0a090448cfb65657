//! 64 independent chains of empty tasks, two INOUT arguments each, against OpenMP `task depend`.

use super::peer::{Peers, agree, checksum};
use super::{ENTRY, Effort, SITE, TASK, empty, median, on_threads, report, runtime};
use ndarray::Array1;
use pl_runtime::{
    DType, EntryArg, Error, KernelFn, OperationError, RunConfig, Runtime, Scalar, ScalarValue,
    Scope, ScopeMode, Scratch, TaskArg, TaskArgs, TaskSpec, Tensor, TensorCreateInfo,
};
use std::array;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

const CHAINS: usize = 64;
const TASKS: u64 = 1_000_000;
/// Tasks in one scope.
const BATCH: u64 = 1024;

/// What the tasks compute when they do: their dependencies alone keep this right.
static CELLS: [[AtomicU64; 2]; CHAINS] = [const { [const { AtomicU64::new(0) }; 2] }; CHAINS];

#[allow(clippy::unnecessary_wraps, reason = "a kernel")]
fn step(_: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let [x, y] = &CELLS[args.scalar::<u64>(0) as usize];
    let (old, other) = (x.load(Relaxed), y.load(Relaxed));
    let new = old
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(other);
    x.store(new, Relaxed);
    y.store(other ^ (new >> 7), Relaxed);
    Ok(())
}

/// Where the tensors of the chains are.
#[derive(Clone, Copy)]
pub(crate) enum Where {
    /// Arguments of the entry, as the arrays of the peer are.
    Entry,
    /// Allocated in the root scope: each task keeps their two blocks alive as well.
    Ring,
}

/// What a run took: to orchestrate (waits for a slot included), and in all.
pub(crate) struct Times {
    pub(crate) orchestration: Duration,
    pub(crate) all: Duration,
}

fn submit_all(
    root: &Scope<'_>,
    tensors: &[[Tensor<'_>; 2]; CHAINS],
    tasks: u64,
    kernel: KernelFn,
) -> Result<(), Error> {
    let args = tensors.map(|pair| pair.map(TaskArg::InOut));
    let numbers: [[ScalarValue; 1]; CHAINS] = array::from_fn(|i| [(i as u64).to_value()]);
    let mut next = 0;
    while next < tasks {
        let scope = root.enter(ScopeMode::Auto, SITE)?;
        let end = tasks.min(next + BATCH);
        for i in next..end {
            let chain = i as usize % CHAINS;
            scope.submit(
                SITE,
                TaskSpec::new(&TASK, kernel, &args[chain], &numbers[chain]),
            )?;
        }
        next = end;
    }
    Ok(())
}

/// Runs `tasks` tasks.
pub(crate) fn chains(runtime: &Runtime, place: Where, tasks: u64, kernel: KernelFn) -> Times {
    let mut arrays: [Array1<f32>; 2 * CHAINS] = array::from_fn(|_| Array1::zeros(1));
    let mut arrays = arrays.iter_mut();
    let args: [EntryArg<'_>; 2 * CHAINS] =
        array::from_fn(|_| EntryArg::inout(arrays.next().expect("as many")).expect("contiguous"));
    let start = Instant::now();
    let mut orchestration = Duration::ZERO;
    runtime
        .run(&ENTRY, args, |root, entry| {
            let info = [TensorCreateInfo::new(DType::F32, &[1])];
            let mut tensors = array::from_fn(|i| [entry[2 * i], entry[2 * i + 1]]);
            if let Where::Ring = place {
                for pair in &mut tensors {
                    for tensor in pair {
                        *tensor = root.alloc_tensors(SITE, &info)?.get_ref(0);
                    }
                }
            }
            let start = Instant::now();
            submit_all(root, &tensors, tasks, kernel)?;
            orchestration = start.elapsed();
            Ok(())
        })
        .expect("nothing fails");
    Times {
        orchestration,
        all: start.elapsed(),
    }
}

/// What the chains compute.
fn result(runtime: &Runtime, tasks: u64) -> u64 {
    for (i, [x, y]) in CELLS.iter().enumerate() {
        x.store(i as u64 + 1, Relaxed);
        y.store(i as u64 * 3, Relaxed);
    }
    chains(runtime, Where::Entry, tasks, step);
    checksum(CELLS.iter().flatten().map(|cell| cell.load(Relaxed)))
}

pub(crate) fn run(effort: Effort, peers: Option<&Peers>) {
    let tasks = TASKS / effort.divisor;
    println!("  nanoseconds a task, {tasks} tasks");
    for (threads, bar) in [(1, 1.0 / 1.3), (2, 0.2)] {
        let runtime = runtime(on_threads(threads));
        let each = |time: Duration| time.as_nanos() as f64 / tasks as f64;
        let peer = peers.and_then(|peers| peers.chains_omp.as_ref());
        let ask = |tasks: u64, computes: u32| {
            let words = [tasks, threads as u64, u64::from(computes)].map(|n| n.to_string());
            let line = peer?.run(&words).swap_remove(0);
            let sum = u64::from_str_radix(&line[1], 16).expect("a checksum");
            Some((line[0].parse::<f64>().expect("a time") / tasks as f64, sum))
        };
        let (mut ours, mut theirs, mut on_ring) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..effort.repetitions {
            ours.push(each(chains(&runtime, Where::Entry, tasks, empty).all));
            theirs.extend(ask(tasks, 0).map(|(time, _)| time));
            on_ring.push(each(chains(&runtime, Where::Ring, tasks, empty).all));
        }
        let what = format!("{threads} thread(s), ours / OpenMP depend");
        println!("    ours {ours:.0?}\n    theirs {theirs:.0?}");
        let sum = result(&runtime, tasks);
        match ask(tasks, 1) {
            Some((_, expected)) if agree(&what, sum, expected) => {
                report(&what, median(ours), median(theirs), bar);
            }
            Some(_) => {}
            None => println!("  {threads} thread(s), ours: {:.1}", median(ours)),
        }
        println!("    with tensors of the ring: {:.1}", median(on_ring));
    }
    orchestration(effort);
}

/// The orchestrator's time alone: as many tasks as never fill the window.
fn orchestration(effort: Effort) {
    let tasks = 200_000 / effort.divisor;
    for threads in [1, 2] {
        let config = RunConfig {
            ring_task_window: (1 << 18).into(),
            ..on_threads(threads)
        };
        let runtime = runtime(config);
        let runs = (0..=2 * effort.repetitions)
            .map(|_| {
                let times = chains(&runtime, Where::Entry, tasks, empty);
                times.orchestration.as_nanos() as f64 / tasks as f64
            })
            .skip(1);
        println!(
            "  orchestrator alone, {threads} thread(s), no full window: {:.1}",
            median(runs.collect())
        );
    }
}
