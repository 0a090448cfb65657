//! Functions of one tile that scalars adjust, and counting tiles, against plain loops.

#![allow(clippy::float_cmp, reason = "exact values")]

use crate::support::*;
use half::{bf16, f16};
use pl_runtime::dtype::DType;
use pl_runtime::tile;

const SHAPES: [&[usize]; 6] = [&[5, 37], &[67], &[2, 3, 9], &[0, 4], &[4, 0], &[]];

fn check<T: Sample>(
    what: &str,
    operation: for<'s> fn(&'s tile::Scratch<'_>, tile::Tile<'s>) -> tile::Tile<'s>,
    plain: impl Fn(T) -> T,
) {
    for dims in SHAPES {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let a = make_as(&core, layout, dims, T::sample);
            let out = operation(&core, a);
            assert_eq!((out.dims(), out.dtype()), (dims, T::DTYPE));
            let expected: Vec<T> = values::<T>(a).into_iter().map(&plain).collect();
            assert_same(&values::<T>(out), &expected, what);
        }
    }
}

macro_rules! check_integers {
    ($operation:expr, $plain:expr; $($ty:ty)*) => {$(
        check::<$ty>(stringify!($operation $ty), $operation, $plain);
    )*};
}

#[test]
fn clamp_bounds_numbers_of_every_type_and_keeps_nan() {
    let bounded = |x: f32, low: f32, high: f32| if x.is_nan() { x } else { x.max(low).min(high) };
    check::<f32>(
        "clamp",
        |s, a| tile::clamp(s, SITE, a, -1.5, 3.0).unwrap(),
        |x| bounded(x, -1.5, 3.0),
    );
    check::<f16>(
        "clamp",
        |s, a| tile::clamp(s, SITE, a, -1.5, 3).unwrap(),
        |x| f16::from_f32(bounded(x.to_f32(), -1.5, 3.0)),
    );
    check::<bf16>(
        "clamp",
        |s, a| tile::clamp(s, SITE, a, -1, 3).unwrap(),
        |x| bf16::from_f32(bounded(x.to_f32(), -1.0, 3.0)),
    );
    check_integers!(|s, a| tile::clamp(s, SITE, a, -7, 100).unwrap(), |x| x.clamp(-7, 100); i8 i16 i32 i64);
    check_integers!(|s, a| tile::clamp(s, SITE, a, 7, 100).unwrap(), |x| x.clamp(7, 100); u8 u16 u32 u64);
}

#[test]
fn bounds_may_be_infinite_or_one_and_the_same() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[4], |i| {
        [f32::NEG_INFINITY, -2.0, 2.0, f32::INFINITY][i]
    });
    let above = tile::clamp(&core, SITE, a, 0, f32::INFINITY).unwrap();
    assert_eq!(values::<f32>(above), [0.0, 0.0, 2.0, f32::INFINITY]);
    let one = tile::clamp(&core, SITE, a, 1.0, 1.0).unwrap();
    assert_eq!(values::<f32>(one), [1.0; 4]);
}

#[test]
fn bounds_that_are_no_interval_or_no_elements_are_refused() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = tile::zeros(&core, SITE, DType::F32, &[4]).unwrap();
    let bytes = tile::zeros(&core, SITE, DType::U8, &[4]).unwrap();
    let flags = tile::zeros(&core, SITE, DType::Bool, &[4]).unwrap();
    for (result, part) in [
        (
            tile::clamp(&core, SITE, a, 1, -1),
            "the lower bound 1 is not below the upper bound -1",
        ),
        (
            tile::clamp(&core, SITE, a, f32::NAN, 1.0),
            "the lower bound NaN",
        ),
        (
            tile::clamp(&core, SITE, a, 0.0, f32::NAN),
            "the upper bound NaN",
        ),
        (
            tile::clamp(&core, SITE, bytes, -1, 1),
            "the scalar -1 is not a value of u8",
        ),
        (
            tile::clamp(&core, SITE, flags, 0, 1),
            "[4] bool; `cast` the tile to a number type",
        ),
    ] {
        let text = message("clamp", result);
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn powers_are_repeated_multiplications() {
    check::<f32>("x^0", |s, a| tile::powi(s, SITE, a, 0).unwrap(), |_| 1.0);
    check::<f32>("x^1", |s, a| tile::powi(s, SITE, a, 1).unwrap(), |x| x);
    check::<f32>("x^2", |s, a| tile::powi(s, SITE, a, 2).unwrap(), |x| x * x);
    check::<f32>(
        "x^3",
        |s, a| tile::powi(s, SITE, a, 3).unwrap(),
        |x| x * (x * x),
    );
    check::<f32>(
        "x^4",
        |s, a| tile::powi(s, SITE, a, 4.0).unwrap(),
        |x| (x * x) * (x * x),
    );
    check::<f32>(
        "x^-1",
        |s, a| tile::powi(s, SITE, a, -1).unwrap(),
        |x| 1.0 / x,
    );
    check::<f32>(
        "x^-2",
        |s, a| tile::powi(s, SITE, a, -2_i8).unwrap(),
        |x| 1.0 / (x * x),
    );
    let squared = |x: f32| x * x;
    check::<f16>(
        "x^2",
        |s, a| tile::powi(s, SITE, a, 2).unwrap(),
        |x| f16::from_f32(squared(x.to_f32())),
    );
    check::<bf16>(
        "x^-2",
        |s, a| tile::powi(s, SITE, a, -2).unwrap(),
        |x| bf16::from_f32(1.0 / squared(x.to_f32())),
    );
}

#[test]
fn powers_of_integers_wrap() {
    check_integers!(|s, a| tile::powi(s, SITE, a, 5).unwrap(), |x| x.wrapping_pow(5);
        i8 i16 i32 i64 u8 u16 u32 u64);
    check_integers!(|s, a| tile::powi(s, SITE, a, 0).unwrap(), |_| 1; i8 u64);
}

#[test]
fn large_powers_are_near_the_exact_ones() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[100], |i| 0.5 + i as f32 / 60.0);
    for n in [7, 31, 100, -31, i32::MAX, i32::MIN] {
        let out = tile::powi(&core, SITE, a, n).unwrap();
        for (x, y) in values::<f32>(a).into_iter().zip(values::<f32>(out)) {
            let exact = f64::from(x).powi(n);
            // Each of the squarings doubles the error so far.
            let good = if exact.abs() > f64::from(f32::MAX) {
                y == f32::INFINITY
            } else {
                (f64::from(y) - exact).abs() <= exact.abs() * 1e-7 * f64::from(n).abs() + 1e-36
            };
            assert!(good, "{x}^{n} is {y:e} instead of {exact:e}");
        }
    }
}

#[test]
fn exponents_that_are_none_are_refused() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = tile::zeros(&core, SITE, DType::F32, &[4]).unwrap();
    let ints = tile::zeros(&core, SITE, DType::I32, &[4]).unwrap();
    let flags = tile::zeros(&core, SITE, DType::Bool, &[4]).unwrap();
    for (result, part) in [
        (
            tile::powi(&core, SITE, a, 0.5),
            "the exponent 0.5 is no integer of 32 bits; write `exp(log(x) * n)`",
        ),
        (
            tile::powi(&core, SITE, a, 1_u64 << 40),
            "the exponent 1099511627776",
        ),
        (tile::powi(&core, SITE, ints, -1), "[4] i32 has no power -1"),
        (
            tile::powi(&core, SITE, flags, 2),
            "[4] bool; `cast` the tile to a number type",
        ),
    ] {
        let text = message("powi", result);
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn relu_is_zero_below_zero_and_keeps_nan() {
    check::<f32>(
        "relu",
        |s, a| tile::relu(s, SITE, a).unwrap(),
        |x| if x < 0.0 { 0.0 } else { x },
    );
    check::<f16>(
        "relu",
        |s, a| tile::relu(s, SITE, a).unwrap(),
        |x| if x < f16::ZERO { f16::ZERO } else { x },
    );
    check::<bf16>(
        "relu",
        |s, a| tile::relu(s, SITE, a).unwrap(),
        |x| {
            if x < bf16::ZERO { bf16::ZERO } else { x }
        },
    );
    check_integers!(|s, a| tile::relu(s, SITE, a).unwrap(), |x| x.max(0); i8 i16 i32 i64);
}

#[test]
fn what_has_no_sign_has_no_relu() {
    let mut arena = arena();
    let core = arena.start_task();
    for dtype in [DType::U8, DType::U64, DType::Bool] {
        let a = tile::zeros(&core, SITE, dtype, &[4]).unwrap();
        let text = message("relu", tile::relu(&core, SITE, a));
        assert!(
            text.contains("`cast` the tile to a signed number type"),
            "{text}"
        );
    }
}

#[test]
fn a_counting_tile_holds_the_index_along_its_axis() {
    fn check<T: Sample>(count: fn(usize) -> T) {
        for dims in [
            &[5, 7][..],
            &[11],
            &[2, 3, 4],
            &[3, 1, 2, 2, 5],
            &[0, 4],
            &[4, 0],
        ] {
            for axis in 0..dims.len() {
                let mut arena = arena();
                let core = arena.start_task();
                let out = tile::iota(&core, SITE, T::DTYPE, dims, axis).unwrap();
                assert_eq!((out.dims(), out.dtype()), (dims, T::DTYPE));
                let expected: Vec<T> = indices(dims)
                    .iter()
                    .map(|index| count(index[axis]))
                    .collect();
                assert_same(&values::<T>(out), &expected, "iota");
            }
        }
    }
    check::<f32>(|i| i as f32);
    check::<f16>(|i| f16::from_f32(i as f32));
    check::<bf16>(|i| bf16::from_f32(i as f32));
    check::<i8>(|i| i as i8);
    check::<i16>(|i| i as i16);
    check::<i32>(|i| i as i32);
    check::<i64>(|i| i as i64);
    check::<u8>(|i| i as u8);
    check::<u16>(|i| i as u16);
    check::<u32>(|i| i as u32);
    check::<u64>(|i| i as u64);
}

#[test]
fn a_count_is_exact_or_refused() {
    let mut arena = arena();
    let core = arena.start_task();
    // One more is the first that is refused.
    for (dtype, most) in [
        (DType::I8, 128),
        (DType::U8, 256),
        (DType::Bf16, 257),
        (DType::F16, 2049),
        (DType::I16, 32768),
    ] {
        let last = tile::iota(&core, SITE, dtype, &[most], 0).unwrap();
        let last = tile::cast(&core, SITE, DType::I64, last).unwrap();
        assert_eq!(
            last.get::<i64>(SITE, &[most - 1]).unwrap(),
            most as i64 - 1,
            "{dtype}"
        );
        let text = message("iota", tile::iota(&core, SITE, dtype, &[1, most + 1], 1));
        let part = format!("index {most} of [1, {}] is no value of {dtype}", most + 1);
        assert!(
            text.contains(&part) && text.contains("`iota::<i32>`"),
            "{text}"
        );
        // Along another axis it is not counted so far.
        tile::iota(&core, SITE, dtype, &[1, most + 1], 0).unwrap();
    }
}

#[test]
fn a_count_needs_an_axis_and_numbers() {
    let mut arena = arena();
    let core = arena.start_task();
    for (result, part) in [
        (
            tile::iota(&core, SITE, DType::I32, &[4, 4], 2),
            "[4, 4] has no dimension 2; write a number from 0 to 1",
        ),
        (
            tile::iota(&core, SITE, DType::I32, &[4, 4], -1),
            "has no dimension -1",
        ),
        (
            tile::iota(&core, SITE, DType::I32, &[4, 4], 0.5),
            "has no dimension 0.5",
        ),
        (
            tile::iota(&core, SITE, DType::I32, &[], 0),
            "write at least one length",
        ),
        (
            tile::iota(&core, SITE, DType::Bool, &[4], 0),
            "no meaning for bool elements",
        ),
    ] {
        let text = message("iota", result);
        assert!(text.contains(part), "{text}");
    }
    let text = message(
        "iota",
        tile::iota(&core, SITE, DType::F32, &[1 << 20, 64], 0),
    );
    assert!(text.contains("the scratch of this core is full"), "{text}");
}
