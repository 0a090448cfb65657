//! What a simulated run took.

use super::report::Count;
use crate::machine::ns_at;
use crate::site::Site;
use crate::task::CoreType;
use std::fmt;

/// The times of a run that [`Executor::Timing`](crate::Executor::Timing) has simulated, in nanoseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Timing {
    /// From the first call of the orchestration to the end of the last task.
    pub total_ns: u64,
    /// What the calls of the orchestration took, waits not counted.
    pub orchestrator_ns: u64,
    /// The matrix cores.
    pub aic: Busy,
    /// The vector cores.
    pub aiv: Busy,
    /// What the copies between device memory and scratch would take at the full rate of the memory.
    pub memory_ns: u64,
    /// What the run took longest for.
    pub critical: Critical,
    /// What each kernel took, the most first. A mixed task counts as its first kernel.
    pub kernels: Vec<KernelTime>,
    /// When each block of each task ran, in the order of the program; empty unless
    /// [`enable_task_times`](crate::RunConfig::enable_task_times) is on.
    pub tasks: Vec<TaskTime>,
}

/// Cores of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Busy {
    /// Their number.
    pub cores: u32,
    /// How long they worked, all together. What a kernel does on a cluster is counted for the matrix core
    /// if it is a matrix product, else for one of the vector cores.
    pub busy_ns: u64,
    /// How long blocks held them, all together: all cores of a cluster from begin to end of a block.
    pub held_ns: u64,
}

/// What limits a run: what is busy, or held, for the largest part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Critical {
    /// The thread that orchestrates.
    Orchestrator,
    /// The clusters, all of whose cores are held by blocks that do not use them all at any time.
    Clusters,
    /// The matrix cores.
    Aic,
    /// The vector cores.
    Aiv,
    /// The memory.
    Memory,
    /// Nothing is busy for half of the time: tasks wait for each other, or there are too few.
    Dependencies,
}

impl fmt::Display for Critical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Orchestrator => "the orchestrator",
            Self::Clusters => "the clusters",
            Self::Aic => "the matrix cores",
            Self::Aiv => "the vector cores",
            Self::Memory => "the memory",
            Self::Dependencies => "dependencies between tasks, or too few of them",
        })
    }
}

/// What the tasks of a kernel took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelTime {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Where it is defined.
    pub defined: Site,
    /// Tasks.
    pub tasks: u64,
    /// Blocks of these tasks.
    pub blocks: u64,
    /// What the blocks took, all together.
    pub ns: u64,
}

/// When a block of a task ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskTime {
    /// Position of the task in program order, from 0, over all rings; `alloc_tensors` calls count.
    pub task: u64,
    /// Its ring, and its number on the ring, as in [`Edge`](crate::Edge).
    pub position: (usize, u64),
    /// The block.
    pub block: u32,
    /// Name of the kernel.
    pub kernel: &'static str,
    /// What it ran on: the type of the core, or a whole cluster.
    pub cores: CoreType,
    /// The number of that core among those of its type, or of the cluster.
    pub core: u32,
    /// When all that the task waits for had ended.
    pub ready_ns: u64,
    /// When the block started.
    pub start_ns: u64,
    /// When it ended.
    pub end_ns: u64,
}

/// What a simulation knows of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimingTotals {
    pub(crate) total_ns: u64,
    pub(crate) orchestrator_ns: u64,
    pub(crate) clusters: u32,
    /// Bytes in a microsecond.
    pub(crate) memory_bandwidth: u32,
}

impl TimingTotals {
    /// The report. `works` is how long matrix and vector cores worked, `held` how long blocks held each of
    /// `CoreType::ALL`, `bytes` what was moved.
    pub(crate) fn report(
        self,
        works: [u64; 2],
        held: [u64; 3],
        bytes: u64,
        kernels: Vec<KernelTime>,
        tasks: Vec<TaskTime>,
    ) -> Timing {
        let held = |cores: CoreType| held[cores as usize];
        let in_clusters = held(CoreType::Mix);
        let busy = |cores: CoreType, busy_ns, of_cluster: u64| Busy {
            cores: cores.at_once(self.clusters),
            busy_ns,
            held_ns: in_clusters
                .saturating_mul(of_cluster)
                .saturating_add(held(cores)),
        };
        let mut timing = Timing {
            total_ns: self.total_ns,
            orchestrator_ns: self.orchestrator_ns,
            aic: busy(CoreType::Aic, works[0], 1),
            aiv: busy(CoreType::Aiv, works[1], 2),
            memory_ns: ns_at(bytes, self.memory_bandwidth),
            critical: Critical::Dependencies,
            kernels,
            tasks,
        };
        timing.critical = timing.limit(in_clusters);
        timing
    }
}

impl Timing {
    /// Share of the run that something is busy for, which there is `count` times; in thousandths.
    fn share(&self, busy_ns: u64, count: u32) -> u64 {
        let all = u128::from(self.total_ns) * u128::from(count);
        (u128::from(busy_ns) * 1000).checked_div(all).unwrap_or(0) as u64
    }

    fn limit(&self, in_clusters: u64) -> Critical {
        let shares = [
            (Critical::Orchestrator, self.orchestrator_ns, 1),
            (Critical::Clusters, in_clusters, self.aic.cores),
            (Critical::Aic, self.aic.held_ns, self.aic.cores),
            (Critical::Aiv, self.aiv.held_ns, self.aiv.cores),
            (Critical::Memory, self.memory_ns, 1),
        ]
        .map(|(critical, busy, count)| (self.share(busy, count), critical));
        let mut most = (500, Critical::Dependencies);
        for (share, critical) in shares {
            // Of equal ones the first.
            if share > most.0 {
                most = (share, critical);
            }
        }
        most.1
    }
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |busy, count| {
            let share = self.share(busy, count);
            format!("{}.{} %", share / 10, share % 10)
        };
        write!(
            f,
            "simulated {} ns, limited by {}\nbusy: orchestrator {}, {} AIC {} (held {}), {} AIV {} (held {}), \
             memory {}",
            self.total_ns,
            self.critical,
            percent(self.orchestrator_ns, 1),
            self.aic.cores,
            percent(self.aic.busy_ns, self.aic.cores),
            percent(self.aic.held_ns, self.aic.cores),
            self.aiv.cores,
            percent(self.aiv.busy_ns, self.aiv.cores),
            percent(self.aiv.held_ns, self.aiv.cores),
            percent(self.memory_ns, 1),
        )?;
        for kernel in &self.kernels {
            write!(
                f,
                "\nkernel {}: {}, {}, {} ns",
                kernel.kernel,
                Count(kernel.tasks, "task"),
                Count(kernel.blocks, "block"),
                kernel.ns
            )?;
        }
        Ok(())
    }
}
