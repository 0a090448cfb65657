//! Loads and stores of tensors in a running task.

use ndarray::{Array2, s};
use pl_runtime::{
    Access, DType, Element, EntryArg, KernelInfo, OperationError, ParamInfo, RunConfig, Runtime,
    Scratch, Site, SliceItem, TaskArg, TaskArgs, TaskSpec, tile,
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
fn run<T: Element>(a: &Array2<T>, o: &mut Array2<T>, body: Body) -> Result<(), pl_runtime::Error> {
    let rt = Runtime::new(RunConfig::default())?;
    let args = [EntryArg::input(a)?, EntryArg::output(o)?];
    rt.run(&ENTRY, args, |scope, [a, o]| {
        let args = [TaskArg::Input(a), TaskArg::OutputExisting(o)];
        scope.submit(SITE, TaskSpec::new(&KERNEL, body, &args, &[]))?;
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

/// A task that pads the whole of `a` with 1 to the shape of `o`.
fn pad_whole(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let (a, o) = (args.tensor(0), args.tensor(1));
    let dims = o.dims().to_vec();
    tile::store(core, SITE, o, tile::load_padded(core, SITE, a, &dims, 1)?)
}

#[test]
fn a_padded_tile_has_the_tensor_in_its_corner_and_the_value_elsewhere() {
    fn check<T: Element + PartialEq + std::fmt::Debug>(element: fn(usize) -> T, one: T) {
        for (small, large) in [
            ((5, 7), (8, 16)),
            ((5, 7), (5, 16)),
            ((5, 7), (8, 7)),
            ((5, 7), (5, 7)),
            ((1, 1), (3, 3)),
            ((0, 4), (3, 4)),
            ((3, 0), (3, 5)),
        ] {
            let a = Array2::from_shape_fn(small, |(i, j)| element(i * small.1 + j));
            let mut o = Array2::from_elem(large, element(5));
            run(&a, &mut o, pad_whole).unwrap();
            let expected = Array2::from_shape_fn(large, |at| a.get(at).copied().unwrap_or(one));
            assert_eq!(o, expected, "{small:?} in {large:?}");
        }
    }
    check::<f32>(|i| i as f32 + 0.5, 1.0);
    check::<half::bf16>(|i| half::bf16::from_f32(i as f32), half::bf16::ONE);
    check::<i64>(|i| i as i64 - 9, 1);
    check::<u8>(|i| i as u8, 1);
    check::<bool>(|i| i % 2 == 0, true);
}

#[test]
fn views_with_gaps_are_padded_and_the_tensor_around_a_clipped_part_stays() {
    fn body(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
        let (a, o) = (args.tensor(0), args.tensor(1));
        tile::store(
            core,
            SITE,
            o,
            tile::full(core, SITE, DType::F32, o.dims(), -1)?,
        )?;
        let part = [SliceItem::Range(2, 7), SliceItem::Range(1, 4)];
        // Three rows of five columns.
        let turned = a.slice(&part, SITE)?.transpose(0, 1, SITE)?;
        let wide = tile::load_padded(core, SITE, turned, &[4, 8], f32::INFINITY)?;
        let back = tile::transpose(core, SITE, tile::mul(core, SITE, wide, 2)?)?;
        tile::store_clipped(core, SITE, o.slice(&part, SITE)?, back)
    }
    let a = Array2::from_shape_fn((9, 6), |(i, j)| (i * 6 + j) as f32);
    let mut o = Array2::zeros((9, 6));
    run(&a, &mut o, body).unwrap();
    let mut expected = Array2::from_elem((9, 6), -1.0);
    let part = s![2..7, 1..4];
    expected.slice_mut(part).assign(&(&a.slice(part) * 2.0));
    assert_eq!(o, expected);
}

#[test]
fn padding_and_clipping_say_what_does_not_fit() {
    fn fails(part: &str, body: Body) {
        let a = Array2::<f32>::zeros((9, 13));
        let text = run(&a, &mut a.clone(), body).unwrap_err().to_string();
        assert!(
            text.contains(part) && text.contains("kernel.rs:7"),
            "{text}"
        );
    }
    fails(
        "[9, 13] f32 does not fit into a tile of shape [16, 12]",
        |s, args| tile::load_padded(s, SITE, args.tensor(0), &[16, 12], 0).map(drop),
    );
    fails(
        "[9, 13] f32 does not fit into a tile of shape [16, 16, 1]; give it as many dimensions",
        |s, args| tile::load_padded(s, SITE, args.tensor(0), &[16, 16, 1], 0).map(drop),
    );
    fails(
        "[9, 12] f32 does not cover [9, 13] f32; give the tile as many dimensions",
        |s, args| {
            tile::store_clipped(
                s,
                SITE,
                args.tensor(1),
                tile::zeros(s, SITE, DType::F32, &[9, 12])?,
            )
        },
    );
    fails("[16] f32 does not cover [9, 13] f32", |s, args| {
        tile::store_clipped(
            s,
            SITE,
            args.tensor(1),
            tile::zeros(s, SITE, DType::F32, &[16])?,
        )
    });
    fails("write `cast::<f32>` around it", |s, args| {
        tile::store_clipped(
            s,
            SITE,
            args.tensor(1),
            tile::zeros(s, SITE, DType::I32, &[16, 16])?,
        )
    });
    fails("store_clipped", |s, args| {
        tile::store_clipped(
            s,
            SITE,
            args.tensor(0),
            tile::zeros(s, SITE, DType::F32, &[16, 16])?,
        )
    });
}

#[test]
fn padding_takes_a_value_of_the_tensors_elements() {
    fn body(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
        tile::load_padded(core, SITE, args.tensor(0), &[4, 4], 0.5).map(drop)
    }
    let a = Array2::<i32>::zeros((3, 3));
    let text = run(&a, &mut a.clone(), body).unwrap_err().to_string();
    assert!(
        text.contains("the scalar 0.5 is not a value of i32"),
        "{text}"
    );
}
