//! The orchestrator of a run: scopes, rings and access records, on the caller's thread.

mod alloc;
mod data;
pub(crate) mod discover;
mod exhausted;
mod finish;
mod launch;
mod recording;
mod scopes;
mod simulated;
mod submit;
mod watch;

use crate::access::{Accesses, Region};
use crate::audit::Declared;
use crate::config::{Executor, RINGS, ReclaimPolicy, RunConfig};
use crate::entry::Lent;
use crate::error::{Error, ReportedFatal, Resource, Result};
use crate::exec::{Execute, Tally};
use crate::plan::Trace;
use crate::record::{Edge, Recorder};
use crate::ring::{Blocked, Memory, NewTask, Ring};
use crate::site::Site;
use crate::task::slot::TaskRef;
use crate::task::{KernelInfo, TaskKey, TaskNote};
use crate::tensor::{Permission, RawTensor};
use scopes::OpenScope;
use simulated::Simulated;
use std::sync::Arc;
use watch::Watch;

/// Everything that one run changes; kept and used again by the runs of a runtime.
pub(crate) struct Orchestrator {
    rings: [Ring; RINGS],
    scopes: Vec<OpenScope>,
    /// Records of MANUAL scopes that have closed, to be used again.
    #[allow(
        clippy::vec_box,
        reason = "they move between here and the stack of scopes"
    )]
    spare_declared: Vec<Box<Declared>>,
    accesses: Accesses,
    /// The access lists of entry arguments.
    entry_lists: Vec<u32>,
    executor: Box<dyn Execute>,
    tally: Arc<Tally>,
    config: RunConfig,
    /// The dependencies that were found, if they are to be kept.
    edges: Option<Vec<Edge>>,
    /// The tasks of kernels, if they are to be kept.
    pub(crate) notes: Option<Vec<TaskNote>>,
    /// Entries that the device's tensormap would hold.
    tensormap: u64,
    tensormap_high_water: u64,
    recorder: Recorder,
    /// What it takes to go without data, if the executor simulates.
    simulated: Option<Box<Simulated>>,
    /// What is kept of the calls; always there if the executor simulates.
    watch: Option<Box<Watch>>,
    /// What the runs ask of the rings, if they are planned.
    trace: Option<Box<Trace>>,
    /// The first error that the orchestration was told.
    fatal: Option<Error>,
    /// Calls that took a slot so far, over all rings.
    sequence: u64,
    /// Scopes opened so far.
    scope_count: u64,
    kernel_tasks: [u64; RINGS],
    alloc_tasks: [u64; RINGS],
    scratch: Buffers,
}

/// Vectors that every call fills anew.
#[derive(Debug, Default)]
struct Buffers {
    /// The tensors that the call allocated.
    outputs: Vec<RawTensor>,
    /// Tasks to wait for: all that were found, and each unfinished one once.
    waits: Vec<discover::Wait>,
    producers: Vec<TaskKey>,
    /// Tasks whose entries go from the device's map.
    unmapped: Vec<TaskKey>,
    tasks: Vec<TaskRef>,
    /// Tasks whose blocks are used.
    pins: Vec<TaskRef>,
    /// In a MANUAL scope: positions of the declared dependencies, and of the tasks in conflict.
    dependencies: Vec<u32>,
    hazards: Vec<(u32, discover::Hazard)>,
    /// For an audit of the program: conflicts with earlier tasks.
    touched: Vec<discover::Hazard>,
}

impl Orchestrator {
    pub(crate) fn new(config: &RunConfig, executor: Box<dyn Execute>) -> Result<Self> {
        let (heaps, windows, dep_pools) = (config.heaps(), config.windows(), config.dep_pools());
        let ring = |r: usize| {
            let memory = if config.executor == Executor::Timing {
                Memory::unbacked(r, heaps[r])
            } else {
                Memory::reserve(r, heaps[r])?
            };
            Ok::<_, Error>(Ring::new(windows[r], dep_pools[r], memory))
        };
        let recorder = Recorder::new(config);
        let simulated = Simulated::new(config);
        Ok(Self {
            rings: [ring(0)?, ring(1)?, ring(2)?, ring(3)?],
            scopes: Vec::new(),
            spare_declared: Vec::new(),
            accesses: Accesses::new(),
            entry_lists: Vec::new(),
            tally: executor.tally(),
            executor,
            config: config.clone(),
            edges: config.enable_dep_gen.then(Vec::new),
            notes: None,
            tensormap: 0,
            tensormap_high_water: 0,
            watch: Watch::new(config, &recorder),
            recorder,
            simulated,
            trace: None,
            fatal: None,
            sequence: 0,
            scope_count: 0,
            kernel_tasks: [0; RINGS],
            alloc_tasks: [0; RINGS],
            scratch: Buffers::default(),
        })
    }

    /// The runs from here on are noted in `trace`.
    pub(crate) fn trace(&mut self, trace: Trace) {
        self.trace = Some(Box::new(trace));
    }

    /// What was noted.
    pub(crate) fn take_trace(&mut self) -> Trace {
        *self.trace.take().expect("the runs were noted")
    }

    /// The trace of calls, if they are noted.
    #[inline]
    fn calls(&mut self) -> Option<&mut Trace> {
        self.trace.as_deref_mut().filter(|trace| trace.unlimited)
    }

    /// Starts a run: opens the root scope, gives handles on the entry's arguments.
    pub(crate) fn begin(&mut self, args: &[Lent]) -> Vec<RawTensor> {
        self.executor.begin();
        self.open_root();
        let lists = self.entry_access_lists(args);
        if let Some(simulated) = &mut self.simulated {
            simulated.begin();
        }
        let each = args.iter().zip(lists);
        each.map(|(arg, list)| RawTensor {
            view: arg.view,
            base: arg.base,
            owner: TaskKey::NONE,
            bytes: (arg.view.extent() * arg.view.dtype().bytes()) as u64,
            list,
            manual_dep: false,
            has_data: arg.has_data,
            permission: if arg.writable {
                Permission::Writable
            } else {
                Permission::Readable
            },
        })
        .collect()
    }

    /// Arguments that share memory share a list; what nobody can write needs none.
    fn entry_access_lists(&mut self, args: &[Lent]) -> Vec<u32> {
        let span = |i: usize| {
            let region = Region::new(args[i].base, &args[i].view);
            region.bytes()
        };
        let mut order: Vec<usize> = (0..args.len()).collect();
        order.sort_unstable_by_key(|&i| span(i));
        let mut lists = vec![crate::access::UNTRACKED; args.len()];
        let mut group = 0;
        while group < args.len() {
            let (mut end, mut writable) = (span(order[group]).1, false);
            let mut behind = group;
            while behind < args.len() && (behind == group || span(order[behind]).0 < end) {
                end = end.max(span(order[behind]).1);
                writable |= args[order[behind]].writable;
                behind += 1;
            }
            if writable {
                let list = self.accesses.open(1);
                self.entry_lists.push(list);
                order[group..behind].iter().for_each(|&i| lists[i] = list);
            }
            group = behind;
        }
        lists
    }

    /// Refuses to go on if the run has failed, or if `depth` is not the innermost scope.
    #[inline]
    pub(crate) fn check_innermost(&mut self, depth: usize, site: Site) -> Result<()> {
        if let Some(fatal) = &self.fatal {
            return Err(fatal.clone());
        }
        if self.tally.any() {
            return Err(self.tally.first().expect("a failure was recorded"));
        }
        if depth + 1 != self.scopes.len() {
            let inner = self.innermost().site;
            let what = format!("an outer scope is used while the one opened at {inner} is open");
            return Err(self.misuse(site, what, "use the innermost scope, or close it before"));
        }
        Ok(())
    }

    /// Whether the run has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.fatal.is_some() || self.tally.any()
    }

    /// The task that a C++ orchestration calls `id`, if one was submitted (runtime specification, §3.1).
    pub(crate) fn submitted(&self, id: u64) -> Option<TaskKey> {
        let (ring, local) = (usize::try_from(id >> 32).ok()?, id & u64::from(u32::MAX));
        let exists = local < self.rings.get(ring)?.next();
        exists.then(|| TaskKey::new(ring, local))
    }

    /// Ends the run with an error of code 5 (unless it has failed before).
    pub(crate) fn misuse(
        &mut self,
        site: Site,
        what: impl Into<String>,
        help: impl Into<String>,
    ) -> Error {
        let scope = self.innermost();
        let error = Error::misuse(site, scope.site, scope.ring, what, help);
        self.fail(error)
    }

    /// Ends the run with an error of the program's own (unless it has failed before).
    pub(crate) fn report_fatal(&mut self, site: Site, code: u32, text: String) -> Error {
        let scope = self.innermost();
        let fatal = ReportedFatal {
            // 0 would end the run and say that nothing is wrong.
            code: if code == 0 { 9 } else { code },
            text,
            site,
            scope: scope.site,
            ring: scope.ring,
        };
        self.fail(Error::Fatal(Box::new(fatal)))
    }

    fn fail(&mut self, error: Error) -> Error {
        self.fatal.get_or_insert(error).clone()
    }

    /// Makes room on the innermost scope's ring for one task with `bytes` heap bytes.
    #[inline]
    fn admit(&mut self, site: Site, bytes: u64) -> Result<()> {
        let scope = self.innermost();
        let (index, tasks) = (scope.ring, u64::from(scope.tasks));
        // All tasks have ended: what a task waits for is counted as where a dep pool is short.
        if self.calls().is_some() {
            for ring in 0..RINGS {
                self.retire(ring, self.rings[ring].limit());
            }
        }
        if !self.rings[index].window.scope_admits(tasks) {
            return Err(self.exhausted(Resource::ScopeTasks, site, bytes));
        }
        if self.config.reclaim == ReclaimPolicy::Eager {
            let ring = &self.rings[index];
            let mut alive = ring.alive();
            while alive < ring.limit() && ring.is_consumed(alive) {
                alive += 1;
            }
            self.retire(index, alive);
        }
        let alive = match self.rings[index].plan(bytes) {
            Ok(alive) => alive,
            Err(Blocked::Slot) => return Err(self.exhausted(Resource::TaskWindow, site, bytes)),
            Err(Blocked::Heap) => return Err(self.exhausted(Resource::Heap, site, bytes)),
        };
        if alive > self.rings[index].alive() {
            self.wait_consumed(index, alive);
            self.retire(index, alive);
        }
        Ok(())
    }

    /// Waits until the tasks of `ring` below `index` are CONSUMED.
    #[inline]
    fn wait_consumed(&mut self, ring: usize, index: u64) {
        let consumed = |ring: &Ring, mut local| {
            while local < index && ring.is_consumed(local) {
                local += 1;
            }
            local
        };
        let mut local = consumed(&self.rings[ring], self.rings[ring].alive());
        if local < index {
            let start = self.watch.is_some().then(|| self.shown_time()).flatten();
            let of = &self.rings[ring];
            self.executor.wait(&mut || {
                local = consumed(of, local);
                local >= index
            });
            if start.is_some() {
                self.show_wait(start, ring);
            }
        }
    }

    #[inline]
    fn retire(&mut self, ring: usize, index: u64) {
        let Self {
            rings,
            accesses,
            tensormap,
            ..
        } = self;
        *tensormap -= rings[ring].retire(index, |first, count| accesses.close(first, count));
    }

    /// Takes slot and block that were admitted. Gives the task's id and its block's heap offset.
    #[inline]
    fn claim(
        &mut self,
        site: Site,
        bytes: u64,
        outputs: usize,
        kernel: Option<&'static KernelInfo>,
        edges: u32,
    ) -> (TaskKey, u64) {
        let scope = self.scopes.last_mut().expect("the root scope is open");
        let ring = &mut self.rings[scope.ring];
        let task = NewTask {
            bytes,
            outputs,
            scope: scope.number,
            ordinal: scope.tasks,
            edges,
            site,
            kernel,
        };
        let (local, offset) = ring.claim(task);
        scope.tasks += 1;
        scope.first.get_or_insert(local);
        self.sequence += 1;
        let key = TaskKey::new(scope.ring, local);
        if self.watch.is_some() {
            self.watch_task(key, site, kernel);
        }
        if let Some(trace) = self.calls() {
            trace.task(key, bytes, edges, site, kernel);
        }
        (key, offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::UNTRACKED;
    use crate::dtype::DType;
    use crate::exec::{Pool, executor};
    use crate::tensor::View;

    fn lists<const N: usize>(args: [(usize, usize, bool); N]) -> [u32; N] {
        let executor_kind = crate::Executor::Serial {
            order: crate::SerialOrder::ProgramOrder,
        };
        let config = RunConfig {
            executor: executor_kind,
            ..RunConfig::default()
        };
        let executor = executor(&config, &Arc::new(Pool::new())).unwrap();
        let mut orchestrator = Orchestrator::new(&config, executor).unwrap();
        let lists = orchestrator.entry_access_lists(&args.map(|(address, bytes, writable)| Lent {
            base: std::ptr::without_provenance_mut(address),
            view: View::contiguous(DType::U8, &[bytes]).unwrap(),
            writable,
            has_data: true,
        }));
        lists.try_into().unwrap()
    }

    #[test]
    fn arguments_that_overlap_in_memory_share_a_list() {
        let [a, b, c, d] = lists([
            (1000, 100, false),
            (1100, 50, true),
            (1090, 20, false),
            (1150, 10, true),
        ]);
        assert!(a != UNTRACKED && d != UNTRACKED);
        assert_eq!((a, b), (c, c), "linked by the argument between them");
        assert_ne!(a, d, "neighbours do not overlap");
    }

    #[test]
    fn arguments_that_nobody_can_write_have_no_list() {
        let [a, b, c] = lists([(1000, 100, false), (1050, 100, false), (2000, 8, true)]);
        assert_eq!((a, b), (UNTRACKED, UNTRACKED));
        assert_ne!(c, UNTRACKED);
    }
}
