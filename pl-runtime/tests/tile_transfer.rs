//! Loads and stores of tensors in a running task.

use ndarray::{Array2, s};
use pl_runtime::{
    Access, DType, EntryArg, KernelInfo, OperationError, ParamInfo, RunConfig, Runtime, Scratch,
    Site, SliceItem, TaskArg, TaskArgs, TaskSpec, tile,
};

const SITE: Site = Site::new("kernel.rs", 7);
const A: ParamInfo = ParamInfo {
    name: "a",
    access: Access::Read,
};
const O: ParamInfo = ParamInfo {
    name: "o",
    access: Access::Write,
};
static ENTRY: KernelInfo = KernelInfo {
    name: "entry",
    file: "kernel.rs",
    line: 1,
    params: &[A, O],
};
static KERNEL: KernelInfo = KernelInfo {
    name: "kernel",
    file: "kernel.rs",
    line: 2,
    params: &[A, O],
};

type Body = fn(&Scratch<'_>, &TaskArgs<'_>) -> Result<(), OperationError>;

/// Runs one task over `a` and `o`.
fn run(a: &Array2<f32>, o: &mut Array2<f32>, body: Body) -> Result<(), pl_runtime::Error> {
    let rt = Runtime::new(RunConfig::default())?;
    let args = [EntryArg::input(a)?, EntryArg::output(o)?];
    rt.run(&ENTRY, args, |scope, [a, o]| {
        scope.submit(
            SITE,
            TaskSpec::new(
                &KERNEL,
                body,
                &[TaskArg::Input(a), TaskArg::OutputExisting(o)],
                &[],
            ),
        )?;
        Ok(())
    })?;
    Ok(())
}

#[test]
fn parts_of_tensors_are_loaded_and_stored_in_any_order() {
    fn body(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
        let (a, o) = (args.tensor(0), args.tensor(1));
        let part = [SliceItem::Range(2, 9), SliceItem::From(1)];
        let turned = tile::load(core, SITE, a.slice(&part, SITE)?.transpose(0, 1, SITE)?)?;
        let doubled = tile::mul(core, SITE, turned, 2)?;
        let back = tile::transpose(core, SITE, doubled)?;
        tile::store(core, SITE, o.slice(&part, SITE)?, back)?;
        let row = o.slice(&[SliceItem::Index(0), SliceItem::Full], SITE)?;
        let ones = tile::full(core, SITE, DType::F32, row.dims(), 1)?;
        tile::store(core, SITE, row, ones)?;
        let rest = o.slice(&[SliceItem::Range(1, 2), SliceItem::Full], SITE)?;
        tile::store(
            core,
            SITE,
            rest,
            tile::zeros(core, SITE, DType::F32, rest.dims())?,
        )?;
        let column = o.slice(&[SliceItem::From(2), SliceItem::Range(0, 1)], SITE)?;
        tile::store(
            core,
            SITE,
            column,
            tile::zeros(core, SITE, DType::F32, column.dims())?,
        )
    }
    let a = Array2::from_shape_fn((9, 13), |(i, j)| (i * 13 + j) as f32);
    let mut o = Array2::zeros((9, 13));
    run(&a, &mut o, body).unwrap();
    let mut expected = Array2::zeros((9, 13));
    expected.row_mut(0).fill(1.0);
    expected
        .slice_mut(s![2.., 1..])
        .assign(&(a.slice(s![2.., 1..]).to_owned() * 2.0));
    assert_eq!(o, expected);
}

#[test]
fn an_input_is_not_stored_to_and_shapes_are_not_broadcast() {
    let (a, mut o) = (Array2::<f32>::zeros((4, 6)), Array2::zeros((4, 6)));
    let error = run(&a, &mut o, |core, args| {
        tile::store(
            core,
            SITE,
            args.tensor(1),
            tile::load(core, SITE, args.tensor(0))?,
        )?;
        let zeros = tile::zeros(core, SITE, DType::F32, &[4, 6])?;
        tile::store(core, SITE, args.tensor(0), zeros)
    });
    let text = error.unwrap_err().to_string();
    assert!(
        text.contains("`store` at kernel.rs:7: [4, 6] f32 is an input"),
        "{text}"
    );
    let error = run(&a, &mut o, |core, args| {
        let row = tile::zeros(core, SITE, DType::F32, &[1, 6])?;
        tile::store(core, SITE, args.tensor(1), row)
    });
    let text = error.unwrap_err().to_string();
    assert!(
        text.contains("[1, 6] f32 cannot be copied to [4, 6] f32"),
        "{text}"
    );
}
