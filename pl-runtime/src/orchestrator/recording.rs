//! What the orchestrator tells the recorder.

use super::Orchestrator;
use crate::error::{Error, Result};
use crate::record::{Outcome, Phase, RunReport, Sample};

impl Orchestrator {
    /// A run of `entry` is about to begin.
    ///
    /// # Errors
    /// [`Error::Report`]: its reports cannot be written.
    pub(crate) fn begin_recording(&mut self, entry: &'static str) -> Result<()> {
        let live = self.recorder.begin(entry)?;
        self.tally.set_live(live.clone());
        if let Some(watch) = &mut self.watch {
            watch.begin(live);
        }
        Ok(())
    }

    /// Reports are for the program, not for its user.
    pub(crate) fn keep_quiet(&mut self) {
        self.recorder.keep_quiet();
    }

    /// The orchestration has returned. If it has failed, the root scope's end is not recorded.
    pub(crate) fn returned(&mut self, outcome: &Result<()>) {
        if outcome.is_err() {
            self.recorder.stop();
        }
    }

    /// The innermost scope has been opened, or is about to be closed: takes a sample of it, unless the
    /// run has failed.
    #[cold]
    pub(super) fn sample(&mut self, phase: Phase) {
        self.watch_scope(phase);
        if self.fatal.is_some() || self.tally.any() {
            return;
        }
        let scope = self.innermost();
        let ring = &self.rings[scope.ring];
        self.recorder.sample(Sample {
            site: scope.site,
            phase,
            depth: self.scopes.len() as u32 - 1,
            ring: scope.ring as u32,
            tasks: (ring.alive(), ring.next()),
            heap: ring.heap_span(),
            dep_pool: ring.dep_pool_span(),
            tensormap: self.tensormap,
        });
    }

    /// Writes the reports of a drained run that ended with `error` or without one.
    pub(super) fn record(&mut self, error: Option<&Error>, report: &RunReport) -> Result<()> {
        let outcome = error.map_or(Outcome::Ok, Outcome::Failed);
        self.end_recording(outcome, report)
    }

    fn end_recording(&mut self, outcome: Outcome<'_>, report: &RunReport) -> Result<()> {
        self.tally.set_live(None);
        let graph = self.watch.as_ref().and_then(|watch| watch.graph.as_ref());
        let written = self.recorder.end(outcome, report, graph);
        if let Some(watch) = &mut self.watch {
            watch.begin(None);
        }
        written
    }

    /// The same after a panic of the orchestration, which an earlier `error` may have led to.
    pub(super) fn record_panic(&mut self, error: Option<&Error>, report: &RunReport) {
        let outcome = error.map_or(Outcome::Panicked, Outcome::Failed);
        // It fails after successful runs only.
        drop(self.end_recording(outcome, report));
    }
}
