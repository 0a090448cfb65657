//! What a task waits for: declared dependencies, owners of its arguments, accesses in conflict.

use super::Orchestrator;
use super::submit::{Roles, existing};
use crate::access::{Access, Conflict, Mapping, Region, UNTRACKED};
use crate::config::{Dependencies, ManualAudit, RINGS, TENSORMAP_ENTRIES};
use crate::error::{Error, MissingDependency, Party, Resource, Result};
use crate::record::{Edge, EdgeSource};
use crate::ring::Ring;
use crate::site::Site;
use crate::task::{TaskKey, TaskNote, TaskSpec};
use crate::tensor::{RawTensor, Tensor};

/// A task that waits for more others first takes back all that open scopes do not keep: records of
/// tasks that are long over would make each look-up as long as the window.
const MANY_PRODUCERS: u64 = 1024;

/// An earlier task that a new one has to do with, and why.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait {
    task: TaskKey,
    argument: Option<usize>,
    why: Why,
}

/// Why it has to do with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Why {
    Declared,
    Creator,
    /// A conflict with a read of the earlier task, or with a write.
    WithRead,
    WithWrite,
}

impl Why {
    #[inline]
    fn conflict(first_writes: bool) -> Self {
        if first_writes {
            Self::WithWrite
        } else {
            Self::WithRead
        }
    }
}

impl Wait {
    pub(super) fn task(&self) -> TaskKey {
        self.task
    }
}

/// A conflict with an earlier task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hazard {
    pub(crate) argument: usize,
    pub(crate) first: TaskKey,
    pub(crate) first_writes: bool,
    pub(crate) second_writes: bool,
    /// First byte that both touch, and the one behind the last, from the start of the allocation.
    pub(crate) common: (u64, u64),
}

impl Hazard {
    pub(super) fn new(argument: usize, access: &Access<'_>, earlier: &Conflict<'_>) -> Self {
        Self {
            argument,
            first: earlier.task,
            first_writes: earlier.writes,
            second_writes: access.writes,
            common: access.region.common(&earlier.region),
        }
    }
}

#[inline]
pub(super) fn region(raw: &RawTensor) -> Region<'_> {
    Region::new(raw.base, &raw.view)
}

/// Where accesses to the buffer of a tensor are recorded; [`UNTRACKED`] if there were none.
#[inline]
pub(super) fn list_of(rings: &[Ring; RINGS], raw: &RawTensor) -> u32 {
    match raw.owner.ring_local() {
        Some((ring, local)) => rings[ring].list(local, raw.list),
        None => raw.list,
    }
}

#[inline]
fn access(raw: &RawTensor, list: u32, writes: bool, device: Mapping) -> Access<'_> {
    Access {
        list,
        region: region(raw),
        bytes: raw.bytes,
        writes,
        device,
    }
}

/// Whether the records of a task may go: not if they are still wanted as edges.
#[inline]
fn stale(rings: &[Ring; RINGS], wanted: bool) -> impl Fn(TaskKey) -> bool + use<> {
    let alive: [u64; RINGS] =
        std::array::from_fn(|ring| if wanted { 0 } else { rings[ring].alive() });
    move |task| task.local() < alive[task.ring()]
}

/// The bytes of the conflict that `wait` is for. Conflicts are mostly in the order of the waits: it is
/// looked for behind `from`, where the last one was, and then before.
fn bytes_of(wait: &Wait, touched: &[Hazard], from: &mut usize) -> Option<(u64, u64)> {
    let same = |&at: &usize| {
        let hazard = &touched[at];
        hazard.first == wait.task && Some(hazard.argument) == wait.argument
    };
    *from = (*from..touched.len()).chain(0..*from).find(same)?;
    Some(touched[*from].common)
}

impl Orchestrator {
    /// Collects the tasks to wait for in `scratch.producers`, unfinished ones only; gives the number
    /// of all. Audits the hazards of a MANUAL scope.
    #[inline]
    pub(super) fn discover(
        &mut self,
        site: Site,
        task: &TaskSpec<'_>,
        roles: Roles,
    ) -> Result<u32> {
        let manual = self.in_manual();
        let known = self.edges.as_ref().map_or(0, Vec::len);
        self.scratch.waits.clear();
        self.look_up_declared(task);
        if manual {
            self.look_up_in_manual(task, roles);
        } else {
            self.look_up(task, roles);
        }
        if self.edges.is_some() {
            self.note_edges(known, roles);
            self.note_spec(site, task);
        }
        if let Some(trace) = self.trace.as_mut().filter(|trace| trace.is_audited()) {
            let waits = self.scratch.waits.iter().map(|wait| wait.task);
            trace.touch(self.scratch.touched.drain(..), waits);
            if manual {
                let keeps = |owner: TaskKey| task.deps.iter().any(|id| id.key == owner);
                let owners = task.args.iter().filter_map(existing).map(|t| t.raw().owner);
                trace.leave(owners.filter(|&owner| !keeps(owner)));
            }
        }
        let mut edges = self.collect_producers();
        let ring = self.innermost().ring;
        let pool = self.rings[ring].dep_pool();
        if u64::from(edges) > pool.min(MANY_PRODUCERS) {
            edges = self.collect_pinned_producers();
        }
        if u64::from(edges) > pool {
            return Err(self.exhausted(Resource::DepPool, site, u64::from(edges)));
        }
        if manual {
            self.audit(site, task, roles)?;
        } else {
            self.reserve_entries(site, roles.entries())?;
        }
        Ok(edges)
    }

    fn look_up_declared(&mut self, task: &TaskSpec<'_>) {
        for id in task.declared().filter(|id| id.is_valid()) {
            self.scratch.waits.push(Wait {
                task: id.key,
                argument: None,
                why: Why::Declared,
            });
        }
    }

    /// Collects in `scratch.waits` what the arguments have to do with earlier tasks.
    #[inline]
    fn look_up(&mut self, task: &TaskSpec<'_>, roles: Roles) {
        let Self {
            rings,
            accesses,
            scratch,
            edges,
            ..
        } = self;
        let sound = self.config.dependencies == Dependencies::Sound;
        let stale = stale(rings, edges.is_some());
        let audited = self.trace.as_ref().is_some_and(|trace| trace.is_audited());
        let detailed = audited | edges.is_some();
        for (argument, arg) in task.args.iter().enumerate() {
            let Some(raw) = existing(arg).map(Tensor::raw) else {
                continue;
            };
            let mut wait = |task, why| {
                scratch.waits.push(Wait {
                    task,
                    argument: Some(argument),
                    why,
                });
            };
            if !raw.owner.is_none() {
                wait(raw.owner, Why::Creator);
            }
            let list = list_of(rings, raw);
            if list == UNTRACKED {
                continue;
            }
            let device = roles.mapping(argument, sound);
            let access = access(raw, list, roles.writes(argument), device);
            if !sound && roles.looked_up(argument) {
                // The map holds writes.
                accesses.find_mapped(&access, &stale, |first| wait(first, Why::WithWrite));
            }
            let found = |conflict: Conflict<'_>| {
                if detailed {
                    scratch
                        .touched
                        .push(Hazard::new(argument, &access, &conflict));
                }
                if sound {
                    wait(conflict.task, Why::conflict(conflict.writes));
                }
            };
            let unmapped = |task| scratch.unmapped.push(task);
            accesses.conflicts(&access, true, &stale, found, unmapped);
        }
        self.leave_map();
    }

    /// The same, in a MANUAL scope: what its own tasks are concerned with goes to
    /// `scratch.dependencies` and `scratch.hazards`.
    #[cold]
    fn look_up_in_manual(&mut self, task: &TaskSpec<'_>, roles: Roles) {
        let scope = self.innermost().number;
        let Self {
            rings,
            accesses,
            scratch,
            edges,
            ..
        } = self;
        let sound = self.config.dependencies == Dependencies::Sound;
        let stale = stale(rings, edges.is_some());
        let audited = self.trace.as_ref().is_some_and(|trace| trace.is_audited());
        let detailed = audited | edges.is_some();
        // The position in the scope, of a task of it.
        let ordinal = |task: TaskKey| {
            let ring = &rings[task.ring()];
            let alive = task.local() >= ring.alive();
            let meta = alive.then(|| ring.meta(task.local()))?;
            (meta.scope == scope).then_some(meta.ordinal)
        };
        scratch.hazards.clear();
        scratch.dependencies.clear();
        let declared = scratch.waits.iter().filter_map(|wait| ordinal(wait.task));
        scratch.dependencies.extend(declared);
        for (argument, arg) in task.args.iter().enumerate() {
            let Some(raw) = existing(arg).map(Tensor::raw) else {
                continue;
            };
            let list = list_of(rings, raw);
            let writes = roles.writes(argument);
            let access = access(raw, list, writes, Mapping::default());
            let found = |conflict: Conflict<'_>| {
                let first = conflict.task;
                let hazard = Hazard::new(argument, &access, &conflict);
                if detailed {
                    scratch.touched.push(hazard);
                }
                if let Some(ordinal) = ordinal(first) {
                    scratch.hazards.push((ordinal, hazard));
                } else if sound {
                    scratch.waits.push(Wait {
                        task: first,
                        argument: Some(argument),
                        why: Why::conflict(conflict.writes),
                    });
                }
            };
            let unmapped = |task| scratch.unmapped.push(task);
            accesses.conflicts(&access, true, &stale, found, unmapped);
        }
        self.leave_map();
    }

    /// Takes the entries of `scratch.unmapped` out of the device's map.
    #[inline]
    fn leave_map(&mut self) {
        for first in self.scratch.unmapped.drain(..) {
            let ring = &mut self.rings[first.ring()];
            if first.local() >= ring.alive() {
                ring.meta_mut(first.local()).map_entries -= 1;
                self.tensormap -= 1;
            }
        }
    }

    /// Adds what `scratch.waits` says to the edges of the run, of which the first `known` are of other
    /// tasks.
    #[cold]
    fn note_edges(&mut self, known: usize, roles: Roles) {
        let ring = self.innermost().ring;
        let to = (ring, self.rings[ring].next());
        let Some(edges) = &mut self.edges else { return };
        let graph = self.watch.as_mut().and_then(|watch| watch.graph.as_mut());
        let touched = &self.scratch.touched;
        let mut graph = graph.map(|graph| (graph, 0));
        for wait in &self.scratch.waits {
            let from = (wait.task.ring(), wait.task.local());
            // As on the device: the allocation alone is no reason where there is another.
            let told = || edges[known..].iter().any(|edge| edge.from == from);
            if wait.why == Why::Creator && told() {
                continue;
            }
            let source = match (wait.why, wait.argument) {
                (Why::Declared, _) | (_, None) => EdgeSource::Explicit,
                (Why::Creator, _) => EdgeSource::Creator,
                (why, Some(argument)) => {
                    EdgeSource::conflict(why == Why::WithWrite, roles.writes(argument))
                }
            };
            edges.push(Edge {
                from,
                to,
                argument: wait.argument,
                source,
            });
            if let Some((graph, from)) = &mut graph {
                let conflict = source.is_conflict();
                let bytes = conflict.then(|| bytes_of(wait, touched, from));
                graph.edge(bytes.flatten());
            }
        }
        let audited = self.trace.as_ref().is_some_and(|trace| trace.is_audited());
        if !audited {
            self.scratch.touched.clear();
        }
    }

    /// Keeps the task that is about to be submitted.
    #[cold]
    fn note_spec(&mut self, site: Site, task: &TaskSpec<'_>) {
        let ring = self.innermost().ring;
        let position = (ring, self.rings[ring].next());
        if let Some(notes) = &mut self.notes {
            notes.push(TaskNote::new(position, site, task));
        }
    }

    /// The tasks that `scratch.waits` names, each once: gives their number, and collects those that
    /// have not ended.
    #[inline]
    fn collect_producers(&mut self) -> u32 {
        let mark = self.sequence + 1;
        let Self { rings, scratch, .. } = self;
        let mut edges = 0;
        scratch.producers.clear();
        for &Wait { task, .. } in &scratch.waits {
            let ring = &mut rings[task.ring()];
            if task.local() < ring.alive() {
                continue;
            }
            let seen = std::mem::replace(&mut ring.meta_mut(task.local()).edge_mark, mark);
            if seen != mark {
                edges += 1;
                if !ring.is_completed(task.local()) {
                    scratch.producers.push(task);
                }
            }
        }
        edges
    }

    /// The same, after everything has been taken back that open scopes do not keep.
    #[cold]
    fn collect_pinned_producers(&mut self) -> u32 {
        self.retire_to_limits();
        let Self { rings, scratch, .. } = self;
        let alive = |key: &TaskKey| key.local() >= rings[key.ring()].alive();
        let tasks = scratch.waits.iter().map(|wait| wait.task);
        let mut tasks: Vec<_> = tasks.filter(alive).collect();
        tasks.sort_unstable();
        tasks.dedup();
        tasks.len() as u32
    }

    /// Takes back, on all rings, what open scopes do not keep; these are no producers any more.
    fn retire_to_limits(&mut self) {
        for ring in 0..self.rings.len() {
            let limit = self.rings[ring].limit();
            self.wait_consumed(ring, limit);
            self.retire(ring, limit);
        }
        let Self { rings, scratch, .. } = self;
        let alive = |key: &TaskKey| key.local() >= rings[key.ring()].alive();
        scratch.producers.retain(alive);
    }

    /// Makes room for `entries` in the device's tensormap.
    fn reserve_entries(&mut self, site: Site, entries: u32) -> Result<()> {
        let fits = |this: &Self| this.tensormap + u64::from(entries) <= TENSORMAP_ENTRIES;
        if !fits(self) {
            self.retire_to_limits();
        }
        if fits(self) {
            return Ok(());
        }
        Err(self.exhausted(Resource::TensorMap, site, u64::from(entries)))
    }

    #[cold]
    fn audit(&mut self, site: Site, task: &TaskSpec<'_>, roles: Roles) -> Result<()> {
        let Self {
            scopes, scratch, ..
        } = self;
        let Some(declared) = scopes.last_mut().and_then(|scope| scope.manual.as_mut()) else {
            return Ok(());
        };
        if self.config.manual_audit == ManualAudit::On
            && let Some(hazard) = declared.missing(&scratch.hazards, &scratch.dependencies)
        {
            return Err(self.missing_dependency(site, task, roles, &hazard));
        }
        declared.push(&scratch.dependencies);
        Ok(())
    }

    #[cold]
    fn missing_dependency(
        &mut self,
        site: Site,
        task: &TaskSpec<'_>,
        roles: Roles,
        hazard: &Hazard,
    ) -> Error {
        let first = self.rings[hazard.first.ring()].meta(hazard.first.local());
        let scope = self.innermost();
        let detail = MissingDependency {
            first: Party {
                kernel: first.kernel.map_or("alloc_tensors", |kernel| kernel.name),
                site: first.site,
                writes: hazard.first_writes,
            },
            second: Party {
                kernel: task.kernel.name,
                site,
                writes: roles.writes(hazard.argument),
            },
            parameter: task.argument_name(hazard.argument),
            start: hazard.common.0,
            end: hazard.common.1,
            ring: scope.ring,
            scope: scope.site,
        };
        self.fail(Error::MissingDependency(Box::new(detail)))
    }

    /// Leaves the task's accesses on record.
    #[inline]
    pub(super) fn record_accesses(&mut self, key: TaskKey, task: &TaskSpec<'_>, roles: Roles) {
        let automatic = !self.in_manual();
        let Self {
            rings,
            accesses,
            scratch,
            tensormap,
            tensormap_high_water,
            ..
        } = self;
        let sound = self.config.dependencies == Dependencies::Sound;
        let stale = stale(rings, self.edges.is_some());
        let mut outputs = scratch.outputs.iter();
        for (argument, arg) in task.args.iter().enumerate() {
            let raw = match existing(arg) {
                Some(tensor) => tensor.raw(),
                None => outputs.next().expect("an output for each create info"),
            };
            let list = match raw.owner.ring_local() {
                None if raw.list == UNTRACKED => continue,
                None => raw.list,
                Some((ring, local)) => rings[ring].open_list(local, raw.list, accesses),
            };
            let device = if automatic {
                roles.mapping(argument, sound)
            } else {
                Mapping::default()
            };
            let access = access(raw, list, roles.writes(argument), device);
            accesses.record(key, &access, &stale);
        }
        let entries = roles.entries();
        if automatic && entries > 0 {
            *tensormap += u64::from(entries);
            *tensormap_high_water = *tensormap_high_water.max(tensormap);
            rings[key.ring()].meta_mut(key.local()).map_entries = entries;
        }
    }
}
