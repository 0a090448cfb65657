//! Calls that are not allowed, kernels that fail, orchestrations that give up: codes 5, 9, 200, 201.

use super::{Body, CALL, OLDEST, SCOPE, at_depth, config, fails, nothing};
use crate::common::{
    AFFINE, ENTRY, FILL, NOTHING, Outcome, UNLUCKY, info, run, says, submit, zero,
};
use ndarray::Array2;
use pl_runtime::{
    DType, EntryArg, RunConfig, Runtime, Scope, ScopeMode, TaskArg, TaskSpec, TensorCreateInfo,
};

fn deeper(scope: &Scope<'_>) -> Outcome {
    deeper(&scope.enter(ScopeMode::Auto, CALL)?)
}

#[test]
fn code_5_every_call_with_arguments_that_are_not_allowed() {
    let refused = |what: &str, body: Body<'_>| {
        let error = fails(&config(), 5, "INVALID_ARGS", &|root| {
            at_depth(root, 1, body)
        });
        says(&error, &[what, "at model.rs:12, ring "]);
    };
    let alloc = |scope: &Scope<'_>, infos: &[TensorCreateInfo]| {
        scope.alloc_tensors(CALL, infos).map(|_| ())
    };
    refused("`alloc_tensors` of 0 tensors", &|scope| alloc(scope, &[]));
    refused("`alloc_tensors` of 33 tensors", &|scope| {
        alloc(scope, &[info(1, 1); 33])
    });
    for rank in [0, 6] {
        refused(&format!("rank {rank}"), &|scope| {
            alloc(scope, &[TensorCreateInfo::new(DType::F32, &vec![1; rank])])
        });
        refused(&format!("rank {rank}"), &|scope| {
            let new = TensorCreateInfo::new(DType::F32, &vec![1; rank]);
            submit(scope, CALL, &NOTHING, &[TaskArg::Output(new)], 0, &[]).map(|_| ())
        });
    }
    let huge = TensorCreateInfo::new(DType::U8, &[1 << 62]);
    refused("larger than the address space", &|scope| {
        alloc(scope, &[huge; 8])
    });
    refused("task `nothing` has 33 tensors", &|scope| {
        let args = [TaskArg::Output(info(1, 1)); 33];
        submit(scope, CALL, &NOTHING, &args, 0, &[]).map(|_| ())
    });
    refused("task `nothing` has 17 scalars", &|scope| {
        let scalars = [zero(); 17];
        let task = TaskSpec::new(&NOTHING, crate::common::nothing, &[], &scalars);
        scope.submit(CALL, task).map(|_| ())
    });
    refused("an AUTO scope is opened inside the MANUAL one", &|scope| {
        let manual = scope.enter(ScopeMode::Manual, SCOPE)?;
        manual.enter(ScopeMode::Auto, CALL).map(|_| ())
    });
    refused("64 scopes are open already", &|scope| deeper(scope));
    refused("an outer scope is used", &|scope| {
        let inner = scope.enter(ScopeMode::Auto, SCOPE)?;
        let outcome = nothing(scope, CALL);
        drop(inner);
        outcome
    });
    let element = |scope: &Scope<'_>, index: &[usize]| {
        let x = scope.alloc_tensors(CALL, &[info(2, 3).init(zero())])?;
        scope.get::<u32>(CALL, x.get_ref(0), index).map(|_| ())
    };
    refused("`get` at index [2, 0]", &|scope| element(scope, &[2, 0]));
    refused("`get` at index [0]", &|scope| element(scope, &[0]));
    refused("`set::<f32>` on [2, 3] u32", &|scope| {
        let x = scope.alloc_tensors(CALL, &[info(2, 3).init(zero())])?;
        scope.set(CALL, x.get_ref(0), &[0, 0], 1.0_f32)
    });
}

#[test]
fn code_5_an_input_of_the_entry_is_written() {
    let x = Array2::<u32>::zeros((4, 4));
    let rt = Runtime::new(config()).unwrap();
    for how in 0..4 {
        let args = [EntryArg::input(&x).unwrap()];
        let error = rt.run(&ENTRY, args, |root, [x]| {
            let arg = match how {
                0 => TaskArg::InOut(x),
                1 => TaskArg::OutputExisting(x),
                2 => TaskArg::NoDep(x),
                _ => return root.set(CALL, x, &[0, 0], 1_u32),
            };
            submit(root, CALL, &FILL, &[arg], 0, &[]).map(|_| ())
        });
        let error = error.unwrap_err();
        assert_eq!(error.code(), Some(5));
        says(
            &error,
            &["input of the entry", "model.rs:12", "as an output"],
        );
    }
}

#[test]
fn code_9_the_orchestration_gives_up() {
    for code in [9, 0] {
        let body: Body<'_> = &|root| {
            at_depth(root, 1, &|scope| {
                Err(scope.report_fatal(CALL, code, "no page left"))
            })
        };
        let error = fails(&config(), 9, "EXPLICIT_ORCH_FATAL", body);
        says(
            &error,
            &[
                "no page left",
                "at model.rs:12, ring 1, scope opened at model.rs:10",
            ],
        );
    }
}

#[test]
fn a_code_of_the_programs_own_is_a_failure_on_the_device_whatever_it_is() {
    for code in [1, 17, 507_018, 207_001] {
        let body: Body<'_> = &|root| Err(root.report_fatal(CALL, code, "mine"));
        fails(&config(), code, "EXPLICIT_ORCH_FATAL", body);
    }
}

#[test]
fn code_200_a_kernel_panics_or_fails() {
    let body: Body<'_> = &|root| {
        at_depth(root, 1, &|scope| {
            let x = scope.alloc_tensors(OLDEST, &[info(1, 1).init(zero())])?;
            submit(
                scope,
                CALL,
                &UNLUCKY,
                &[TaskArg::Input(x.get_ref(0))],
                4,
                &[],
            )
            .map(|_| ())
        })
    };
    let error = fails(&config(), 200, "KERNEL_FAILED", body);
    says(
        &error,
        &[
            "`unlucky` panicked at",
            "unlucky 0",
            "submitted at model.rs:12 on ring 1",
        ],
    );
    let small = RunConfig {
        scratch_bytes: 1024,
        ..config()
    };
    let rt = Runtime::new(small).unwrap();
    let error = run(&rt, |root| {
        let args = [TaskArg::Output(info(32, 32))];
        submit(root, CALL, &FILL, &args, 4, &[]).map(|_| ())
    });
    let error = error.unwrap_err();
    assert_eq!(error.code(), Some(200));
    says(
        &error,
        &["`fill` failed in `full`", "4096", "1024", "model.rs:12"],
    );
}

#[test]
fn code_201_nothing_orders_two_tasks_of_a_manual_scope() {
    let body = |declared: bool| {
        move |root: &Scope<'_>| {
            let scope = root.enter(ScopeMode::Manual, SCOPE)?;
            let x = scope.alloc_tensors(OLDEST, &[info(4, 4)])?.get_ref(0);
            let args = [TaskArg::OutputExisting(x)];
            let fill = submit(&scope, OLDEST, &FILL, &args, 1, &[])?.task_id();
            let deps = [fill];
            let deps = if declared { &deps[..] } else { &[] };
            let args = [TaskArg::Input(x), TaskArg::Output(info(4, 4))];
            submit(&scope, CALL, &AFFINE, &args, 1, deps).map(|_| ())
        }
    };
    let error = fails(&config(), 201, "MISSING_DEPENDENCY", &body(false));
    says(
        &error,
        &[
            "task `affine` reads bytes 0..64 of `a`, which task `fill` writes",
            "`fill` submitted at model.rs:11",
            "`affine` submitted at model.rs:12",
            "ring 1, MANUAL scope opened at model.rs:10",
            "`let first = submit!(fill(..));` and `submit!(affine(..), deps = [first]);`",
            "by hand: `TaskSpec::deps`",
        ],
    );
    run(&Runtime::new(config()).unwrap(), body(true)).unwrap();
}
