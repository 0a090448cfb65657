//! MANUAL scopes: declared dependencies, and their audit.

use crate::common::{
    AFFINE, EXECUTORS, NOTHING, UNLUCKY, UPDATE, alloc, info, run, runtime, says, serial, submit,
    submit_fill,
};
use pl_runtime::{ScopeMode, SliceItem, TaskArg, TaskId};

#[test]
fn an_undeclared_hazard_in_a_manual_scope_is_code_201_on_every_executor() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        let error = run(&rt, |root| {
            let scope = root.enter(ScopeMode::Manual, site!())?;
            let x = alloc(&scope, site!(), 4, 8)?;
            let left = x.slice(&[SliceItem::Full, SliceItem::Range(0, 4)], site!())?;
            submit_fill(&scope, site!(), left, 1)?;
            let args = [TaskArg::Input(x), TaskArg::Output(info(4, 8))];
            submit(&scope, site!(), &AFFINE, &args, 1, &[]).map(|_| ())
        })
        .unwrap_err();
        assert_eq!(
            (error.code(), error.host_code()),
            (Some(201), Some(507_018))
        );
        says(
            &error,
            &[
                "MISSING_DEPENDENCY",
                "task `affine` reads bytes 0..112 of `a`, which task `fill` writes",
                "manual.rs:",
                "MANUAL scope opened at",
                "help:",
            ],
        );
    }
}

#[test]
fn declared_paths_and_waits_satisfy_the_audit() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        run(&rt, |root| {
            let x = alloc(root, site!(), 4, 4)?;
            submit_fill(root, site!(), x, 1)?;
            let scope = root.enter(ScopeMode::Manual, site!())?;
            // Ordered after the task outside by itself.
            let args = [TaskArg::Input(x), TaskArg::InOut(x)];
            let first = submit(&scope, site!(), &UPDATE, &args, 0, &[TaskId::NONE])?.task_id();
            let between = submit(&scope, site!(), &NOTHING, &[], 0, &[first])?.task_id();
            let second = submit(&scope, site!(), &UPDATE, &args, 0, &[between])?.task_id();
            assert!(second.is_valid());
            assert_eq!(scope.get::<u32>(site!(), x, &[3, 3])?, 36);
            submit(&scope, site!(), &UPDATE, &args, 0, &[])?;
            drop(scope);
            assert_eq!(root.get::<u32>(site!(), x, &[0, 0])?, 216);
            Ok(())
        })
        .unwrap();
    }
}

#[test]
fn a_task_that_happens_to_have_ended_does_not_silence_the_audit() {
    let rt = runtime(1 << 20, 64, serial());
    let error = run(&rt, |root| {
        let scope = root.enter(ScopeMode::Manual, site!())?;
        let x = alloc(&scope, site!(), 4, 4)?;
        submit_fill(&scope, site!(), x, 1)?;
        {
            let inner = scope.enter(ScopeMode::Manual, site!())?;
            submit(
                &inner,
                site!(),
                &UPDATE,
                &[TaskArg::Input(x), TaskArg::NoDep(x)],
                1,
                &[],
            )?;
        }
        submit(&scope, site!(), &UNLUCKY, &[TaskArg::Input(x)], 100, &[]).map(|_| ())
    });
    // The inner task covers the first write, and it is outside once its scope has closed.
    error.unwrap();
    let error = run(&rt, |root| {
        let scope = root.enter(ScopeMode::Manual, site!())?;
        let x = alloc(&scope, site!(), 4, 4)?;
        let top = x.slice(&[SliceItem::Range(0, 2), SliceItem::Full], site!())?;
        submit_fill(&scope, site!(), x, 1)?;
        {
            let inner = scope.enter(ScopeMode::Manual, site!())?;
            submit_fill(&inner, site!(), top, 1)?;
        }
        submit(&scope, site!(), &UNLUCKY, &[TaskArg::Input(x)], 100, &[]).map(|_| ())
    })
    .unwrap_err();
    assert_eq!(error.code(), Some(201));
}
