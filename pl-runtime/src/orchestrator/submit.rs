//! `submit`: what a task waits for, what it keeps alive, what it leaves on record.

use super::Orchestrator;
use crate::access::{Record, Region, UNTRACKED, Verdict};
use crate::error::{Error, MissingDependency, Party, Result};
use crate::scope::TaskOutputTensors;
use crate::site::Site;
use crate::task::payload::Parts;
use crate::task::slot::Body;
use crate::task::{MAX_SCALARS, MAX_TENSORS, TaskArg, TaskKey, TaskSpec, TensorCreateInfo};
use crate::tensor::{RawTensor, Tensor};

/// A conflict with an earlier task of the same MANUAL scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hazard {
    argument: usize,
    first: TaskKey,
    first_writes: bool,
    common: (u64, u64),
}

fn existing<'a>(arg: &'a TaskArg<'a>) -> Option<&'a Tensor<'a>> {
    match arg {
        TaskArg::Input(tensor)
        | TaskArg::InOut(tensor)
        | TaskArg::OutputExisting(tensor)
        | TaskArg::NoDep(tensor) => Some(tensor),
        TaskArg::Output(_) => None,
    }
}

fn created<'a>(task: &'a TaskSpec<'_>) -> impl Iterator<Item = &'a TensorCreateInfo> {
    task.args.iter().filter_map(|arg| match arg {
        TaskArg::Output(info) => Some(info),
        _ => None,
    })
}

fn region(raw: &RawTensor) -> Region {
    Region::new(raw.base, &raw.view)
}

impl Orchestrator {
    pub(crate) fn submit<'s>(
        &mut self,
        depth: usize,
        site: Site,
        task: &TaskSpec<'_>,
    ) -> Result<TaskOutputTensors<'s>> {
        self.check_innermost(depth, site)?;
        self.check_arguments(site, task)?;
        let bytes = self.lay_out(site, created(task))?;
        self.admit(site, bytes)?;
        self.discover(site, task)?;

        let (key, offset) = self.claim(site, bytes, Some(task.kernel));
        self.place_outputs(key, offset, bytes, created(task));
        self.pin_owners(task);
        let mut outputs = self.scratch.outputs.iter();
        self.scratch.tensors.clear();
        for (arg, &writes) in task.args.iter().zip(&self.scratch.writes) {
            let raw = match existing(arg) {
                Some(tensor) => tensor.raw(),
                None => outputs.next().expect("an output for each create info"),
            };
            self.scratch.tensors.push(raw.in_task(writes));
        }
        self.record_accesses(key);

        let Self { rings, scratch, .. } = self;
        scratch.tasks.clear();
        scratch.tasks.extend(
            scratch
                .producers
                .iter()
                .map(|key| rings[key.ring()].task(key.local())),
        );
        let ring = &mut rings[key.ring()];
        let parts = Parts {
            tensors: &scratch.tensors,
            outputs: &scratch.outputs,
            scalars: task.scalars,
            pins: &scratch.pins,
            edges: scratch.tasks.len(),
        };
        let payload = ring.write_payload(key.local(), &parts);
        let sequence = self.sequence - 1;
        let body = Body::new(task.run, task.kernel, site, key.ring(), sequence, payload);
        self.kernel_tasks[key.ring()] += 1;
        if let Some(ready) = ring.start(key.local(), body, &scratch.tasks) {
            self.executor.ready(ready);
        }
        Ok(TaskOutputTensors::new(key, payload))
    }

    /// Refuses arguments that cannot be used; notes in `scratch.writes` which ones are written.
    fn check_arguments(&mut self, site: Site, task: &TaskSpec<'_>) -> Result<()> {
        for (what, count, most) in [
            ("tensors", task.args.len(), MAX_TENSORS),
            ("scalars", task.scalars.len(), MAX_SCALARS),
        ] {
            if count > most {
                let what = format!("task `{}` has {count} {what}", task.kernel.name);
                return Err(self.misuse(site, what, format!("pass at most {most}")));
            }
        }
        self.scratch.writes.clear();
        for (i, arg) in task.args.iter().enumerate() {
            let writes = match arg {
                TaskArg::Input(_) => false,
                TaskArg::InOut(_) | TaskArg::OutputExisting(_) | TaskArg::Output(_) => true,
                // Undeclared parameters are written as far as the tensor allows it.
                TaskArg::NoDep(tensor) => task
                    .kernel
                    .params
                    .get(i)
                    .map_or(tensor.raw().is_writable(), |param| param.access.writes()),
            };
            if writes && existing(arg).is_some_and(|tensor| !tensor.raw().is_writable()) {
                let what = format!(
                    "task `{}` writes {}, which is an input of the entry",
                    task.kernel.name,
                    task.kernel.param_name(i)
                );
                return Err(self.misuse(site, what, "pass it to the entry as an output"));
            }
            self.scratch.writes.push(writes);
        }
        Ok(())
    }

    /// Collects the tasks to wait for in `scratch.producers`; audits the hazards of a MANUAL scope.
    fn discover(&mut self, site: Site, task: &TaskSpec<'_>) -> Result<()> {
        let mark = self.sequence + 1;
        let Self {
            rings,
            scopes,
            accesses,
            scratch,
            ..
        } = self;
        let number = scopes
            .last()
            .filter(|scope| scope.manual.is_some())
            .map(|scope| scope.number);
        scratch.waits.clear();
        scratch.dependencies.clear();
        scratch.hazards.clear();
        for id in task.deps {
            let key = id.key;
            if key.is_none() || key.local() < rings[key.ring()].alive() {
                continue;
            }
            let meta = rings[key.ring()].meta(key.local());
            if Some(meta.scope) == number {
                scratch.dependencies.push(meta.ordinal);
            }
            scratch.waits.push(key);
        }
        for (argument, arg) in task.args.iter().enumerate() {
            let Some(raw) = existing(arg)
                .map(Tensor::raw)
                .filter(|raw| raw.list != UNTRACKED)
            else {
                continue;
            };
            let region = region(raw);
            let judge = |record: &Record| {
                let audited = record
                    .manual
                    .is_some_and(|(number, _)| scopes.iter().any(|scope| scope.number == number));
                let done = rings[record.task.ring()].is_completed(record.task.local());
                if done && !audited {
                    Verdict::Prune
                } else {
                    Verdict::Keep
                }
            };
            let writes = scratch.writes[argument];
            accesses.look_up(raw.list, &region, writes, judge, |record| {
                match record.manual {
                    Some((scope, ordinal)) if Some(scope) == number => scratch.hazards.push((
                        ordinal,
                        Hazard {
                            argument,
                            first: record.task,
                            first_writes: record.writes,
                            common: region.common(&record.region),
                        },
                    )),
                    _ => scratch.waits.push(record.task),
                }
            });
        }
        scratch.producers.clear();
        for &key in &scratch.waits {
            let ring = &mut rings[key.ring()];
            if !ring.is_completed(key.local()) {
                let seen = std::mem::replace(&mut ring.meta_mut(key.local()).edge_mark, mark);
                if seen != mark {
                    scratch.producers.push(key);
                }
            }
        }
        let Some(declared) = scopes.last_mut().and_then(|scope| scope.manual.as_mut()) else {
            return Ok(());
        };
        if let Some(hazard) = declared.missing(&scratch.hazards, &scratch.dependencies) {
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
            parameter: task.kernel.param_name(hazard.argument),
            start: hazard.common.0,
            end: hazard.common.1,
            ring: scope.ring,
            scope: scope.site,
        };
        self.fail(Error::MissingDependency(Box::new(detail)))
    }

    /// Keeps the blocks of all arguments until the task has ended, whatever the scope's mode.
    fn pin_owners(&mut self, task: &TaskSpec<'_>) {
        let mark = self.sequence;
        self.scratch.pins.clear();
        for tensor in task.args.iter().filter_map(existing) {
            let owner = tensor.raw().owner;
            if owner.is_none() {
                continue;
            }
            if let Some(task) = self.rings[owner.ring()].pin(owner.local(), mark) {
                self.scratch.pins.push(task);
            }
        }
    }

    fn record_accesses(&mut self, task: TaskKey) {
        let scope = self.scopes.last().expect("the root scope is open");
        let manual = scope
            .manual
            .as_ref()
            .map(|_| (scope.number, scope.tasks - 1));
        for (raw, &writes) in self.scratch.tensors.iter().zip(&self.scratch.writes) {
            if raw.list != UNTRACKED {
                self.accesses.insert(
                    raw.list,
                    Record {
                        task,
                        writes,
                        manual,
                        region: region(raw),
                    },
                );
            }
        }
    }
}
