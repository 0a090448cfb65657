//! Who touched which bytes: the records from which dependencies are discovered.
//!
//! Each allocation has a list of the accesses that a later one may have to wait for; a handle
//! carries its list's number, so nothing is hashed. Arguments that nobody can write have no list.
//!
//! A list holds two things. *Reads* and *writes* give the complete dependencies, by bytes. *Mapped*
//! entries are what the device's tensormap would hold, by its own rules: for `Dependencies::Device`,
//! and for the tensormap's fill level, which is reported with any discovery. A write that is on
//! record is not written down again as a mapped entry, unless the device's map is looked up.
//!
//! Tasks that read the same bytes one after the other share a record.
//!
//! A record goes when a later write covers it, or with its task when the ring retires it (it is
//! stale then, and removed when somebody comes along). It stays when its task merely completes: the
//! counts that are reported depend on the program alone, not on how fast its tasks are.

mod device;
mod index;
mod region;

pub(crate) use region::Region;

use crate::task::{MAX_TENSORS, TaskKey};
use device::Relation;
use index::{Entry, Index, Unit};

/// The "list" of an allocation that nobody writes.
pub(crate) const UNTRACKED: u32 = u32::MAX;

#[derive(Debug)]
struct List {
    reads: Index,
    writes: Index,
    mapped: Index,
    /// The next free block of lists of the same length, if this is the first of one.
    next: u32,
}

impl List {
    /// The only write, if `access`, a write too, is one of the same bytes and nothing else is known.
    #[inline]
    fn rewritten(&mut self, access: &Access<'_>) -> Option<&mut Entry> {
        if access.device.looked_up || !self.mapped.is_empty() {
            return None;
        }
        let entry = self.writes.only()?;
        let region = &access.region;
        // Else the device keeps the entries that others take out.
        let known = !access.device.inout || device::covers_itself(region, access.bytes);
        (known && entry.region().equals(region)).then_some(entry)
    }

    /// Finds the writes that `access` conflicts with, and removes those that it covers.
    fn covered_writes(
        &mut self,
        access: &Access<'_>,
        stale: impl Fn(TaskKey) -> bool,
        mut found: impl FnMut(Conflict<'_>),
        mut unmapped: impl FnMut(TaskKey),
    ) {
        let Self { writes, mapped, .. } = self;
        let region = &access.region;
        let replaced = |entry: &Entry| {
            device::relation(region, &entry.region(), access.bytes) == Relation::Covers
        };
        if access.device.inout && !mapped.is_empty() {
            mapped.visit(region, |entry| {
                let goes = !stale(entry.task) && replaced(entry);
                if goes {
                    unmapped(entry.task);
                }
                !goes && !stale(entry.task)
            });
        }
        writes.visit(region, |entry| {
            if entry.is_stale(&stale) {
                return false;
            }
            if !entry.region().overlaps(region) {
                return true;
            }
            if !stale(entry.task) {
                found(Conflict::with(entry, entry.task, true));
            }
            let covered = region.covers(&entry.region());
            if covered {
                let goes = access.device.inout && replaced(entry);
                for task in entry.tasks().filter(|&task| !stale(task)) {
                    if goes {
                        unmapped(task);
                    } else {
                        mapped.insert(task, true, &entry.region(), &stale);
                    }
                }
            }
            !covered
        });
    }

    /// Finds the reads that a write conflicts with, and removes those that it covers.
    #[inline]
    fn covered_reads(
        &mut self,
        region: &Region<'_>,
        stale: impl Fn(TaskKey) -> bool,
        mut found: impl FnMut(Conflict<'_>),
    ) {
        if self.reads.is_empty() {
            return;
        }
        let few = self.reads.are_few();
        self.reads.visit(region, |entry| {
            if !entry.region().overlaps(region) {
                return !entry.is_stale(&stale);
            }
            for task in entry.tasks().filter(|&task| !stale(task)) {
                found(Conflict::with(entry, task, false));
            }
            // Who has read just these bytes often does so again.
            if few && entry.region().equals(region) {
                entry.clear();
                return true;
            }
            !region.covers(&entry.region()) && !entry.is_stale(&stale)
        });
    }

    /// Finds the writes that a read conflicts with.
    #[inline]
    fn writes(
        &mut self,
        region: &Region<'_>,
        stale: impl Fn(TaskKey) -> bool,
        mut found: impl FnMut(Conflict<'_>),
    ) {
        self.writes.each(region, |entry| {
            if !stale(entry.task) && entry.region().overlaps(region) {
                found(Conflict::with(entry, entry.task, true));
            }
        });
    }
}

/// What a task is about to do with some bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access<'v> {
    pub(crate) list: u32,
    pub(crate) region: Region<'v>,
    /// Size of the buffer.
    pub(crate) bytes: u64,
    pub(crate) writes: bool,
    pub(crate) device: Mapping,
}

/// What the device's map has to do with an access.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Mapping {
    /// Entries that it covers go.
    pub(crate) inout: bool,
    /// It is entered.
    pub(crate) entered: bool,
    /// Dependencies are looked up in the map.
    pub(crate) looked_up: bool,
}

/// An earlier access that a new one conflicts with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conflict<'e> {
    pub(crate) task: TaskKey,
    pub(crate) writes: bool,
    /// Its bytes.
    pub(crate) region: Region<'e>,
}

impl<'e> Conflict<'e> {
    #[inline]
    fn with(entry: &'e Entry, task: TaskKey, writes: bool) -> Self {
        Self {
            task,
            writes,
            region: entry.region(),
        }
    }
}

/// The lists of all allocations of a run.
#[derive(Debug)]
pub(crate) struct Accesses {
    lists: Vec<List>,
    /// First free block of so many lists.
    free: [u32; MAX_TENSORS + 1],
    used: usize,
}

impl Accesses {
    pub(crate) fn new() -> Self {
        Self {
            lists: Vec::new(),
            free: [UNTRACKED; MAX_TENSORS + 1],
            used: 0,
        }
    }

    /// A block of `count` empty lists: the number of the first.
    pub(crate) fn open(&mut self, count: usize) -> u32 {
        self.used += count;
        let first = self.free[count];
        if first == UNTRACKED {
            let first = self.lists.len() as u32;
            self.lists.extend((0..count).map(|_| List {
                reads: Index::new(Unit::Bytes),
                writes: Index::new(Unit::Bytes),
                mapped: Index::new(Unit::Elements),
                next: UNTRACKED,
            }));
            return first;
        }
        self.free[count] = self.lists[first as usize].next;
        first
    }

    /// Gives back a block.
    pub(crate) fn close(&mut self, first: u32, count: usize) {
        for list in &mut self.lists[first as usize..][..count] {
            list.reads.clear();
            list.writes.clear();
            list.mapped.clear();
        }
        self.lists[first as usize].next = std::mem::replace(&mut self.free[count], first);
        self.used -= count;
    }

    /// Number of open lists.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Gives `found` the records that `access` conflicts with. Those that it covers, if it writes, and
    /// `stale` ones go: whoever conflicts with a covered record conflicts with the new write too.
    /// `unmapped` gets the tasks whose entries go from the device's map.
    #[inline]
    pub(crate) fn conflicts(
        &mut self,
        access: &Access<'_>,
        stale: impl Fn(TaskKey) -> bool,
        mut found: impl FnMut(Conflict<'_>),
        unmapped: impl FnMut(TaskKey),
    ) {
        if access.list == UNTRACKED {
            return;
        }
        let list = &mut self.lists[access.list as usize];
        if access.writes {
            list.covered_writes(access, &stale, &mut found, unmapped);
            list.covered_reads(&access.region, &stale, &mut found);
        } else {
            list.writes(&access.region, &stale, &mut found);
        }
    }

    /// The same for an access that [`Self::record`] follows: if bytes are written that the last write
    /// has written, and nobody wrote others, the record stays, and is changed then.
    #[inline]
    pub(crate) fn conflicts_to_record(
        &mut self,
        access: &Access<'_>,
        stale: impl Fn(TaskKey) -> bool,
        mut found: impl FnMut(Conflict<'_>),
        unmapped: impl FnMut(TaskKey),
    ) {
        if access.list == UNTRACKED {
            return;
        }
        let list = &mut self.lists[access.list as usize];
        if !access.writes {
            return list.writes(&access.region, &stale, &mut found);
        }
        if let Some(entry) = list.rewritten(access) {
            if !stale(entry.task) {
                found(Conflict::with(entry, entry.task, true));
            }
            if access.device.inout {
                entry
                    .tasks()
                    .filter(|&task| !stale(task))
                    .for_each(unmapped);
                entry.clear();
            } else {
                entry.pass_on(&stale);
            }
        } else {
            list.covered_writes(access, &stale, &mut found, unmapped);
        }
        list.covered_reads(&access.region, &stale, &mut found);
    }

    /// Gives the tasks that the device finds in its map.
    pub(crate) fn find_mapped(
        &mut self,
        access: &Access<'_>,
        stale: impl Fn(TaskKey) -> bool,
        mut found: impl FnMut(TaskKey),
    ) {
        let region = &access.region;
        if access.list == UNTRACKED {
            return;
        }
        let mapped = &mut self.lists[access.list as usize].mapped;
        mapped.visit(region, |entry| {
            if stale(entry.task) {
                return false;
            }
            if device::relation(region, &entry.region(), access.bytes) != Relation::Apart {
                found(entry.task);
            }
            true
        });
    }

    /// Adds a record, after the look-ups of all arguments of its task.
    #[inline]
    pub(crate) fn record(
        &mut self,
        task: TaskKey,
        access: &Access<'_>,
        stale: impl Fn(TaskKey) -> bool,
    ) {
        let Access {
            list,
            ref region,
            writes,
            device,
            ..
        } = *access;
        if list == UNTRACKED {
            return;
        }
        let list = &mut self.lists[list as usize];
        let apart = device.entered && (device.looked_up || region.is_empty());
        if apart {
            list.mapped.insert(task, true, region, &stale);
        }
        if region.is_empty() {
            return;
        }
        let mapped = device.entered && !apart;
        if !writes {
            match list.reads.same(region) {
                // A task that reads them twice.
                Some(entry) if entry.task == task => {}
                Some(entry) => entry.join(task, stale),
                None => list.reads.insert(task, true, region, stale),
            }
        } else if let Some(entry) = list.writes.left(task, region) {
            entry.replace(task, mapped);
        } else {
            list.writes.insert(task, mapped, region, stale);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::site::Site;
    use crate::tensor::{SliceItem::Range, View};
    use proptest::prelude::*;

    fn view(start: usize, end: usize) -> View {
        let view = View::contiguous(DType::F32, &[64]).unwrap();
        view.slice(&[Range(start, end)], Site::ROOT).unwrap()
    }

    fn region(view: &View) -> Region<'_> {
        Region::new(std::ptr::without_provenance(4096), view)
    }

    struct Table {
        accesses: Accesses,
        list: u32,
        tasks: u64,
        /// Tasks below are stale.
        stale: u64,
    }

    impl Table {
        fn new() -> Self {
            let mut accesses = Accesses::new();
            let list = accesses.open(1);
            Self {
                accesses,
                list,
                tasks: 0,
                stale: 0,
            }
        }

        /// One task with one access; the tasks that it depends on.
        fn task(&mut self, start: usize, end: usize, writes: bool) -> Vec<u64> {
            let view = view(start, end);
            let mut found = Vec::new();
            let stale = |task: TaskKey| task.local() < self.stale;
            let access = Access {
                list: self.list,
                region: region(&view),
                bytes: 256,
                writes,
                device: Mapping::default(),
            };
            self.accesses.conflicts(
                &access,
                stale,
                |conflict| found.push(conflict.task.local()),
                |_| unreachable!("nothing is mapped"),
            );
            let task = TaskKey::new(0, self.tasks);
            self.accesses.record(task, &access, stale);
            self.tasks += 1;
            found.sort_unstable();
            found
        }
    }

    #[test]
    fn every_hazard_is_found_and_reads_do_not_order_reads() {
        let mut x = Table::new();
        assert_eq!(x.task(0, 64, true), [0_u64; 0]);
        assert_eq!(x.task(0, 32, false), [0], "read after write");
        assert_eq!(x.task(0, 64, false), [0]);
        assert_eq!(
            x.task(32, 64, true),
            [0, 2],
            "write after write, write after read"
        );
        assert_eq!(
            x.task(0, 8, false),
            [0],
            "the other half was written by the first task"
        );
        assert_eq!(x.task(0, 64, true), [0, 1, 2, 3, 4]);
        assert_eq!(
            x.task(10, 20, false),
            [5],
            "a covering write stands for all before it"
        );
    }

    #[test]
    fn records_of_stale_tasks_are_not_found() {
        let mut x = Table::new();
        for _ in 0..10 {
            x.task(0, 64, false);
        }
        x.stale = 7;
        assert_eq!(x.task(0, 1, true), [7, 8, 9]);
    }

    fn mapped_access(list: u32, view: &View, inout: bool, device: bool) -> Access<'_> {
        Access {
            list,
            region: region(view),
            bytes: 256,
            writes: true,
            device: Mapping {
                inout,
                entered: true,
                looked_up: device,
            },
        }
    }

    #[test]
    fn the_map_loses_what_an_inout_covers_whatever_is_looked_up() {
        // Bytes, whether it is an INOUT, and the tasks whose entries go.
        let program: [((usize, usize), bool, &[u64]); _] = [
            ((0, 32), false, &[]),
            ((32, 64), false, &[]),
            ((0, 64), false, &[]),
            ((0, 40), true, &[0]),
            ((0, 64), false, &[]),
            ((0, 64), true, &[1, 2, 3, 4]),
            ((0, 64), true, &[5]),
        ];
        for device in [false, true] {
            let mut accesses = Accesses::new();
            let list = accesses.open(1);
            for (task, (bytes, inout, expected)) in program.into_iter().enumerate() {
                let view = view(bytes.0, bytes.1);
                let access = mapped_access(list, &view, inout, device);
                let mut gone = Vec::new();
                accesses.conflicts(&access, |_| false, |_| {}, |task| gone.push(task.local()));
                gone.sort_unstable();
                assert_eq!(gone, expected, "task {task}");
                accesses.record(TaskKey::new(0, task as u64), &access, |_| false);
            }
        }
    }

    #[test]
    fn the_device_finds_all_that_it_has_entered() {
        let mut accesses = Accesses::new();
        let list = accesses.open(1);
        for (task, bytes) in [(0, 32), (32, 64), (0, 64)].into_iter().enumerate() {
            let view = view(bytes.0, bytes.1);
            let access = mapped_access(list, &view, false, true);
            accesses.conflicts(&access, |_| false, |_| {}, |_| {});
            accesses.record(TaskKey::new(0, task as u64), &access, |_| false);
        }
        let mut found = Vec::new();
        let view = view(0, 8);
        let access = mapped_access(list, &view, false, true);
        accesses.find_mapped(&access, |_| false, |task| found.push(task.local()));
        assert_eq!(found, [0, 2]);
    }

    /// What the lists stand for, one by one: (task, first byte, end) of writes, reads and the map.
    #[derive(Default)]
    struct Model {
        writes: Vec<(TaskKey, usize, usize)>,
        reads: Vec<(TaskKey, usize, usize)>,
        mapped: Vec<(TaskKey, usize, usize)>,
    }

    impl Model {
        fn look_up(
            &mut self,
            (start, end): (usize, usize),
            (writes, inout): (bool, bool),
            stale: impl Fn(TaskKey) -> bool,
        ) -> (Vec<TaskKey>, Vec<TaskKey>) {
            let (mut found, mut unmapped) = (Vec::new(), Vec::new());
            let kept = |records: &mut Vec<(TaskKey, usize, usize)>, goes: bool, to: &mut Vec<_>| {
                records.retain(|&(task, a, b)| {
                    let overlaps = !stale(task) && a < end && start < b;
                    to.extend(overlaps.then_some(task));
                    !(goes && overlaps && start <= a && b <= end)
                });
            };
            kept(&mut self.writes, writes, &mut found);
            if writes {
                kept(&mut self.reads, true, &mut found);
            }
            if inout {
                let covered = |&(_, a, b): &(_, usize, usize)| start <= a && b <= end;
                let gone = self.mapped.extract_if(.., |entry| covered(entry));
                unmapped.extend(gone.map(|(task, ..)| task).filter(|&task| !stale(task)));
            }
            (found, unmapped)
        }

        fn record(&mut self, task: TaskKey, (start, end): (usize, usize), writes: bool) {
            let record = (task, start, end);
            if writes {
                self.writes.push(record);
                self.mapped.push(record);
            } else {
                self.reads.push(record);
            }
        }
    }

    fn sorted(mut tasks: Vec<TaskKey>) -> Vec<TaskKey> {
        tasks.sort_unstable();
        tasks
    }

    proptest! {
        #[test]
        fn records_that_are_shared_say_what_each_would_say(
            program in prop::collection::vec(
                // Arguments of a task: byte, length, INPUT, OUTPUT_EXISTING or INOUT; its ring, and
                // whether that retires up to it.
                (prop::collection::vec((0..4_usize, 1..3_usize, 0..3_u8), 1..4), 0..2_usize, 0..8_u8),
                1..60,
            ),
        ) {
            let (mut accesses, mut model, mut alive) = (Accesses::new(), Model::default(), [0; 2]);
            let list = accesses.open(1);
            for (local, (args, ring, retires)) in program.into_iter().enumerate() {
                let task = TaskKey::new(ring, local as u64);
                let stale = |task: TaskKey| task.local() < alive[task.ring()];
                let access = |view, (.., kind): (_, _, u8)| Access {
                    list,
                    region: region(view),
                    bytes: 256,
                    writes: kind > 0,
                    device: Mapping { inout: kind == 2, entered: kind > 0, looked_up: false },
                };
                let views: Vec<_> = args.iter().map(|&(start, length, _)| view(start, start + length)).collect();
                let (mut found, mut unmapped) = (Vec::new(), Vec::new());
                let (mut all, mut expected) = (Vec::new(), Vec::new());
                for (view, &arg) in views.iter().zip(&args) {
                    accesses.conflicts_to_record(
                        &access(view, arg),
                        stale,
                        |conflict| found.push(conflict.task),
                        |task| unmapped.push(task),
                    );
                    let (tasks, gone) =
                        model.look_up((arg.0, arg.0 + arg.1), (arg.2 > 0, arg.2 == 2), stale);
                    all.extend(tasks);
                    expected.extend(gone);
                }
                for (view, &arg) in views.iter().zip(&args) {
                    accesses.record(task, &access(view, arg), stale);
                    model.record(task, (arg.0, arg.0 + arg.1), arg.2 > 0);
                }
                let (mut found, mut all) = (sorted(found), sorted(all));
                found.dedup();
                all.dedup();
                prop_assert_eq!(found, all);
                prop_assert_eq!(sorted(unmapped), sorted(expected));
                if retires == 0 {
                    alive[ring] = local as u64 + 1;
                }
            }
        }
    }

    #[test]
    fn lists_are_used_again() {
        let mut accesses = Accesses::new();
        for _ in 0..1000 {
            let blocks = [1, 3, 1].map(|count| (accesses.open(count), count));
            for (first, count) in blocks {
                accesses.close(first, count);
            }
        }
        assert_eq!((accesses.lists.len(), accesses.used()), (5, 0));
    }
}
