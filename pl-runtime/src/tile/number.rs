//! What arithmetic means for each element type, and the step from a run-time type to a Rust type.

use super::dispatch::{self, Kernel};
use super::half_bits::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16};
use super::memory::Bits;
use crate::dtype::{ScalarType, ScalarValue};
use half::{bf16, f16};

/// An element type that is computed with; stored as itself, computed as `Work`.
pub(super) trait Number: Bits {
    type Work: Arithmetic;
    fn to_work(self) -> Self::Work;
    fn from_work(work: Self::Work) -> Self;
    /// Runs an element-wise kernel over this type.
    fn run<K: Kernel>(kernel: K) -> K::Output;
    /// Runs a reduction of this type.
    fn run_wide<K: Kernel>(kernel: K) -> K::Output;
    /// It and every smaller natural number is an element.
    const LARGEST_COUNT: u64;
    /// A count up to [`LARGEST_COUNT`](Self::LARGEST_COUNT) as an element.
    fn from_count(count: usize) -> Self;
    /// The scalar as an element: floats take the nearest value, integers only an exact one.
    fn from_scalar(value: ScalarValue) -> Option<Self>;
}

/// Whether the scalar is a floating point number.
fn is_float(value: ScalarValue) -> bool {
    matches!(
        value.ty(),
        ScalarType::F64 | ScalarType::F32 | ScalarType::F16 | ScalarType::Bf16
    )
}

/// The scalar's value if it is an integer.
pub(super) fn exact_integer(value: ScalarValue) -> Option<i128> {
    let integer = value.as_i128();
    let lost = if is_float(value) {
        integer as f64 - value.as_f64()
    } else {
        0.0
    };
    // Neither NaN nor the part of a float behind the point, or above i128.
    (lost.abs() <= 0.0).then_some(integer)
}

/// Arithmetic in a type that is computed in.
pub(super) trait Arithmetic: Copy + PartialOrd {
    const ZERO: Self;
    const ONE: Self;
    /// Whether dividing by 0 has a value.
    const HAS_INFINITY: bool;
    /// An integer that orders values.
    type Key: Copy + Ord;
    const LOWEST: Self::Key;
    const HIGHEST: Self::Key;
    /// The key of the value, `nan` for NaN.
    fn key(self, nan: Self::Key) -> Self::Key;
    /// The value of a key; NaN for the lowest and the highest one, if the type has NaN.
    fn from_key(key: Self::Key) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// Integers: 0 if `other` is 0; callers refuse that before.
    fn div(self, other: Self) -> Self;
    /// The larger one; NaN if one of them is NaN.
    fn maximum(self, other: Self) -> Self;
    /// The smaller one; NaN if one of them is NaN.
    fn minimum(self, other: Self) -> Self;
    fn neg(self) -> Self;
    fn abs(self) -> Self;
}

impl Arithmetic for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const HAS_INFINITY: bool = true;
    type Key = i32;
    const LOWEST: i32 = i32::MIN;
    const HIGHEST: i32 = i32::MAX;
    #[inline(always)]
    fn key(self, nan: i32) -> i32 {
        // Negative floats grow downward: all bits but the sign turn around.
        let bits = self.to_bits().cast_signed();
        let key = bits ^ (bits >> 31) & i32::MAX;
        if self.is_nan() { nan } else { key }
    }
    #[inline(always)]
    fn from_key(key: i32) -> Self {
        Self::from_bits((key ^ (key >> 31) & i32::MAX).cast_unsigned())
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self - other
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self * other
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self / other
    }
    #[inline(always)]
    fn maximum(self, other: Self) -> Self {
        let larger = if self > other { self } else { other };
        if self.is_nan() { self } else { larger }
    }
    #[inline(always)]
    fn minimum(self, other: Self) -> Self {
        let smaller = if self < other { self } else { other };
        if self.is_nan() { self } else { smaller }
    }
    #[inline(always)]
    fn neg(self) -> Self {
        -self
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f32::abs(self)
    }
}

macro_rules! integers {
    ($($ty:ty: $abs:expr;)*) => {$(
        impl Arithmetic for $ty {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const HAS_INFINITY: bool = false;
            type Key = Self;
            const LOWEST: Self = Self::MIN;
            const HIGHEST: Self = Self::MAX;
            #[inline(always)]
            fn key(self, _nan: Self) -> Self { self }
            #[inline(always)]
            fn from_key(key: Self) -> Self { key }
            #[inline(always)]
            fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_div(other) }
            }
            #[inline(always)]
            fn maximum(self, other: Self) -> Self { Ord::max(self, other) }
            #[inline(always)]
            fn minimum(self, other: Self) -> Self { Ord::min(self, other) }
            #[inline(always)]
            fn neg(self) -> Self { self.wrapping_neg() }
            #[inline(always)]
            fn abs(self) -> Self {
                let abs: fn($ty) -> $ty = $abs;
                abs(self)
            }
        }
    )*};
}

integers! {
    i8: i8::wrapping_abs; i16: i16::wrapping_abs; i32: i32::wrapping_abs; i64: i64::wrapping_abs;
    u8: |v| v; u16: |v| v; u32: |v| v; u64: |v| v;
}

macro_rules! numbers {
    ($($ty:ty as $work:ty, $run:ident $run_wide:ident [$largest:expr]: $widen:expr, $narrow:expr, $scalar:expr;)*) => {$(
        impl Number for $ty {
            type Work = $work;
            #[inline(always)]
            fn to_work(self) -> $work { $widen(self) }
            #[inline(always)]
            fn from_work(work: $work) -> $ty { $narrow(work) }
            #[inline(always)]
            fn run<K: Kernel>(kernel: K) -> K::Output { dispatch::$run(kernel) }
            #[inline(always)]
            fn run_wide<K: Kernel>(kernel: K) -> K::Output { dispatch::$run_wide(kernel) }
            const LARGEST_COUNT: u64 = $largest;
            #[inline(always)]
            fn from_count(count: usize) -> Self { Self::from_work(count as $work) }
            fn from_scalar(value: ScalarValue) -> Option<Self> { $scalar(value) }
        }
    )*};
}

/// What it gets.
#[inline(always)]
fn same<T>(value: T) -> T {
    value
}

/// The integer as a type that may be too small.
fn integer<T: TryFrom<i128>>(value: ScalarValue) -> Option<T> {
    exact_integer(value).and_then(|integer| T::try_from(integer).ok())
}

// Integers count and index; compiling each kernel for them more than once is not worth the time.
numbers! {
    f32 as f32, run run_wide [1 << 24]: same, same, |value: ScalarValue| Some(value.as_f64() as f32);
    f16 as f32, run run_wide [1 << 11]: |v: f16| f16_to_f32(v.to_bits()), |w| f16::from_bits(f32_to_f16(w)),
        |value: ScalarValue| Some(f16::from_f64(value.as_f64()));
    bf16 as f32, run run_wide [1 << 8]: |v: bf16| bf16_to_f32(v.to_bits()),
        |w| bf16::from_bits(f32_to_bf16(w)),
        |value: ScalarValue| Some(bf16::from_f64(value.as_f64()));
    i8 as i8, portable portable [i8::MAX as u64]: same, same, integer;
    i16 as i16, portable portable [i16::MAX as u64]: same, same, integer;
    i32 as i32, portable portable [i32::MAX as u64]: same, same, integer;
    i64 as i64, portable portable [i64::MAX as u64]: same, same, integer;
    u8 as u8, portable portable [u8::MAX as u64]: same, same, integer;
    u16 as u16, portable portable [u16::MAX as u64]: same, same, integer;
    u32 as u32, portable portable [u32::MAX as u64]: same, same, integer;
    u64 as u64, portable portable [u64::MAX]: same, same, integer;
}

/// Conversion between element types, as by `as`: floats saturate, NaN becomes 0, integers wrap.
pub(super) trait CastFrom<A> {
    fn cast_from(value: A) -> Self;
}

macro_rules! casts {
    ($($to:ty)*) => {$(
        casts! { @ $to: f32 i8 i16 i32 i64 u8 u16 u32 u64 }
        impl CastFrom<f16> for $to {
            #[inline(always)]
            fn cast_from(value: f16) -> Self { value.to_work() as $to }
        }
        impl CastFrom<bf16> for $to {
            #[inline(always)]
            fn cast_from(value: bf16) -> Self { value.to_work() as $to }
        }
    )*};
    (@ $to:ty: $($from:ty)*) => {$(
        impl CastFrom<$from> for $to {
            #[inline(always)]
            #[allow(
                clippy::unnecessary_cast,
                clippy::cast_lossless,
                reason = "one line for all pairs"
            )]
            fn cast_from(value: $from) -> Self { value as $to }
        }
    )*};
}
casts! { f32 i8 i16 i32 i64 u8 u16 u32 u64 }

impl<A> CastFrom<A> for f16
where
    f32: CastFrom<A>,
{
    #[inline(always)]
    fn cast_from(value: A) -> Self {
        Self::from_work(f32::cast_from(value))
    }
}

impl<A> CastFrom<A> for bf16
where
    f32: CastFrom<A>,
{
    #[inline(always)]
    fn cast_from(value: A) -> Self {
        Self::from_work(f32::cast_from(value))
    }
}

/// Evaluates the body with `$T` standing for the Rust type of a float dtype; `else` otherwise.
macro_rules! for_float {
    ($dtype:expr, $T:ident => $body:expr, else $other:expr) => {
        match $dtype {
            $crate::dtype::DType::F32 => {
                type $T = f32;
                $body
            }
            $crate::dtype::DType::F16 => {
                type $T = half::f16;
                $body
            }
            $crate::dtype::DType::Bf16 => {
                type $T = half::bf16;
                $body
            }
            _ => $other,
        }
    };
}

/// As [`for_float`] for signed integers.
macro_rules! for_signed_integer {
    ($dtype:expr, $T:ident => $body:expr, else $other:expr) => {
        match $dtype {
            $crate::dtype::DType::I8 => {
                type $T = i8;
                $body
            }
            $crate::dtype::DType::I16 => {
                type $T = i16;
                $body
            }
            $crate::dtype::DType::I32 => {
                type $T = i32;
                $body
            }
            $crate::dtype::DType::I64 => {
                type $T = i64;
                $body
            }
            _ => $other,
        }
    };
}

/// As [`for_float`] for integers.
macro_rules! for_integer {
    ($dtype:expr, $T:ident => $body:expr, else $other:expr) => {
        match $dtype {
            $crate::dtype::DType::U8 => {
                type $T = u8;
                $body
            }
            $crate::dtype::DType::U16 => {
                type $T = u16;
                $body
            }
            $crate::dtype::DType::U32 => {
                type $T = u32;
                $body
            }
            $crate::dtype::DType::U64 => {
                type $T = u64;
                $body
            }
            _ => $crate::tile::number::for_signed_integer!($dtype, $T => $body, else $other),
        }
    };
}

/// As [`for_float`] for floats and signed integers.
macro_rules! for_signed {
    ($dtype:expr, $T:ident => $body:expr, else $other:expr) => {
        $crate::tile::number::for_float!(
            $dtype,
            $T => $body,
            else $crate::tile::number::for_signed_integer!($dtype, $T => $body, else $other)
        )
    };
}

/// As [`for_float`] for all numbers; `else` for `bool`.
macro_rules! for_number {
    ($dtype:expr, $T:ident => $body:expr, else $other:expr) => {
        $crate::tile::number::for_float!(
            $dtype,
            $T => $body,
            else $crate::tile::number::for_integer!($dtype, $T => $body, else $other)
        )
    };
}

/// Evaluates the body with `$T` standing for the unsigned integer as wide as an element.
macro_rules! for_width {
    ($dtype:expr, $T:ident => $body:expr) => {
        match $dtype.bytes() {
            1 => {
                type $T = u8;
                $body
            }
            2 => {
                type $T = u16;
                $body
            }
            4 => {
                type $T = u32;
                $body
            }
            _ => {
                type $T = u64;
                $body
            }
        }
    };
}

pub(super) use {for_float, for_integer, for_number, for_signed, for_signed_integer, for_width};
