//! Conversions of floats with a choice of rounding, against neighbours found in a sorted list.

#![allow(clippy::float_cmp, reason = "exact values")]

use crate::support::*;
use half::{bf16, f16};
use pl_runtime::dtype::{DType, Element};
use pl_runtime::error::OperationError;
use pl_runtime::site::Site;
use pl_runtime::tile::{self, Scratch, Tile};

type Cast = for<'s> fn(&'s Scratch<'_>, Site, DType, Tile<'s>) -> Result<Tile<'s>, OperationError>;

/// The operation, the integer it gives for a float, and which of two neighbours it takes: whether the
/// upper one, of a number between them (below 0 or above; below, at or above the middle; whether the
/// lower one is even).
struct Row {
    name: &'static str,
    cast: Cast,
    integer: fn(f64) -> f64,
    upper: fn(negative: bool, half: std::cmp::Ordering, lower_even: bool) -> bool,
}

const TABLE: [Row; 5] = [
    Row {
        name: "cast_rint",
        cast: |s, at, to, a| tile::cast_rint(s, at, to, a),
        integer: f64::round_ties_even,
        upper: |_, half, lower_even| half.is_gt() || half.is_eq() && !lower_even,
    },
    Row {
        name: "cast_round",
        cast: |s, at, to, a| tile::cast_round(s, at, to, a),
        integer: f64::round,
        upper: |negative, half, _| half.is_gt() || half.is_eq() && !negative,
    },
    Row {
        name: "cast_floor",
        cast: |s, at, to, a| tile::cast_floor(s, at, to, a),
        integer: f64::floor,
        upper: |_, _, _| false,
    },
    Row {
        name: "cast_ceil",
        cast: |s, at, to, a| tile::cast_ceil(s, at, to, a),
        integer: f64::ceil,
        upper: |_, _, _| true,
    },
    Row {
        name: "cast_trunc",
        cast: |s, at, to, a| tile::cast_trunc(s, at, to, a),
        integer: f64::trunc,
        upper: |negative, _, _| negative,
    },
];

/// Numbers at, near and between integers, at the edges of their types, and special ones.
fn difficult(i: usize) -> f32 {
    const EDGES: [f32; 16] = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        0.0,
        -0.0,
        1.0e-40,
        -1.0e-40,
        127.5,
        -128.5,
        255.5,
        32767.5,
        -32768.5,
        2.147_483_6e9,
        -2.147_483_6e9,
        9.3e18,
        -1.9e19,
    ];
    if i < EDGES.len() {
        EDGES[i]
    } else {
        (i as f32 - 150.0) / 4.0
    }
}

macro_rules! check_integers {
    ($row:expr, $from:ty, $of:expr; $($to:ty)*) => {$({
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let a = make_as::<$from>(&core, layout, &[3, 137], |i| ($of)(difficult(i)));
            let out = ($row.cast)(&core, SITE, <$to>::DTYPE, a).unwrap();
            assert_eq!((out.dims(), out.dtype()), (&[3, 137][..], <$to>::DTYPE));
            let plain = |x: $from| ($row.integer)(f64::from(x)) as $to;
            let expected: Vec<$to> = values::<$from>(a).into_iter().map(plain).collect();
            assert_same(&values::<$to>(out), &expected, $row.name);
        }
    })*};
}

#[test]
fn floats_become_the_integer_that_the_rounding_wants() {
    for row in &TABLE {
        check_integers!(row, f32, |x| x; i8 i16 i32 i64 u8 u16 u32 u64);
        check_integers!(row, f16, f16::from_f32; i8 i16 i32 u8);
        check_integers!(row, bf16, bf16::from_f32; i8 i64 u16);
    }
}

/// A 16-bit float type.
trait Half: Sample {
    fn of_bits(bits: u16) -> Self;
    fn wide(self) -> f64;
}

impl Half for f16 {
    fn of_bits(bits: u16) -> Self {
        Self::from_bits(bits)
    }
    fn wide(self) -> f64 {
        self.to_f64()
    }
}

impl Half for bf16 {
    fn of_bits(bits: u16) -> Self {
        Self::from_bits(bits)
    }
    fn wide(self) -> f64 {
        self.to_f64()
    }
}

/// Every value of the type in ascending order with its bits, from negative infinity to infinity.
fn all<H: Half>() -> Vec<(f64, u16)> {
    let mut all: Vec<_> = (0..=u16::MAX)
        .map(|bits| (H::of_bits(bits).wide(), bits))
        // One zero.
        .filter(|&(value, bits)| !value.is_nan() && bits != 0x8000)
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

/// What the rounding takes, from the list; where infinity begins, the next step beyond the largest
/// value stands for it.
fn expected(all: &[(f64, u16)], row: &Row, x: f64) -> f64 {
    let above = all.partition_point(|&(value, _)| value < x);
    let (upper, upper_bits) = all[above];
    if x.is_infinite() || upper == x {
        return x;
    }
    let (lower, lower_bits) = all[above - 1];
    let step = all[all.len() - 2].0 - all[all.len() - 3].0;
    let low = if lower.is_infinite() {
        upper - step
    } else {
        lower
    };
    let high = if upper.is_infinite() {
        lower + step
    } else {
        upper
    };
    let half = (x - low).total_cmp(&(high - x));
    // Bits of neighbours take turns; those of infinity follow the largest value.
    let lower_even = if x < 0.0 {
        upper_bits % 2 == 1
    } else {
        lower_bits % 2 == 0
    };
    if (row.upper)(x < 0.0, half, lower_even) {
        upper
    } else {
        lower
    }
}

fn check_half<H: Half>() {
    let all = all::<H>();
    for row in &TABLE {
        // All sizes of floats, at ties, and just beside them.
        let bits: Vec<u32> = (0..=u16::MAX)
            .step_by(7)
            .flat_map(|high| {
                [0, 1, 0x1000, 0x1001, 0x3000, 0x7fff, 0x8000, 0x8001, 0xffff]
                    .map(|low| u32::from(high) << 16 | low)
            })
            .collect();
        for chunk in bits.chunks(8192) {
            let mut arena = arena();
            let core = arena.start_task();
            let a = make(&core, &[chunk.len()], |i| f32::from_bits(chunk[i]));
            let out = (row.cast)(&core, SITE, H::DTYPE, a).unwrap();
            for (&bits, ours) in chunk.iter().zip(values::<H>(out)) {
                let x = f32::from_bits(bits);
                let good = if x.is_nan() {
                    ours.wide().is_nan()
                } else {
                    ours.wide() == expected(&all, row, f64::from(x))
                };
                assert!(good, "{} of {x:e} to {} is {ours:?}", row.name, H::DTYPE);
            }
        }
    }
}

#[test]
fn floats_become_the_half_that_the_rounding_wants() {
    check_half::<f16>();
    check_half::<bf16>();
}

#[test]
fn a_half_becomes_another_by_the_same_rule() {
    let all = all::<bf16>();
    for row in &TABLE {
        let mut arena = arena();
        let core = arena.start_task();
        let a = make_as::<f16>(&core, Layout::Gaps, &[7, 33], f16::sample);
        let out = (row.cast)(&core, SITE, DType::Bf16, a).unwrap();
        for (x, ours) in values::<f16>(a).into_iter().zip(values::<bf16>(out)) {
            let good =
                x.is_nan() && ours.is_nan() || ours.to_f64() == expected(&all, row, x.to_f64());
            assert!(good, "{} of {x} is {ours}", row.name);
        }
    }
}

#[test]
fn a_wider_float_holds_every_value() {
    for row in &TABLE {
        let mut arena = arena();
        let core = arena.start_task();
        let a = make::<bf16>(&core, &[50], bf16::sample);
        let out = (row.cast)(&core, SITE, DType::F32, a).unwrap();
        let plain: Vec<f32> = values::<bf16>(a).into_iter().map(bf16::to_f32).collect();
        assert_same(&values::<f32>(out), &plain, row.name);
    }
}

#[test]
fn nothing_is_rounded_where_there_is_nothing() {
    for row in &TABLE {
        let mut arena = arena();
        let core = arena.start_task();
        let none = tile::zeros(&core, SITE, DType::F32, &[0, 5]).unwrap();
        assert_eq!(
            (row.cast)(&core, SITE, DType::I8, none).unwrap().dims(),
            [0, 5]
        );
    }
}

#[test]
fn what_is_no_float_is_not_rounded() {
    for row in &TABLE {
        let mut arena = arena();
        let core = arena.start_task();
        for dtype in [DType::I32, DType::Bool] {
            let a = tile::zeros(&core, SITE, dtype, &[4]).unwrap();
            let text = message(row.name, (row.cast)(&core, SITE, DType::F16, a));
            let part = format!("rounds floats, and [4] {dtype} holds none; write `cast::<f16>`");
            assert!(text.contains(&part), "{text}");
        }
        let a = tile::zeros(&core, SITE, DType::F32, &[4]).unwrap();
        let text = message(row.name, (row.cast)(&core, SITE, DType::Bool, a));
        assert!(
            text.contains("makes no `bool`; compare instead: `ne(x, 0)`"),
            "{text}"
        );
    }
}

#[test]
fn floats_of_every_size_are_truncated_as_by_as() {
    fn check<T: Sample>(plain: fn(f32) -> T) {
        let bits: Vec<u32> = (0..=u32::MAX).step_by(65_537 * 5).collect();
        for chunk in bits.chunks(8192) {
            let mut arena = arena();
            let core = arena.start_task();
            let a = make(&core, &[chunk.len()], |i| f32::from_bits(chunk[i]));
            let expected: Vec<T> = values::<f32>(a).into_iter().map(plain).collect();
            for out in [
                tile::cast_trunc(&core, SITE, T::DTYPE, a),
                tile::cast(&core, SITE, T::DTYPE, a),
            ] {
                assert_same(&values::<T>(out.unwrap()), &expected, "truncated");
            }
        }
    }
    check(|x| x as i8);
    check(|x| x as i16);
    check(|x| x as i32);
    check(|x| x as i64);
    check(|x| x as u8);
    check(|x| x as u16);
    check(|x| x as u32);
    check(|x| x as u64);
}
