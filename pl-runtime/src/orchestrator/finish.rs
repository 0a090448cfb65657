//! The end of a run: everything submitted runs, everything allocated is given back.

use super::Orchestrator;
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
        let outcome = match failure.or(fatal) {
            Some(error) => Err(error),
            None => outcome,
        };
        if let Some(trace) = &mut self.trace {
            trace.report = Some(report.clone());
        }
        let written = self.record(outcome.as_ref().err(), &report);
        self.reset();
        outcome.and(written).map(|()| report)
    }

    /// Ends a drained run whose orchestration panicked.
    pub(crate) fn abandon(&mut self) {
        let report = self.report();
        let error = self.tally.first().or(self.fatal.take());
        self.record_panic(error.as_ref(), &report);
        self.reset();
    }

    fn report(&mut self) -> RunReport {
        let (op_log, scratch_scopes) = self.tally.take_kept();
        RunReport {
            op_log,
            scratch_scopes,
            timing: self.timing(),
            kernel_tasks: self.kernel_tasks,
            alloc_tasks: self.alloc_tasks,
            scopes: self.scope_count,
            ring_heap: self.rings.each_ref().map(crate::ring::Ring::heap_bytes),
            ring_task_window: self.rings.each_ref().map(|ring| ring.window.size() as u32),
            ring_dep_pool: self.rings.each_ref().map(|ring| ring.dep_pool() as u32),
            clusters: self.clusters(),
            tensormap_high_water: self.tensormap_high_water,
            heap_high_water: self.rings.each_ref().map(|ring| ring.high_water),
            heap_demand: self.rings.each_ref().map(|ring| ring.demand),
            peak_scratch_bytes: self.tally.peak_scratch(),
            edges: self.edges.as_mut().map(std::mem::take).unwrap_or_default(),
            executor: self.executor.name(),
            reports: self.recorder.folder().map(Into::into),
        }
    }

    /// Forgets the run, drained, whatever became of it.
    pub(crate) fn reset(&mut self) {
        for ring in 0..RINGS {
            let next = self.rings[ring].next();
            self.retire(ring, next);
            self.rings[ring].reset();
        }
        for list in self.entry_lists.drain(..) {
            self.accesses.close(list, 1);
        }
        assert_eq!(
            self.accesses.used(),
            0,
            "every access list belongs to a task or to the entry"
        );
        assert_eq!(self.tensormap, 0, "every entry belongs to a task");
        if let Some(edges) = &mut self.edges {
            edges.clear();
        }
        self.tensormap_high_water = 0;
        self.fatal = None;
        self.sequence = 0;
        self.scope_count = 0;
        self.kernel_tasks = [0; RINGS];
        self.alloc_tasks = [0; RINGS];
    }
}
