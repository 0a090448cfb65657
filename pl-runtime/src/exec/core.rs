//! A core: runs the kernel of one task at a time, in its scratch arena.

use super::panics;
use super::{Settings, Tally};
use crate::error::{Cause, KernelFailure, ReserveError, Result};
use crate::task::TaskArgs;
use crate::task::slot::{Body, ReadyTask};
use crate::tile::Arena;
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct Core {
    settings: Settings,
    arena: std::io::Result<Arena>,
    tally: Arc<Tally>,
}

impl Core {
    pub(super) fn new(settings: Settings, tally: Arc<Tally>) -> Self {
        let arena = Arena::new(settings.scratch_bytes, settings.poison);
        Self {
            settings,
            arena,
            tally,
        }
    }

    /// A core that has its scratch.
    ///
    /// # Errors
    /// [`crate::Error::Reserve`]: the system does not map that much.
    pub(super) fn reserve(settings: Settings, tally: Arc<Tally>) -> Result<Self> {
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
                    "lower `RunConfig::scratch_bytes`, for example to the default of {} bytes",
                    crate::config::DEFAULT_SCRATCH_BYTES
                ),
            )),
        }
    }

    /// A new run begins.
    pub(super) fn begin(&mut self, settings: Settings) {
        if settings != self.settings {
            *self = Self::new(settings, Arc::clone(&self.tally));
        }
        if let Ok(arena) = &mut self.arena {
            drop(arena.start_task());
            arena.reset_peak();
        }
    }

    /// Runs a task and completes it, also if it fails.
    pub(super) fn run(&mut self, task: ReadyTask, ready: impl FnMut(ReadyTask)) {
        task.run(|body, args| self.execute(body, &args), ready);
    }

    fn execute(&mut self, body: &Body, args: &TaskArgs<'_>) {
        let cause = match &mut self.arena {
            Ok(arena) => {
                let outcome = {
                    let scratch = arena.start_task();
                    panics::catch(|| (body.run)(&scratch, args))
                };
                self.tally.note_peak(arena.peak());
                match outcome {
                    Ok(Ok(())) => return,
                    Ok(Err(error)) => Cause::Operation(error),
                    Err((message, location)) => Cause::Panic {
                        message,
                        location,
                        operation: arena.current_operation(),
                    },
                }
            }
            Err(reason) => Cause::NoScratch {
                bytes: self.settings.scratch_bytes,
                reason: reason.to_string(),
            },
        };
        self.tally.record(KernelFailure {
            sequence: body.sequence,
            kernel: body.kernel.name,
            defined: body.kernel.site(),
            submitted: body.site,
            ring: body.ring,
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
