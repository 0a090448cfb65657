//! Operators on what a helper gave: generated code does not know whether that is a tile or a scalar.

use super::{Scratch, Tile};
use crate::arith::{self, Mistyped, On};
use crate::dtype::Scalar;
use crate::error::OperationError;
use crate::site::Site;

type Gives<T> = Result<T, OperationError>;

/// A tile or a scalar, and what the operators give with `B` on the other side. Tiles live in `'s`.
pub trait Either<'s, B> {
    /// A tile if there is one among the two.
    type Output;
    /// `a + b`
    fn add(self, b: B, s: &'s Scratch<'_>, site: Site) -> Gives<Self::Output>;
    /// `a - b`
    fn sub(self, b: B, s: &'s Scratch<'_>, site: Site) -> Gives<Self::Output>;
    /// `a * b`
    fn mul(self, b: B, s: &'s Scratch<'_>, site: Site) -> Gives<Self::Output>;
    /// `a / b`
    fn div(self, b: B, s: &'s Scratch<'_>, site: Site) -> Gives<Self::Output>;
}

/// The four operators from operations on tiles, or from arithmetic on scalars.
macro_rules! either {
    (call tiles $name:ident $a:ident $b:ident $s:ident $site:ident) => {
        super::$name($s, $site, $a, $b)
    };
    (call scalars $name:ident $a:ident $b:ident $s:ident $site:ident) => {{
        let _ = $s;
        arith::$name($a, $b, $site)
    }};
    ($by:ident [$($generics:tt)*] $a:ty, $b:ty => $output:ty: $($name:ident)*) => {
        impl<$($generics)*> Either<'s, $b> for $a {
            type Output = $output;
            $(
                #[inline]
                fn $name(self, b: $b, s: &'s Scratch<'_>, site: Site) -> Gives<$output> {
                    let a = self;
                    either! { call $by $name a b s site }
                }
            )*
        }
    };
}

either! { tiles ['s] Tile<'s>, Tile<'s> => Tile<'s>: add sub mul div }
either! { tiles ['s, S: Scalar] Tile<'s>, S => Tile<'s>: add sub mul div }
either! { tiles ['s, S: Scalar] S, Tile<'s> => Tile<'s>: add sub mul div }
either! { scalars ['s, S: Scalar] S, S => S: add sub mul div }

/// A tile or a scalar. Tiles live in `'s`.
pub trait Negate<'s>: Sized {
    /// `-x`
    fn neg(self, s: &'s Scratch<'_>, site: Site) -> Gives<Self>;
}

impl<'s> Negate<'s> for Tile<'s> {
    #[inline]
    fn neg(self, s: &'s Scratch<'_>, site: Site) -> Gives<Self> {
        super::neg(s, site, self)
    }
}

impl<'s, S: Scalar> Negate<'s> for S {
    #[inline]
    fn neg(self, _: &'s Scratch<'_>, site: Site) -> Gives<Self> {
        arith::neg(self, site)
    }
}

/// Methods of [`On`], and of the same names for operands that do not go together.
macro_rules! on {
    ($([$($generics:tt)*] $operands:ty, $either:ident => $output:ty: $value:expr;)*) => {$(
        impl<'s, $($generics)*> On<$operands> {
            /// The operator of this name, of tiles or scalars.
            ///
            /// # Errors
            /// As of the operation.
            #[inline]
            pub fn $either(self, s: &'s Scratch<'_>, site: Site) -> Gives<$output> {
                let value: fn($operands, &'s Scratch<'_>, Site) -> Gives<$output> = $value;
                value(self.0, s, site)
            }
        }

        impl<A> Mistyped<A> {
            /// Stands for the result.
            ///
            /// # Errors
            /// None: it never runs.
            pub fn $either(&self, _: &Scratch<'_>, _: Site) -> Gives<A> {
                unreachable!("an operator whose operands do not go together was compiled")
            }
        }
    )*};
}

on! {
    [A: Either<'s, B>, B] (A, B), either_add => A::Output: |(a, b), s, site| a.add(b, s, site);
    [A: Either<'s, B>, B] (A, B), either_sub => A::Output: |(a, b), s, site| a.sub(b, s, site);
    [A: Either<'s, B>, B] (A, B), either_mul => A::Output: |(a, b), s, site| a.mul(b, s, site);
    [A: Either<'s, B>, B] (A, B), either_div => A::Output: |(a, b), s, site| a.div(b, s, site);
    [A: Negate<'s>] (A,), either_neg => A: |(a,), s, site| a.neg(s, site);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType;
    use crate::tile::{Arena, full};

    const SITE: Site = Site::new("kernels.rs", 7);

    #[test]
    fn tiles_and_scalars_have_the_same_operators() {
        let mut arena = Arena::new(4096, false).unwrap();
        let s = &arena.start_task();
        let two = full(s, SITE, DType::I32, &[1], 2).unwrap();
        let first = |tile: Tile<'_>| tile.get::<i32>(SITE, &[0]).unwrap();
        assert_eq!(first(On((two, 3)).either_add(s, SITE).unwrap()), 5);
        assert_eq!(first(On((3, two)).either_sub(s, SITE).unwrap()), 1);
        assert_eq!(first(On((two, two)).either_mul(s, SITE).unwrap()), 4);
        assert_eq!(first(On((two,)).either_neg(s, SITE).unwrap()), -2);
        assert_eq!(On((7_usize, 2)).either_div(s, SITE), Ok(3));
        assert_eq!(On((2_i8,)).either_neg(s, SITE), Ok(-2));
        assert!(On((1_usize, 2)).either_sub(s, SITE).is_err());
    }
}
