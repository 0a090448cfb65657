//! Indices of extremes against plain loops.

use crate::support::*;
use pl_runtime::dtype::DType;
use pl_runtime::error::OperationError;
use pl_runtime::site::Site;
use pl_runtime::tile::{self, Scratch, Tile};

type Operation = for<'s> fn(&'s Scratch<'_>, Site, Tile<'s>) -> Result<Tile<'s>, OperationError>;

/// Whether the first one is further out.
type Above<T> = fn(T, T) -> bool;

/// Where the first element is that no other is `above`; the first NaN where there is one.
fn expected<T: Sample>(line: &[T], above: Above<T>) -> i32 {
    #[allow(clippy::eq_op, reason = "not so for NaN")]
    let nan = line.iter().position(|v| v != v);
    let best = |&i: &usize| line.iter().all(|&other| !above(other, line[i]));
    nan.or_else(|| (0..line.len()).find(best)).unwrap() as i32
}

/// Rows around the length of a piece, and more columns than a block.
const SHAPES: [[usize; 2]; 8] = [
    [1, 1],
    [4, 2],
    [6, 7],
    [3, 64],
    [5, 65],
    [7, 130],
    [9, 1],
    [4, 1030],
];

fn check<T: Sample + PartialOrd>() {
    let both: [(Operation, Operation, Above<T>); 2] = [
        (tile::row_argmax, tile::col_argmax, |a, b| a > b),
        (tile::row_argmin, tile::col_argmin, |a, b| a < b),
    ];
    for dims in SHAPES {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            // Values that come again, NaN in every third line only.
            let sample = |i: usize| {
                let (row, column) = (i / dims[1], i % dims[1]);
                let easy = T::DTYPE.is_float() && (row + column) % 3 > 0;
                T::sample(if easy { i % 11 * 3 + 1 } else { i % 40 })
            };
            let a = make_as::<T>(&core, layout, &dims, sample);
            let turned = tile::transpose(&core, SITE, a).unwrap();
            for (by_row, by_column, above) in both {
                let lines = values::<T>(a);
                let lines = lines.chunks(dims[1]).map(|line| expected(line, above));
                let out = by_row(&core, SITE, a).unwrap();
                assert_eq!(
                    (out.dims(), out.dtype()),
                    ([dims[0], 1].as_slice(), DType::I32)
                );
                assert_eq!(values::<i32>(out), lines.collect::<Vec<_>>(), "{a:?}");
                let lines = values::<T>(turned);
                let lines = lines.chunks(dims[0]).map(|line| expected(line, above));
                let out = by_column(&core, SITE, a).unwrap();
                assert_eq!(
                    (out.dims(), out.dtype()),
                    ([1, dims[1]].as_slice(), DType::I32)
                );
                assert_eq!(values::<i32>(out), lines.collect::<Vec<_>>(), "{a:?}");
            }
        }
    }
}

#[test]
fn the_first_of_the_extremes_is_found_and_nan_is_one() {
    for_numbers!(check);
}

#[test]
fn both_zeros_are_equal_and_nan_of_either_sign_is_nan() {
    let mut arena = arena();
    let core = arena.start_task();
    let indices = |line: &[f32]| {
        let a = make(&core, &[1, line.len()], |i| line[i]);
        let column = make(&core, &[line.len(), 2], |i| line[i / 2]);
        let first = |out: Result<Tile<'_>, OperationError>| out.unwrap().get::<i32>(SITE, &[0, 0]);
        [
            first(tile::row_argmax(&core, SITE, a)).unwrap(),
            first(tile::row_argmin(&core, SITE, a)).unwrap(),
            first(tile::col_argmax(&core, SITE, column)).unwrap(),
            first(tile::col_argmin(&core, SITE, column)).unwrap(),
        ]
    };
    assert_eq!(indices(&[-0.0, 0.0]), [0; 4]);
    assert_eq!(indices(&[0.0, -0.0]), [0; 4]);
    assert_eq!(indices(&[1.0, -f32::NAN, f32::NAN, 3.0]), [1; 4]);
    assert_eq!(indices(&[f32::NEG_INFINITY; 3]), [0; 4]);
    assert_eq!(indices(&[f32::INFINITY; 3]), [0; 4]);
    assert_eq!(
        indices(&[1e-45, 3e-45, 0.0]),
        [1, 2, 1, 2],
        "denormals are not 0"
    );
}

#[test]
fn lines_without_elements_and_bool_have_no_extreme() {
    let mut arena = arena();
    let core = arena.start_task();
    let empty = tile::zeros(&core, SITE, DType::F32, &[3, 0]).unwrap();
    let flags = tile::zeros(&core, SITE, DType::Bool, &[3, 2]).unwrap();
    let single = tile::zeros(&core, SITE, DType::F32, &[]).unwrap();
    for (name, operation) in [
        ("row_argmax", tile::row_argmax as Operation),
        ("row_argmin", tile::row_argmin),
    ] {
        let text = message(name, operation(&core, SITE, empty));
        assert!(
            text.contains("[3, 0] f32 has rows without elements"),
            "{text}"
        );
        let text = message(name, operation(&core, SITE, flags));
        assert!(text.contains("`cast` the tile to a number type"), "{text}");
        let text = message(name, operation(&core, SITE, single));
        assert!(text.contains("no dimension to go along"), "{text}");
    }
    let none = tile::zeros(&core, SITE, DType::F32, &[0, 3]).unwrap();
    assert_eq!(tile::row_argmax(&core, SITE, none).unwrap().dims(), [0, 1]);
}
