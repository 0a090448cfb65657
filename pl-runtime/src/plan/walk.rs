//! A trace, call by call, with what the rings look like before each.

use super::trace::{Event, Task, Trace};
use crate::config::RINGS;
use crate::scope::ScopeMode;
use crate::site::Site;
use std::ops::ControlFlow;

/// A scope that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenScope {
    pub(super) ring: usize,
    pub(super) site: Site,
    /// Tasks submitted directly in it, and the first of them.
    tasks: u64,
    first: Option<u64>,
}

/// A call that takes a slot, and its ring before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'t> {
    /// Position in the trace.
    pub(super) at: usize,
    pub(super) task: &'t Task,
    pub(super) ring: usize,
    /// Site of the scope, and the tasks that are directly in it.
    pub(super) scope: Site,
    pub(super) scope_tasks: u64,
    /// Tasks that the ring has had in this run: 0 is the first.
    pub(super) next: u64,
    /// How far the ring can retire: the oldest task whose scope is open.
    pub(super) limit: u64,
}

/// Calls `visit` for each call that takes a slot, until it breaks.
pub(super) fn walk<'t, B>(
    trace: &'t Trace,
    mut visit: impl FnMut(Call<'t>) -> ControlFlow<B>,
) -> Option<B> {
    let mut scopes: Vec<OpenScope> = Vec::new();
    let mut next = [0_u64; RINGS];
    let mut oldest_open = [None; RINGS];
    for (at, event) in trace.events.iter().enumerate() {
        match event {
            Event::Open(site, ScopeMode::Auto | ScopeMode::Manual) => {
                if scopes.is_empty() {
                    next = [0; RINGS];
                }
                scopes.push(OpenScope {
                    ring: scopes.len().min(RINGS - 1),
                    site: *site,
                    tasks: 0,
                    first: None,
                });
            }
            Event::Close => {
                let scope = scopes.pop().expect("it was opened");
                if scope.first.is_some() && scope.first == oldest_open[scope.ring] {
                    oldest_open[scope.ring] = None;
                }
            }
            Event::Element(..) => {}
            Event::Task(task) => {
                let scope = scopes.last_mut().expect("the root scope is open");
                let (ring, local) = (scope.ring, next[scope.ring]);
                let call = Call {
                    at,
                    task,
                    ring,
                    scope: scope.site,
                    scope_tasks: scope.tasks,
                    next: local,
                    limit: oldest_open[ring].unwrap_or(local),
                };
                if let ControlFlow::Break(value) = visit(call) {
                    return Some(value);
                }
                scope.tasks += 1;
                scope.first.get_or_insert(local);
                oldest_open[ring].get_or_insert(local);
                next[ring] += 1;
            }
        }
    }
    None
}
