//! Codes 8 and 100: with `RunConfig::kernel_watchdog` only.

use super::{CALL, ENTRY, config, says};
use crate::common::{Outcome, kernel, run, threads};
use ndarray::Array2;
use pl_runtime::{
    DType, EntryArg, Error, Executor, KernelInfo, OperationError, RunConfig, Runtime, Scope,
    Scratch, TaskArg, TaskArgs, TaskSpec, tile,
};
use std::time::Duration;

static SLOW: KernelInfo = kernel("slow", 1, &[]);

/// As many milliseconds as its scalar says.
#[allow(clippy::unnecessary_wraps, reason = "a kernel")]
fn sleep(_: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    std::thread::sleep(Duration::from_millis(args.scalar::<u64>(0)));
    Ok(())
}

/// Never ends by itself.
fn spin(scratch: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
    loop {
        let inner = scratch.enter(CALL);
        tile::zeros(&inner, CALL, DType::F32, &[4, 4])?;
    }
}

fn watched(milliseconds: u64, executor: Executor) -> Runtime {
    Runtime::new(RunConfig {
        kernel_watchdog: Some(Duration::from_millis(milliseconds)),
        executor,
        ..config()
    })
    .unwrap()
}

fn slow(scope: &Scope<'_>, milliseconds: u64) -> Outcome {
    use pl_runtime::Scalar;
    let scalars = [milliseconds.to_value()];
    let task = TaskSpec::new(&SLOW, sleep, &[], &scalars);
    scope.submit(CALL, task).map(|_| ())
}

#[track_caller]
fn is_timeout(error: &Error, parts: &[&str]) {
    assert_eq!(
        (error.code(), error.name(), error.host_code()),
        (Some(100), Some("SCHEDULER_TIMEOUT"), Some(507_018))
    );
    says(
        error,
        &["orch_error_code=100 SCHEDULER_TIMEOUT: kernel `slow` "],
    );
    says(error, parts);
}

#[test]
fn code_100_a_kernel_takes_longer_than_the_watchdog_lets_it() {
    for executor in super::EXECUTORS {
        let rt = watched(20, executor);
        let error = run(&rt, |root| slow(root, 60)).unwrap_err();
        is_timeout(
            &error,
            &[
                "took ",
                "may take 20ms",
                "submitted at model.rs:12",
                "`RunConfig::kernel_watchdog` to 1 s",
            ],
        );
        run(&rt, |_| Ok(())).expect("the runtime can be used again");
    }
    run(&watched(60_000, threads(2)), |root| slow(root, 60)).unwrap();
}

#[test]
fn code_100_a_kernel_that_would_not_end_is_stopped_at_an_operation() {
    let rt = watched(20, threads(2));
    let error = run(&rt, |root| {
        let task = TaskSpec::new(&SLOW, spin, &[], &[]);
        root.submit(CALL, task).map(|_| ())
    });
    is_timeout(
        &error.unwrap_err(),
        &["last operation: `zeros` at model.rs:12"],
    );
}

#[test]
fn code_8_an_element_is_waited_for_longer_than_the_watchdog_lets_it() {
    let rt = watched(400, threads(1));
    let mut x = Array2::<u32>::zeros((4, 4));
    let args = [EntryArg::inout(&mut x).unwrap()];
    let outcome = rt.run(&ENTRY, args, |root, [x]| {
        // Each is quick enough, all together are not.
        use pl_runtime::Scalar;
        let scalars = [20_u64.to_value()];
        for _ in 0..40 {
            let args = [TaskArg::InOut(x)];
            root.submit(CALL, TaskSpec::new(&SLOW, sleep, &args, &scalars))?;
        }
        root.get::<u32>(CALL, x, &[0, 0]).map(|_| ())
    });
    let error = outcome.unwrap_err();
    assert_eq!((error.code(), error.host_code()), (Some(8), Some(507_018)));
    says(
        &error,
        &[
            "orch_error_code=8 TENSOR_WAIT_TIMEOUT: an element was waited for ",
            "may be for 400ms",
            "at model.rs:12, ring 0, scope opened at (root):0",
            "`RunConfig::kernel_watchdog` to ",
        ],
    );
}
