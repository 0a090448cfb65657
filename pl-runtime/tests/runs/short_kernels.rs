//! Kernels so short that the caller runs them itself: order and failures are those of all others.

use crate::common::{ENTRY, runtime, threads};
use ndarray::Array1;
use pl_runtime::{
    EntryArg, Error, KernelInfo, OperationError, Runtime, Scalar, ScopeMode, Scratch, Site,
    TaskArg, TaskArgs, TaskSpec,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const SITE: Site = Site::new("short_kernels.rs", 1);
/// More than enough for the runtime to learn that they are short.
const TASKS: u64 = 20_000;

static STEP: KernelInfo = KernelInfo {
    name: "step",
    file: "short_kernels.rs",
    line: 1,
    params: &[],
};
/// What the tasks compute; not atomic as a whole, so only their order keeps it right.
static VALUE: AtomicU64 = AtomicU64::new(0);
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn next(value: u64, i: u64) -> u64 {
    value
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(i)
}

/// Scalar 1 is the number of the task that panics.
#[allow(clippy::unnecessary_wraps, reason = "a kernel")]
fn step(_: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let i = args.scalar::<u64>(0);
    assert_ne!(i, args.scalar::<u64>(1), "unlucky");
    VALUE.store(next(VALUE.load(Relaxed), i), Relaxed);
    Ok(())
}

fn chain(runtime: &Runtime, unlucky: u64) -> Result<(), Error> {
    let mut x = Array1::<f32>::zeros(1);
    VALUE.store(1, Relaxed);
    let run = runtime.run(&ENTRY, [EntryArg::inout(&mut x)?], |root, [x]| {
        let args = [TaskArg::InOut(x)];
        for batch in 0..TASKS / 10 {
            let scope = root.enter(ScopeMode::Auto, SITE)?;
            for i in batch * 10..batch * 10 + 10 {
                let scalars = [i.to_value(), unlucky.to_value()];
                scope.submit(SITE, TaskSpec::new(&STEP, step, &args, &scalars))?;
            }
        }
        Ok(())
    });
    run.map(|_| ())
}

#[test]
fn short_kernels_run_in_the_order_of_their_dependencies() {
    let _turn = ONE_AT_A_TIME
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let expected = (0..TASKS).fold(1, next);
    for count in [1, 2, 4] {
        for window in [16, 16384] {
            let runtime = runtime(1 << 20, window, threads(count));
            chain(&runtime, u64::MAX).unwrap();
            assert_eq!(
                VALUE.load(Relaxed),
                expected,
                "{count} threads, window {window}"
            );
        }
    }
}

#[test]
fn a_short_kernel_that_panics_fails_the_run_and_the_next_run_works() {
    let _turn = ONE_AT_A_TIME
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    for count in [1, 2] {
        let runtime = runtime(1 << 20, 64, threads(count));
        let error = chain(&runtime, TASKS / 2).unwrap_err();
        assert_eq!(error.code(), Some(200), "{error}");
        chain(&runtime, u64::MAX).unwrap();
    }
}
