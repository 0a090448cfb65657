//! What the device would leave unordered.

mod order;
mod print;

use super::trace::{Conflict, Event, Touched, Trace};
use crate::config::{Dependencies, Executor, ManualAudit, RINGS, RunConfig};
use crate::error::{Party, Result};
use crate::runtime::Runtime;
use crate::site::Site;
use order::{Answer, Order};
use std::collections::HashMap;

/// What a program leaves unordered on the device, where fewer dependencies are found than here.
///
/// The program is planned under the device's dependency rules (runtime specification, §7): an `INPUT` is
/// looked up in the tensormap and not entered, an `OUTPUT_EXISTING` is entered and not looked up, a MANUAL
/// scope finds nothing at all. Every pair of accesses to common bytes, of which one writes, must then be ordered by the
/// edges that are left, those that are declared, and the waits of `get` and `set`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Audit {
    /// Pairs of calls that nothing orders. A pair that a third access between the two would order, were it
    /// ordered itself, is not told beside that one.
    pub hazards: Vec<Hazard>,
    /// Tensors that the device may give away while a task of a MANUAL scope still uses them.
    pub unkept: Vec<Unkept>,
    /// Scopes that share ring 3 with a block of a scope around them: nothing that they allocate is
    /// taken back before that one's scope closes.
    pub deep_scopes: Vec<DeepScope>,
    /// Pairs that were not looked at, because following the dependencies between them took too long.
    pub unknown: u64,
}

/// Two accesses that the device does not order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hazard {
    /// The call that comes first in the program.
    pub first: Party,
    /// The one that comes second.
    pub second: Party,
    /// Name of the second one's parameter.
    pub parameter: String,
    /// The first of the common bytes that was found, and the one behind the last, from the start of the
    /// allocation.
    pub bytes: (u64, u64),
    /// Whether one of the calls is in a MANUAL scope.
    pub manual: bool,
    /// How many pairs there are of these two calls.
    pub times: u64,
}

/// A tensor that a task of a MANUAL scope uses and does not keep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unkept {
    /// Where it is made.
    pub made: Site,
    /// The task that uses it.
    pub user: Party,
    /// The call that may be given its bytes: the first one on the ring after its scope.
    pub reused: Site,
    /// How many there are of these.
    pub times: u64,
}

/// A scope that is held by a block of the same ring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeepScope {
    /// Where it is opened.
    pub scope: Site,
    /// Scopes that are open around it: 4 or more.
    pub depth: u32,
    /// The oldest block that is live on the ring, and its bytes.
    pub held_by: Site,
    /// Bytes of that block.
    pub bytes: u64,
    /// How many times it is opened so.
    pub times: u64,
}

impl Audit {
    /// Audits `program`, as [`Plan::new`](super::Plan::new) plans it.
    ///
    /// # Errors
    /// As for [`Plan::new`](super::Plan::new), but an undeclared dependency of a MANUAL scope (201) is a finding.
    pub fn new<T>(
        config: &RunConfig,
        mut program: impl FnMut(&Runtime) -> Result<T>,
    ) -> Result<Self> {
        let config = RunConfig {
            executor: Executor::Timing,
            dependencies: Dependencies::Device,
            manual_audit: ManualAudit::NOTHING_RUNS,
            // Records of tasks that are over are wanted.
            enable_dep_gen: true,
            ..super::quiet(config)
        };
        let trace = super::unlimited(&config, &mut program, &Trace::audited)?;
        let touched = trace.touched.as_deref().expect("it was audited");
        let mut order = Order::new(&trace, touched);
        let (hazards, unknown) = hazards(&trace, touched, &mut order);
        Ok(Self {
            hazards,
            unkept: unkept(&trace, touched, &order),
            deep_scopes: deep_scopes(&trace),
            unknown,
        })
    }

    /// Whether nothing was found.
    pub fn is_clean(&self) -> bool {
        self.hazards.is_empty()
            && self.unkept.is_empty()
            && self.deep_scopes.is_empty()
            && self.unknown == 0
    }
}

fn party(trace: &Trace, call: u32, writes: bool) -> Party {
    let (kernel, site) = match &trace.events[call as usize] {
        Event::Task(task) => (
            task.kernel.map_or("alloc_tensors", |kernel| kernel.name),
            task.site,
        ),
        Event::Element(site, true) => ("set", *site),
        Event::Element(site, false) => ("get", *site),
        Event::Open(site, _) => ("scope", *site),
        Event::Close => unreachable!("the end of a scope touches nothing"),
    };
    Party {
        kernel,
        site,
        writes,
    }
}

fn parameter(trace: &Trace, conflict: &Conflict) -> String {
    match &trace.events[conflict.second as usize] {
        Event::Task(task) => {
            let kernel = task.kernel.expect("an allocation touches nothing");
            let index = conflict.argument as usize;
            if kernel.params.is_empty() || index < kernel.params.len() {
                kernel.param_name(index)
            } else {
                "the operand of its predicate".into()
            }
        }
        _ => "the tensor".into(),
    }
}

fn hazards(trace: &Trace, touched: &Touched, order: &mut Order<'_>) -> (Vec<Hazard>, u64) {
    let manual = order::manual_calls(trace);
    let mut found: Vec<Hazard> = Vec::new();
    let mut places = HashMap::new();
    let mut unknown = 0;
    for conflict in &touched.conflicts {
        match order.precedes(conflict.first, conflict.second) {
            Answer::Yes => continue,
            Answer::Unknown => {
                unknown += 1;
                continue;
            }
            Answer::No => {}
        }
        let first = party(trace, conflict.first, conflict.first_writes);
        let second = party(trace, conflict.second, conflict.second_writes);
        let key = (first.site, second.site, conflict.argument);
        let place = *places.entry(key).or_insert(found.len());
        if place == found.len() {
            found.push(Hazard {
                first,
                second,
                parameter: parameter(trace, conflict),
                bytes: conflict.common,
                manual: manual[conflict.first as usize] || manual[conflict.second as usize],
                times: 0,
            });
        }
        found[place].times += 1;
    }
    (found, unknown)
}

fn unkept(trace: &Trace, touched: &Touched, order: &Order<'_>) -> Vec<Unkept> {
    let mut found: Vec<Unkept> = Vec::new();
    let mut places = HashMap::new();
    let reuse = order::reuses(trace);
    for &(made, user) in &touched.unkept {
        let Some(reused) = reuse[made as usize] else {
            continue;
        };
        // The orchestration has waited for the user before the bytes are given away.
        if order.waited_before(user, reused) {
            continue;
        }
        let site = party(trace, made, true).site;
        let user = party(trace, user, false);
        let place = *places.entry((site, user.site)).or_insert(found.len());
        if place == found.len() {
            found.push(Unkept {
                made: site,
                user,
                reused: party(trace, reused, true).site,
                times: 0,
            });
        }
        found[place].times += 1;
    }
    found
}

/// Scopes at depth 4 and deeper with a live block of an outer scope on their ring.
fn deep_scopes(trace: &Trace) -> Vec<DeepScope> {
    let mut found: Vec<DeepScope> = Vec::new();
    let mut places = HashMap::new();
    // Of each open scope: the first block that it holds.
    let mut open: Vec<Option<(Site, u64)>> = Vec::new();
    for event in &trace.events {
        match event {
            Event::Open(site, _) => {
                let held = open.iter().skip(RINGS - 1).find_map(|&block| block);
                if let Some((held_by, bytes)) = held {
                    let depth = open.len() as u32;
                    let place = *places.entry((*site, held_by, depth)).or_insert(found.len());
                    if place == found.len() {
                        found.push(DeepScope {
                            scope: *site,
                            depth,
                            held_by,
                            bytes,
                            times: 0,
                        });
                    }
                    found[place].times += 1;
                }
                open.push(None);
            }
            Event::Close => _ = open.pop(),
            Event::Task(task) if task.bytes > 0 => {
                let scope = open.last_mut().expect("the root scope is open");
                scope.get_or_insert((task.site, task.bytes));
            }
            Event::Task(_) | Event::Element(..) => {}
        }
    }
    found
}
