//! Rows of tensors in device memory, chosen by indices, in a running task.

use ndarray::{Array1, Array2, Array3, s};
use pl_runtime::{
    Access, DType, EntryArg, Error, KernelInfo, OperationError, ParamInfo, RunConfig, Runtime,
    Scratch, Site, SliceItem, TaskArg, TaskArgs, TaskSpec, tile,
};

const SITE: Site = Site::new("kernel.rs", 7);
const fn param(name: &'static str, access: Access) -> ParamInfo {
    ParamInfo { name, access }
}
const PARAMS: &[ParamInfo] = &[
    param("a", Access::Read),
    param("indices", Access::Read),
    param("o", Access::ReadWrite),
];
static ENTRY: KernelInfo = KernelInfo {
    name: "entry",
    file: "kernel.rs",
    line: 1,
    params: PARAMS,
};
static KERNEL: KernelInfo = KernelInfo {
    name: "kernel",
    file: "kernel.rs",
    line: 2,
    params: PARAMS,
};

type Body = fn(&Scratch<'_>, &TaskArgs<'_>) -> Result<(), OperationError>;

/// Runs one task over `a` and `indices`, which it reads, and `o`.
fn run(args: [EntryArg<'_>; 3], body: Body) -> Result<(), Error> {
    let rt = Runtime::new(RunConfig::default())?;
    rt.run(&ENTRY, args, |scope, [a, indices, o]| {
        let args = [
            TaskArg::Input(a),
            TaskArg::Input(indices),
            TaskArg::InOut(o),
        ];
        scope.submit(SITE, TaskSpec::new(&KERNEL, body, &args, &[]))?;
        Ok(())
    })?;
    Ok(())
}

fn gather(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let indices = tile::load(core, SITE, args.tensor(1))?;
    let rows = tile::gather_rows(core, SITE, args.tensor(0), indices)?;
    tile::store(core, SITE, args.tensor(2), rows)
}

/// The rows of `a` go to the rows of `o`.
fn scatter(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let indices = tile::load(core, SITE, args.tensor(1))?;
    let rows = tile::load(core, SITE, args.tensor(0))?;
    tile::scatter_rows(core, SITE, args.tensor(2), indices, rows)
}

fn ramp(rows: usize, columns: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns), |(i, j)| (i * 100 + j) as f32)
}

#[test]
fn gathered_rows_are_those_that_the_indices_name() {
    for columns in [0, 1, 7, 64] {
        let a = ramp(9, columns);
        let indices = Array1::from_vec(vec![8_i64, 0, 3, 3, 1]);
        let mut o = Array2::<f32>::zeros((5, columns));
        let args = [
            EntryArg::input(&a).unwrap(),
            EntryArg::input(&indices).unwrap(),
            EntryArg::inout(&mut o).unwrap(),
        ];
        run(args, gather).unwrap();
        for (i, &row) in indices.iter().enumerate() {
            assert_eq!(o.row(i), a.row(row as usize));
        }
    }
}

#[test]
fn rows_are_gathered_from_views_with_gaps_and_of_any_rank() {
    let a = Array3::from_shape_fn((4, 5, 6), |(i, j, k)| (i * 100 + j * 10 + k) as i32);
    let indices = Array1::from_vec(vec![2_u32, 0]);
    let mut o = Array3::<i32>::zeros((2, 4, 3));
    let args = [
        EntryArg::input(&a).unwrap(),
        EntryArg::input(&indices).unwrap(),
        EntryArg::inout(&mut o).unwrap(),
    ];
    run(args, |core, args| {
        let items = [
            SliceItem::Full,
            SliceItem::Range(1, 4),
            SliceItem::Range(2, 5),
        ];
        // The second dimension comes first: its indices are 1, 2 and 3 of the tensor's.
        let part = args.tensor(0).slice(&items, SITE)?.transpose(0, 1, SITE)?;
        let indices = tile::load(core, SITE, args.tensor(1))?;
        let rows = tile::gather_rows(core, SITE, part, indices)?;
        tile::store(core, SITE, args.tensor(2), rows)
    })
    .unwrap();
    let part = a.slice(s![.., 1..4, 2..5]).permuted_axes([1, 0, 2]);
    assert_eq!(o.slice(s![0, .., ..]), part.slice(s![2, .., ..]));
    assert_eq!(o.slice(s![1, .., ..]), part.slice(s![0, .., ..]));
}

#[test]
fn bytes_of_bool_rows_become_0_or_1() {
    let a = Array2::from_shape_vec((2, 2), vec![true, false, false, true]).unwrap();
    let indices = Array1::from_vec(vec![1_u8]);
    let mut o = Array2::from_elem((1, 2), true);
    let args = [
        EntryArg::input(&a).unwrap(),
        EntryArg::input(&indices).unwrap(),
        EntryArg::inout(&mut o).unwrap(),
    ];
    run(args, gather).unwrap();
    assert_eq!(o.into_raw_vec_and_offset().0, [false, true]);
}

#[test]
fn scattered_rows_go_where_the_indices_say_and_the_last_one_wins() {
    for columns in [0, 1, 7, 64] {
        let a = ramp(4, columns);
        let indices = Array2::from_shape_vec((4, 1), vec![6_i32, 0, 2, 6]).unwrap();
        let mut o = Array2::from_elem((8, columns), -1.0);
        let args = [
            EntryArg::input(&a).unwrap(),
            EntryArg::input(&indices).unwrap(),
            EntryArg::inout(&mut o).unwrap(),
        ];
        run(args, scatter).unwrap();
        let mut expected = Array2::from_elem((8, columns), -1.0);
        for (i, &row) in indices.iter().enumerate() {
            expected.row_mut(row as usize).assign(&a.row(i));
        }
        assert_eq!(o, expected);
    }
}

#[test]
fn views_with_gaps_are_scattered_to_views_with_gaps() {
    let a = ramp(3, 4);
    let indices = Array1::from_vec(vec![3_u16, 1, 0, 2]);
    let mut o = Array2::<f32>::zeros((6, 5));
    let args = [
        EntryArg::input(&a).unwrap(),
        EntryArg::input(&indices).unwrap(),
        EntryArg::inout(&mut o).unwrap(),
    ];
    run(args, |core, args| {
        let indices = tile::load(core, SITE, args.tensor(1))?;
        let turned = tile::transpose(core, SITE, tile::load(core, SITE, args.tensor(0))?)?;
        let items = [SliceItem::Range(1, 5), SliceItem::Range(2, 5)];
        let part = args.tensor(2).slice(&items, SITE)?;
        tile::scatter_rows(core, SITE, part, indices, turned)
    })
    .unwrap();
    let mut expected = Array2::zeros((6, 5));
    for (i, &row) in indices.iter().enumerate() {
        let mut to = expected.slice_mut(s![1 + usize::from(row), 2..]);
        to.assign(&a.column(i));
    }
    assert_eq!(o, expected);
}

/// The text of the error of a task over `[4, 3]`, three indices, and `[8, 3]`.
fn error(indices: [i32; 3], body: Body) -> String {
    let (a, mut o) = (ramp(4, 3), ramp(8, 3));
    let before = o.clone();
    let indices = Array1::from_vec(indices.to_vec());
    let args = [
        EntryArg::input(&a).unwrap(),
        EntryArg::input(&indices).unwrap(),
        EntryArg::inout(&mut o).unwrap(),
    ];
    let text = run(args, body).unwrap_err().to_string();
    assert_eq!(o, before, "nothing is written by what is refused");
    text
}

#[test]
fn an_index_outside_is_refused_before_a_byte_is_copied() {
    let text = error([0, 4, -1], gather);
    assert!(
        text.contains(
            "`gather_rows` at kernel.rs:7: index 4 at position 1 is outside the 4 rows of \
             [4, 3] f32; write indices from 0 to 3"
        ),
        "{text}"
    );
    let text = error([0, 7, -1], |core, args| {
        let indices = tile::load(core, SITE, args.tensor(1))?;
        let rows = tile::zeros(core, SITE, DType::F32, &[3, 3])?;
        tile::scatter_rows(core, SITE, args.tensor(2), indices, rows)
    });
    assert!(
        text.contains(
            "`scatter_rows` at kernel.rs:7: index -1 at position 2 is outside the 8 rows"
        ),
        "{text}"
    );
}

#[test]
fn a_value_that_does_not_fit_is_not_scattered() {
    let text = error([0, 1, 2], scatter);
    assert!(
        text.contains(
            "[4, 3] f32 cannot be copied to 3 rows of [8, 3] f32: shapes are not broadcast; give \
             it one row for each index, as long as those of the tensor"
        ),
        "{text}"
    );
    let text = error([0, 1, 2], |core, args| {
        let indices = tile::load(core, SITE, args.tensor(1))?;
        let rows = tile::zeros(core, SITE, DType::F16, &[3, 3])?;
        tile::scatter_rows(core, SITE, args.tensor(2), indices, rows)
    });
    assert!(text.contains("write `cast::<f32>` around it"), "{text}");
    let text = error([0, 1, 2], |core, args| {
        let indices = tile::load(core, SITE, args.tensor(1))?;
        let rows = tile::zeros(core, SITE, DType::F32, &[3, 3])?;
        tile::scatter_rows(core, SITE, args.tensor(0), indices, rows)
    });
    assert!(
        text.contains("`scatter_rows` at kernel.rs:7: [4, 3] f32 is an input of this task"),
        "{text}"
    );
}
