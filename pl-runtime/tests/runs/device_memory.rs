//! Products and sweeps that read and write tensors where they lie, in arrays of exactly as many bytes as
//! they have: `scripts/sanitize.sh` sees a step past them.

use crate::common::{ENTRY, kernel, serial};
use ndarray::{Array2, s};
use pl_runtime::tile::{self, Factor, Input, Op, Product, Step, Value};
use pl_runtime::{
    EntryArg, KernelInfo, OperationError, RunConfig, Runtime, Scratch, Site, SliceItem, TaskArg,
    TaskArgs, TaskSpec,
};

static MULTIPLY: KernelInfo = kernel("multiply", 300, &[]);
const SITE: Site = Site::new("src/kernels.rs", 301);

/// `o = a * transpose(b) / 2`, the last row and column of `b` left out.
fn multiply(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let (a, b, o) = (args.tensor(0), args.tensor(1), args.tensor(2));
    let (rows, columns) = (b.dims()[0] - 1, b.dims()[1] - 1);
    let items = [SliceItem::Range(0, rows), SliceItem::Range(0, columns)];
    let load = |tensor, transposed| Factor::Load {
        tensor,
        site: SITE,
        transposed,
    };
    let product = Product {
        wide: true,
        a: load(a, None),
        b: load(b.slice(&items, SITE)?, Some(SITE)),
        scale: Some((pl_runtime::Scalar::to_value(0.5_f32), SITE)),
    };
    tile::store(core, SITE, o, tile::product(core, SITE, product)?)
}

fn check<T: pl_runtime::Element>(of: fn(f32) -> T, tolerance: f32) {
    let rt = Runtime::new(RunConfig {
        executor: serial(),
        ..RunConfig::default()
    })
    .unwrap();
    for (m, k, n) in [
        (1, 1, 1),
        (3, 5, 7),
        (16, 33, 6),
        (67, 1, 13),
        (5, 17, 131),
        (1, 257, 2),
    ] {
        let number = |(i, j): (usize, usize)| ((i * 37 + j * 11) % 16) as f32 / 8.0 - 1.0;
        let (a, b) = (
            Array2::from_shape_fn((m, k), number),
            Array2::from_shape_fn((n + 1, k + 1), number),
        );
        let (x, y) = (a.mapv(of), b.mapv(of));
        let mut o = Array2::<f32>::zeros((m, n));
        let args = [
            EntryArg::input::<T, 2>(&x).unwrap(),
            EntryArg::input::<T, 2>(&y).unwrap(),
            EntryArg::output::<f32, 2>(&mut o).unwrap(),
        ];
        rt.run(&ENTRY, args, |scope, [x, y, o]| {
            let args = [
                TaskArg::Input(x),
                TaskArg::Input(y),
                TaskArg::OutputExisting(o),
            ];
            scope.submit(site!(), TaskSpec::new(&MULTIPLY, multiply, &args, &[]))?;
            Ok(())
        })
        .unwrap();
        let expected = a.dot(&b.slice(s![..n, ..k]).t()) * 0.5;
        for (ours, expected) in o.iter().zip(&expected) {
            assert!((ours - expected).abs() <= tolerance, "{ours} {expected}");
        }
    }
}

#[test]
fn factors_in_device_memory_are_read_inside_their_bytes_only() {
    // The numbers are multiples of an eighth: every type has them.
    check::<f32>(|x| x, 1e-4);
    check::<pl_runtime::f16>(pl_runtime::f16::from_f32, 1e-4);
    check::<pl_runtime::bf16>(pl_runtime::bf16::from_f32, 1e-4);
}

static DOUBLE: KernelInfo = kernel("double", 400, &[]);

/// `o = x + x`, of all but the last row and column, in one sweep from and to device memory.
fn double(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let (x, o) = (args.tensor(0), args.tensor(1));
    let (rows, columns) = (o.dims()[0], o.dims()[1]);
    let items = [SliceItem::Range(0, rows), SliceItem::Range(0, columns)];
    let step = |op, args| Step {
        op,
        site: SITE,
        args,
        dtype: None,
    };
    let steps = [
        step(Op::Load, &[Value::Input(0)][..]),
        step(Op::Add, &[Value::Step(0), Value::Step(0)][..]),
        step(Op::Store, &[Value::Input(1), Value::Step(1)][..]),
    ];
    let inputs = [Input::Tensor(x.slice(&items, SITE)?), Input::Tensor(o)];
    tile::sweep(core, &steps, &inputs, []).map(|[]| ())
}

fn check_sweep<T: pl_runtime::Element + PartialEq>(of: fn(f32) -> T) {
    let rt = Runtime::new(RunConfig::default()).unwrap();
    for (rows, columns) in [(1, 1), (3, 7), (40, 33), (2, 5000), (300, 67)] {
        let number = |(i, j): (usize, usize)| ((i * 37 + j * 11) % 16) as f32 / 8.0 - 1.0;
        let x = Array2::from_shape_fn((rows + 1, columns + 1), number).mapv(of);
        let mut o = Array2::from_elem((rows, columns), of(0.0));
        let args = [
            EntryArg::input::<T, 2>(&x).unwrap(),
            EntryArg::output::<T, 2>(&mut o).unwrap(),
        ];
        rt.run(&ENTRY, args, |scope, [x, o]| {
            let args = [TaskArg::Input(x), TaskArg::OutputExisting(o)];
            scope.submit(site!(), TaskSpec::new(&DOUBLE, double, &args, &[]))?;
            Ok(())
        })
        .unwrap();
        assert!(o.indexed_iter().all(|(at, o)| *o == of(2.0 * number(at))));
    }
}

#[test]
fn sweeps_load_and_store_inside_the_bytes_of_their_tensors_only() {
    check_sweep::<f32>(|x| x);
    check_sweep::<pl_runtime::f16>(pl_runtime::f16::from_f32);
    check_sweep::<pl_runtime::bf16>(pl_runtime::bf16::from_f32);
}
