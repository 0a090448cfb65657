//! Tasks of several blocks.

use super::{BLOCK, K, fails_in_2, refused, spec};
use crate::common::{ENTRY, EXECUTORS, fill, info, nothing, run, runtime, says, serial, zero};
use ndarray::Array2;
use pl_runtime::{
    DType, EntryArg, KernelFn, OperationError, Scratch, TaskArg, TaskArgs, TaskSpec, tile,
};
use std::sync::atomic::{AtomicU32, Ordering};

/// Stores `block_idx + 1` into the block's rows of `o`.
fn rows(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let part = args.partition(0, 0, K)?;
    let value = args.block_idx() + 1;
    let tile = tile::full(core, K, DType::U32, part.dims(), value)?;
    tile::store(core, K, part, tile)
}

/// `x = 3 * x + a`, in the block's columns.
fn columns(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let (a, x) = (args.partition(0, 1, K)?, args.partition(1, 1, K)?);
    let tile = tile::mul(core, K, tile::load(core, K, x)?, 3_u32)?;
    let tile = tile::add(core, K, tile, tile::load(core, K, a)?)?;
    tile::store(core, K, x, tile)
}

/// Adds 1 to the whole of `x`.
fn whole(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let tile = tile::load(core, K, args.tensor(0))?;
    tile::store(core, K, args.tensor(0), tile::add(core, K, tile, 1_u32)?)
}

/// Rows in even blocks, columns in odd ones.
fn both_axes(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let part = args.partition(0, args.block_idx() as usize % 2, K)?;
    tile::store(
        core,
        K,
        part,
        tile::full(core, K, DType::U32, part.dims(), 1_u32)?,
    )
}

#[test]
fn each_block_writes_its_part_and_the_last_parts_may_be_short_or_empty() {
    for executor in EXECUTORS {
        for (blocks, expected) in [
            (1, [1, 1, 1, 1, 1, 1, 1]),
            (3, [1, 1, 1, 2, 2, 2, 3]),
            (4, [1, 1, 2, 2, 3, 3, 4]),
            (6, [1, 1, 2, 2, 3, 3, 4]),
            (9, [1, 2, 3, 4, 5, 6, 7]),
        ] {
            let rt = runtime(1 << 20, 64, executor);
            let mut o = Array2::<u32>::zeros((7, 4));
            rt.run(&ENTRY, [EntryArg::output(&mut o).unwrap()], |root, [o]| {
                let args = [TaskArg::OutputExisting(o)];
                root.submit(site!(), spec(rows, &args).blocks(blocks))
                    .map(|_| ())
            })
            .unwrap();
            assert_eq!(o.column(3).to_vec(), expected, "{blocks} blocks");
        }
    }
}

#[test]
fn a_block_loads_inputs_and_its_part_of_what_the_task_updates() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        let mut x = Array2::from_shape_fn((4, 10), |(i, j)| (10 * i + j) as u32);
        let a = Array2::<u32>::from_elem((4, 10), 7);
        let expected = x.mapv(|x| 9 * x + 4 * 7);
        let args = [
            EntryArg::input(&a).unwrap(),
            EntryArg::inout(&mut x).unwrap(),
        ];
        rt.run(&ENTRY, args, |root, [a, x]| {
            let args = [TaskArg::Input(a), TaskArg::InOut(x)];
            for blocks in [4, 3] {
                root.submit(site!(), spec(columns, &args).blocks(blocks))?;
            }
            Ok(())
        })
        .unwrap();
        assert_eq!(x, expected);
    }
}

#[test]
fn blocks_see_their_number_and_an_empty_scratch_in_order() {
    static SEEN: AtomicU32 = AtomicU32::new(0);
    fn sees(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
        // Two such tiles do not fit.
        tile::zeros(core, K, DType::F32, &[160, 1024])?;
        let before = SEEN.fetch_add(1, Ordering::SeqCst) % 20;
        assert_eq!((args.block_idx(), args.block_num()), (before, 20));
        Ok(())
    }
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        let report = run(&rt, |root| {
            root.submit(site!(), spec(sees, &[]).blocks(20)).map(|_| ())
        });
        let report = report.unwrap();
        assert_eq!(
            (report.kernel_tasks[0], report.peak_scratch_bytes),
            (1, 160 << 12)
        );
    }
    assert_eq!(SEEN.load(Ordering::SeqCst), 120);
}

#[test]
fn more_blocks_than_16_bits_count_all_run() {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    #[allow(clippy::unnecessary_wraps, reason = "a kernel")]
    fn runs(_: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
        if RUNS.fetch_add(1, Ordering::SeqCst) == 69_999 {
            assert_eq!(args.block_idx(), 69_999);
        }
        Ok(())
    }
    let rt = runtime(1 << 20, 64, serial());
    run(&rt, |root| {
        root.submit(site!(), spec(runs, &[]).blocks(70_000))
            .map(|_| ())
    })
    .unwrap();
    assert_eq!(RUNS.load(Ordering::SeqCst), 70_000);
}

#[test]
fn no_blocks_is_code_5() {
    for executor in EXECUTORS {
        let error = refused(executor, |root, _| {
            root.submit(site!(), spec(nothing, &[]).blocks(0))
                .map(|_| ())
        });
        assert_eq!(error.code(), Some(5));
        says(
            &error,
            &["task `block` has 0 blocks", "blocks.rs:", "use 1 or more"],
        );
    }
}

#[test]
fn a_store_or_load_of_the_whole_of_what_several_blocks_write_names_the_partition() {
    for executor in EXECUTORS {
        for (run, operation) in [(whole as KernelFn, "load"), (fill, "store")] {
            for created in [false, true] {
                let error = refused(executor, |root, x| {
                    let arg = if created {
                        TaskArg::Output(info(8, 8))
                    } else {
                        TaskArg::InOut(x)
                    };
                    let (args, scalars) = ([arg], [zero()]);
                    let task = TaskSpec::new(&BLOCK, run, &args, &scalars);
                    root.submit(site!(), task.blocks(2)).map(|_| ())
                });
                assert_eq!(error.code(), Some(200));
                let operation = format!("failed in `{operation}`");
                says(
                    &error,
                    &[
                        "in block 0 of 2",
                        &operation,
                        "all blocks",
                        "`TaskArgs::partition`",
                    ],
                );
            }
        }
    }
}

#[test]
fn a_block_that_fails_ends_its_task_and_is_named() {
    for executor in EXECUTORS {
        let error = refused(executor, |root, _| {
            root.submit(site!(), spec(fails_in_2, &[]).blocks(8))
                .map(|_| ())
        });
        says(
            &error,
            &[
                "kernel `block` in block 2 of 8 failed in `load`",
                "submitted at",
            ],
        );
    }
}

#[test]
fn parts_along_two_dimensions_are_refused() {
    for executor in EXECUTORS {
        let error = refused(executor, |root, x| {
            let args = [TaskArg::InOut(x)];
            root.submit(site!(), spec(both_axes, &args).blocks(4))
                .map(|_| ())
        });
        says(
            &error,
            &[
                "block 1 of 4",
                "`partition`",
                "use dimension 0 in all blocks",
            ],
        );
    }
}

#[test]
fn a_part_of_a_tensor_or_dimension_that_does_not_exist_is_an_error() {
    fn no_tensor(_: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
        args.partition(1, 0, K).map(|_| ())
    }
    fn no_axis(_: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
        args.partition(0, 2, K).map(|_| ())
    }
    let cases = [
        (no_tensor as KernelFn, "no tensor 1"),
        (no_axis, "use 0 to 1"),
    ];
    for (run, text) in cases {
        for blocks in [1, 2] {
            let error = refused(serial(), |root, x| {
                let args = [TaskArg::InOut(x)];
                root.submit(site!(), spec(run, &args).blocks(blocks))
                    .map(|_| ())
            });
            says(&error, &["KERNEL_FAILED", "`partition`", text]);
        }
    }
}

#[test]
fn several_blocks_do_not_take_bytes_twice_if_they_write_them() {
    for executor in EXECUTORS {
        let error = refused(executor, |root, x| {
            let args = [TaskArg::Input(x), TaskArg::InOut(x)];
            root.submit(site!(), spec(columns, &args).blocks(1))?;
            root.submit(site!(), spec(columns, &args).blocks(2))
                .map(|_| ())
        });
        assert_eq!(error.code(), Some(5));
        says(
            &error,
            &["has 2 blocks", "argument 0 and argument 1", "help:"],
        );
    }
}
