//! Task ids and blocks in kernels.

use super::outside;
use std::ops::{Index, IndexMut};

/// The name of a submitted task, for `deps = [..]` while the scope that it was submitted in is open.
#[derive(Clone, Copy)]
pub struct TaskId(());

impl TaskId {
    /// No task: nothing to wait for.
    pub const NONE: Self = Self(());

    /// Whether this names a task.
    #[must_use]
    pub fn is_valid(self) -> bool {
        outside("is_valid")
    }
}

/// `N` task ids, each `TaskId::NONE` until set: `ids[i] = submit!(..)`.
#[derive(Clone, Copy)]
pub struct TaskIds<const N: usize>(());

impl<const N: usize> TaskIds<N> {
    /// None of them names a task.
    #[must_use]
    #[allow(clippy::new_without_default, reason = "kernels have no other")]
    pub fn new() -> Self {
        outside("TaskIds::new")
    }
}

impl<const N: usize> Index<usize> for TaskIds<N> {
    type Output = TaskId;

    fn index(&self, _: usize) -> &TaskId {
        outside("ids[i]")
    }
}

impl<const N: usize> IndexMut<usize> for TaskIds<N> {
    fn index_mut(&mut self, _: usize) -> &mut TaskId {
        outside("ids[i] = ..")
    }
}

/// A task that runs nothing and waits for those in the list: `barrier([a, ids])`. Waiting for it is
/// waiting for all of them.
#[track_caller]
pub fn barrier<const N: usize>(deps: [TaskId; N]) -> TaskId {
    let _ = deps;
    outside("barrier")
}

/// Number of the block that runs, from 0; in a task of one block it is 0.
#[track_caller]
pub fn block_idx() -> usize {
    outside("block_idx")
}

/// Number of blocks of the running task, `submit!(.., blocks = n)`; 1 if nothing was said.
#[track_caller]
pub fn block_num() -> usize {
    outside("block_num")
}
