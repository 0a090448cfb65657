//! Reductions of rows against plain loops.

#![allow(clippy::float_cmp, reason = "exact values")]

use crate::support::*;
use half::{bf16, f16};
use pl_runtime::dtype::DType;
use pl_runtime::tile;

/// Short rows, rows around the width of vectors and blocks, and rows longer than a piece.
const COLUMNS: [usize; 14] = [1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 100, 130, 257];

fn rows<T: Sample>(a: tile::Tile<'_>) -> Vec<Vec<T>> {
    let row = *a.dims().last().unwrap();
    values::<T>(a).chunks(row).map(<[T]>::to_vec).collect()
}

fn check_extremes<T: Sample>() {
    for columns in COLUMNS {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            // The hard values meet every other row only: NaN would hide the rest.
            let a = make_as::<T>(&core, layout, &[6, columns], |i| {
                let easy = (i / columns) % 2 == 1;
                T::sample(if easy && T::DTYPE.is_float() {
                    i * 3 + 1
                } else {
                    i
                })
            });
            let expected = |f: fn(T, T) -> T| {
                rows::<T>(a)
                    .into_iter()
                    .map(|row| row.into_iter().reduce(f).unwrap())
                    .collect::<Vec<_>>()
            };
            let what = format!("{a:?}");
            let out = tile::row_max(&core, SITE, a).unwrap();
            assert_eq!((out.dims(), out.dtype()), ([6, 1].as_slice(), T::DTYPE));
            assert_same(&values::<T>(out), &expected(T::larger), &what);
            let out = tile::row_min(&core, SITE, a).unwrap();
            assert_same(&values::<T>(out), &expected(T::smaller), &what);
        }
    }
}

#[test]
fn extremes_of_rows_are_those_of_plain_loops_and_nan_wins() {
    for_numbers!(check_extremes);
}

#[test]
fn negative_nan_wins_too() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(
        &core,
        &[1, 20],
        |i| if i == 13 { -f32::NAN } else { i as f32 },
    );
    for out in [tile::row_max(&core, SITE, a), tile::row_min(&core, SITE, a)] {
        assert!(out.unwrap().get::<f32>(SITE, &[0, 0]).unwrap().is_nan());
    }
}

#[test]
fn sums_of_floats_are_close_to_exact_ones() {
    for columns in COLUMNS {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let a = make_as(&core, layout, &[5, columns], noise(3));
            let out = tile::row_sum(&core, SITE, a).unwrap();
            assert_eq!(out.dims(), [5, 1]);
            for (row, ours) in rows::<f32>(a).iter().zip(values::<f32>(out)) {
                let exact = row.iter().map(|&v| f64::from(v)).sum::<f64>();
                let size = row.iter().map(|&v| f64::from(v).abs()).sum::<f64>();
                assert!(
                    (f64::from(ours) - exact).abs() <= size * 4e-7,
                    "{ours} for {exact}"
                );
            }
            let half = tile::cast(&core, SITE, DType::F16, a).unwrap();
            let out = tile::row_sum(&core, SITE, half).unwrap();
            for (row, ours) in rows::<f16>(half).iter().zip(values::<f16>(out)) {
                let exact = row.iter().map(|&v| v.to_f64()).sum::<f64>();
                assert!(
                    (ours.to_f64() - exact).abs() <= exact.abs() * 1e-3 + 2e-5,
                    "{ours} for {exact}"
                );
            }
        }
    }
}

#[test]
fn a_sum_of_halves_does_not_stop_where_halves_get_coarse() {
    let mut arena = arena();
    let core = arena.start_task();
    let ones = tile::full(&core, SITE, DType::Bf16, &[1, 1000], 1).unwrap();
    let sum = tile::row_sum(&core, SITE, ones).unwrap();
    assert_eq!(
        sum.get::<bf16>(SITE, &[0, 0]).unwrap(),
        bf16::from_f32(1000.0)
    );
}

#[test]
fn sums_propagate_infinities_and_nan() {
    let mut arena = arena();
    let core = arena.start_task();
    let sum = |special: [f32; 2]| {
        let a = make(
            &core,
            &[1, 70],
            |i| if i >= 68 { special[i - 68] } else { 1.0 },
        );
        tile::row_sum(&core, SITE, a)
            .unwrap()
            .get::<f32>(SITE, &[0, 0])
            .unwrap()
    };
    assert_eq!(sum([f32::INFINITY, 1.0]), f32::INFINITY);
    assert!(sum([f32::INFINITY, f32::NEG_INFINITY]).is_nan());
    assert!(sum([f32::NAN, 0.0]).is_nan());
}

#[test]
fn sums_of_integers_wrap() {
    check_integer_sums! { COLUMNS.map(|columns| [4, columns]), rows, row_sum }
}

#[test]
fn any_rank_reduces_its_last_dimension() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[2, 3, 4], |i| i as i32);
    let out = tile::row_max(&core, SITE, a).unwrap();
    assert_eq!(
        (out.dims(), values::<i32>(out)),
        ([2, 3, 1].as_slice(), vec![3, 7, 11, 15, 19, 23])
    );
    let row = make(&core, &[5], |i| i as i32);
    let out = tile::row_sum(&core, SITE, row).unwrap();
    assert_eq!((out.dims(), values::<i32>(out)), ([1].as_slice(), vec![10]));
}

#[test]
fn rows_without_elements_have_a_sum_but_no_maximum() {
    let mut arena = arena();
    let core = arena.start_task();
    let empty = tile::zeros(&core, SITE, DType::F32, &[3, 0]).unwrap();
    assert_eq!(
        values::<f32>(tile::row_sum(&core, SITE, empty).unwrap()),
        [0.0; 3]
    );
    let text = message("row_max", tile::row_max(&core, SITE, empty));
    assert!(
        text.contains("[3, 0] f32 has rows without elements"),
        "{text}"
    );
    message("row_min", tile::row_min(&core, SITE, empty));
    let none = tile::zeros(&core, SITE, DType::F32, &[0, 3]).unwrap();
    assert_eq!(tile::row_max(&core, SITE, none).unwrap().dims(), [0, 1]);
    let single = tile::zeros(&core, SITE, DType::F32, &[]).unwrap();
    message("row_sum", tile::row_sum(&core, SITE, single))
        .find("no dimension")
        .unwrap();
    let flags = tile::zeros(&core, SITE, DType::Bool, &[3, 2]).unwrap();
    message("row_sum", tile::row_sum(&core, SITE, flags))
        .find("[3, 2] bool")
        .unwrap();
}

#[test]
fn means_of_rows_are_those_of_plain_loops_and_floats_only() {
    for columns in COLUMNS {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let a = make_as(&core, layout, &[5, columns], noise(4));
            let out = tile::row_mean(&core, SITE, a).unwrap();
            assert_eq!((out.dims(), out.dtype()), ([5, 1].as_slice(), DType::F32));
            for (row, ours) in rows::<f32>(a).iter().zip(values::<f32>(out)) {
                let exact = row.iter().map(|&v| f64::from(v)).sum::<f64>() / columns as f64;
                assert!(
                    (f64::from(ours) - exact).abs() <= 4e-7,
                    "{ours} for {exact}"
                );
            }
        }
    }
    let mut arena = arena();
    let core = arena.start_task();
    let many = tile::full(&core, SITE, DType::F16, &[1, 3000], 30_000).unwrap();
    let mean = tile::row_mean(&core, SITE, many).unwrap();
    let mean = mean.get::<f16>(SITE, &[0, 0]).unwrap();
    assert_eq!(mean, f16::from_f32(30_000.0), "the sum is above any f16");
    let infinite = make(&core, &[2, 3], |i| {
        [1.0, f32::INFINITY, 2.0, 1.0, f32::NAN, 2.0][i]
    });
    let means = values::<f32>(tile::row_mean(&core, SITE, infinite).unwrap());
    assert!(means[0] == f32::INFINITY && means[1].is_nan());
    let text = message(
        "row_mean",
        tile::row_mean(&core, SITE, make(&core, &[2, 3], |i| i as i32)),
    );
    assert!(
        text.ends_with("has no meaning for [2, 3] i32; `cast` the tile to a float type"),
        "{text}"
    );
    let empty = tile::zeros(&core, SITE, DType::F32, &[3, 0]).unwrap();
    message("row_mean", tile::row_mean(&core, SITE, empty))
        .find("rows without elements")
        .unwrap();
}
