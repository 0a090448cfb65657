//! Matrix products against plain loops.

#![allow(
    clippy::many_single_char_names,
    reason = "matrices and their lengths have short names"
)]

use crate::support::*;
use half::{bf16, f16};
use pl_runtime::dtype::DType;
use pl_runtime::tile::{self, Tile};

const SIZES: [[usize; 3]; 12] = [
    [1, 1, 1],
    [1, 17, 9],
    [9, 17, 1],
    [3, 1, 5],
    [8, 16, 24],
    [13, 7, 19],
    [33, 65, 31],
    [64, 64, 64],
    [70, 130, 3],
    [0, 3, 4],
    [3, 0, 4],
    [3, 4, 0],
];

/// The product of the elements, as `f64`, and the sum of the products' sizes.
fn plain(a: &[f64], b: &[f64], [m, k, n]: [usize; 3]) -> Vec<(f64, f64)> {
    let at = |i: usize, j: usize| {
        (0..k).fold((0.0, 0.0), |(sum, size), p| {
            let product = a[i * k + p] * b[p * n + j];
            (sum + product, size + product.abs())
        })
    };
    indices(&[m, n])
        .iter()
        .map(|index| at(index[0], index[1]))
        .collect()
}

#[test]
fn floats_multiply_as_plain_loops_in_every_layout() {
    for size @ [m, k, n] in SIZES {
        for a_layout in LAYOUTS {
            for b_layout in LAYOUTS {
                let mut arena = arena();
                let core = arena.start_task();
                let a = make_as(&core, a_layout, &[m, k], noise(5));
                let b = make_as(&core, b_layout, &[k, n], noise(6));
                check::<f32>(&core, a, b, size, 1e-6, f64::from);
                let cast = |t, dtype| tile::cast(&core, SITE, dtype, t).unwrap();
                let turn = |t| tile::transpose(&core, SITE, t).unwrap();
                // Transposed halves, too: the cast alone would lay them out row by row.
                let half = |t| turn(cast(turn(t), DType::F16));
                check::<f16>(&core, half(a), cast(b, DType::F16), size, 1e-3, f16::to_f64);
                let brain = |t| turn(cast(turn(t), DType::Bf16));
                check::<bf16>(
                    &core,
                    cast(a, DType::Bf16),
                    brain(b),
                    size,
                    8e-3,
                    bf16::to_f64,
                );
            }
        }
    }
}

fn check<T: Sample>(
    core: &tile::Scratch<'_>,
    a: Tile<'_>,
    b: Tile<'_>,
    size: [usize; 3],
    error: f64,
    wide: fn(T) -> f64,
) {
    let out = tile::dot(core, SITE, a, b).unwrap();
    assert_eq!(
        (out.dims(), out.dtype()),
        ([size[0], size[2]].as_slice(), T::DTYPE)
    );
    let elements = |t| values::<T>(t).into_iter().map(wide).collect::<Vec<_>>();
    let expected = plain(&elements(a), &elements(b), size);
    for (ours, (exact, bound)) in elements(out).into_iter().zip(expected) {
        // Additions in f32, then one rounding to the type.
        let tolerance = exact.abs() * error + bound * 1e-6 + 1e-7;
        assert!(
            (ours - exact).abs() <= tolerance,
            "{a:?} by {b:?}: {ours} for {exact}"
        );
    }
}

macro_rules! check_integers {
    ($($ty:ty)*) => {$(for [m, k, n] in SIZES {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let a = make_as(&core, layout, &[m, k], <$ty>::sample);
            let b = make_as(&core, layout, &[k, n], |i| <$ty>::sample(i + 2));
            let out = tile::dot(&core, SITE, a, b).unwrap();
            let (x, y) = (values::<$ty>(a), values::<$ty>(b));
            let expected = indices(&[m, n])
                .iter()
                .map(|index| (0..k).fold(0 as $ty, |sum, p| {
                    sum.wrapping_add(x[index[0] * k + p].wrapping_mul(y[p * n + index[1]]))
                }))
                .collect::<Vec<_>>();
            assert_same(&values::<$ty>(out), &expected, stringify!($ty));
        }
    })*};
}

#[test]
fn integers_multiply_wrapping() {
    check_integers! { i8 i32 u16 u64 }
}

#[test]
fn a_matrix_multiplies_its_own_transpose() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[5, 9], noise(7));
    let turned = tile::transpose(&core, SITE, a).unwrap();
    check::<f32>(&core, a, turned, [5, 9, 5], 1e-6, f64::from);
}

#[test]
fn products_propagate_infinities_and_nan() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[3, 2], |i| {
        [1.0, f32::INFINITY, f32::NAN, 1.0, 2.0, 3.0][i]
    });
    let b = tile::full(&core, SITE, DType::F32, &[2, 1], 1).unwrap();
    let out = values::<f32>(tile::dot(&core, SITE, a, b).unwrap());
    assert_same(&out, &[f32::INFINITY, f32::NAN, 5.0], "dot");
}

#[test]
fn the_copies_of_halves_are_given_back() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = tile::full(&core, SITE, DType::F16, &[16, 16], 1).unwrap();
    let used = core.arena().used();
    tile::dot(&core, SITE, a, a).unwrap();
    assert_eq!(core.arena().used(), used + 2 * 16 * 16);
}

#[test]
fn shapes_that_do_not_multiply_say_what_to_write() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = tile::zeros(&core, SITE, DType::F32, &[64, 128]).unwrap();
    let b = tile::zeros(&core, SITE, DType::F32, &[256, 128]).unwrap();
    let text = message("dot", tile::dot(&core, SITE, a, b));
    assert!(
        text.contains("[64, 128] f32 by [256, 128] f32: 128 columns meet 256 rows"),
        "{text}"
    );
    assert!(
        text.ends_with("write `transpose` around the second one"),
        "{text}"
    );
    let row = tile::zeros(&core, SITE, DType::F32, &[128]).unwrap();
    message("dot", tile::dot(&core, SITE, a, row))
        .find("two dimensions")
        .unwrap();
    let half = tile::zeros(&core, SITE, DType::F16, &[128, 4]).unwrap();
    message("dot", tile::dot(&core, SITE, a, half))
        .find("`cast::<f32>`")
        .unwrap();
    let flags = tile::zeros(&core, SITE, DType::Bool, &[4, 4]).unwrap();
    message("dot", tile::dot(&core, SITE, flags, flags))
        .find("`cast`")
        .unwrap();
}
