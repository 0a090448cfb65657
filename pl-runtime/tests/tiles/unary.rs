//! Functions of one tile and conversions, against plain loops.

#![allow(clippy::float_cmp, reason = "exact values")]
#![allow(clippy::type_complexity, reason = "tables of functions")]

use crate::support::*;
use half::{bf16, f16};
use pl_runtime::dtype::DType;
use pl_runtime::error::OperationError;
use pl_runtime::site::Site;
use pl_runtime::tile::{self, Scratch, Tile};

type Unary = for<'s> fn(&'s Scratch<'_>, Site, Tile<'s>) -> Result<Tile<'s>, OperationError>;

const SHAPES: [&[usize]; 6] = [&[5, 37], &[67], &[2, 3, 9], &[0, 4], &[4, 0], &[]];

/// Largest relative errors of the operation on `f32`, and its exact value.
const TABLE: [(&str, Unary, f64, fn(f64) -> f64); 11] = [
    ("neg", |s, at, a| tile::neg(s, at, a), 0.0, |x| -x),
    ("abs", |s, at, a| tile::abs(s, at, a), 0.0, f64::abs),
    ("exp", |s, at, a| tile::exp(s, at, a), 2e-7, f64::exp),
    ("log", |s, at, a| tile::log(s, at, a), 2e-7, f64::ln),
    ("sqrt", |s, at, a| tile::sqrt(s, at, a), 1e-7, f64::sqrt),
    (
        "rsqrt",
        |s, at, a| tile::rsqrt(s, at, a),
        2e-7,
        |x| 1.0 / x.sqrt(),
    ),
    ("recip", |s, at, a| tile::recip(s, at, a), 1e-7, |x| 1.0 / x),
    ("tanh", |s, at, a| tile::tanh(s, at, a), 3e-7, f64::tanh),
    (
        "sigmoid",
        |s, at, a| tile::sigmoid(s, at, a),
        5e-7,
        |x| 1.0 / (1.0 + (-x).exp()),
    ),
    (
        "silu",
        |s, at, a| tile::silu(s, at, a),
        5e-7,
        |x| x.max(f64::MIN) / (1.0 + (-x).exp()),
    ),
    (
        "gelu_tanh",
        |s, at, a| tile::gelu_tanh(s, at, a),
        3e-5,
        |x| {
            let u = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x.powi(3));
            x.max(f64::MIN) / (1.0 + (-2.0 * u).exp())
        },
    ),
];

/// Equal up to a relative error, or both NaN, or both infinite or rounded to it.
fn close(ours: f64, exact: f64, relative: f64, largest: f64) -> bool {
    if exact.is_nan() {
        return ours.is_nan();
    }
    if exact.abs() > largest {
        return ours == exact.signum() * f64::INFINITY;
    }
    (ours - exact).abs() <= exact.abs() * relative + f64::from(f32::MIN_POSITIVE)
}

#[test]
fn functions_of_f32_are_as_exact_as_documented() {
    for (name, operation, error, plain) in TABLE {
        for dims in SHAPES {
            for layout in LAYOUTS {
                let mut arena = arena();
                let core = arena.start_task();
                let a = make_as::<f32>(&core, layout, dims, f32::sample);
                let out = operation(&core, SITE, a).unwrap();
                assert_eq!((out.dims(), out.dtype()), (dims, DType::F32));
                for (x, y) in values::<f32>(a).into_iter().zip(values::<f32>(out)) {
                    let exact = plain(f64::from(x));
                    let good = close(f64::from(y), exact, error, f64::from(f32::MAX));
                    assert!(good, "{name}({x:e}) is {y:e} instead of {exact:e}");
                }
            }
        }
    }
}

#[test]
fn halves_are_the_f32_result_rounded() {
    for (name, operation, ..) in TABLE {
        let mut arena = arena();
        let core = arena.start_task();
        let a = make_as(&core, Layout::Transposed, &[7, 33], f16::sample);
        let b = make_as(&core, Layout::Gaps, &[7, 33], bf16::sample);
        let wide =
            |a| operation(&core, SITE, tile::cast(&core, SITE, DType::F32, a).unwrap()).unwrap();
        let expected = values::<f32>(wide(a))
            .into_iter()
            .map(f16::from_f32)
            .collect::<Vec<_>>();
        assert_same(
            &values::<f16>(operation(&core, SITE, a).unwrap()),
            &expected,
            name,
        );
        let expected = values::<f32>(wide(b))
            .into_iter()
            .map(bf16::from_f32)
            .collect::<Vec<_>>();
        assert_same(
            &values::<bf16>(operation(&core, SITE, b).unwrap()),
            &expected,
            name,
        );
    }
}

#[test]
fn special_values_of_exp() {
    let mut arena = arena();
    let core = arena.start_task();
    let input = [
        f32::NEG_INFINITY,
        f32::INFINITY,
        f32::NAN,
        89.0,
        -104.0,
        0.0,
        -88.0,
    ];
    let out = tile::exp(&core, SITE, make(&core, &[7], |i| input[i])).unwrap();
    let expected = [0.0, f32::INFINITY, f32::NAN, f32::INFINITY, 0.0, 1.0, 0.0];
    assert_same(&values::<f32>(out), &expected, "exp");
}

macro_rules! check_signs {
    ($($ty:ty: $abs:expr;)*) => {$({
        let mut arena = arena();
        let core = arena.start_task();
        let a = make_as::<$ty>(&core, Layout::Transposed, &[5, 21], <$ty>::sample);
        let plain = values::<$ty>(a);
        let neg = plain.iter().map(|v| v.wrapping_neg()).collect::<Vec<_>>();
        assert_same(&values::<$ty>(tile::neg(&core, SITE, a).unwrap()), &neg, "neg");
        let abs: fn($ty) -> $ty = $abs;
        let abs = plain.into_iter().map(abs).collect::<Vec<_>>();
        assert_same(&values::<$ty>(tile::abs(&core, SITE, a).unwrap()), &abs, "abs");
    })*};
}

#[test]
fn integers_negate_and_lose_their_sign_wrapping() {
    check_signs! {
        i8: i8::wrapping_abs; i16: i16::wrapping_abs; i32: i32::wrapping_abs; i64: i64::wrapping_abs;
        u8: |v| v; u16: |v| v; u32: |v| v; u64: |v| v;
    }
}

/// `$from as $to` for every pair of plain types, and through `f32` for halves.
macro_rules! check_casts {
    ($($from:ty),* => $to:tt) => {$( check_casts!(@ $from => $to); )*};
    (@ $from:ty => ($($to:ty),*)) => {$({
        let mut arena = arena();
        let core = arena.start_task();
        let a = make_as::<$from>(&core, Layout::Gaps, &[4, 19], <$from>::sample);
        let out = tile::cast(&core, SITE, <$to as pl_runtime::dtype::Element>::DTYPE, a).unwrap();
        let expected = values::<$from>(a).into_iter().map(|v| v as $to).collect::<Vec<_>>();
        assert_same(&values::<$to>(out), &expected, concat!(stringify!($from), " to ", stringify!($to)));
    })*};
}

#[test]
#[allow(clippy::cast_lossless, reason = "one line for all pairs")]
fn casts_are_as() {
    check_casts!(f32, i8, i16, i32, i64, u8, u16, u32, u64
        => (f32, i8, i16, i32, i64, u8, u16, u32, u64));
}

#[test]
fn casts_of_halves_go_through_f32() {
    let mut arena = arena();
    let core = arena.start_task();
    let halves = make(&core, &[4, 19], f16::sample);
    let brains = make(&core, &[4, 19], bf16::sample);
    let floats = make(&core, &[4, 19], f32::sample);
    let ints = make(&core, &[4, 19], i32::sample);
    let cast = |a, dtype| tile::cast(&core, SITE, dtype, a).unwrap();
    let narrow = values::<f32>(floats)
        .into_iter()
        .map(f16::from_f32)
        .collect::<Vec<_>>();
    assert_same(
        &values::<f16>(cast(floats, DType::F16)),
        &narrow,
        "f32 to f16",
    );
    let narrow = values::<f16>(halves)
        .into_iter()
        .map(|v| bf16::from_f32(v.to_f32()));
    assert_same(
        &values::<bf16>(cast(halves, DType::Bf16)),
        &narrow.collect::<Vec<_>>(),
        "to bf16",
    );
    let wide = values::<bf16>(brains)
        .into_iter()
        .map(bf16::to_f32)
        .collect::<Vec<_>>();
    assert_same(
        &values::<f32>(cast(brains, DType::F32)),
        &wide,
        "bf16 to f32",
    );
    let saturated = values::<f16>(halves).into_iter().map(|v| v.to_f32() as u8);
    assert_same(
        &values::<u8>(cast(halves, DType::U8)),
        &saturated.collect::<Vec<_>>(),
        "to u8",
    );
    let narrow = values::<i32>(ints)
        .into_iter()
        .map(|v| f16::from_f32(v as f32));
    assert_same(
        &values::<f16>(cast(ints, DType::F16)),
        &narrow.collect::<Vec<_>>(),
        "i32 to f16",
    );
}

#[test]
fn everything_but_zero_is_true() {
    let mut arena = arena();
    let core = arena.start_task();
    let input = [0.0, -0.0, 1e-40, -3.0, f32::NAN, 0.5];
    let a = make(&core, &[6], |i| input[i]);
    let flags = tile::cast(&core, SITE, DType::Bool, a).unwrap();
    assert_eq!(
        values::<bool>(flags),
        [false, false, true, true, true, true]
    );
    let back = tile::cast(&core, SITE, DType::I16, flags).unwrap();
    assert_eq!(values::<i16>(back), [0, 0, 1, 1, 1, 1]);
    let copy = tile::cast(&core, SITE, DType::Bool, flags).unwrap();
    assert_eq!(values::<bool>(copy), [false, false, true, true, true, true]);
    let empty = tile::zeros(&core, SITE, DType::I64, &[0, 3]).unwrap();
    assert_eq!(
        tile::cast(&core, SITE, DType::Bool, empty).unwrap().dims(),
        [0, 3]
    );
}
