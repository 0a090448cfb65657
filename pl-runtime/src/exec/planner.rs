//! Nobody runs tasks: each ends when it is submitted. What a run asks of the rings does not depend on
//! when tasks end, so this is enough to plan them.

use super::{Execute, Tally};
use crate::task::slot::ReadyTask;
use std::sync::Arc;

/// Completes every task without looking at it.
#[derive(Debug, Default)]
pub(super) struct Planner {
    tally: Arc<Tally>,
}

impl Execute for Planner {
    fn begin(&mut self) {
        self.tally.clear();
    }

    fn ready(&mut self, task: ReadyTask) {
        task.run(
            |_, _| {},
            |_| unreachable!("a later task has not been submitted yet"),
        );
    }

    fn wait(&mut self, done: &mut dyn FnMut() -> bool) {
        assert!(done(), "every submitted task has ended");
    }

    fn tally(&self) -> Arc<Tally> {
        Arc::clone(&self.tally)
    }

    fn name(&self) -> String {
        "plan".into()
    }
}
