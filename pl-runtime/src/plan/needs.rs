//! What a trace needs of each ring, and what holds it at its peaks.

use super::replay::{Block, smallest_heap};
use super::trace::Trace;
use super::walk::{Call, walk};
use super::{DepPoolNeed, HeapNeed, Held, Peak, RingPlan, WindowNeed};
use crate::config::{MIN_DEP_POOL, MIN_RING_HEAP, MIN_TASK_WINDOW, RINGS};
use crate::ring::Window;
use crate::site::Site;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// The device takes dep-pool entries back in steps of so many retired tasks (runtime specification §0).
const DEP_POOL_STEP: u64 = 64;
/// Edges of a task that need no entry of the fan-in pool (runtime specification §0).
const INLINE_FANIN: u64 = 64;
/// Most sites that are named at a peak.
const NAMED: usize = 5;

/// The most of something so far, and the call at which it was.
#[derive(Clone, Copy, Default, Debug)]
struct Most {
    amount: u64,
    at: Option<usize>,
}

impl Most {
    fn see(&mut self, amount: u64, at: usize) {
        if self.at.is_none() || amount > self.amount {
            *self = Self {
                amount,
                at: Some(at),
            };
        }
    }
}

/// What is measured of one ring.
#[derive(Debug, Default)]
struct Ring {
    kernel_tasks: u64,
    alloc_tasks: u64,
    /// Bytes, and dep-pool entries, of all tasks of the run before each.
    bytes: Vec<u64>,
    edges: Vec<u64>,
    /// Blocks of the run before each task: those that have any bytes.
    filled: Vec<u64>,
    largest: u64,
    live: Most,
    window: Most,
    fanin: Most,
    device_edges: u64,
    blocks: Vec<Block>,
}

impl Ring {
    fn see(&mut self, call: &Call<'_>) {
        let task = call.task;
        if call.next == 0 {
            self.bytes.clear();
            self.edges.clear();
            self.filled.clear();
        }
        let before = |sums: &[u64], at: u64| sums.get(at as usize).copied();
        let sum = |sums: &[u64]| sums.last().copied().unwrap_or(0);
        let (bytes, edges, filled) = (sum(&self.bytes), sum(&self.edges), sum(&self.filled));
        let (limit, next) = (call.limit, call.next);
        // `sums[i]` counts the tasks up to and with `i`.
        let below = |sums: &[u64], index: u64| match index.checked_sub(1) {
            Some(last) => before(sums, last).expect("an earlier task"),
            None => 0,
        };
        let live = bytes + task.bytes - below(&self.bytes, limit);
        self.live.see(live, call.at);
        self.window
            .see((next - limit + 2).max(call.scope_tasks + 2), call.at);
        self.fanin.see(u64::from(task.edges), call.at);
        let lagging = limit.saturating_sub(DEP_POOL_STEP - 1);
        let pending = edges + u64::from(task.edges) - below(&self.edges, lagging);
        let spilled = u64::from(task.edges).saturating_sub(INLINE_FANIN);
        self.device_edges = self.device_edges.max(pending).max(spilled);
        self.largest = self.largest.max(task.bytes);
        if task.bytes > 0 {
            self.blocks.push(Block {
                bytes: task.bytes,
                limit: below(&self.filled, limit),
                next: filled,
            });
        }
        self.bytes.push(bytes + task.bytes);
        self.edges.push(edges + u64::from(task.edges));
        self.filled.push(filled + u64::from(task.bytes > 0));
        match task.kernel {
            Some(_) => self.kernel_tasks += 1,
            None => self.alloc_tasks += 1,
        }
    }

    fn plan(&self, peaks: &mut impl FnMut(Most, bool) -> Option<Peak>) -> RingPlan {
        let least = self.live.amount.max(1).next_multiple_of(MIN_RING_HEAP);
        let safe = least + self.largest.next_multiple_of(MIN_RING_HEAP);
        RingPlan {
            kernel_tasks: self.kernel_tasks,
            alloc_tasks: self.alloc_tasks,
            heap: HeapNeed {
                live: self.live.amount,
                minimum: smallest_heap(&self.blocks, least, safe),
                safe,
                peak: peaks(self.live, true).filter(|_| self.live.amount > 0),
            },
            window: WindowNeed {
                minimum: Window::suggestion(self.window.amount.saturating_sub(2))
                    .max(u64::from(MIN_TASK_WINDOW)),
                peak: peaks(self.window, false),
            },
            dep_pool: DepPoolNeed {
                minimum: self.fanin.amount.max(u64::from(MIN_DEP_POOL)),
                device: self.device_edges.max(u64::from(MIN_DEP_POOL)),
                peak: peaks(self.fanin, false).filter(|_| self.fanin.amount > 0),
            },
        }
    }
}

/// What each ring needs.
pub(super) fn rings(trace: &Trace) -> [RingPlan; RINGS] {
    let mut rings: [Ring; RINGS] = Default::default();
    let none: Option<()> = walk(trace, |call| {
        rings[call.ring].see(&call);
        ControlFlow::Continue(())
    });
    debug_assert_eq!(none, None);
    let mut wanted: Vec<usize> = rings
        .iter()
        .flat_map(|ring| [ring.live.at, ring.window.at, ring.fanin.at])
        .flatten()
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    let found = holders(trace, &wanted);
    rings.map(|ring| {
        ring.plan(&mut |most: Most, blocks| {
            let seen = found.get(&most.at?)?;
            Some(seen.peak(most.amount, blocks))
        })
    })
}

/// A ring at a peak.
#[derive(Debug)]
struct Seen {
    site: Site,
    scope: Site,
    /// What cannot be taken back, from the oldest to the call itself.
    held: Vec<Pin>,
}

#[derive(Clone, Copy, Debug)]
struct Pin {
    site: Site,
    scope: Site,
    kernel: Option<&'static str>,
    bytes: u64,
}

impl Seen {
    fn peak(&self, amount: u64, blocks: bool) -> Peak {
        let counted = || self.held.iter().filter(|pin| !blocks || pin.bytes > 0);
        let mut held: Vec<Held> = Vec::new();
        let mut places = HashMap::new();
        for pin in counted() {
            let place = *places.entry((pin.site, pin.scope)).or_insert(held.len());
            if place == held.len() {
                held.push(Held {
                    site: pin.site,
                    scope: pin.scope,
                    kernel: pin.kernel,
                    tasks: 0,
                    bytes: 0,
                });
            }
            held[place].tasks += 1;
            held[place].bytes += pin.bytes;
        }
        let oldest = counted().next().map(|pin| (pin.site, pin.scope));
        held.sort_by_key(|held| std::cmp::Reverse(if blocks { held.bytes } else { held.tasks }));
        held.truncate(NAMED);
        Peak {
            amount,
            site: self.site,
            scope: self.scope,
            oldest,
            held,
        }
    }
}

/// The rings at the calls at positions `wanted`, in order.
fn holders(trace: &Trace, wanted: &[usize]) -> HashMap<usize, Seen> {
    let mut tasks: [Vec<Pin>; RINGS] = Default::default();
    let mut found = HashMap::new();
    let mut wanted = wanted.iter().peekable();
    walk(trace, |call| {
        let ring = &mut tasks[call.ring];
        if call.next == 0 {
            ring.clear();
        }
        ring.push(Pin {
            site: call.task.site,
            scope: call.scope,
            kernel: call.task.kernel.map(|kernel| kernel.name),
            bytes: call.task.bytes,
        });
        if wanted.next_if_eq(&&call.at).is_some() {
            let seen = Seen {
                site: call.task.site,
                scope: call.scope,
                held: ring[call.limit as usize..].to_vec(),
            };
            found.insert(call.at, seen);
        }
        match wanted.peek() {
            Some(_) => ControlFlow::Continue(()),
            None => ControlFlow::Break(()),
        }
    });
    found
}
