//! Accesses of one kind to one allocation, found by the interval that they span.
//!
//! A few are walked through. Many are kept in order of their size, to the next power of two, and
//! their start: of one size, those that reach into an interval start in it or shortly before. So a
//! look-up of rows costs what it finds, however many tasks of the window touch the allocation. Parts
//! with gaps (columns, tiles) span what lies in the gaps: they are compared with all that do.

use super::region::{Region, Span};
use crate::task::TaskKey;
use crate::tensor::View;
use std::collections::BTreeSet;

/// So many are walked through.
const FEW: usize = 8;
/// With so many, stale ones are looked for the first time.
const ENOUGH: usize = 256;

/// What tasks did with some bytes.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The last of them.
    pub(super) task: TaskKey,
    /// Whether it is one of [`Self::tasks`], and those before it that are.
    listed: bool,
    before: Vec<TaskKey>,
    span: Span,
    view: View,
}

impl Entry {
    #[inline]
    pub(super) fn region(&self) -> Region<'_> {
        Region::from_span(self.span, &self.view)
    }

    /// Of a read, the tasks that it stands for. Of a write, those that the device's map has: the last
    /// write covers the others.
    #[inline]
    pub(super) fn tasks(&self) -> impl Iterator<Item = TaskKey> {
        let last = self.listed.then_some(self.task);
        self.before.iter().copied().chain(last)
    }

    /// Whether nothing of it is wanted any more.
    #[inline]
    pub(super) fn is_stale(&self, stale: impl Fn(TaskKey) -> bool) -> bool {
        stale(self.task) && self.before.iter().all(|&task| stale(task))
    }

    /// Another task reads the same.
    #[inline]
    pub(super) fn join(&mut self, task: TaskKey, stale: impl Fn(TaskKey) -> bool) {
        self.pass_on(stale);
        (self.task, self.listed) = (task, true);
    }

    /// Another task writes the same, and the device may map that too.
    #[inline]
    pub(super) fn replace(&mut self, task: TaskKey, mapped: bool) {
        (self.task, self.listed) = (task, mapped);
    }

    /// Moves the last task to those before it.
    #[inline]
    pub(super) fn pass_on(&mut self, stale: impl Fn(TaskKey) -> bool) {
        if !std::mem::replace(&mut self.listed, false) {
            return;
        }
        let before = &mut self.before;
        if before.len() == before.capacity() {
            before.retain(|&task| !stale(task));
            // Room for as many as there are: so each is looked at a few times only.
            before.reserve(before.len().max(4));
        }
        before.push(self.task);
    }

    /// Forgets its tasks.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.listed = false;
        self.before.clear();
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

/// Size class and start of an interval, in one word.
type Place = u64;

#[derive(Debug, Default)]
struct Many {
    /// Where the entries are, and which slot of `entries` each has.
    places: BTreeSet<(Place, u32)>,
    entries: Vec<Entry>,
    free: Vec<u32>,
    /// Size classes that there have been, as bits.
    sizes: u64,
    /// Entries that have gone, but are still in `places`: most are replaced by one at the same place.
    gone: Vec<(Place, u32)>,
    /// With so many entries, look for stale ones.
    full: usize,
}

#[derive(Debug)]
pub(super) struct Index {
    unit: Unit,
    few: Vec<Entry>,
    many: Option<Box<Many>>,
}

/// Logarithm of the size, rounded down.
fn size_class((start, end): (usize, usize)) -> u32 {
    (end - start).max(1).ilog2()
}

fn place(class: u32, start: usize) -> Place {
    // Addresses and offsets of today's machines have fewer bits.
    debug_assert!(start < 1 << 58);
    u64::from(class) << 58 | start as u64
}

impl Unit {
    fn span(self, region: &Region<'_>) -> (usize, usize) {
        match self {
            Self::Bytes => region.bytes(),
            Self::Elements => region.elements(),
        }
    }
}

impl Many {
    fn insert(&mut self, span: (usize, usize), entry: Entry) {
        let class = size_class(span);
        let place = place(class, span.0);
        if let Some(at) = self.gone.iter().position(|gone| gone.0 == place) {
            let (_, slot) = self.gone.swap_remove(at);
            self.entries[slot as usize] = entry;
            return;
        }
        let slot = match self.free.pop() {
            Some(slot) => {
                self.entries[slot as usize] = entry;
                slot
            }
            None => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
        };
        self.sizes |= 1 << class;
        self.places.insert((place, slot));
    }

    /// Takes what has gone out of `places`.
    fn sweep(&mut self) {
        for gone in self.gone.drain(..) {
            self.places.remove(&gone);
            self.free.push(gone.1);
        }
    }

    fn visit(&mut self, (start, end): (usize, usize), mut keep: impl FnMut(&mut Entry) -> bool) {
        self.sweep();
        let mut sizes = self.sizes;
        while sizes != 0 {
            let class = sizes.trailing_zeros();
            sizes &= sizes - 1;
            // An entry of this class has less than twice 2^class.
            let reach = 1_usize.checked_shl(class + 1).unwrap_or(usize::MAX);
            let first = (place(class, start.saturating_sub(reach)), 0);
            for &(place, slot) in self.places.range(first..(place(class, end), 0)) {
                if !keep(&mut self.entries[slot as usize]) {
                    self.gone.push((place, slot));
                }
            }
        }
    }

    #[cold]
    fn remove_stale(&mut self, stale: impl Fn(TaskKey) -> bool) {
        self.sweep();
        let Self {
            places,
            entries,
            free,
            ..
        } = self;
        places.retain(|&(_, slot)| {
            let stays = !entries[slot as usize].is_stale(&stale);
            if !stays {
                free.push(slot);
            }
            stays
        });
        self.full = (2 * places.len()).max(ENOUGH);
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

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.few.is_empty() && self.many.is_none()
    }

    #[inline]
    pub(super) fn are_few(&self) -> bool {
        self.many.is_none()
    }

    /// The entry, if there is exactly one.
    #[inline]
    pub(super) fn only(&mut self) -> Option<&mut Entry> {
        match (&mut *self.few, &self.many) {
            ([entry], None) => Some(entry),
            _ => None,
        }
    }

    /// The entry of another task for the same bytes, if there are few, that is listed no more.
    #[inline]
    pub(super) fn left(&mut self, task: TaskKey, region: &Region<'_>) -> Option<&mut Entry> {
        self.few
            .iter_mut()
            .find(|entry| !entry.listed && entry.task != task && entry.region().equals(region))
    }

    /// The entry for the same bytes, if there are few.
    #[inline]
    pub(super) fn same(&mut self, region: &Region<'_>) -> Option<&mut Entry> {
        let mut few = self.few.iter_mut();
        few.find(|entry| entry.region().equals(region))
    }

    /// Shows the entries whose interval has a part in that of `region`, and maybe others.
    #[inline]
    pub(super) fn each(&mut self, region: &Region<'_>, mut look: impl FnMut(&Entry)) {
        match &mut self.many {
            None => self.few.iter().for_each(look),
            Some(many) => many.visit(self.unit.span(region), |entry| {
                look(entry);
                true
            }),
        }
    }

    /// Visits the entries whose interval has a part in that of `region`, and maybe others; removes
    /// those for which `keep` says no.
    #[inline]
    pub(super) fn visit(&mut self, region: &Region<'_>, mut keep: impl FnMut(&mut Entry) -> bool) {
        match &mut self.many {
            None => self.few.retain_mut(&mut keep),
            Some(many) => many.visit(self.unit.span(region), keep),
        }
    }

    /// Adds an entry. When there are many, those of `stale` tasks go.
    #[inline]
    pub(super) fn insert(
        &mut self,
        task: TaskKey,
        listed: bool,
        region: &Region<'_>,
        stale: impl Fn(TaskKey) -> bool,
    ) {
        let entry = Entry {
            task,
            listed,
            before: Vec::new(),
            span: region.span(),
            view: *region.view(),
        };
        match &mut self.many {
            None if self.few.len() < FEW => self.few.push(entry),
            None => self.become_many(entry, stale),
            Some(many) => {
                many.insert(self.unit.span(region), entry);
                if many.places.len() >= many.full {
                    many.remove_stale(stale);
                }
            }
        }
    }

    #[cold]
    fn become_many(&mut self, entry: Entry, stale: impl Fn(TaskKey) -> bool) {
        let Self { unit, few, many } = self;
        few.retain(|entry| !entry.is_stale(&stale));
        if few.len() < FEW / 2 {
            return few.push(entry);
        }
        let many = many.insert(Box::default());
        for entry in few.drain(..).chain([entry]) {
            many.insert(unit.span(&entry.region()), entry);
        }
        many.full = ENOUGH;
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
        assert_eq!(many.places.len() + many.free.len(), many.entries.len());
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
