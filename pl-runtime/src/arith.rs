//! Arithmetic on scalars, as generated code calls it: what has no value is an error at its place, in
//! every build.

mod launch;
mod on;

pub use launch::{blocks, target};
pub use on::{Mistyped, On, expect, unassigned};

use crate::dtype::{bf16, f16};
use crate::error::OperationError;
use crate::site::Site;
use std::any::type_name;
use std::fmt::{self, Display};

/// A scalar that can be computed with. Floats always have a value.
pub trait Checked: Copy + Display {
    /// The largest value; `None` where no value is too large.
    const MAX: Option<Self>;
    /// The smallest one.
    const MIN: Option<Self>;
    fn is_zero(self) -> bool;
    fn try_add(a: Self, b: Self) -> Option<Self>;
    fn try_sub(a: Self, b: Self) -> Option<Self>;
    fn try_mul(a: Self, b: Self) -> Option<Self>;
    fn try_div(a: Self, b: Self) -> Option<Self>;
    fn try_rem(a: Self, b: Self) -> Option<Self>;
    fn try_shl(a: Self, bits: u32) -> Option<Self>;
    fn try_shr(a: Self, bits: u32) -> Option<Self>;
    fn try_neg(a: Self) -> Option<Self>;
    fn try_abs(a: Self) -> Option<Self>;
    fn try_pow(a: Self, exponent: u32) -> Option<Self>;
}

/// An integer without a sign.
pub trait Unsigned: Checked {
    fn try_div_ceil(a: Self, b: Self) -> Option<Self>;
    fn try_next_multiple_of(a: Self, b: Self) -> Option<Self>;
}

macro_rules! integers {
    ($($ty:ty: $abs:expr;)*) => {$(
        impl Checked for $ty {
            const MAX: Option<Self> = Some(<$ty>::MAX);
            const MIN: Option<Self> = Some(<$ty>::MIN);
            #[inline]
            fn is_zero(self) -> bool { self == 0 }
            #[inline]
            fn try_add(a: Self, b: Self) -> Option<Self> { a.checked_add(b) }
            #[inline]
            fn try_sub(a: Self, b: Self) -> Option<Self> { a.checked_sub(b) }
            #[inline]
            fn try_mul(a: Self, b: Self) -> Option<Self> { a.checked_mul(b) }
            #[inline]
            fn try_div(a: Self, b: Self) -> Option<Self> { a.checked_div(b) }
            #[inline]
            fn try_rem(a: Self, b: Self) -> Option<Self> { a.checked_rem(b) }
            #[inline]
            fn try_shl(a: Self, bits: u32) -> Option<Self> { a.checked_shl(bits) }
            #[inline]
            fn try_shr(a: Self, bits: u32) -> Option<Self> { a.checked_shr(bits) }
            #[inline]
            fn try_neg(a: Self) -> Option<Self> { a.checked_neg() }
            #[inline]
            fn try_abs(a: Self) -> Option<Self> {
                let abs: fn($ty) -> Option<$ty> = $abs;
                abs(a)
            }
            #[inline]
            fn try_pow(a: Self, exponent: u32) -> Option<Self> { a.checked_pow(exponent) }
        }
    )*};
}

integers! {
    i8: i8::checked_abs; i16: i16::checked_abs; i32: i32::checked_abs; i64: i64::checked_abs;
    i128: i128::checked_abs; isize: isize::checked_abs;
    u8: Some; u16: Some; u32: Some; u64: Some; u128: Some; usize: Some;
}

macro_rules! unsigned {
    ($($ty:ty)*) => {$(
        impl Unsigned for $ty {
            #[inline]
            fn try_div_ceil(a: Self, b: Self) -> Option<Self> { (b != 0).then(|| a.div_ceil(b)) }
            #[inline]
            fn try_next_multiple_of(a: Self, b: Self) -> Option<Self> {
                a.checked_next_multiple_of(b)
            }
        }
    )*};
}

unsigned! { u8 u16 u32 u64 u128 usize }

/// Operators that a type does not have: rustc has refused them in the kernel.
macro_rules! without {
    ($($name:ident($ty:ty))*) => {$(
        fn $name(_: Self, _: $ty) -> Option<Self> { None }
    )*};
}

macro_rules! floats {
    ($($ty:ty: $abs:expr;)*) => {$(
        impl Checked for $ty {
            const MAX: Option<Self> = None;
            const MIN: Option<Self> = None;
            #[inline]
            fn is_zero(self) -> bool { false }
            #[inline]
            fn try_add(a: Self, b: Self) -> Option<Self> { Some(a + b) }
            #[inline]
            fn try_sub(a: Self, b: Self) -> Option<Self> { Some(a - b) }
            #[inline]
            fn try_mul(a: Self, b: Self) -> Option<Self> { Some(a * b) }
            #[inline]
            fn try_div(a: Self, b: Self) -> Option<Self> { Some(a / b) }
            #[inline]
            fn try_rem(a: Self, b: Self) -> Option<Self> { Some(a % b) }
            #[inline]
            fn try_neg(a: Self) -> Option<Self> { Some(-a) }
            #[inline]
            fn try_abs(a: Self) -> Option<Self> {
                let abs: fn($ty) -> $ty = $abs;
                Some(abs(a))
            }
            without! { try_shl(u32) try_shr(u32) try_pow(u32) }
        }
    )*};
}

floats! {
    f64: f64::abs; f32: f32::abs;
    f16: |x| f16::from_bits(x.to_bits() & 0x7fff);
    bf16: |x| bf16::from_bits(x.to_bits() & 0x7fff);
}

impl Checked for bool {
    const MAX: Option<Self> = None;
    const MIN: Option<Self> = None;
    fn is_zero(self) -> bool {
        false
    }
    fn try_neg(_: Self) -> Option<Self> {
        None
    }
    fn try_abs(_: Self) -> Option<Self> {
        None
    }
    without! {
        try_add(Self) try_sub(Self) try_mul(Self) try_div(Self) try_rem(Self)
        try_shl(u32) try_shr(u32) try_pow(u32)
    }
}

macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident $bound:ident $try:ident $symbol:literal;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// The result does not fit its type, or is a division by zero.
        #[inline]
        pub fn $name<T: $bound>(a: T, b: T, site: Site) -> Result<T, OperationError> {
            match T::$try(a, b) {
                Some(value) => Ok(value),
                None => Err(refuse($symbol, site, a, b)),
            }
        }
    )*};
}

operators! {
    /// `a + b`
    add Checked try_add "+";
    /// `a - b`
    sub Checked try_sub "-";
    /// `a * b`
    mul Checked try_mul "*";
    /// `a / b`
    div Checked try_div "/";
    /// `a % b`
    rem Checked try_rem "%";
    /// `a.div_ceil(b)`
    div_ceil Unsigned try_div_ceil "div_ceil";
    /// `a.next_multiple_of(b)`
    next_multiple_of Unsigned try_next_multiple_of "next_multiple_of";
}

/// `a << bits`
///
/// # Errors
/// As many bits as the type has, or more, or fewer than none.
#[inline]
pub fn shl<T: Checked, B: TryInto<u32> + Display + Copy>(
    a: T,
    bits: B,
    site: Site,
) -> Result<T, OperationError> {
    let result = bits.try_into().ok().and_then(|bits| T::try_shl(a, bits));
    result.ok_or_else(|| shift("<<", site, a, bits))
}

/// `a >> bits`
///
/// # Errors
/// As for [`shl`].
#[inline]
pub fn shr<T: Checked, B: TryInto<u32> + Display + Copy>(
    a: T,
    bits: B,
    site: Site,
) -> Result<T, OperationError> {
    let result = bits.try_into().ok().and_then(|bits| T::try_shr(a, bits));
    result.ok_or_else(|| shift(">>", site, a, bits))
}

/// `-a`
///
/// # Errors
/// The result does not fit its type.
#[inline]
pub fn neg<T: Checked>(a: T, site: Site) -> Result<T, OperationError> {
    T::try_neg(a).ok_or_else(|| too_large::<T>("-", site, &format_args!("-({a})")))
}

/// `a.abs()`
///
/// # Errors
/// The result does not fit its type.
#[inline]
pub fn abs<T: Checked>(a: T, site: Site) -> Result<T, OperationError> {
    T::try_abs(a).ok_or_else(|| too_large::<T>("abs", site, &format_args!("({a}).abs()")))
}

/// `a.pow(exponent)`
///
/// # Errors
/// The result does not fit its type.
#[inline]
pub fn pow<T: Checked>(a: T, exponent: u32, site: Site) -> Result<T, OperationError> {
    T::try_pow(a, exponent)
        .ok_or_else(|| too_large::<T>("pow", site, &format_args!("({a}).pow({exponent})")))
}

/// The step of `(a..b).step_by(step)`.
///
/// # Errors
/// It is 0.
#[inline]
pub fn step(step: usize, site: Site) -> Result<usize, OperationError> {
    if step == 0 {
        return Err(no_step(site));
    }
    Ok(step)
}

#[cold]
fn no_step(site: Site) -> OperationError {
    let message = "a loop cannot go in steps of 0; pass a step that is at least 1, for example with \
                   `.max(1)`";
    OperationError::new("step_by", site, message)
}

#[cold]
fn refuse<T: Checked>(operation: &'static str, site: Site, a: T, b: T) -> OperationError {
    let divides = matches!(operation, "/" | "%" | "div_ceil" | "next_multiple_of");
    let is_method = operation.len() > 1;
    let text = if is_method {
        format!("({a}).{operation}({b})")
    } else {
        format!("{a} {operation} {b}")
    };
    if divides && b.is_zero() {
        let message = format!(
            "{text} is a division by zero; pass a divisor that is at least 1, for example with \
             `.max(1)`"
        );
        return OperationError::new(operation, site, message);
    }
    let mut error = too_large::<T>(operation, site, &text);
    if operation == "-" && T::MIN.is_some_and(Checked::is_zero) {
        error.message += "; `a.saturating_sub(b)` stops at 0";
    }
    error
}

#[cold]
fn too_large<T: Checked>(
    operation: &'static str,
    site: Site,
    text: &dyn fmt::Display,
) -> OperationError {
    let range = match (T::MIN, T::MAX) {
        (Some(min), Some(max)) => format!(" ({min} to {max})"),
        _ => String::new(),
    };
    let message = format!(
        "{text} does not fit into {}{range}; check the operands before, or compute in a wider type",
        type_name::<T>()
    );
    OperationError::new(operation, site, message)
}

#[cold]
fn shift<T: Checked>(
    operation: &'static str,
    site: Site,
    a: T,
    bits: impl Display,
) -> OperationError {
    let message = format!(
        "{a} {operation} {bits}: {} has {} bits; shift by 0 to {}",
        type_name::<T>(),
        8 * size_of::<T>(),
        8 * size_of::<T>() - 1
    );
    OperationError::new(operation, site, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITE: Site = Site::new("kernels.rs", 7);

    #[test]
    fn what_has_a_value_is_what_rust_gives() {
        assert_eq!(add(3, 4_usize, SITE), Ok(7));
        assert_eq!(sub(3, 4, SITE), Ok(-1));
        assert_eq!(rem(-7, 4, SITE), Ok(-3));
        assert_eq!(div(1.0, 0.0_f32, SITE), Ok(f32::INFINITY));
        assert_eq!(div_ceil(7_u32, 2, SITE), Ok(4));
        assert_eq!(next_multiple_of(7_usize, 4, SITE), Ok(8));
        assert_eq!(shl(1_u8, 7_usize, SITE), Ok(128));
        assert_eq!(shr(-8_i32, 1, SITE), Ok(-4));
        assert_eq!(pow(3_i64, 3, SITE), Ok(27));
        assert_eq!((neg(5, SITE), abs(-5, SITE)), (Ok(-5), Ok(5)));
        assert_eq!(abs(f16::from_f32(-2.0), SITE), Ok(f16::from_f32(2.0)));
        assert_eq!(step(2, SITE), Ok(2));
    }

    #[test]
    fn what_has_no_value_says_operation_place_operands_and_a_way_out() {
        let says = |error: Option<OperationError>, parts: &[&str]| {
            let text = error.expect("it has no value").to_string();
            for part in parts.iter().chain(&["kernels.rs:7"]) {
                assert!(text.contains(part), "{part}: {text}");
            }
        };
        says(
            add(usize::MAX, 1, SITE).err(),
            &["`+`", "18446744073709551615 + 1 does not fit into usize"],
        );
        says(
            sub(3_usize, 4, SITE).err(),
            &["`-`", "3 - 4", "saturating_sub"],
        );
        says(
            sub(-100_i8, 100, SITE).err(),
            &["-100 - 100", "-128 to 127"],
        );
        says(mul(i64::MAX, 2, SITE).err(), &["`*`", "into i64"]);
        says(
            div(8, 0, SITE).err(),
            &["`/`", "8 / 0 is a division by zero", "max(1)"],
        );
        says(div(i32::MIN, -1, SITE).err(), &["does not fit into i32"]);
        says(rem(8, 0, SITE).err(), &["`%`", "division by zero"]);
        says(
            div_ceil(8_usize, 0, SITE).err(),
            &["`div_ceil`", "(8).div_ceil(0)"],
        );
        says(
            next_multiple_of(255_u8, 2, SITE).err(),
            &["does not fit into u8"],
        );
        says(shl(1_u8, 8, SITE).err(), &["`<<`", "0 to 7"]);
        says(shr(1_u8, -1, SITE).err(), &["`>>`", "0 to 7"]);
        says(neg(1_usize, SITE).err(), &["-(1)"]);
        says(abs(i8::MIN, SITE).err(), &["`abs`"]);
        says(pow(10_u8, 3, SITE).err(), &["`pow`", "(10).pow(3)"]);
        says(step(0, SITE).err(), &["`step_by`", "max(1)"]);
    }
}
