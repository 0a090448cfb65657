//! What the calls of the orchestration are kept for, if a recording asks for it.

use super::Orchestrator;
use crate::config::{Executor, RunConfig};
use crate::machine::Call;
use crate::record::{Graph, Live, Phase, Recorder, SwimlaneCall};
use crate::scope::ScopeMode;
use crate::site::Site;
use crate::task::{KernelInfo, Launch, TaskKey};
use std::sync::Arc;

/// What is kept of the calls of a run.
#[derive(Debug)]
pub(super) struct Watch {
    /// The tasks in program order, for the report of a simulated run.
    pub(super) positions: Option<Vec<TaskKey>>,
    /// Tasks and scopes, for the graph of the dependencies.
    pub(super) graph: Option<Graph>,
    /// What the run in progress records.
    live: Option<Arc<Live>>,
    /// When the call in progress began, and the scopes that are open.
    call: u64,
    open: Vec<u64>,
    /// Blocks of the task that is about to be submitted, and its kernels.
    blocks: u32,
    kernels: Vec<&'static str>,
}

impl Watch {
    /// None if nothing is to be kept, and calls take no simulated time.
    pub(super) fn new(config: &RunConfig, recorder: &Recorder) -> Option<Box<Self>> {
        let simulated = config.executor == Executor::Timing;
        let positions = simulated && config.enable_task_times;
        let graph = recorder.writes_graph();
        let live = config.enable_chip_swimlane || config.enable_dump_args.is_some();
        (simulated || graph || live).then(|| {
            Box::new(Self {
                positions: positions.then(Vec::new),
                graph: graph.then(Graph::default),
                live: None,
                call: 0,
                open: Vec::new(),
                blocks: 1,
                kernels: Vec::new(),
            })
        })
    }

    /// A run begins.
    pub(super) fn begin(&mut self, live: Option<Arc<Live>>) {
        self.live = live;
        self.open.clear();
        self.forget_launch();
        if let Some(positions) = &mut self.positions {
            positions.clear();
        }
        if let Some(graph) = &mut self.graph {
            graph.clear();
        }
    }

    /// The next task is more than one run of one kernel.
    pub(super) fn launch(&mut self, launch: &Launch) {
        self.blocks = launch.blocks;
        let kernels = launch.kernels.iter().flatten();
        self.kernels = kernels.map(|(kernel, _)| kernel.info.name).collect();
    }

    fn forget_launch(&mut self) {
        self.blocks = 1;
        self.kernels.clear();
    }
}

impl Orchestrator {
    /// Time since the run began.
    fn time_ns(&self, live: &Live) -> u64 {
        let simulated = self.executor.now_ns();
        simulated.unwrap_or_else(|| live.elapsed_ns())
    }

    /// The orchestration makes a call: its time is noted, and simulated time goes on.
    #[cold]
    pub(super) fn charge_timed(&mut self, call: Call) {
        if let Some(watch) = &self.watch
            && let Some(live) = &watch.live
        {
            let now = self.time_ns(live);
            self.watch.as_mut().expect("it has just been there").call = now;
        }
        if self.simulated.is_some() {
            self.executor.charge(call);
        }
    }

    /// A slot was taken, in the call in progress.
    #[cold]
    pub(super) fn watch_task(
        &mut self,
        key: TaskKey,
        site: Site,
        kernel: Option<&'static KernelInfo>,
    ) {
        let Some(mut watch) = self.watch.take() else {
            return;
        };
        if let Some(positions) = &mut watch.positions {
            positions.push(key);
        }
        if let Some(graph) = &mut watch.graph {
            graph.task(key, kernel, site, watch.blocks);
        }
        if let Some(live) = &watch.live {
            if let Some(dump) = &live.dump
                && let Some(kernel) = kernel
            {
                watch.kernels.push(kernel.name);
                dump.submitted(self.sequence - 1, &watch.kernels);
            }
            if let Some(swimlane) = &live.swimlane {
                let times = [watch.call, self.time_ns(live)];
                let mut waits = Vec::new();
                // An allocation waits for nothing; what was found was found for another task.
                if kernel.is_some() {
                    waits.extend(self.scratch.waits.iter().map(super::discover::Wait::task));
                    waits.sort_unstable();
                    waits.dedup();
                }
                let name = kernel.map(|kernel| kernel.name);
                swimlane.submitted(name, key, site, times, &waits);
            }
        }
        watch.forget_launch();
        self.watch = Some(watch);
    }

    /// The innermost scope has been opened, or is about to be closed.
    pub(super) fn watch_scope(&mut self, phase: Phase) {
        let Some(mut watch) = self.watch.take() else {
            return;
        };
        let depth = self.scopes.len() as u32 - 1;
        let scope = self.innermost();
        let mode = match scope.manual {
            None => ScopeMode::Auto,
            Some(_) => ScopeMode::Manual,
        };
        if let Some(graph) = &mut watch.graph {
            match phase {
                Phase::Begin => graph.open(scope.site, mode, scope.ring as u32),
                Phase::End => graph.close(),
            }
        }
        if let Some(live) = &watch.live
            && let Some(swimlane) = &live.swimlane
        {
            let now = self.time_ns(live);
            match phase {
                Phase::Begin => watch.open.push(now),
                Phase::End => {
                    let start = watch.open.pop().unwrap_or(0);
                    let name = match depth {
                        0 => "run".into(),
                        _ => format!("scope {}:{}", scope.site.file_name(), scope.site.line),
                    };
                    let args = SwimlaneCall {
                        site: scope.site.to_string(),
                        ring: scope.ring,
                        mode: Some(match mode {
                            ScopeMode::Auto => "auto",
                            ScopeMode::Manual => "manual",
                        }),
                        depth: Some(depth),
                    };
                    swimlane.call(&name, "scope", [start, now], args);
                }
            }
        }
        self.watch = Some(watch);
    }

    /// Time, if waits and calls are shown.
    #[cold]
    pub(super) fn shown_time(&self) -> Option<u64> {
        let live = self.watch.as_ref()?.live.as_ref()?;
        live.swimlane.as_ref().map(|_| self.time_ns(live))
    }

    /// Something has ended that the orchestrator has waited for since `start`: tasks of `ring`.
    #[cold]
    pub(super) fn show_wait(&self, start: Option<u64>, ring: usize) {
        let site = self.scopes.last().map_or(Site::ROOT, |scope| scope.site);
        self.show("wait", "wait", start, site, ring);
    }

    /// A `get` or a `set` has its element.
    pub(super) fn show_element(&self, name: &str, site: Site) {
        let start = self.watch.as_ref().map(|watch| watch.call);
        self.show(name, "call", start, site, self.innermost().ring);
    }

    fn show(&self, name: &str, cat: &str, start: Option<u64>, site: Site, ring: usize) {
        let live = self.watch.as_ref().and_then(|watch| watch.live.as_ref());
        if let (Some(start), Some(live)) = (start, live)
            && let Some(swimlane) = &live.swimlane
        {
            let args = SwimlaneCall {
                site: site.to_string(),
                ring,
                mode: None,
                depth: None,
            };
            swimlane.call(name, cat, [start, self.time_ns(live)], args);
        }
    }
}
