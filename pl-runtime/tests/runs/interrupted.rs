//! Orchestrations that end early, at each of their steps in turn: what was submitted still runs, and
//! the runtime can be used again.

use crate::common::{
    AFFINE, ENTRY, EXECUTORS, NOTHING, Outcome, UNLUCKY, UPDATE, alloc, expected, info, little,
    submit, zero,
};
use ndarray::Array2;
use pl_runtime::{
    EntryArg, Error, Executor, OperationError, RunConfig, Runtime, Scope, ScopeMode, Site, TaskArg,
    Tensor,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    /// The orchestration panics.
    Panic,
    /// It returns an error of its own.
    Return,
    /// It makes a call that is refused, and returns the error.
    Refused,
    /// It makes a call that is refused, and panics.
    RefusedPanic,
}

/// Ends an orchestration at its step number `left`.
struct Steps {
    left: usize,
    how: How,
    /// Updates of the entry's argument so far.
    updates: u32,
}

impl Steps {
    /// What it takes to be interrupted here.
    fn step(&mut self, scope: &Scope<'_>) -> Outcome {
        if self.left > 0 {
            self.left -= 1;
            return Ok(());
        }
        let refused = || scope.alloc_tensors(site!(), &[]).map(|_| ()).unwrap_err();
        match self.how {
            How::Panic => std::panic::resume_unwind(Box::new("stop")),
            How::Return => Err(OperationError::new("mine", site!(), "no").into()),
            How::Refused => Err(refused()),
            How::RefusedPanic => {
                refused();
                std::panic::resume_unwind(Box::new("stop"))
            }
        }
    }

    fn update(&mut self, scope: &Scope<'_>, x: Tensor<'_>) -> Outcome {
        let one = scope.alloc_tensors(site!(), &[info(4, 4).init(zero())])?;
        self.step(scope)?;
        let args = [TaskArg::Input(one.get_ref(0)), TaskArg::InOut(x)];
        submit(scope, site!(), &UPDATE, &args, 1, &[])?;
        self.updates += 1;
        self.step(scope)
    }

    /// The orchestration.
    fn run(&mut self, root: &Scope<'_>, x: Tensor<'_>) -> Outcome {
        self.step(root)?;
        self.update(root, x)?;
        let one = root.enter(ScopeMode::Auto, site!())?;
        self.step(&one)?;
        for _ in 0..3 {
            let two = one.enter(ScopeMode::Auto, site!())?;
            self.step(&two)?;
            self.update(&two, x)?;
        }
        let forgotten = one.enter(ScopeMode::Auto, site!())?;
        let manual = forgotten.enter(ScopeMode::Manual, site!())?;
        self.update(&manual, x)?;
        let y = alloc(&manual, site!(), 4, 4)?;
        let args = [TaskArg::OutputExisting(y)];
        submit(&manual, site!(), &NOTHING, &args, 1, &[])?;
        self.step(&manual)?;
        drop(manual);
        std::mem::forget(forgotten);
        drop(one);
        self.step(root)?;
        root.get::<u32>(site!(), x, &[1, 1])?;
        self.step(root)?;
        self.update(root, x)
    }
}

fn value(updates: u32) -> u32 {
    (0..updates).fold(1_u32, |x, _| x.wrapping_mul(5).wrapping_add(1))
}

fn small(executor: Executor) -> Runtime {
    let config = RunConfig {
        ring_heap: 8192.into(),
        ring_task_window: 8.into(),
        executor,
        ..RunConfig::default()
    };
    Runtime::new(config).unwrap()
}

#[test]
fn an_orchestration_may_end_at_any_step() {
    for executor in EXECUTORS {
        let rt = small(executor);
        for how in [How::Panic, How::Return, How::Refused, How::RefusedPanic] {
            for steps in 0.. {
                let mut x = Array2::<u32>::ones((4, 4));
                let args = [EntryArg::inout(&mut x).unwrap()];
                let mut plan = Steps {
                    left: steps,
                    how,
                    updates: 0,
                };
                let outcome = catch_unwind(AssertUnwindSafe(|| {
                    rt.run(&ENTRY, args, |root, [x]| plan.run(root, x))
                }));
                let place = format!("{executor:?}, {how:?} at step {steps}");
                assert_eq!(x[[3, 3]], value(plan.updates), "{place}");
                assert_eq!(little(&rt, 3), expected(3), "{place}");
                match (how, outcome) {
                    (_, Ok(Ok(report))) => {
                        assert!(steps > 15, "{place}");
                        assert_eq!(report.scopes, 7);
                        break;
                    }
                    (How::Return, Ok(Err(Error::Operation(error)))) => {
                        assert_eq!(error.operation, "mine");
                    }
                    (How::Refused, Ok(Err(error))) => assert_eq!(error.code(), Some(5)),
                    (How::Panic | How::RefusedPanic, Err(payload)) => {
                        assert_eq!(*payload.downcast::<&str>().unwrap(), "stop");
                    }
                    (_, other) => panic!("{place}: {other:?}"),
                }
            }
        }
    }
}

#[test]
fn a_panic_after_a_kernel_has_failed_is_the_orchestrations_own() {
    for executor in EXECUTORS {
        let rt = small(executor);
        for reads in [false, true] {
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                crate::common::run(&rt, |root| {
                    let x = root.alloc_tensors(site!(), &[info(1, 1).init(zero())])?;
                    let args = [TaskArg::InOut(x.get_ref(0))];
                    submit(root, site!(), &UNLUCKY, &args, 1, &[])?;
                    if reads {
                        let refused = root.get::<u32>(site!(), x.get_ref(0), &[0, 0]);
                        assert_eq!(refused.unwrap_err().code(), Some(200));
                    }
                    std::panic::resume_unwind(Box::new("stop"))
                })
            }));
            assert_eq!(*outcome.unwrap_err().downcast::<&str>().unwrap(), "stop");
            assert_eq!(little(&rt, 3), expected(3));
        }
    }
}

#[test]
fn a_runtime_may_be_dropped_after_a_run_that_was_interrupted() {
    for executor in EXECUTORS {
        for _ in 0..20 {
            let rt = small(executor);
            let mut x = Array2::<u32>::ones((4, 4));
            let args = [EntryArg::inout(&mut x).unwrap()];
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                rt.run(&ENTRY, args, |root, [x]| {
                    let scope = root.enter(ScopeMode::Auto, Site::ROOT)?;
                    let y = alloc(&scope, site!(), 4, 4)?;
                    for (from, to) in [(x, y), (y, x)] {
                        let args = [TaskArg::Input(from), TaskArg::OutputExisting(to)];
                        submit(&scope, site!(), &AFFINE, &args, 1, &[])?;
                    }
                    std::mem::forget(scope.enter(ScopeMode::Manual, site!())?);
                    std::panic::resume_unwind(Box::new("stop"))
                })
            }));
            drop(rt);
            assert!(outcome.is_err());
            assert_eq!(x[[0, 0]], 13);
        }
    }
}
