//! The ids that are kept, and the dependencies on them.

use super::guards::implies;
use super::order::Order;
use super::trace::Step;
use std::collections::{BTreeMap, BTreeSet};

/// Ids that an array for a task in loops has at most.
const SLOTS: u32 = 256;

/// What has to be declared.
#[derive(Default)]
pub(super) struct Plan {
    /// Tasks whose ids are kept, by site.
    pub(super) kept: BTreeMap<u32, Kept>,
    /// Site of the task that waits, and of the one that it waits for: which of the latter, by how many have
    /// happened since. Where an id is kept for each turn, it waits for all of them.
    pub(super) waits: BTreeMap<(u32, u32), BTreeSet<usize>>,
    /// What nothing orders; one pair of instances for each pair of sites.
    pub(super) open: BTreeMap<(u32, u32), Open>,
}

/// How the id of a task is kept.
pub(super) struct Kept {
    /// How many steps of its path lie around the declaration.
    pub(super) depth: usize,
    /// Steps that are turns of loops for each of which an id is kept; empty for the latest only.
    pub(super) turns: Vec<usize>,
    /// One of its instances.
    pub(super) instance: u32,
}

/// Two instances that nothing orders.
#[derive(Clone, Copy)]
pub(super) struct Open {
    pub(super) earlier: u32,
    pub(super) later: u32,
    /// The tensor.
    pub(super) root: u32,
    pub(super) why: Why,
}

/// Why nothing orders them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Why {
    /// The later one is a `get` or `set`, which takes no dependencies.
    Host,
    /// The earlier one happens any number of times.
    Unbounded,
    /// The memory may be given to another tensor before the later one has ended.
    Lifetime,
}

impl Order<'_> {
    /// Makes `later` wait for `earlier`.
    pub(super) fn require(&mut self, earlier: u32, later: u32, root: u32, why: Why) {
        let pair = (self.of(later).site, self.of(earlier).site);
        if self.plan.open.contains_key(&pair) || self.stalled {
            return;
        }
        let open = |why| Open {
            earlier,
            later,
            root,
            why,
        };
        if self.of(later).kind.is_host() {
            self.plan.open.insert(pair, open(Why::Host));
            return;
        }
        let depth = meeting(&self.of(earlier).path, &self.of(later).path);
        let new = Kept {
            depth,
            turns: Vec::new(),
            instance: earlier,
        };
        let kept = self.plan.kept.entry(pair.1).or_insert(new);
        let deeper = depth < kept.depth;
        let is_single = kept.turns.is_empty();
        let depth = depth.min(kept.depth);
        let known = !deeper && self.plan.waits.contains_key(&pair);
        if known && self.changed && self.patient {
            // First see what the changes do.
            self.stalled = true;
            return;
        }
        let since = self.since(earlier, later, depth);
        let path = &self.trace.instances[earlier as usize].path;
        let turns = turns_below(path, depth);
        let slots = slots(path, &turns).filter(|slots| *slots <= SLOTS);
        if !known && since.is_none() && slots.is_none() && !self.names(earlier, later, depth) {
            if self.changed && self.patient {
                self.stalled = true;
            } else {
                self.plan.open.insert(pair, open(why));
            }
            return;
        }
        let since = since.unwrap_or(0);
        let kept = self.plan.kept.get_mut(&pair.1).expect("just made");
        kept.depth = depth;
        let more = self.plan.waits.entry(pair).or_default().insert(since);
        self.changed = true;
        if !(more && is_single || deeper) {
            // The id of a later instance has taken its place: one for each turn.
            let kept = self.plan.kept.get_mut(&pair.1).expect("just made");
            if slots.is_none() || kept.turns == turns {
                self.plan.open.insert(pair, open(why));
                // Waiting for some of them is of no use.
                self.plan.waits.remove(&pair);
            } else {
                kept.turns = turns;
            }
            self.stalled = true;
            return;
        }
        self.after_site(later, pair.1);
    }

    /// How many instances of its site certainly happen between the two, if they lie a known number of turns
    /// of one loop apart.
    fn since(&self, earlier: u32, later: u32, depth: usize) -> Option<usize> {
        let (a, b) = (self.of(earlier), self.of(later));
        let apart = a.path.iter().zip(&b.path).position(|(a, b)| a != b)?;
        let (
            Step::Turn {
                turn: first, count, ..
            },
            Step::Turn { turn: last, .. },
        ) = (a.path[apart], b.path[apart])
        else {
            return None;
        };
        // As far as the loop was followed, so it may go on.
        let farthest = last - first + 1 >= self.trace.turns
            && count.is_none_or(|count| count > self.trace.turns);
        if farthest || !turns_below(&a.path, apart + 1).is_empty() {
            return None;
        }
        let known = self.named(later, a.site, depth);
        let certain = |at: &u32| implies(&b.guards, &self.of(*at).guards);
        let at = known.iter().position(|at| *at == earlier)?;
        known.iter().all(certain).then(|| known.len() - 1 - at)
    }

    /// Whether a variable that keeps the latest id covers this instance, itself or by what came after it.
    fn names(&self, earlier: u32, later: u32, depth: usize) -> bool {
        let named = self.named(later, self.of(earlier).site, depth);
        let after = named.iter().filter(|rival| **rival > earlier);
        after.into_iter().all(|rival| {
            self.guards.exclude(*rival, earlier) || self.before[*rival as usize].has(earlier)
        })
    }

    /// Instances of a site that a variable declared at this depth may name when `later` begins.
    fn named(&self, later: u32, site: u32, depth: usize) -> Vec<u32> {
        let path = &self.of(later).path;
        self.sites[&site]
            .iter()
            .copied()
            .take_while(|earlier| *earlier < later)
            .filter(|earlier| {
                let other = self.of(*earlier);
                other.path[..depth] == path[..depth.min(path.len())]
                    && !self.guards.exclude(*earlier, later)
            })
            .collect()
    }

    /// Instances of a site that `later` certainly waits for.
    pub(super) fn after_site(&mut self, later: u32, site: u32) {
        let (Some(kept), Some(since)) = (
            self.plan.kept.get(&site),
            self.plan.waits.get(&(self.of(later).site, site)),
        ) else {
            return;
        };
        let known = self.named(later, site, kept.depth);
        let (turns, since) = (kept.turns.clone(), since.clone());
        if turns.is_empty() {
            let guards = &self.of(later).guards;
            let certain = |at: &u32| implies(guards, &self.of(*at).guards);
            if known.iter().all(certain) {
                for since in since {
                    if let Some(at) = known.len().checked_sub(1 + since) {
                        self.after(later, known[at]);
                    }
                }
                return;
            }
            if !since.contains(&0) {
                return;
            }
        }
        for (at, earlier) in known.iter().enumerate().rev() {
            let same_slot = |rival: u32| {
                let (a, b) = (&self.of(rival).path, &self.of(*earlier).path);
                turns.iter().all(|turn| a[*turn] == b[*turn])
            };
            let certain = known[at + 1..].iter().all(|rival| {
                !same_slot(*rival)
                    || self.guards.exclude(*rival, *earlier)
                    || self.before[*rival as usize].has(*earlier)
            });
            if certain {
                self.after(later, *earlier);
            }
        }
    }
}

/// How many steps lie around the statement of the first before which a variable is visible to both.
fn meeting(earlier: &[Step], later: &[Step]) -> usize {
    let apart = earlier
        .iter()
        .zip(later)
        .take_while(|(a, b)| a == b)
        .count();
    if let (Some(Step::Stmt { block: a, .. }), Some(Step::Stmt { block: b, .. })) =
        (earlier.get(apart), later.get(apart))
        && a == b
    {
        return apart;
    }
    let is_stmt = |step: &Step| matches!(step, Step::Stmt { .. });
    earlier[..apart].iter().rposition(is_stmt).unwrap_or(0)
}

/// The loops below a declaration.
fn turns_below(path: &[Step], depth: usize) -> Vec<usize> {
    (depth..path.len())
        .filter(|at| matches!(path[*at], Step::Turn { .. }))
        .collect()
}

/// How often these loops turn together, if it is known.
fn slots(path: &[Step], turns: &[usize]) -> Option<u32> {
    turns.iter().try_fold(1_u32, |slots, at| match path[*at] {
        Step::Turn { count, .. } => slots.checked_mul(count?),
        Step::Stmt { .. } => Some(slots),
    })
}
