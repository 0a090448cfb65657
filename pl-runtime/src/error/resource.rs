//! Rings that cannot hold what a program asks of them.

use crate::config::{RINGS, RunConfig};
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
    /// Whether the configuration accepts it.
    pub accepted: bool,
    /// Whether the innermost scope is MANUAL: no AUTO scope can be opened in it.
    pub manual: bool,
}

/// Whether a runtime with these sizes could have `suggestion` in place of one of them.
pub(crate) fn accepts(
    resource: Resource,
    ring: usize,
    suggestion: u64,
    mut heaps: [u64; RINGS],
    mut windows: [u32; RINGS],
) -> bool {
    match resource {
        Resource::Heap => heaps[ring] = suggestion,
        Resource::ScopeTasks | Resource::TaskWindow => {
            let Ok(slots) = u32::try_from(suggestion) else {
                return false;
            };
            windows[ring] = slots;
        }
    }
    let config = RunConfig {
        ring_heap: heaps.into(),
        ring_task_window: windows.into(),
        ..RunConfig::default()
    };
    config.validate().is_ok()
}

impl Exhausted {
    /// Whether the request is larger than the whole ring.
    pub fn can_never_fit(&self) -> bool {
        self.resource == Resource::Heap && self.requested > self.capacity
    }

    /// What the program can do.
    fn advice(&self) -> &'static str {
        match self.resource {
            Resource::Heap if self.can_never_fit() => "allocate smaller tensors",
            Resource::Heap => "close the scope of what is no longer needed before this call",
            Resource::ScopeTasks if self.manual => {
                "close the MANUAL scope, and open another one for each part of the loop"
            }
            Resource::ScopeTasks => "open a scope around parts of the loop",
            Resource::TaskWindow => {
                "put what was submitted before into a scope that closes before this call"
            }
        }
    }

    fn help(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            ring, suggestion, ..
        } = self;
        let (field, unit) = match self.resource {
            Resource::Heap => ("ring_heap", "bytes"),
            Resource::ScopeTasks | Resource::TaskWindow => ("ring_task_window", "slots"),
        };
        f.write_str(self.advice())?;
        if self.accepted {
            write!(
                f,
                ", or set `RunConfig::{field}` of ring {ring} to {suggestion}"
            )
        } else {
            write!(
                f,
                "; no configuration of this machine has the {suggestion} {unit} it takes"
            )
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
