//! What generated code puts around the scalars of a kernel, so that a wrong type is an error in the code
//! that the author sees, and not a second time in the code that runs.

use super::{
    Checked, Unsigned, abs, add, div, div_ceil, mul, neg, next_multiple_of, pow, rem, shl, shr, sub,
};
use crate::error::OperationError;
use crate::site::Site;
use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, BitXor, Deref, Div, Mul, Range, Rem, Sub};

/// Operands `A` on their way to an operator.
///
/// rustc checks the operators of a kernel in the code that its author sees. What runs is checked
/// again; were it strict, every mistake would be reported twice. So operands whose types do not go
/// together are accepted here, as [`Signature::fit`](crate::call::Signature::fit) does for the
/// arguments of calls: the program does not compile anyway.
pub struct On<A>(pub A);

/// What method lookup finds if the operands do not go together: each method gives something of the
/// type of the first.
pub struct Mistyped<A>(PhantomData<A>);

impl<A> Deref for On<(A,)> {
    type Target = Mistyped<A>;

    fn deref(&self) -> &Mistyped<A> {
        &Mistyped(PhantomData)
    }
}

impl<A, B> Deref for On<(A, B)> {
    type Target = Mistyped<A>;

    fn deref(&self) -> &Mistyped<A> {
        &Mistyped(PhantomData)
    }
}

fn mistyped() -> ! {
    unreachable!("an operator whose operands do not go together was compiled")
}

/// Methods of [`On`] and, of the same names, of [`Mistyped`].
macro_rules! on {
    ($($name:ident($a:ty $(, $b:ty)?) [$($bounds:tt)*];)*) => {$(
        #[allow(
            clippy::should_implement_trait,
            reason = "the traits have no room for the place, and no fallback"
        )]
        impl<$($bounds)*> On<($a, $($b)?)> {
            /// The function of this name.
            ///
            /// # Errors
            /// As there.
            #[inline]
            pub fn $name(self, site: Site) -> Result<T, OperationError> {
                on! { @ $name self site $($b)? }
            }
        }

        impl<A> Mistyped<A> {
            /// Stands for the result.
            ///
            /// # Errors
            /// None: it never runs.
            pub fn $name(&self, _: Site) -> Result<A, OperationError> { mistyped() }
        }
    )*};
    (@ $name:ident $self:ident $site:ident $b:ty) => { $name($self.0.0, $self.0.1, $site) };
    (@ $name:ident $self:ident $site:ident) => { $name($self.0.0, $site) };
}

on! {
    add(T, T) [T: Checked];
    sub(T, T) [T: Checked];
    mul(T, T) [T: Checked];
    div(T, T) [T: Checked];
    rem(T, T) [T: Checked];
    div_ceil(T, T) [T: Unsigned];
    next_multiple_of(T, T) [T: Unsigned];
    shl(T, B) [T: Checked, B: TryInto<u32> + Display + Copy];
    shr(T, B) [T: Checked, B: TryInto<u32> + Display + Copy];
    pow(T, u32) [T: Checked];
    neg(T) [T: Checked];
    abs(T) [T: Checked];
}

/// Operators that always have a value.
macro_rules! on_any {
    ($($(#[$doc:meta])* $name:ident $bound:ident<$($output:ident)?> $symbol:tt $result:ident $else:ident;)*) => {$(
        impl<T: $bound $(<$output = T>)?> On<(T, T)> {
            $(#[$doc])*
            #[inline]
            pub fn $name(self) -> $result { self.0.0 $symbol self.0.1 }
        }

        impl<A> Mistyped<A> {
            /// Stands for the result.
            pub fn $name(&self) -> $else { mistyped() }
        }
    )*};
}

on_any! {
    /// `a + b` of floats.
    plus Add<Output> + T A;
    /// `a - b` of floats.
    minus Sub<Output> - T A;
    /// `a * b` of floats.
    times Mul<Output> * T A;
    /// `a / b` of floats.
    over Div<Output> / T A;
    /// `a % b` of floats.
    modulo Rem<Output> % T A;
    /// `a & b`
    bit_and BitAnd<Output> & T A;
    /// `a | b`
    bit_or BitOr<Output> | T A;
    /// `a ^ b`
    bit_xor BitXor<Output> ^ T A;
    /// `a == b`
    is_equal PartialEq<> == bool bool;
    /// `a != b`
    differs PartialEq<> != bool bool;
    /// `a < b`
    is_less PartialOrd<> < bool bool;
    /// `a <= b`
    is_at_most PartialOrd<> <= bool bool;
    /// `a > b`
    is_more PartialOrd<> > bool bool;
    /// `a >= b`
    is_at_least PartialOrd<> >= bool bool;
}

impl<T> On<(T, T)> {
    /// Both operands, of one type.
    #[inline]
    pub fn both(self) -> (T, T) {
        self.0
    }

    /// The second operand, for a variable that holds the first.
    #[inline]
    pub fn second(self) -> T {
        self.0.1
    }
}

impl<T> On<(T, T)>
where
    Range<T>: Iterator,
{
    /// `a..b`
    #[inline]
    pub fn range(self) -> Range<T> {
        self.0.0..self.0.1
    }
}

impl<A> Mistyped<A> {
    /// Stands for the range.
    pub fn range(&self) -> Range<usize> {
        mistyped()
    }

    /// Stands for the operands.
    pub fn both(&self) -> (A, A) {
        mistyped()
    }

    /// Stands for the second operand.
    pub fn second(&self) -> A {
        mistyped()
    }
}

/// The type that a value must have, for [`Signature::fit`](crate::call::Signature::fit).
pub const fn expect<T>() -> PhantomData<T> {
    PhantomData
}

/// What a variable holds before its first value: never read, for rustc has refused that.
#[inline]
pub fn unassigned<T: Default>() -> T {
    T::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITE: Site = Site::new("kernels.rs", 7);

    #[test]
    fn operands_that_go_together_give_what_the_operator_gives() {
        assert_eq!(On((3, 4_usize)).add(SITE), Ok(7));
        assert_eq!(On((1_u8, 7)).shl(SITE), Ok(128));
        assert_eq!(On((5,)).neg(SITE), Ok(-5));
        assert!(On((usize::MAX, 1)).add(SITE).is_err());
        assert_eq!(On((2.5, 2.0_f32)).times().to_bits(), 5.0_f32.to_bits());
        assert!(On((3, 4_usize)).is_less());
        assert_eq!(On((3, 4_usize)).second(), 4_usize);
    }

    #[test]
    #[should_panic(expected = "do not go together")]
    fn operands_that_do_not_go_together_compile_and_are_never_computed() {
        let _ = On((3_usize, 4_i32)).add(SITE);
    }
}
