//! The earlier uses of a tensor, found by where they may meet another one.
//!
//! Most uses are disjoint from most others, or are over for another reason, so that looking at each pair
//! would be most of the work. What is found here is never too little: each use that is found is compared
//! as exactly as all others.

use super::num::{Lin, Num, Unknown};
use super::set::Set;
use super::view::{Interval, Place, View};
use std::collections::{BTreeMap, HashMap};

/// Uses of one kind.
#[derive(Default)]
pub(super) struct Uses {
    all: Set,
    /// Those of the whole tensor.
    whole: Set,
    /// Those of which nothing is known.
    unknown: Set,
    lines: Vec<Line>,
}

/// Uses of which the first dimension that they do not take whole is the same one.
struct Line {
    shape: u32,
    dim: usize,
    all: Set,
    /// Those of a length that is a number, by an unknown that their beginnings are made of; `None` for
    /// numbers.
    spans: HashMap<Option<Unknown>, Vec<Span>>,
    /// All others.
    open: Set,
    /// Of those the ones that begin at a number or have a bound,
    bounded: Set,
    /// by the unknowns that their ends are made of.
    ends: HashMap<Unknown, Set>,
    /// The rest, by an unknown that their beginning is made of.
    starts: HashMap<Unknown, Set>,
}

/// Uses that begin a number behind the same place.
struct Span {
    /// One of their beginnings.
    start: Lin,
    all: Set,
    /// By the number.
    from: BTreeMap<i128, Set>,
    /// The greatest length.
    longest: i128,
}

impl Uses {
    pub(super) fn insert(&mut self, view: &View, index: u32) {
        self.change(view, &mut |set| set.insert(index));
    }

    pub(super) fn remove(&mut self, view: &View, index: u32) {
        self.change(view, &mut |set| set.remove(index));
    }

    fn change(&mut self, view: &View, change: &mut dyn FnMut(&mut Set)) {
        change(&mut self.all);
        match view.place() {
            Place::Whole => change(&mut self.whole),
            Place::Unknown => change(&mut self.unknown),
            Place::Between(dim, interval) => {
                let same = |line: &Line| line.shape == view.shape && line.dim == dim;
                let at = self.lines.iter().position(same).unwrap_or_else(|| {
                    self.lines.push(Line::new(view.shape, dim));
                    self.lines.len() - 1
                });
                self.lines[at].change(interval, change);
            }
        }
    }

    /// Those that are not certainly disjoint from this, and more.
    pub(super) fn near<'a>(&'a self, view: &View, found: &mut Vec<&'a Set>) {
        let Place::Between(dim, interval) = view.place() else {
            return found.push(&self.all);
        };
        found.extend([&self.whole, &self.unknown]);
        for line in &self.lines {
            if line.shape == view.shape && line.dim == dim && anchored(interval).is_some() {
                line.near(interval, found);
            } else {
                found.push(&line.all);
            }
        }
    }

    /// Those that certainly have something in common with this, and more.
    pub(super) fn meeting<'a>(&'a self, view: &View, found: &mut Vec<&'a Set>) {
        match view.place() {
            Place::Whole => found.push(&self.all),
            Place::Unknown => found.push(&self.whole),
            Place::Between(dim, interval) => {
                found.push(&self.whole);
                // What is counted in another way is not known to meet.
                for line in self.lines.iter().filter(|line| line.shape == view.shape) {
                    if line.dim == dim {
                        line.meeting(interval, found);
                    } else {
                        found.push(&line.all);
                    }
                }
            }
        }
    }
}

impl Line {
    fn new(shape: u32, dim: usize) -> Self {
        Self {
            shape,
            dim,
            all: Set::default(),
            spans: HashMap::new(),
            open: Set::default(),
            bounded: Set::default(),
            ends: HashMap::new(),
            starts: HashMap::new(),
        }
    }

    fn change(&mut self, interval: &Interval, change: &mut dyn FnMut(&mut Set)) {
        change(&mut self.all);
        let (start, end) = interval;
        if let Some((unknown, length)) = anchored(interval) {
            let spans = self.spans.entry(unknown).or_default();
            let same = |span: &Span| span.start.is_shifted(&start.value);
            let at = spans.iter().position(same).unwrap_or_else(|| {
                spans.push(Span::new(start.value.clone()));
                spans.len() - 1
            });
            return spans[at].change(start.value.constant(), length, change);
        }
        change(&mut self.open);
        if let Some(unknown) = needed(start) {
            return change(self.starts.entry(unknown).or_default());
        }
        change(&mut self.bounded);
        let ends = end.lower_unknowns().chain(start.value.grows_with());
        for unknown in ends {
            change(self.ends.entry(unknown).or_default());
        }
    }

    fn near<'a>(&'a self, interval: &Interval, found: &mut Vec<&'a Set>) {
        found.push(&self.open);
        for span in self.spans.values().flatten() {
            span.near(interval, found);
        }
    }

    /// Two meet if they begin alike, or if each begins below the end of the other: then what its beginning
    /// is made of is in that end.
    fn meeting<'a>(&'a self, interval: &Interval, found: &mut Vec<&'a Set>) {
        let (start, end) = interval;
        let mut starts: Vec<Unknown> = end.lower_unknowns().collect();
        starts.extend(start.value.grows_with());
        starts.sort_unstable();
        starts.dedup();
        for unknown in starts {
            found.extend(self.starts.get(&unknown));
            for span in self.spans.get(&Some(unknown)).into_iter().flatten() {
                span.near(interval, found);
            }
        }
        if let Some(unknown) = needed(start) {
            found.extend(self.ends.get(&unknown));
            return;
        }
        found.push(&self.bounded);
        for span in self.spans.get(&None).into_iter().flatten() {
            span.near(interval, found);
        }
    }
}

impl Span {
    fn new(start: Lin) -> Self {
        Self {
            start,
            all: Set::default(),
            from: BTreeMap::new(),
            longest: 0,
        }
    }

    fn change(&mut self, start: i128, length: i128, change: &mut dyn FnMut(&mut Set)) {
        change(&mut self.all);
        self.longest = self.longest.max(length);
        change(self.from.entry(start).or_default());
    }

    /// Those that are not disjoint because they lie a number apart.
    fn near<'a>(&'a self, interval: &Interval, found: &mut Vec<&'a Set>) {
        let start = &interval.0.value;
        match anchored(interval) {
            Some((_, length)) if self.start.is_shifted(start) => {
                let first = start.constant().saturating_sub(self.longest);
                let end = start.constant().saturating_add(length.max(0));
                found.extend(self.from.range(first..=end).map(|(_, set)| set));
            }
            _ => found.push(&self.all),
        }
    }
}

/// Of an interval of a length that is a number: an unknown that its beginning is made of, and the length.
fn anchored((start, end): &Interval) -> Option<(Option<Unknown>, i128)> {
    let unknown = start.value.grows_with();
    let plain = start.is_unbounded() && end.is_unbounded_below();
    let anchored = plain && end.value.is_shifted(&start.value);
    let length = end.value.constant().saturating_sub(start.value.constant());
    (anchored && (unknown.is_some() || start.value.as_int().is_some())).then_some((unknown, length))
}

/// An unknown that whatever is certainly above this is made of, too.
fn needed(start: &Num) -> Option<Unknown> {
    let unbounded = start.is_unbounded();
    start.value.grows_with().filter(|_| unbounded)
}

#[cfg(test)]
mod tests {
    use super::Uses;
    use crate::passes::device::num::{Lin, Num, Unknowns};
    use crate::passes::device::set::Set;
    use crate::passes::device::view::View;

    /// Intervals of all kinds that numbers, unknowns and bounds make.
    fn intervals() -> Vec<(Num, Num)> {
        let mut unknowns = Unknowns::default();
        let (i, j, n) = (
            Num::from(unknowns.fresh(false)),
            Num::from(unknowns.fresh(true)),
            Num::from(unknowns.fresh(false)),
        );
        let cut = unknowns.operation("min", &[&n, &Num::int(8)], false);
        let most = unknowns.operation("max", &[&i, &Num::int(3)], false);
        let mut bounds = vec![cut, most, i.times_int(2), Num::int(0).plus(-1, &j)];
        for base in [Num::int(0), i.clone(), j, n.clone(), i.plus(1, &n)] {
            bounds.extend([0, 1, 4].map(|by| base.plus(1, &Num::from(Lin::int(by)))));
        }
        let pairs = bounds
            .iter()
            .flat_map(|a| bounds.iter().map(|b| (a.clone(), b.clone())));
        pairs.collect()
    }

    #[test]
    fn what_meets_or_may_is_found() {
        let mut views = vec![View::whole(0, 0, 2), View::unknown(0), View::whole(0, 9, 1)];
        for (at, interval) in intervals().into_iter().enumerate() {
            let mut window = vec![None, None];
            window[usize::from(at % 7 == 0)] = Some(interval);
            let shape = if at % 11 == 0 { 9 } else { 0 };
            views.push(View {
                shape,
                window: Some(window.into()),
                ..View::whole(0, 0, 2)
            });
        }
        let mut uses = Uses::default();
        for (index, view) in views.iter().enumerate() {
            uses.insert(view, index as u32);
        }
        let has = |sets: &[&Set], index: usize| sets.iter().any(|set| set.has(index as u32));
        let mut spared = 0;
        for view in &views {
            let (mut near, mut meeting) = (Vec::new(), Vec::new());
            uses.near(view, &mut near);
            uses.meeting(view, &mut meeting);
            for (index, other) in views.iter().enumerate() {
                let both = format!("{view:?} {other:?}");
                assert!(other.is_disjoint(view) || has(&near, index), "{both}");
                assert!(!other.meets(view) || has(&meeting, index), "{both}");
                spared += usize::from(!has(&meeting, index));
            }
        }
        assert!(spared > views.len() * views.len() / 3, "{spared}");
        for (index, view) in views.iter().enumerate() {
            uses.remove(view, index as u32);
        }
        let mut left = Vec::new();
        uses.near(&views[0], &mut left);
        assert!((0..views.len()).all(|index| !has(&left, index)));
    }
}
