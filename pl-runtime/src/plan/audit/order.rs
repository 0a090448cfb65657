//! Which calls the device orders.

use crate::plan::trace::{Event, Touched, Trace};
use crate::scope::ScopeMode;

/// Steps that all answers together may take.
const STEPS: u64 = 200_000_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    Yes,
    No,
    Unknown,
}

/// The order of calls: by edges, and by waits of the orchestration.
#[derive(Debug)]
pub(super) struct Order<'t> {
    /// Edges to each call, by the call: `edges[begins[call]..begins[call + 1]]` are for `call`.
    begins: Vec<u32>,
    edges: &'t [(u32, u32)],
    /// The first call of the orchestration before which each task has ended.
    waited: Vec<u32>,
    visited: Vec<u32>,
    walk: u32,
    open: Vec<u32>,
    steps: u64,
}

/// Not waited for.
const NEVER: u32 = u32::MAX;

impl<'t> Order<'t> {
    pub(super) fn new(trace: &Trace, touched: &'t Touched) -> Self {
        let calls = trace.events.len();
        let mut begins = vec![0; calls + 1];
        for &(_, second) in &touched.edges {
            begins[second as usize + 1] += 1;
        }
        for call in 0..calls {
            begins[call + 1] += begins[call];
        }
        let mut order = Self {
            begins,
            edges: &touched.edges,
            waited: vec![NEVER; calls],
            visited: vec![0; calls],
            walk: 0,
            open: Vec::new(),
            steps: STEPS,
        };
        for &(task, at) in &touched.waits {
            order.wait(task, at);
        }
        order
    }

    fn producers(&self, call: u32) -> impl Iterator<Item = u32> + use<'t> {
        let range = self.begins[call as usize] as usize..self.begins[call as usize + 1] as usize;
        self.edges[range].iter().map(|&(first, _)| first)
    }

    /// The orchestration waits for `task`, and so for all that it waits for, in call `at`.
    fn wait(&mut self, task: u32, at: u32) {
        self.open.push(task);
        while let Some(task) = self.open.pop() {
            let waited = &mut self.waited[task as usize];
            if *waited == NEVER {
                *waited = at;
                let producers = self.producers(task);
                self.open.extend(producers);
            }
        }
    }

    /// Whether the orchestration has waited for `task` when it makes `call`.
    pub(super) fn waited_before(&self, task: u32, call: u32) -> bool {
        self.waited[task as usize] < call
    }

    /// Whether `first` has ended when `second` begins, however long tasks take.
    pub(super) fn precedes(&mut self, first: u32, second: u32) -> Answer {
        // The element is read or written when the wait is over.
        if self.waited[first as usize] <= second {
            return Answer::Yes;
        }
        self.walk += 1;
        self.open.clear();
        self.open.push(second);
        while let Some(call) = self.open.pop() {
            if call == first {
                return Answer::Yes;
            }
            if self.steps == 0 {
                return Answer::Unknown;
            }
            self.steps -= 1;
            let waited = self.waited[call as usize] < second;
            // What was waited for, and all before it, was not waited for with `first`.
            if call < first || waited || self.visited[call as usize] == self.walk {
                continue;
            }
            self.visited[call as usize] = self.walk;
            let producers = self.producers(call);
            self.open.extend(producers);
        }
        Answer::No
    }
}

/// Whether each call is made in a MANUAL scope.
pub(super) fn manual_calls(trace: &Trace) -> Vec<bool> {
    let mut open: Vec<bool> = Vec::new();
    trace
        .events
        .iter()
        .map(|event| {
            let inside = open.last().copied().unwrap_or(false);
            match event {
                Event::Open(_, mode) => open.push(inside || *mode == ScopeMode::Manual),
                Event::Close => _ = open.pop(),
                Event::Task(_) | Event::Element(..) => {}
            }
            inside
        })
        .collect()
}

/// For each call that makes tensors in a scope, the first one after the scope's end that takes bytes of the same ring, in
/// the same run: it may be given those.
pub(super) fn reuses(trace: &Trace) -> Vec<Option<u32>> {
    use crate::config::RINGS;
    let mut reuse = vec![None; trace.events.len()];
    // The blocks of each open scope, and those of closed ones that nothing has followed, by ring.
    let mut open: Vec<Vec<u32>> = Vec::new();
    let mut closed: [Vec<u32>; RINGS] = Default::default();
    for (at, event) in trace.events.iter().enumerate() {
        let ring = |depth: usize| depth.min(RINGS - 1);
        match event {
            Event::Open(..) => open.push(Vec::new()),
            Event::Close => {
                let blocks = open.pop().expect("it was opened");
                if open.is_empty() {
                    closed.iter_mut().for_each(Vec::clear);
                } else {
                    closed[ring(open.len())].extend(blocks);
                }
            }
            Event::Task(task) if task.bytes > 0 => {
                let depth = open.len() - 1;
                for block in closed[ring(depth)].drain(..) {
                    reuse[block as usize] = Some(at as u32);
                }
                open[depth].push(at as u32);
            }
            Event::Task(_) | Event::Element(..) => {}
        }
    }
    reuse
}
