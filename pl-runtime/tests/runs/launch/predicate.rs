//! Tasks whose kernel runs only if an element compares with a number.

use super::{K, fails_in_2, refused, spec};
use crate::common::{
    ENTRY, EXECUTORS, FILL, NOTHING, UPDATE, alloc, fill, info, kernel, nothing, random, run,
    runtime, says, serial, submit, submit_fill, update, zero,
};
use ndarray::{Array1, Array2};
use pl_runtime::{
    DType, Element, EntryArg, Executor, KernelInfo, MixedKernels, OperationError, PredicateOp,
    Scalar, ScopeMode, Scratch, SliceItem, TaskArg, TaskArgs, TaskSpec, TensorCreateInfo,
};

static CUBE: KernelInfo = kernel("cube", 110, &[]);

/// Whether a kernel runs whose predicate reads an element of type `dtype` with the value `element`.
fn runs<T: Element>(executor: Executor, element: T, op: PredicateOp, target: i64) -> bool {
    let rt = runtime(1 << 20, 64, executor);
    let mut ran = false;
    run(&rt, |root| {
        let info = TensorCreateInfo::new(T::DTYPE, &[3]).init(element.to_value());
        let flag = root.alloc_tensors(site!(), &[info])?.get_ref(0);
        let x = alloc(root, site!(), 4, 4)?;
        submit_fill(root, site!(), x, 5)?;
        let (args, scalars) = ([TaskArg::OutputExisting(x)], [7_u32.to_value()]);
        let task = TaskSpec::new(&FILL, fill, &args, &scalars);
        root.submit(site!(), task.predicate(&flag, &[2], op, target))?;
        ran = root.get::<u32>(site!(), x, &[0, 0])? == 7;
        Ok(())
    })
    .unwrap();
    ran
}

#[test]
fn each_operation_compares_the_element_with_the_target() {
    use PredicateOp::{Eq, Ge, Gt, Le, Lt, Ne};
    for executor in EXECUTORS {
        for (op, [less, same, greater]) in [
            (Eq, [false, true, false]),
            (Ne, [true, false, true]),
            (Gt, [false, false, true]),
            (Lt, [true, false, false]),
            (Ge, [false, true, true]),
            (Le, [true, true, false]),
        ] {
            assert_eq!(runs(executor, 4_i32, op, 5), less, "4 {op:?} 5");
            assert_eq!(runs(executor, 5_i32, op, 5), same, "5 {op:?} 5");
            assert_eq!(runs(executor, 6_i32, op, 5), greater, "6 {op:?} 5");
        }
    }
}

#[test]
fn signed_elements_are_sign_extended_and_unsigned_ones_are_not() {
    use PredicateOp::{Eq, Gt, Lt};
    let executor = serial();
    assert!(runs(executor, -1_i8, Eq, -1));
    assert!(runs(executor, -2_i16, Eq, -2));
    assert!(runs(executor, -3_i32, Lt, -2));
    assert!(runs(executor, i64::MIN, Eq, i64::MIN));
    assert!(runs(executor, u8::MAX, Eq, 255));
    assert!(runs(executor, u16::MAX, Eq, 65_535));
    assert!(runs(executor, u32::MAX, Gt, i64::from(i32::MAX)));
    assert!(
        runs(executor, u64::MAX, Gt, i64::MAX),
        "the target has fewer bits"
    );
    assert!(!runs(executor, u64::MAX, Eq, -1));
    assert!(runs(executor, true, Eq, 1) && runs(executor, false, Eq, 0));
}

#[test]
fn the_element_is_read_after_its_writers_and_before_later_ones() {
    for seed in 0..24 {
        for executor in [random(seed), EXECUTORS[0], EXECUTORS[4], EXECUTORS[5]] {
            let rt = runtime(1 << 20, 64, executor);
            let mut out = Array2::<u32>::zeros((8, 1));
            let args = [EntryArg::inout(&mut out).unwrap()];
            rt.run(&ENTRY, args, |root, [out]| {
                let flag = alloc(root, site!(), 2, 2)?;
                for i in 0..8 {
                    let set = [TaskArg::OutputExisting(flag)];
                    submit(root, site!(), &FILL, &set, i % 2, &[])?;
                    let at = i as usize;
                    let row =
                        out.slice(&[SliceItem::Range(at, at + 1), SliceItem::Full], site!())?;
                    let (args, scalars) = ([TaskArg::OutputExisting(row)], [7_u32.to_value()]);
                    let task = TaskSpec::new(&FILL, fill, &args, &scalars);
                    let task = task.predicate(&flag, &[1, 1], PredicateOp::Eq, 1);
                    root.submit(site!(), task)?;
                }
                submit_fill(root, site!(), flag, 1).map(|_| ())
            })
            .unwrap();
            assert_eq!(out.into_raw_vec_and_offset().0, [0, 7, 0, 7, 0, 7, 0, 7]);
        }
    }
}

#[test]
fn what_a_predicate_reads_is_kept_until_it_has_been_read() {
    for executor in (0..24).map(random).chain(EXECUTORS) {
        let rt = runtime(1 << 10, 8, executor);
        let mut x = Array2::<u32>::zeros((4, 4));
        rt.run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
            let (args, scalars) = ([TaskArg::Input(x), TaskArg::InOut(x)], [1_u32.to_value()]);
            for _ in 0..4 {
                let scope = root.enter(ScopeMode::Auto, site!())?;
                let flag = scope.alloc_tensors(site!(), &[info(1, 4).init(1_u32.to_value())])?;
                let task = TaskSpec::new(&UPDATE, update, &args, &scalars);
                let flag = flag.get_ref(0);
                scope.submit(site!(), task.predicate(&flag, &[0, 3], PredicateOp::Ne, 0))?;
                drop(scope);
                let scope = root.enter(ScopeMode::Auto, site!())?;
                scope.alloc_tensors(site!(), &[info(1, 4).init(zero())])?;
            }
            Ok(())
        })
        .unwrap();
        assert_eq!(x[[0, 0]], 1 + 6 + 36 + 216);
    }
}

#[test]
fn a_task_that_is_skipped_owns_its_outputs_and_ends_as_any_task() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        let report = run(&rt, |root| {
            let flag = alloc(root, site!(), 1, 1)?;
            submit_fill(root, site!(), flag, 0)?;
            let args = [TaskArg::Output(info(4, 4).init(9_u32.to_value()))];
            let task = spec(fails_in_2, &args).blocks(4);
            let task = task.predicate(&flag, &[0, 0], PredicateOp::Ne, 0);
            let outputs = root.submit(site!(), task)?;
            let o = outputs.get_ref(0);
            assert_eq!(root.get::<u32>(site!(), o, &[3, 3])?, 9);
            let update = [TaskArg::Input(o), TaskArg::InOut(o)];
            submit(root, site!(), &UPDATE, &update, 0, &[outputs.task_id()])?;
            assert_eq!(root.get::<u32>(site!(), o, &[3, 3])?, 54);
            Ok(())
        });
        assert_eq!(report.unwrap().kernel_tasks[0], 3);
    }
}

#[test]
fn no_block_and_no_kernel_of_a_skipped_task_runs() {
    let kernels = MixedKernels::NONE
        .aic(&CUBE, fails_in_2)
        .aiv0(&CUBE, fails_in_2);
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        let flag = Array1::<i64>::from_elem(1, -5);
        rt.run(&ENTRY, [EntryArg::input(&flag).unwrap()], |root, [flag]| {
            let task = TaskSpec::mixed(&kernels, &[], &[]).blocks(8);
            root.submit(site!(), task.predicate(&flag, &[0], PredicateOp::Gt, -5))
                .map(|_| ())
        })
        .unwrap();
    }
}

#[test]
fn the_operand_is_no_argument_of_the_kernel_and_does_not_count_among_32() {
    #[allow(clippy::unnecessary_wraps, reason = "a kernel")]
    fn counts(_: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
        assert!(args.partition(32, 0, K).is_err() && args.partition(31, 0, K).is_ok());
        Ok(())
    }
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        for (count, refused) in [(32, false), (33, true)] {
            let outcome = run(&rt, |root| {
                let flag = alloc(root, site!(), 1, 1)?;
                submit_fill(root, site!(), flag, 1)?;
                let args = vec![TaskArg::Output(info(1, 1)); count];
                let task = spec(counts, &args);
                root.submit(site!(), task.predicate(&flag, &[0, 0], PredicateOp::Eq, 1))
                    .map(|_| ())
            });
            let code = outcome.err().and_then(|error| error.code());
            assert_eq!(code, refused.then_some(5), "{count} tensors");
        }
    }
}

#[test]
fn an_index_that_is_not_inside_the_operand_is_code_5() {
    for executor in EXECUTORS {
        for index in [&[8, 0][..], &[0, 8], &[0], &[0, 0, 0], &[]] {
            let error = refused(executor, |root, x| {
                let task = spec(nothing, &[]).predicate(&x, index, PredicateOp::Eq, 0);
                root.submit(site!(), task).map(|_| ())
            });
            assert_eq!(error.code(), Some(5));
            let at = format!("`predicate` at index {index:?} of [8, 8] u32");
            says(
                &error,
                &[&at, "predicate.rs:", "one index for each dimension"],
            );
        }
    }
}

#[test]
fn an_operand_of_floats_is_code_5() {
    for dtype in [DType::F32, DType::F16, DType::Bf16] {
        let error = refused(serial(), |root, _| {
            let f = root
                .alloc_tensors(site!(), &[TensorCreateInfo::new(dtype, &[4])])?
                .get_ref(0);
            let task = spec(nothing, &[]).predicate(&f, &[0], PredicateOp::Eq, 0);
            root.submit(site!(), task).map(|_| ())
        });
        assert_eq!(error.code(), Some(5));
        says(
            &error,
            &[
                "the predicate of task `block` reads [4]",
                "integers or `bool`",
            ],
        );
    }
}

#[test]
fn the_operand_is_audited_in_a_manual_scope() {
    for executor in EXECUTORS {
        for declared in [false, true] {
            let rt = runtime(1 << 20, 64, executor);
            let outcome = run(&rt, |root| {
                let scope = root.enter(ScopeMode::Manual, site!())?;
                let x = alloc(&scope, site!(), 4, 8)?;
                let fill = [TaskArg::OutputExisting(x)];
                let first = [submit(&scope, site!(), &FILL, &fill, 1, &[])?.task_id()];
                let task = spec(nothing, &[]).predicate(&x, &[1, 2], PredicateOp::Eq, 1);
                let task = task.deps_wait(if declared { &first } else { &[] });
                let reader = [scope.submit(site!(), task)?.task_id()];
                submit(&scope, site!(), &FILL, &fill, 0, &reader).map(|_| ())
            });
            if declared {
                outcome.unwrap();
                continue;
            }
            let error = outcome.unwrap_err();
            assert_eq!(error.code(), Some(201));
            let text = "task `block` reads bytes 40..44 of the operand of its predicate, which task \
                        `fill` writes";
            says(&error, &[text]);
        }
    }
}

#[test]
fn a_later_writer_of_the_operand_is_audited_too() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        let error = run(&rt, |root| {
            let scope = root.enter(ScopeMode::Manual, site!())?;
            let x = alloc(&scope, site!(), 4, 8)?;
            let task = spec(nothing, &[]).predicate(&x, &[0, 0], PredicateOp::Eq, 1);
            scope.submit(site!(), task)?;
            submit_fill(&scope, site!(), x, 0).map(|_| ())
        });
        let text = "task `fill` writes bytes 0..4 of `o`, which task `block` reads";
        says(&error.unwrap_err(), &[text]);
    }
}

#[test]
fn a_dummy_ignores_its_predicate() {
    let rt = runtime(1 << 20, 64, serial());
    run(&rt, |root| {
        let x = alloc(root, site!(), 1, 1)?;
        let dummy = TaskSpec::dummy(&[]).predicate(&x, &[9, 9, 9], PredicateOp::Eq, 0);
        root.submit(site!(), dummy)?;
        submit(root, site!(), &NOTHING, &[], 0, &[]).map(|_| ())
    })
    .unwrap();
}
