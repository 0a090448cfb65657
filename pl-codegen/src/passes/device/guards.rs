//! Under which conditions instances happen, and sets of them.

use super::trace::{Guard, Trace};
use std::collections::HashMap;

/// Which instances happen together.
pub(super) struct Guards {
    /// The instances that happen under a condition only.
    under: HashMap<Guard, Set>,
    /// For each instance those that happen only where it does not.
    excluded: Vec<Set>,
}

impl Guards {
    pub(super) fn of(trace: &Trace) -> Self {
        let mut under: HashMap<Guard, Set> = HashMap::new();
        for (index, instance) in trace.instances.iter().enumerate() {
            for guard in &instance.guards {
                under.entry(*guard).or_default().insert(index as u32);
            }
        }
        let excluded = trace.instances.iter().map(|instance| {
            let mut set = Set::default();
            for (choice, arm) in &instance.guards {
                // A choice is between two.
                if let Some(other) = under.get(&(*choice, 1 - arm)) {
                    set.extend(other);
                }
            }
            set
        });
        let excluded = excluded.collect();
        Self { under, excluded }
    }

    /// Whether one happens only where the other does not.
    pub(super) fn exclude(&self, a: u32, b: u32) -> bool {
        self.excluded[a as usize].has(b)
    }

    /// The instances that happen only where `first` does, if `second` does; `None` if `first` always does
    /// then.
    pub(super) fn with_those_of(&self, trace: &Trace, first: u32, second: u32) -> Option<Set> {
        let guards = |index: u32| &trace.instances[index as usize].guards;
        let mut both: Option<Set> = None;
        for guard in guards(first) {
            if guards(second).binary_search(guard).is_err() {
                let under = &self.under[guard];
                match &mut both {
                    Some(both) => both.keep(under),
                    None => both = Some(under.clone()),
                }
            }
        }
        both
    }
}

/// Whether the first conditions are met only where the second ones are. Both are in ascending order.
pub(super) fn implies(first: &[Guard], second: &[Guard]) -> bool {
    let holds = |guard: &Guard| first.binary_search(guard).is_ok();
    second.len() <= first.len() && second.iter().all(holds)
}

/// A set of instances.
#[derive(Clone, Default)]
pub(super) struct Set(Vec<u64>);

impl Set {
    pub(super) fn has(&self, index: u32) -> bool {
        let word = self.0.get(index as usize / 64);
        word.is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    pub(super) fn insert(&mut self, index: u32) {
        let at = index as usize / 64;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (index % 64);
    }

    /// Adds another set.
    pub(super) fn extend(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// Adds what is in both of two sets.
    pub(super) fn extend_by(&mut self, a: &Self, b: &Self) {
        let length = a.0.len().min(b.0.len());
        if self.0.len() < length {
            self.0.resize(length, 0);
        }
        for ((word, a), b) in self.0.iter_mut().zip(&a.0).zip(&b.0) {
            *word |= a & b;
        }
    }

    /// Leaves only what is in another set, too.
    fn keep(&mut self, other: &Self) {
        self.0.truncate(other.0.len());
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
    }
}
