//! Several threads: the caller orchestrates, and runs tasks whenever it has to wait.

use super::core::Core;
use super::{Execute, Pool, Settings, Tally};
use crate::error::Result;
use crate::task::slot::ReadyTask;
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct Threads {
    pool: Arc<Pool>,
    core: Core,
    /// Threads in all, the caller's included.
    count: usize,
}

impl Threads {
    /// `threads` counts the caller.
    pub(super) fn new(settings: Settings, threads: usize, pool: Arc<Pool>) -> Result<Self> {
        let core = Core::reserve(settings, Arc::clone(&pool.shared.tally))?;
        pool.grow(threads - 1)?;
        Ok(Self {
            pool,
            core,
            count: threads,
        })
    }
}

impl Execute for Threads {
    fn begin(&mut self) {
        let settings = self.core.settings();
        self.core.begin(settings);
        self.pool.shared.begin(settings, self.count - 1);
    }

    fn ready(&mut self, task: ReadyTask) {
        self.pool.shared.start(&mut self.core, task);
    }

    fn wait(&mut self, done: &mut dyn FnMut() -> bool) {
        self.pool.shared.help(&mut self.core, done);
    }

    fn tally(&self) -> Arc<Tally> {
        Arc::clone(self.core.tally())
    }

    fn name(&self) -> String {
        format!("threads({})", self.count)
    }
}
