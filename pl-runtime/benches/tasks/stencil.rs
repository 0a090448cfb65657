//! A stencil of 8 x 500 tasks, each of which reads three cells of the step before: the smallest
//! task with which half of the machine is used, METG(50 %), on two threads.

use super::peer::{Peers, Program, agree, checksum};
use super::{ENTRY, Effort, SITE, TASK, median, on_threads, report, runtime};
use ndarray::Array1;
use pl_runtime::{
    EntryArg, OperationError, Runtime, Scalar, ScopeMode, Scratch, TaskArg, TaskArgs, TaskSpec,
};
use std::array;
use std::fmt::Write;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

const WIDTH: usize = 8;
const STEPS: usize = 500;
const THREADS: usize = 2;

#[repr(align(64))]
struct Cell(AtomicU64);

static CELLS: [[Cell; WIDTH]; 2] = [const { [const { Cell(AtomicU64::new(0)) }; WIDTH] }; 2];

fn compute(row: usize, at: usize, length: u64) {
    let from = |i: usize| f64::from_bits(CELLS[row][i % WIDTH].0.load(Relaxed));
    let mut value = (from(at + WIDTH - 1) + from(at) + from(at + 1)) / 3.0;
    for _ in 0..length {
        value = black_box(value * 1.000_000_1);
    }
    CELLS[1 - row][at].0.store(value.to_bits(), Relaxed);
}

#[allow(clippy::unnecessary_wraps, reason = "a kernel")]
fn cell(_: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let [row, at, length] = array::from_fn(|i| args.scalar::<u64>(i));
    compute(row as usize, at as usize, length);
    Ok(())
}

fn fill() {
    for (i, [first, second]) in (0..WIDTH).map(|i| (i, [&CELLS[0][i], &CELLS[1][i]])) {
        first.0.store((1.0 + i as f64).to_bits(), Relaxed);
        second.0.store(0, Relaxed);
    }
}

fn result() -> u64 {
    checksum(CELLS.iter().flatten().map(|cell| cell.0.load(Relaxed)))
}

/// The bodies alone.
fn alone(steps: usize, length: u64) -> f64 {
    let start = Instant::now();
    for step in 0..steps {
        (0..WIDTH).for_each(|at| compute(step % 2, at, length));
    }
    start.elapsed().as_nanos() as f64
}

fn tasks(runtime: &Runtime, steps: usize, length: u64) -> f64 {
    // They only carry the dependencies: what is computed lies in `CELLS`.
    let mut arrays: [Array1<i64>; 2 * WIDTH] = array::from_fn(|_| Array1::zeros(1));
    let mut arrays = arrays.iter_mut();
    let args: [EntryArg<'_>; 2 * WIDTH] =
        array::from_fn(|_| EntryArg::inout(arrays.next().expect("as many")).expect("contiguous"));
    let start = Instant::now();
    runtime
        .run(&ENTRY, args, |root, entry| {
            for step in 0..steps {
                let scope = root.enter(ScopeMode::Auto, SITE)?;
                let (from, to) = (step % 2 * WIDTH, (step + 1) % 2 * WIDTH);
                for at in 0..WIDTH {
                    let input = |i: usize| TaskArg::Input(entry[from + i % WIDTH]);
                    let args = [
                        input(at + WIDTH - 1),
                        input(at),
                        input(at + 1),
                        TaskArg::OutputExisting(entry[to + at]),
                    ];
                    let scalars = [(step % 2) as u64, at as u64, length].map(Scalar::to_value);
                    scope.submit(SITE, TaskSpec::new(&TASK, cell, &args, &scalars))?;
                }
            }
            Ok(())
        })
        .expect("nothing fails");
    start.elapsed().as_nanos() as f64
}

/// What one side took for tasks of one length: alone and with the runtime.
#[derive(Clone, Copy)]
struct Point {
    alone: f64,
    with_tasks: f64,
    result: u64,
}

impl Point {
    fn efficiency(self) -> f64 {
        self.alone / (self.with_tasks * THREADS as f64)
    }

    /// Time of a thread for one task, overhead included.
    fn granularity(self, tasks: f64) -> f64 {
        self.with_tasks * THREADS as f64 / tasks
    }
}

/// METG(50 %) in nanoseconds: between the first point that reaches it and the one before.
fn metg(points: &[Point], tasks: f64) -> Option<f64> {
    let above = points.iter().position(|point| point.efficiency() >= 0.5)?;
    let (low, high) = (*points.get(above.checked_sub(1)?)?, points[above]);
    let part = (0.5 - low.efficiency()) / (high.efficiency() - low.efficiency());
    let logs = (low.granularity(tasks).ln(), high.granularity(tasks).ln());
    Some((logs.0 + part * (logs.1 - logs.0)).exp())
}

fn ours(runtime: &Runtime, steps: usize, length: u64, repetitions: usize) -> Point {
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for _ in 0..repetitions {
        fill();
        without.push(alone(steps, length));
        fill();
        with.push(tasks(runtime, steps, length));
    }
    Point {
        alone: median(without),
        with_tasks: median(with),
        result: result(),
    }
}

fn theirs(peer: &Program, steps: usize, length: u64, repetitions: usize) -> Point {
    let words = [steps as u64, THREADS as u64, repetitions as u64, length].map(|n| n.to_string());
    let line = peer.run(&words).swap_remove(0);
    Point {
        alone: line[1].parse().expect("a time"),
        with_tasks: line[2].parse().expect("a time"),
        result: u64::from_str_radix(&line[3], 16).expect("a checksum"),
    }
}

pub(crate) fn run(effort: Effort, peers: Option<&Peers>) {
    let steps = STEPS / effort.divisor.min(10) as usize;
    let count = (steps * WIDTH) as f64;
    let runtime = runtime(on_threads(THREADS));
    let lengths: Vec<u64> = std::iter::once(0).chain((4..18).map(|i| 1 << i)).collect();
    let names = ["OpenMP depend", "oneTBB flow graph", "oneTBB, graph reused"];
    let programs = [
        peers.and_then(|peers| peers.stencil_omp.as_ref()),
        peers.and_then(|peers| peers.stencil_tbb.as_ref()),
        peers.and_then(|peers| peers.stencil_tbb_reused.as_ref()),
    ];
    tasks(&runtime, steps, 0);
    let mut points = Vec::new();
    let mut peer_points = [const { Vec::new() }; 3];
    let mut same = [true; 3];
    println!("  efficiency, ours and the peers', by multiplications in a task");
    for &length in &lengths {
        // Three times as often as the peers, which repeat inside one process.
        let point = ours(&runtime, steps, length, effort.repetitions * 3);
        let mut line = format!(
            "    {length:>6}: alone {:>8.0}  ours {:.2} ({:.0})",
            point.alone / count,
            point.efficiency(),
            point.with_tasks / count
        );
        points.push(point);
        for (i, program) in programs.iter().enumerate() {
            let Some(program) = program else { continue };
            let peer = theirs(program, steps, length, effort.repetitions);
            let with = format!("{} length {length}", names[i]);
            same[i] &= agree(&with, point.result, peer.result);
            let each = peer.with_tasks / count;
            write!(line, "  {:.2} ({each:.0})", peer.efficiency()).expect("a string takes it");
            peer_points[i].push(peer);
        }
        println!("{line}");
        let done = |points: &Vec<Point>| points.last().is_none_or(|p| p.efficiency() > 0.65);
        if effort.divisor > 1 || (done(&points) && peer_points.iter().all(done)) {
            break;
        }
    }
    let Some(mine) = metg(&points, count) else {
        println!("  METG(50 %) of ours: not among these lengths");
        return;
    };
    println!("  METG(50 %), ours: {mine:.0} ns on {THREADS} threads");
    for (i, bar) in [0.05, 0.5, f64::INFINITY].into_iter().enumerate() {
        match metg(&peer_points[i], count) {
            Some(other) if same[i] => {
                report(&format!("METG, ours / {}", names[i]), mine, other, bar);
            }
            _ => println!("  METG of {}: not known", names[i]),
        }
    }
}
