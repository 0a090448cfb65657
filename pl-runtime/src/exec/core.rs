//! A core: runs the kernel of one task at a time, in its scratch arena.

mod cost;
mod launch;
mod noted;

pub(super) use cost::Cost;

use super::grain::Samples;
use super::panics::{self, Panic};
use super::{Settings, Tally};
use crate::config::DEFAULT_SCRATCH_BYTES;
use crate::error::{Block, Cause, Error, ReserveError, less_than};
use crate::task::slot::{Body, ReadyTask};
use crate::task::{KernelFn, KernelInfo, TaskArgs};
use crate::tile::{Arena, Clock};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(super) struct Core {
    settings: Settings,
    /// Number of the thread that it is on, 0 = the caller's.
    thread: u32,
    arena: std::io::Result<Arena>,
    /// Largest peak of the run that the tally knows of.
    noted_peak: usize,
    samples: Samples,
    tally: Arc<Tally>,
}

/// The clock of one kernel. It cannot stop the kernel, which its caller's arrays are lent to: the
/// next operation fails, and so does the task when the kernel has ended.
struct Watch {
    start: Instant,
    limit: Duration,
}

impl Watch {
    fn start(arena: &Arena, limit: Duration) -> Self {
        let start = Instant::now();
        arena.set_deadline(start.checked_add(limit));
        Self { start, limit }
    }

    fn end(&self, arena: &Arena) -> Result<(), Cause> {
        arena.set_deadline(None);
        let (taken, limit) = (self.start.elapsed(), self.limit);
        if taken <= limit {
            return Ok(());
        }
        Err(Cause::Timeout {
            taken,
            limit,
            operation: arena.current_operation(),
        })
    }
}

impl Core {
    pub(super) fn new(settings: Settings, thread: u32, tally: Arc<Tally>) -> Self {
        let arena = Arena::new(settings.scratch_bytes, settings.poison);
        let arena = match arena {
            Ok(arena) if settings.notes() => Ok(arena.noting(settings.noting(Clock::Real))),
            other => other,
        };
        Self::with(settings, thread, arena, tally)
    }

    fn with(
        settings: Settings,
        thread: u32,
        arena: std::io::Result<Arena>,
        tally: Arc<Tally>,
    ) -> Self {
        Self {
            settings,
            thread,
            arena,
            noted_peak: 0,
            samples: Samples::default(),
            tally,
        }
    }

    /// The caller's core, which has its scratch.
    ///
    /// # Errors
    /// [`crate::Error::Reserve`]: the system does not map that much.
    pub(super) fn reserve(settings: Settings, tally: Arc<Tally>) -> Result<Self, Error> {
        let core = Self::new(settings, 0, tally);
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
            *self = Self::new(settings, self.thread, Arc::clone(&self.tally));
        }
        self.noted_peak = 0;
        self.samples = Samples::default();
        if let Ok(arena) = &mut self.arena {
            arena.start_run();
        }
    }

    /// Runs a task and completes it, also if it fails.
    #[inline]
    pub(super) fn run(&mut self, task: ReadyTask, ready: impl FnMut(ReadyTask)) {
        task.run(|body, args| self.execute(body, &args), ready);
    }

    #[inline]
    fn execute(&mut self, body: &Body, args: &TaskArgs<'_>) {
        if self.settings.notes() {
            return self.execute_noted(body, args);
        }
        if let Some(launch) = body.launch() {
            return self.execute_launch(body, launch, args);
        }
        let start = self.samples.begin();
        let outcome = self.call(body.run(), args);
        if let Some(start) = start {
            self.samples.end(body.run(), start, &self.tally.grains);
        }
        if let Err(cause) = outcome {
            self.record(body, body.kernel, None, cause);
        }
    }

    /// Runs a kernel once.
    #[inline]
    fn call(&mut self, run: KernelFn, args: &TaskArgs<'_>) -> Result<(), Cause> {
        let Ok(arena) = &mut self.arena else {
            return Err(self.no_scratch());
        };
        let watch = self
            .settings
            .watchdog
            .map(|limit| Watch::start(arena, limit));
        let outcome = {
            let scratch = arena.start_task();
            panics::catch(|| run(&scratch, args))
        };
        if arena.peak() > self.noted_peak {
            self.noted_peak = arena.peak();
            self.tally.note_peak(self.noted_peak);
        }
        if let Some(watch) = watch {
            watch.end(arena)?;
        }
        match outcome {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Cause::Operation(error)),
            Err(Panic { message, location }) => Err(Cause::Panic {
                message,
                location,
                operation: arena.current_operation(),
            }),
        }
    }

    #[cold]
    fn no_scratch(&self) -> Cause {
        Cause::NoScratch {
            bytes: self.settings.scratch_bytes,
            reason: match &self.arena {
                Ok(_) => String::new(),
                Err(reason) => reason.to_string(),
            },
        }
    }

    #[cold]
    fn record(&self, body: &Body, kernel: &'static KernelInfo, block: Option<Block>, cause: Cause) {
        self.tally.record(body.failure(kernel, block, cause));
    }

    pub(super) fn tally(&self) -> &Arc<Tally> {
        &self.tally
    }

    pub(super) fn settings(&self) -> Settings {
        self.settings
    }
}
