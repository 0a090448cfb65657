//! Kernels that panic or return an error.

use crate::common::{
    ENTRY, EXECUTORS, NOTHING, REFUSES, UNLUCKY, UPDATE, alloc, info, nothings, run, runtime, says,
    serial, submit, submit_fill, zero,
};
use ndarray::Array2;
use pl_runtime::error::Cause;
use pl_runtime::{EntryArg, Error, OperationError, Scratch, TaskArg, TaskArgs, TaskSpec};
use std::panic;

#[test]
fn a_panic_in_a_kernel_is_code_200_and_names_kernel_place_and_operation() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        let mut after = Array2::<u32>::zeros((4, 4));
        let error = rt
            .run(
                &ENTRY,
                [EntryArg::output(&mut after).unwrap()],
                |root, [after]| {
                    let x = alloc(root, site!(), 4, 4)?;
                    submit_fill(root, site!(), x, 12)?;
                    submit_fill(root, site!(), after, 1)?;
                    submit(root, site!(), &UNLUCKY, &[TaskArg::Input(x)], 4, &[])?;
                    Ok(())
                },
            )
            .unwrap_err();
        assert_eq!(
            (error.code(), error.host_code()),
            (Some(200), Some(507_018))
        );
        says(
            &error,
            &[
                "orch_error_code=200 KERNEL_FAILED",
                "`unlucky` panicked at",
                "common.rs:",
                "unlucky 12",
                "last operation: `load` at kernels.rs:5",
                "ring 0",
                "help:",
            ],
        );
        assert_eq!(
            after,
            Array2::<u32>::ones((4, 4)),
            "tasks submitted before still run"
        );
        run(&rt, |root| nothings(root, 5)).unwrap();
    }
}

#[test]
fn an_error_in_a_kernel_is_code_200_and_names_the_operation() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        let error = run(&rt, |root| {
            let x = alloc(root, site!(), 4, 4)?;
            submit(root, site!(), &REFUSES, &[TaskArg::Input(x)], 0, &[]).map(|_| ())
        })
        .unwrap_err();
        says(
            &error,
            &[
                "`refuses` failed in `store` at kernels.rs:51",
                "input of this task",
            ],
        );
    }
}

#[test]
fn the_failure_that_comes_first_in_program_order_is_reported() {
    for executor in EXECUTORS {
        for _ in 0..20 {
            let rt = runtime(1 << 20, 64, executor);
            let error = run(&rt, |root| {
                let x = alloc(root, site!(), 4, 4)?;
                submit_fill(root, site!(), x, 12)?;
                submit(
                    root,
                    site!(),
                    &UPDATE,
                    &[TaskArg::Input(x), TaskArg::InOut(x)],
                    0,
                    &[],
                )?;
                for k in [5, 6, 8] {
                    submit(root, site!(), &UNLUCKY, &[TaskArg::Input(x)], k, &[])?;
                }
                Ok(())
            })
            .unwrap_err();
            let Error::KernelFailed(failure) = error else {
                panic!("{error}")
            };
            assert_eq!(
                failure.sequence, 4,
                "72 is a multiple of 6 and of 8, not of 5"
            );
        }
    }
}

#[test]
fn a_failed_kernel_comes_before_a_later_error_of_the_orchestration() {
    for executor in EXECUTORS {
        let rt = runtime(4096, 64, executor);
        let error = run(&rt, |root| {
            let x = root
                .alloc_tensors(site!(), &[info(4, 4).init(zero())])?
                .get_ref(0);
            submit(root, site!(), &UNLUCKY, &[TaskArg::Input(x)], 4, &[])?;
            alloc(root, site!(), 100, 100).map(|_| ())
        })
        .unwrap_err();
        assert_eq!(error.code(), Some(200), "{error}");
    }
}

#[test]
fn reading_what_a_failed_task_should_have_written_is_an_error() {
    for executor in EXECUTORS {
        let rt = runtime(4096, 64, executor);
        let mut seen = None;
        let error = run(&rt, |root| {
            let x = root
                .alloc_tensors(site!(), &[info(4, 4).init(zero())])?
                .get_ref(0);
            let args = [TaskArg::Input(x), TaskArg::InOut(x)];
            submit(root, site!(), &UNLUCKY, &args, 4, &[])?;
            seen = Some(root.get::<u32>(site!(), x, &[0, 0])?);
            Ok(())
        })
        .unwrap_err();
        assert_eq!((error.code(), seen), (Some(200), None));
    }
}

#[test]
fn the_cause_of_a_failure_is_data() {
    let rt = runtime(1 << 20, 64, serial());
    let error = run(&rt, |root| {
        let x = root
            .alloc_tensors(site!(), &[info(1, 1).init(zero())])?
            .get_ref(0);
        submit(root, site!(), &UNLUCKY, &[TaskArg::Input(x)], 4, &[]).map(|_| ())
    })
    .unwrap_err();
    let Error::KernelFailed(failure) = error else {
        panic!("{error}")
    };
    assert_eq!(
        (failure.kernel, failure.sequence, failure.ring),
        ("unlucky", 1, 0)
    );
    let Cause::Panic {
        message, operation, ..
    } = failure.cause
    else {
        panic!()
    };
    assert_eq!(message, "unlucky 0");
    assert_eq!(operation.unwrap().0, "load");
}

#[test]
fn a_panic_that_the_kernel_has_caught_is_not_the_one_that_is_reported() {
    fn resumes(_: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
        drop(panic::catch_unwind(|| panic!("caught")));
        panic::resume_unwind(Box::new("resumed"))
    }
    for executor in EXECUTORS {
        let error = run(&runtime(1 << 20, 64, executor), |root| {
            root.submit(site!(), TaskSpec::new(&NOTHING, resumes, &[], &[]))
                .map(|_| ())
        })
        .unwrap_err();
        says(&error, &["`nothing` panicked: resumed"]);
    }
}
