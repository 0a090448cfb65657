//! Tensors in kernels.

use super::{SliceSpec, outside};
use crate::dtype::Element;
use std::marker::PhantomData;

/// A tensor in device memory, of rank `R`.
///
/// In the signature of a kernel it is written with its dimensions, `Tensor<f32, S, 128>`: a
/// constant, a name declared with `dims(..)`, or `_` for any length.
pub struct Tensor<T, const R: usize> {
    _element: PhantomData<T>,
}

impl<T, const R: usize> Clone for Tensor<T, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const R: usize> Copy for Tensor<T, R> {}

/// A tensor of any rank.
pub trait AnyRank<T> {}

impl<T: Element, const R: usize> AnyRank<T> for Tensor<T, R> {}

/// Creates a tensor that lives until the scope around it closes: `create_tensor::<f32>([64, 128])`.
///
/// The contents are undefined until a task writes them; `.init(v)` sets every element.
#[track_caller]
pub fn create_tensor<T: Element, const R: usize>(dims: [usize; R]) -> Tensor<T, R> {
    let _ = dims;
    outside("create_tensor")
}

impl<T: Element, const R: usize> Tensor<T, R> {
    /// The part that `s![..]` selects; no copy. A bound past its dimension is an error at run time.
    #[must_use]
    pub fn slice<const OUT: usize>(self, items: SliceSpec<R, OUT>) -> Tensor<T, OUT> {
        let _ = items;
        outside("slice")
    }

    /// The same elements with other dimensions; no copy.
    #[must_use]
    pub fn reshape<const OUT: usize>(self, dims: [usize; OUT]) -> Tensor<T, OUT> {
        let _ = dims;
        outside("reshape")
    }

    /// Two dimensions exchanged; no copy.
    #[must_use]
    pub fn transpose(self, a: usize, b: usize) -> Self {
        let _ = (a, b);
        outside("transpose")
    }

    /// In in-core code, of a parameter: the part of this block, of as many contiguous parts of
    /// dimension `axis` as the task has blocks. A tensor that the task writes is loaded and stored
    /// through it if there are several.
    #[must_use]
    pub fn partition(self, axis: usize) -> Self {
        let _ = axis;
        outside("partition")
    }

    /// Length of a dimension.
    #[must_use]
    pub fn dim(self, axis: usize) -> usize {
        let _ = axis;
        outside("dim")
    }

    /// One element; in orchestration code it waits for the tasks that write it.
    #[must_use]
    pub fn get(self, indices: [usize; R]) -> T {
        let _ = indices;
        outside("get")
    }

    /// Sets one element; waits for the tasks that read or write it.
    pub fn set(self, indices: [usize; R], value: T) {
        let _ = (indices, value);
        outside("set")
    }

    /// On a fresh `create_tensor`: every element starts as `value`.
    #[must_use]
    pub fn init(self, value: T) -> Self {
        let _ = value;
        outside("init")
    }

    /// On a fresh `create_tensor`: declares that its dependencies are given by hand.
    #[must_use]
    pub fn manual_dep(self) -> Self {
        outside("manual_dep")
    }
}
