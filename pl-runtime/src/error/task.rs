//! Tasks that failed, or that nothing keeps from failing.

use crate::config::{DEFAULT_SCRATCH_BYTES, MAX_CLUSTERS};
use crate::error::{OperationError, less_than};
use crate::site::Site;
use crate::task::CoreType;
use std::fmt;
use std::time::Duration;

/// The failure of a task that comes first in program order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelFailure {
    /// Position of the task in program order, from 0, over all rings; `alloc_tensors` calls count.
    pub sequence: u64,
    /// Name of the kernel.
    pub kernel: &'static str,
    /// The block that failed, if the task has several.
    pub block: Option<Block>,
    /// Where the kernel is defined.
    pub defined: Site,
    /// Where the task was submitted.
    pub submitted: Site,
    /// The ring that it was submitted on.
    pub ring: usize,
    /// What happened.
    pub cause: Cause,
}

/// One of the blocks of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its number, from 0.
    pub index: u32,
    /// Number of blocks.
    pub count: u32,
}

/// Why a task failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// An operation returned an error.
    Operation(OperationError),
    /// The kernel panicked.
    Panic {
        /// Message of the panic.
        message: String,
        /// `file:line` of the panic; unknown if the program has set a panic hook of its own since
        /// it made its first runtime.
        location: Option<String>,
        /// The operation that the kernel entered last, and where.
        operation: Option<(&'static str, Site)>,
    },
    /// The core that ran the task got no scratch memory.
    NoScratch {
        /// Bytes asked for.
        bytes: usize,
        /// The operating system's answer.
        reason: String,
    },
    /// The kernel took longer than `RunConfig::kernel_watchdog`.
    Timeout {
        /// How long it took.
        taken: Duration,
        /// How long it may take.
        limit: Duration,
        /// The operation that it entered last, and where.
        operation: Option<(&'static str, Site)>,
    },
}

impl fmt::Display for KernelFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kernel,
            submitted,
            ring,
            defined,
            ..
        } = self;
        write!(f, "kernel `{kernel}` ")?;
        if let Some(Block { index, count }) = self.block {
            write!(f, "in block {index} of {count} ")?;
        }
        match &self.cause {
            Cause::Operation(error) => write!(f, "failed in {error}")?,
            Cause::Panic {
                message,
                location,
                operation,
            } => {
                match location {
                    Some(location) => write!(f, "panicked at {location}: {message}")?,
                    None => write!(f, "panicked: {message}")?,
                }
                if let Some((operation, site)) = operation {
                    write!(f, "\n  last operation: `{operation}` at {site}")?;
                }
            }
            Cause::NoScratch { bytes, reason } => {
                write!(f, "got no scratch of {bytes} bytes: {reason}")?;
            }
            Cause::Timeout {
                taken,
                limit,
                operation,
            } => {
                write!(f, "took {taken:.1?}, and may take {limit:?}")?;
                if let Some((operation, site)) = operation {
                    write!(f, "\n  last operation: `{operation}` at {site}")?;
                }
            }
        }
        write!(
            f,
            "\n  submitted at {submitted} on ring {ring}, kernel defined at {defined}"
        )?;
        match &self.cause {
            // Operations say themselves what to write instead.
            Cause::Operation(_) => Ok(()),
            Cause::Panic { .. } => f.write_str(
                "\n  help: correct the kernel; `Executor::Serial` runs tasks one by one, each when it is \
                 submitted",
            ),
            Cause::NoScratch { bytes, .. } => {
                let less = less_than(*bytes as u64, DEFAULT_SCRATCH_BYTES as u64);
                write!(f, "\n  help: lower `RunConfig::scratch_bytes` to {less}")
            }
            Cause::Timeout { taken, .. } => write!(
                f,
                "\n  help: give the kernel less to do, or set `RunConfig::kernel_watchdog` to \
                 {} s or more",
                2 * taken.as_secs() + 1
            ),
        }
    }
}

/// A `get` or `set` of the orchestration that waited longer than `RunConfig::kernel_watchdog`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "an element was waited for {waited:.1?}, and may be for {limit:?}\n  at {site}, ring {ring}, scope \
     opened at {scope}\n  help: let fewer tasks come before it, or set `RunConfig::kernel_watchdog` to \
     {} s or more", 2 * waited.as_secs() + 1
)]
pub struct WaitTimeout {
    /// The call.
    pub site: Site,
    /// Where the innermost scope was opened.
    pub scope: Site,
    /// The ring of that scope.
    pub ring: usize,
    /// How long it waited.
    pub waited: Duration,
    /// How long it may wait.
    pub limit: Duration,
}

/// One of the two tasks of a [`MissingDependency`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Where the task was submitted.
    pub site: Site,
    /// Whether it writes the bytes.
    pub writes: bool,
}

/// How a source of C++ orders two tasks.
pub(crate) const DECLARED_IN_CPP: &str = "keep `PTO2TaskId first = rt_submit_aiv_task(..).task_id();` of the first one, and call \
     `set_dependencies(&first, 1)` on the arguments of the second one";

/// Two tasks of a MANUAL scope that touch the same bytes in no declared order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingDependency {
    /// The task submitted first.
    pub first: Party,
    /// The task submitted second.
    pub second: Party,
    /// Name of the second task's tensor parameter.
    pub parameter: String,
    /// First byte that both touch, counted from the start of the allocation.
    pub start: u64,
    /// First byte behind those that both touch.
    pub end: u64,
    /// The ring of the scope.
    pub ring: usize,
    /// Where the MANUAL scope was opened.
    pub scope: Site,
}

impl fmt::Display for MissingDependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            first,
            second,
            parameter,
            start,
            end,
            ring,
            scope,
        } = self;
        let verb = |party: &Party| if party.writes { "writes" } else { "reads" };
        write!(
            f,
            "task `{}` {} bytes {start}..{end} of {parameter}, which task `{}` {}, and nothing \
             orders the two\n  `{}` submitted at {}\n  `{}` submitted at {}\n  \
             ring {ring}, MANUAL scope opened at {scope}\n  help: let the second wait for the first: ",
            second.kernel,
            verb(second),
            first.kernel,
            verb(first),
            first.kernel,
            first.site,
            second.kernel,
            second.site,
        )?;
        if second.site.is_rust() {
            write!(
                f,
                "`let first = submit!({}(..));` and `submit!({}(..), deps = [first]);` (by hand: `TaskSpec::deps`)",
                first.kernel, second.kernel
            )?;
        } else {
            f.write_str(DECLARED_IN_CPP)?;
        }
        f.write_str(
            "; or use an AUTO scope, which finds such dependencies itself; or let the two touch different bytes",
        )
    }
}

/// A task whose blocks cannot all start together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyncStart {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Where the task was submitted.
    pub site: Site,
    /// Where the innermost scope was opened.
    pub scope: Site,
    /// The ring of that scope.
    pub ring: usize,
    /// Blocks of the task.
    pub blocks: u32,
    /// Blocks that can start together.
    pub limit: u32,
    /// The cores that each block takes.
    pub cores: CoreType,
}

impl SyncStart {
    /// The `RunConfig::clusters` with which the blocks can start together, if that may be so many.
    pub fn clusters(&self) -> Option<u32> {
        let clusters = self.cores.clusters_for(self.blocks);
        (clusters <= MAX_CLUSTERS).then_some(clusters)
    }
}

impl fmt::Display for SyncStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kernel,
            site,
            scope,
            ring,
            blocks,
            limit,
            cores,
        } = self;
        write!(
            f,
            "the {blocks} blocks of task `{kernel}` cannot start together: {limit} {cores} blocks \
             can\n  at {site}, ring {ring}, scope opened at {scope}\n  \
             help: lower the blocks to {limit}, "
        )?;
        if let Some(clusters) = self.clusters() {
            write!(f, "or raise `RunConfig::clusters` to {clusters}, ")?;
        }
        f.write_str("or drop `sync_start`")
    }
}
