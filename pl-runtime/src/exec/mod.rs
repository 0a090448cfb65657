//! Who runs tasks, and when.

mod core;
mod grain;
mod panics;
mod park;
mod planner;
mod pool;
mod serial;
mod tally;
mod threads;
mod timing;

pub(crate) use panics::Role;
pub(crate) use pool::Pool;
pub(crate) use tally::Tally;

use crate::config::{Executor, RunConfig, SerialOrder};
use crate::error::Result;
use crate::machine::Call;
use crate::record::Timing;
use crate::task::slot::ReadyTask;
use crate::tile::{Clock, Noting};
use std::sync::Arc;
use std::time::Duration;

/// Runs the tasks of a run. Called on the orchestrator's thread.
pub(crate) trait Execute: Send {
    /// A run begins; nothing of the one before is left.
    fn begin(&mut self);

    /// Takes a task that can start. It may run now or later.
    fn ready(&mut self, task: ReadyTask);

    /// Runs tasks, or waits for those that run, until `done` holds. It becomes true by tasks that
    /// have been submitted.
    fn wait(&mut self, done: &mut dyn FnMut() -> bool);

    /// The orchestrator makes a call. Only told if the executor simulates time.
    fn charge(&mut self, _: Call) {}

    /// The time of the orchestrator, in nanoseconds since the run began, if the executor simulates it.
    fn now_ns(&self) -> Option<u64> {
        None
    }

    /// What the run took, which has ended, if the executor simulates time.
    fn timing(&mut self) -> Option<Timing> {
        None
    }

    /// Where failures and peaks of the run are counted.
    fn tally(&self) -> Arc<Tally>;

    /// Name, for reports.
    fn name(&self) -> String;
}

/// What a core needs to know of the configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    scratch_bytes: usize,
    poison: bool,
    noted: Noted,
    /// Longest time that one kernel may take.
    watchdog: Option<Duration>,
}

/// What is noted of each kernel that runs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each notes one thing")]
struct Noted {
    /// Anything at all.
    any: bool,
    /// Its operations, what they do, and what its scratch scopes use.
    op_log: bool,
    counts: bool,
    scratch_stats: bool,
    /// Its times or its arguments, by what records them.
    live: bool,
}

impl Noted {
    fn new(config: &RunConfig) -> Self {
        let noted = Self {
            any: false,
            op_log: config.enable_op_log,
            counts: config.enable_pmu,
            scratch_stats: config.enable_scratch_stats,
            live: config.enable_chip_swimlane
                || config.enable_pmu
                || config.enable_dump_args.is_some(),
        };
        Self {
            any: noted != Self::default(),
            ..noted
        }
    }
}

impl Settings {
    /// Whether anything is noted of a kernel.
    #[inline]
    fn notes(&self) -> bool {
        self.noted.any
    }

    /// What an arena notes.
    fn noting(&self, clock: Clock) -> Noting {
        Noting {
            operations: self.noted.op_log,
            counts: self.noted.counts,
            scopes: self.noted.scratch_stats,
            clock,
        }
    }
}

/// What completes tasks without running them.
pub(crate) fn planner() -> Box<dyn Execute> {
    Box::new(planner::Planner::default())
}

/// The executor of `config`; threads come from `pool`, which gets more if they are too few.
pub(crate) fn executor(config: &RunConfig, pool: &Arc<Pool>) -> Result<Box<dyn Execute>> {
    panics::install_hook();
    let settings = Settings {
        scratch_bytes: config.scratch_bytes,
        poison: config.poison_scratch,
        watchdog: config.kernel_watchdog,
        noted: Noted::new(config),
    };
    Ok(match config.executor {
        Executor::Serial {
            order: SerialOrder::ProgramOrder,
        } => Box::new(serial::ProgramOrder::new(settings)?),
        Executor::Serial {
            order: SerialOrder::Random(seed),
        } => Box::new(serial::Random::new(settings, seed)?),
        Executor::Threads { .. } => Box::new(threads::Threads::new(
            settings,
            config.threads(),
            Arc::clone(pool),
        )?),
        Executor::Timing => Box::new(timing::Simulation::new(settings, config)),
    })
}
