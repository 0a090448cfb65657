//! The matrix product of the `gemm` crate behind a safe function.
//!
//! # Invariants of the unsafe code
//! * Every element of a [`Matrix`] is readable while it lives: a slice of the arena that was checked to
//!   hold them, or the elements of a [`Readable`], which vouches for them. Device memory is read by pointer;
//!   no reference to it is made.
//! * What is written is a slice, which Rust keeps apart from all others.

use super::device::Readable;
use std::marker::PhantomData;

/// A matrix: element `[i, j]` is `strides[0] * i + strides[1] * j` elements behind `start`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix<'a> {
    start: *const f32,
    dims: [usize; 2],
    strides: [usize; 2],
    elements: PhantomData<&'a [f32]>,
}

impl<'a> Matrix<'a> {
    /// The matrix in a slice. Panics if an element lies outside it.
    pub(super) fn of_slice(data: &'a [f32], dims: [usize; 2], strides: [usize; 2]) -> Self {
        let last = |axis: usize| Some((dims[axis].checked_sub(1)?, strides[axis]));
        // A matrix without elements has none outside.
        if let (Some((i, di)), Some((j, dj))) = (last(0), last(1)) {
            let last = i
                .checked_mul(di)
                .zip(j.checked_mul(dj))
                .and_then(|(a, b)| a.checked_add(b));
            assert!(
                last.is_some_and(|last| last < data.len()),
                "{dims:?} by {strides:?} leaves its {} elements",
                data.len()
            );
        }
        Self {
            start: data.as_ptr(),
            dims,
            strides,
            elements: PhantomData,
        }
    }

    /// The matrix of floats in device memory. Panics if they cannot be read where they lie, or have no two
    /// dimensions.
    pub(super) fn of_device(device: &Readable<'a>) -> Self {
        let view = device.view();
        let (&[m, n], &[rows, columns]) = (view.dims(), view.strides()) else {
            panic!("{view} is no matrix");
        };
        let floats = device.floats().expect("aligned floats");
        Self {
            start: floats.wrapping_add(view.offset()),
            dims: [m, n],
            strides: [rows, columns],
            elements: PhantomData,
        }
    }
}

/// `out = scale * a * b`, or `out += scale * a * b` with `add`, row-major.
pub(super) fn product(out: &mut [f32], add: bool, scale: f32, a: Matrix<'_>, b: Matrix<'_>) {
    let ([m, k], [kb, n]) = (a.dims, b.dims);
    assert!(
        k == kb && Some(out.len()) == m.checked_mul(n),
        "a product of matching matrices"
    );
    // SAFETY: all elements of the two matrices are readable (invariant of `Matrix`), and `out` holds
    // m rows of n; strides are at most the length of what holds the elements, so they fit isize,
    // wherever there is a second element to step to.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out.as_mut_ptr(),
            1,
            n as isize,
            add,
            a.start,
            a.strides[1] as isize,
            a.strides[0] as isize,
            b.start,
            b.strides[1] as isize,
            b.strides[0] as isize,
            1.0,
            scale,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}
