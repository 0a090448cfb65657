//! Element-wise operations against plain loops.

#![allow(clippy::type_complexity, reason = "tables of functions")]

use crate::support::*;
use half::{bf16, f16};
use pl_runtime::dtype::DType;
use pl_runtime::error::OperationError;
use pl_runtime::site::Site;
use pl_runtime::tile::{self, Scratch, Tile};

type Binary =
    for<'s> fn(&'s Scratch<'_>, Site, Tile<'s>, Tile<'s>) -> Result<Tile<'s>, OperationError>;

fn check_binary<T: Sample>(name: &str, operation: Binary, divides: bool, plain: fn(T, T) -> T) {
    for (a_dims, b_dims, dims) in BROADCASTS {
        for a_layout in LAYOUTS {
            for b_layout in LAYOUTS {
                let mut arena = arena();
                let core = arena.start_task();
                let divisor = |i: usize| {
                    let value = T::sample(i);
                    let refused = divides && !T::DTYPE.is_float() && value.to_value().bits() == 0;
                    if refused { T::sample(1) } else { value }
                };
                let a = make_as::<T>(&core, a_layout, a_dims, T::sample);
                let b = make_as::<T>(&core, b_layout, b_dims, |i| divisor(i + 11));
                let out = operation(&core, SITE, a, b).unwrap();
                let what = format!("{name} of {a:?} and {b:?}");
                assert_eq!((out.dims(), out.dtype()), (dims, T::DTYPE), "{what}");
                let expected = indices(dims)
                    .iter()
                    .map(|index| {
                        let x = a.get(SITE, &meets(index, a_dims)).unwrap();
                        plain(x, b.get(SITE, &meets(index, b_dims)).unwrap())
                    })
                    .collect::<Vec<T>>();
                assert_same(&values::<T>(out), &expected, &what);
            }
        }
    }
}

fn nan_or(a: f32, b: f32, pick: fn(f32, f32) -> f32) -> f32 {
    if a.is_nan() || b.is_nan() {
        f32::NAN
    } else {
        pick(a, b)
    }
}

#[test]
fn floats_compute_as_plain_loops_in_every_layout() {
    let table: [(&str, Binary, fn(f32, f32) -> f32); 6] = [
        ("add", |s, at, a, b| tile::add(s, at, a, b), |a, b| a + b),
        ("sub", |s, at, a, b| tile::sub(s, at, a, b), |a, b| a - b),
        ("mul", |s, at, a, b| tile::mul(s, at, a, b), |a, b| a * b),
        ("div", |s, at, a, b| tile::div(s, at, a, b), |a, b| a / b),
        (
            "maximum",
            |s, at, a, b| tile::maximum(s, at, a, b),
            |a, b| nan_or(a, b, f32::max),
        ),
        (
            "minimum",
            |s, at, a, b| tile::minimum(s, at, a, b),
            |a, b| nan_or(a, b, f32::min),
        ),
    ];
    for (name, operation, plain) in table {
        check_binary::<f32>(name, operation, name == "div", plain);
    }
}

macro_rules! check_others {
    ($name:literal, $operation:expr, $f:ident: $float:expr, $method:ident) => {
        let $f: fn(f32, f32) -> f32 = $float;
        check_binary::<f16>($name, $operation, false, |a, b| f16::from_f32(($float)(a.to_f32(), b.to_f32())));
        check_binary::<bf16>($name, $operation, false, |a, b| bf16::from_f32(($float)(a.to_f32(), b.to_f32())));
        check_others!(@ $name, $operation, $method: i8 i16 i32 i64 u8 u16 u32 u64);
    };
    (@ $name:literal, $operation:expr, $method:ident: $($ty:ty)*) => {
        $(check_binary::<$ty>($name, $operation, $name == "div", |a, b| a.$method(b));)*
    };
}

#[test]
fn halves_compute_in_f32_and_integers_wrap() {
    check_others!("add", |s, at, a, b| tile::add(s, at, a, b), _f: |a: f32, b: f32| a + b, wrapping_add);
    check_others!("sub", |s, at, a, b| tile::sub(s, at, a, b), _f: |a: f32, b: f32| a - b, wrapping_sub);
    check_others!("mul", |s, at, a, b| tile::mul(s, at, a, b), _f: |a: f32, b: f32| a * b, wrapping_mul);
    check_others!("div", |s, at, a, b| tile::div(s, at, a, b), _f: |a: f32, b: f32| a / b, wrapping_div);
    check_others!("maximum", |s, at, a, b| tile::maximum(s, at, a, b), _f: |a: f32, b: f32| nan_or(a, b, f32::max), max);
    check_others!("minimum", |s, at, a, b| tile::minimum(s, at, a, b), _f: |a: f32, b: f32| nan_or(a, b, f32::min), min);
}

#[test]
fn a_scalar_stands_on_either_side_and_takes_the_tiles_type() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[3, 5], |i| i as f32);
    for layout in LAYOUTS {
        let a = make_as(&core, layout, &[3, 5], |i| i as f32);
        let left = tile::sub(&core, SITE, 0.5_f64, a).unwrap();
        let right = tile::sub(&core, SITE, a, 2_usize).unwrap();
        for (i, index) in indices(&[3, 5]).iter().enumerate() {
            assert_eq!(
                left.get::<f32>(SITE, index).unwrap().to_bits(),
                (0.5 - i as f32).to_bits()
            );
            assert_eq!(
                right.get::<f32>(SITE, index).unwrap().to_bits(),
                (i as f32 - 2.0).to_bits()
            );
        }
    }
    let halves = tile::cast(&core, SITE, DType::Bf16, a).unwrap();
    let sum = tile::add(&core, SITE, halves, 0.1).unwrap();
    assert_eq!(sum.get::<bf16>(SITE, &[0, 0]).unwrap(), bf16::from_f64(0.1));
    let bytes = tile::cast(&core, SITE, DType::U8, a).unwrap();
    let sum = tile::add(&core, SITE, bytes, 250.0).unwrap();
    assert_eq!(sum.get::<u8>(SITE, &[1, 2]).unwrap(), 1);
    for (scalar, value) in [
        ("0.5", tile::add(&core, SITE, bytes, 0.5)),
        ("256", tile::add(&core, SITE, 256, bytes)),
        ("-1", tile::mul(&core, SITE, bytes, -1_i8)),
        ("NaN", tile::add(&core, SITE, bytes, f32::NAN)),
        ("inf", tile::add(&core, SITE, f64::INFINITY, bytes)),
    ] {
        let operation = if scalar == "-1" { "mul" } else { "add" };
        let text = message(operation, value);
        assert!(
            text.contains(&format!("the scalar {scalar} is not a value of u8")),
            "{text}"
        );
    }
    let text = message("add", tile::add(&core, SITE, 1, 2));
    assert!(text.contains("two scalars"), "{text}");
}

#[test]
fn integers_refuse_a_divisor_of_zero_and_wrap_the_one_overflow() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[2, 9], |i| if i == 0 { i32::MIN } else { i as i32 });
    let zero = make(&core, &[9], |i| 4 - i as i32);
    let text = message("div", tile::div(&core, SITE, a, zero));
    assert!(text.contains("[2, 9] i32 is divided by 0"), "{text}");
    message("div", tile::div(&core, SITE, a, 0))
        .find("divided by 0")
        .unwrap();
    let out = tile::div(&core, SITE, a, -1).unwrap();
    assert_eq!(out.get::<i32>(SITE, &[0, 0]).unwrap(), i32::MIN);
    assert_eq!(out.get::<i32>(SITE, &[1, 0]).unwrap(), -9);
    let none = tile::zeros(&core, SITE, DType::I32, &[0, 9]).unwrap();
    assert_eq!(tile::div(&core, SITE, none, zero).unwrap().dims(), [0, 9]);
}

#[test]
fn shapes_that_do_not_broadcast_and_mixed_types_say_both() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = tile::zeros(&core, SITE, DType::F32, &[64, 128]).unwrap();
    let b = tile::zeros(&core, SITE, DType::F32, &[64, 64]).unwrap();
    let text = message("add", tile::add(&core, SITE, a, b));
    assert!(
        text.contains("[64, 128] f32 and [64, 64] f32 do not broadcast"),
        "{text}"
    );
    let half = tile::cast(&core, SITE, DType::F16, a).unwrap();
    let text = message("mul", tile::mul(&core, SITE, a, half));
    assert!(text.contains("[64, 128] f32 and [64, 128] f16"), "{text}");
    assert!(text.contains("write `cast::<f32>`"), "{text}");
    let flags = tile::zeros(&core, SITE, DType::Bool, &[64, 1]).unwrap();
    message("maximum", tile::maximum(&core, SITE, flags, flags))
        .find("bool")
        .unwrap();
    message("neg", tile::neg(&core, SITE, flags))
        .find("[64, 1] bool")
        .unwrap();
    let ints = tile::zeros(&core, SITE, DType::I32, &[64, 1]).unwrap();
    let text = message("exp", tile::exp(&core, SITE, ints));
    assert!(
        text.contains("[64, 1] i32") && text.contains("`cast`"),
        "{text}"
    );
}
