//! Comparisons, logic and selection, against plain loops.

#![allow(clippy::type_complexity, reason = "tables of functions")]

use crate::support::*;
use half::{bf16, f16};
use pl_runtime::dtype::{DType, Element};
use pl_runtime::error::OperationError;
use pl_runtime::site::Site;
use pl_runtime::tile::{self, Scratch, Tile};

type Binary =
    for<'s> fn(&'s Scratch<'_>, Site, Tile<'s>, Tile<'s>) -> Result<Tile<'s>, OperationError>;

/// Every second element is that of the other operand, so that some are equal.
fn check_comparison<T: Sample + PartialOrd>(
    name: &str,
    operation: Binary,
    plain: fn(&T, &T) -> bool,
) {
    for (a_dims, b_dims, dims) in BROADCASTS {
        for a_layout in LAYOUTS {
            for b_layout in LAYOUTS {
                let mut arena = arena();
                let core = arena.start_task();
                let a = make_as::<T>(&core, a_layout, a_dims, T::sample);
                let b = make_as::<T>(&core, b_layout, b_dims, |i| T::sample(i + 7 * (i % 2)));
                let out = operation(&core, SITE, a, b).unwrap();
                let what = format!("{name} of {a:?} and {b:?}");
                assert_eq!((out.dims(), out.dtype()), (dims, DType::Bool), "{what}");
                for index in indices(dims) {
                    let x: T = a.get(SITE, &meets(&index, a_dims)).unwrap();
                    let y: T = b.get(SITE, &meets(&index, b_dims)).unwrap();
                    let ours: bool = out.get(SITE, &index).unwrap();
                    assert_eq!(ours, plain(&x, &y), "{what}: {x:?} and {y:?}");
                }
            }
        }
    }
}

macro_rules! check_comparisons {
    ($($name:ident: $plain:ident;)*) => {
        $(check_comparisons!(@ $name, $plain: f32 f16 bf16 i8 i16 i32 i64 u8 u16 u32 u64);)*
    };
    (@ $name:ident, $plain:ident: $($ty:ty)*) => {$(
        check_comparison::<$ty>(
            concat!(stringify!($name), " of ", stringify!($ty)),
            |s, at, a, b| tile::$name(s, at, a, b),
            PartialOrd::$plain,
        );
    )*};
}

#[test]
fn comparisons_are_those_of_rust_in_every_layout() {
    check_comparisons! { lt: lt; le: le; gt: gt; ge: ge; }
}

#[test]
fn equality_is_that_of_rust_in_every_layout() {
    fn check<T: Sample + PartialOrd>() {
        check_comparison::<T>("eq", |s, at, a, b| tile::eq(s, at, a, b), PartialEq::eq);
        check_comparison::<T>("ne", |s, at, a, b| tile::ne(s, at, a, b), PartialEq::ne);
    }
    check::<f32>();
    check::<f16>();
    check::<bf16>();
    check::<i8>();
    check::<i64>();
    check::<u16>();
    check::<u64>();
}

#[test]
fn nan_is_different_from_everything_and_zeros_are_equal() {
    let mut arena = arena();
    let core = arena.start_task();
    let values_of = |x: f32, y: f32| {
        let x = make(&core, &[1], |_| x);
        [
            tile::lt(&core, SITE, x, y),
            tile::le(&core, SITE, x, y),
            tile::gt(&core, SITE, x, y),
            tile::ge(&core, SITE, x, y),
            tile::eq(&core, SITE, x, y),
            tile::ne(&core, SITE, x, y),
        ]
        .map(|out| out.unwrap().get::<bool>(SITE, &[0]).unwrap())
    };
    let unordered = [false, false, false, false, false, true];
    for (x, y) in [(f32::NAN, 1.0), (1.0, f32::NAN), (f32::NAN, f32::NAN)] {
        assert_eq!(values_of(x, y), unordered, "{x} {y}");
    }
    assert_eq!(
        values_of(-0.0, 0.0),
        [false, true, false, true, true, false]
    );
    let denormal = f32::from_bits(1);
    assert_eq!(
        values_of(0.0, denormal),
        [true, true, false, false, false, true]
    );
    assert_eq!(
        values_of(f32::INFINITY, f32::MAX),
        [false, false, true, true, false, true]
    );
}

#[test]
fn a_scalar_is_compared_from_either_side_as_an_element() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[5], |i| i as i32);
    let below = tile::lt(&core, SITE, a, 2).unwrap();
    assert_eq!(values::<bool>(below), [true, true, false, false, false]);
    let above = tile::lt(&core, SITE, 2, a).unwrap();
    assert_eq!(values::<bool>(above), [false, false, false, true, true]);
    // As an element of type bf16 it is 1.
    let b = make(&core, &[1], |_| bf16::ONE);
    let same = tile::eq(&core, SITE, b, 1.001_f32).unwrap();
    assert_eq!(values::<bool>(same), [true]);
    let text = message("ge", tile::ge(&core, SITE, a, 2.5));
    assert!(
        text.contains("the scalar 2.5 is not a value of i32"),
        "{text}"
    );
    let text = message("eq", tile::eq(&core, SITE, 1, 2));
    assert!(text.contains("two scalars"), "{text}");
}

#[test]
fn comparisons_refuse_truth_values_and_mixed_types() {
    let mut arena = arena();
    let core = arena.start_task();
    let flags = tile::zeros(&core, SITE, DType::Bool, &[4]).unwrap();
    let text = message("lt", tile::lt(&core, SITE, flags, flags));
    assert!(text.contains("no meaning for bool elements"), "{text}");
    let (a, b) = (
        tile::zeros(&core, SITE, DType::F32, &[4]).unwrap(),
        tile::zeros(&core, SITE, DType::I32, &[4]).unwrap(),
    );
    let text = message("ne", tile::ne(&core, SITE, a, b));
    assert!(
        text.contains("write `cast::<f32>` around the i32 one"),
        "{text}"
    );
    let c = tile::zeros(&core, SITE, DType::F32, &[3]).unwrap();
    let text = message("gt", tile::gt(&core, SITE, a, c));
    assert!(
        text.contains("[4] f32 and [3] f32 do not broadcast"),
        "{text}"
    );
}

#[test]
fn logic_is_that_of_rust_in_every_layout() {
    for (a_dims, b_dims, dims) in BROADCASTS {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let a = make_as(&core, layout, a_dims, |i| i % 3 == 0);
            let b = make_as(&core, layout, b_dims, |i| i % 2 == 0);
            let both = tile::and(&core, SITE, a, b).unwrap();
            let any = tile::or(&core, SITE, a, b).unwrap();
            assert_eq!((both.dims(), both.dtype()), (dims, DType::Bool));
            for index in indices(dims) {
                let x: bool = a.get(SITE, &meets(&index, a_dims)).unwrap();
                let y: bool = b.get(SITE, &meets(&index, b_dims)).unwrap();
                assert_eq!(both.get::<bool>(SITE, &index).unwrap(), x && y);
                assert_eq!(any.get::<bool>(SITE, &index).unwrap(), x || y);
            }
            let inverted = values::<bool>(tile::not(&core, SITE, a).unwrap());
            assert_eq!(
                inverted,
                values::<bool>(a).iter().map(|x| !x).collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn logic_refuses_what_is_no_truth_value() {
    let mut arena = arena();
    let core = arena.start_task();
    let flags = tile::zeros(&core, SITE, DType::Bool, &[4]).unwrap();
    let bytes = tile::zeros(&core, SITE, DType::U8, &[4]).unwrap();
    for (name, result) in [
        ("and", tile::and(&core, SITE, flags, bytes)),
        ("or", tile::or(&core, SITE, bytes, flags)),
        ("not", tile::not(&core, SITE, bytes)),
    ] {
        let text = message(name, result);
        assert!(
            text.contains("[4] u8 holds no `bool`") && text.contains("`ne(x, 0)`"),
            "{text}"
        );
    }
}

/// Shapes of mask, both operands, and what they give.
const TRIPLES: [[&[usize]; 4]; 9] = [
    [&[5, 37], &[5, 37], &[5, 37], &[5, 37]],
    [&[5, 1], &[5, 37], &[37], &[5, 37]],
    [&[1, 37], &[5, 1], &[5, 37], &[5, 37]],
    [&[5, 37], &[1, 1], &[5, 1], &[5, 37]],
    [&[1], &[2, 3, 4], &[3, 1], &[2, 3, 4]],
    [&[2, 1, 1], &[3, 1], &[4], &[2, 3, 4]],
    [&[5, 0], &[5, 1], &[1, 1], &[5, 0]],
    [&[0, 3], &[1, 3], &[0, 3], &[0, 3]],
    [&[], &[5], &[], &[5]],
];

fn check_select<T: Element + PartialEq + std::fmt::Debug>(
    same: fn(T, T) -> bool,
    sample: fn(usize) -> T,
) {
    for [mask_dims, a_dims, b_dims, dims] in TRIPLES {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let mask = make_as(&core, layout, mask_dims, |i| i % 3 != 0);
            let a = make_as(&core, layout, a_dims, sample);
            let b = make_as(&core, Layout::Contiguous, b_dims, |i| sample(i + 100));
            let scalar = sample(3);
            let outs = [
                tile::select(&core, SITE, mask, a, b).unwrap(),
                tile::select(&core, SITE, mask, scalar, b).unwrap(),
                tile::select(&core, SITE, mask, a, scalar).unwrap(),
            ];
            assert_eq!((outs[0].dims(), outs[0].dtype()), (dims, T::DTYPE));
            for index in indices(dims) {
                let chosen: bool = mask.get(SITE, &meets(&index, mask_dims)).unwrap();
                let x: T = a.get(SITE, &meets(&index, a_dims)).unwrap();
                let y: T = b.get(SITE, &meets(&index, b_dims)).unwrap();
                let expected = if chosen {
                    [x, scalar, x]
                } else {
                    [y, y, scalar]
                };
                for (out, expected) in outs.iter().zip(expected) {
                    // Beside a scalar the shape may be smaller.
                    let ours: T = out.get(SITE, &meets(&index, out.dims())).unwrap();
                    assert!(same(ours, expected), "{ours:?} instead of {expected:?}");
                }
            }
        }
    }
}

#[test]
fn a_selection_takes_elements_of_any_type_as_they_are() {
    fn check<T: Sample>() {
        check_select::<T>(T::same, T::sample);
    }
    check::<f32>();
    check::<f16>();
    check::<bf16>();
    check::<i8>();
    check::<i16>();
    check::<i32>();
    check::<i64>();
    check::<u8>();
    check::<u16>();
    check::<u32>();
    check::<u64>();
    check_select::<bool>(|a, b| a == b, |i| i % 2 == 0);
}

#[test]
fn a_selection_says_what_does_not_fit() {
    let mut arena = arena();
    let core = arena.start_task();
    let mask = tile::zeros(&core, SITE, DType::Bool, &[4]).unwrap();
    let bytes = tile::zeros(&core, SITE, DType::U8, &[4]).unwrap();
    let floats = tile::zeros(&core, SITE, DType::F32, &[4]).unwrap();
    let longer = tile::zeros(&core, SITE, DType::F32, &[5]).unwrap();
    for (result, parts) in [
        (
            tile::select(&core, SITE, bytes, floats, floats),
            ["[4] u8 holds no `bool`", "`ne(x, 0)`"],
        ),
        (
            tile::select(&core, SITE, mask, floats, bytes),
            ["[4] f32 and [4] u8", "`cast::<f32>`"],
        ),
        (
            tile::select(&core, SITE, mask, longer, 0.0),
            ["[4] bool and [5] f32 do not broadcast", "4 and 5"],
        ),
        (
            tile::select(&core, SITE, mask, floats, longer),
            ["[4] f32 and [5] f32 do not broadcast", "4 and 5"],
        ),
        (
            tile::select(&core, SITE, mask, bytes, 300),
            ["the scalar 300 is not a value of u8", "`cast`"],
        ),
        (
            tile::select(&core, SITE, mask, 1.0, 2.0),
            ["two scalars", "`full`"],
        ),
    ] {
        let text = message("select", result);
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    }
}

#[test]
fn a_selection_hides_what_it_does_not_take() {
    let mut arena = arena();
    let core = arena.start_task();
    let x = make(&core, &[3], |i| [f32::NAN, f32::INFINITY, 2.0][i]);
    let finite = tile::lt(&core, SITE, x, 10.0).unwrap();
    let out = tile::select(&core, SITE, finite, x, 0.0).unwrap();
    assert_same(&values::<f32>(out), &[0.0, 0.0, 2.0], "select");
}
