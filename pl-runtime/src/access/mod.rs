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
pub(crate) struct Conflict {
    pub(crate) task: TaskKey,
    pub(crate) writes: bool,
    /// The bytes, from the start of the allocation, that both span.
    pub(crate) common: (u64, u64),
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
        mut found: impl FnMut(Conflict),
        mut unmapped: impl FnMut(TaskKey),
    ) {
        let Access {
            list,
            region,
            bytes,
            ..
        } = access;
        if *list == UNTRACKED {
            return;
        }
        let List {
            reads,
            writes,
            mapped,
            ..
        } = &mut self.lists[*list as usize];
        let replaced =
            |entry: &Entry| device::relation(region, &entry.region(), *bytes) == Relation::Covers;
        if access.device.inout && !mapped.is_empty() {
            mapped.visit(region, |entry| {
                let goes = !stale(entry.task) && replaced(entry);
                if goes {
                    unmapped(entry.task);
                }
                !goes && !stale(entry.task)
            });
        }
        let mut conflict = |entry: &Entry, writes: bool| {
            found(Conflict {
                task: entry.task,
                writes,
                common: region.common(&entry.region()),
            });
        };
        writes.visit(region, |entry| {
            if stale(entry.task) {
                return false;
            }
            if !entry.region().overlaps(region) {
                return true;
            }
            conflict(entry, true);
            let covered = access.writes && region.covers(&entry.region());
            if covered && entry.mapped {
                if access.device.inout && replaced(entry) {
                    unmapped(entry.task);
                } else {
                    mapped.insert(entry.task, true, &entry.region(), &stale);
                }
            }
            !covered
        });
        if access.writes {
            reads.visit(region, |entry| {
                if stale(entry.task) {
                    return false;
                }
                let overlaps = entry.region().overlaps(region);
                if overlaps {
                    conflict(entry, false);
                }
                !(overlaps && region.covers(&entry.region()))
            });
        }
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
        if !region.is_empty() {
            let index = if writes {
                &mut list.writes
            } else {
                &mut list.reads
            };
            index.insert(task, device.entered && !apart, region, stale);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::site::Site;
    use crate::tensor::{SliceItem::Range, View};

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
