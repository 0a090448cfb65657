//! What a program asks of the rings, call by call.

use crate::config::RINGS;
use crate::orchestrator::discover::Hazard;
use crate::record::RunReport;
use crate::scope::ScopeMode;
use crate::site::Site;
use crate::task::{KernelInfo, TaskKey};

/// One call of the orchestration.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    Open(Site, ScopeMode),
    Close,
    Task(Task),
    /// A `get`, or a `set`, that is audited.
    Element(Site, bool),
}

/// A call that takes a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) bytes: u64,
    /// Tasks that it waits for, those left out that no open scope keeps.
    pub(crate) edges: u32,
    /// Where what it uses begins in [`Trace::uses`]; it ends where that of the next task begins.
    uses: u32,
    pub(crate) site: Site,
    /// `None` for `alloc_tensors`.
    pub(crate) kernel: Option<&'static KernelInfo>,
}

/// What calls have to do with each other; calls are positions in [`Trace::events`], later ones later.
#[derive(Clone, Default, Debug)]
pub(crate) struct Touched {
    /// A later call touches bytes that an earlier one touches, and one of them writes.
    pub(crate) conflicts: Vec<Conflict>,
    /// The later call waits for the earlier one, by the device's rules.
    pub(crate) edges: Vec<(u32, u32)>,
    /// The orchestration waits in the later call for the earlier one, by the device's rules.
    pub(crate) waits: Vec<(u32, u32)>,
    /// The later call, in a MANUAL scope, does not keep what the earlier one made and it uses.
    pub(crate) unkept: Vec<(u32, u32)>,
}

/// Two calls that touch the same bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conflict {
    pub(crate) first: u32,
    pub(crate) second: u32,
    pub(crate) argument: u32,
    pub(crate) first_writes: bool,
    pub(crate) second_writes: bool,
    pub(crate) common: (u64, u64),
}

/// The calls of one run or several. A run begins and ends with its root scope.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trace {
    pub(crate) events: Vec<Event>,
    /// For each task in turn, the calls (positions in `events`) that made the tensors it uses.
    uses: Vec<u32>,
    /// Position of the call for each task of the run, by ring.
    calls: [Vec<u32>; RINGS],
    depth: usize,
    /// For an audit: what the calls have to do with each other.
    pub(crate) touched: Option<Box<Touched>>,
    /// Whether calls are noted, and not only the report.
    pub(crate) unlimited: bool,
    /// What the last run reports.
    pub(crate) report: Option<RunReport>,
}

impl Trace {
    /// A trace of runs with rings of unlimited size, or only the report of one with limited ones.
    pub(crate) fn new(unlimited: bool) -> Self {
        Self {
            unlimited,
            ..Self::default()
        }
    }

    pub(crate) fn open(&mut self, site: Site, mode: ScopeMode) {
        if self.depth == 0 {
            self.calls.iter_mut().for_each(Vec::clear);
        }
        self.depth += 1;
        self.events.push(Event::Open(site, mode));
    }

    /// A trace of runs that are audited.
    pub(crate) fn audited() -> Self {
        Self {
            unlimited: true,
            touched: Some(Box::default()),
            ..Self::default()
        }
    }

    pub(crate) fn is_audited(&self) -> bool {
        self.touched.is_some()
    }

    fn call(&self, task: TaskKey) -> u32 {
        self.calls[task.ring()][task.local() as usize]
    }

    /// The next call conflicts with earlier ones, and waits for others.
    pub(crate) fn touch(
        &mut self,
        conflicts: impl Iterator<Item = Hazard>,
        waits: impl Iterator<Item = TaskKey>,
    ) {
        let second = self.events.len() as u32;
        let Some(mut touched) = self.touched.take() else {
            return;
        };
        touched.conflicts.extend(conflicts.map(|hazard| Conflict {
            first: self.call(hazard.first),
            second,
            argument: hazard.argument as u32,
            first_writes: hazard.first_writes,
            second_writes: hazard.second_writes,
            common: hazard.common,
        }));
        touched
            .edges
            .extend(waits.map(|task| (self.call(task), second)));
        self.touched = Some(touched);
    }

    /// An element is read, or written, after a wait for some tasks.
    pub(crate) fn touch_element(
        &mut self,
        site: Site,
        writes: bool,
        conflicts: impl Iterator<Item = Hazard>,
        waits: &[TaskKey],
    ) {
        self.touch(conflicts, std::iter::empty());
        let at = self.events.len() as u32;
        self.events.push(Event::Element(site, writes));
        let waits: Vec<_> = waits.iter().map(|&task| (self.call(task), at)).collect();
        if let Some(touched) = &mut self.touched {
            touched.waits.extend(waits);
        }
    }

    /// The next call uses what these tasks made, and does not keep it.
    pub(crate) fn leave(&mut self, owners: impl Iterator<Item = TaskKey>) {
        let second = self.events.len() as u32;
        let owners = owners.filter(|owner| !owner.is_none());
        let unkept: Vec<_> = owners.map(|owner| (self.call(owner), second)).collect();
        if let Some(touched) = &mut self.touched {
            touched.unkept.extend(unkept);
        }
    }

    pub(crate) fn close(&mut self) {
        self.depth -= 1;
        self.events.push(Event::Close);
    }

    pub(crate) fn task(
        &mut self,
        key: TaskKey,
        bytes: u64,
        edges: u32,
        site: Site,
        kernel: Option<&'static KernelInfo>,
    ) {
        self.calls[key.ring()].push(self.events.len() as u32);
        self.events.push(Event::Task(Task {
            bytes,
            edges,
            uses: self.uses.len() as u32,
            site,
            kernel,
        }));
    }

    /// The owners of what the task that was noted last uses.
    pub(crate) fn uses(&mut self, owners: impl Iterator<Item = TaskKey>) {
        for owner in owners.filter(|owner| !owner.is_none()) {
            let call = self.calls[owner.ring()][owner.local() as usize];
            self.uses.push(call);
        }
    }

    /// The calls that made what each task uses: by the position of the task, in order.
    pub(crate) fn uses_by_task(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let mut tasks = self
            .events
            .iter()
            .enumerate()
            .filter_map(|(at, event)| match event {
                Event::Task(task) => Some((at, task.uses as usize)),
                _ => None,
            })
            .peekable();
        std::iter::from_fn(move || {
            let (at, start) = tasks.next()?;
            let end = tasks.peek().map_or(self.uses.len(), |&(_, start)| start);
            Some((at, &self.uses[start..end]))
        })
    }
}
