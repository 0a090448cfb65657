//! What tasks take, remembered for each kernel and kind of arguments.

use crate::error::{Block, Cause, KernelFailure};
use crate::exec::core::{Core, Cost};
use crate::machine::Work;
use crate::site::Site;
use crate::task::slot::{Body, ReadyTask};
use crate::task::{Axes, CoreType, KernelFn, KernelInfo, Place, Placement, TaskArgs, TaskKernel};
use std::collections::HashMap;
use std::sync::Arc;

/// A task as the simulation sees it.
#[derive(Debug)]
pub(super) struct Costed {
    /// Position in program order.
    pub(super) sequence: u64,
    /// What it is called.
    pub(super) kernel: &'static KernelInfo,
    /// The cores that each block takes.
    pub(super) cores: CoreType,
    /// How many blocks it was submitted with.
    pub(super) block_count: u32,
    /// Whether all blocks start at one time.
    pub(super) together: bool,
    /// What each block takes, up to one that fails; none if there is nothing to run.
    pub(super) blocks: Vec<BlockCost>,
    pub(super) failure: Option<KernelFailure>,
    /// Its ring, and where it was submitted.
    pub(super) ring: usize,
    pub(super) site: Site,
}

/// What a block takes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct BlockCost {
    /// From its begin to its end.
    pub(super) span: u64,
    /// How long its matrix core and its vector cores work.
    pub(super) aic: u64,
    pub(super) aiv: u64,
    /// Bytes between device memory and scratch.
    pub(super) bytes: u64,
}

/// Costs of kernels that read no tile.
#[derive(Debug, Default)]
pub(super) struct Costs {
    known: HashMap<Box<[u64]>, Arc<Cost>>,
}

/// One run of a kernel.
#[derive(Debug)]
struct Run {
    info: &'static KernelInfo,
    block: u32,
    /// The core that it runs on; none if it is alone on those of its block.
    core: Option<CoreType>,
    cost: Arc<Cost>,
}

impl Costs {
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }

    /// Runs the kernels of a task without data, those that are not known.
    pub(super) fn of(&mut self, core: &mut Core, task: &ReadyTask) -> Costed {
        task.look(|body, args| self.of_body(core, body, &args))
    }

    fn of_body(&mut self, core: &mut Core, body: &Body, args: &TaskArgs<'_>) -> Costed {
        let launch = body.launch();
        let mut costed = Costed {
            sequence: body.sequence(),
            kernel: body.kernel,
            cores: CoreType::Aiv,
            block_count: 1,
            together: false,
            blocks: Vec::new(),
            failure: None,
            ring: body.ring(),
            site: body.site(),
        };
        let given = match body.placement() {
            Placement::Nowhere => return costed,
            Placement::Any => None,
            Placement::On(cores) => Some(cores),
        };
        let one = TaskKernel {
            info: body.kernel,
            run: body.run(),
        };
        let (blocks, kernels) = match launch {
            None => (1, [Some((one, 0)), None, None]),
            Some(launch) => {
                if launch.condition.is_some_and(|condition| !condition.holds()) {
                    return costed;
                }
                costed.block_count = launch.blocks;
                costed.together = launch.together && launch.blocks > 1;
                (launch.blocks, launch.kernels)
            }
        };
        let axes = Axes::default();
        let alone = kernels.iter().flatten().count() == 1;
        let mut runs = Vec::with_capacity(blocks as usize);
        'blocks: for block in 0..blocks {
            for (slot, kernel) in kernels.iter().enumerate() {
                let &Some((TaskKernel { info, run }, sub_block_id)) = kernel else {
                    continue;
                };
                let place = launch.map(|_| Place {
                    block_idx: block,
                    block_num: blocks,
                    sub_block_id,
                    axes: &axes,
                });
                let args = match &place {
                    None => *args,
                    Some(place) => args.in_block(info, place),
                };
                let (cost, outcome) = if alone {
                    self.of_kernel(core, run, &args)
                } else {
                    // Kernels of one task also depend on each other: on how it is taken apart.
                    let (cost, outcome) = core.cost(run, &args);
                    (Arc::new(cost), outcome)
                };
                runs.push(Run {
                    info,
                    block,
                    core: (!alone).then_some(MIXED[slot]),
                    cost,
                });
                if let Err(cause) = outcome {
                    let block = (blocks > 1).then_some(Block {
                        index: block,
                        count: blocks,
                    });
                    costed.failure = Some(body.failure(info, block, cause));
                    break 'blocks;
                }
            }
        }
        costed.cores = given.unwrap_or_else(|| found(&runs));
        let live = core.tally().live();
        for (number, run) in (0..).zip(&runs) {
            let own = run.core.unwrap_or(costed.cores);
            let at = (costed.sequence, run.block, number);
            let operations = Arc::clone(&run.cost.operations);
            core.tally()
                .keep(at, run.info, own, operations, &run.cost.scopes);
            if let Some(live) = &live {
                let failed = number as usize + 1 == runs.len() && costed.failure.is_some();
                let first = runs.iter().position(|r| std::ptr::eq(r.info, run.info));
                let first = first == Some(number as usize);
                costed.count(live, run.info, first, own, &run.cost, failed);
            }
            if costed.blocks.len() <= run.block as usize {
                costed.blocks.push(BlockCost::default());
            }
            costed.blocks[run.block as usize].add(&run.cost.work, own);
        }
        costed
    }

    fn of_kernel(
        &mut self,
        core: &mut Core,
        run: KernelFn,
        args: &TaskArgs<'_>,
    ) -> (Arc<Cost>, Result<(), Cause>) {
        let key = args.cost_key(run);
        if let Some(cost) = self.known.get(&key) {
            return (Arc::clone(cost), Ok(()));
        }
        let (cost, outcome) = core.cost(run, args);
        let cost = Arc::new(cost);
        if outcome.is_ok() && !cost.reads_tiles {
            self.known.insert(key, Arc::clone(&cost));
        }
        (cost, outcome)
    }
}

/// What the kernels of a mixed task run on.
const MIXED: [CoreType; 3] = [CoreType::Aic, CoreType::Aiv, CoreType::Aiv];

/// The cores that a task takes which does not say: a cluster if it multiplies matrices and does vector
/// work, its matrix core if it does no vector work, otherwise a vector core.
fn found(runs: &[Run]) -> CoreType {
    let any = |works: fn(&Work) -> u64| runs.iter().any(|run| works(&run.cost.work) > 0);
    match (any(|work| work.matrix_ns), any(|work| work.vector_ns)) {
        (false, _) => CoreType::Aiv,
        (true, false) => CoreType::Aic,
        (true, true) => CoreType::Mix,
    }
}

impl BlockCost {
    /// Adds a kernel that runs on `cores`, beside those that are there: the cores of a cluster work at
    /// one time.
    fn add(&mut self, work: &Work, cores: CoreType) {
        let ns = work.duration(cores);
        let (aic, aiv) = match cores {
            CoreType::Aic => (ns, 0),
            CoreType::Aiv => (0, ns),
            // One kernel on a cluster: its products are the matrix core's.
            CoreType::Mix => (work.matrix_ns, ns.saturating_sub(work.matrix_ns)),
        };
        self.aic = self.aic.saturating_add(aic);
        self.aiv = self.aiv.saturating_add(aiv);
        self.span = self.span.max(ns);
        self.bytes = self.bytes.saturating_add(work.dma_bytes);
    }
}
