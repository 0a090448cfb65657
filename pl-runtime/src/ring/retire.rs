//! The retire index: how much of a ring a call takes back.
//!
//! Slots and heap bytes of a ring retire together, in order. A call computes what it needs and
//! takes the smallest index, between the current one and the oldest task whose scope is open, with
//! which everything fits; then it waits until all tasks below are CONSUMED. Every submitted task
//! ends by itself, so the wait ends; and if there is no such index, no waiting helps. Success,
//! failure and position so depend on the program alone.

use super::{Heap, Window};

/// Why a task does not fit whatever is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Blocked {
    Slot,
    Heap,
}

/// The smallest index in `alive..=limit` with which task `next` has a slot and a block of `bytes` fits.
/// `block_end` gives the heap offset
/// behind the block of a task.
pub(crate) fn plan(
    heap: &Heap,
    window: Window,
    next: u64,
    alive: u64,
    limit: u64,
    bytes: u64,
    block_end: impl Fn(u64) -> u64,
) -> Result<u64, Blocked> {
    let first = window.first_fit(next).max(alive);
    if first > limit {
        return Err(Blocked::Slot);
    }
    if first == alive && heap.fits(bytes) {
        return Ok(alive);
    }
    let mut heap = heap.clone();
    (first..=limit)
        .find(|&index| {
            if index > alive {
                heap.refresh(index, block_end(index - 1));
            }
            heap.fits(bytes)
        })
        .ok_or(Blocked::Heap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One ring driven by a program of open / close / allocate (KiB), all scopes on this ring.
    struct Program {
        heap: Heap,
        window: Window,
        ends: Vec<u64>,
        alive: u64,
        /// First task of each open scope.
        scopes: Vec<Option<u64>>,
        /// Retire at every call as far as possible.
        eager: bool,
        /// Where each task's block starts.
        offsets: Vec<u64>,
    }

    impl Program {
        fn new(bytes: u64, window: u32) -> Self {
            let (heap, window) = (Heap::new(bytes), Window::new(window));
            Self {
                heap,
                window,
                ends: Vec::new(),
                alive: 0,
                scopes: vec![None],
                eager: false,
                offsets: Vec::new(),
            }
        }

        fn allocate(&mut self, bytes: u64) -> Result<(), Blocked> {
            let next = self.ends.len() as u64;
            let limit = self.scopes.iter().find_map(|&first| first).unwrap_or(next);
            if self.eager {
                self.retire(limit);
            }
            let ends = &self.ends;
            let index = plan(
                &self.heap,
                self.window,
                next,
                self.alive,
                limit,
                bytes,
                |task| ends[task as usize],
            )?;
            self.retire(index);
            self.offsets.push(self.heap.allocate(next, bytes).unwrap());
            self.ends.push(self.heap.top());
            self.scopes.last_mut().unwrap().get_or_insert(next);
            Ok(())
        }

        fn retire(&mut self, index: u64) {
            if index > self.alive {
                self.heap.refresh(index, self.ends[index as usize - 1]);
                self.alive = index;
            }
        }

        fn run(&mut self, program: &str) -> Result<(), Blocked> {
            for call in program.split_whitespace() {
                match call {
                    "o" => self.scopes.push(None),
                    "c" => _ = self.scopes.pop(),
                    kib => self.allocate(kib.parse::<u64>().unwrap() * 1024)?,
                }
            }
            Ok(())
        }
    }

    #[test]
    fn a_larger_heap_can_fail_where_a_smaller_one_works() {
        let outcome = |kib: u64| Program::new(kib * 1024, 64).run("o o 1 5 c 6 4 c 4 5");
        assert_eq!(outcome(9), Err(Blocked::Heap));
        assert_eq!(outcome(10), Ok(()));
        assert_eq!(outcome(11), Ok(()));
        assert_eq!(outcome(12), Err(Blocked::Heap));
        for kib in 13..40 {
            assert_eq!(outcome(kib), Ok(()), "{kib} KiB");
        }
    }

    #[test]
    fn closed_scopes_are_taken_back_only_as_far_as_needed() {
        let mut ring = Program::new(4096, 64);
        ring.run("o 1 1 1 1 c").unwrap();
        assert_eq!(ring.alive, 0);
        ring.run("o 1").unwrap();
        assert_eq!(ring.alive, 2, "a wrapped ring keeps top and tail apart");
    }

    #[test]
    fn sequential_scopes_wait_for_slots_and_nested_ones_run_out_of_them() {
        let mut ring = Program::new(1 << 20, 4);
        ring.run("o 0 0 0 c o 0 0 0 c").unwrap();
        assert_eq!(ring.alive, 3);
        let mut ring = Program::new(1 << 20, 4);
        assert_eq!(ring.run("o 0 0 0 o 0"), Err(Blocked::Slot));
    }

    #[test]
    fn a_missing_slot_is_reported_before_missing_bytes() {
        let mut ring = Program::new(1024, 4);
        ring.run("o 1 0 0").unwrap();
        assert_eq!(ring.run("o 1"), Err(Blocked::Slot));
        let mut ring = Program::new(4096, 64);
        assert_eq!(ring.run("o 2 2 2"), Err(Blocked::Heap));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn outcome_and_placement_do_not_depend_on_when_memory_is_taken_back(
            calls in prop::collection::vec((0..10_u32, 0..7_u64), 1..60),
            kib in 3..24_u64,
            window in 2..6_u32,
        ) {
            let mut lazy = Program::new(kib * 1024, 1 << window);
            let mut eager = Program { eager: true, ..Program::new(kib * 1024, 1 << window) };
            for (kind, size) in calls {
                match kind {
                    0..2 => [&mut lazy, &mut eager].map(|ring| ring.scopes.push(None)),
                    2..4 if lazy.scopes.len() > 1 => {
                        [&mut lazy, &mut eager].map(|ring| _ = ring.scopes.pop())
                    }
                    _ => {
                        let outcome = lazy.allocate(size * 1024);
                        prop_assert_eq!(outcome, eager.allocate(size * 1024));
                        if outcome.is_err() {
                            break;
                        }
                        [(), ()]
                    }
                };
                prop_assert_eq!(&lazy.offsets, &eager.offsets);
                prop_assert_eq!(lazy.heap.unrolled_end(), eager.heap.unrolled_end());
                prop_assert!(lazy.alive <= eager.alive);
                let kept = lazy.alive as usize..lazy.offsets.len();
                let mut blocks: Vec<_> = kept.map(|i| (lazy.offsets[i], lazy.ends[i])).collect();
                blocks.retain(|block| block.0 < block.1);
                blocks.sort_unstable();
                prop_assert!(blocks.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{:?}", blocks);
            }
        }
    }
}
