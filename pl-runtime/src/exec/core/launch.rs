//! Tasks that are more than one run of one kernel.

use super::Core;
use super::noted::Run;
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
        let live = self.live();
        let kernels = || launch.kernels.iter().flatten();
        let runs = (0..launch.blocks).flat_map(|block| kernels().map(move |run| (block, run)));
        for (number, (block_idx, &(kernel, sub_block_id))) in (0..).zip(runs) {
            let place = Place {
                block_idx,
                block_num: launch.blocks,
                sub_block_id,
                axes: &axes,
            };
            let args = args.in_block(kernel.info, &place);
            let outcome = if self.settings.notes() {
                let first = kernels().position(|(k, _)| std::ptr::eq(k.info, kernel.info));
                let run = Run {
                    kernel: kernel.info,
                    function: kernel.run,
                    block: block_idx,
                    blocks: launch.blocks,
                    number,
                    first: first == Some(number as usize),
                };
                self.call_noted(live.as_deref(), body, &run, &args)
            } else {
                self.call(kernel.run, &args)
            };
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
