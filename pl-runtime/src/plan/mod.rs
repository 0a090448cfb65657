//! Plans: what a program asks of the rings, before it runs.
//!
//! A plan carries out the orchestration with rings that have room for everything and with tasks that end
//! at once: nothing is computed, so no array needs its elements ([`shape`](crate::shape())). What is asked of the rings depends on
//! the program alone, so the figures are exact for any number of threads; and a ring's do not depend on
//! the others'.

mod advice;
mod audit;
mod fit;
mod needs;
mod replay;
mod report;
mod topology;
mod trace;
mod walk;

pub use advice::{Advice, Change};
pub use audit::{Audit, DeepScope, Hazard, Unkept};
pub use topology::{CallNode, ScopeNode, TopologyNode};
pub(crate) use trace::Trace;

use crate::config::{Executor, MAX_DEP_POOL, MAX_TASK_WINDOW, RINGS, RunConfig};
use crate::error::{Error, Resource, Result};
use crate::record::RunReport;
use crate::ring::UNBACKED_HEAP;
use crate::runtime::Runtime;
use crate::site::Site;
use replay::{Sizes, first_failure};
use report::Given;
use trace::Event;

/// What a program asks of the rings.
///
/// ```
/// use ndarray::Array1;
/// use pl_runtime::plan::Plan;
/// use pl_runtime::{DType, EntryArg, KernelInfo, RunConfig, Site, TensorCreateInfo, shape};
/// # static ENTRY: KernelInfo = KernelInfo { name: "entry", file: file!(), line: line!(), params: &[] };
/// # let site = Site::new(file!(), line!());
/// let config = RunConfig { ring_heap: 4096.into(), ..RunConfig::default() };
/// let plan = Plan::new(&config, |runtime| {
///     runtime.run(&ENTRY, [EntryArg::input::<f32, 1>(shape([8]))?], |scope, [_x]| {
///         let info = TensorCreateInfo::new(DType::F32, &[1500]);
///         scope.alloc_tensors(site, &[info, info]).map(drop)
///     })
/// })?;
/// assert_eq!(plan.rings[0].heap.minimum, 12 * 1024);
/// assert_eq!(plan.failure.as_ref().and_then(|error| error.code()), Some(2));
/// let fitting = config.fit(&plan);
/// assert_eq!(plan.predict(&fitting), None);
/// # Ok::<(), pl_runtime::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    /// What each ring needs.
    pub rings: [RingPlan; RINGS],
    /// Heap bytes of all rings together in the configuration that was given.
    pub reserved: u64,
    /// What the last run of the program reports with the configuration that was given (sizes, high water,
    /// demand), up to its failure; `None` if the rings cannot be reserved.
    pub report: Option<RunReport>,
    /// The error that the program ends with in the configuration that was given, if it does.
    pub failure: Option<Error>,
    given: [Given; RINGS],
    trace: Trace,
}

/// What a program asks of one ring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RingPlan {
    /// Tasks that run a kernel, or none.
    pub kernel_tasks: u64,
    /// Calls of `alloc_tensors`.
    pub alloc_tasks: u64,
    /// Heap bytes.
    pub heap: HeapNeed,
    /// Task slots.
    pub window: WindowNeed,
    /// Dep-pool entries.
    pub dep_pool: DepPoolNeed,
}

/// Heap bytes that a ring needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeapNeed {
    /// Most bytes that open scopes need at one time, each tensor padded to 1024.
    pub live: u64,
    /// The smallest heap with which the program completes, a multiple of 1024. A larger one may fail:
    /// where blocks wrap around the end changes with the size.
    pub minimum: u64,
    /// With this and every larger heap the program completes: [`live`](Self::live) and the largest block.
    pub safe: u64,
    /// Where [`live`](Self::live) is reached, and what holds it; `None` if nothing is allocated.
    pub peak: Option<Peak>,
}

/// Task slots that a ring needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WindowNeed {
    /// The smallest window with which the program completes, a power of two; so do all larger ones.
    pub minimum: u64,
    /// Where most slots are needed, the one that is kept free included, and what holds them; `None` without tasks.
    pub peak: Option<Peak>,
}

/// Dep-pool entries that a ring needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DepPoolNeed {
    /// The smallest pool with which the program completes here: the largest fanin of one task.
    pub minimum: u64,
    /// An upper estimate for the device, which keeps entries of tasks that have ended until 64 have
    /// retired (runtime specification, §6.2): enough if no task has ended when a consumer is submitted.
    pub device: u64,
    /// The task with the largest fanin; `None` if no task waits for another.
    pub peak: Option<Peak>,
}

/// The most of something that a ring needs at one time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Peak {
    /// How much.
    pub amount: u64,
    /// The call that reaches it, and the innermost scope there.
    pub site: Site,
    /// Where that scope was opened.
    pub scope: Site,
    /// The oldest call that is held, and the scope that it was made in: nothing behind it on the ring
    /// is taken back while that scope, or one around it, is open.
    pub oldest: Option<(Site, Site)>,
    /// What is held, by call and scope, the largest first; at most five.
    pub held: Vec<Held>,
}

/// What calls at one place hold of a ring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    /// The call.
    pub site: Site,
    /// The scope that it is made in.
    pub scope: Site,
    /// Name of the kernel, if it is not `alloc_tensors`.
    pub kernel: Option<&'static str>,
    /// How many of its tasks are held.
    pub tasks: u64,
    /// Their heap bytes.
    pub bytes: u64,
}

/// A failure that a plan predicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prediction {
    /// What has no room.
    pub resource: Resource,
    /// On which ring.
    pub ring: usize,
    /// The call that fails.
    pub site: Site,
    /// The innermost scope there.
    pub scope: Site,
}

impl Prediction {
    /// Code of the error.
    pub fn code(&self) -> u32 {
        self.resource.status().0
    }
}

/// The first window that is tried: programs rarely hold more tasks at one time.
const FIRST_WINDOW: u32 = 1 << 16;

impl Plan {
    /// Plans `program`, which runs entries on the runtime that it is given; for `config`, of which
    /// executor and reports mean nothing here. Called up to a few times.
    ///
    /// Values that only arithmetic could give (`get` of what a task has written, predicates) are those
    /// of [`RunConfig::values`]; elements of arrays of the caller that no task has written are known.
    ///
    /// # Errors
    /// What `config` is refused for; what `program` gives whatever the sizes of the rings are: codes 5, 7, 9, 11, 201;
    /// an element whose value is not known (5).
    pub fn new<T>(
        config: &RunConfig,
        mut program: impl FnMut(&Runtime) -> Result<T>,
    ) -> Result<Self> {
        let config = RunConfig {
            executor: Executor::Timing,
            ..quiet(config)
        };
        let trace = unlimited(&config, &mut program, &|| Trace::new(true))?;
        let rings = needs::rings(&trace);
        let heaps = config.heaps();
        let reserved = heaps.iter().fold(0_u64, |sum, &b| sum.saturating_add(b));
        let (windows, dep_pools) = (config.windows(), config.dep_pools());
        let mut plan = Self {
            rings,
            given: std::array::from_fn(|ring| Given {
                heap: heaps[ring],
                window: windows[ring],
                dep_pool: dep_pools[ring],
            }),
            reserved,
            report: None,
            failure: None,
            trace,
        };
        match config.validate() {
            Err(error @ Error::Reserve(_)) => plan.failure = Some(error),
            Err(error) => return Err(error),
            Ok(()) => {
                let runtime = Runtime::planning(config, Trace::new(false))?;
                plan.failure = program(&runtime).err();
                plan.report = runtime.into_trace().report;
            }
        }
        Ok(plan)
    }

    /// The failure that the program ends with when rings have the sizes of `config`; `None` if it completes.
    pub fn predict(&self, config: &RunConfig) -> Option<Prediction> {
        let sizes = Sizes {
            heaps: config.heaps(),
            windows: config.windows(),
            dep_pools: config.dep_pools(),
        };
        let (at, resource) = first_failure(&self.trace, &sizes)?;
        walk::walk(&self.trace, |call| {
            if call.at != at {
                return std::ops::ControlFlow::Continue(());
            }
            std::ops::ControlFlow::Break(Prediction {
                resource,
                ring: call.ring,
                site: call.task.site,
                scope: call.scope,
            })
        })
    }

    /// Changes of the program that lower the heap peak of a ring and of all rings together, the best
    /// first: each was planned, and has its figures. Looks at what holds the peaks
    /// ([`Peak::held`]), not at all that could be changed.
    pub fn advice(&self) -> Vec<Advice> {
        advice::advice(&self.trace, &self.rings)
    }

    /// The scopes of all runs that were planned, with what is called in each, as a tree. Scopes at one place
    /// of the same parent, such as those of a loop, are one node; so are calls.
    pub fn topology(&self) -> ScopeNode {
        topology::topology(&self.trace)
    }

    /// Tasks of all runs that were planned.
    pub fn tasks(&self) -> u64 {
        let tasks = |event: &&Event| matches!(event, Event::Task(_));
        self.trace.events.iter().filter(tasks).count() as u64
    }
}

/// `config` without reports and clocks. What asks for its cores sees those of the run, not those of the executor
/// that plans.
fn quiet(config: &RunConfig) -> RunConfig {
    RunConfig {
        clusters: config.cluster_count(),
        work_dir: None,
        enable_scope_stats: false,
        enable_dep_gen: false,
        enable_chip_swimlane: false,
        enable_dump_args: None,
        enable_pmu: false,
        enable_op_log: false,
        enable_scratch_stats: false,
        enable_task_times: false,
        kernel_watchdog: None,
        ..config.clone()
    }
}

/// What `program` asks of rings that have room for everything.
fn unlimited<T>(
    config: &RunConfig,
    program: &mut impl FnMut(&Runtime) -> Result<T>,
    trace: &dyn Fn() -> Trace,
) -> Result<Trace> {
    let mut window = FIRST_WINDOW;
    loop {
        let config = RunConfig {
            ring_heap: UNBACKED_HEAP.into(),
            ring_task_window: window.into(),
            ring_dep_pool: MAX_DEP_POOL.into(),
            ..config.clone()
        };
        let runtime = Runtime::planning(config, trace())?;
        match program(&runtime) {
            Err(Error::ScopeDeadlock(_) | Error::FlowControlDeadlock(_))
                if window < MAX_TASK_WINDOW =>
            {
                window = (window << 3).min(MAX_TASK_WINDOW);
            }
            outcome => {
                outcome?;
                return Ok(runtime.into_trace());
            }
        }
    }
}
