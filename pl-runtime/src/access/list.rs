//! What is on record of one allocation.

use super::device::{self, Relation};
use super::index::{Entry, Index};
use super::{Access, Conflict, Region};
use crate::task::TaskKey;

#[derive(Debug)]
pub(super) struct List {
    pub(super) reads: Index,
    pub(super) writes: Index,
    pub(super) mapped: Index,
    /// The next free block of lists of the same length, if this is the first of one.
    pub(super) next: u32,
}

impl List {
    /// The only write, if `access`, a write too, is one of the same bytes and nothing else is known.
    #[inline]
    pub(super) fn rewritten(&mut self, access: &Access<'_>) -> Option<&mut Entry> {
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
    pub(super) fn covered_writes(
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
    pub(super) fn covered_reads(
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
    pub(super) fn writes(
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
