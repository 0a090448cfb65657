//! What is noted of the operations and the scratch scopes of a task, if anything is.

use super::scratch::Arena;
use crate::config::{Supplied, Values};
use crate::machine::{Counts, MachineModel, Met, Shape, Work};
use crate::site::Site;
use crate::task::CoreType;
use crate::tensor::View;
use pl_codegen::ops::OpKind;
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// What to note.
#[derive(Clone, Debug)]
pub(crate) struct Noting {
    /// Every operation.
    pub(crate) operations: bool,
    /// What the operations of a task do, counted.
    pub(crate) counts: bool,
    /// How much each scratch scope uses.
    pub(crate) scopes: bool,
    pub(crate) clock: Clock,
}

/// Where the time of an operation comes from.
#[derive(Clone, Debug)]
pub(crate) enum Clock {
    /// It is measured.
    Real,
    /// It is computed; so are all values that a kernel would read, unless the user supplies them.
    Model {
        machine: MachineModel,
        clusters: u32,
        values: Values,
    },
}

/// An operation that has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    pub(crate) kind: OpKind,
    /// The shape that its cost is computed from; none if it touched no tile.
    pub(crate) shape: Option<Shape>,
    /// What it took, in a task that takes cores of each of [`CoreType::ALL`].
    pub(crate) ns: [u64; 3],
    pub(crate) site: Site,
}

/// How much of the scratch a scope used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScratchScope {
    /// Where the kernel opens it.
    pub site: Site,
    /// How often it was opened.
    pub entered: u64,
    /// Most bytes in use at one time that were allocated inside it.
    pub max_bytes: usize,
    /// Most bytes of the arena in use at its end, those from around it included.
    pub max_at_end: usize,
}

impl ScratchScope {
    /// Adds what another core noted of the same scope.
    fn merge(&mut self, other: &Self) {
        self.entered += other.entered;
        self.max_bytes = self.max_bytes.max(other.max_bytes);
        self.max_at_end = self.max_at_end.max(other.max_at_end);
    }

    /// Adds scopes to those of a list, each site once.
    pub(crate) fn merge_all(all: &mut Vec<Self>, more: &[Self]) {
        for scope in more {
            match all.iter_mut().find(|known| known.site == scope.site) {
                Some(known) => known.merge(scope),
                None => all.push(*scope),
            }
        }
    }
}

/// What was noted of one run of a kernel.
#[derive(Clone, Debug, Default)]
pub(crate) struct TaskNotes {
    pub(crate) operations: Vec<Operation>,
    pub(crate) scopes: Vec<ScratchScope>,
    /// What it takes; nothing where time is measured.
    pub(crate) work: Work,
    /// What its operations do, if that is counted.
    pub(crate) counts: Counts,
    /// Whether it read an element of a tile.
    pub(crate) reads_tiles: bool,
}

/// What an arena notes.
#[derive(Debug)]
pub(super) struct Notes {
    noting: Noting,
    supplied: Option<Supplied>,
    /// The operation that was entered last, and when.
    open: Option<(&'static str, Site, Met, Option<Instant>)>,
    /// Scopes that are open.
    frames: Vec<Frame>,
    task: TaskNotes,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    /// None for one of an operation's own.
    site: Option<Site>,
    start: usize,
    peak: usize,
}

impl Notes {
    pub(super) fn new(noting: Noting) -> Self {
        let supplied = match &noting.clock {
            Clock::Real => None,
            Clock::Model { values, .. } => Some(Supplied::new(values)),
        };
        Self {
            noting,
            supplied,
            open: None,
            frames: Vec::new(),
            task: TaskNotes::default(),
        }
    }

    /// A run begins.
    pub(super) fn start_run(&mut self) {
        self.start_task();
        if let Some(supplied) = &mut self.supplied {
            supplied.rewind();
        }
    }

    pub(super) fn start_task(&mut self) {
        self.open = None;
        self.frames.clear();
        self.task = TaskNotes::default();
    }

    /// An operation begins: the one before has ended.
    pub(super) fn operation<'v>(
        &mut self,
        name: &'static str,
        site: Site,
        tiles: impl Iterator<Item = &'v View>,
    ) {
        let model = matches!(self.noting.clock, Clock::Model { .. });
        if !model && !self.noting.operations && !self.noting.counts {
            return;
        }
        let now = (!model && self.noting.operations).then(Instant::now);
        self.end_operation(now);
        self.open = Some((name, site, Met::new(name, tiles), now));
    }

    /// The operation gives a tile.
    pub(super) fn gives(&mut self, view: &View) {
        if let Some((_, _, met, _)) = &mut self.open {
            met.gives(view);
        }
    }

    fn end_operation(&mut self, now: Option<Instant>) {
        let Some((name, site, met, start)) = self.open.take() else {
            return;
        };
        let taken = now.zip(start).map(|(now, start)| now - start);
        self.add(name, site, &met, taken.unwrap_or_default());
    }

    /// Adds an operation that took so long, if time is measured.
    fn add(&mut self, name: &'static str, site: Site, met: &Met, taken: Duration) {
        let shape = met.shape();
        if self.noting.counts
            && let Some(shape) = &shape
        {
            self.task.counts.add(&met.counts(shape));
        }
        let ns = match (&self.noting.clock, &shape) {
            (
                Clock::Model {
                    machine, clusters, ..
                },
                Some(shape),
            ) => {
                let work = met.work(shape, machine, *clusters);
                self.task.work.add(&work);
                CoreType::ALL.map(|cores| work.duration(cores))
            }
            (Clock::Model { .. }, None) => [0; 3],
            (Clock::Real, _) => [taken.as_nanos() as u64; 3],
        };
        if self.noting.operations {
            self.task.operations.push(Operation {
                // What the vector unit does there (ADR-0063, D3.1).
                name: if name == "copy_to" { "copy" } else { name },
                kind: met.kind(),
                shape,
                ns,
                site,
            });
        }
    }

    /// Operations that ran together begin: the one before has ended.
    fn together(&mut self) {
        let timed = self.noting.operations
            && matches!(self.noting.clock, Clock::Real)
            && self.open.is_some();
        self.end_operation(timed.then(Instant::now));
    }

    /// A scope begins; without a site it is one of an operation's own.
    pub(super) fn enter(&mut self, site: Option<Site>, cursor: usize) {
        if self.noting.scopes {
            self.frames.push(Frame {
                site,
                start: cursor,
                peak: cursor,
            });
        }
    }

    /// Bytes up to `end` are in use.
    pub(super) fn reserved(&mut self, end: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.peak = frame.peak.max(end);
        }
    }

    /// The scopes inside the outermost `open` ones end, with `used` bytes in use.
    pub(super) fn leave(&mut self, open: usize, used: usize) {
        while self.frames.len() > open
            && let Some(Frame { site, start, peak }) = self.frames.pop()
        {
            if let Some(outer) = self.frames.last_mut() {
                outer.peak = outer.peak.max(peak);
            }
            if let Some(site) = site {
                let scope = ScratchScope {
                    site,
                    entered: 1,
                    max_bytes: peak - start,
                    max_at_end: used,
                };
                ScratchScope::merge_all(&mut self.task.scopes, &[scope]);
            }
        }
    }

    /// The task has ended: gives what was noted.
    pub(super) fn finish(&mut self, used: usize) -> TaskNotes {
        self.together();
        self.leave(0, used);
        std::mem::take(&mut self.task)
    }

    pub(super) fn supplied(&mut self) -> Option<&mut Supplied> {
        self.task.reads_tiles = true;
        self.supplied.as_mut()
    }
}

impl Arena {
    /// The same arena, which notes what its tasks do.
    pub(crate) fn noting(mut self, noting: Noting) -> Self {
        self.notes = Some(Box::new(RefCell::new(Notes::new(noting))));
        self
    }

    /// What was noted of the task that has ended.
    pub(crate) fn finish_notes(&mut self) -> Option<TaskNotes> {
        let used = self.used();
        let notes = self.notes.as_mut()?;
        Some(notes.get_mut().finish(used))
    }

    /// Notes an operation and its arguments, if anything is noted.
    #[inline]
    pub(super) fn note_operation<'v>(
        &self,
        operation: &'static str,
        site: Site,
        tiles: impl Iterator<Item = &'v View>,
    ) {
        if let Some(notes) = &self.notes {
            notes.borrow_mut().operation(operation, site, tiles);
        }
    }

    /// Notes what the operation gives.
    #[inline]
    pub(super) fn note_result(&self, view: &View) {
        if let Some(notes) = &self.notes {
            notes.borrow_mut().gives(view);
        }
    }

    /// Whether it is to be measured what each of several operations takes that run together.
    pub(super) fn measures(&self) -> bool {
        self.notes.as_ref().is_some_and(|notes| {
            let noting = &notes.borrow().noting;
            noting.operations && matches!(noting.clock, Clock::Real)
        })
    }

    /// Notes that operations which run together begin.
    pub(super) fn note_together(&self) {
        if let Some(notes) = &self.notes {
            notes.borrow_mut().together();
        }
    }

    /// Notes one of them: its arguments, its result, and what it took.
    pub(super) fn note_step<'v>(
        &self,
        operation: &'static str,
        site: Site,
        tiles: impl Iterator<Item = &'v View>,
        result: Option<&View>,
        taken: Duration,
    ) {
        if let Some(notes) = &self.notes {
            let mut met = Met::new(operation, tiles);
            if let Some(result) = result {
                met.gives(result);
            }
            notes.borrow_mut().add(operation, site, &met, taken);
        }
    }

    /// Calls `f` with the values that the user supplies for this arena without data.
    pub(super) fn with_supplied<R>(&self, f: impl FnOnce(&mut Supplied) -> R) -> Option<R> {
        let mut notes = self.notes.as_ref()?.borrow_mut();
        notes.supplied().map(f)
    }
}
