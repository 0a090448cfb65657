//! Nobody runs tasks: a discrete-event simulation says when they would run on the cores of a device.
//!
//! Time is the orchestrator's, on whose thread all of this happens: each of its calls takes some, and
//! before each call everything that has ended by then is completed. When it waits, its clock goes on to
//! the next end of a task, until what it waits for holds. A task is costed when it is ready: its kernels
//! run on an arena without data, which adds up what their operations take. Then it waits for cores
//! (`Cores`), behind all that were ready before and need the same ones; of tasks that are ready at one
//! time, the one that was submitted first is first.

mod cores;
mod costs;
mod shown;
mod times;

use super::core::Core;
use super::{Execute, Settings, Tally};
use crate::config::RunConfig;
use crate::machine::{Call, MachineModel};
use crate::record::{Live, Timing, TimingTotals};
use crate::task::CoreType;
use crate::task::slot::ReadyTask;
use cores::{Cores, Unit};
use costs::{Costed, Costs};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;
use times::Times;

/// Simulates the cores of a machine.
#[derive(Debug)]
pub(super) struct Simulation {
    core: Core,
    machine: MachineModel,
    clusters: u32,
    costs: Costs,
    times: Times,
    /// What records the run.
    live: Option<Arc<Live>>,
    cores: Cores,
    /// The orchestrator's time.
    now: u64,
    /// What its calls have taken.
    busy: u64,
    /// Tasks that have not ended, by the order of their submits.
    tasks: BTreeMap<u64, Task>,
    /// Those that wait for cores, by type, the first to start first: when they were ready, and which.
    waiting: [BinaryHeap<Reverse<(u64, u64)>>; 3],
    /// The ends of what runs: when, which block of which task, and on which core.
    ends: BinaryHeap<Reverse<End>>,
}

type End = (u64, u64, u32, Option<Unit>);

/// A task that is ready.
#[derive(Debug)]
struct Task {
    handle: ReadyTask,
    ready: u64,
    costed: Costed,
    /// Blocks that have started, and that have ended.
    started: u32,
    ended: u32,
}

impl Simulation {
    pub(super) fn new(settings: Settings, config: &RunConfig) -> Self {
        let (machine, clusters) = (config.machine, config.cluster_count());
        Self {
            core: Core::without_data(settings, config, Arc::new(Tally::default())),
            machine,
            clusters,
            costs: Costs::default(),
            times: Times::new(config.enable_task_times),
            live: None,
            cores: Cores::new(clusters),
            now: 0,
            busy: 0,
            tasks: BTreeMap::new(),
            waiting: Default::default(),
            ends: BinaryHeap::new(),
        }
    }

    /// Takes a task that is ready at `time`.
    fn admit(&mut self, handle: ReadyTask, time: u64) {
        let costed = self.costs.of(&mut self.core, &handle);
        let sequence = costed.sequence;
        self.times.admit(&costed);
        if costed.blocks.is_empty() {
            // There is nothing to run, so no core is needed.
            self.ends.push(Reverse((time, sequence, 0, None)));
        } else {
            self.waiting[costed.cores as usize].push(Reverse((time, sequence)));
        }
        let task = Task {
            handle,
            ready: time,
            costed,
            started: 0,
            ended: 0,
        };
        let before = self.tasks.insert(sequence, task);
        assert!(before.is_none(), "each task is ready once");
    }

    /// Starts at `time` all that can start: no task before one that was ready earlier and needs the
    /// same cores.
    fn dispatch(&mut self, time: u64) {
        let mut blocked = [false; 3];
        loop {
            let heads = CoreType::ALL.iter().filter_map(|&cores| {
                let Reverse(head) = self.waiting[cores as usize].peek()?;
                (!blocked[cores as usize]).then_some((*head, cores))
            });
            let Some(((_, sequence), cores)) = heads.min_by_key(|&(head, _)| head) else {
                return;
            };
            if !self.start(sequence, cores, time) {
                for &other in &CoreType::ALL {
                    blocked[other as usize] |= other.shares_with(cores);
                }
            }
        }
    }

    /// Starts blocks of the task that is first in line for `cores`; `false` if some must wait.
    fn start(&mut self, sequence: u64, cores: CoreType, time: u64) -> bool {
        let task = self.tasks.get_mut(&sequence).expect("it waits");
        let blocks = task.costed.blocks.len() as u32;
        let needed = if task.costed.together { blocks } else { 1 };
        if self.cores.free(cores) < needed {
            return false;
        }
        while task.started < blocks {
            let Some(unit) = self.cores.take(cores) else {
                return false;
            };
            let block = task.started;
            let end = time.saturating_add(task.costed.blocks[block as usize].span);
            self.times
                .run(&task.costed, block, unit, [task.ready, time, end]);
            if let Some(live) = &self.live {
                task.costed.show(live, block, unit, [time, end]);
            }
            self.ends.push(Reverse((end, sequence, block, Some(unit))));
            task.started += 1;
        }
        self.waiting[cores as usize].pop();
        true
    }

    /// Completes what ends next, and starts what can start then; gives the time.
    fn step(&mut self) -> u64 {
        let &Reverse((time, ..)) = self
            .ends
            .peek()
            .expect("a task that is waited for runs or waits for one that does");
        while let Some(&Reverse((end, sequence, _, unit))) = self.ends.peek()
            && end == time
        {
            self.ends.pop();
            if let Some(unit) = unit {
                self.cores.give_back(unit);
            }
            let task = self.tasks.get_mut(&sequence).expect("it runs");
            task.ended += 1;
            if task.ended >= task.costed.blocks.len() as u32 {
                let task = self
                    .tasks
                    .remove(&sequence)
                    .expect("it has just been found");
                self.complete(task, time);
            }
        }
        self.dispatch(time);
        time
    }

    fn complete(&mut self, task: Task, time: u64) {
        if let Some(failure) = task.costed.failure {
            self.core.tally().record(failure);
        }
        let mut ready = Vec::new();
        task.handle.run(|_, _| {}, |next| ready.push(next));
        for next in ready {
            self.admit(next, time);
        }
    }

    /// The orchestrator's time goes on: completes what has ended by then.
    fn advance(&mut self, to: u64) {
        while self
            .ends
            .peek()
            .is_some_and(|&Reverse((end, ..))| end <= to)
        {
            self.step();
        }
        self.now = self.now.max(to);
    }
}

impl Execute for Simulation {
    fn begin(&mut self) {
        assert!(
            self.tasks.is_empty(),
            "a run ends when all tasks have ended"
        );
        self.core.tally().clear();
        self.core.begin(self.core.settings());
        self.costs.clear();
        self.times.clear();
        self.live = self.core.tally().live();
        (self.now, self.busy) = (0, 0);
    }

    fn ready(&mut self, task: ReadyTask) {
        self.admit(task, self.now);
        self.dispatch(self.now);
    }

    fn wait(&mut self, done: &mut dyn FnMut() -> bool) {
        while !done() {
            let time = self.step();
            self.now = self.now.max(time);
        }
    }

    fn charge(&mut self, call: Call) {
        let ns = self.machine.call_ns(call);
        self.busy = self.busy.saturating_add(ns);
        self.advance(self.now.saturating_add(ns));
    }

    fn now_ns(&self) -> Option<u64> {
        Some(self.now)
    }

    fn timing(&mut self) -> Option<Timing> {
        let totals = TimingTotals {
            total_ns: self.now,
            orchestrator_ns: self.busy,
            clusters: self.clusters,
            memory_bandwidth: self.machine.memory_bandwidth,
        };
        Some(self.times.report(totals))
    }

    fn tally(&self) -> Arc<Tally> {
        Arc::clone(self.core.tally())
    }

    fn name(&self) -> String {
        format!("timing({} clusters)", self.clusters)
    }
}
