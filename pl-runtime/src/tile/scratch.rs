//! The scratch arena of a core: a bump allocator whose cursor scopes rewind.

use super::memory::Memory;
use super::notes::Notes;
use crate::config::{MIN_RING_HEAP, RunConfig};
use crate::error::OperationError;
use crate::site::Site;
use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};
use std::time::Instant;

/// Every allocation starts at a multiple of this many bytes.
const ALIGNMENT: usize = 16;

/// What poisoned bytes hold: a signalling NaN as `f32` and as `bf16`, a NaN as `f16`.
pub const POISON: u32 = 0x7fa1_7fa1;

/// The scratch memory of one core. Tiles are allocated through a [`Scratch`].
#[derive(Debug)]
pub struct Arena {
    pub(super) memory: Memory,
    cursor: Cell<usize>,
    peak: Cell<usize>,
    poison: bool,
    /// Number of open scopes, and where the innermost was opened.
    innermost: Cell<(u32, Site)>,
    current: Cell<Option<(&'static str, Site)>>,
    /// When the kernel should have ended.
    deadline: Cell<Option<Instant>>,
    live: RefCell<Vec<Allocation>>,
    /// Memory of the host that operations compute in; no part of the scratch.
    buffers: RefCell<Vec<Vec<f32>>>,
    pub(super) notes: Option<Box<RefCell<Notes>>>,
}

#[derive(Clone, Copy, Debug)]
struct Allocation {
    bytes: usize,
    operation: &'static str,
    site: Site,
}

impl Arena {
    /// An arena of `bytes` bytes; with `poison`, bytes given back are overwritten with [`POISON`].
    ///
    /// # Errors
    /// The operating system does not map that much memory.
    pub fn new(bytes: usize, poison: bool) -> std::io::Result<Self> {
        Ok(Self::of(Memory::new(bytes)?, poison))
    }

    /// An arena of `bytes` bytes that are never there: everything is as in one that has them, except
    /// for what operations read and write.
    pub(crate) fn without_data(bytes: usize) -> Self {
        Self::of(Memory::without_data(bytes), false)
    }

    fn of(memory: Memory, poison: bool) -> Self {
        Self {
            memory,
            cursor: Cell::new(0),
            peak: Cell::new(0),
            poison,
            innermost: Cell::new((0, Site::ROOT)),
            current: Cell::new(None),
            deadline: Cell::new(None),
            live: RefCell::new(Vec::with_capacity(64)),
            notes: None,
            buffers: RefCell::default(),
        }
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
        self.memory.limit()
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
        if self.poison && cursor < used {
            self.memory.fill(cursor..used, POISON);
        }
        self.cursor.set(cursor.min(used));
        self.live.borrow_mut().truncate(live);
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
            .filter(|&end| end <= arena.limit())
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
        let (used, limit) = (self.arena.used(), self.arena.limit());
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
