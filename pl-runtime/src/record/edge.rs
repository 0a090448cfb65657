//! Dependencies that were found, for `RunConfig::enable_dep_gen`.

/// Why one task waits for another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeSource {
    /// It was declared.
    Explicit,
    /// The other one allocated the tensor.
    Creator,
    /// It reads bytes that the other one writes.
    ReadAfterWrite,
    /// It writes bytes that the other one reads.
    WriteAfterRead,
    /// It writes bytes that the other one writes.
    WriteAfterWrite,
}

impl EdgeSource {
    /// Whether both use the same bytes.
    pub fn is_conflict(self) -> bool {
        !matches!(self, Self::Explicit | Self::Creator)
    }

    /// That of a conflict; one of both writes.
    pub(crate) fn conflict(first_writes: bool, second_writes: bool) -> Self {
        match (first_writes, second_writes) {
            (true, false) => Self::ReadAfterWrite,
            (false, _) => Self::WriteAfterRead,
            (true, true) => Self::WriteAfterWrite,
        }
    }
}

/// A dependency found at a submit, whether or not the producer had ended by then. Tasks are named by
/// ring and number on the ring, from 0, as in [`TaskId::position`](crate::TaskId::position).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The producer.
    pub from: (usize, u64),
    /// The task that waits.
    pub to: (usize, u64),
    /// Position of its tensor argument; `None` for a declared dependency.
    pub argument: Option<usize>,
    /// Why it waits.
    pub source: EdgeSource,
}
