//! How a task is launched: on which cores, which kernels, how often.

use super::{Condition, KernelFn, KernelInfo};
use std::fmt;

/// The cores that a task takes, for each of its blocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum CoreType {
    /// A vector core.
    #[default]
    Aiv,
    /// A matrix core.
    Aic,
    /// A cluster: one matrix core and two vector cores.
    Mix,
}

impl CoreType {
    /// All of them, each at its own number.
    pub(crate) const ALL: [Self; 3] = [Self::Aiv, Self::Aic, Self::Mix];

    /// Whether the two have a core in common: a cluster has both others.
    pub(crate) fn shares_with(self, other: Self) -> bool {
        self == other || self == Self::Mix || other == Self::Mix
    }

    /// Blocks that `clusters` run at one time: a cluster has one matrix core and two vector cores.
    pub(crate) const fn at_once(self, clusters: u32) -> u32 {
        match self {
            Self::Aiv => clusters.saturating_mul(2),
            Self::Aic | Self::Mix => clusters,
        }
    }

    /// Clusters that run `blocks` at one time.
    pub(crate) const fn clusters_for(self, blocks: u32) -> u32 {
        match self {
            Self::Aiv => blocks.div_ceil(2),
            Self::Aic | Self::Mix => blocks,
        }
    }
}

impl fmt::Display for CoreType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Aiv => "AIV",
            Self::Aic => "AIC",
            Self::Mix => "MIX",
        })
    }
}

/// A kernel of a task: what it is called, and what it runs.
#[derive(Clone, Copy, Debug)]
pub struct TaskKernel {
    /// Name and place, for reports and errors.
    pub info: &'static KernelInfo,
    /// The body.
    pub run: KernelFn,
}

/// The kernels of a mixed task, at least one (runtime specification, §8.3).
///
/// ```
/// use pl_runtime::{KernelFn, KernelInfo, MixedKernels};
/// # const fn info(name: &'static str) -> KernelInfo {
/// #     KernelInfo { name, file: file!(), line: line!(), params: &[] }
/// # }
/// static CUBE: KernelInfo = info("cube");
/// static VECTOR: KernelInfo = info("vector");
/// # let (cube, vector): (KernelFn, KernelFn) = (|_, _| Ok(()), |_, _| Ok(()));
/// let both = MixedKernels::NONE.aic(&CUBE, cube).aiv0(&VECTOR, vector).aiv1(&VECTOR, vector);
/// # assert!(both.aiv1.is_some());
/// ```
#[derive(Clone, Copy, Default, Debug)]
pub struct MixedKernels {
    /// For the matrix core.
    pub aic: Option<TaskKernel>,
    /// For the first vector core.
    pub aiv0: Option<TaskKernel>,
    /// For the second vector core.
    pub aiv1: Option<TaskKernel>,
}

impl MixedKernels {
    /// None yet.
    pub const NONE: Self = Self {
        aic: None,
        aiv0: None,
        aiv1: None,
    };

    /// Gives the matrix core a kernel.
    #[must_use]
    pub const fn aic(mut self, info: &'static KernelInfo, run: KernelFn) -> Self {
        self.aic = Some(TaskKernel { info, run });
        self
    }

    /// Gives the first vector core a kernel.
    #[must_use]
    pub const fn aiv0(mut self, info: &'static KernelInfo, run: KernelFn) -> Self {
        self.aiv0 = Some(TaskKernel { info, run });
        self
    }

    /// Gives the second vector core a kernel. Without any other kernel it goes to the first one.
    #[must_use]
    pub const fn aiv1(mut self, info: &'static KernelInfo, run: KernelFn) -> Self {
        self.aiv1 = Some(TaskKernel { info, run });
        self
    }

    /// The kernel that the task is named after: the first of AIC, AIV0, AIV1.
    pub(crate) const fn first(&self) -> Option<TaskKernel> {
        match (self.aic, self.aiv0, self.aiv1) {
            (Some(kernel), _, _) | (_, Some(kernel), _) | (_, _, Some(kernel)) => Some(kernel),
            (None, None, None) => None,
        }
    }

    /// The kernels that there are.
    pub(crate) fn iter(&self) -> impl Iterator<Item = TaskKernel> {
        [self.aic, self.aiv0, self.aiv1].into_iter().flatten()
    }

    /// The cores that they take, if there is one.
    pub(crate) fn cores(&self) -> Option<CoreType> {
        match (self.iter().count(), self.aic) {
            (0, _) => None,
            (1, None) => Some(CoreType::Aiv),
            (1, Some(_)) => Some(CoreType::Aic),
            _ => Some(CoreType::Mix),
        }
    }

    /// The kernels in the order in which a worker runs them, each with its `sub_block_id`.
    pub(crate) fn slots(&self) -> [Option<(TaskKernel, u32)>; 3] {
        let alone = self.aic.is_none() && self.aiv0.is_none();
        let second = u32::from(!alone);
        [
            self.aic.map(|kernel| (kernel, 0)),
            self.aiv0.map(|kernel| (kernel, 0)),
            self.aiv1.map(|kernel| (kernel, second)),
        ]
    }
}

/// What the runner of a task has to know if it is more than one run of one kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch {
    pub(crate) blocks: u32,
    /// Whether the blocks are to start at one time.
    pub(crate) together: bool,
    /// What has to hold for them to run.
    pub(crate) condition: Option<Condition>,
    /// The kernels of a block, each with its `sub_block_id`.
    pub(crate) kernels: [Option<(TaskKernel, u32)>; 3],
}

/// The cores that a task was submitted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Placement {
    /// Those that its work suggests.
    Any,
    /// These.
    On(CoreType),
    /// None: there is nothing to run.
    Nowhere,
}
