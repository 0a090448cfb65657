//! Task slots: what the thread that runs a task finds.
//!
//! # Invariants of the unsafe code
//! * Slots never move: a ring keeps them in boxed chunks until it is dropped, after all runs.
//! * A slot's body is written by the orchestrator alone, while no other thread knows the slot:
//!   before its task is published, and after the task before it in the slot was CONSUMED. A task is
//!   CONSUMED after its runner's last access (`Links::complete`) and after its last consumer's
//!   last access (`Links::release`).
//! * From publication to completion the body is only read, by the one thread that runs the task;
//!   the queue's release/acquire pair makes the orchestrator's writes visible to it.
//! * Everything a body points to (its payload, the tensors' memory) stays until the task is
//!   CONSUMED: payloads retire with their slots, ring blocks are pinned by their consumers, and a
//!   run does not return before every task has completed.

use super::links::{Linked, Links};
use super::payload::Payload;
use super::{KernelFn, KernelInfo, TaskArgs};
use crate::site::Site;
use crossbeam_utils::CachePadded;
use std::cell::UnsafeCell;
use std::fmt;

/// Slots are created this many at a time, when a ring first gets that far.
const CHUNK: usize = 256;

/// What a task runs, and on what.
pub(crate) struct Body {
    pub(crate) run: KernelFn,
    pub(crate) kernel: &'static KernelInfo,
    /// Where the task was submitted.
    pub(crate) site: Site,
    /// Position in program order, over all rings.
    pub(crate) sequence: u64,
    pub(crate) ring: usize,
    pub(crate) payload: Payload,
}

pub(crate) struct Slot {
    body: UnsafeCell<Option<Body>>,
    links: CachePadded<Links<Self>>,
}

// SAFETY: the module's invariants keep writes of the body apart from all other accesses.
unsafe impl Sync for Slot {}
// SAFETY: a body holds pointers that are valid on every thread.
unsafe impl Send for Slot {}

impl Linked for Slot {
    fn links(&self) -> &Links<Self> {
        &self.links
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
        unsafe { &(*self.0).links }
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
            let body = unsafe { (*(*slot).body.get()).as_ref() };
            let body = body.expect("a published task has a body");
            let (tensors, scalars) = (body.payload.tensors(), body.payload.scalars());
            execute(
                body,
                TaskArgs {
                    kernel: body.kernel,
                    tensors,
                    scalars,
                },
            );
            body.payload.pins().iter().for_each(|owner| owner.release());
        }
        // SAFETY: `self` was the only one of its task, so this is the only completion.
        unsafe {
            (*slot)
                .links
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

    fn get(&self, local: u64) -> &Slot {
        let at = (local & self.mask) as usize;
        &self.chunks[at / CHUNK][at % CHUNK]
    }

    /// Task `local`, which has been claimed.
    pub(crate) fn task(&self, local: u64) -> TaskRef {
        TaskRef(self.get(local))
    }

    /// Address of the slot of task `local`, for its edges.
    pub(crate) fn address(&self, local: u64) -> *const Slot {
        self.get(local)
    }

    pub(crate) fn is_completed(&self, local: u64) -> bool {
        self.get(local).links.is_completed()
    }

    /// Number of consumers of task `local` that have completed.
    pub(crate) fn released(&self, local: u64) -> u32 {
        self.get(local).links.released()
    }

    /// Makes sure that new task `local` has a slot; the task before it in the slot is CONSUMED.
    pub(crate) fn claim(&mut self, local: u64) {
        let at = (local & self.mask) as usize;
        while at / CHUNK >= self.chunks.len() {
            let empty = || Slot {
                body: UnsafeCell::new(None),
                links: CachePadded::new(Links::completed()),
            };
            self.chunks.push((0..CHUNK).map(|_| empty()).collect());
        }
        self.get(local).links.open_completed();
    }

    /// Publishes claimed task `local`, which waits for `producers`; gives it if it is ready.
    pub(crate) fn start(
        &mut self,
        local: u64,
        body: Body,
        producers: &[TaskRef],
    ) -> Option<ReadyTask> {
        let slot = self.get(local);
        assert!(slot.links.is_completed(), "a claimed slot is not in use");
        let edges = body.payload.edges();
        // SAFETY: the slot's last task has completed and its new one is not published: nobody else
        // uses the body.
        unsafe { *slot.body.get() = Some(body) };
        slot.links.open(producers.len() as u32);
        let mut satisfied = 0;
        for (i, producer) in producers.iter().enumerate() {
            // SAFETY: the payload was written with as many edges, and stays until the task has
            // completed.
            let waits = unsafe { producer.links().add(edges.add(i)) };
            satisfied += u32::from(!waits);
        }
        let ready = producers.is_empty() || slot.links.publish(satisfied);
        ready.then_some(ReadyTask(TaskRef(slot)))
    }
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
