//! Task slots: what the thread that runs a task finds.
//!
//! # Invariants of the unsafe code
//! * Slots never move: a ring keeps them in boxed chunks until it is dropped, after all runs.
//! * A slot's body and edges are written by the orchestrator alone, while no other thread knows the slot:
//!   before its task is published, and after the task before it in the slot was CONSUMED. A task is
//!   CONSUMED after its runner's last access (`Links::complete`) and after its last consumer's
//!   last access (`Links::release`).
//! * Edges are then used through `Links` only. From publication to completion the body is only read, by the one thread that runs the task;
//!   the queue's release/acquire pair makes the orchestrator's writes visible to it.
//! * Everything a body points to (its payload, the tensors' memory) stays until the task is
//!   CONSUMED: payloads retire with their slots, ring blocks are pinned by their consumers, and a
//!   run does not return before every task has completed.

use super::links::{Edge, Linked, Links};
use super::payload::Payload;
use super::{KernelFn, KernelInfo, Launch, Placement, TaskArgs, TaskKey};
use crate::error::{Block, Cause, KernelFailure};
use crate::site::Site;
use std::cell::UnsafeCell;
use std::fmt;
use std::mem::MaybeUninit;

/// Slots are created this many at a time, when a ring first gets that far.
const CHUNK: usize = 256;
/// Edges that have their place in the slot; the others are part of the payload.
const INLINE_EDGES: usize = 3;

/// What a task runs, and on what.
#[derive(Clone, Copy)]
pub(crate) struct Body {
    run: KernelFn,
    pub(crate) kernel: &'static KernelInfo,
    /// The ring, and the position in program order over all rings.
    order: TaskKey,
    /// Where the task was submitted.
    file: &'static str,
    line: u32,
    placement: Placement,
    payload: Payload,
}

impl Body {
    pub(crate) fn new(
        run: KernelFn,
        kernel: &'static KernelInfo,
        site: Site,
        ring: usize,
        sequence: u64,
        placement: Placement,
        payload: Payload,
    ) -> Self {
        Self {
            run,
            kernel,
            order: TaskKey::new(ring, sequence),
            file: site.file,
            line: site.line,
            placement,
            payload,
        }
    }

    pub(crate) fn run(&self) -> KernelFn {
        self.run
    }

    /// How the task runs, unless it is one kernel once.
    #[inline]
    pub(crate) fn launch(&self) -> Option<&Launch> {
        self.payload.launch()
    }

    pub(crate) fn site(&self) -> Site {
        Site::new(self.file, self.line)
    }

    pub(crate) fn ring(&self) -> usize {
        self.order.ring()
    }

    /// The cores that it was submitted for.
    pub(crate) fn placement(&self) -> Placement {
        self.placement
    }

    /// The failure of `kernel`, one of the task's.
    #[cold]
    pub(crate) fn failure(
        &self,
        kernel: &'static KernelInfo,
        block: Option<Block>,
        cause: Cause,
    ) -> KernelFailure {
        KernelFailure {
            sequence: self.sequence(),
            kernel: kernel.name,
            block,
            defined: kernel.site(),
            submitted: self.site(),
            ring: self.ring(),
            cause,
        }
    }

    /// Position in program order, over all rings.
    pub(crate) fn sequence(&self) -> u64 {
        self.order.local()
    }
}

/// Two cache lines: one that the orchestrator writes and the runner reads, one that both write.
pub(crate) struct Slot {
    body: Line<UnsafeCell<Option<Body>>>,
    shared: Line<Shared>,
}

#[repr(align(64))]
struct Line<T>(T);

struct Shared {
    links: Links<Slot>,
    /// The task's first edges, beside its fanin: a producer that ends finds both together.
    edges: UnsafeCell<[MaybeUninit<Edge<Slot>>; INLINE_EDGES]>,
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Slot>() == 128);

// SAFETY: the module's invariants keep writes of the body and of the edges apart from all other
// accesses.
unsafe impl Sync for Slot {}
// SAFETY: a body holds pointers that are valid on every thread.
unsafe impl Send for Slot {}

impl Linked for Slot {
    fn links(&self) -> &Links<Self> {
        &self.shared.0.links
    }
}

/// A task, as others name it: to wait for it, or to release what it owns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TaskRef(*const Slot);

// SAFETY: slots are `Sync` and outlive their tasks.
unsafe impl Send for TaskRef {}
// SAFETY: as above.
unsafe impl Sync for TaskRef {}

impl TaskRef {
    fn links(&self) -> &Links<Slot> {
        // SAFETY: slots outlive the tasks that name them.
        unsafe { (*self.0).links() }
    }

    /// The task no longer needs what `self` owns.
    fn release(self) {
        self.links().release();
    }
}

/// A task whose dependencies have ended and that nobody runs yet. There is one for each task.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct ReadyTask(TaskRef);

impl ReadyTask {
    pub(super) fn into_ptr(self) -> *const Slot {
        self.0.0
    }

    /// The inverse of [`Self::into_ptr`].
    pub(super) fn from_ptr(slot: *const Slot) -> Self {
        Self(TaskRef(slot))
    }

    fn body(&self) -> &Body {
        // SAFETY: the task is published and not completed, so nobody writes the body.
        let body = unsafe { (*(*self.0.0).body.0.get()).as_ref() };
        body.expect("a published task has a body")
    }

    /// What the task runs, if it is one kernel once.
    pub(crate) fn kernel(&self) -> Option<KernelFn> {
        let body = self.body();
        body.launch().is_none().then_some(body.run)
    }

    /// Shows the task to `look`, without completing it.
    pub(crate) fn look<R>(&self, look: impl FnOnce(&Body, TaskArgs<'_>) -> R) -> R {
        let body = self.body();
        let (tensors, scalars) = (body.payload.tensors(), body.payload.scalars());
        look(body, TaskArgs::new(body.kernel, tensors, scalars))
    }

    /// Runs the task with `execute` and completes it; `ready` gets the tasks that can start now.
    pub(crate) fn run(
        self,
        execute: impl FnOnce(&Body, TaskArgs<'_>),
        mut ready: impl FnMut(ReadyTask),
    ) {
        let slot = self.0.0;
        {
            // SAFETY: the task is published and not completed, so nobody writes the body; the
            // reference ends before the task completes.
            let body = unsafe { (*(*slot).body.0.get()).as_ref() };
            let body = body.expect("a published task has a body");
            let (tensors, scalars) = (body.payload.tensors(), body.payload.scalars());
            execute(body, TaskArgs::new(body.kernel, tensors, scalars));
            body.payload.pins().iter().for_each(|owner| owner.release());
        }
        // SAFETY: `self` was the only one of its task, so this is the only completion.
        unsafe {
            (*slot)
                .links()
                .complete(|consumer| ready(Self(TaskRef(consumer))));
        };
    }
}

/// The slots of one ring.
pub(crate) struct Slots {
    chunks: Vec<Box<[Slot]>>,
    mask: u64,
}

impl Slots {
    /// `window` is a power of two.
    pub(crate) fn new(window: u64) -> Self {
        Self {
            chunks: Vec::new(),
            mask: window - 1,
        }
    }

    #[inline]
    fn get(&self, local: u64) -> &Slot {
        let at = (local & self.mask) as usize;
        &self.chunks[at / CHUNK][at % CHUNK]
    }

    /// Task `local`, which has been claimed.
    #[inline]
    pub(crate) fn task(&self, local: u64) -> TaskRef {
        TaskRef(self.get(local))
    }

    #[inline]
    pub(crate) fn is_completed(&self, local: u64) -> bool {
        self.get(local).links().is_completed()
    }

    /// Number of consumers of task `local` that have completed.
    #[inline]
    pub(crate) fn released(&self, local: u64) -> u32 {
        self.get(local).links().released()
    }

    /// Makes sure that new task `local` has a slot; the task before it in the slot is CONSUMED.
    #[inline]
    pub(crate) fn claim(&mut self, local: u64) {
        if (local & self.mask) as usize / CHUNK >= self.chunks.len() {
            self.grow(local);
        }
        self.get(local).links().open_completed();
    }

    #[cold]
    fn grow(&mut self, local: u64) {
        let empty = || Slot {
            body: Line(UnsafeCell::new(None)),
            shared: Line(Shared {
                links: Links::completed(),
                edges: UnsafeCell::new([const { MaybeUninit::uninit() }; INLINE_EDGES]),
            }),
        };
        while (local & self.mask) as usize / CHUNK >= self.chunks.len() {
            self.chunks.push((0..CHUNK).map(|_| empty()).collect());
        }
    }

    /// Publishes claimed task `local`, which waits for `producers`; gives it if it is ready.
    #[inline]
    pub(crate) fn start(
        &mut self,
        local: u64,
        body: Body,
        producers: &[TaskRef],
    ) -> Option<ReadyTask> {
        let slot = self.get(local);
        assert!(slot.links().is_completed(), "a claimed slot is not in use");
        // SAFETY: the slot's last task has completed and its new one is not published: nobody else
        // uses the body.
        unsafe { *slot.body.0.get() = Some(body) };
        slot.links().open(producers.len() as u32);
        let inline = slot.shared.0.edges.get().cast::<Edge<Slot>>();
        let mut satisfied = 0;
        for (i, producer) in producers.iter().enumerate() {
            let edge = if i < INLINE_EDGES {
                inline.wrapping_add(i)
            } else {
                body.payload.edges().wrapping_add(i - INLINE_EDGES)
            };
            // SAFETY: the place of an edge of this task, in its slot or in its payload, which was
            // written with room for so many; both stay until the task has completed, and no edge
            // of the slot's last task is in a list any more.
            let waits = unsafe {
                edge.write(Edge::new(slot));
                producer.links().add(edge)
            };
            satisfied += u32::from(!waits);
        }
        let ready = producers.is_empty() || slot.links().publish(satisfied);
        ready.then_some(ReadyTask(TaskRef(slot)))
    }
}

/// Of so many edges, those that lie in the payload.
pub(super) fn spilled(edges: usize) -> usize {
    edges.saturating_sub(INLINE_EDGES)
}

impl fmt::Debug for Slots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Slots({} of {})",
            self.chunks.len() * CHUNK,
            self.mask + 1
        )
    }
}
