//! Names of tasks.

use std::fmt;
use std::marker::PhantomData;

const RING_SHIFT: u32 = 56;

/// Ring and local id in one word. Local ids of a ring start at 0 in every run and only grow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct TaskKey(u64);

impl TaskKey {
    pub(crate) const NONE: Self = Self(u64::MAX);

    pub(crate) const fn new(ring: usize, local: u64) -> Self {
        Self((ring as u64) << RING_SHIFT | local)
    }

    pub(crate) const fn is_none(self) -> bool {
        self.0 == u64::MAX
    }

    /// Ring and local id; `None` for no task.
    pub(crate) const fn ring_local(self) -> Option<(usize, u64)> {
        if self.is_none() {
            None
        } else {
            Some((self.ring(), self.local()))
        }
    }

    pub(crate) const fn ring(self) -> usize {
        (self.0 >> RING_SHIFT) as usize
    }

    pub(crate) const fn local(self) -> u64 {
        self.0 & ((1 << RING_SHIFT) - 1)
    }
}

/// A submitted task, to be waited for while the scope that it was submitted in is open.
///
/// It stays on its thread, and so in its run:
/// ```compile_fail,E0277
/// # use pl_runtime::TaskId;
/// # fn body(task: TaskId<'_>) {
/// std::thread::scope(|threads| { threads.spawn(move || task.is_valid()); });
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TaskId<'s> {
    pub(crate) key: TaskKey,
    _scope: PhantomData<&'s ()>,
    _not_send: PhantomData<*mut u8>,
}

impl TaskId<'_> {
    /// No task: nothing to wait for.
    pub const NONE: Self = Self {
        key: TaskKey::NONE,
        _scope: PhantomData,
        _not_send: PhantomData,
    };

    pub(crate) const fn new(key: TaskKey) -> Self {
        Self {
            key,
            _scope: PhantomData,
            _not_send: PhantomData,
        }
    }

    /// Whether this names a task.
    pub const fn is_valid(self) -> bool {
        !self.key.is_none()
    }

    /// The ring that the task was submitted on and its number there, from 0; `None` for no task.
    pub const fn position(self) -> Option<(usize, u64)> {
        self.key.ring_local()
    }
}

impl fmt::Debug for TaskId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position() {
            Some((ring, local)) => write!(f, "TaskId(ring {ring}, {local})"),
            None => f.write_str("TaskId::NONE"),
        }
    }
}
