//! Copies between device memory and slices, by raw bytes only: other threads may own what lies
//! beside the bytes of a view, and no reference to device memory is ever made.

use super::nest::Nest;
use super::scratch::Bits;
use crate::tensor::View;

/// Copies the elements of `view` into `out`, which has them with the given strides.
///
/// # Safety
/// `base + view.offset()` is readable for `view.extent()` elements of type `T`, no other thread
/// writes to the elements of the view during the call, and `out` lies elsewhere. `base` need not be
/// aligned.
pub(super) unsafe fn read<T: Bits>(base: *const u8, view: &View, out: &mut [T], strides: &[usize]) {
    let base = base.cast::<T>();
    let nest = Nest::new(view.dims(), [view.strides(), strides]);
    let ([step, step_to], row) = (nest.steps(), nest.row());
    for [at, to] in nest.rows() {
        let at = view.offset() + at;
        if (step, step_to) == (1, 1) {
            let to = &mut out[to..to + row];
            let from = base.wrapping_add(at).cast::<u8>();
            // SAFETY: a row of the view, which the caller vouches for; `to` has as many elements.
            unsafe {
                to.as_mut_ptr()
                    .cast::<u8>()
                    .copy_from_nonoverlapping(from, row * size_of::<T>());
            }
        } else {
            for i in 0..row {
                // SAFETY: an element of the view.
                out[to + i * step_to] =
                    unsafe { base.wrapping_add(at + i * step).read_unaligned() };
            }
        }
    }
}

/// Copies elements to the elements of `view`; `elements` holds them with the given strides.
///
/// # Safety
/// As for [`read`], but writable, and no other thread accesses the elements of the view during the
/// call.
pub(super) unsafe fn write<T: Bits>(base: *mut u8, view: &View, elements: &[T], strides: &[usize]) {
    let base = base.cast::<T>();
    let nest = Nest::new(view.dims(), [view.strides(), strides]);
    let ([step, step_from], row) = (nest.steps(), nest.row());
    for [at, from] in nest.rows() {
        let at = view.offset() + at;
        if (step, step_from) == (1, 1) {
            let from = &elements[from..from + row];
            let to = base.wrapping_add(at).cast::<u8>();
            // SAFETY: a row of the view, which the caller vouches for; `from` has as many elements.
            unsafe { to.copy_from_nonoverlapping(from.as_ptr().cast(), row * size_of::<T>()) };
        } else {
            for i in 0..row {
                let element = elements[from + i * step_from];
                // SAFETY: an element of the view.
                unsafe { base.wrapping_add(at + i * step).write_unaligned(element) };
            }
        }
    }
}
