//! How a runtime is set up.

mod dump_args;
mod limits;
mod validate;
mod values;

pub use dump_args::DumpArgs;
pub(crate) use dump_args::Selection;
pub use values::Values;
pub(crate) use values::{NoValue, Supplied};

use crate::machine::MachineModel;
use std::path::PathBuf;
use std::time::Duration;

/// Number of rings of a runtime.
pub const RINGS: usize = 4;

/// Heap bytes of a ring unless configured.
pub const DEFAULT_RING_HEAP: u64 = 256 << 20;
/// Task window of a ring unless configured, in tasks.
pub const DEFAULT_TASK_WINDOW: u32 = 16384;
/// Dep pool of a ring unless configured, in edges.
pub const DEFAULT_DEP_POOL: u32 = 16384;
/// Entries of the device's tensormap, which all rings share (runtime specification §0).
pub const TENSORMAP_ENTRIES: u64 = 65536;
/// Clusters of cores unless configured.
pub const DEFAULT_CLUSTERS: u32 = 8;
/// Scratch bytes of a core unless configured.
pub const DEFAULT_SCRATCH_BYTES: usize = 1 << 20;

/// Smallest heap of a ring, in bytes; also the unit of its blocks.
pub(crate) const MIN_RING_HEAP: u64 = 1024;
/// Largest heap of a ring: more than any machine maps, less than sums overflow at.
pub(crate) const MAX_RING_HEAP: u64 = 1 << 60;
pub(crate) const MIN_TASK_WINDOW: u32 = 4;
pub(crate) const MAX_TASK_WINDOW: u32 = 1 << 29;
pub(crate) const MIN_DEP_POOL: u32 = 4;
pub(crate) const MAX_DEP_POOL: u32 = i32::MAX as u32;
pub(crate) const MAX_CLUSTERS: u32 = 1 << 16;
const MAX_THREADS: usize = 1024;

/// One value for each ring. A single value stands for all four; 0 means the default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct PerRing<T>(pub [T; RINGS]);

impl<T: Copy + Default + PartialEq> PerRing<T> {
    fn or_default(self, default: T) -> [T; RINGS] {
        let unset = T::default();
        self.0
            .map(|value| if value == unset { default } else { value })
    }
}

impl<T: Copy> From<T> for PerRing<T> {
    fn from(value: T) -> Self {
        Self([value; RINGS])
    }
}

impl<T> From<[T; RINGS]> for PerRing<T> {
    fn from(values: [T; RINGS]) -> Self {
        Self(values)
    }
}

/// Where tasks run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Executor {
    /// On several threads, each task as soon as its dependencies have ended.
    Threads {
        /// Number of threads, the caller's included; 0 = one for each available core.
        threads: usize,
    },
    /// On the caller's thread.
    Serial {
        /// In which order.
        order: SerialOrder,
    },
    /// Nowhere: the run is simulated on the cores of [`RunConfig::machine`], in the time that its model
    /// says. Kernels run and their operations are checked, but no element is read or written: outputs
    /// stay as they are, and what only arithmetic could give comes from [`RunConfig::values`].
    Timing,
}

impl Default for Executor {
    fn default() -> Self {
        Self::Threads { threads: 0 }
    }
}

/// The order in which [`Executor::Serial`] runs tasks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum SerialOrder {
    /// Each task when it is submitted.
    #[default]
    ProgramOrder,
    /// A legal order drawn from this seed, for shaking out missing dependencies.
    Random(u64),
}

/// When the memory of consumed tasks is taken back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum ReclaimPolicy {
    /// Only when an allocation or a task would otherwise not fit, and only as much as it needs.
    #[default]
    Lazy,
    /// At every allocation, as far as tasks have been consumed by then. For comparison: what
    /// reports show then depends on the threads.
    Eager,
}

/// The promise of a program's author that its tasks are ordered where they have to be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Vouched(());

impl Vouched {
    /// Promises it, for all runs with the configuration.
    ///
    /// # Safety
    /// In every run, any two tasks of which one writes bytes that the other one reads or writes are
    /// ordered by what is left of discovery, by declared dependencies, or by a wait of the
    /// orchestration between them. Where they are not, they race. With
    /// [`RunConfig::enable_dump_args`], a task also reads all bytes of the arguments that it is written with.
    pub const unsafe fn new() -> Self {
        Self(())
    }
}

/// Which dependencies between tasks are found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Dependencies {
    /// All that the accesses imply: reads after writes, writes after reads, writes after writes.
    #[default]
    Sound,
    /// Those that the device finds, which leaves out some writes after reads and after writes.
    /// `Executor::Serial` only, where tasks cannot race.
    Device,
    /// The same, on any executor.
    DeviceVouched(Vouched),
}

/// Whether a MANUAL scope's declared dependencies are checked against what its tasks touch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum ManualAudit {
    /// Yes; what nothing orders is error 201.
    #[default]
    On,
    /// No.
    Off(Vouched),
}

impl ManualAudit {
    /// For runs whose tasks do nothing, so that none can race.
    pub(crate) const NOTHING_RUNS: Self = Self::Off(Vouched(()));
}

/// The configuration of a [`Runtime`](crate::Runtime).
///
/// ```
/// use pl_runtime::{Executor, RunConfig};
/// let config = RunConfig {
///     ring_heap: [1 << 20, 64 << 20, 0, 0].into(),
///     ring_task_window: 1024.into(),
///     executor: Executor::Threads { threads: 2 },
///     ..RunConfig::default()
/// };
/// # pl_runtime::Runtime::new(config).unwrap();
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each turns one thing on")]
pub struct RunConfig {
    /// Heap bytes of each ring: at least 1024; default 256 MiB. Memory is mapped lazily.
    pub ring_heap: PerRing<u64>,
    /// Task slots of each ring: a power of two, at least 4; default 16384. One less can be used.
    pub ring_task_window: PerRing<u32>,
    /// Edges of each ring's dep pool: 4 to `i32::MAX`; default 16384. No task waits for more tasks.
    pub ring_dep_pool: PerRing<u32>,
    /// Clusters of the device, of one AIC and two AIV cores each: 1 to 65536; 0 = default: 8, with
    /// [`Executor::Timing`] those of [`machine`](Self::machine). What
    /// [`TaskSpec::sync_start`](crate::TaskSpec::sync_start) can start together; threads are not
    /// bound to them.
    pub clusters: u32,
    /// Scratch bytes of each core; default 1 MiB.
    pub scratch_bytes: usize,
    /// Overwrite scratch bytes when they are given back, so that stale reads show. Default: in
    /// debug builds.
    pub poison_scratch: bool,
    /// Where tasks run; default: threads on all cores.
    pub executor: Executor,
    /// When the memory of consumed tasks is taken back.
    pub reclaim: ReclaimPolicy,
    /// Which dependencies are found.
    pub dependencies: Dependencies,
    /// Whether MANUAL scopes are audited.
    pub manual_audit: ManualAudit,
    /// Longest time that one run of a kernel may take (each block of a task for itself), and that one `get` or `set` may wait: else code 100 or 8.
    /// `None`, the default, looks at no clock.
    pub kernel_watchdog: Option<Duration>,
    /// Folder that reports go to, below `dfx_outputs/`; needed as soon as one is turned on.
    pub work_dir: Option<PathBuf>,
    /// Write a sample at every begin and end of a scope to `scope_stats/scope_stats.jsonl`, and
    /// `run.json` beside it. Each run replaces the files of the one before.
    pub enable_scope_stats: bool,
    /// Keep the dependencies that were found, for
    /// [`RunReport::edges`](crate::RunReport::edges); with a [`work_dir`](Self::work_dir) also, with
    /// the tasks, in `dep_gen/deps.json` and `deps.dot`.
    pub enable_dep_gen: bool,
    /// Write what ran when on which core, and what the orchestrator did, to
    /// `chip_swimlane/merged_swimlane.json`, which Perfetto reads.
    pub enable_chip_swimlane: bool,
    /// Write the arguments of these tasks, before and after they run, as `.npy` files in `args_dump/`.
    pub enable_dump_args: Option<DumpArgs>,
    /// Write what each kernel took and did to `pmu/pmu.csv`.
    pub enable_pmu: bool,
    /// Keep every operation of every task, with its shape and its time, for
    /// [`RunReport::op_log`](crate::RunReport::op_log); with a [`work_dir`](Self::work_dir) also in
    /// `op_log/op_log.jsonl`.
    pub enable_op_log: bool,
    /// Measure how much scratch each `scratch_scope!` uses, for
    /// [`RunReport::scratch_scopes`](crate::RunReport::scratch_scopes).
    pub enable_scratch_stats: bool,
    /// Keep when and where each task ran, for [`Timing::tasks`](crate::Timing::tasks): with
    /// [`Executor::Timing`] only.
    pub enable_task_times: bool,
    /// Before each run of an entry, run it once as it is and once as the C++ that is printed for it, and fail if
    /// the two differ in tasks, their order, results or statistics. For tests: needs a C++ compiler, and
    /// takes three runs. Default: whether the variable `PL_CHECK_CPP` is `1`.
    pub check_cpp: bool,
    /// The device that [`Executor::Timing`] simulates.
    pub machine: MachineModel,
    /// What [`Executor::Timing`] cannot compute.
    pub values: Values,
}

impl Default for RunConfig {
    fn default() -> Self {
        Self {
            ring_heap: PerRing::default(),
            ring_task_window: PerRing::default(),
            ring_dep_pool: PerRing::default(),
            clusters: 0,
            scratch_bytes: DEFAULT_SCRATCH_BYTES,
            poison_scratch: cfg!(debug_assertions),
            executor: Executor::default(),
            reclaim: ReclaimPolicy::default(),
            dependencies: Dependencies::default(),
            manual_audit: ManualAudit::default(),
            kernel_watchdog: None,
            work_dir: None,
            enable_scope_stats: false,
            enable_dep_gen: false,
            enable_chip_swimlane: false,
            enable_dump_args: None,
            enable_pmu: false,
            enable_op_log: false,
            enable_scratch_stats: false,
            enable_task_times: false,
            check_cpp: std::env::var_os("PL_CHECK_CPP").is_some_and(|value| value == "1"),
            machine: MachineModel::default(),
            values: Values::default(),
        }
    }
}

impl RunConfig {
    /// Heap bytes of each ring, defaults filled in.
    pub(crate) fn heaps(&self) -> [u64; RINGS] {
        self.ring_heap.or_default(DEFAULT_RING_HEAP)
    }

    /// Task window of each ring, defaults filled in.
    pub(crate) fn windows(&self) -> [u32; RINGS] {
        self.ring_task_window.or_default(DEFAULT_TASK_WINDOW)
    }

    /// Dep pool of each ring, defaults filled in.
    pub(crate) fn dep_pools(&self) -> [u32; RINGS] {
        self.ring_dep_pool.or_default(DEFAULT_DEP_POOL)
    }

    /// Number of clusters, the default filled in.
    pub(crate) fn cluster_count(&self) -> u32 {
        match (self.clusters, self.executor) {
            (0, Executor::Timing) => self.machine.clusters,
            (0, _) => DEFAULT_CLUSTERS,
            (clusters, _) => clusters,
        }
    }

    /// Number of threads that run tasks, the caller's included.
    pub(crate) fn threads(&self) -> usize {
        match self.executor {
            Executor::Serial { .. } | Executor::Timing => 1,
            Executor::Threads { threads: 0 } => std::thread::available_parallelism()
                .map_or(1, usize::from)
                .min(MAX_THREADS),
            Executor::Threads { threads } => threads,
        }
    }
}
