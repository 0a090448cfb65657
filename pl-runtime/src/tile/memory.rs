//! The bytes of a core's scratch, and the references to them that operations compute on.
//!
//! # Invariants of the unsafe code
//! * `base` points at `limit` readable and writable bytes that live as long as the memory, are aligned to 64 bytes
//!   and are reached through nothing but `base`; or there are none, and nothing is reached through `base`.
//! * A memory is not `Sync`: one thread computes on it.
//! * References to the bytes exist only while [`Memory::read`], [`Memory::access`] or one of its like runs its
//!   closure, or inside [`Memory::fill`]. The `busy` flag makes a second one inside panic, so the only references
//!   that exist at one time are those of one call, whose writable part is checked to overlap no other part.
//! * The bytes are always initialised (mapped as zeros), and every [`Bits`] type accepts all bits.

use super::without_data::WithoutData;
use crate::tensor::View;
use memmap2::MmapMut;
use std::cell::Cell;
use std::ops::Range;
use std::ptr::NonNull;
use std::slice;

/// As many bytes as there are, or none: then sizes and places are computed as with them.
#[derive(Debug)]
pub(super) struct Memory {
    base: NonNull<u8>,
    limit: usize,
    busy: Cell<bool>,
    bytes: Option<MmapMut>,
}

// SAFETY: `base` points into `bytes`, which moves with it; no other thread has a copy.
unsafe impl Send for Memory {}

/// A type whose values are plain bytes.
///
/// # Safety
/// Every bit pattern is a value, there is no padding, and the alignment is at most 8.
pub(super) unsafe trait Bits: Copy + 'static {}

macro_rules! bits {
    ($($ty:ty)*) => {$(
        // SAFETY: integers and floats.
        unsafe impl Bits for $ty {}
    )*};
}
bits! { f32 half::f16 half::bf16 i8 i16 i32 i64 u8 u16 u32 u64 }

impl Memory {
    /// `limit` bytes.
    ///
    /// # Errors
    /// The operating system does not map that much memory.
    pub(super) fn new(limit: usize) -> std::io::Result<Self> {
        let mut bytes = MmapMut::map_anon(limit.max(1))?;
        let base = NonNull::from(&mut bytes[..]).cast::<u8>();
        assert!(
            base.addr().get().is_multiple_of(64),
            "mappings start at a page"
        );
        Ok(Self {
            base,
            bytes: Some(bytes),
            ..Self::without_data(limit)
        })
    }

    /// `limit` bytes that are never there.
    pub(super) fn without_data(limit: usize) -> Self {
        Self {
            base: NonNull::<u64>::dangling().cast(),
            limit,
            busy: Cell::new(false),
            bytes: None,
        }
    }

    /// Bytes in all.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Whether there are bytes to read and write.
    pub(super) fn has_data(&self) -> bool {
        self.bytes.is_some()
    }

    /// Fills bytes with a word, unless an access runs: references to them may exist then.
    pub(super) fn fill(&self, at: Range<usize>, word: u32) {
        if !self.has_data() || self.busy.get() {
            return;
        }
        let (start, length) = self.inside::<u8>(&at);
        // SAFETY: in bounds (`inside`), and without an access there are no references.
        let bytes = unsafe { slice::from_raw_parts_mut(start, length) };
        for part in bytes.chunks_mut(4) {
            part.copy_from_slice(&word.to_ne_bytes()[..part.len()]);
        }
    }

    /// Runs `f` on the elements of `input`, gaps of the view included; not if there is no data.
    pub(super) fn read<I: Bits, R: WithoutData>(
        &self,
        input: &View,
        f: impl FnOnce(&[I]) -> R,
    ) -> R {
        if !self.has_data() {
            return R::without_data();
        }
        let _busy = Busy::enter(&self.busy);
        let at = bytes_of::<I>(input);
        // SAFETY: no writable reference exists (`_busy`).
        f(unsafe { self.elements(&at) })
    }

    /// Runs `f` on the elements of `out`, writable, and of `inputs`, gaps of the views included.
    /// `out` shares no byte with an input. Does not run it if there is no data.
    pub(super) fn access<O: Bits, I: Bits, const N: usize, R: WithoutData>(
        &self,
        out: &View,
        inputs: [&View; N],
        f: impl FnOnce(&mut [O], [&[I]; N]) -> R,
    ) -> R {
        self.access_with::<O, u8, I, N, R>(out, None, inputs, |out, _, inputs| f(out, inputs))
    }

    /// As [`access`](Self::access), with one more input whose elements have another type.
    pub(super) fn access_with<O: Bits, M: Bits, I: Bits, const N: usize, R: WithoutData>(
        &self,
        out: &View,
        other: Option<&View>,
        inputs: [&View; N],
        f: impl FnOnce(&mut [O], &[M], [&[I]; N]) -> R,
    ) -> R {
        let other = other.map_or(0..0, |other| bytes_of::<M>(other));
        let inputs = inputs.map(|input| bytes_of::<I>(input));
        self.access_bytes(bytes_of::<O>(out), other, inputs, f)
    }

    /// As [`access`](Self::access) of `f32`, at places counted in elements. An empty range is nowhere.
    #[inline]
    pub(super) fn access_floats<R: WithoutData>(
        &self,
        out: Range<usize>,
        inputs: [Range<usize>; 3],
        f: impl FnOnce(&mut [f32], [&[f32]; 3]) -> R,
    ) -> R {
        const SIZE: usize = size_of::<f32>();
        let bytes = |at: Range<usize>| at.start * SIZE..at.end * SIZE;
        self.access_bytes(
            bytes(out),
            0..0,
            inputs.map(bytes),
            |out, _: &[u8], inputs| f(out, inputs),
        )
    }

    /// Runs `f` on the elements in `out`, writable, and in `other` and `inputs`, which share no byte
    /// with `out`.
    #[inline]
    fn access_bytes<O: Bits, M: Bits, I: Bits, const N: usize, R: WithoutData>(
        &self,
        out: Range<usize>,
        other: Range<usize>,
        inputs: [Range<usize>; N],
        f: impl FnOnce(&mut [O], &[M], [&[I]; N]) -> R,
    ) -> R {
        if !self.has_data() {
            return R::without_data();
        }
        let _busy = Busy::enter(&self.busy);
        let apart = |input: &Range<usize>| {
            assert!(!overlap(&out, input), "operands overlap the result");
        };
        let inputs = inputs.map(|input| {
            apart(&input);
            // SAFETY: shares no byte with `out`, the only writable reference of the access (`_busy`).
            unsafe { self.elements::<I>(&input) }
        });
        apart(&other);
        // SAFETY: as for the inputs.
        let other = unsafe { self.elements::<M>(&other) };
        let (start, length) = self.inside::<O>(&out);
        // SAFETY: in bounds and aligned (`inside`); no input overlaps it, and no other access runs
        // (`_busy`).
        let out = unsafe { slice::from_raw_parts_mut(start, length) };
        f(out, other, inputs)
    }

    /// The elements at `at`, checked to be inside the arena and aligned for `T`, and how many they are.
    #[inline]
    fn inside<T: Bits>(&self, at: &Range<usize>) -> (*mut T, usize) {
        let inside = at.start <= at.end && at.end <= self.limit;
        assert!(
            inside && at.start.is_multiple_of(align_of::<T>()),
            "tiles lie in their arena"
        );
        // SAFETY: inside the arena.
        let start = unsafe { self.base.add(at.start) };
        (start.as_ptr().cast(), at.len() / size_of::<T>())
    }

    /// # Safety
    /// No writable reference to these bytes exists while the result does.
    #[inline]
    unsafe fn elements<T: Bits>(&self, at: &Range<usize>) -> &[T] {
        let (start, length) = self.inside::<T>(at);
        // SAFETY: in bounds, and aligned (`inside`); the caller vouches for the rest.
        unsafe { slice::from_raw_parts(start, length) }
    }
}

/// The bytes of a view of elements as large as `T`, counted from the start of the arena.
pub(super) fn bytes_of<T: Bits>(view: &View) -> Range<usize> {
    let size = size_of::<T>();
    assert_eq!(
        view.dtype().bytes(),
        size,
        "tiles are read as what they are"
    );
    let start = view.offset() * size;
    start..start + view.extent() * size
}

/// Whether two ranges have a byte in common.
pub(super) fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}

/// Holds an arena's `busy` flag, by panic too.
struct Busy<'a>(&'a Cell<bool>);

impl<'a> Busy<'a> {
    fn enter(flag: &'a Cell<bool>) -> Self {
        assert!(!flag.replace(true), "one access at a time");
        Self(flag)
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;

    #[test]
    #[should_panic(expected = "operands overlap the result")]
    fn an_access_whose_operands_overlap_does_not_start() {
        let memory = Memory::new(4096).unwrap();
        let view = |start| View::strided(DType::U32, start, &[8], &[1]);
        memory.access::<u32, u32, 1, _>(&view(0), [&view(7)], |_, _| ());
    }

    #[test]
    #[should_panic(expected = "one access at a time")]
    fn an_access_inside_an_access_does_not_start() {
        let memory = Memory::new(4096).unwrap();
        let view = View::strided(DType::U32, 0, &[8], &[1]);
        memory.read::<u32, _>(&view, |_| {
            memory.access::<u32, u32, 0, _>(&view, [], |_, _| ());
        });
    }

    #[test]
    #[should_panic(expected = "tiles lie in their arena")]
    fn an_access_past_the_end_does_not_start() {
        let memory = Memory::new(4096).unwrap();
        memory.read::<u32, _>(&View::strided(DType::U32, 1017, &[8], &[1]), |_| ());
    }
}
