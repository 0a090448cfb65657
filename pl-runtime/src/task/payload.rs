//! The variable part of tasks (arguments, edges, pins), in memory that retires with the ring.
//!
//! # Invariants of the unsafe code
//! * Chunks are raw allocations: nothing but payload pointers reaches their bytes.
//! * [`Payloads::write`] initialises everything that a [`Payload`] points to, at addresses aligned
//!   to 8; nobody writes there again until [`Payloads::release_before`] passes the chunk, except
//!   for the edges, which are only used through `Links`.
//! * The ring calls `release_before` for CONSUMED tasks only. A [`Payload`] lies in a slot, whose
//!   body is not used after that, or in a `TaskOutputTensors`, whose lifetime keeps the task's scope
//!   open: an open scope keeps its tasks from retiring.

use super::links::Edge;
use super::slot::{Slot, TaskRef};
use crate::dtype::ScalarValue;
use crate::tensor::RawTensor;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::collections::VecDeque;
use std::ptr::NonNull;
use std::slice;

const CHUNK_BYTES: usize = 64 << 10;
const ALIGN: usize = 8;

const _: () = assert!(align_of::<RawTensor>() <= ALIGN && align_of::<ScalarValue>() <= ALIGN);
const _: () = assert!(align_of::<TaskRef>() <= ALIGN && align_of::<Edge<Slot>>() <= ALIGN);

/// What goes into a payload.
#[derive(Debug)]
pub(crate) struct Parts<'a> {
    pub(crate) tensors: &'a [RawTensor],
    pub(crate) outputs: &'a [RawTensor],
    pub(crate) scalars: &'a [ScalarValue],
    /// Tasks whose blocks this one uses.
    pub(crate) pins: &'a [TaskRef],
    /// Number of producers that this one waits for.
    pub(crate) edges: usize,
}

/// Where the parts of a task lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Payload {
    start: NonNull<u8>,
    tensors: u32,
    outputs: u32,
    scalars: u32,
    pins: u32,
}

impl Payload {
    /// What the kernel gets.
    pub(crate) fn tensors(&self) -> &[RawTensor] {
        // SAFETY: `Payloads::write` put them here, and the task is not retired.
        unsafe { slice::from_raw_parts(self.start.as_ptr().cast(), self.tensors as usize) }
    }

    /// The tensors that the task owns.
    pub(crate) fn outputs(&self) -> &[RawTensor] {
        let at = self.tensors as usize * size_of::<RawTensor>();
        // SAFETY: as for `tensors`.
        unsafe { slice::from_raw_parts(self.start.add(at).as_ptr().cast(), self.outputs as usize) }
    }

    pub(crate) fn scalars(&self) -> &[ScalarValue] {
        let at = self.scalars_at();
        // SAFETY: as for `tensors`.
        unsafe { slice::from_raw_parts(self.start.add(at).as_ptr().cast(), self.scalars as usize) }
    }

    /// The tasks whose blocks this one uses.
    pub(crate) fn pins(&self) -> &[TaskRef] {
        let at = self.pins_at();
        // SAFETY: as for `tensors`.
        unsafe { slice::from_raw_parts(self.start.add(at).as_ptr().cast(), self.pins as usize) }
    }

    /// The first of the task's edges; the others follow it.
    pub(super) fn edges(self) -> *mut Edge<Slot> {
        let at = self.pins_at() + self.pins as usize * size_of::<TaskRef>();
        self.start.as_ptr().wrapping_add(at).cast()
    }

    fn scalars_at(self) -> usize {
        (self.tensors + self.outputs) as usize * size_of::<RawTensor>()
    }

    fn pins_at(self) -> usize {
        self.scalars_at() + self.scalars as usize * size_of::<ScalarValue>()
    }
}

#[derive(Debug)]
struct Chunk {
    start: NonNull<u8>,
    bytes: usize,
}

/// The payloads of one ring, first in, first out.
#[derive(Debug, Default)]
pub(crate) struct Payloads {
    chunks: VecDeque<Chunk>,
    spare: Vec<Chunk>,
    /// Number of the oldest chunk in use.
    first: u64,
    /// Bytes used of the newest chunk.
    cursor: usize,
}

impl Payloads {
    /// Copies `parts`; gives their place and the number of the chunk that holds them.
    pub(crate) fn write(&mut self, parts: &Parts<'_>, consumer: *const Slot) -> (Payload, u64) {
        let bytes = size_of_val(parts.tensors)
            + size_of_val(parts.outputs)
            + size_of_val(parts.scalars)
            + size_of_val(parts.pins)
            + parts.edges * size_of::<Edge<Slot>>();
        let (start, chunk) = self.reserve(bytes);
        let payload = Payload {
            start,
            tensors: parts.tensors.len() as u32,
            outputs: parts.outputs.len() as u32,
            scalars: parts.scalars.len() as u32,
            pins: parts.pins.len() as u32,
        };
        let mut at = start;
        // SAFETY: `bytes` bytes were reserved, and the parts fill exactly these, in the order that
        // `Payload` reads them.
        unsafe {
            at = put(at, parts.tensors);
            at = put(at, parts.outputs);
            at = put(at, parts.scalars);
            put(at, parts.pins);
            for i in 0..parts.edges {
                payload.edges().add(i).write(Edge::new(consumer));
            }
        }
        (payload, chunk)
    }

    fn reserve(&mut self, bytes: usize) -> (NonNull<u8>, u64) {
        let room = self
            .chunks
            .back()
            .is_some_and(|chunk| chunk.bytes - self.cursor >= bytes);
        if !room {
            let chunk = match self.spare.pop() {
                Some(chunk) if chunk.bytes >= bytes => chunk,
                _ => Chunk::new(bytes.max(CHUNK_BYTES)),
            };
            self.chunks.push_back(chunk);
            self.cursor = 0;
        }
        let chunk = self.chunks.back().expect("a chunk was just made sure of");
        // SAFETY: `cursor + bytes <= chunk.bytes`.
        let start = unsafe { chunk.start.add(self.cursor) };
        self.cursor += bytes;
        (start, self.first + self.chunks.len() as u64 - 1)
    }

    /// Recycles the chunks below number `chunk`.
    pub(crate) fn release_before(&mut self, chunk: u64) {
        while self.first < chunk && self.chunks.len() > 1 {
            self.first += 1;
            let chunk = self.chunks.pop_front().expect("more than one chunk");
            if chunk.bytes == CHUNK_BYTES {
                self.spare.push(chunk);
            }
        }
    }

    /// Recycles everything: all tasks are CONSUMED.
    pub(crate) fn clear(&mut self) {
        self.release_before(u64::MAX);
        self.cursor = 0;
        self.first = 0;
    }
}

/// # Safety
/// `at` has room for `items`, aligned to 8.
unsafe fn put<T: Copy>(at: NonNull<u8>, items: &[T]) -> NonNull<u8> {
    if items.is_empty() {
        return at;
    }
    // SAFETY: by contract; the sizes of all parts are multiples of 8, so alignment is kept.
    unsafe {
        at.cast::<T>()
            .as_ptr()
            .copy_from_nonoverlapping(items.as_ptr(), items.len());
        at.add(size_of_val(items))
    }
}

impl Chunk {
    fn layout(bytes: usize) -> Layout {
        Layout::from_size_align(bytes, ALIGN).expect("payloads are far below isize::MAX")
    }

    fn new(bytes: usize) -> Self {
        let layout = Self::layout(bytes);
        // SAFETY: `bytes` is not zero.
        let start = unsafe { alloc(layout) };
        match NonNull::new(start) {
            Some(start) => Self { start, bytes },
            None => handle_alloc_error(layout),
        }
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        // SAFETY: allocated by `new` with this layout.
        unsafe { dealloc(self.start.as_ptr(), Self::layout(self.bytes)) };
    }
}

// SAFETY: a chunk owns its bytes.
unsafe impl Send for Chunk {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::Scalar;

    fn write(payloads: &mut Payloads, values: &[ScalarValue]) -> (Payload, u64) {
        let parts = Parts {
            tensors: &[],
            outputs: &[],
            scalars: values,
            pins: &[],
            edges: 3,
        };
        payloads.write(&parts, std::ptr::null())
    }

    #[test]
    fn payloads_keep_their_contents_until_their_chunk_is_released() {
        let mut payloads = Payloads::default();
        let tasks: Vec<_> = (0..5000_u64)
            .map(|i| write(&mut payloads, &[i.to_value(), 2.5_f32.to_value()]))
            .collect();
        for (i, (payload, _)) in tasks.iter().enumerate() {
            assert_eq!(
                payload.scalars(),
                [(i as u64).to_value(), 2.5_f32.to_value()]
            );
        }
        assert!(tasks[4999].1 > tasks[0].1);
    }

    #[test]
    fn released_chunks_are_used_again() {
        let mut payloads = Payloads::default();
        for i in 0..100_000_u64 {
            let (_, chunk) = write(&mut payloads, &[i.to_value(); 8]);
            payloads.release_before(chunk);
        }
        assert!(payloads.chunks.len() + payloads.spare.len() <= 2);
        payloads.clear();
        assert_eq!(payloads.chunks.len(), 1);
    }
}
