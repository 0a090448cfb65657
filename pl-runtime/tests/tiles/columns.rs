//! Reductions of columns against plain loops.

#![allow(clippy::float_cmp, reason = "exact values")]

use crate::support::*;
use half::f16;
use pl_runtime::dtype::DType;
use pl_runtime::error::OperationError;
use pl_runtime::site::Site;
use pl_runtime::tensor::SliceItem;
use pl_runtime::tile::{self, Scratch, Tile};

/// Single columns and rows, groups of rows and what is left of them, more columns than a block.
const SHAPES: [[usize; 2]; 8] = [
    [1, 1],
    [1, 9],
    [3, 7],
    [4, 8],
    [6, 33],
    [9, 1],
    [13, 2],
    [5, 1100],
];

type Operation = for<'s> fn(&'s Scratch<'_>, Site, Tile<'s>) -> Result<Tile<'s>, OperationError>;

const ALL: [(&str, Operation); 6] = [
    ("col_max", tile::col_max),
    ("col_min", tile::col_min),
    ("col_sum", tile::col_sum),
    ("col_mean", tile::col_mean),
    ("col_argmax", tile::col_argmax),
    ("col_argmin", tile::col_argmin),
];

/// The columns of a matrix.
fn columns<T: Sample>(a: Tile<'_>) -> Vec<Vec<T>> {
    let all = values::<T>(a);
    let c = a.dims()[1];
    (0..c)
        .map(|j| all.iter().skip(j).step_by(c).copied().collect())
        .collect()
}

/// A column with hard values beside one without: NaN would hide the rest.
fn sample<T: Sample>(width: usize) -> impl Fn(usize) -> T {
    move |i| {
        let easy = T::DTYPE.is_float() && (i % width) % 2 == 1;
        T::sample(if easy { i * 3 + 1 } else { i })
    }
}

fn check_extremes<T: Sample>() {
    for dims in SHAPES {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let a = make_as::<T>(&core, layout, &dims, sample(dims[1]));
            for (f, operation) in [
                (T::larger as fn(T, T) -> T, tile::col_max as Operation),
                (T::smaller, tile::col_min),
            ] {
                let out = operation(&core, SITE, a).unwrap();
                assert_eq!(
                    (out.dims(), out.dtype()),
                    ([1, dims[1]].as_slice(), T::DTYPE)
                );
                let expected = columns::<T>(a)
                    .into_iter()
                    .map(|column| column.into_iter().reduce(f).unwrap())
                    .collect::<Vec<_>>();
                assert_same(&values::<T>(out), &expected, &format!("{a:?}"));
            }
        }
    }
}

#[test]
fn extremes_of_columns_are_those_of_plain_loops_and_nan_wins() {
    for_numbers!(check_extremes);
}

#[test]
fn sums_and_means_of_columns_are_close_to_exact_ones() {
    for dims in SHAPES {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let a = make_as(&core, layout, &dims, noise(5));
            let sum = values::<f32>(tile::col_sum(&core, SITE, a).unwrap());
            let mean = values::<f32>(tile::col_mean(&core, SITE, a).unwrap());
            for (j, column) in columns::<f32>(a).iter().enumerate() {
                let exact = column.iter().map(|&v| f64::from(v)).sum::<f64>();
                let size = column.iter().map(|&v| f64::from(v).abs()).sum::<f64>();
                assert!((f64::from(sum[j]) - exact).abs() <= size * 4e-7);
                let n = dims[0] as f64;
                assert!((f64::from(mean[j]) - exact / n).abs() <= size / n * 4e-7);
            }
        }
    }
}

#[test]
fn halves_add_up_in_f32() {
    let mut arena = arena();
    let core = arena.start_task();
    let many = tile::full(&core, SITE, DType::F16, &[3000, 5], 30.0).unwrap();
    let mean = values::<f16>(tile::col_mean(&core, SITE, many).unwrap());
    assert_eq!(mean, [f16::from_f32(30.0); 5]);
    let ones = tile::full(&core, SITE, DType::F16, &[3000, 5], 1).unwrap();
    let sum = values::<f16>(tile::col_sum(&core, SITE, ones).unwrap());
    assert_eq!(sum, [f16::from_f32(3000.0); 5]);
}

#[test]
fn sums_of_integers_wrap() {
    check_integer_sums! { SHAPES, columns, col_sum }
}

#[test]
fn every_matrix_of_a_higher_rank_has_its_own_columns() {
    let mut arena = arena();
    let core = arena.start_task();
    for layout in LAYOUTS {
        let a = make_as(&core, layout, &[2, 3, 4], |i| i as i32);
        let out = tile::col_sum(&core, SITE, a).unwrap();
        assert_eq!(
            (out.dims(), values::<i32>(out)),
            ([2, 1, 4].as_slice(), vec![12, 15, 18, 21, 48, 51, 54, 57]),
            "{layout:?}"
        );
        let out = tile::col_argmax(&core, SITE, a).unwrap();
        assert_eq!(
            (out.dims(), values::<i32>(out)),
            ([2, 1, 4].as_slice(), vec![2; 8])
        );
    }
    // Matrices that do not follow one another.
    let wide = make(&core, &[2, 3, 3, 4], |i| i as i32);
    let part = [
        SliceItem::Full,
        SliceItem::Range(0, 2),
        SliceItem::Full,
        SliceItem::Full,
    ];
    let out = tile::col_min(&core, SITE, wide.slice(&part, SITE).unwrap()).unwrap();
    assert_eq!(out.dims(), [2, 2, 1, 4]);
    assert_eq!(
        values::<i32>(out),
        [0, 1, 2, 3, 12, 13, 14, 15, 36, 37, 38, 39, 48, 49, 50, 51]
    );
}

#[test]
fn columns_without_elements_have_a_sum_but_no_maximum() {
    let mut arena = arena();
    let core = arena.start_task();
    let empty = tile::zeros(&core, SITE, DType::F32, &[0, 3]).unwrap();
    assert_eq!(
        values::<f32>(tile::col_sum(&core, SITE, empty).unwrap()),
        [0.0; 3]
    );
    let none = tile::zeros(&core, SITE, DType::F32, &[3, 0]).unwrap();
    let line = make(&core, &[3], |i| i as f32);
    for (name, operation) in ALL {
        if name != "col_sum" {
            let text = message(name, operation(&core, SITE, empty));
            assert!(
                text.contains("[0, 3] f32 has columns without elements"),
                "{text}"
            );
        }
        assert_eq!(
            operation(&core, SITE, none).unwrap().dims(),
            [1, 0],
            "{name}"
        );
        let text = message(name, operation(&core, SITE, line));
        assert!(
            text.contains("[3] f32 has no columns to go along; reshape it, to `[n, 1]` say"),
            "{text}"
        );
    }
}

#[test]
fn bool_has_no_reduction_and_integers_have_no_mean() {
    let mut arena = arena();
    let core = arena.start_task();
    let flags = tile::zeros(&core, SITE, DType::Bool, &[3, 2]).unwrap();
    for (name, operation) in ALL {
        let text = message(name, operation(&core, SITE, flags));
        assert!(text.contains("has no meaning for [3, 2] bool"), "{text}");
    }
    let counts = tile::zeros(&core, SITE, DType::U8, &[3, 2]).unwrap();
    let text = message("col_mean", tile::col_mean(&core, SITE, counts));
    assert!(text.ends_with("`cast` the tile to a float type"), "{text}");
}
