//! What is different if the executor simulates: calls take time, and values are known or supplied.

use super::Orchestrator;
use super::submit::{Roles, existing};
use crate::access::UNTRACKED;
use crate::config::{Executor, NoValue, RunConfig, Supplied};
use crate::dtype::ScalarValue;
use crate::error::Result;
use crate::machine::Call;
use crate::record::Timing;
use crate::site::Site;
use crate::task::TaskSpec;
use crate::tensor::{RawTensor, Tensor};

#[derive(Debug)]
pub(super) struct Simulated {
    supplied: Supplied,
    /// The access lists of entry arguments that a task has been submitted to write.
    written: Vec<u32>,
}

impl Simulated {
    /// None for an executor that runs tasks.
    pub(super) fn new(config: &RunConfig) -> Option<Box<Self>> {
        (config.executor == Executor::Timing).then(|| {
            Box::new(Self {
                supplied: Supplied::new(&config.values),
                written: Vec::new(),
            })
        })
    }

    /// A run begins.
    pub(super) fn begin(&mut self) {
        self.supplied.rewind();
        self.written.clear();
    }
}

impl Orchestrator {
    /// The orchestration makes a call.
    #[inline]
    pub(super) fn charge(&mut self, call: Call) {
        if self.watch.is_some() {
            self.charge_timed(call);
        }
    }

    /// The times of the run, which has ended, if they are simulated.
    pub(super) fn timing(&mut self) -> Option<Timing> {
        let mut timing = self.executor.timing()?;
        if let Some(tasks) = self.watch.as_ref().and_then(|w| w.positions.as_ref()) {
            for time in &mut timing.tasks {
                let key = tasks[time.task as usize];
                time.position = (key.ring(), key.local());
            }
        }
        Some(timing)
    }

    /// A task that was checked is submitted.
    #[inline]
    pub(super) fn note_writes(&mut self, task: &TaskSpec<'_>, roles: Roles) {
        let Some(simulated) = &mut self.simulated else {
            return;
        };
        for (argument, arg) in task.args.iter().enumerate() {
            let Some(raw) = existing(arg).map(Tensor::raw) else {
                continue;
            };
            if roles.writes(argument)
                && raw.owner.is_none()
                && !simulated.written.contains(&raw.list)
            {
                simulated.written.push(raw.list);
            }
        }
    }

    /// The element at `index`, whose writers have ended, for `operation` at `site`: as it is in memory if
    /// tasks compute, or if it is one of an array of the caller that no task has written; else
    /// as the user supplies it.
    pub(super) fn value(
        &mut self,
        operation: &str,
        site: Site,
        tensor: &RawTensor,
        index: &[usize],
    ) -> Result<ScalarValue> {
        let dtype = tensor.view.dtype();
        let supplied = match &mut self.simulated {
            None => None,
            Some(simulated) => {
                let written = tensor.list != UNTRACKED && simulated.written.contains(&tensor.list);
                let known = tensor.has_data && tensor.owner.is_none() && !written;
                (!known).then(|| simulated.supplied.next(site, dtype))
            }
        };
        match supplied {
            None => Ok(ScalarValue::from_element_bits(dtype, tensor.read(index))),
            Some(Ok(value)) => Ok(value),
            Some(Err(NoValue { what, help })) => {
                let what = format!(
                    "the element that a `{operation}` of {} reads {what}",
                    tensor.view
                );
                Err(self.misuse(site, what, help))
            }
        }
    }
}
