//! The variable part of tasks (arguments, edges, pins), in memory that retires with the ring.
//!
//! # Invariants of the unsafe code
//! * Chunks are raw allocations: nothing but payload pointers reaches their bytes.
//! * [`Payloads::write`] initialises everything that a [`Payload`] points to, at addresses aligned
//!   to 8, except for the edges, which `Slots::start` writes; nobody writes there again until
//!   [`Payloads::release_before`] passes the chunk. Edges are only used through `Links`.
//! * The ring calls `release_before` for CONSUMED tasks only. A [`Payload`] lies in a slot, whose
//!   body is not used after that, or in a `TaskOutputTensors`, whose lifetime keeps the task's scope
//!   open: an open scope keeps its tasks from retiring.

use super::links::Edge;
use super::slot::{Slot, TaskRef, spilled};
use super::{Launch, MAX_SCALARS, MAX_TENSORS};
use crate::dtype::ScalarValue;
use crate::tensor::{Permission, RawTensor};
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::collections::VecDeque;
use std::ptr::NonNull;
use std::slice;

const CHUNK_BYTES: usize = 64 << 10;
const ALIGN: usize = 8;

const _: () = assert!(align_of::<RawTensor>() <= ALIGN && align_of::<ScalarValue>() <= ALIGN);
const _: () = assert!(align_of::<TaskRef>() <= ALIGN && align_of::<Edge<Slot>>() <= ALIGN);
const _: () = assert!(align_of::<Launch>() <= ALIGN && size_of::<Launch>().is_multiple_of(ALIGN));

/// What goes into a payload.
#[derive(Debug)]
pub(crate) struct Parts<'a, T> {
    /// What the kernel gets, and what it may do with it.
    pub(crate) tensors: T,
    pub(crate) outputs: &'a [RawTensor],
    pub(crate) scalars: &'a [ScalarValue],
    /// Tasks whose blocks this one uses.
    pub(crate) pins: &'a [TaskRef],
    /// How it runs, unless it is one kernel once.
    pub(crate) launch: Option<&'a Launch>,
    /// Number of producers that this one waits for.
    pub(crate) edges: usize,
}

/// Where the parts of a task lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Payload {
    start: NonNull<u8>,
    /// Tensors, outputs, scalars and launches, 8 bits each, then pins: two words travel in registers.
    counts: u64,
}

const _: () = assert!(MAX_TENSORS + MAX_SCALARS <= u8::MAX as usize);

impl Payload {
    #[inline]
    fn new<T>(start: NonNull<u8>, tensors: usize, parts: &Parts<'_, T>) -> Self {
        let few = |count: usize, at: u32| u64::from(count as u8) << at;
        let counts = few(tensors, 0)
            | few(parts.outputs.len(), 8)
            | few(parts.scalars.len(), 16)
            | few(usize::from(parts.launch.is_some()), 24)
            | (parts.pins.len() as u64) << 32;
        Self { start, counts }
    }

    fn count(self, at: u32) -> usize {
        (self.counts >> at) as usize & 0xff
    }

    fn part<T>(&self, at: usize, count: usize) -> &[T] {
        // SAFETY: `Payloads::write` put so many of them there, and the task is not retired.
        unsafe { slice::from_raw_parts(self.start.as_ptr().wrapping_add(at).cast(), count) }
    }

    /// What the kernel gets.
    pub(crate) fn tensors(&self) -> &[RawTensor] {
        self.part(0, self.count(0))
    }

    /// The tensors that the task owns.
    #[inline]
    pub(crate) fn outputs(&self) -> &[RawTensor] {
        self.part(self.count(0) * size_of::<RawTensor>(), self.count(8))
    }

    pub(crate) fn scalars(&self) -> &[ScalarValue] {
        self.part(self.scalars_at(), self.count(16))
    }

    /// The tasks whose blocks this one uses.
    pub(crate) fn pins(&self) -> &[TaskRef] {
        self.part(self.pins_at(), (self.counts >> 32) as usize)
    }

    /// How the task runs, unless it is one kernel once.
    #[inline]
    pub(crate) fn launch(&self) -> Option<&Launch> {
        match self.count(24) {
            0 => None,
            count => self.part(self.launch_at(), count).first(),
        }
    }

    /// Room for the edges that the task's slot does not hold.
    pub(super) fn edges(self) -> *mut Edge<Slot> {
        let at = self.launch_at() + self.count(24) * size_of::<Launch>();
        self.start.as_ptr().wrapping_add(at).cast()
    }

    fn scalars_at(self) -> usize {
        (self.count(0) + self.count(8)) * size_of::<RawTensor>()
    }

    fn pins_at(self) -> usize {
        self.scalars_at() + self.count(16) * size_of::<ScalarValue>()
    }

    fn launch_at(self) -> usize {
        self.pins_at() + (self.counts >> 32) as usize * size_of::<TaskRef>()
    }
}

#[derive(Debug)]
struct Chunk {
    start: NonNull<u8>,
    bytes: usize,
}

/// The payloads of one ring, first in, first out.
#[derive(Debug)]
pub(crate) struct Payloads {
    chunks: VecDeque<Chunk>,
    spare: Vec<Chunk>,
    /// Number of the oldest chunk in use.
    first: u64,
    /// First free byte of the newest chunk, and how many there are.
    cursor: NonNull<u8>,
    room: usize,
}

// SAFETY: the cursor points into a chunk, which the payloads own.
unsafe impl Send for Payloads {}

impl Default for Payloads {
    fn default() -> Self {
        Self {
            chunks: VecDeque::new(),
            spare: Vec::new(),
            first: 0,
            // Aligned as a payload: one without bytes lies here.
            cursor: NonNull::<u64>::dangling().cast(),
            room: 0,
        }
    }
}

impl Payloads {
    /// Copies `parts` to the newest chunk; gives their place.
    #[inline]
    pub(crate) fn write<'a, T>(&mut self, parts: Parts<'a, T>) -> Payload
    where
        T: ExactSizeIterator<Item = (&'a RawTensor, Permission)>,
    {
        let tensors = parts.tensors.len();
        let bytes = tensors * size_of::<RawTensor>()
            + size_of_val(parts.outputs)
            + size_of_val(parts.scalars)
            + size_of_val(parts.pins)
            + parts.launch.map_or(0, size_of_val)
            + spilled(parts.edges) * size_of::<Edge<Slot>>();
        let start = self.reserve(bytes);
        let payload = Payload::new(start, tensors, &parts);
        let mut at = start.cast::<RawTensor>();
        let mut missing = tensors;
        for (raw, permission) in parts.tensors.take(tensors) {
            // SAFETY: there is room for `tensors` tensors at `start`. Copied as it is and changed in
            // its place: it is large.
            unsafe {
                at.write(*raw);
                (*at.as_ptr()).permission = permission;
                at = at.add(1);
            }
            missing -= 1;
        }
        assert_eq!(missing, 0, "an iterator of known length");
        let mut at = at.cast::<u8>();
        // SAFETY: `bytes` bytes were reserved, and the parts fill these, in the order that `Payload`
        // reads them, up to the room for edges.
        unsafe {
            at = put(at, parts.outputs);
            at = put(at, parts.scalars);
            at = put(at, parts.pins);
            if let Some(launch) = parts.launch {
                put(at, slice::from_ref(launch));
            }
        }
        payload
    }

    /// Number of the newest chunk.
    #[inline]
    pub(crate) fn newest(&self) -> u64 {
        // 0 while no task had a byte.
        (self.first + self.chunks.len() as u64).saturating_sub(1)
    }

    #[inline]
    fn reserve(&mut self, bytes: usize) -> NonNull<u8> {
        if self.room < bytes {
            self.grow(bytes);
        }
        let start = self.cursor;
        // SAFETY: `bytes <= room`, the bytes behind the cursor in its chunk.
        self.cursor = unsafe { start.add(bytes) };
        self.room -= bytes;
        start
    }

    #[cold]
    fn grow(&mut self, bytes: usize) {
        let chunk = match self.spare.pop() {
            Some(chunk) if chunk.bytes >= bytes => chunk,
            _ => Chunk::new(bytes.max(CHUNK_BYTES)),
        };
        (self.cursor, self.room) = (chunk.start, chunk.bytes);
        self.chunks.push_back(chunk);
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
        self.first = 0;
        if let Some(chunk) = self.chunks.back() {
            (self.cursor, self.room) = (chunk.start, chunk.bytes);
        }
    }
}

/// # Safety
/// `at` has room for `items`, aligned to 8.
unsafe fn put<T: Copy>(at: NonNull<u8>, items: &[T]) -> NonNull<u8> {
    let start = at.cast::<T>();
    // One by one: a copy in wide pieces would wait for the narrow stores of what was just built.
    for (i, item) in items.iter().enumerate() {
        // SAFETY: by contract; the sizes of all parts are multiples of 8, so alignment is kept.
        unsafe { start.add(i).write(*item) };
    }
    // SAFETY: the end of what was written.
    unsafe { at.add(size_of_val(items)) }
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
    use std::iter;

    fn write(payloads: &mut Payloads, values: &[ScalarValue]) -> (Payload, u64) {
        let parts = Parts {
            tensors: iter::empty(),
            outputs: &[],
            scalars: values,
            pins: &[],
            launch: None,
            edges: 3,
        };
        let payload = payloads.write(parts);
        (payload, payloads.newest())
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
