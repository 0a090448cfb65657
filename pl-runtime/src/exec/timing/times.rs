//! What a simulated run adds up to.

use super::cores::Unit;
use super::costs::Costed;
use crate::record::{KernelTime, TaskTime, Timing, TimingTotals};
use crate::task::KernelInfo;
use std::collections::BTreeMap;

/// What is counted during a run.
#[derive(Debug)]
pub(super) struct Times {
    /// How long matrix cores worked, and vector cores.
    works: [u64; 2],
    /// How long blocks held each of `CoreType::ALL`.
    held: [u64; 3],
    bytes: u64,
    kernels: BTreeMap<(&'static str, &'static str, u32), KernelTime>,
    /// If they are wanted.
    tasks: Option<Vec<TaskTime>>,
}

impl Times {
    pub(super) fn new(keep_tasks: bool) -> Self {
        Self {
            works: [0; 2],
            held: [0; 3],
            bytes: 0,
            kernels: BTreeMap::new(),
            tasks: keep_tasks.then(Vec::new),
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new(self.tasks.is_some());
    }

    /// A task is ready.
    pub(super) fn admit(&mut self, task: &Costed) {
        if !task.blocks.is_empty() {
            self.kernel(task.kernel).tasks += 1;
        }
    }

    fn kernel(&mut self, info: &'static KernelInfo) -> &mut KernelTime {
        let key = (info.name, info.file, info.line);
        self.kernels.entry(key).or_insert(KernelTime {
            kernel: info.name,
            defined: info.site(),
            tasks: 0,
            blocks: 0,
            ns: 0,
        })
    }

    /// A block runs on `unit`: when its task was ready, when it starts and when it ends.
    pub(super) fn run(
        &mut self,
        task: &Costed,
        block: u32,
        unit: Unit,
        [ready_ns, start_ns, end_ns]: [u64; 3],
    ) {
        let cost = &task.blocks[block as usize];
        for (sum, ns) in self.works.iter_mut().zip([cost.aic, cost.aiv]) {
            *sum = sum.saturating_add(ns);
        }
        let held = &mut self.held[unit.cores as usize];
        *held = held.saturating_add(cost.span);
        self.bytes = self.bytes.saturating_add(cost.bytes);
        let kernel = self.kernel(task.kernel);
        kernel.blocks += 1;
        kernel.ns = kernel.ns.saturating_add(cost.span);
        if let Some(tasks) = &mut self.tasks {
            tasks.push(TaskTime {
                task: task.sequence,
                // The orchestrator knows it.
                position: (0, 0),
                block,
                kernel: task.kernel.name,
                cores: unit.cores,
                core: unit.index,
                ready_ns,
                start_ns,
                end_ns,
            });
        }
    }

    /// The report of the run, which has ended.
    pub(super) fn report(&mut self, totals: TimingTotals) -> Timing {
        let mut kernels: Vec<_> = self.kernels.values().copied().collect();
        kernels.sort_by_key(|kernel| std::cmp::Reverse(kernel.ns));
        let mut tasks = self.tasks.as_mut().map(std::mem::take).unwrap_or_default();
        tasks.sort_unstable_by_key(|time| (time.task, time.block));
        totals.report(self.works, self.held, self.bytes, kernels, tasks)
    }
}
