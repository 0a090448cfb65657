//! What would lower the peak of a ring, tried out on the trace.
//!
//! Each candidate is a change of the program that the trace can show: one more scope around calls that
//! nothing after them uses, or one allocation in place of one in each iteration. The changed trace is planned, and only what
//! helps is told, with the figures it gave.

use super::trace::{Event, Trace};
use super::walk::walk;
use super::{Peak, RingPlan};
use crate::config::RINGS;
use crate::scope::ScopeMode;
use crate::site::Site;
use std::fmt;
use std::ops::ControlFlow;

/// A change of the program that lowers the heap peak of a ring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The ring.
    pub ring: usize,
    /// What to do.
    pub change: Change,
    /// How many times the program does it, in all runs.
    pub times: u64,
    /// [`HeapNeed::live`](super::HeapNeed::live) of all rings now, and after the change.
    pub live: [[u64; RINGS]; 2],
}

/// A change of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Open a scope before one call and close it after another: nothing after it uses what is made in it.
    Scope {
        /// The first call in it.
        first: Site,
        /// The last call in it.
        last: Site,
        /// The scope that the two are in now.
        inside: Site,
    },
    /// Make a tensor once, before the loop, in place of one in each iteration: each is used up before
    /// the next. Tasks of an iteration then wait for those of the one before.
    Hoist {
        /// The call that makes it.
        site: Site,
        /// The scope that the loop is in.
        inside: Site,
    },
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.change {
            Change::Scope {
                first,
                last,
                inside,
            } if first == last => write!(
                f,
                "open a scope of its own for what is made at {first}, inside the one opened at {inside}"
            )?,
            Change::Scope {
                first,
                last,
                inside,
            } => write!(
                f,
                "open a scope before {first} and close it behind {last}, inside the one opened at {inside}"
            )?,
            Change::Hoist { site, inside } => write!(
                f,
                "make what is made at {site} once, before its loop in the scope opened at {inside}, and \
                 use it in each iteration"
            )?,
        }
        let [before, after] = &self.live;
        for ring in 0..RINGS {
            if before[ring] != after[ring] {
                let (before, after) = (before[ring], after[ring]);
                write!(f, "; ring {ring}: {after} bytes live instead of {before}")?;
            }
        }
        Ok(())
    }
}

/// What lowers the peaks of `rings`, the best first; no more than one for each site that holds much.
pub(super) fn advice(trace: &Trace, rings: &[RingPlan; RINGS]) -> Vec<Advice> {
    let program = Program::new(trace);
    let before = live(trace);
    let total = |live: &[u64; RINGS]| live.iter().sum::<u64>();
    let mut found: Vec<Advice> = Vec::new();
    for (ring, plan) in rings.iter().enumerate() {
        let held = plan.heap.peak.iter().flat_map(|peak: &Peak| &peak.held);
        for held in held {
            let calls = program.calls(held.site, held.scope);
            let edits = [
                program.scoped(&calls, held.scope),
                program.hoisted(&calls, held.scope),
            ];
            let best = edits
                .into_iter()
                .flatten()
                .map(|edit| Advice {
                    ring,
                    change: edit.change,
                    times: edit.times,
                    live: [before, live(&edit.trace)],
                })
                .filter(|advice| {
                    let [before, after] = &advice.live;
                    after[ring] < before[ring] && total(after) < total(before)
                })
                .min_by_key(|advice| total(&advice.live[1]));
            found.extend(best.filter(|best| !found.iter().any(|a| a.change == best.change)));
        }
    }
    found.sort_by_key(|advice| total(&advice.live[1]));
    found
}

/// Most live bytes of each ring.
fn live(trace: &Trace) -> [u64; RINGS] {
    let mut most = [0; RINGS];
    let mut sums: [Vec<u64>; RINGS] = Default::default();
    let none: Option<()> = walk(trace, |call| {
        let sums = &mut sums[call.ring];
        if call.next == 0 {
            sums.clear();
            sums.push(0);
        }
        let all = sums[call.next as usize] + call.task.bytes;
        sums.push(all);
        most[call.ring] = most[call.ring].max(all - sums[call.limit as usize]);
        ControlFlow::Continue(())
    });
    debug_assert_eq!(none, None);
    most
}

/// A changed trace.
struct Edit {
    trace: Trace,
    change: Change,
    times: u64,
}

/// A trace, with what is needed to change it.
struct Program<'t> {
    trace: &'t Trace,
    /// For each call the last one that uses what it made; itself if none does.
    last_use: Vec<u32>,
    /// For each event the scope that it is directly in, as the position at which that opens; for those that
    /// open or close one, that one's.
    scope: Vec<u32>,
    /// For each `Open`, its end.
    close: Vec<u32>,
    /// Whether each scope, or one around it, is MANUAL.
    manual: Vec<bool>,
}

impl<'t> Program<'t> {
    fn new(trace: &'t Trace) -> Self {
        let count = trace.events.len();
        let mut last_use: Vec<u32> = (0..count as u32).collect();
        for (task, uses) in trace.uses_by_task() {
            for &owner in uses {
                last_use[owner as usize] = task as u32;
            }
        }
        let (mut scope, mut close) = (vec![0; count], vec![0; count]);
        let mut manual = vec![false; count];
        let mut open: Vec<usize> = Vec::new();
        for (at, event) in trace.events.iter().enumerate() {
            if let Event::Open(_, mode) = event {
                let outer = open.last().is_some_and(|&outer| manual[outer]);
                manual[at] = outer || *mode == ScopeMode::Manual;
                open.push(at);
            }
            let inner = *open.last().expect("a run is inside its root scope");
            scope[at] = inner as u32;
            if let Event::Close = event {
                close[inner] = at as u32;
                open.pop();
            }
        }
        Self {
            trace,
            last_use,
            scope,
            close,
            manual,
        }
    }

    /// The calls at `site` directly in a scope opened at `inside`.
    fn calls(&self, site: Site, inside: Site) -> Vec<usize> {
        let events = &self.trace.events;
        let opened = |at: usize| matches!(events[at], Event::Open(site, _) if site == inside);
        (0..events.len())
            .filter(|&at| matches!(&events[at], Event::Task(task) if task.site == site))
            .filter(|&at| opened(self.scope[at] as usize))
            .collect()
    }

    /// The end (exclusive) of the shortest run of whole statements from `start` on after which nothing
    /// uses what was made in it.
    fn used_up(&self, start: usize) -> usize {
        let (mut end, mut at) = (start + 1, start);
        while at < end {
            end = end.max(self.last_use[at] as usize + 1);
            if let Event::Open(..) = self.trace.events[at] {
                end = end.max(self.close[at] as usize + 1);
            }
            // Behind the end of the scope that they are in, nothing is.
            if self.scope[at] == self.scope[start] && matches!(self.trace.events[at], Event::Close)
            {
                return at;
            }
            at += 1;
        }
        end
    }

    /// A scope around each call and what uses what it makes.
    fn scoped(&self, calls: &[usize], inside: Site) -> Option<Edit> {
        let ends: Vec<usize> = calls.iter().map(|&call| self.used_up(call)).collect();
        let apart = calls
            .iter()
            .skip(1)
            .zip(&ends)
            .all(|(&next, &end)| end <= next);
        let manual = calls.iter().any(|&at| self.manual[self.scope[at] as usize]);
        if calls.is_empty() || !apart || manual {
            return None;
        }
        let first = self.site(calls[0])?;
        let last = (calls[0]..ends[0]).rev().find_map(|at| self.site(at))?;
        let mut trace = Trace::default();
        let mut segments = calls.iter().zip(&ends).peekable();
        for (at, event) in self.trace.events.iter().enumerate() {
            if let Some(&(&start, _)) = segments.peek()
                && start == at
            {
                trace.events.push(Event::Open(first, ScopeMode::Auto));
            }
            trace.events.push(*event);
            if let Some(&(_, &end)) = segments.peek()
                && end == at + 1
            {
                trace.events.push(Event::Close);
                segments.next();
            }
        }
        let change = Change::Scope {
            first,
            last,
            inside,
        };
        Some(Edit {
            trace,
            change,
            times: calls.len() as u64,
        })
    }

    /// One call for all in a scope.
    fn hoisted(&self, calls: &[usize], inside: Site) -> Option<Edit> {
        let bytes = |at: usize| match &self.trace.events[at] {
            Event::Task(task) if task.kernel.is_none() => Some(task.bytes),
            _ => None,
        };
        let mut dropped = Vec::new();
        for pair in calls.windows(2) {
            if self.scope[pair[0]] != self.scope[pair[1]] {
                continue;
            }
            let used_up = (self.last_use[pair[0]] as usize) < pair[1];
            if bytes(pair[0])? != bytes(pair[1])? || !used_up {
                return None;
            }
            dropped.push(pair[1]);
        }
        if dropped.is_empty() {
            return None;
        }
        let mut trace = Trace::default();
        let mut drop = dropped.iter().peekable();
        for (at, event) in self.trace.events.iter().enumerate() {
            if drop.next_if_eq(&&at).is_none() {
                trace.events.push(*event);
            }
        }
        let site = self.site(calls[0])?;
        Some(Edit {
            trace,
            change: Change::Hoist { site, inside },
            times: (calls.len() - dropped.len()) as u64,
        })
    }

    fn site(&self, at: usize) -> Option<Site> {
        match &self.trace.events[at] {
            Event::Task(task) => Some(task.site),
            _ => None,
        }
    }
}
