//! Tasks as values: what `submit!` says beside the call, names of tasks, barriers.

use super::{BatchId, BinaryOp, Expr, VarId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What `submit!` says of a task beside its kernel and arguments.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Launch {
    /// `deps = [..]`: tasks that must end before; task ids and whole arrays of them.
    pub deps: Vec<Expr>,
    /// `deps_wait = [..]`: the same, but what they own is not kept for it.
    pub deps_wait: Vec<Expr>,
    /// `blocks = n`: how often the kernel runs.
    pub blocks: Option<Expr>,
    /// `sync_start = true`: all blocks start together.
    pub sync_start: bool,
    /// `core_type = CoreType::Aic`: the cores of each block.
    pub core_type: Option<CoreType>,
    /// `predicate = x.get([0]) > 0`: what must hold for the kernel to run.
    pub predicate: Option<Predicate>,
}

/// One element compared with a number, when all that the task waits for has ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Predicate {
    /// Whose element.
    pub base: Expr,
    /// One index for each dimension.
    pub indices: Vec<Expr>,
    /// A comparison; the element is on its left.
    pub op: BinaryOp,
    /// What it is compared with.
    pub target: Expr,
}

/// The cores that each block of a task takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CoreType {
    /// A vector core.
    Aiv,
    /// A matrix core.
    Aic,
    /// A cluster: one matrix core and two vector cores.
    Mix,
}

impl CoreType {
    /// Every type.
    pub const ALL: [Self; 3] = [Self::Aiv, Self::Aic, Self::Mix];
}

impl fmt::Display for CoreType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Names of tasks, and tasks without a kernel.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum TaskExpr {
    /// `TaskId::NONE`
    None,
    /// `TaskIds::<N>::new()`
    Array(Box<Expr>),
    /// `ids[i]`
    At {
        /// The array.
        ids: Box<Expr>,
        /// Which of its ids.
        index: Box<Expr>,
    },
    /// `ids[i] = t`
    Set {
        /// The array.
        ids: VarId,
        /// Which of its ids.
        index: Box<Expr>,
        /// The new one.
        value: Box<Expr>,
    },
    /// `barrier([..])`
    Barrier(Vec<Expr>),
    /// `t.is_valid()`
    IsValid(Box<Expr>),
    /// The task of an `alloc_tensors` call, which keeps its tensors (after `device`).
    Allocated(BatchId),
}
