//! Views, tasks without a kernel, and runs that the orchestration itself ends.

use crate::common::{
    ENTRY, EXECUTORS, FILL, UPDATE, alloc, nothings, run, runtime, says, serial, submit,
    submit_fill,
};
use ndarray::{Array2, Array3, s};
use pl_runtime::{EntryArg, SliceItem, TaskArg, TaskSpec};

#[test]
fn a_reported_fatal_ends_the_run_with_its_code_and_text() {
    for (code, expected) in [(9, 9), (0, 9), (17, 17)] {
        let rt = runtime(1 << 20, 64, serial());
        let error = run(&rt, |root| {
            nothings(root, 1)?;
            let error = root.report_fatal(site!(), code, "the block table is damaged");
            assert!(nothings(root, 1).is_err(), "nothing goes on");
            Err(error)
        })
        .unwrap_err();
        assert_eq!(
            (error.code(), error.host_code()),
            (Some(expected), Some(507_018))
        );
        let text = format!("orch_error_code={expected} EXPLICIT_ORCH_FATAL: the block table");
        says(&error, &[&text, "submits.rs:", "ring 0", "help:"]);
        run(&rt, |root| nothings(root, 1)).unwrap();
    }
}

#[test]
fn a_fatal_that_the_orchestration_swallows_still_ends_the_run() {
    let rt = runtime(1 << 20, 64, serial());
    let error = run(&rt, |root| {
        let _ = root.report_fatal(site!(), 9, "over");
        Ok(())
    });
    assert_eq!(error.unwrap_err().code(), Some(9));
}

#[test]
fn a_dummy_waits_and_is_waited_for_as_any_task() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        let mut x = Array2::<u32>::zeros((4, 4));
        rt.run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
            let args = [TaskArg::OutputExisting(x)];
            let first = submit(root, site!(), &FILL, &args, 1, &[])?.task_id();
            let barrier = root
                .submit(
                    site!(),
                    TaskSpec::dummy(&[TaskArg::InOut(x)]).deps(&[first]),
                )?
                .task_id();
            submit(root, site!(), &FILL, &args, 2, &[barrier])?;
            Ok(())
        })
        .unwrap();
        assert_eq!(x[[3, 3]], 2);
    }
}

#[test]
fn permute_names_the_same_elements_in_another_order() {
    let x = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (100 * i + 10 * j + k) as u32);
    let rt = runtime(1 << 20, 64, serial());
    rt.run(&ENTRY, [EntryArg::input(&x).unwrap()], |root, [x]| {
        let y = x.permute(&[2, 0, 1], site!())?;
        assert_eq!(y.dims(), [4, 2, 3]);
        assert_eq!(root.get::<u32>(site!(), y, &[3, 1, 2])?, 123);
        for axes in [&[0, 1][..], &[0, 1, 1], &[0, 1, 3], &[0, 1, 2, 0]] {
            let error = x.permute(axes, site!()).unwrap_err().to_string();
            assert!(error.contains("0 to 2 once"), "{error}");
        }
        Ok(())
    })
    .unwrap();
}

#[test]
fn a_tensor_without_elements_takes_no_bytes_and_can_be_passed_on() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        let report = run(&rt, |root| {
            let empty = alloc(root, site!(), 0, 8)?;
            submit_fill(root, site!(), empty, 1)?;
            let part = [SliceItem::Full, SliceItem::Range(3, 3)];
            let part = alloc(root, site!(), 8, 8)?.slice(&part, site!())?;
            submit(root, site!(), &FILL, &[TaskArg::InOut(part)], 1, &[]).map(|_| ())
        })
        .unwrap();
        assert_eq!(report.heap_high_water[0], 1024);
    }
}

#[test]
fn arguments_that_interleave_in_memory_are_written_in_the_order_of_the_program() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        let mut x = Array2::<u32>::zeros((4, 8));
        let (mut even, mut odd) = x.multi_slice_mut((s![.., ..;2], s![.., 1..;2]));
        let args = [
            EntryArg::inout(&mut even).unwrap(),
            EntryArg::inout(&mut odd).unwrap(),
        ];
        rt.run(&ENTRY, args, |root, [even, odd]| {
            for i in 0..20 {
                let (from, to) = if i % 2 == 0 { (even, odd) } else { (odd, even) };
                let args = [TaskArg::Input(from), TaskArg::InOut(to)];
                submit(root, site!(), &UPDATE, &args, 1, &[])?;
            }
            Ok(())
        })
        .unwrap();
        let expected = (0..10).fold([0_u32; 2], |[even, odd], _| {
            let odd = odd.wrapping_mul(5).wrapping_add(even).wrapping_add(1);
            let even = even.wrapping_mul(5).wrapping_add(odd).wrapping_add(1);
            [even, odd]
        });
        assert_eq!(x, Array2::from_shape_fn((4, 8), |(_, j)| expected[j % 2]));
    }
}
