//! Rings that cannot hold what a program asks of them.

use crate::config::RunConfig;
use crate::record::Count;
use crate::site::Site;
use std::fmt;
use std::path::PathBuf;

/// What ran out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// Tasks that one scope may hold.
    ScopeTasks,
    /// Task slots of a ring.
    TaskWindow,
    /// Heap bytes of a ring.
    Heap,
    /// Entries of a ring's dep pool: tasks that one task waits for.
    DepPool,
    /// Entries of the tensormap: tensors that tasks not yet retired write.
    TensorMap,
}

impl Resource {
    /// The code of the error that says that it ran out, and its name.
    pub(crate) const fn status(self) -> (u32, &'static str) {
        match self {
            Self::ScopeTasks => (1, "SCOPE_DEADLOCK"),
            Self::Heap => (2, "HEAP_RING_DEADLOCK"),
            Self::TaskWindow => (3, "FLOW_CONTROL_DEADLOCK"),
            Self::DepPool => (4, "DEP_POOL_OVERFLOW"),
            Self::TensorMap => (11, "TENSORMAP_OVERFLOW"),
        }
    }

    /// The field of the configuration that says how much there is.
    fn field(self) -> Option<&'static str> {
        match self {
            Self::ScopeTasks | Self::TaskWindow => Some("ring_task_window"),
            Self::Heap => Some("ring_heap"),
            Self::DepPool => Some("ring_dep_pool"),
            Self::TensorMap => None,
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Self::ScopeTasks | Self::TaskWindow => "slots (one is kept free)",
            Self::Heap => "bytes",
            Self::DepPool | Self::TensorMap => "entries",
        }
    }

    /// Whether the configuration would be accepted with `amount` of it on `ring`.
    pub(crate) fn can_be(self, mut config: RunConfig, ring: usize, amount: u64) -> bool {
        let small = u32::try_from(amount);
        match self {
            Self::Heap => config.ring_heap.0[ring] = amount,
            Self::ScopeTasks | Self::TaskWindow => {
                config.ring_task_window.0[ring] = small.unwrap_or(u32::MAX);
            }
            Self::DepPool => config.ring_dep_pool.0[ring] = small.unwrap_or(u32::MAX),
            Self::TensorMap => return false,
        }
        config.validate().is_ok()
    }
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
    /// What the call needs: slots, bytes, or entries.
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
    /// The file of the scope statistics, if the run writes it.
    pub statistics: Option<PathBuf>,
}

impl Exhausted {
    /// Whether the request is larger than all that there is.
    pub fn can_never_fit(&self) -> bool {
        !matches!(self.resource, Resource::ScopeTasks | Resource::TaskWindow)
            && self.requested > self.capacity
    }

    fn what(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            ring,
            scope,
            requested,
            used,
            ..
        } = self;
        let when = if self.can_never_fit() {
            "can never fit"
        } else {
            "does not fit now"
        };
        match self.resource {
            Resource::ScopeTasks => {
                match *scope {
                    Site::ROOT => f.write_str("the root scope, open around the whole run,")?,
                    scope => write!(f, "the scope opened at {scope}")?,
                }
                write!(
                    f,
                    " already holds {used} tasks, all that fit into the task window of ring {ring}"
                )
            }
            Resource::TaskWindow => write!(
                f,
                "no task slot of ring {ring} can become free: open scopes hold them"
            ),
            Resource::Heap => {
                write!(
                    f,
                    "a block of {requested} bytes {when} into the heap of ring {ring}"
                )
            }
            Resource::DepPool => write!(
                f,
                "a task that waits for {requested} others {when} into the dep pool of ring {ring}"
            ),
            Resource::TensorMap => {
                write!(
                    f,
                    "a task that writes {} {when} into the tensormap",
                    Count(*requested, "tensor")
                )
            }
        }
    }

    /// What the program can do.
    fn advice(&self) -> &'static str {
        match self.resource {
            Resource::ScopeTasks if self.manual => {
                "split the scope: close this MANUAL one, and open another for each part of the loop"
            }
            Resource::ScopeTasks => "split the scope: open one around parts of the loop",
            Resource::TaskWindow => {
                "move the nested submission to another ring, less than 3 scopes deep, or put what \
                 was submitted before into a scope that closes before this call"
            }
            Resource::Heap if self.can_never_fit() => "shrink the tensors",
            Resource::Heap => {
                "scope the intermediates, so that what is no longer needed is given back before \
                 this call, or shrink them"
            }
            Resource::DepPool => "cut the fan-in: let tasks between wait for some of them",
            Resource::TensorMap => {
                "close the scopes of tasks that are done before this call; `tensormap` in the scope \
                 statistics shows where it fills"
            }
        }
    }

    fn help(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            ring, suggestion, ..
        } = self;
        f.write_str(self.advice())?;
        match self.resource.field() {
            Some(field) if self.accepted => write!(
                f,
                ", or set `RunConfig::{field}` of ring {ring} to {suggestion}"
            ),
            Some(field) => write!(
                f,
                "; no configuration of this machine has a `{field}` of {suggestion}, which it takes"
            ),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            scope,
            site,
            requested,
            used,
            capacity,
            ..
        } = self;
        self.what(f)?;
        let unit = self.resource.unit();
        write!(
            f,
            "\n  at {site}, scope opened at {scope}\n  requested {requested}, used {used}, \
             capacity {capacity} {unit}"
        )?;
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
        self.help(f)?;
        // What is larger than all that there is does not fit, whatever the scopes do.
        if self.can_never_fit() {
            return Ok(());
        }
        f.write_str("\n  which scope fills it: ")?;
        match &self.statistics {
            Some(file) => write!(f, "see {}", file.display()),
            None => f.write_str("set `RunConfig::enable_scope_stats` and `work_dir`"),
        }
    }
}
