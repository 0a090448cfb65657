//! Tasks that are more than one run of one kernel.

use super::Core;
use crate::error::Block;
use crate::task::slot::Body;
use crate::task::{Axes, Launch, Place, TaskArgs};

impl Core {
    /// Runs the blocks of a task one after the other, and the kernels of each; nothing, if its
    /// predicate is false.
    #[cold]
    #[inline(never)]
    pub(super) fn execute_launch(&mut self, body: &Body, launch: &Launch, args: &TaskArgs<'_>) {
        if launch.condition.is_some_and(|condition| !condition.holds()) {
            return;
        }
        let axes = Axes::default();
        let kernels = || launch.kernels.iter().flatten();
        let runs = (0..launch.blocks).flat_map(|block| kernels().map(move |run| (block, run)));
        for (run, (block_idx, &(kernel, sub_block_id))) in (0..).zip(runs) {
            let place = Place {
                block_idx,
                block_num: launch.blocks,
                sub_block_id,
                axes: &axes,
            };
            let args = args.in_block(kernel.info, &place);
            let outcome = self.call(kernel.run, &args);
            if self.settings.notes() {
                self.keep_notes(body, kernel.info, block_idx, run);
            }
            if let Err(cause) = outcome {
                let block = (launch.blocks > 1).then_some(Block {
                    index: block_idx,
                    count: launch.blocks,
                });
                return self.record(body, kernel.info, block, cause);
            }
        }
    }
}
