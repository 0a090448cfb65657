//! Copies between device memory and `f32`, whatever float type lies there.
//!
//! # Invariants of the unsafe code
//! What is copied in a piece are elements of the view that the caller vouches for.

use super::nest::Nest;
use super::number::for_float;
use super::raw;
use super::unary::convert;
use crate::dtype::DType;
use crate::tensor::View;

/// Elements converted at a time: what is copied is still in the cache then.
const PIECE: usize = 1024;

/// Copies the elements of `view`, a matrix of floats, into `out`, in row-major order.
///
/// # Safety
/// As of [`raw::read`].
pub(super) unsafe fn read(base: *const u8, view: &View, out: &mut [f32]) {
    if view.dtype() == DType::F32 {
        // SAFETY: the caller's promise.
        return unsafe { raw::read(base, view, out, &[view.dims()[1], 1]) };
    }
    let nest = Nest::new(view.dims(), [view.strides()]);
    let ([step], row) = (nest.steps(), nest.row());
    for_float!(view.dtype(), T => {
        let mut piece = [T::default(); PIECE];
        for ([start], out) in nest.rows().zip(out.chunks_exact_mut(row.max(1))) {
            for (i, out) in out.chunks_mut(PIECE).enumerate() {
                let (n, piece) = (out.len(), &mut piece[..out.len()]);
                let at = view.offset() + start + i * PIECE * step;
                let part = View::strided(view.dtype(), at, &[n], &[step]);
                // SAFETY: elements of the view.
                unsafe { raw::read(base, &part, piece, &[1]) };
                convert::<T, f32>(Nest::new(&[n], [&[1], &[1]]), out, piece);
            }
        }
    }, else unreachable!("a view of floats"));
}

/// Copies `data`, which has rows and columns at the given distances, to the elements of `view`, a
/// matrix of floats.
///
/// # Safety
/// As of [`raw::write`].
pub(super) unsafe fn write(base: *mut u8, view: &View, data: &[f32], steps: [usize; 2]) {
    if view.dtype() == DType::F32 {
        // SAFETY: the caller's promise.
        return unsafe { raw::write(base, view, data, &steps) };
    }
    let nest = Nest::new(view.dims(), [view.strides(), &steps]);
    let ([step, step_from], row) = (nest.steps(), nest.row());
    for_float!(view.dtype(), T => {
        let mut piece = [T::default(); PIECE];
        for [at, from] in nest.rows() {
            for start in (0..row).step_by(PIECE) {
                let n = PIECE.min(row - start);
                let from = &data[from + start * step_from..];
                convert::<f32, T>(Nest::new(&[n], [&[1], &[step_from]]), &mut piece, from);
                let at = view.offset() + at + start * step;
                let part = View::strided(view.dtype(), at, &[n], &[step]);
                // SAFETY: elements of the view.
                unsafe { raw::write(base, &part, &piece[..n], &[1]) };
            }
        }
    }, else unreachable!("a view of floats"));
}
