//! What a recording of a simulated run is told.

use super::cores::Unit;
use super::costs::Costed;
use crate::exec::core::Cost;
use crate::machine::Counts;
use crate::record::{Live, Ran, Track};
use crate::task::{CoreType, KernelInfo};

impl Costed {
    /// A block runs on `unit`, from its begin to its end.
    pub(super) fn show(&self, live: &Live, block: u32, unit: Unit, [start_ns, end_ns]: [u64; 2]) {
        let Some(swimlane) = &live.swimlane else {
            return;
        };
        let last = block as usize + 1 == self.blocks.len();
        let ran = Ran {
            block,
            blocks: self.block_count,
            start_ns,
            end_ns,
            failed: last && self.failure.is_some(),
            ..self.ran(self.kernel)
        };
        let Unit { cores, index } = unit;
        match cores {
            CoreType::Aic | CoreType::Aiv => swimlane.ran(&[Track::Core(cores, index)], &ran),
            // A block on a cluster holds all of its cores.
            CoreType::Mix => {
                let aiv = |core| Track::Core(CoreType::Aiv, core);
                let aic = Track::Core(CoreType::Aic, index);
                swimlane.ran(&[aic, aiv(2 * index), aiv(2 * index + 1)], &ran);
            }
        }
    }

    /// A kernel has been costed which runs on `cores`, for the first time in this task or again.
    pub(super) fn count(
        &self,
        live: &Live,
        kernel: &'static KernelInfo,
        first: bool,
        cores: CoreType,
        cost: &Cost,
        failed: bool,
    ) {
        if let Some(pmu) = &live.pmu {
            pmu.ran(&Ran {
                first,
                end_ns: cost.work.duration(cores),
                failed,
                counts: cost.counts,
                scratch: cost.scratch,
                ..self.ran(kernel)
            });
        }
    }

    /// A run of a kernel of this task, but for what it did.
    fn ran(&self, kernel: &'static KernelInfo) -> Ran {
        Ran {
            task: self.sequence,
            ring: self.ring,
            site: self.site,
            kernel,
            block: 0,
            first: false,
            blocks: self.block_count,
            start_ns: 0,
            end_ns: 0,
            failed: false,
            counts: Counts::default(),
            scratch: 0,
        }
    }
}
