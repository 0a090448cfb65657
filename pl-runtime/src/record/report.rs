//! The report of a run.

use super::{Edge, LoggedOp, Timing};
use crate::config::RINGS;
use crate::tile::ScratchScope;
use std::fmt;
use std::path::PathBuf;

/// What a run did. All figures but [`peak_scratch_bytes`](Self::peak_scratch_bytes) and the times in
/// [`op_log`](Self::op_log) depend on the program and the configuration alone (with `ReclaimPolicy::Eager`, [`heap_high_water`](Self::heap_high_water) and
/// [`tensormap_high_water`](Self::tensormap_high_water) do not).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RunReport {
    /// Tasks that ran a kernel, for each ring.
    pub kernel_tasks: [u64; RINGS],
    /// Calls of `alloc_tensors`, for each ring: each takes a task slot.
    pub alloc_tasks: [u64; RINGS],
    /// Scopes opened, the root included.
    pub scopes: u64,
    /// Heap bytes that each ring had.
    pub ring_heap: [u64; RINGS],
    /// Task slots that each ring had.
    pub ring_task_window: [u32; RINGS],
    /// Edges that the dep pool of each ring had.
    pub ring_dep_pool: [u32; RINGS],
    /// Clusters that the device had.
    pub clusters: u32,
    /// Most heap bytes of each ring in use at one time, not yet reclaimed ones included.
    pub heap_high_water: [u64; RINGS],
    /// Most heap bytes of each ring that open scopes needed at one time.
    pub heap_demand: [u64; RINGS],
    /// Most entries that the device's tensormap would have held at one time.
    pub tensormap_high_water: u64,
    /// Most scratch bytes that one core used at one time.
    pub peak_scratch_bytes: usize,
    /// The dependencies that were found, in the order in which they were; empty unless
    /// [`enable_dep_gen`](crate::RunConfig::enable_dep_gen) is on.
    pub edges: Vec<Edge>,
    /// Every operation of every task, by task, block and order in the kernel; empty unless
    /// [`enable_op_log`](crate::RunConfig::enable_op_log) is on.
    pub op_log: Vec<LoggedOp>,
    /// What each `scratch_scope!` used, by file and line; empty unless
    /// [`enable_scratch_stats`](crate::RunConfig::enable_scratch_stats) is on.
    pub scratch_scopes: Vec<ScratchScope>,
    /// What the run takes on the simulated device, with [`Executor::Timing`](crate::Executor::Timing).
    pub timing: Option<Timing>,
    /// Name of the executor.
    pub executor: String,
    /// The folder that reports were written to, if any was turned on.
    pub reports: Option<PathBuf>,
}

impl fmt::Display for RunReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}, peak scratch {} bytes",
            self.executor,
            Count(self.scopes, "scope"),
            self.peak_scratch_bytes
        )?;
        for ring in 0..RINGS {
            let (tasks, allocations) = (self.kernel_tasks[ring], self.alloc_tasks[ring]);
            if tasks + allocations > 0 {
                write!(
                    f,
                    "\nring {ring}: {}, {}, window {}, heap {} of {} bytes (demand {})",
                    Count(tasks, "task"),
                    Count(allocations, "allocation"),
                    self.ring_task_window[ring],
                    self.heap_high_water[ring],
                    self.ring_heap[ring],
                    self.heap_demand[ring],
                )?;
            }
        }
        for scope in &self.scratch_scopes {
            let ScratchScope {
                site,
                entered,
                max_bytes,
                max_at_end,
            } = scope;
            write!(
                f,
                "\nscratch scope {site}: entered {}, at most {max_bytes} bytes, {max_at_end} in use \
                 at its end",
                Count(*entered, "time"),
            )?;
        }
        if let Some(timing) = &self.timing {
            write!(f, "\n{timing}")?;
        }
        Ok(())
    }
}

/// A number of things, by their name in the singular.
pub(crate) struct Count(pub(crate) u64, pub(crate) &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = if self.0 == 1 { "" } else { "s" };
        write!(f, "{} {}{ending}", self.0, self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_prints_one_line_and_one_for_each_ring_in_use_and_ends_like_a_sentence() {
        let mut report = RunReport {
            kernel_tasks: [0; RINGS],
            alloc_tasks: [0; RINGS],
            scopes: 1,
            ring_heap: [4096; RINGS],
            ring_task_window: [8; RINGS],
            heap_high_water: [0; RINGS],
            heap_demand: [0; RINGS],
            ring_dep_pool: [16; RINGS],
            clusters: 8,
            tensormap_high_water: 0,
            peak_scratch_bytes: 0,
            edges: Vec::new(),
            op_log: Vec::new(),
            scratch_scopes: Vec::new(),
            timing: None,
            reports: None,
            executor: "serial".into(),
        };
        assert_eq!(
            report.to_string(),
            "serial: 1 scope, peak scratch 0 bytes",
            "as any value it brings no newline of its own"
        );
        report.scopes = 2;
        report.kernel_tasks = [0, 1, 0, 12];
        report.alloc_tasks[3] = 1;
        report.heap_high_water[3] = 2048;
        report.heap_demand[3] = 1024;
        assert_eq!(
            report.to_string(),
            "serial: 2 scopes, peak scratch 0 bytes\n\
             ring 1: 1 task, 0 allocations, window 8, heap 0 of 4096 bytes (demand 0)\n\
             ring 3: 12 tasks, 1 allocation, window 8, heap 2048 of 4096 bytes (demand 1024)"
        );
    }
}
