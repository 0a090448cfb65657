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
mod list;
mod region;

pub(crate) use region::Region;

use crate::task::{MAX_TENSORS, TaskKey};
use device::Relation;
use index::{Entry, Index, Unit};
use list::List;

/// The "list" of an allocation that nobody writes.
pub(crate) const UNTRACKED: u32 = u32::MAX;

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
    ///
    /// If [`Self::record`] follows, and bytes are written that the last write has written, and nobody
    /// wrote others, the record stays, and is changed then.
    #[inline]
    pub(crate) fn conflicts(
        &mut self,
        access: &Access<'_>,
        recorded: bool,
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
        let rewritten = if recorded {
            list.rewritten(access)
        } else {
            None
        };
        if let Some(entry) = rewritten {
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
mod tests;
