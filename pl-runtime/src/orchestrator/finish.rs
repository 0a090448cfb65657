//! The end of a run: everything submitted runs, everything allocated is given back.

use super::Orchestrator;
use crate::access::UNTRACKED;
use crate::config::RINGS;
use crate::error::Result;
use crate::record::RunReport;

impl Orchestrator {
    /// Closes all scopes and waits until every submitted task has ended and is retired.
    pub(crate) fn drain(&mut self) {
        self.close_scopes(0);
        for ring in 0..RINGS {
            let next = self.rings[ring].next();
            self.wait_consumed(ring, next);
        }
    }

    /// Ends a drained run whose orchestration gave `outcome`. Of several errors the one that comes
    /// first in program order counts: a failed kernel's task was submitted before any other error.
    pub(crate) fn finish(&mut self, outcome: Result<()>) -> Result<RunReport> {
        let report = self.report();
        let failure = self.tally.first();
        let fatal = self.fatal.take();
        self.reset();
        match failure.or(fatal) {
            Some(error) => Err(error),
            None => outcome.map(|()| report),
        }
    }

    fn report(&self) -> RunReport {
        RunReport {
            kernel_tasks: self.kernel_tasks,
            alloc_tasks: self.alloc_tasks,
            scopes: self.scope_count,
            ring_heap: self.rings.each_ref().map(crate::ring::Ring::heap_bytes),
            ring_task_window: self.rings.each_ref().map(|ring| ring.window.size() as u32),
            heap_high_water: self.rings.each_ref().map(|ring| ring.high_water),
            heap_demand: self.rings.each_ref().map(|ring| ring.demand),
            peak_scratch_bytes: self.tally.peak_scratch(),
            executor: self.executor.name(),
        }
    }

    /// Forgets the run, drained, whatever became of it.
    pub(crate) fn reset(&mut self) {
        for ring in 0..RINGS {
            let next = self.rings[ring].next();
            self.retire(ring, next);
            self.rings[ring].reset();
        }
        self.accesses
            .close(std::mem::replace(&mut self.entry_lists, UNTRACKED));
        assert_eq!(
            self.accesses.used(),
            0,
            "every access list belongs to a task or to the entry"
        );
        self.fatal = None;
        self.sequence = 0;
        self.scope_count = 0;
        self.kernel_tasks = [0; RINGS];
        self.alloc_tasks = [0; RINGS];
    }
}
