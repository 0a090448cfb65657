//! Tasks of several kernels.

use super::{K, fails_in_2, refused};
use crate::common::{ENTRY, EXECUTORS, kernel, nothing, runtime, says, serial};
use ndarray::Array2;
use pl_runtime::{
    CoreType, EntryArg, KernelInfo, MixedKernels, OperationError, Scratch, TaskArg, TaskArgs,
    TaskSpec, tile,
};

static CUBE: KernelInfo = kernel("cube", 110, &[]);
static VECTOR: KernelInfo = kernel("vector", 120, &[]);

/// Adds `10^k` to the element, for AIC `k = 0`, AIV0 1, AIV1 2.
fn adds(core: &Scratch<'_>, args: &TaskArgs<'_>, value: u32) -> Result<(), OperationError> {
    let part = args.partition(0, 0, K)?;
    let tile = tile::add(core, K, tile::load(core, K, part)?, value)?;
    tile::store(core, K, part, tile)
}

fn cube(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    assert_eq!(args.sub_block_id(), 0);
    adds(core, args, 1)
}

fn vector(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    adds(core, args, [10, 100][args.sub_block_id() as usize])
}

#[test]
fn each_kernel_of_a_mixed_task_runs_once_a_block_and_knows_its_core() {
    let (none, cubes) = (MixedKernels::NONE, MixedKernels::NONE.aic(&CUBE, cube));
    for executor in EXECUTORS {
        for (kernels, expected) in [
            (cubes, 1),
            (none.aiv0(&VECTOR, vector), 10),
            (none.aiv1(&VECTOR, vector), 10),
            (cubes.aiv1(&VECTOR, vector), 101),
            (none.aiv0(&VECTOR, vector).aiv1(&VECTOR, vector), 110),
            (cubes.aiv0(&VECTOR, vector).aiv1(&VECTOR, vector), 111),
        ] {
            for blocks in [1, 3] {
                let rt = runtime(1 << 20, 64, executor);
                let mut x = Array2::<u32>::zeros((5, 4));
                rt.run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
                    let args = [TaskArg::InOut(x)];
                    let task = TaskSpec::mixed(&kernels, &args, &[]).blocks(blocks);
                    root.submit(site!(), task).map(|_| ())
                })
                .unwrap();
                assert_eq!(x, Array2::<u32>::from_elem((5, 4), expected), "{kernels:?}");
            }
        }
    }
}

#[test]
fn a_mixed_task_without_a_kernel_is_code_5() {
    for executor in EXECUTORS {
        let error = refused(executor, |root, x| {
            let args = [TaskArg::InOut(x)];
            root.submit(site!(), TaskSpec::mixed(&MixedKernels::NONE, &args, &[]))
                .map(|_| ())
        });
        assert_eq!(error.code(), Some(5));
        says(&error, &["without any kernel", "at least one of `aic`"]);
    }
}

#[test]
fn the_kernels_of_a_mixed_task_say_which_cores_it_takes() {
    let kernels = MixedKernels::NONE.aic(&CUBE, cube).aiv0(&VECTOR, vector);
    let error = refused(serial(), |root, x| {
        let args = [TaskArg::InOut(x)];
        let task = TaskSpec::mixed(&kernels, &args, &[]);
        root.submit(site!(), task.core_type(CoreType::Mix))?;
        root.submit(site!(), task.core_type(CoreType::Aiv))
            .map(|_| ())
    });
    assert_eq!(error.code(), Some(5));
    says(
        &error,
        &[
            "`cube` is to take AIV cores",
            "MIX",
            "leave out `core_type`",
        ],
    );
}

#[test]
fn the_kernel_of_a_mixed_task_that_fails_is_named() {
    let kernels = MixedKernels::NONE
        .aic(&CUBE, nothing)
        .aiv0(&VECTOR, fails_in_2);
    for executor in EXECUTORS {
        let error = refused(executor, |root, _| {
            root.submit(site!(), TaskSpec::mixed(&kernels, &[], &[]).blocks(3))
                .map(|_| ())
        });
        says(
            &error,
            &[
                "kernel `vector` in block 2 of 3",
                "defined at kernels.rs:120",
            ],
        );
    }
}
