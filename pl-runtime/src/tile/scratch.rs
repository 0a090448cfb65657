//! The scratch arena of a core: a bump allocator whose cursor scopes rewind.
//!
//! # Invariants of the unsafe code
//! * `Arena::base` points at `Arena::limit` readable and writable bytes that live as long as the
//!   arena, are aligned to 64 bytes and are reached through nothing but `base`; or the arena has no
//!   data, and nothing is reached through `base`.
//! * An arena is not `Sync`: all of its tiles live on one thread.
//! * References into the arena exist only while [`Arena::read`] or [`Arena::access`] runs its
//!   closure. The `busy` flag makes a second one inside panic, so the only references that exist
//!   at one time are those of one call, whose writable part is checked to overlap no other part.
//! * The bytes are always initialised (mapped as zeros), and every [`Bits`] type accepts all bits.

use super::notes::Notes;
use super::without_data::WithoutData;
use crate::config::{MIN_RING_HEAP, RunConfig};
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::View;
use memmap2::MmapMut;
use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;
use std::slice;
use std::time::Instant;

/// Every allocation starts at a multiple of this many bytes.
const ALIGNMENT: usize = 16;

/// What poisoned bytes hold: a signalling NaN as `f32` and as `bf16`, a NaN as `f16`.
pub const POISON: u32 = 0x7fa1_7fa1;

/// The scratch memory of one core. Tiles are allocated through a [`Scratch`].
#[derive(Debug)]
pub struct Arena {
    base: NonNull<u8>,
    limit: usize,
    cursor: Cell<usize>,
    peak: Cell<usize>,
    poison: bool,
    busy: Cell<bool>,
    /// Number of open scopes, and where the innermost was opened.
    innermost: Cell<(u32, Site)>,
    current: Cell<Option<(&'static str, Site)>>,
    /// When the kernel should have ended.
    deadline: Cell<Option<Instant>>,
    live: RefCell<Vec<Allocation>>,
    /// Memory of the host that operations compute in; no part of the scratch.
    buffers: RefCell<Vec<Vec<f32>>>,
    pub(super) notes: Option<Box<RefCell<Notes>>>,
    /// None: sizes and places are computed as with it, but there are no bytes.
    memory: Option<MmapMut>,
}

// SAFETY: `base` points into `memory`, which moves with it; no other thread has a copy.
unsafe impl Send for Arena {}

#[derive(Clone, Copy, Debug)]
struct Allocation {
    bytes: usize,
    operation: &'static str,
    site: Site,
}

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

impl Arena {
    /// An arena of `bytes` bytes; with `poison`, bytes given back are overwritten with [`POISON`].
    ///
    /// # Errors
    /// The operating system does not map that much memory.
    pub fn new(bytes: usize, poison: bool) -> std::io::Result<Self> {
        let mut memory = MmapMut::map_anon(bytes.max(1))?;
        let base = NonNull::from(&mut memory[..]).cast::<u8>();
        assert!(
            base.addr().get().is_multiple_of(64),
            "mappings start at a page"
        );
        Ok(Self {
            base,
            memory: Some(memory),
            ..Self::without_data(bytes)
        }
        .poisoned(poison))
    }

    /// An arena of `bytes` bytes that are never there: everything is as in one that has them, except
    /// for what operations read and write.
    pub(crate) fn without_data(bytes: usize) -> Self {
        Self {
            base: NonNull::<u64>::dangling().cast(),
            limit: bytes,
            cursor: Cell::new(0),
            peak: Cell::new(0),
            poison: false,
            busy: Cell::new(false),
            innermost: Cell::new((0, Site::ROOT)),
            current: Cell::new(None),
            deadline: Cell::new(None),
            live: RefCell::new(Vec::with_capacity(64)),
            notes: None,
            buffers: RefCell::default(),
            memory: None,
        }
    }

    fn poisoned(mut self, poison: bool) -> Self {
        self.poison = poison;
        self
    }

    /// Whether there are bytes to read and write.
    pub(super) fn has_data(&self) -> bool {
        self.memory.is_some()
    }

    /// A run begins.
    pub(crate) fn start_run(&mut self) {
        drop(self.start_task());
        self.reset_peak();
        if let Some(notes) = &mut self.notes {
            notes.get_mut().start_run();
        }
    }

    /// The scratch of a task: all tiles of the task before are given back.
    #[inline]
    pub fn start_task(&mut self) -> Scratch<'_> {
        self.rewind(0, 0);
        if let Some(notes) = &mut self.notes {
            notes.get_mut().start_task();
        }
        self.current.set(None);
        self.innermost.set((1, Site::ROOT));
        Scratch {
            arena: self,
            depth: 1,
            outer: (0, Site::ROOT),
            cursor: 0,
            live: 0,
        }
    }

    /// From `deadline` on, operations that give a tile fail.
    pub(crate) fn set_deadline(&self, deadline: Option<Instant>) {
        self.deadline.set(deadline);
    }

    /// Bytes in all.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Bytes in use.
    pub fn used(&self) -> usize {
        self.cursor.get()
    }

    /// Largest number of bytes in use at one time since the last [`reset_peak`](Self::reset_peak).
    pub fn peak(&self) -> usize {
        self.peak.get()
    }

    /// Starts a new measurement of [`peak`](Self::peak).
    pub fn reset_peak(&self) {
        self.peak.set(self.cursor.get());
    }

    /// The operation that the current task entered last, for reports of a panic.
    pub fn current_operation(&self) -> Option<(&'static str, Site)> {
        self.current.get()
    }

    /// Room for `length` numbers, which hold anything.
    pub(super) fn buffer(&self, length: usize) -> Buffer<'_> {
        let mut data = self.buffers.borrow_mut().pop().unwrap_or_default();
        if data.len() < length {
            data.resize(length, 0.0);
        }
        Buffer {
            data,
            length,
            arena: self,
        }
    }

    #[inline]
    fn rewind(&self, cursor: usize, live: usize) {
        let used = self.cursor.get();
        // A scope closed inside an access only gives its bytes back: references to them may exist.
        if self.poison && cursor < used && !self.busy.get() {
            // SAFETY: `cursor <= used <= limit`, and without an access there are no references.
            let bytes =
                unsafe { slice::from_raw_parts_mut(self.base.add(cursor).as_ptr(), used - cursor) };
            for word in bytes.chunks_mut(4) {
                word.copy_from_slice(&POISON.to_ne_bytes()[..word.len()]);
            }
        }
        self.cursor.set(cursor.min(used));
        self.live.borrow_mut().truncate(live);
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

/// Room for numbers, which the arena keeps for the next operation.
pub(super) struct Buffer<'a> {
    data: Vec<f32>,
    length: usize,
    arena: &'a Arena,
}

impl Deref for Buffer<'_> {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.data[..self.length]
    }
}

impl DerefMut for Buffer<'_> {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.data[..self.length]
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        let data = std::mem::take(&mut self.data);
        self.arena.buffers.borrow_mut().push(data);
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

/// A scope of a core's scratch: what is allocated through it is given back when it is dropped.
///
/// A tile cannot be used after its scope:
/// ```compile_fail,E0597
/// # use pl_runtime::{dtype::DType, site::Site, tile::{self, Arena}};
/// # let site = Site::ROOT;
/// let mut arena = Arena::new(1 << 20, false).unwrap();
/// let core = arena.start_task();
/// let kept;
/// {
///     let scope = core.enter(site);
///     kept = tile::zeros(&scope, site, DType::F32, &[4, 4]).unwrap();
/// }
/// tile::neg(&core, site, kept).unwrap();
/// ```
/// nor after its task:
/// ```compile_fail,E0499
/// # use pl_runtime::{dtype::DType, site::Site, tile::{self, Arena}};
/// # let site = Site::ROOT;
/// let mut arena = Arena::new(1 << 20, false).unwrap();
/// let first = arena.start_task();
/// let kept = tile::zeros(&first, site, DType::F32, &[4, 4]).unwrap();
/// let second = arena.start_task();
/// tile::neg(&second, site, kept).unwrap();
/// ```
/// Tiles of an outer scope may be used in an inner one:
/// ```
/// # use pl_runtime::{dtype::DType, site::Site, tile::{self, Arena}};
/// # let site = Site::ROOT;
/// let mut arena = Arena::new(1 << 20, false).unwrap();
/// let core = arena.start_task();
/// let kept = tile::zeros(&core, site, DType::F32, &[4, 4]).unwrap();
/// for _ in 0..1000 {
///     let scope = core.enter(site);
///     let more = tile::add(&scope, site, kept, 1.0).unwrap();
///     tile::copy_to(&scope, site, kept, more).unwrap();
/// }
/// assert_eq!(kept.get::<f32>(site, &[3, 3]).unwrap(), 1000.0);
/// ```
#[derive(Debug)]
pub struct Scratch<'p> {
    arena: &'p Arena,
    depth: u32,
    outer: (u32, Site),
    /// The save-point.
    cursor: usize,
    live: usize,
}

impl<'p> Scratch<'p> {
    /// Opens a scope inside this one. `site` is where the kernel opens it.
    pub fn enter(&self, site: Site) -> Scratch<'_> {
        self.open(site, Some(site))
    }

    /// Opens a scope of an operation's own at `site`: reports do not count it.
    pub(super) fn enter_own(&self, site: Site) -> Scratch<'_> {
        self.open(site, None)
    }

    #[inline]
    fn open(&self, site: Site, reported: Option<Site>) -> Scratch<'_> {
        if let Some(notes) = &self.arena.notes {
            notes.borrow_mut().enter(reported, self.arena.cursor.get());
        }
        let outer = self.arena.innermost.get();
        let depth = outer.0 + 1;
        self.arena.innermost.set((depth, site));
        let live = self.arena.live.borrow().len();
        Scratch {
            arena: self.arena,
            depth,
            outer,
            cursor: self.arena.cursor.get(),
            live,
        }
    }

    /// The arena that this scope allocates from.
    pub fn arena(&self) -> &'p Arena {
        self.arena
    }

    /// Notes that the kernel reached `operation` at `site`.
    pub(super) fn begin(&self, operation: &'static str, site: Site) {
        self.arena.current.set(Some((operation, site)));
    }

    /// Allocates `bytes` bytes; gives their offset in the arena.
    pub(super) fn reserve(
        &self,
        operation: &'static str,
        site: Site,
        bytes: usize,
    ) -> Result<usize, OperationError> {
        let arena = self.arena;
        if arena.deadline.get().is_some_and(|end| Instant::now() > end) {
            let message = "the kernel takes longer than `RunConfig::kernel_watchdog`";
            return Err(OperationError::new(operation, site, message));
        }
        let (depth, inner) = arena.innermost.get();
        if depth != self.depth {
            return Err(OperationError::new(
                operation,
                site,
                format!(
                    "allocates in an outer scratch scope while the one opened at {inner} is open; \
                     allocate in the innermost scope, and keep values with `copy_to`"
                ),
            ));
        }
        let start = arena.cursor.get();
        let end = bytes
            .checked_next_multiple_of(ALIGNMENT)
            .and_then(|size| start.checked_add(size))
            .filter(|&end| end <= arena.limit)
            .ok_or_else(|| self.overflow(operation, site, bytes))?;
        arena.cursor.set(end);
        arena.peak.set(arena.peak.get().max(end));
        if let Some(notes) = &arena.notes {
            notes.borrow_mut().reserved(end);
        }
        if bytes > 0 {
            arena.live.borrow_mut().push(Allocation {
                bytes,
                operation,
                site,
            });
        }
        Ok(start)
    }

    fn overflow(&self, operation: &'static str, site: Site, bytes: usize) -> OperationError {
        let (used, limit) = (self.arena.used(), self.arena.limit);
        let mut live = self.arena.live.borrow().clone();
        live.sort_by_key(|allocation| std::cmp::Reverse(allocation.bytes));
        let describe =
            |a: &Allocation| format!("    {} bytes by `{}` at {}", a.bytes, a.operation, a.site);
        let largest = live
            .iter()
            .take(3)
            .map(describe)
            .collect::<Vec<_>>()
            .join("\n");
        let largest = if largest.is_empty() {
            "    none".into()
        } else {
            largest
        };
        let enough = used.saturating_add(bytes).saturating_add(ALIGNMENT - 1);
        let enough = enough.checked_next_power_of_two().unwrap_or(enough);
        OperationError::new(
            operation,
            site,
            format!(
                "the scratch of this core is full: requested {bytes}, used {used}, limit {limit} bytes\n  \
                 largest live allocations:\n{largest}\n  \
                 help: {}, {}",
                if bytes > limit {
                    "use smaller tiles"
                } else {
                    "put the per-tile part into `scratch_scope!`"
                },
                if accepts(enough) {
                    format!("or raise `RunConfig::scratch_bytes` to {enough}")
                } else {
                    format!("as no scratch has {enough} bytes")
                }
            ),
        )
    }
}

/// Whether the configuration accepts a scratch of so many bytes.
fn accepts(scratch_bytes: usize) -> bool {
    let config = RunConfig {
        scratch_bytes,
        // Whether there is room for the default heaps is not the question.
        ring_heap: MIN_RING_HEAP.into(),
        ..RunConfig::default()
    };
    config.validate().is_ok()
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        // An outer scope may have closed this one already (dropped out of order).
        if self.arena.innermost.get().0 >= self.depth {
            // After the scope of a task, the next task sets it.
            if self.depth > 1 {
                self.arena.innermost.set(self.outer);
            }
            if let Some(notes) = &self.arena.notes {
                // The task's own scope, of depth 1, is none that is noted.
                let open = self.depth.saturating_sub(2) as usize;
                notes.borrow_mut().leave(open, self.arena.cursor.get());
            }
            self.arena.rewind(self.cursor, self.live);
        }
    }
}

#[cfg(test)]
#[path = "scratch_tests.rs"]
mod tests;
