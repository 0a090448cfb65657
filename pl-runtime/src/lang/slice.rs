//! `s![..]` as rustc sees it.

use std::ops::{Range, RangeFrom, RangeFull, RangeTo};

/// The items of one `s![..]`: `IN` dimensions before, `OUT` after.
pub struct SliceSpec<const IN: usize, const OUT: usize>(());

impl<const IN: usize, const OUT: usize> SliceSpec<IN, OUT> {
    /// Takes one item for each dimension.
    pub fn of(items: impl SliceArgs) -> Self {
        let _ = items;
        super::outside("s!")
    }
}

/// One item of `s![..]`: a range of `usize`, or one index.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot select a part of a dimension",
    note = "items of `s![..]` are `a..b`, `a..`, `..b`, `..` and `i`, with `usize` bounds"
)]
pub trait SliceArg {}

impl SliceArg for Range<usize> {}
impl SliceArg for RangeFrom<usize> {}
impl SliceArg for RangeTo<usize> {}
impl SliceArg for RangeFull {}
impl SliceArg for usize {}

/// All items of one `s![..]`.
pub trait SliceArgs {}

macro_rules! tuples {
    ($(($($name:ident)+))*) => {$(
        impl<$($name: SliceArg),+> SliceArgs for ($($name,)+) {}
    )*};
}

tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) }
