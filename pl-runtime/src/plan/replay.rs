//! The trace again, with rings of a certain size: whether everything fits, and what does not first.

use super::trace::Trace;
use super::walk::walk;
use crate::config::{MIN_RING_HEAP, RINGS};
use crate::error::Resource;
use crate::ring::{Heap, Window};
use std::ops::ControlFlow;

/// Sizes of all rings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sizes {
    pub(super) heaps: [u64; RINGS],
    pub(super) windows: [u32; RINGS],
    pub(super) dep_pools: [u32; RINGS],
}

/// A ring's heap in a replay, with the ends of its blocks.
#[derive(Debug)]
struct Blocks {
    heap: Heap,
    ends: Vec<u64>,
}

impl Blocks {
    fn new(bytes: u64) -> Self {
        Self {
            heap: Heap::new(bytes),
            ends: Vec::new(),
        }
    }

    /// Allocates with everything below `limit` taken back. Where a block goes does not depend on how
    /// much more is kept, and if it does not fit now it never does (see `ring::retire`).
    fn allocate(&mut self, limit: u64, bytes: u64) -> bool {
        if let Some(last) = limit.checked_sub(1) {
            self.heap.refresh(limit, self.ends[last as usize]);
        }
        let fits = self.heap.allocate(self.ends.len() as u64, bytes).is_some();
        self.ends.push(self.heap.top());
        fits
    }
}

/// The first call that rings of these sizes have no room for: its position, and what is missing.
pub(super) fn first_failure(trace: &Trace, sizes: &Sizes) -> Option<(usize, Resource)> {
    let mut rings = sizes.heaps.map(Blocks::new);
    walk(trace, |call| {
        let ring = call.ring;
        let window = Window::new(sizes.windows[ring]);
        if call.next == 0 {
            rings[ring] = Blocks::new(sizes.heaps[ring]);
        }
        // In the order in which the orchestrator asks.
        let missing = if !window.scope_admits(call.scope_tasks) {
            Resource::ScopeTasks
        } else if window.first_fit(call.next) > call.limit {
            Resource::TaskWindow
        } else if !rings[ring].allocate(call.limit, call.task.bytes) {
            Resource::Heap
        } else if call.task.edges > sizes.dep_pools[ring] {
            Resource::DepPool
        } else {
            return ControlFlow::Continue(());
        };
        ControlFlow::Break((call.at, missing))
    })
}

/// A block of a ring's heap, and how many of the ring's blocks can be taken back before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub(super) bytes: u64,
    pub(super) limit: u64,
    /// Blocks of the run before it.
    pub(super) next: u64,
}

/// The smallest heap, a multiple of 1024 bytes from `least` to below `safe`, in which `blocks` fit one
/// after the other; `safe`, if there is none. Success is not monotone in the size, so each one counts;
/// those at which every decision is made as at one that failed are passed over.
pub(super) fn smallest_heap(blocks: &[Block], least: u64, safe: u64) -> u64 {
    let mut size = least;
    while size < safe {
        match shortage(blocks, size) {
            None => return size,
            Some(more) => size = (size + more).next_multiple_of(MIN_RING_HEAP),
        }
    }
    safe
}

/// `None` if `blocks` fit in a heap of `size` bytes, else how many bytes more it takes at least for
/// anything to go another way.
fn shortage(blocks: &[Block], size: u64) -> Option<u64> {
    let mut ring = Blocks::new(size);
    let mut more = u64::MAX;
    for block in blocks {
        if block.next == 0 {
            ring = Blocks::new(size);
        }
        if let Some(last) = block.limit.checked_sub(1) {
            ring.heap.refresh(block.limit, ring.ends[last as usize]);
        }
        more = more.min(ring.heap.short_of(block.bytes).unwrap_or(u64::MAX));
        if !ring.allocate(block.limit, block.bytes) {
            return Some(more);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The blocks of a program of open / close / allocate (KiB), all scopes on one ring.
    fn blocks(program: &str) -> Vec<Block> {
        let (mut scopes, mut blocks) = (vec![None], Vec::new());
        for call in program.split_whitespace() {
            match call {
                "o" => scopes.push(None),
                "c" => _ = scopes.pop(),
                kib => {
                    let next = blocks.len() as u64;
                    let limit = scopes.iter().find_map(|&first| first).unwrap_or(next);
                    blocks.push(Block {
                        bytes: kib.parse::<u64>().unwrap() * 1024,
                        limit,
                        next,
                    });
                    scopes.last_mut().unwrap().get_or_insert(next);
                }
            }
        }
        blocks
    }

    fn live(blocks: &[Block]) -> (u64, u64) {
        let live = |i: usize| -> u64 {
            blocks[blocks[i].limit as usize..=i]
                .iter()
                .map(|b| b.bytes)
                .sum()
        };
        let most = (0..blocks.len()).map(live).max().unwrap_or(0).max(1024);
        let largest = blocks.iter().map(|b| b.bytes).max().unwrap_or(0);
        (most, most + largest)
    }

    #[test]
    fn the_smallest_heap_may_be_smaller_than_one_that_fails() {
        let blocks = blocks("o o 1 5 c 6 4 c 4 5");
        let (least, safe) = live(&blocks);
        assert_eq!(smallest_heap(&blocks, least, safe), 10 * 1024);
        assert_eq!(shortage(&blocks, 11 * 1024), None);
        assert!(shortage(&blocks, 12 * 1024).is_some());
        assert_eq!(shortage(&blocks, 13 * 1024), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn passing_over_sizes_misses_none_that_works_and_every_size_from_safe_on_works(
            calls in prop::collection::vec((0..10_u32, 0..9_u64), 1..60),
        ) {
            let (mut depth, mut program) = (0, Vec::new());
            for (kind, size) in calls {
                match kind {
                    0..2 => { depth += 1; program.push("o".to_owned()); }
                    2..4 if depth > 0 => { depth -= 1; program.push("c".to_owned()); }
                    _ => program.push(size.to_string()),
                }
            }
            let program = program.join(" ");
            let blocks = blocks(&program);
            let (least, safe) = live(&blocks);
            let one_by_one = (least..safe).step_by(1024).find(|&size| shortage(&blocks, size).is_none());
            prop_assert_eq!(smallest_heap(&blocks, least, safe), one_by_one.unwrap_or(safe));
            for step in 0..40 {
                prop_assert_eq!(shortage(&blocks, safe + step * 1024), None, "{}: {}", program, safe);
            }
        }
    }
}
