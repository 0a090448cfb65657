//! The cores of a device, and which of them are free.

use crate::task::CoreType;
use std::collections::BTreeSet;

/// What a block runs on: the core with this number of its type, or the cluster with this number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Unit {
    pub(super) cores: CoreType,
    pub(super) index: u32,
}

/// Free cores. Cluster `i` has matrix core `i` and vector cores `2 i` and `2 i + 1`. The free one with the
/// lowest number is taken.
#[derive(Debug)]
pub(super) struct Cores {
    aic: BTreeSet<u32>,
    aiv: BTreeSet<u32>,
    /// Clusters of which all cores are free.
    mix: BTreeSet<u32>,
}

impl Cores {
    pub(super) fn new(clusters: u32) -> Self {
        Self {
            aic: (0..clusters).collect(),
            aiv: (0..2 * clusters).collect(),
            mix: (0..clusters).collect(),
        }
    }

    fn of(&self, cores: CoreType) -> &BTreeSet<u32> {
        match cores {
            CoreType::Aic => &self.aic,
            CoreType::Aiv => &self.aiv,
            CoreType::Mix => &self.mix,
        }
    }

    /// How many blocks could start.
    pub(super) fn free(&self, cores: CoreType) -> u32 {
        self.of(cores).len() as u32
    }

    pub(super) fn take(&mut self, cores: CoreType) -> Option<Unit> {
        let index = *self.of(cores).first()?;
        match cores {
            CoreType::Aic => {
                self.aic.remove(&index);
                self.mix.remove(&index);
            }
            CoreType::Aiv => {
                self.aiv.remove(&index);
                self.mix.remove(&(index / 2));
            }
            CoreType::Mix => {
                self.mix.remove(&index);
                self.aic.remove(&index);
                self.aiv.remove(&(2 * index));
                self.aiv.remove(&(2 * index + 1));
            }
        }
        Some(Unit { cores, index })
    }

    pub(super) fn give_back(&mut self, unit: Unit) {
        let cluster = match unit.cores {
            CoreType::Aic => {
                self.aic.insert(unit.index);
                unit.index
            }
            CoreType::Aiv => {
                self.aiv.insert(unit.index);
                unit.index / 2
            }
            CoreType::Mix => {
                self.aic.insert(unit.index);
                self.aiv.extend([2 * unit.index, 2 * unit.index + 1]);
                unit.index
            }
        };
        let whole = self.aic.contains(&cluster)
            && self.aiv.contains(&(2 * cluster))
            && self.aiv.contains(&(2 * cluster + 1));
        if whole {
            self.mix.insert(cluster);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_free_core_is_taken_and_a_cluster_needs_all_of_its_own() {
        let mut cores = Cores::new(3);
        let mut take = |kind| cores.take(kind).map(|unit| unit.index);
        assert_eq!(take(CoreType::Aiv), Some(0));
        assert_eq!(take(CoreType::Aic), Some(0));
        assert_eq!(take(CoreType::Mix), Some(1));
        assert_eq!(take(CoreType::Aiv), Some(1));
        assert_eq!(take(CoreType::Aiv), Some(4), "2 and 3 are in cluster 1");
        assert_eq!(take(CoreType::Mix), None);
        assert_eq!(take(CoreType::Aic), Some(2));
        assert_eq!(take(CoreType::Aic), None);
        let unit = |cores, index| Unit { cores, index };
        cores.give_back(unit(CoreType::Aiv, 4));
        assert_eq!(cores.free(CoreType::Mix), 0, "its matrix core is busy");
        cores.give_back(unit(CoreType::Aic, 2));
        assert_eq!(cores.free(CoreType::Mix), 1);
        cores.give_back(unit(CoreType::Mix, 1));
        let free = CoreType::ALL.map(|kind| cores.free(kind));
        assert_eq!(free, [4, 2, 2]);
    }
}
