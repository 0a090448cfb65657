//! Cost and memory must depend neither on the number of tasks run so far nor on the rings' sizes.

use super::chains::{Where, chains};
use super::peer::Peers;
use super::{Effort, empty, median, on_threads, runtime};
use pl_runtime::RunConfig;
use std::time::Instant;

/// Resident memory of this process, in KiB.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

pub(crate) fn run(effort: Effort, _: Option<&Peers>) {
    println!("  chains, nanoseconds a task and resident KiB, by number of tasks");
    for threads in [1, 2] {
        let runtime = runtime(on_threads(threads));
        for power in 4..=7 {
            let tasks = 10_u64.pow(power) / effort.divisor;
            let runs = (0..effort.repetitions.min(3)).map(|_| {
                let time = chains(&runtime, Where::Ring, tasks, empty).all;
                time.as_nanos() as f64 / tasks as f64
            });
            let time = median(runs.collect());
            println!(
                "    {threads} thread(s), 10^{power}: {time:>6.1}  {}",
                resident()
            );
        }
    }
    println!("  chains of 10^6 tasks, by ring size");
    for threads in [1, 2] {
        for window in [2048, 4096, 16384, 65536, 1 << 20] {
            let runtime = runtime(RunConfig {
                ring_task_window: window.into(),
                ..on_threads(threads)
            });
            let tasks = 1_000_000 / effort.divisor;
            let runs = (0..effort.repetitions.min(5)).map(|_| {
                let time = chains(&runtime, Where::Ring, tasks, empty).all;
                time.as_nanos() as f64 / tasks as f64
            });
            let time = median(runs.collect());
            println!("    {threads} thread(s), window {window:>8}: {time:>6.1}");
        }
    }
    let reserve = (0..5 * effort.repetitions).map(|_| {
        let config = on_threads(1);
        let start = Instant::now();
        let runtime = runtime(config);
        let taken = start.elapsed().as_nanos() as f64 / 1e6;
        drop(runtime);
        taken
    });
    let taken = median(reserve.collect());
    let verdict = if taken < 1.0 { "met" } else { "MISSED" };
    println!("  reserving the default rings: {taken:.3} ms (bar 1 ms: {verdict})");
}
