//! What users run into when dependencies are missing, or are too many (B1–B11). The numbers are
//! those of `docs/pain-points.md`.
//!
//! | row | why there is no test |
//! |---|---|
//! | B7 | a task cannot be named after its scope: it does not compile (`Scope`'s documentation) |

use crate::common::{
    AFFINE, ENTRY, EXECUTORS, FILL, NOTHING, Outcome, UPDATE, alloc, info, kernel, nothings,
    random, runtime, serial, submit, zero,
};
use ndarray::{Array2, Axis};
use pl_runtime::{
    Dependencies, Edge, EdgeSource, EntryArg, Executor, KernelInfo, OperationError, RunConfig,
    Runtime, Scope, ScopeMode, Scratch, Site, SliceItem, TaskArg, TaskArgs, TaskSpec, Tensor,
    TensorCreateInfo, tile,
};

/// All executors, and more orders.
fn shuffled() -> impl Iterator<Item = Executor> {
    EXECUTORS.into_iter().chain((10..40).map(random))
}

fn rows(x: Tensor<'_>, start: usize, end: usize) -> Result<Tensor<'_>, OperationError> {
    x.slice(&[SliceItem::Range(start, end), SliceItem::Full], site!())
}

/// Runs `body` on an array that it may change, and gives the array.
fn changed(
    executor: Executor,
    x: &Array2<u32>,
    body: impl for<'r> FnOnce(&'r Scope<'r>, Tensor<'r>) -> Outcome,
) -> Array2<u32> {
    let mut x = x.clone();
    let args = [EntryArg::inout(&mut x).unwrap()];
    runtime(1 << 20, 64, executor)
        .run(&ENTRY, args, |root, [x]| body(root, x))
        .unwrap();
    x
}

/// The edges of `body` on an array `[16, 4]`.
fn edges(
    dependencies: Dependencies,
    body: impl for<'r> FnOnce(&'r Scope<'r>, Tensor<'r>) -> Outcome,
) -> Vec<Edge> {
    let config = RunConfig {
        executor: serial(),
        dependencies,
        enable_dep_gen: true,
        ..RunConfig::default()
    };
    let mut x = Array2::<u32>::zeros((16, 4));
    let args = [EntryArg::inout(&mut x).unwrap()];
    let report = Runtime::new(config)
        .unwrap()
        .run(&ENTRY, args, |root, [x]| body(root, x));
    report.unwrap().edges
}

/// Producer and consumer of the edges that come from common bytes.
fn overlaps(edges: &[Edge]) -> Vec<(u64, u64)> {
    let overlaps = edges.iter().filter(|e| e.source.is_conflict());
    overlaps.map(|e| (e.from.1, e.to.1)).collect()
}

const BOTH: [Dependencies; 2] = [Dependencies::Sound, Dependencies::Device];

#[test]
fn b1_a_buffer_for_all_iterations_is_not_overwritten_before_it_is_read() {
    for executor in shuffled() {
        let out = changed(executor, &Array2::zeros((8, 4)), |root, out| {
            let buffer = alloc(root, site!(), 1, 4)?;
            for i in 0..8 {
                let write = [TaskArg::OutputExisting(buffer)];
                submit(root, site!(), &FILL, &write, i, &[])?;
                let row = rows(out, i as usize, i as usize + 1)?;
                let args = [TaskArg::Input(buffer), TaskArg::OutputExisting(row)];
                submit(root, site!(), &AFFINE, &args, 0, &[])?;
            }
            Ok(())
        });
        assert_eq!(out, Array2::from_shape_fn((8, 4), |(i, _)| 3 * i as u32));
    }
}

#[test]
fn b2_two_reshaped_views_are_views_of_one_buffer() {
    for executor in shuffled() {
        let out = changed(executor, &Array2::zeros((4, 4)), |root, out| {
            let old = info(8, 2).init(pl_runtime::Scalar::to_value(7_u32));
            let cache = root.alloc_tensors(site!(), &[old])?.get_ref(0);
            let (a, b) = (
                cache.reshape(&[4, 4], site!())?,
                cache.reshape(&[2, 8], site!())?,
            );
            let args = [TaskArg::Input(a), TaskArg::OutputExisting(out)];
            submit(root, site!(), &AFFINE, &args, 0, &[])?;
            let args = [TaskArg::OutputExisting(b)];
            submit(root, site!(), &FILL, &args, 1, &[])?;
            Ok(())
        });
        assert_eq!(out, Array2::from_elem((4, 4), 21));
    }
}

#[test]
fn b3_every_stripe_of_an_accumulator_survives() {
    for executor in shuffled() {
        let x = Array2::from_shape_fn((8, 4), |(i, j)| (10 * i + j) as u32);
        let out = changed(executor, &x, |root, x| {
            let sum = root.alloc_tensors(site!(), &[info(8, 4).init(zero())])?;
            let sum = sum.get_ref(0);
            for j in 0..8 {
                let (from, to) = (rows(x, j, j + 1)?, rows(sum, j, j + 1)?);
                let args = [TaskArg::Input(from), TaskArg::InOut(to)];
                submit(root, site!(), &UPDATE, &args, 1, &[])?;
            }
            let args = [TaskArg::Input(sum), TaskArg::OutputExisting(x)];
            submit(root, site!(), &AFFINE, &args, 0, &[]).map(|_| ())
        });
        assert_eq!(out, x.mapv(|x| 3 * (x + 1)));
    }
}

#[test]
fn b4_iterations_that_write_other_rows_do_not_wait_for_each_other() {
    for dependencies in BOTH {
        let edges = edges(dependencies, |root, _| {
            let buffer = alloc(root, site!(), 16, 4)?;
            for i in 0..4 {
                let part = [TaskArg::InOut(rows(buffer, 4 * i, 4 * i + 4)?)];
                submit(root, site!(), &FILL, &part, 1, &[])?;
            }
            Ok(())
        });
        assert_eq!(overlaps(&edges), [], "{dependencies:?}");
        assert_eq!(edges.len(), 4, "each waits for the allocation: {edges:?}");
    }
}

#[test]
fn b5_a_reader_of_one_part_waits_for_its_writer_only() {
    for dependencies in BOTH {
        let edges = edges(dependencies, |root, x| {
            for half in 0..2 {
                let part = [TaskArg::OutputExisting(rows(x, 8 * half, 8 * half + 8)?)];
                submit(root, site!(), &FILL, &part, 1, &[])?;
            }
            let args = [TaskArg::Input(rows(x, 0, 8)?), TaskArg::Output(info(8, 4))];
            submit(root, site!(), &AFFINE, &args, 1, &[]).map(|_| ())
        });
        assert_eq!(edges.len(), 1, "{edges:?}");
        assert_eq!(overlaps(&edges), [(0, 2)]);
    }
}

#[test]
fn b6_a_reader_waits_for_the_last_writer() {
    for dependencies in BOTH {
        let edges = edges(dependencies, |root, _| {
            let t = alloc(root, site!(), 16, 4)?;
            let write = [TaskArg::OutputExisting(t)];
            submit(root, site!(), &FILL, &write, 1, &[])?;
            submit(root, site!(), &NOTHING, &[TaskArg::InOut(t)], 1, &[])?;
            let args = [TaskArg::Input(t), TaskArg::Output(info(16, 4))];
            submit(root, site!(), &AFFINE, &args, 1, &[]).map(|_| ())
        });
        // Task 0 is the allocation.
        assert_eq!(overlaps(&edges), [(1, 2), (2, 3)], "{dependencies:?}");
    }
}

#[test]
fn b8_what_a_manual_scope_wrote_is_ordered_before_readers_behind_it() {
    for executor in shuffled() {
        let out = changed(executor, &Array2::zeros((4, 4)), |root, out| {
            let t = alloc(root, site!(), 4, 4)?;
            {
                let scope = root.enter(ScopeMode::Manual, site!())?;
                let write = [TaskArg::OutputExisting(t)];
                submit(&scope, site!(), &FILL, &write, 5, &[])?;
            }
            let args = [TaskArg::Input(t), TaskArg::OutputExisting(out)];
            submit(root, site!(), &AFFINE, &args, 0, &[])?;
            assert_eq!(root.get::<u32>(site!(), t, &[3, 3])?, 5);
            Ok(())
        });
        assert_eq!(out, Array2::from_elem((4, 4), 15));
    }
}

#[test]
fn b9_a_barrier_without_dependencies_is_a_task_all_the_same() {
    let edges = edges(Dependencies::Sound, |root, _| {
        let barrier = root.submit(site!(), TaskSpec::dummy(&[]).deps(&[]))?;
        submit(root, site!(), &NOTHING, &[], 0, &[barrier.task_id()]).map(|_| ())
    });
    let edge = Edge {
        from: (0, 0),
        to: (0, 1),
        argument: None,
        source: EdgeSource::Explicit,
    };
    assert_eq!(edges, [edge]);
}

#[test]
fn b10_a_second_writer_stays_visible_when_the_first_one_retires() {
    for executor in shuffled() {
        let mut x = Array2::<u32>::zeros((4, 4));
        let mut out = Array2::<u32>::zeros((4, 4));
        let args = [
            EntryArg::inout(&mut x).unwrap(),
            EntryArg::output(&mut out).unwrap(),
        ];
        let rt = runtime(1 << 20, 4, executor);
        rt.run(&ENTRY, args, |root, [x, out]| {
            let write = [TaskArg::OutputExisting(x)];
            let outer = root.enter(ScopeMode::Auto, site!())?;
            let first = outer.enter(ScopeMode::Auto, site!())?;
            submit(&first, site!(), &FILL, &write, 1, &[])?;
            drop(first);
            submit(&outer, site!(), &FILL, &write, 2, &[])?;
            for _ in 0..5 {
                nothings(&outer.enter(ScopeMode::Auto, site!())?, 3)?;
            }
            let args = [TaskArg::Input(x), TaskArg::OutputExisting(out)];
            submit(&outer, site!(), &AFFINE, &args, 0, &[]).map(|_| ())
        })
        .unwrap();
        assert_eq!(out, Array2::from_elem((4, 4), 6));
    }
}

static PRODUCT: KernelInfo = kernel("product", 80, &[]);
static TWOS: KernelInfo = kernel("twos", 81, &[]);
const K: Site = Site::new("kernels.rs", 82);

/// `c = a b`
fn product(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let a = tile::load(core, K, args.tensor(0))?;
    let b = tile::load(core, K, args.tensor(1))?;
    tile::store(core, K, args.tensor(2), tile::dot(core, K, a, b)?)
}

/// `b = 2`
fn twos(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let b = args.tensor(0);
    let two = tile::full(core, K, pl_runtime::DType::F32, b.dims(), 2.0_f32)?;
    tile::store(core, K, b, two)
}

#[test]
fn b11_a_matrix_product_waits_for_its_right_operand() {
    let a = Array2::from_shape_fn((4, 8), |(i, j)| (i * 8 + j) as f32);
    let sums = a.sum_axis(Axis(1)).insert_axis(Axis(1)) * 2.0;
    let expected = sums.broadcast((4, 4)).unwrap();
    let pool = runtime(1 << 20, 64, serial());
    for seed in 0..100 {
        let config = RunConfig {
            executor: random(seed),
            ..pool.config().clone()
        };
        let rt = pool.with_config(config).unwrap();
        let mut c = Array2::<f32>::zeros((4, 4));
        let args = [
            EntryArg::input(&a).unwrap(),
            EntryArg::output(&mut c).unwrap(),
        ];
        rt.run(&ENTRY, args, |root, [a, c]| {
            let zeros = TensorCreateInfo::new(pl_runtime::DType::F32, &[8, 4]).init(zero());
            let b = root.alloc_tensors(site!(), &[zeros])?.get_ref(0);
            let write = [TaskArg::OutputExisting(b)];
            root.submit(site!(), TaskSpec::new(&TWOS, twos, &write, &[]))?;
            let args = [
                TaskArg::Input(a),
                TaskArg::Input(b),
                TaskArg::OutputExisting(c),
            ];
            root.submit(site!(), TaskSpec::new(&PRODUCT, product, &args, &[]))
                .map(|_| ())
        })
        .unwrap();
        assert_eq!(c, expected);
    }
}
