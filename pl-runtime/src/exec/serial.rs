//! One thread, the caller's: tasks one by one.

use super::core::Core;
use super::{Execute, Settings, Tally};
use crate::error::Result;
use crate::task::slot::ReadyTask;
use std::sync::Arc;

fn core(settings: Settings) -> Result<Core> {
    Core::reserve(settings, Arc::new(Tally::default()))
}

fn begin(core: &mut Core) {
    core.tally().clear();
    core.begin(core.settings());
}

/// Runs each task when it is submitted: whatever it depends on was submitted before.
#[derive(Debug)]
pub(super) struct ProgramOrder {
    core: Core,
}

impl ProgramOrder {
    pub(super) fn new(settings: Settings) -> Result<Self> {
        Ok(Self {
            core: core(settings)?,
        })
    }
}

impl Execute for ProgramOrder {
    fn begin(&mut self) {
        begin(&mut self.core);
    }

    fn ready(&mut self, task: ReadyTask) {
        self.core.run(task, |_| {
            unreachable!("a later task has not been submitted yet")
        });
    }

    fn wait(&mut self, done: &mut dyn FnMut() -> bool) {
        assert!(done(), "every submitted task has run");
    }

    fn tally(&self) -> Arc<Tally> {
        Arc::clone(self.core.tally())
    }

    fn name(&self) -> String {
        "serial".into()
    }
}

/// Runs tasks in a legal order drawn from a seed: now and then when one is submitted, and as many
/// as it takes when the orchestrator waits.
#[derive(Debug)]
pub(super) struct Random {
    core: Core,
    ready: Vec<ReadyTask>,
    seed: u64,
    state: u64,
}

impl Random {
    pub(super) fn new(settings: Settings, seed: u64) -> Result<Self> {
        Ok(Self {
            core: core(settings)?,
            ready: Vec::new(),
            seed,
            state: seed,
        })
    }

    /// A number below `bound`, by `SplitMix64`.
    fn draw(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn step(&mut self) {
        assert!(
            !self.ready.is_empty(),
            "a task that is waited for can start or waits for one that can"
        );
        let at = self.draw(self.ready.len());
        let task = self.ready.swap_remove(at);
        let Self { core, ready, .. } = self;
        core.run(task, |next| ready.push(next));
    }
}

impl Execute for Random {
    fn begin(&mut self) {
        begin(&mut self.core);
        self.state = self.seed;
    }

    fn ready(&mut self, task: ReadyTask) {
        self.ready.push(task);
        if self.draw(2) == 0 {
            self.step();
        }
    }

    fn wait(&mut self, done: &mut dyn FnMut() -> bool) {
        while !done() {
            self.step();
        }
    }

    fn tally(&self) -> Arc<Tally> {
        Arc::clone(self.core.tally())
    }

    fn name(&self) -> String {
        format!("serial-random({})", self.seed)
    }
}
