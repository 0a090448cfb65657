//! What a program asks of the rings, call by call.

use crate::config::RINGS;
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

/// The calls of one run or several. A run begins and ends with its root scope.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trace {
    pub(crate) events: Vec<Event>,
    /// For each task in turn, the calls (positions in `events`) that made the tensors it uses.
    uses: Vec<u32>,
    /// Position of the call for each task of the run, by ring.
    calls: [Vec<u32>; RINGS],
    depth: usize,
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
