//! What is said when a ring, or the tensormap, has no room.

use super::Orchestrator;
use crate::config::TENSORMAP_ENTRIES;
use crate::error::{Error, Exhausted, Pinned, Resource};
use crate::ring::Window;
use crate::site::Site;

impl Orchestrator {
    /// Ends the run: `requested` of a resource does not fit, whatever is waited for.
    #[cold]
    pub(super) fn exhausted(&mut self, resource: Resource, site: Site, requested: u64) -> Error {
        let scope = self.innermost();
        let (index, tasks) = (scope.ring, u64::from(scope.tasks));
        let ring = &self.rings[index];
        let live = ring.next() - ring.limit();
        let (requested, used, capacity, suggestion) = match resource {
            Resource::ScopeTasks => (
                1,
                tasks,
                ring.window.size(),
                Window::suggestion(live.max(tasks)),
            ),
            Resource::TaskWindow => (1, live, ring.window.size(), Window::suggestion(live)),
            Resource::Heap => (
                requested,
                ring.pinned_bytes(),
                ring.heap_bytes(),
                ring.heap_suggestion(requested),
            ),
            Resource::DepPool => (requested, 0, ring.dep_pool(), requested),
            Resource::TensorMap => (
                requested,
                self.tensormap,
                TENSORMAP_ENTRIES,
                TENSORMAP_ENTRIES,
            ),
        };
        let oldest = match resource {
            Resource::Heap => ring.oldest_pinned(|task| task.bytes > 0),
            // Of all rings: outer scopes first.
            Resource::TensorMap => self
                .rings
                .iter()
                .find_map(|ring| ring.oldest_pinned(|task| task.map_entries > 0)),
            Resource::ScopeTasks | Resource::TaskWindow | Resource::DepPool => {
                ring.oldest_pinned(|_| true)
            }
        };
        let oldest = oldest.map(|meta| Pinned {
            site: meta.site,
            kernel: meta.kernel.map(|kernel| kernel.name),
            bytes: meta.bytes,
        });
        let scope = scope.site;
        let detail = Box::new(Exhausted {
            resource,
            ring: index,
            scope,
            site,
            requested,
            used,
            capacity,
            oldest,
            suggestion,
            statistics: self.recorder.stats_file(),
            accepted: resource.can_be(self.config.clone(), index, suggestion),
            manual: self.in_manual(),
        });
        self.fail(match resource {
            Resource::ScopeTasks => Error::ScopeDeadlock(detail),
            Resource::TaskWindow => Error::FlowControlDeadlock(detail),
            Resource::Heap => Error::HeapRingDeadlock(detail),
            Resource::DepPool => Error::DepPoolOverflow(detail),
            Resource::TensorMap => Error::TensormapOverflow(detail),
        })
    }
}
