//! What to do about what the figures show.

use super::format::{amount, bytes, percent};
use super::lane::{Lane, RINGS, Resource};
use super::summary::{Figures, Peak, Summary};

/// From this share of a capacity on, little is left.
const HIGH: f64 = 0.8;
/// From this share on, something holds the ring.
const HALF: f64 = 0.5;
/// Up to this share, a ring is as good as empty.
const LITTLE: f64 = 0.1;

/// First move for the codes that a size can cure.
const FIRST_MOVES: &[(u32, &str)] = &[
    (
        1,
        "one scope submitted more tasks than the ring has slots, which only its end frees: split the \
         scope, or raise `ring_task_window`",
    ),
    (
        2,
        "the ring ran out of heap: open a scope around the intermediates, shrink them, or raise `ring_heap`",
    ),
    (
        3,
        "the task window is full while heap is free, usually by nesting on one ring: move the inner \
         submissions to another depth",
    ),
    (
        4,
        "the edges of one task overflow the dep pool: wait for fewer tasks at once, or raise `ring_dep_pool`",
    ),
    (
        11,
        "the tensormap is full: write fewer regions of the same tensors before they are read",
    ),
];

impl Summary {
    /// What to do, the most pressing first. Never empty.
    pub fn advice(&self) -> Vec<String> {
        let mut advice = Vec::new();
        self.on_failure(&mut advice);
        self.on_collapse(&mut advice);
        for ring in 0..RINGS {
            self.on_heap(Lane::new(Resource::Heap, ring), ring, &mut advice);
            self.on_window(Lane::new(Resource::TaskWindow, ring), ring, &mut advice);
        }
        self.on_pools(&mut advice);
        if advice.is_empty() {
            advice.push(if self.lanes().next().is_none() {
                "Nothing was recorded: run the program with `enable_scope_stats`.".into()
            } else {
                "Nothing: every ring has room.".into()
            });
        }
        advice
    }

    fn on_failure(&self, advice: &mut Vec<String>) {
        let code = self.run.as_ref().and_then(|run| run.outcome.code);
        if let Some((code, text)) = FIRST_MOVES.iter().find(|(known, _)| Some(*known) == code) {
            advice.push(format!("Error {code}: {text}."));
        }
        let stopped = self.open.last().filter(|_| !self.findings.lack_records());
        let Some(last) = stopped else { return };
        let lane = Lane::new(Resource::Heap, last.ring);
        let held = last.sample.spans[Resource::Heap as usize]
            .and_then(|(start, end)| end.checked_sub(start));
        let held = match (held, self.capacity(lane)) {
            (Some(held), Some(capacity)) => format!(
                "; ring {} held {} of {} when it was opened",
                last.ring,
                bytes(held),
                bytes(capacity)
            ),
            _ => String::new(),
        };
        advice.push(format!(
            "Start at `{}` (line {}), the last scope that was opened: the run stopped inside it{held}.",
            self.sites.get(last.site).name,
            last.line
        ));
    }

    /// All work on one ring.
    fn on_collapse(&self, advice: &mut Vec<String>) {
        let shares: Vec<(usize, f64)> = (0..RINGS)
            .map(|ring| {
                let lane = Lane::new(Resource::Heap, ring);
                let share = self
                    .pressure(lane)
                    .and_then(|value| self.share(lane, value));
                (ring, share.unwrap_or(0.0))
            })
            .collect();
        let high: Vec<_> = shares.iter().filter(|(_, share)| *share >= HIGH).collect();
        let others = shares.iter().filter(|(_, share)| *share < LITTLE).count();
        if let [(ring, share)] = high[..]
            && others == RINGS - 1
        {
            advice.push(format!(
                "Ring {ring} carries {} of its heap, the others less than {}: write scopes by hand so that \
                 the load spreads over the depths.",
                percent(*share),
                percent(LITTLE)
            ));
        }
    }

    fn on_heap(&self, lane: Lane, ring: usize, advice: &mut Vec<String>) {
        let Figures {
            high_water: Some(high),
            live,
            total_alloc,
            ..
        } = self.figures(lane)
        else {
            return;
        };
        let Some(capacity) = self.capacity(lane) else {
            return;
        };
        let site = &self.sites.get(high.site).name;
        let share = |value: u64| value as f64 / capacity as f64;
        let live = live.unwrap_or(Peak { value: 0, ..*high });
        if let Some(demand) = self.demand(lane) {
            if share(demand) >= HIGH {
                advice.push(format!(
                    "Ring {ring} needs {} of {} ({}): shrink what lives at `{site}`, end its scope earlier, or \
                     raise `ring_heap`.",
                    bytes(demand),
                    bytes(capacity),
                    percent(share(demand)),
                ));
            } else if share(high.value) >= HALF && share(demand) < HALF {
                advice.push(format!(
                    "Ring {ring} needs only {} of {}: what it holds beyond that is not taken back before it \
                     must be. It is doing its job.",
                    bytes(demand),
                    bytes(capacity)
                ));
            }
        } else if share(live.value) >= HALF {
            let pinned = &self.sites.get(live.site).name;
            advice.push(format!(
                "Ring {ring} still held {} ({}) when `{pinned}` closed: shrink what is passed on, or move it to \
                 an outer scope that closes later. (Or nothing had to be taken back yet: `run.json` of \
                 our runtime tells the two apart.)",
                bytes(live.value),
                percent(share(live.value)),
            ));
        } else if share(high.value) >= HALF && live.value * 4 <= high.value {
            advice.push(format!(
                "Ring {ring} streams at `{site}`: up to {} pass through, {} stay. It is doing its job.",
                bytes(high.value),
                bytes(live.value)
            ));
        } else if high.value > 0 && high.value >= *total_alloc && share(high.value) < 0.25 {
            advice.push(format!(
                "Ring {ring} never had to take anything back: measure with a `ring_heap` near the {} it used, or \
                 scopes seem to do nothing.",
                bytes(high.value)
            ));
        }
    }

    fn on_window(&self, lane: Lane, ring: usize, advice: &mut Vec<String>) {
        let (Some(alloc), Some(capacity)) = (self.figures(lane).alloc, self.capacity(lane)) else {
            return;
        };
        if alloc.value as f64 >= HIGH * capacity as f64 {
            advice.push(format!(
                "The scope at `{}` submits {} tasks on ring {ring}, which has {capacity} slots: split it, or raise \
                 `ring_task_window`.",
                self.sites.get(alloc.site).name,
                alloc.value
            ));
        }
    }

    fn on_pools(&self, advice: &mut Vec<String>) {
        for lane in Lane::all() {
            let what = match lane.resource() {
                Resource::DepPool => "wait for fewer tasks at once, or raise `ring_dep_pool`",
                Resource::Tensormap => {
                    "write fewer regions of the same tensors before they are read"
                }
                Resource::TaskWindow | Resource::Heap => continue,
            };
            let (Some(live), Some(capacity)) = (self.figures(lane).live, self.capacity(lane))
            else {
                continue;
            };
            if live.value as f64 >= HIGH * capacity as f64 {
                advice.push(format!(
                    "The {lane} held {} of {capacity} entries when `{}` closed: {what}.",
                    amount(lane.resource(), live.value),
                    self.sites.get(live.site).name
                ));
            }
        }
    }
}
