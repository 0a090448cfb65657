//! The report of a run.

use crate::config::RINGS;
use std::fmt;

/// What a run did. All figures but [`peak_scratch_bytes`](Self::peak_scratch_bytes) depend on the
/// program and the configuration alone (with `ReclaimPolicy::Eager`,
/// [`heap_high_water`](Self::heap_high_water) does not).
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
    /// Most heap bytes of each ring in use at one time, not yet reclaimed ones included.
    pub heap_high_water: [u64; RINGS],
    /// Most heap bytes of each ring that open scopes needed at one time.
    pub heap_demand: [u64; RINGS],
    /// Most scratch bytes that one core used at one time.
    pub peak_scratch_bytes: usize,
    /// Name of the executor.
    pub executor: String,
}

impl fmt::Display for RunReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} scopes, peak scratch {} bytes",
            self.executor, self.scopes, self.peak_scratch_bytes
        )?;
        for ring in 0..RINGS {
            let tasks = self.kernel_tasks[ring] + self.alloc_tasks[ring];
            if tasks > 0 {
                writeln!(
                    f,
                    "ring {ring}: {} tasks, {} allocations, window {}, heap {} of {} bytes \
                     (demand {})",
                    self.kernel_tasks[ring],
                    self.alloc_tasks[ring],
                    self.ring_task_window[ring],
                    self.heap_high_water[ring],
                    self.ring_heap[ring],
                    self.heap_demand[ring],
                )?;
            }
        }
        Ok(())
    }
}
