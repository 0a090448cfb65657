//! Tiles from and to plain vectors, element by element, for comparison with plain loops.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

use pl_runtime::dtype::{DType, Element};
use pl_runtime::site::Site;
use pl_runtime::tensor::SliceItem;
use pl_runtime::tile::{self, Arena, Scratch, Tile};

pub const SITE: Site = Site::new("kernel.rs", 7);

pub fn arena() -> Arena {
    Arena::new(32 << 20, true).unwrap()
}

/// Every index of an array, in row-major order.
pub fn indices(dims: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for &dim in dims {
        all = all
            .iter()
            .flat_map(|index| (0..dim).map(move |i| [index.as_slice(), &[i]].concat()))
            .collect();
    }
    all
}

/// A tile whose elements are the values of `f` in row-major order.
pub fn make<'s, T: Element>(
    core: &'s Scratch<'_>,
    dims: &[usize],
    mut f: impl FnMut(usize) -> T,
) -> Tile<'s> {
    let out = tile::zeros(core, SITE, T::DTYPE, dims).unwrap();
    fill(out, &mut f);
    out
}

pub fn fill<T: Element>(out: Tile<'_>, mut f: impl FnMut(usize) -> T) {
    for (i, index) in indices(out.dims()).iter().enumerate() {
        out.set(SITE, index, f(i)).unwrap();
    }
}

/// The elements in row-major order.
pub fn values<T: Element>(a: Tile<'_>) -> Vec<T> {
    indices(a.dims())
        .iter()
        .map(|index| a.get(SITE, index).unwrap())
        .collect()
}

/// Ways to lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    Contiguous,
    /// The last two dimensions exchanged.
    Transposed,
    /// Every dimension a part of a longer one.
    Gaps,
}

pub const LAYOUTS: [Layout; 3] = [Layout::Contiguous, Layout::Transposed, Layout::Gaps];

/// As [`make`], in another layout.
pub fn make_as<'s, T: Element>(
    core: &'s Scratch<'_>,
    layout: Layout,
    dims: &[usize],
    f: impl FnMut(usize) -> T,
) -> Tile<'s> {
    let rank = dims.len();
    let out = match layout {
        Layout::Transposed if rank >= 2 => {
            let mut turned = dims.to_vec();
            turned.swap(rank - 2, rank - 1);
            let base = tile::zeros(core, SITE, T::DTYPE, &turned).unwrap();
            tile::transpose(core, SITE, base).unwrap()
        }
        Layout::Gaps if rank >= 1 => {
            let wide = dims.iter().map(|d| d + 3).collect::<Vec<_>>();
            let part = dims
                .iter()
                .map(|d| SliceItem::Range(2, d + 2))
                .collect::<Vec<_>>();
            let base = tile::zeros(core, SITE, T::DTYPE, &wide).unwrap();
            base.slice(&part, SITE).unwrap()
        }
        _ => tile::zeros(core, SITE, T::DTYPE, dims).unwrap(),
    };
    fill(out, f);
    out
}

/// Numbers between -1 and 1 that repeat late.
pub fn noise(seed: u64) -> impl FnMut(usize) -> f32 {
    move |i| {
        let mut x = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed;
        x = (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((x >> 40) as f32) / (1 << 23) as f32 - 1.0
    }
}

/// Shapes of two operands and of what they give: ragged, broadcast from both sides, of different ranks, and empty.
pub const BROADCASTS: [(&[usize], &[usize], &[usize]); 14] = [
    (&[5, 37], &[5, 37], &[5, 37]),
    (&[5, 37], &[5, 1], &[5, 37]),
    (&[5, 1], &[5, 37], &[5, 37]),
    (&[5, 37], &[1, 37], &[5, 37]),
    (&[5, 1], &[1, 37], &[5, 37]),
    (&[5, 37], &[37], &[5, 37]),
    (&[1], &[5, 37], &[5, 37]),
    (&[1, 1], &[1, 1], &[1, 1]),
    (&[2, 3, 4], &[3, 1], &[2, 3, 4]),
    (&[2, 1, 2, 1, 9], &[3, 1, 2, 1], &[2, 3, 2, 2, 9]),
    (&[67], &[67], &[67]),
    (&[0, 37], &[1, 37], &[0, 37]),
    (&[5, 0], &[5, 1], &[5, 0]),
    (&[], &[5], &[5]),
];

/// The element of an operand that a result's index meets.
pub fn meets(index: &[usize], dims: &[usize]) -> Vec<usize> {
    let own = &index[index.len() - dims.len()..];
    own.iter()
        .zip(dims)
        .map(|(&i, &d)| if d == 1 { 0 } else { i })
        .collect()
}

/// A type that the comparisons below know.
pub trait Sample: Element + PartialEq + std::fmt::Debug {
    /// Values with all the difficult ones among the first.
    fn sample(i: usize) -> Self;
    /// Equal, or both NaN.
    fn same(self, other: Self) -> bool;
    /// The larger one; NaN if one is.
    fn larger(self, other: Self) -> Self;
    /// The smaller one; NaN if one is.
    fn smaller(self, other: Self) -> Self;
}

macro_rules! floats {
    ($($ty:ty: $from:expr;)*) => {$(
        impl Sample for $ty {
            fn sample(i: usize) -> Self {
                const HARD: [f32; 11] = [
                    f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, 1.0, -1.5, 60000.0,
                    6.0e-5, -3.0e-7, 1.0e30,
                ];
                let from: fn(f32) -> $ty = $from;
                from(if i % 3 == 0 { HARD[i / 3 % HARD.len()] } else { noise(1)(i) * 8.0 })
            }
            #[allow(clippy::float_cmp, reason = "bit for bit, but for NaN and the sign of 0")]
            fn same(self, other: Self) -> bool {
                self == other || self.is_nan() && other.is_nan()
            }
            fn larger(self, other: Self) -> Self {
                if self.is_nan() || self > other { self } else { other }
            }
            fn smaller(self, other: Self) -> Self {
                if self.is_nan() || self < other { self } else { other }
            }
        }
    )*};
}
floats! { f32: |v| v; half::f16: half::f16::from_f32; half::bf16: half::bf16::from_f32; }

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Sample for $ty {
            fn sample(i: usize) -> Self {
                match i % 7 {
                    0 => <$ty>::MIN,
                    1 => <$ty>::MAX,
                    2 => <$ty>::MAX / 3,
                    _ => (i * 37) as $ty,
                }
            }
            fn same(self, other: Self) -> bool { self == other }
            fn larger(self, other: Self) -> Self { self.max(other) }
            fn smaller(self, other: Self) -> Self { self.min(other) }
        }
    )*};
}
integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

/// Fails unless both hold the same values.
pub fn assert_same<T: Sample>(ours: &[T], expected: &[T], what: &str) {
    assert_eq!(ours.len(), expected.len(), "{what}");
    for (i, (&a, &b)) in ours.iter().zip(expected).enumerate() {
        assert!(a.same(b), "{what}, element {i}: {a:?} instead of {b:?}");
    }
}

/// The message of an error, and a check that it names the operation and the place.
pub fn message<T: std::fmt::Debug>(
    operation: &str,
    result: Result<T, pl_runtime::error::OperationError>,
) -> String {
    let text = result.unwrap_err().to_string();
    assert!(
        text.starts_with(&format!("`{operation}` at kernel.rs:7: ")),
        "{text}"
    );
    text
}

pub const NUMBERS: [DType; 11] = [
    DType::F32,
    DType::F16,
    DType::Bf16,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
];

/// Calls a generic check for each of [`NUMBERS`].
macro_rules! for_numbers {
    ($check:ident) => {
        for_numbers! { $check f32 half::f16 half::bf16 i8 i16 i32 i64 u8 u16 u32 u64 }
    };
    ($check:ident $($ty:ty)*) => {$($check::<$ty>();)*};
}
pub(crate) use for_numbers;

/// Sums of integers wrap: checks what operation `$sum` gives against the elements of `$lines`, for tiles of
/// each shape and type.
macro_rules! check_integer_sums {
    ($shapes:expr, $lines:ident, $sum:ident) => {
        check_integer_sums! { $shapes, $lines, $sum, i8 i16 i32 i64 u8 u16 u32 u64 }
    };
    ($shapes:expr, $lines:ident, $sum:ident, $($ty:ty)*) => {$(for dims in $shapes {
        let mut arena = arena();
        let core = arena.start_task();
        let a = make_as(&core, Layout::Gaps, &dims, <$ty>::sample);
        let expected = $lines::<$ty>(a)
            .into_iter()
            .map(|line| line.into_iter().fold(0, <$ty>::wrapping_add))
            .collect::<Vec<_>>();
        let sums = values::<$ty>(tile::$sum(&core, SITE, a).unwrap());
        assert_same(&sums, &expected, stringify!($sum));
    })*};
}
pub(crate) use check_integer_sums;
