//! What a task waits for: declared dependencies, owners of its arguments, accesses in conflict.

use super::Orchestrator;
use super::submit::existing;
use crate::access::{Access, Conflict, Mapping, Region, UNTRACKED};
use crate::config::{Dependencies, ManualAudit, RINGS, TENSORMAP_ENTRIES};
use crate::error::{Error, MissingDependency, Party, Resource, Result};
use crate::record::{Edge, EdgeSource};
use crate::ring::Ring;
use crate::site::Site;
use crate::task::{TaskArg, TaskKey, TaskSpec};
use crate::tensor::{RawTensor, Tensor};

/// A task that waits for more others first takes back all that open scopes do not keep: records of
/// tasks that are long over would make each look-up as long as the window.
const MANY_PRODUCERS: u64 = 1024;

/// A conflict with an earlier task of the same MANUAL scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hazard {
    argument: usize,
    first: TaskKey,
    first_writes: bool,
    common: (u64, u64),
}

pub(super) fn region(raw: &RawTensor) -> Region<'_> {
    Region::new(raw.base, &raw.view)
}

/// Where accesses to the buffer of a tensor are recorded; [`UNTRACKED`] if there were none.
pub(super) fn list_of(rings: &[Ring; RINGS], raw: &RawTensor) -> u32 {
    match raw.owner.ring_local() {
        Some((ring, local)) => rings[ring].list(local, raw.list),
        None => raw.list,
    }
}

/// What the device's tensormap has to do with an argument outside MANUAL scopes: whether it is looked
/// up there, and what becomes of entries.
fn mapping(arg: &TaskArg<'_>, sound: bool) -> (bool, Mapping) {
    let (looked_up, inout, entered) = match arg {
        TaskArg::Input(_) => (true, false, false),
        TaskArg::InOut(_) => (true, true, true),
        TaskArg::OutputExisting(_) => (false, false, true),
        TaskArg::NoDep(_) | TaskArg::Output(_) => (false, false, false),
    };
    if existing(arg).is_none_or(|tensor| tensor.raw().manual_dep) {
        return (false, Mapping::default());
    }
    let device = Mapping {
        inout,
        entered,
        looked_up: !sound,
    };
    (looked_up && !sound, device)
}

impl Orchestrator {
    /// Collects the tasks to wait for in `scratch.producers`, unfinished ones only; gives the number
    /// of all. Audits the hazards of a MANUAL scope.
    pub(super) fn discover(&mut self, site: Site, task: &TaskSpec<'_>) -> Result<u32> {
        self.look_up(task);
        let mut edges = self.collect_producers();
        let ring = self.innermost().ring;
        let pool = self.rings[ring].dep_pool();
        if u64::from(edges) > pool.min(MANY_PRODUCERS) {
            edges = self.collect_pinned_producers();
        }
        if u64::from(edges) > pool {
            return Err(self.exhausted(Resource::DepPool, site, u64::from(edges)));
        }
        self.reserve_entries(site, self.map_entries(task))?;
        self.audit(site, task)?;
        Ok(edges)
    }

    /// Collects what the task has to do with earlier ones: in `scratch.waits`, and if the innermost
    /// scope is MANUAL in `scratch.dependencies` and `scratch.hazards`.
    fn look_up(&mut self, task: &TaskSpec<'_>) {
        let scope = self.innermost();
        let manual = scope.manual.is_some().then_some(scope.number);
        let to = TaskKey::new(scope.ring, self.rings[scope.ring].next());
        let Self {
            rings,
            accesses,
            scratch,
            edges,
            tensormap,
            ..
        } = self;
        let sound = self.config.dependencies == Dependencies::Sound;
        let keep_stale = edges.is_some();
        scratch.waits.clear();
        scratch.dependencies.clear();
        scratch.hazards.clear();
        let known = edges.as_ref().map_or(0, Vec::len);
        let mut wait = |key: TaskKey, argument, source| {
            scratch.waits.push(key);
            if let Some(edges) = edges {
                // As on the device: the allocation alone is no reason where there is another.
                let from = (key.ring(), key.local());
                if source == EdgeSource::Creator && edges[known..].iter().any(|e| e.from == from) {
                    return;
                }
                edges.push(Edge {
                    from,
                    to: (to.ring(), to.local()),
                    argument,
                    source,
                });
            }
        };
        for id in task.declared().filter(|id| id.is_valid()) {
            wait(id.key, None, EdgeSource::Explicit);
            let ring = &rings[id.key.ring()];
            let local = id.key.local();
            if local >= ring.alive() && Some(ring.meta(local).scope) == manual {
                scratch.dependencies.push(ring.meta(local).ordinal);
            }
        }
        for (argument, arg) in task.args.iter().enumerate() {
            let Some(raw) = existing(arg).map(Tensor::raw) else {
                continue;
            };
            if manual.is_none() && !raw.owner.is_none() {
                wait(raw.owner, Some(argument), EdgeSource::Creator);
            }
            let list = list_of(rings, raw);
            if list == UNTRACKED {
                continue;
            }
            let (looked_up, device) = match manual {
                None => mapping(arg, sound),
                Some(_) => (false, Mapping::default()),
            };
            let access = Access {
                list,
                region: region(raw),
                bytes: raw.bytes,
                writes: scratch.writes[argument],
                device,
            };
            let retired = |task: TaskKey| task.local() < rings[task.ring()].alive();
            let stale = |task: TaskKey| !keep_stale && retired(task);
            if looked_up {
                accesses.find_mapped(&access, stale, |first| {
                    wait(first, Some(argument), EdgeSource::Overlap);
                });
            }
            let conflict = |conflict: Conflict| {
                let first = conflict.task;
                let inside = manual.is_some()
                    && !retired(first)
                    && Some(rings[first.ring()].meta(first.local()).scope) == manual;
                if inside {
                    let ordinal = rings[first.ring()].meta(first.local()).ordinal;
                    let hazard = Hazard {
                        argument,
                        first,
                        first_writes: conflict.writes,
                        common: conflict.common,
                    };
                    scratch.hazards.push((ordinal, hazard));
                } else if sound {
                    wait(first, Some(argument), EdgeSource::Overlap);
                }
            };
            let unmapped = |task| scratch.unmapped.push(task);
            accesses.conflicts(&access, stale, conflict, unmapped);
        }
        for first in scratch.unmapped.drain(..) {
            let ring = &mut rings[first.ring()];
            if first.local() >= ring.alive() {
                ring.meta_mut(first.local()).map_entries -= 1;
                *tensormap -= 1;
            }
        }
    }

    /// The tasks that `scratch.waits` names, each once: gives their number, and collects those that
    /// have not ended.
    fn collect_producers(&mut self) -> u32 {
        let mark = self.sequence + 1;
        let Self { rings, scratch, .. } = self;
        let mut edges = 0;
        scratch.producers.clear();
        for &key in &scratch.waits {
            let ring = &mut rings[key.ring()];
            if key.local() < ring.alive() {
                continue;
            }
            let seen = std::mem::replace(&mut ring.meta_mut(key.local()).edge_mark, mark);
            if seen != mark {
                edges += 1;
                if !ring.is_completed(key.local()) {
                    scratch.producers.push(key);
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
        scratch.waits.retain(alive);
        scratch.waits.sort_unstable();
        scratch.waits.dedup();
        scratch.waits.len() as u32
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

    /// How many entries the device would make for the task.
    fn map_entries(&self, task: &TaskSpec<'_>) -> u32 {
        if self.innermost().manual.is_some() {
            return 0;
        }
        let entered = |arg: &&TaskArg<'_>| mapping(arg, true).1.entered;
        task.args.iter().filter(entered).count() as u32
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

    fn audit(&mut self, site: Site, task: &TaskSpec<'_>) -> Result<()> {
        let Self {
            scopes, scratch, ..
        } = self;
        let Some(declared) = scopes.last_mut().and_then(|scope| scope.manual.as_mut()) else {
            return Ok(());
        };
        if self.config.manual_audit == ManualAudit::On
            && let Some(hazard) = declared.missing(&scratch.hazards, &scratch.dependencies)
        {
            return Err(self.missing_dependency(site, task, &hazard));
        }
        declared.push(&scratch.dependencies);
        Ok(())
    }

    #[cold]
    fn missing_dependency(&mut self, site: Site, task: &TaskSpec<'_>, hazard: &Hazard) -> Error {
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
                writes: self.scratch.writes[hazard.argument],
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
    pub(super) fn record_accesses(&mut self, key: TaskKey, task: &TaskSpec<'_>) {
        let automatic = self.innermost().manual.is_none();
        let Self {
            rings,
            accesses,
            scratch,
            tensormap,
            tensormap_high_water,
            ..
        } = self;
        let keep_stale = self.edges.is_some();
        let sound = self.config.dependencies == Dependencies::Sound;
        let mut entries = 0;
        for ((raw, arg), &writes) in scratch.tensors.iter().zip(task.args).zip(&scratch.writes) {
            let list = match raw.owner.ring_local() {
                None if raw.list == UNTRACKED => continue,
                None => raw.list,
                Some((ring, local)) => rings[ring].open_list(local, raw.list, accesses),
            };
            let device = if automatic {
                mapping(arg, sound).1
            } else {
                Mapping::default()
            };
            entries += u32::from(device.entered);
            let access = Access {
                list,
                region: region(raw),
                bytes: raw.bytes,
                writes,
                device,
            };
            let stale = |task: TaskKey| !keep_stale && task.local() < rings[task.ring()].alive();
            accesses.record(key, &access, stale);
        }
        *tensormap += u64::from(entries);
        *tensormap_high_water = *tensormap_high_water.max(tensormap);
        rings[key.ring()].meta_mut(key.local()).map_entries = entries;
    }
}
