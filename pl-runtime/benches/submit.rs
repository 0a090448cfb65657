//! One empty task with two tensor arguments, from its submit to its retirement.

#[path = "support/empty.rs"]
mod empty;

use criterion::{Criterion, criterion_group, criterion_main};
use empty::{KERNEL, empty};
use ndarray::Array2;
use pl_runtime::{
    EntryArg, Executor, RunConfig, Runtime, ScopeMode, SerialOrder, Site, TaskArg, TaskSpec,
};
use std::time::{Duration, Instant};

const SITE: Site = Site::new("submit.rs", 1);

/// A chain of tasks, 64 in a scope.
fn chain(runtime: &Runtime, tasks: u64) -> Duration {
    let (a, mut x) = (Array2::<f32>::zeros((8, 8)), Array2::<f32>::zeros((8, 8)));
    let args = [
        EntryArg::input(&a).unwrap(),
        EntryArg::inout(&mut x).unwrap(),
    ];
    let start = Instant::now();
    runtime
        .run(&KERNEL, args, |root, [a, x]| {
            let args = [TaskArg::Input(a), TaskArg::InOut(x)];
            let task = TaskSpec::new(&KERNEL, empty, &args, &[]);
            let mut left = tasks;
            while left > 0 {
                let scope = root.enter(ScopeMode::Auto, SITE)?;
                for _ in 0..left.min(64) {
                    scope.submit(SITE, task)?;
                }
                left -= left.min(64);
            }
            Ok(())
        })
        .unwrap();
    start.elapsed()
}

fn submit(c: &mut Criterion) {
    let mut group = c.benchmark_group("submit and retire, two tensors");
    let executors = [
        (
            "serial",
            Executor::Serial {
                order: SerialOrder::ProgramOrder,
            },
        ),
        ("1 thread", Executor::Threads { threads: 1 }),
        ("2 threads", Executor::Threads { threads: 2 }),
    ];
    for (name, executor) in executors {
        for window in [256, 16384] {
            let config = RunConfig {
                executor,
                ring_task_window: window.into(),
                ..RunConfig::default()
            };
            let runtime = Runtime::new(config).unwrap();
            group.bench_function(format!("{name}, window {window}"), |b| {
                b.iter_custom(|tasks| chain(&runtime, tasks));
            });
        }
    }
}

criterion_group!(benches, submit);
criterion_main!(benches);
