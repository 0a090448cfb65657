//! A core: runs the kernel of one task at a time, in its scratch arena.

use super::grain::Samples;
use super::panics::{self, Panic};
use super::{Settings, Tally};
use crate::config::DEFAULT_SCRATCH_BYTES;
use crate::error::{Cause, Error, KernelFailure, OperationError, ReserveError, less_than};
use crate::site::Site;
use crate::task::TaskArgs;
use crate::task::slot::{Body, ReadyTask};
use crate::tile::Arena;
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct Core {
    settings: Settings,
    arena: std::io::Result<Arena>,
    /// Largest peak of the run that the tally knows of.
    noted_peak: usize,
    samples: Samples,
    tally: Arc<Tally>,
}

impl Core {
    pub(super) fn new(settings: Settings, tally: Arc<Tally>) -> Self {
        let arena = Arena::new(settings.scratch_bytes, settings.poison);
        Self {
            settings,
            arena,
            noted_peak: 0,
            samples: Samples::default(),
            tally,
        }
    }

    /// A core that has its scratch.
    ///
    /// # Errors
    /// [`crate::Error::Reserve`]: the system does not map that much.
    pub(super) fn reserve(settings: Settings, tally: Arc<Tally>) -> Result<Self, Error> {
        let core = Self::new(settings, tally);
        match &core.arena {
            Ok(_) => Ok(core),
            Err(reason) => Err(ReserveError::refuse(
                format!(
                    "the scratch of a core, {} bytes, cannot be mapped",
                    settings.scratch_bytes
                ),
                reason,
                format!(
                    "lower `RunConfig::scratch_bytes` to {}",
                    less_than(settings.scratch_bytes as u64, DEFAULT_SCRATCH_BYTES as u64)
                ),
            )),
        }
    }

    /// A new run begins.
    pub(super) fn begin(&mut self, settings: Settings) {
        if settings != self.settings {
            *self = Self::new(settings, Arc::clone(&self.tally));
        }
        self.noted_peak = 0;
        self.samples = Samples::default();
        if let Ok(arena) = &mut self.arena {
            drop(arena.start_task());
            arena.reset_peak();
        }
    }

    /// Runs a task and completes it, also if it fails.
    #[inline]
    pub(super) fn run(&mut self, task: ReadyTask, ready: impl FnMut(ReadyTask)) {
        task.run(|body, args| self.execute(body, &args), ready);
    }

    #[inline]
    fn execute(&mut self, body: &Body, args: &TaskArgs<'_>) {
        let Ok(arena) = &mut self.arena else {
            return self.no_scratch(body);
        };
        let start = self.samples.begin();
        let outcome = {
            let scratch = arena.start_task();
            panics::catch(|| body.run()(&scratch, args))
        };
        if let Some(start) = start {
            self.samples.end(body.run(), start, &self.tally.grains);
        }
        if arena.peak() > self.noted_peak {
            self.noted_peak = arena.peak();
            self.tally.note_peak(self.noted_peak);
        }
        if !matches!(outcome, Ok(Ok(()))) {
            let operation = arena.current_operation();
            self.failed(body, outcome, operation);
        }
    }

    #[cold]
    fn failed(
        &self,
        body: &Body,
        outcome: Result<Result<(), OperationError>, Panic>,
        operation: Option<(&'static str, Site)>,
    ) {
        let cause = match outcome {
            Ok(Ok(())) => return,
            Ok(Err(error)) => Cause::Operation(error),
            Err(Panic { message, location }) => Cause::Panic {
                message,
                location,
                operation,
            },
        };
        self.record(body, cause);
    }

    #[cold]
    fn no_scratch(&self, body: &Body) {
        if let Err(reason) = &self.arena {
            let cause = Cause::NoScratch {
                bytes: self.settings.scratch_bytes,
                reason: reason.to_string(),
            };
            self.record(body, cause);
        }
    }

    fn record(&self, body: &Body, cause: Cause) {
        self.tally.record(KernelFailure {
            sequence: body.sequence(),
            kernel: body.kernel.name,
            defined: body.kernel.site(),
            submitted: body.site(),
            ring: body.ring(),
            cause,
        });
    }

    pub(super) fn tally(&self) -> &Arc<Tally> {
        &self.tally
    }

    pub(super) fn settings(&self) -> Settings {
        self.settings
    }
}
