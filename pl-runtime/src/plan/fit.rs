//! Ring sizes taken from a plan.

use super::{Plan, RingPlan};
use crate::config::{PerRing, RINGS, RunConfig};

impl RunConfig {
    /// The same with rings in which the programs of `plan` complete: heaps of
    /// [`HeapNeed::safe`](super::HeapNeed::safe) bytes, with which they also complete when the heaps are made
    /// larger, the smallest windows and dep pools.
    #[must_use]
    pub fn fit(&self, plan: &Plan) -> Self {
        self.sized(plan, |ring| ring.heap.safe)
    }

    /// The same with the smallest rings in which the programs of `plan` complete. In larger heaps they
    /// may fail: [`fit`](Self::fit) does without that.
    #[must_use]
    pub fn fit_exact(&self, plan: &Plan) -> Self {
        self.sized(plan, |ring| ring.heap.minimum)
    }

    fn sized(&self, plan: &Plan, heap: impl Fn(&RingPlan) -> u64) -> Self {
        let small = |amount: u64| u32::try_from(amount).unwrap_or(u32::MAX);
        let each = |size: &dyn Fn(&RingPlan) -> u32| -> [u32; RINGS] {
            std::array::from_fn(|ring| size(&plan.rings[ring]))
        };
        Self {
            ring_heap: PerRing(std::array::from_fn(|ring| heap(&plan.rings[ring]))),
            ring_task_window: each(&|ring| small(ring.window.minimum)).into(),
            ring_dep_pool: each(&|ring| small(ring.dep_pool.minimum)).into(),
            ..self.clone()
        }
    }
}
