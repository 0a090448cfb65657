//! Under which conditions instances happen.

use super::set::Set;
use super::trace::{Guard, Trace};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Which instances happen together.
pub(super) struct Guards {
    /// The instances that happen under a condition only.
    under: HashMap<Guard, Set>,
    /// For each instance those that happen only where it does not.
    excluded: Vec<Set>,
    /// The instances that happen under several conditions only, where they were asked for.
    several: RefCell<HashMap<Vec<Guard>, Rc<Set>>>,
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
        Self {
            under,
            excluded,
            several: RefCell::default(),
        }
    }

    /// Whether one happens only where the other does not.
    pub(super) fn exclude(&self, a: u32, b: u32) -> bool {
        self.excluded[a as usize].has(b)
    }

    /// The instances that happen only where one does not.
    pub(super) fn excluded(&self, index: u32) -> &Set {
        &self.excluded[index as usize]
    }

    /// The instances that happen only under these conditions; `None` for all.
    pub(super) fn under(&self, guards: &[Guard]) -> Option<Rc<Set>> {
        if guards.is_empty() {
            return None;
        }
        if let Some(known) = self.several.borrow().get(guards) {
            return Some(Rc::clone(known));
        }
        let mut guards_left = guards.iter().map(|guard| &self.under[guard]);
        let mut both = guards_left.next()?.clone();
        guards_left.for_each(|under| both.keep(under));
        let both = Rc::new(both);
        let mut several = self.several.borrow_mut();
        several.insert(guards.to_vec(), Rc::clone(&both));
        Some(both)
    }

    /// The instances that happen only where `first` does, if `second` does; `None` if `first` always does
    /// then.
    pub(super) fn with_those_of(&self, trace: &Trace, first: u32, second: u32) -> Option<Rc<Set>> {
        let guards = |index: u32| &trace.instances[index as usize].guards;
        let (of_first, known) = (guards(first), guards(second));
        let is_new = |guard: &&Guard| known.binary_search(guard).is_err();
        if of_first.iter().all(|guard| is_new(&guard)) {
            return self.under(of_first);
        }
        let more: Vec<Guard> = of_first.iter().filter(is_new).copied().collect();
        self.under(&more)
    }
}

/// Whether the first conditions are met only where the second ones are. Both are in ascending order.
pub(super) fn implies(first: &[Guard], second: &[Guard]) -> bool {
    let holds = |guard: &Guard| first.binary_search(guard).is_ok();
    second.len() <= first.len() && second.iter().all(holds)
}
