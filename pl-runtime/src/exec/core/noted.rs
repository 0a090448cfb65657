//! Tasks of which something is recorded.

use super::Core;
use crate::error::Cause;
use crate::record::{Live, Ran, Stage};
use crate::task::slot::Body;
use crate::task::{CoreType, KernelFn, KernelInfo, TaskArgs};

/// One of the runs of a task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) kernel: &'static KernelInfo,
    pub(super) function: KernelFn,
    /// Its block, and of how many.
    pub(super) block: u32,
    pub(super) blocks: u32,
    /// Its number among the runs of the task, and whether it is the first one of its kernel.
    pub(super) number: u32,
    pub(super) first: bool,
}

impl Core {
    /// Runs a task and hands on what was noted of it.
    #[cold]
    #[inline(never)]
    pub(super) fn execute_noted(&mut self, body: &Body, args: &TaskArgs<'_>) {
        let live = self.live();
        let dump = live.as_deref().and_then(|live| live.dump.as_ref());
        let dump = dump.filter(|dump| dump.takes(body.sequence()));
        if let Some(dump) = dump {
            dump.write(body, args, Stage::Before);
        }
        if let Some(launch) = body.launch() {
            self.execute_launch(body, launch, args);
        } else {
            let start = self.samples.begin();
            let run = Run {
                kernel: body.kernel,
                function: body.run(),
                block: 0,
                blocks: 1,
                number: 0,
                first: true,
            };
            let outcome = self.call_noted(live.as_deref(), body, &run, args);
            if let Some(start) = start {
                self.samples.end(body.run(), start, &self.tally.grains);
            }
            if let Err(cause) = outcome {
                self.record(body, body.kernel, None, cause);
            }
        }
        if let Some(dump) = dump {
            dump.write(body, args, Stage::After);
        }
    }

    /// What records the times or the arguments of kernels, if anything does.
    pub(super) fn live(&self) -> Option<std::sync::Arc<Live>> {
        let wanted = self.settings.noted.live;
        wanted.then(|| self.tally.live()).flatten()
    }

    /// Runs a kernel once, and hands on what was noted of that.
    pub(super) fn call_noted(
        &mut self,
        live: Option<&Live>,
        body: &Body,
        run: &Run,
        args: &TaskArgs<'_>,
    ) -> Result<(), Cause> {
        if let Ok(arena) = &mut self.arena {
            // What the task before has left in use does not count.
            drop(arena.start_task());
            arena.reset_peak();
        }
        let start_ns = live.map_or(0, Live::elapsed_ns);
        let outcome = self.call(run.function, args);
        let end_ns = live.map_or(0, Live::elapsed_ns);
        let Ok(arena) = &mut self.arena else {
            return outcome;
        };
        let Some(notes) = arena.finish_notes() else {
            return outcome;
        };
        let scratch = arena.peak();
        let at = (body.sequence(), run.block, run.number);
        let (cores, operations) = (CoreType::default(), notes.operations.into());
        self.tally
            .keep(at, run.kernel, cores, operations, &notes.scopes);
        if let Some(live) = live {
            live.ran(
                self.thread,
                &Ran {
                    task: body.sequence(),
                    ring: body.ring(),
                    site: body.site(),
                    kernel: run.kernel,
                    block: run.block,
                    blocks: run.blocks,
                    first: run.first,
                    start_ns,
                    end_ns,
                    failed: outcome.is_err(),
                    counts: notes.counts,
                    scratch,
                },
            );
        }
        outcome
    }
}
