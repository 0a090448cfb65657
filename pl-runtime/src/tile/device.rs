//! Device memory as the running task may touch it: the elements of its tensors, copied to and from slices.
//!
//! # Invariants of the unsafe code
//! * Behind `base`, the elements of the view of an [`Elements`] with data may be read, and written if it is a
//!   [`Writable`], as long as the task runs: `Tensor::source` and `Tensor::destination` vouch for all of the
//!   tensor's view, and `row`, `rows`, `as_rows`, `transpose` select some of what they are given. `base` need not be
//!   aligned.
//! * What orders tasks keeps writers away from what is read, and everybody from what is written.
//! * Others may own what lies beside the elements, so bytes are copied, and no reference to device memory is ever
//!   made. A slice that is copied to or from therefore lies elsewhere.

use super::memory::Bits;
use super::nest::Nest;
use super::number::for_float;
use super::scratch::Scratch;
use super::unary::convert;
use super::views::turned;
use crate::dtype::DType;
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::{MAX_RANK, Tensor, View};
use std::marker::PhantomData;
use std::ops::Range;

/// Floats converted at a time: what is copied is still in the cache then.
const PIECE: usize = 1024;

/// Elements in device memory. They are there if the arena has data, and are copied only then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements<'t, Use> {
    base: *mut u8,
    view: View,
    has_data: bool,
    tensor: PhantomData<(Tensor<'t>, Use)>,
}

/// Those that the running task may load.
pub(super) type Readable<'t> = Elements<'t, Load>;
/// Those that the running task may store to.
pub(super) type Writable<'t> = Elements<'t, Store>;

#[derive(Clone, Copy, Debug)]
pub(super) struct Load;
#[derive(Clone, Copy, Debug)]
pub(super) struct Store;

impl<Use: Copy> Elements<'_, Use> {
    /// The elements that a view selects behind `base`.
    ///
    /// # Safety
    /// If there is data, the elements may be read, or written if that is the use, as long as the result lives, and
    /// no other thread is at them.
    pub(super) unsafe fn behind(base: *mut u8, view: View, has_data: bool) -> Self {
        Self {
            base,
            view,
            has_data,
            tensor: PhantomData,
        }
    }

    pub(super) fn view(&self) -> &View {
        &self.view
    }

    /// Where the buffer of the elements starts.
    pub(super) fn address(&self) -> usize {
        self.base.addr()
    }

    /// What one index of the first dimension selects.
    pub(super) fn row(&self, row: usize) -> Self {
        let (dims, strides) = (self.view.dims(), self.view.strides());
        assert!(row < dims[0], "row {row} of {}", self.view);
        let start = self.view.offset() + row * strides[0];
        let dtype = self.view.dtype();
        self.with(View::strided(dtype, start, &dims[1..], &strides[1..]))
    }

    /// What some indices of the first dimension select.
    pub(super) fn rows(&self, rows: Range<usize>) -> Self {
        let (rank, strides) = (self.view.rank(), self.view.strides());
        let mut dims = [1; MAX_RANK];
        dims[..rank].copy_from_slice(self.view.dims());
        let within = rows.start <= rows.end && rows.end <= dims[0];
        assert!(within, "rows {rows:?} of {}", self.view);
        dims[0] = rows.len();
        let start = self.view.offset() + rows.start * strides[0];
        let dtype = self.view.dtype();
        self.with(View::strided(dtype, start, &dims[..rank], strides))
    }

    /// All of them as a matrix of rows, if rows lie at equal distances.
    pub(super) fn as_rows(&self) -> Option<Self> {
        self.view.as_rows().map(|view| self.with(view))
    }

    /// The last two dimensions exchanged, at `site`.
    ///
    /// # Errors
    /// There are no two.
    pub(super) fn transpose(&self, site: Site) -> Result<Self, OperationError> {
        turned(&self.view, site).map(|view| self.with(view))
    }

    /// Some of these elements, or all, in another order.
    fn with(&self, view: View) -> Self {
        Self { view, ..*self }
    }

    /// Refuses copies that would leave the elements.
    fn check<T>(&self) {
        assert!(self.has_data, "copies are made where the arena has data");
        assert_eq!(size_of::<T>(), self.view.dtype().bytes(), "{}", self.view);
    }
}

impl<'t> Readable<'t> {
    /// The elements of a tensor.
    ///
    /// # Errors
    /// The running task may not load it.
    pub(super) fn of(
        s: &Scratch<'_>,
        tensor: &Tensor<'t>,
        operation: &'static str,
        site: Site,
    ) -> Result<Self, OperationError> {
        let has_data = s.arena().memory.has_data();
        let base = tensor.source(operation, site, has_data)?;
        // SAFETY: `source` vouches for the tensor's view.
        Ok(unsafe { Self::behind(base.cast_mut(), *tensor.view(), has_data) })
    }

    /// Where the buffer of the elements starts, if they are `f32` that can be read in place.
    #[allow(clippy::cast_ptr_alignment, reason = "it is looked at")]
    pub(super) fn floats(&self) -> Option<*const f32> {
        let base = self.base.cast_const().cast::<f32>();
        let in_place = self.has_data && self.view.dtype() == DType::F32 && base.is_aligned();
        in_place.then_some(base)
    }

    /// Copies the elements into `out`, which has them with the given strides.
    pub(super) fn read<T: Bits>(&self, out: &mut [T], strides: &[usize]) {
        self.check::<T>();
        // SAFETY: the elements may be read, and have the size of `T`; `out` is a slice.
        unsafe { read(self.base, &self.view, out, strides) };
    }

    /// Copies a matrix of floats into `out`, in row-major order.
    pub(super) fn read_floats(&self, out: &mut [f32]) {
        let view = &self.view;
        if view.dtype() == DType::F32 {
            return self.read(out, &[view.dims()[1], 1]);
        }
        let nest = Nest::new(view.dims(), [view.strides()]);
        let ([step], row) = (nest.steps(), nest.row());
        for_float!(view.dtype(), T => {
            self.check::<T>();
            let mut piece = [T::default(); PIECE];
            for ([start], out) in nest.rows().zip(out.chunks_exact_mut(row.max(1))) {
                for (i, out) in out.chunks_mut(PIECE).enumerate() {
                    let (n, piece) = (out.len(), &mut piece[..out.len()]);
                    let at = view.offset() + start + i * PIECE * step;
                    let part = View::strided(view.dtype(), at, &[n], &[step]);
                    // SAFETY: `n` elements of a row of the view, from the one with number `i * PIECE` on.
                    unsafe { read(self.base, &part, piece, &[1]) };
                    convert::<T, f32>(Nest::new(&[n], [&[1], &[1]]), out, piece);
                }
            }
        }, else unreachable!("a view of floats"));
    }
}

impl<'t> Writable<'t> {
    /// The elements of a tensor.
    ///
    /// # Errors
    /// The running task may not store to it.
    pub(super) fn of(
        s: &Scratch<'_>,
        tensor: &Tensor<'t>,
        operation: &'static str,
        site: Site,
    ) -> Result<Self, OperationError> {
        let has_data = s.arena().memory.has_data();
        let base = tensor.destination(operation, site, has_data)?;
        // SAFETY: `destination` vouches for the tensor's view.
        Ok(unsafe { Self::behind(base, *tensor.view(), has_data) })
    }

    /// Copies `elements`, which has them with the given strides, to the elements.
    pub(super) fn write<T: Bits>(&self, elements: &[T], strides: &[usize]) {
        self.check::<T>();
        // SAFETY: the elements may be written, and have the size of `T`; `elements` is a slice.
        unsafe { write(self.base, &self.view, elements, strides) };
    }

    /// Copies `data`, which has rows and columns at the given distances, to a matrix of floats.
    pub(super) fn write_floats(&self, data: &[f32], steps: [usize; 2]) {
        let view = &self.view;
        if view.dtype() == DType::F32 {
            return self.write(data, &steps);
        }
        let nest = Nest::new(view.dims(), [view.strides(), &steps]);
        let ([step, step_from], row) = (nest.steps(), nest.row());
        for_float!(view.dtype(), T => {
            self.check::<T>();
            let mut piece = [T::default(); PIECE];
            for [at, from] in nest.rows() {
                for start in (0..row).step_by(PIECE) {
                    let n = PIECE.min(row - start);
                    let from = &data[from + start * step_from..];
                    convert::<f32, T>(Nest::new(&[n], [&[1], &[step_from]]), &mut piece, from);
                    let at = view.offset() + at + start * step;
                    let part = View::strided(view.dtype(), at, &[n], &[step]);
                    // SAFETY: `n` elements of a row of the view, from the one with number `start` on.
                    unsafe { write(self.base, &part, &piece[..n], &[1]) };
                }
            }
        }, else unreachable!("a view of floats"));
    }
}

/// Copies the elements of `view` into `out`, which has them with the given strides.
///
/// # Safety
/// `base + view.offset()` is readable for `view.extent()` elements of type `T`, no other thread
/// writes to the elements of the view during the call, and `out` lies elsewhere. `base` need not be
/// aligned.
unsafe fn read<T: Bits>(base: *const u8, view: &View, out: &mut [T], strides: &[usize]) {
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
unsafe fn write<T: Bits>(base: *mut u8, view: &View, elements: &[T], strides: &[usize]) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn of(numbers: &[u16], dims: &[usize], strides: &[usize]) -> Readable<'static> {
        let view = View::strided(DType::U16, 0, dims, strides);
        assert!(view.extent() <= numbers.len());
        // SAFETY: the view lies in the numbers, which nobody writes, and no test keeps it longer.
        unsafe { Readable::behind(numbers.as_ptr().cast_mut().cast(), view, true) }
    }

    fn all<T: Bits + Default>(elements: &Readable<'_>) -> Vec<T> {
        let view = View::contiguous(elements.view().dtype(), elements.view().dims()).unwrap();
        let mut out = vec![T::default(); view.elements()];
        elements.read(&mut out, view.strides());
        out
    }

    fn panics<R>(f: impl FnOnce() -> R) -> bool {
        catch_unwind(AssertUnwindSafe(f)).is_err()
    }

    #[test]
    fn a_part_has_elements_of_the_whole_and_no_other() {
        let numbers: Vec<u16> = (0..30).collect();
        let whole = of(&numbers, &[3, 4], &[8, 2]);
        assert_eq!(all::<u16>(&whole.row(2)), [16, 18, 20, 22]);
        assert_eq!(all::<u16>(&whole.rows(1..3)), all::<u16>(&whole)[4..]);
        assert!(all::<u16>(&whole.rows(3..3)).is_empty());
        assert!(panics(|| whole.row(3)));
        assert!(panics(|| whole.rows(2..4)));
        #[allow(clippy::reversed_empty_ranges, reason = "it is refused")]
        let reversed = panics(|| whole.rows(2..1));
        assert!(reversed);
    }

    #[test]
    fn rows_at_equal_distances_are_a_matrix_of_the_same_elements() {
        let numbers: Vec<u16> = (0..96).collect();
        for (dims, strides) in [
            (&[4][..], &[2][..]),
            (&[3, 4], &[8, 2]),
            (&[2, 3, 4], &[24, 8, 1]),
            (&[2, 1, 3, 4], &[24, 7, 8, 1]),
            (&[1, 4], &[50, 1]),
            (&[2, 3, 0], &[24, 8, 1]),
        ] {
            let elements = of(&numbers, dims, strides);
            let rows = elements.as_rows().expect("even rows");
            assert_eq!(rows.view().rank(), 2, "{dims:?}");
            assert_eq!(all::<u16>(&rows), all::<u16>(&elements), "{dims:?}");
        }
        assert!(of(&numbers, &[2, 3, 4], &[30, 8, 1]).as_rows().is_none());
        assert!(of(&numbers, &[], &[]).as_rows().is_none());
    }

    #[test]
    fn copies_of_another_size_or_without_data_are_refused() {
        let numbers: Vec<u16> = (0..12).collect();
        let elements = of(&numbers, &[3, 4], &[4, 1]);
        assert!(panics(|| all::<u32>(&elements)));
        assert!(panics(|| all::<u8>(&elements)));
        let absent = Elements {
            has_data: false,
            ..elements
        };
        assert!(panics(|| all::<u16>(&absent)));
    }

    #[test]
    fn floats_are_read_in_place_if_they_are_aligned_and_there() {
        let numbers = [0.0_f32; 5];
        let at = |bytes: usize, dtype, has_data| {
            let base = numbers.as_ptr().cast_mut().cast::<u8>().wrapping_add(bytes);
            let view = View::contiguous(dtype, &[2, 2]).unwrap();
            // SAFETY: 16 bytes of the numbers, which nobody writes.
            unsafe { Readable::behind(base, view, has_data) }.floats()
        };
        assert_eq!(at(4, DType::F32, true), Some(&raw const numbers[1]));
        assert_eq!(at(2, DType::F32, true), None);
        assert_eq!(at(4, DType::I32, true), None);
        assert_eq!(at(4, DType::F32, false), None);
    }
}
