//! Who touched which bytes: the records from which dependencies are discovered.
//!
//! Each allocation has a list of the accesses that a later one may have to wait for; a handle
//! carries its list's number, so nothing is hashed. Arguments that nobody can write have no list.
//! A record goes when a later write covers it, or, physically only, when its task has completed:
//! waiting for it would be a no-op, and lists stay as short as the tasks in flight.

mod region;

pub(crate) use region::Region;

use crate::task::TaskKey;

/// The "list" of an allocation that nobody writes.
pub(crate) const UNTRACKED: u32 = u32::MAX;

/// One access of a submitted task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) task: TaskKey,
    pub(crate) writes: bool,
    /// For tasks of a MANUAL scope: the number of the scope and the task's position in it.
    pub(crate) manual: Option<(u64, u32)>,
    pub(crate) region: Region,
}

/// What a new access has to do with an old one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The record stays.
    Keep,
    /// The record's task has completed, and nothing else needs the record.
    Prune,
}

#[derive(Debug, Default)]
struct List {
    records: Vec<Record>,
    /// Next list of the same task, or next free one.
    next: u32,
}

/// The lists of all allocations of a run.
#[derive(Debug)]
pub(crate) struct Accesses {
    lists: Vec<List>,
    free: u32,
    used: usize,
}

impl Accesses {
    pub(crate) fn new() -> Self {
        Self {
            lists: Vec::new(),
            free: UNTRACKED,
            used: 0,
        }
    }

    /// A new, empty list in front of the list `next`.
    pub(crate) fn open(&mut self, next: u32) -> u32 {
        self.used += 1;
        if self.free == UNTRACKED {
            self.lists.push(List {
                records: Vec::new(),
                next,
            });
            return self.lists.len() as u32 - 1;
        }
        let index = self.free;
        let list = &mut self.lists[index as usize];
        self.free = list.next;
        list.next = next;
        index
    }

    /// Gives back list `first` and those behind it.
    pub(crate) fn close(&mut self, first: u32) {
        let mut index = first;
        while index != UNTRACKED {
            let list = &mut self.lists[index as usize];
            list.records.clear();
            let next = std::mem::replace(&mut list.next, self.free);
            self.free = index;
            index = next;
            self.used -= 1;
        }
    }

    /// Number of open lists.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Walks over the records of `list` that an access of `region` conflicts with. `judge` says
    /// which other records may go, `conflict` gets the conflicting ones.
    pub(crate) fn look_up(
        &mut self,
        list: u32,
        region: &Region,
        writes: bool,
        mut judge: impl FnMut(&Record) -> Verdict,
        mut conflict: impl FnMut(&Record),
    ) {
        if list == UNTRACKED {
            return;
        }
        self.lists[list as usize].records.retain(|record| {
            if judge(record) == Verdict::Prune {
                return false;
            }
            if !(writes || record.writes) || !record.region.overlaps(region) {
                return true;
            }
            conflict(record);
            // Whoever conflicts with a covered record conflicts with the new write too.
            !(writes && region.covers(&record.region))
        });
    }

    /// Adds a record, after the look-ups of all arguments of its task.
    pub(crate) fn insert(&mut self, list: u32, record: Record) {
        if list != UNTRACKED && !record.region.is_empty() {
            self.lists[list as usize].records.push(record);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::site::Site;
    use crate::tensor::{SliceItem::Range, View};

    fn region(start: usize, end: usize) -> Region {
        let view = View::contiguous(DType::F32, &[64]).unwrap();
        let view = view.slice(&[Range(start, end)], Site::ROOT).unwrap();
        Region::new(std::ptr::without_provenance(4096), &view)
    }

    struct Table {
        accesses: Accesses,
        list: u32,
        tasks: u64,
    }

    impl Table {
        fn new() -> Self {
            let mut accesses = Accesses::new();
            let list = accesses.open(UNTRACKED);
            Self {
                accesses,
                list,
                tasks: 0,
            }
        }

        /// One task with one access; the tasks that it depends on.
        fn task(&mut self, start: usize, end: usize, writes: bool) -> Vec<u64> {
            let region = region(start, end);
            let mut found = Vec::new();
            self.accesses.look_up(
                self.list,
                &region,
                writes,
                |_| Verdict::Keep,
                |record| {
                    found.push(record.task.local());
                },
            );
            let task = TaskKey::new(0, self.tasks);
            self.accesses.insert(
                self.list,
                Record {
                    task,
                    writes,
                    manual: None,
                    region,
                },
            );
            self.tasks += 1;
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
    fn records_of_completed_tasks_go_when_somebody_looks() {
        let mut x = Table::new();
        for _ in 0..10 {
            x.task(0, 64, false);
        }
        let mut conflicts = 0;
        let done = |record: &Record| match record.task.local() {
            0..7 => Verdict::Prune,
            _ => Verdict::Keep,
        };
        x.accesses
            .look_up(x.list, &region(0, 1), true, done, |_| conflicts += 1);
        assert_eq!(conflicts, 3);
        assert_eq!(x.accesses.lists[x.list as usize].records.len(), 3);
    }

    #[test]
    fn lists_are_used_again() {
        let mut accesses = Accesses::new();
        for _ in 0..1000 {
            let first = accesses.open(UNTRACKED);
            let second = accesses.open(first);
            accesses.close(second);
        }
        assert_eq!((accesses.lists.len(), accesses.used()), (2, 0));
    }
}
