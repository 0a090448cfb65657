//! Shapes in place of arrays, and kernels without data.

use super::*;
use pl_runtime::{Access, Error, ParamInfo, SliceItem, shape};

static NAMED: KernelInfo = kernel(
    "entry",
    1,
    &[ParamInfo {
        name: "x",
        access: Access::Read,
    }],
);

#[test]
fn only_a_simulated_run_takes_a_shape() {
    for executor in crate::common::EXECUTORS {
        let rt = crate::common::runtime(1 << 20, 16, executor);
        let x = EntryArg::input::<f32, 2>(shape([4, 4])).unwrap();
        let error = rt.run(&NAMED, [x], |_, [_]| unreachable!()).unwrap_err();
        assert!(matches!(error, Error::Argument(_)));
        let parts = [
            "`x` of `entry`",
            "the shape [4, 4] f32 without elements",
            "`executor: Executor::Timing` in `RunConfig`",
        ];
        crate::common::says(&error, &parts);
    }
}

#[test]
fn a_shape_has_the_rank_of_its_parameter_and_fits_the_address_space() {
    let error = EntryArg::input::<f32, 3>(shape([4, 4])).unwrap_err();
    crate::common::says(&error, &["2 dimensions", "3 are expected"]);
    let error = EntryArg::input::<f32, 2>(shape([usize::MAX, 2])).unwrap_err();
    crate::common::says(&error, &["larger than the address space"]);
    let rt = Runtime::new(simulate(SIMPLE)).unwrap();
    let large = || EntryArg::output::<f32, 2>(shape([1 << 27, 1 << 26])).unwrap();
    let error = rt.run(
        &ENTRY,
        [large(), large(), large(), large(), large(), large()],
        |_, _| Ok(()),
    );
    crate::common::says(
        &error.unwrap_err(),
        &["all together have less than 2^57 bytes"],
    );
    rt.run(&ENTRY, [large(), large(), large()], |_, _| Ok(()))
        .unwrap();
}

#[test]
fn shapes_are_different_tensors_and_parts_of_one_are_told_apart() {
    let rt = Runtime::new(simulate(SIMPLE)).unwrap();
    let args = || EntryArg::inout::<f32, 1>(shape([100])).unwrap();
    let report = rt
        .run(&ENTRY, [args(), args()], |scope, [x, y]| {
            let half = |i: usize| x.slice(&[SliceItem::Range(50 * i, 50 * i + 50)], SITE);
            submit(scope, &[TaskArg::InOut(half(0)?)], 10)?;
            submit(scope, &[TaskArg::InOut(half(1)?)], 10)?;
            submit(scope, &[TaskArg::InOut(x)], 10)?;
            submit(scope, &[TaskArg::InOut(y)], 10)
        })
        .unwrap();
    let tasks = report.timing.unwrap().tasks;
    let starts: Vec<_> = tasks.iter().map(|t| t.start_ns).collect();
    assert_eq!(starts, [0, 0, 10, 10]);
}

/// Loads its tensor into scratch of its own.
fn private(_: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let mut arena = pl_runtime::Arena::new(1 << 16, false).unwrap();
    tile::load(&arena.start_task(), SITE, args.tensor(0))?;
    Ok(())
}

#[test]
fn scratch_of_another_arena_gets_no_elements_of_a_shape() {
    let outcome = run_with(simulate(SIMPLE), 8, |scope, x| {
        scope.submit(
            SITE,
            TaskSpec::new(&WORK, private, &[TaskArg::Input(x)], &[]),
        )?;
        Ok(())
    });
    let parts = [
        "[1, 8] f32 has no elements",
        "use the scratch that the kernel is given",
    ];
    crate::common::says(&outcome.unwrap_err(), &parts);
}

#[test]
fn a_kernel_fails_without_data_as_it_does_with_it() {
    fn wrong_shape(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
        let x = tile::load(core, SITE, args.tensor(0))?;
        let y = tile::zeros(core, SITE, DType::F32, &[3, 3])?;
        tile::add(core, SITE, x, y).map(|_| ())
    }
    fn too_large(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
        let x = tile::load(core, SITE, args.tensor(0))?;
        for _ in 0..100 {
            core.enter(SITE);
            tile::exp(core, SITE, x)?;
        }
        Ok(())
    }
    #[allow(clippy::unnecessary_wraps, reason = "a kernel")]
    fn panics(_: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
        args.scalar::<f32>(7);
        Ok(())
    }
    for (run, part) in [
        (wrong_shape as pl_runtime::KernelFn, "do not broadcast"),
        (too_large, "scratch of this core is full"),
        (panics, "uses scalar 7"),
    ] {
        let errors = [crate::common::serial(), Executor::Timing].map(|executor| {
            let config = RunConfig {
                executor,
                scratch_bytes: 4096,
                ..RunConfig::default()
            };
            let x = ndarray::Array2::<f32>::zeros((1, 64));
            let arg = EntryArg::input::<f32, 2>(&x).unwrap();
            let rt = Runtime::new(config).unwrap();
            let outcome = rt.run(&ENTRY, [arg], |scope, [x]| {
                submit(scope, &[], 1)?;
                scope.submit(SITE, TaskSpec::new(&WORK, run, &[TaskArg::Input(x)], &[]))?;
                Ok(())
            });
            outcome.unwrap_err()
        });
        assert_eq!(errors[0].code(), Some(200));
        crate::common::says(&errors[0], &[part]);
        assert_eq!(errors[0], errors[1]);
    }
}

#[test]
fn ring_memory_is_not_touched() {
    // Larger than this machine: touching it all would end the process.
    let config = RunConfig {
        ring_heap: (1_u64 << 42).into(),
        ..simulate(SIMPLE)
    };
    let report = run_with(config, 8, |root, _| {
        for _ in 0..8 {
            let scope = root.enter(pl_runtime::ScopeMode::Auto, SITE)?;
            let info = crate::common::info(1 << 19, 1 << 19).init(1_u32.to_value());
            let t = scope.alloc_tensors(SITE, &[info])?.get_ref(0);
            submit(&scope, &[TaskArg::InOut(t)], 1)?;
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(report.alloc_tasks[1], 8);
}
