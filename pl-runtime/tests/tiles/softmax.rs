//! `softmax` and `cumsum` against plain loops.

#![allow(clippy::float_cmp, reason = "exact values")]

use crate::support::*;
use half::{bf16, f16};
use pl_runtime::dtype::{DType, Element};
use pl_runtime::tile;

const COLUMNS: [usize; 8] = [1, 2, 7, 8, 33, 100, 257, 1024];

fn check_softmax<T: Element + Into<f32>>(from: fn(f32) -> T, tolerance: f64) {
    for columns in COLUMNS {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let mut values_of = noise(6);
            let a = make_as(&core, layout, &[5, columns], |i| from(values_of(i) * 20.0));
            let out = tile::softmax(&core, SITE, a).unwrap();
            assert_eq!((out.dims(), out.dtype()), (a.dims(), T::DTYPE));
            let (ours, a) = (values::<T>(out), values::<T>(a));
            for (ours, row) in ours.chunks(columns).zip(a.chunks(columns)) {
                let row = row.iter().map(|&v| f64::from(v.into())).collect::<Vec<_>>();
                let max = row.iter().copied().fold(f64::MIN, f64::max);
                let sum = row.iter().map(|v| (v - max).exp()).sum::<f64>();
                for (&ours, v) in ours.iter().zip(&row) {
                    let (ours, exact) = (f64::from(ours.into()), (v - max).exp() / sum);
                    assert!(
                        (ours - exact).abs() <= tolerance * exact + 6e-8,
                        "{ours} for {exact}"
                    );
                }
            }
        }
    }
}

#[test]
fn softmax_is_that_of_plain_loops() {
    check_softmax::<f32>(|v| v, 1e-6);
    check_softmax::<f16>(f16::from_f32, 6e-4);
    check_softmax::<bf16>(bf16::from_f32, 4e-3);
}

#[test]
fn softmax_of_rows_with_infinities_and_nan() {
    let mut arena = arena();
    let core = arena.start_task();
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let rows = [
        [-inf, 0.0, -inf, 0.0],
        [-inf; 4],
        [inf, 0.0, 1.0, 2.0],
        [0.0, nan, 0.0, 0.0],
        [f32::MAX, f32::MIN, f32::MAX, 0.0],
        [1e-45, 0.0, -1e-45, -0.0],
    ];
    let a = make(&core, &[6, 4], |i| rows[i / 4][i % 4]);
    let out = values::<f32>(tile::softmax(&core, SITE, a).unwrap());
    let out = out.chunks(4).collect::<Vec<_>>();
    assert_eq!(out[0], [0.0, 0.5, 0.0, 0.5]);
    assert!(
        out[1].iter().all(|v| v.is_nan()),
        "nothing to divide: {:?}",
        out[1]
    );
    assert!(out[2][0].is_nan() && out[3].iter().all(|v| v.is_nan()));
    assert_eq!(out[4], [0.5, 0.0, 0.5, 0.0]);
    assert_eq!(out[5], [0.25; 4]);
}

#[test]
fn any_rank_goes_along_its_last_dimension_and_nothing_gives_nothing() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[2, 3, 2], |_| 3.0_f32);
    assert_eq!(
        values::<f32>(tile::softmax(&core, SITE, a).unwrap()),
        [0.5; 12]
    );
    let out = tile::cumsum(&core, SITE, a).unwrap();
    assert_eq!(out.dims(), [2, 3, 2]);
    assert_eq!(values::<f32>(out), [3.0, 6.0].repeat(6));
    let line = make(&core, &[4], |i| i as i32);
    assert_eq!(
        values::<i32>(tile::cumsum(&core, SITE, line).unwrap()),
        [0, 1, 3, 6]
    );
    for dims in [[0, 3], [3, 0]] {
        let none = tile::zeros(&core, SITE, DType::F32, &dims).unwrap();
        assert_eq!(tile::softmax(&core, SITE, none).unwrap().dims(), dims);
        assert_eq!(tile::cumsum(&core, SITE, none).unwrap().dims(), dims);
    }
}

#[test]
fn softmax_is_of_floats_and_cumsum_of_numbers() {
    let mut arena = arena();
    let core = arena.start_task();
    let counts = tile::zeros(&core, SITE, DType::I64, &[3, 2]).unwrap();
    let text = message("softmax", tile::softmax(&core, SITE, counts));
    assert!(
        text.ends_with("has no meaning for [3, 2] i64; `cast` the tile to a float type"),
        "{text}"
    );
    let flags = tile::zeros(&core, SITE, DType::Bool, &[3, 2]).unwrap();
    let text = message("cumsum", tile::cumsum(&core, SITE, flags));
    assert!(
        text.ends_with("has no meaning for [3, 2] bool; `cast` the tile to a number type"),
        "{text}"
    );
    let single = tile::zeros(&core, SITE, DType::F32, &[]).unwrap();
    message("softmax", tile::softmax(&core, SITE, single))
        .find("no dimension to go along")
        .unwrap();
    message("cumsum", tile::cumsum(&core, SITE, single))
        .find("no dimension to go along")
        .unwrap();
}

macro_rules! check_cumsum {
    ($add:expr, $zero:expr; $($ty:ty)*) => {$(for columns in COLUMNS {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let a = make_as(&core, layout, &[3, columns], <$ty>::sample);
            let expected = values::<$ty>(a)
                .chunks(columns)
                .flat_map(|row| row.iter().scan($zero, |sum, &v| {
                    *sum = $add(*sum, v);
                    Some(*sum)
                }).collect::<Vec<$ty>>())
                .collect::<Vec<_>>();
            let out = tile::cumsum(&core, SITE, a).unwrap();
            assert_eq!((out.dims(), out.dtype()), ([3, columns].as_slice(), <$ty>::DTYPE));
            assert_same(&values::<$ty>(out), &expected, &format!("{a:?}"));
        }
    })*};
}

#[test]
fn running_sums_are_those_of_plain_loops_and_integers_wrap() {
    check_cumsum! { |a: f32, b: f32| a + b, 0.0; f32 }
    macro_rules! integers {
        ($($ty:ty)*) => { $(check_cumsum! { <$ty>::wrapping_add, 0; $ty })* };
    }
    integers! { i8 i16 i32 i64 u8 u16 u32 u64 }
}

#[test]
fn running_sums_of_halves_add_up_in_f32() {
    let mut arena = arena();
    let core = arena.start_task();
    let ones = tile::full(&core, SITE, DType::Bf16, &[2, 1000], 1).unwrap();
    let out = values::<bf16>(tile::cumsum(&core, SITE, ones).unwrap());
    assert_eq!(out[999], bf16::from_f32(1000.0));
    assert_eq!(out[1000], bf16::from_f32(1.0));
    let a = make(&core, &[1, 300], |i| f16::sample(i * 3 + 1));
    let expected = values::<f16>(a).into_iter().scan(0.0, |sum: &mut f32, v| {
        *sum += v.to_f32();
        Some(f16::from_f32(*sum))
    });
    let expected = expected.collect::<Vec<_>>();
    assert_same(
        &values::<f16>(tile::cumsum(&core, SITE, a).unwrap()),
        &expected,
        "f16",
    );
}
