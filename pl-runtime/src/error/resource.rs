//! Rings that cannot hold what a program asks of them.

use crate::config::{MAX_RING_HEAP, MAX_TASK_WINDOW};
use crate::site::Site;
use std::fmt;

/// What ran out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// Tasks that one scope may hold.
    ScopeTasks,
    /// Task slots of a ring.
    TaskWindow,
    /// Heap bytes of a ring.
    Heap,
}

/// The oldest allocation (or task) that an open scope keeps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pinned {
    /// Where it was allocated or submitted.
    pub site: Site,
    /// Name of the kernel; `None` for `alloc_tensors`.
    pub kernel: Option<&'static str>,
    /// Heap bytes of the block.
    pub bytes: u64,
}

/// A request that does not fit into its ring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exhausted {
    /// What ran out.
    pub resource: Resource,
    /// The ring.
    pub ring: usize,
    /// Where the innermost scope was opened.
    pub scope: Site,
    /// The call that does not fit.
    pub site: Site,
    /// What the call needs: slots, or bytes.
    pub requested: u64,
    /// What is in use and cannot be given back while the open scopes are open.
    pub used: u64,
    /// What the ring has.
    pub capacity: u64,
    /// The oldest thing in use.
    pub oldest: Option<Pinned>,
    /// A capacity with which the call fits.
    pub suggestion: u64,
}

impl Exhausted {
    /// Whether the request is larger than the whole ring.
    pub fn can_never_fit(&self) -> bool {
        self.resource == Resource::Heap && self.requested > self.capacity
    }

    fn help(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            ring, suggestion, ..
        } = self;
        match self.resource {
            Resource::Heap if *suggestion > MAX_RING_HEAP => {
                write!(
                    f,
                    "allocate smaller tensors; no ring holds {suggestion} bytes"
                )
            }
            Resource::Heap if self.can_never_fit() => {
                write!(
                    f,
                    "set `RunConfig::ring_heap` of ring {ring} to {suggestion}"
                )
            }
            Resource::Heap => write!(
                f,
                "close the scope of what is no longer needed before this call, or set \
                 `RunConfig::ring_heap` of ring {ring} to {suggestion}"
            ),
            Resource::ScopeTasks | Resource::TaskWindow
                if *suggestion > u64::from(MAX_TASK_WINDOW) =>
            {
                f.write_str("open a scope around parts of the loop")
            }
            Resource::ScopeTasks | Resource::TaskWindow => write!(
                f,
                "open a scope around parts of the loop, or set `RunConfig::ring_task_window` of \
                 ring {ring} to {suggestion}"
            ),
        }
    }
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            ring,
            scope,
            site,
            requested,
            used,
            capacity,
            ..
        } = self;
        match self.resource {
            Resource::ScopeTasks => write!(
                f,
                "the scope opened at {scope} already holds {used} tasks, all that fit into the \
                 task window of ring {ring}"
            )?,
            Resource::TaskWindow => write!(
                f,
                "no task slot of ring {ring} can become free: open scopes hold them"
            )?,
            Resource::Heap if self.can_never_fit() => write!(
                f,
                "a block of {requested} bytes can never fit into the heap of ring {ring}"
            )?,
            Resource::Heap => write!(
                f,
                "a block of {requested} bytes does not fit now into the heap of ring {ring}: open \
                 scopes hold it"
            )?,
        }
        let unit = if self.resource == Resource::Heap {
            "bytes"
        } else {
            "slots"
        };
        write!(
            f,
            "\n  at {site}, scope opened at {scope}\n  requested {requested}, used {used}, \
             capacity {capacity} {unit}"
        )?;
        if self.resource != Resource::Heap {
            write!(f, " (one is kept free)")?;
        }
        if let Some(Pinned {
            site,
            kernel,
            bytes,
        }) = &self.oldest
        {
            let what = kernel.map_or("`alloc_tensors`".into(), |name| format!("task `{name}`"));
            write!(f, "\n  oldest in use: {bytes} bytes by {what} at {site}")?;
        }
        f.write_str("\n  help: ")?;
        self.help(f)
    }
}
