//! What is measured: each resource of each ring.

use std::fmt;

/// Rings of a runtime.
pub const RINGS: usize = 4;

/// What can run out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// Task slots of a ring.
    TaskWindow,
    /// Bytes of a ring's heap.
    Heap,
    /// Edges that a ring's dep pool holds.
    DepPool,
    /// Entries of the one tensormap.
    Tensormap,
}

impl Resource {
    /// All, in the order of reports.
    pub const ALL: [Self; 4] = [Self::TaskWindow, Self::Heap, Self::DepPool, Self::Tensormap];
    /// Those that each ring has.
    pub const OF_RINGS: [Self; 3] = [Self::TaskWindow, Self::Heap, Self::DepPool];

    /// As in the keys of the file.
    pub fn key(self) -> &'static str {
        match self {
            Self::TaskWindow => "task_window",
            Self::Heap => "heap",
            Self::DepPool => "dep_pool",
            Self::Tensormap => "tensormap",
        }
    }

    /// As in a heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::TaskWindow => "Task window",
            Self::Heap => "Heap",
            Self::DepPool => "Dep pool",
            Self::Tensormap => "Tensormap",
        }
    }

    /// What it is counted in.
    pub fn unit(self) -> &'static str {
        match self {
            Self::TaskWindow => "slots",
            Self::Heap => "bytes",
            Self::DepPool | Self::Tensormap => "entries",
        }
    }
}

/// A resource of a ring; the tensormap belongs to none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lane {
    index: usize,
}

impl Lane {
    /// Number of lanes.
    pub const COUNT: usize = 3 * RINGS + 1;
    /// The tensormap.
    pub const TENSORMAP: Self = Self {
        index: Self::COUNT - 1,
    };

    /// The lane of `resource` that `ring` has or uses.
    pub fn new(resource: Resource, ring: usize) -> Self {
        debug_assert!(ring < RINGS);
        match resource {
            Resource::Tensormap => Self::TENSORMAP,
            resource => Self {
                index: resource as usize * RINGS + ring,
            },
        }
    }

    /// All, resource by resource, each ring by ring.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(|index| Self { index })
    }

    /// Its place in an array of [`COUNT`](Self::COUNT).
    pub fn index(self) -> usize {
        self.index
    }

    /// What is measured.
    pub fn resource(self) -> Resource {
        Resource::ALL[self.index / RINGS]
    }

    /// Whose it is.
    pub fn ring(self) -> Option<usize> {
        (self != Self::TENSORMAP).then_some(self.index % RINGS)
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ring() {
            Some(ring) => write!(f, "{} of ring {ring}", self.resource().key()),
            None => f.write_str(self.resource().key()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_resource_of_every_ring_has_one_lane() {
        let mut seen = vec![];
        for resource in Resource::OF_RINGS {
            for ring in 0..RINGS {
                let lane = Lane::new(resource, ring);
                assert_eq!((lane.resource(), lane.ring()), (resource, Some(ring)));
                seen.push(lane);
            }
        }
        seen.push(Lane::new(Resource::Tensormap, 3));
        assert_eq!(seen, Lane::all().collect::<Vec<_>>());
        assert_eq!(Lane::TENSORMAP.ring(), None);
    }
}
