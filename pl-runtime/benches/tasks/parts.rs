//! Where the time of a task goes: by difference, each row adds one thing to the one before.

use super::peer::Peers;
use super::{ENTRY, Effort, SITE, TASK, empty, median, on_the_caller, runtime};
use ndarray::Array1;
use pl_runtime::{EntryArg, Error, Runtime, Scope, ScopeMode, TaskArg, TaskSpec, Tensor};
use std::time::Instant;

const TASKS: u64 = 200_000;
const BATCH: u64 = 512;

/// Nanoseconds a task with these arguments, run as soon as it is submitted.
fn time(
    runtime: &Runtime,
    tasks: u64,
    args: impl for<'a> Fn([Tensor<'a>; 4], u64) -> ([TaskArg<'a>; 2], usize),
) -> f64 {
    let input: Array1<f32> = Array1::zeros(1);
    let mut outputs: [Array1<f32>; 3] = std::array::from_fn(|_| Array1::zeros(1));
    let [a, b, c] = &mut outputs;
    let entry = [
        EntryArg::input(&input).expect("contiguous"),
        EntryArg::inout(a).expect("contiguous"),
        EntryArg::inout(b).expect("contiguous"),
        EntryArg::inout(c).expect("contiguous"),
    ];
    let mut taken = 0.0;
    let submit = |root: &Scope<'_>, tensors: [Tensor<'_>; 4]| -> Result<(), Error> {
        let mut next = 0;
        while next < tasks {
            let scope = root.enter(ScopeMode::Auto, SITE)?;
            for i in next..tasks.min(next + BATCH) {
                let (args, count) = args(tensors, i);
                scope.submit(SITE, TaskSpec::new(&TASK, empty, &args[..count], &[]))?;
            }
            next += BATCH;
        }
        Ok(())
    };
    runtime
        .run(&ENTRY, entry, |root, tensors| {
            let start = Instant::now();
            submit(root, tensors)?;
            taken = start.elapsed().as_nanos() as f64 / tasks as f64;
            Ok(())
        })
        .expect("nothing fails");
    taken
}

pub(crate) fn run(effort: Effort, _: Option<&Peers>) {
    let tasks = TASKS / effort.divisor;
    let runtime = runtime(on_the_caller());
    println!("  nanoseconds a task on the caller's thread, by what it has");
    let mut before = 0.0;
    let mut row = |what: &str, time: &dyn Fn() -> f64| {
        let now = median((0..=2 * effort.repetitions).map(|_| time()).collect());
        println!("    {what:<58} {now:>6.1}  (+{:.1})", now - before);
        before = now;
    };
    row("no argument: admission, slot, publishing, running", &|| {
        time(&runtime, tasks, |t, _| ([TaskArg::Input(t[0]); 2], 0))
    });
    row("two inputs that nobody writes: payload", &|| {
        time(&runtime, tasks, |t, _| ([TaskArg::Input(t[0]); 2], 2))
    });
    row("two tensors written: discovery and records", &|| {
        time(&runtime, tasks, |t, _| {
            ([TaskArg::InOut(t[1]), TaskArg::InOut(t[2])], 2)
        })
    });
}
