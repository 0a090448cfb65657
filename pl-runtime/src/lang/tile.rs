//! Tiles in kernels.

use super::{SliceSpec, outside};
use crate::dtype::{Element, Scalar, bf16, f16};
use std::marker::PhantomData;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A tile in a core's scratch: a handle, copied freely; `copy_to` changes what it refers to.
pub struct Tile<T> {
    _element: PhantomData<T>,
}

impl<T> Clone for Tile<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Tile<T> {}

/// Dimensions of a new tile: an array of up to five lengths.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of dimensions",
    note = "dimensions are an array of `usize`, `[rows, columns]`"
)]
pub trait Dims {}

impl<const R: usize> Dims for [usize; R] {}

/// An operand beside a tile of `T`: another tile of `T`, or a scalar.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be combined with a tile of `{T}`",
    note = "operands are tiles of the same element type, or scalars"
)]
pub trait Operand<T> {}

impl<T: Element> Operand<T> for Tile<T> {}
impl<T: Element, S: Scalar> Operand<T> for S {}

/// The other side of an operator on a tile, if it is not a tile itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be combined with this tile",
    label = "neither a scalar nor a tile of the same element type",
    note = "operators take two tiles of one element type, or a tile and a scalar; `cast::<f32>(x)` converts a tile"
)]
pub trait ScalarOperand {}

/// What `create_tensor` is in in-core code: a tile of zeros.
#[doc(hidden)]
#[track_caller]
pub fn create_tile<T: Element>(dims: impl Dims) -> Tile<T> {
    let _ = dims;
    outside("create_tensor")
}

impl<T: Element> Tile<T> {
    /// The part that `s![..]` selects; no copy.
    #[must_use]
    pub fn slice<const IN: usize, const OUT: usize>(self, items: SliceSpec<IN, OUT>) -> Self {
        let _ = items;
        outside("slice")
    }

    /// The same elements with other dimensions.
    #[must_use]
    pub fn reshape(self, dims: impl Dims) -> Self {
        let _ = dims;
        outside("reshape")
    }

    /// Two dimensions exchanged; no copy.
    #[must_use]
    pub fn transpose(self, a: usize, b: usize) -> Self {
        let _ = (a, b);
        outside("transpose")
    }

    /// Length of a dimension.
    #[must_use]
    pub fn dim(self, axis: usize) -> usize {
        let _ = axis;
        outside("dim")
    }

    /// One element.
    #[must_use]
    pub fn get<const R: usize>(self, indices: [usize; R]) -> T {
        let _ = indices;
        outside("get")
    }

    /// Sets one element.
    pub fn set<const R: usize>(self, indices: [usize; R], value: T) {
        let _ = (indices, value);
        outside("set")
    }

    /// On a fresh `create_tensor`: every element starts as `value`.
    #[must_use]
    pub fn init(self, value: T) -> Self {
        let _ = value;
        outside("init")
    }
}

impl<T: Element> Neg for Tile<T> {
    type Output = Self;
    fn neg(self) -> Self {
        outside("-")
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $symbol:literal;)*) => {$(
        impl<T: Element> $trait<Tile<T>> for Tile<T> {
            type Output = Self;
            fn $method(self, _: Self) -> Self {
                outside($symbol)
            }
        }

        impl<T: Element, S: ScalarOperand> $trait<S> for Tile<T> {
            type Output = Self;
            fn $method(self, _: S) -> Self {
                outside($symbol)
            }
        }

        operators! { scalar $trait $method $symbol:
            f64 f32 f16 bf16 i8 i16 i32 i64 isize u8 u16 u32 u64 usize }
    )*};
    (scalar $trait:ident $method:ident $symbol:literal: $($scalar:ty)*) => {$(
        impl<T: Element> $trait<Tile<T>> for $scalar {
            type Output = Tile<T>;
            fn $method(self, _: Tile<T>) -> Tile<T> {
                outside($symbol)
            }
        }
    )*};
}

operators! { Add add "+"; Sub sub "-"; Mul mul "*"; Div div "/"; }
