//! Accesses of one kind to one allocation, found by the interval that they span.
//!
//! A few are walked through. Many are kept in order of their size, to the next power of two, and
//! their start: of one size, those that reach into an interval start in it or shortly before. So a
//! look-up costs what it finds, however many tasks of the window touch the allocation.

use super::region::{Bounds, Region};
use crate::task::TaskKey;
use crate::tensor::View;
use std::collections::BTreeMap;

/// So many are walked through.
const FEW: usize = 32;

/// What one task did with some bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) task: TaskKey,
    /// Whether the device's map has it.
    pub(super) mapped: bool,
    bounds: Bounds,
    view: View,
}

impl Entry {
    pub(super) fn region(&self) -> Region<'_> {
        Region::from_bounds(self.bounds, &self.view)
    }
}

/// How intervals are measured.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unit {
    /// Byte addresses.
    Bytes,
    /// Elements from the start of the buffer, whatever their size.
    Elements,
}

/// Logarithm of the size, start, and a number that makes it unique.
type Key = (u32, usize, u64);

#[derive(Debug, Default)]
struct Many {
    entries: BTreeMap<Key, Entry>,
    /// Sizes (logarithms) that there have been, as bits.
    sizes: u64,
    inserted: u64,
    /// With so many entries, look for stale ones.
    full: usize,
    removed: Vec<Key>,
}

#[derive(Debug)]
pub(super) struct Index {
    unit: Unit,
    few: Vec<Entry>,
    many: Option<Box<Many>>,
}

fn size_class((start, end): (usize, usize)) -> u32 {
    (end - start).max(1).ilog2()
}

impl Unit {
    fn span(self, region: &Region<'_>) -> (usize, usize) {
        match self {
            Self::Bytes => region.span(),
            Self::Elements => region.elements(),
        }
    }
}

impl Many {
    fn insert(&mut self, span: (usize, usize), entry: Entry) {
        let class = size_class(span);
        self.sizes |= 1 << class;
        self.entries.insert((class, span.0, self.inserted), entry);
        self.inserted += 1;
    }

    fn visit(&mut self, (start, end): (usize, usize), mut keep: impl FnMut(&Entry) -> bool) {
        let mut sizes = self.sizes;
        while sizes != 0 {
            let class = sizes.trailing_zeros();
            sizes &= sizes - 1;
            // An entry of this size has less than twice 2^class.
            let reach = 1_usize.checked_shl(class + 1).unwrap_or(usize::MAX);
            let first = (class, start.saturating_sub(reach), 0);
            for (&key, entry) in self.entries.range(first..(class, end, 0)) {
                if !keep(entry) {
                    self.removed.push(key);
                }
            }
        }
        for key in self.removed.drain(..) {
            self.entries.remove(&key);
        }
    }
}

impl Index {
    pub(super) fn new(unit: Unit) -> Self {
        Self {
            unit,
            few: Vec::new(),
            many: None,
        }
    }

    pub(super) fn clear(&mut self) {
        self.few.clear();
        self.many = None;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.few.is_empty() && self.many.is_none()
    }

    /// Visits the entries whose interval has a part in that of `region`, and maybe others; removes
    /// those for which `keep` says no.
    #[inline]
    pub(super) fn visit(&mut self, region: &Region<'_>, keep: impl FnMut(&Entry) -> bool) {
        match &mut self.many {
            None => self.few.retain(keep),
            Some(many) => many.visit(self.unit.span(region), keep),
        }
    }

    /// Adds an entry. When there are many, those of `stale` tasks go.
    #[inline]
    pub(super) fn insert(
        &mut self,
        task: TaskKey,
        mapped: bool,
        region: &Region<'_>,
        stale: impl Fn(TaskKey) -> bool,
    ) {
        let entry = Entry {
            task,
            mapped,
            bounds: region.bounds(),
            view: *region.view(),
        };
        if self.many.is_none() && self.few.len() < FEW {
            self.few.push(entry);
        } else {
            self.insert_many(entry, stale);
        }
    }

    #[cold]
    fn insert_many(&mut self, entry: Entry, stale: impl Fn(TaskKey) -> bool) {
        let Self { unit, few, many } = self;
        match many {
            None => {
                few.retain(|entry| !stale(entry.task));
                if few.len() < FEW / 2 {
                    return few.push(entry);
                }
                let many = many.insert(Box::default());
                for entry in few.drain(..).chain([entry]) {
                    many.insert(unit.span(&entry.region()), entry);
                }
                many.full = 2 * FEW;
            }
            Some(many) => {
                many.insert(unit.span(&entry.region()), entry);
                if many.entries.len() >= many.full {
                    many.entries.retain(|_, entry| !stale(entry.task));
                    many.full = (2 * many.entries.len()).max(2 * FEW);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::site::Site;
    use crate::tensor::SliceItem::Range;
    use proptest::prelude::*;

    fn view(start: usize, end: usize) -> View {
        let view = View::contiguous(DType::U8, &[8192]).unwrap();
        view.slice(&[Range(start, end)], Site::ROOT).unwrap()
    }

    fn region(view: &View) -> Region<'_> {
        Region::new(std::ptr::without_provenance(1 << 20), view)
    }

    fn tasks(index: &mut Index, start: usize, end: usize) -> Vec<u64> {
        let query = view(start, end);
        let (query, mut found) = (region(&query), Vec::new());
        index.visit(&query, |entry| {
            if entry.region().overlaps(&query) {
                found.push(entry.task.local());
            }
            true
        });
        found.sort_unstable();
        found
    }

    #[test]
    fn stale_entries_go_before_an_index_grows() {
        let mut index = Index::new(Unit::Bytes);
        for task in 0..100_000_u64 {
            let key = TaskKey::new(0, task);
            index.insert(key, false, &region(&view(0, 8)), |old| {
                old.local() + 100 < task
            });
        }
        let many = index.many.as_ref().unwrap();
        assert!(many.entries.len() < 500, "{}", many.entries.len());
        let last = tasks(&mut index, 0, 1);
        assert!(last.len() >= 100 && last.contains(&99_999));
    }

    proptest! {
        #[test]
        fn many_entries_are_found_and_removed_as_few_are(
            spans in prop::collection::vec((0..4000_usize, 1..90_usize), 1..200),
            queries in prop::collection::vec((0..4000_usize, 1..2000_usize), 1..20),
        ) {
            let mut index = Index::new(Unit::Bytes);
            let mut all = Vec::new();
            for (task, &(start, length)) in spans.iter().enumerate() {
                let (task, view) = (TaskKey::new(0, task as u64), view(start, start + length));
                all.push((task, view));
                index.insert(task, false, &region(&view), |_| false);
            }
            for (start, length) in queries {
                let query = view(start, start + length);
                let query = region(&query);
                let hit = |view: &View| region(view).overlaps(&query);
                let expected: Vec<_> =
                    all.iter().filter(|(_, view)| hit(view)).map(|(task, _)| task.local()).collect();
                prop_assert_eq!(tasks(&mut index, start, start + length), expected);
                let odd = |task: TaskKey, view: &View| hit(view) && task.local() % 2 == 1;
                index.visit(&query, |entry| !odd(entry.task, &entry.view));
                all.retain(|(task, view)| !odd(*task, view));
            }
        }
    }
}
