//! Declared dependencies, and tasks that run nothing.

use crate::common::{
    AFFINE, EXECUTORS, FILL, alloc, info, kernel, random, run, runtime, submit, submit_fill, zero,
};
use pl_runtime::{
    CoreType, Executor, KernelInfo, OperationError, ScopeMode, Scratch, TaskArg, TaskArgs, TaskSpec,
};
use std::sync::atomic::{AtomicU32, Ordering};

static COUNTS: KernelInfo = kernel("counts", 80, &[]);

/// Number of [`counts`] tasks that have run, of the tests that run one at a time.
static COUNTED: AtomicU32 = AtomicU32::new(0);

#[allow(clippy::unnecessary_wraps, reason = "a kernel")]
fn counts(_: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
    COUNTED.fetch_add(1, Ordering::SeqCst);
    Ok(())
}

/// Whether a task that depends on the owner of a block has run when the block is used again.
fn consumer_has_run(executor: Executor, retain: bool, wait: bool) -> bool {
    let rt = runtime(1 << 12, 8, executor);
    let mut has_run = false;
    run(&rt, |root| {
        {
            let scope = root.enter(ScopeMode::Auto, site!())?;
            let args = [TaskArg::Output(info(16, 48))];
            let owner = submit(&scope, site!(), &FILL, &args, 1, &[])?.task_id();
            let (retained, waited) = ([owner; 1], [owner; 1]);
            let mut task = TaskSpec::new(&COUNTS, counts, &[], &[]);
            if retain {
                task = task.deps(&retained);
            }
            if wait {
                task = task.deps_wait(&waited);
            }
            let before = COUNTED.load(Ordering::SeqCst);
            scope.submit(site!(), task)?;
            drop(scope);
            let scope = root.enter(ScopeMode::Auto, site!())?;
            alloc(&scope, site!(), 16, 48)?;
            has_run = COUNTED.load(Ordering::SeqCst) > before;
        }
        Ok(())
    })
    .unwrap();
    has_run
}

#[test]
fn deps_keeps_what_a_producer_owns_and_deps_wait_does_not() {
    let seeds = || (0..32).map(random);
    assert!(seeds().all(|executor| consumer_has_run(executor, true, false)));
    assert!(
        seeds().all(|executor| consumer_has_run(executor, true, true)),
        "named in both: the stronger"
    );
    assert!(seeds().any(|executor| !consumer_has_run(executor, false, true)));
}

#[test]
fn deps_wait_orders_and_satisfies_the_audit() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        run(&rt, |root| {
            let scope = root.enter(ScopeMode::Manual, site!())?;
            let x = alloc(&scope, site!(), 4, 4)?;
            let fill = [TaskArg::OutputExisting(x)];
            let first = submit(&scope, site!(), &FILL, &fill, 7, &[])?.task_id();
            let (deps, args) = ([first], [TaskArg::Input(x), TaskArg::InOut(x)]);
            let scalars = [zero()];
            let task = TaskSpec::new(&AFFINE, crate::common::affine, &args, &scalars);
            scope.submit(site!(), task.deps_wait(&deps))?;
            assert_eq!(scope.get::<u32>(site!(), x, &[3, 3])?, 21);
            Ok(())
        })
        .unwrap();
    }
}

#[test]
fn a_dummy_ignores_scalars_and_what_a_launch_is_about() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        run(&rt, |root| {
            let x = alloc(root, site!(), 4, 4)?;
            submit_fill(root, site!(), x, 5)?;
            let (args, scalars) = ([TaskArg::InOut(x), TaskArg::Output(info(4, 4))], [zero()]);
            let dummy = TaskSpec::dummy(&args).scalars(&scalars);
            let outputs = root.submit(site!(), dummy.blocks(0).core_type(CoreType::Mix))?;
            let fill = [TaskArg::OutputExisting(outputs.get_ref(0))];
            submit(root, site!(), &FILL, &fill, 6, &[])?;
            assert_eq!(root.get::<u32>(site!(), outputs.get_ref(0), &[3, 3])?, 6);
            assert_eq!(root.get::<u32>(site!(), x, &[3, 3])?, 5);
            Ok(())
        })
        .unwrap();
        let many = [zero(); 17];
        let error = run(&rt, |root| {
            root.submit(site!(), TaskSpec::dummy(&[]).scalars(&many))
                .map(|_| ())
        });
        assert_eq!(
            error.unwrap_err().code(),
            Some(5),
            "too many arguments are no dummy's right"
        );
    }
}
