//! `submit`: a task's arguments, what it keeps alive, its way to the executor.

use super::Orchestrator;
use crate::access::Mapping;
use crate::error::{Error, Result};
use crate::machine::Call;
use crate::scope::TaskOutputTensors;
use crate::site::Site;
use crate::task::payload::Parts;
use crate::task::slot::Body;
use crate::task::{Launch, MAX_SCALARS, MAX_TENSORS, TaskArg, TaskKey, TaskSpec, TensorCreateInfo};
use crate::tensor::{Permission, Tensor};

#[inline]
pub(super) fn existing<'a>(arg: &'a TaskArg<'a>) -> Option<&'a Tensor<'a>> {
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

/// What a task does with its arguments, as bits.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Roles {
    writes: u64,
    /// Those that the device looks up in its tensormap, whose entries it takes out if they cover them,
    /// and that it enters; outside MANUAL scopes.
    looked_up: u64,
    inout: u64,
    entered: u64,
    /// Number of tensors that it creates.
    pub(super) outputs: usize,
}

impl Roles {
    pub(super) fn writes(self, argument: usize) -> bool {
        self.writes >> argument & 1 != 0
    }

    pub(super) fn looked_up(self, argument: usize) -> bool {
        self.looked_up >> argument & 1 != 0
    }

    /// What becomes of entries of the device's map.
    #[inline]
    pub(super) fn mapping(self, argument: usize, sound: bool) -> Mapping {
        Mapping {
            inout: self.inout >> argument & 1 != 0,
            entered: self.entered >> argument & 1 != 0,
            looked_up: !sound,
        }
    }

    /// How many entries the device makes.
    pub(super) fn entries(self) -> u32 {
        self.entered.count_ones()
    }
}

// A predicate's operand is one more.
const _: () = assert!(MAX_TENSORS < u64::BITS as usize);

impl Orchestrator {
    #[inline]
    pub(crate) fn submit<'s>(
        &mut self,
        depth: usize,
        site: Site,
        task: &TaskSpec<'_>,
    ) -> Result<TaskOutputTensors<'s>> {
        self.check_innermost(depth, site)?;
        self.charge(Call::Submit);
        let roles = self.check_arguments(site, task)?;
        if task.is_plain() {
            self.submit_as(site, task, roles, None)
        } else {
            self.launch(site, task, roles)
        }
    }

    /// Submits a task that was checked; with `launch`, if it is more than one run of one kernel.
    pub(super) fn submit_as<'s>(
        &mut self,
        site: Site,
        task: &TaskSpec<'_>,
        roles: Roles,
        launch: Option<&Launch>,
    ) -> Result<TaskOutputTensors<'s>> {
        let bytes = match roles.outputs {
            0 => 0,
            _ => self.lay_out(site, created(task))?,
        };
        self.admit(site, bytes)?;
        let edges = self.discover(site, task, roles)?;

        let (key, offset) = self.claim(site, bytes, roles.outputs, Some(task.kernel), edges);
        self.place_outputs(key, offset, bytes, created(task));
        self.record_accesses(key, task, roles);
        self.note_writes(task, roles);
        self.pin_owners(task);
        if let Some(trace) = self.calls() {
            trace.uses(task.args.iter().filter_map(existing).map(|t| t.raw().owner));
        }

        let Self { rings, scratch, .. } = self;
        scratch.tasks.clear();
        for producer in &scratch.producers {
            let task = rings[producer.ring()].task(producer.local());
            scratch.tasks.push(task);
        }
        let blocks = launch.map_or(1, |launch| launch.blocks);
        let mut outputs = scratch.outputs.iter();
        let tensors = task.args[..task.tensors()].iter().enumerate();
        let tensors = tensors.map(|(i, arg)| {
            let raw = match existing(arg) {
                Some(tensor) => tensor.raw(),
                None => outputs.next().expect("an output for each create info"),
            };
            (raw, Permission::in_task(roles.writes(i), blocks))
        });
        let parts = Parts {
            tensors,
            outputs: &scratch.outputs,
            scalars: task.scalars,
            pins: &scratch.pins,
            launch,
            edges: scratch.tasks.len(),
        };
        let ring = &mut rings[key.ring()];
        let payload = ring.write_payload(key.local(), parts);
        let sequence = self.sequence - 1;
        let placement = task.placement();
        let body = Body::new(
            task.run,
            task.kernel,
            site,
            key.ring(),
            sequence,
            placement,
            payload,
        );
        self.kernel_tasks[key.ring()] += 1;
        if let Some(ready) = ring.start(key.local(), body, &scratch.tasks) {
            self.executor.ready(ready);
        }
        Ok(TaskOutputTensors::new(key, payload))
    }

    /// Refuses arguments that cannot be used.
    #[inline]
    fn check_arguments(&mut self, site: Site, task: &TaskSpec<'_>) -> Result<Roles> {
        if task.tensors() > MAX_TENSORS || task.scalars.len() > MAX_SCALARS {
            return Err(self.too_many(site, task));
        }
        let mut roles = Roles::default();
        for (i, arg) in task.args.iter().enumerate() {
            let (tensor, writes, looked_up, entered) = match arg {
                TaskArg::Input(tensor) => (tensor, false, true, false),
                TaskArg::InOut(tensor) => (tensor, true, true, true),
                TaskArg::OutputExisting(tensor) => (tensor, true, false, true),
                // Undeclared parameters are written as far as the tensor allows it.
                TaskArg::NoDep(tensor) => {
                    let declared = task.declares_write(i);
                    let writes = declared.unwrap_or(tensor.raw().is_writable());
                    (tensor, writes, false, false)
                }
                TaskArg::Output(_) => {
                    roles.outputs += 1;
                    roles.writes |= 1 << i;
                    continue;
                }
            };
            if writes && !tensor.raw().is_writable() {
                return Err(self.writes_an_input(site, task, i));
            }
            roles.writes |= u64::from(writes) << i;
            if !tensor.raw().manual_dep {
                roles.looked_up |= u64::from(looked_up) << i;
                roles.inout |= u64::from(looked_up && entered) << i;
                roles.entered |= u64::from(entered) << i;
            }
        }
        Ok(roles)
    }

    #[cold]
    fn too_many(&mut self, site: Site, task: &TaskSpec<'_>) -> Error {
        let (what, count, most) = if task.tensors() > MAX_TENSORS {
            ("tensors", task.tensors(), MAX_TENSORS)
        } else {
            ("scalars", task.scalars.len(), MAX_SCALARS)
        };
        let what = format!("task `{}` has {count} {what}", task.kernel.name);
        self.misuse(site, what, format!("pass at most {most}"))
    }

    #[cold]
    fn writes_an_input(&mut self, site: Site, task: &TaskSpec<'_>, argument: usize) -> Error {
        let what = format!(
            "task `{}` writes its {}, and is given an input of the entry for it",
            task.kernel.name,
            task.kernel.param_name(argument)
        );
        self.misuse(site, what, "pass it to the entry as an output")
    }

    /// Keeps the blocks of all arguments, and of the tasks in `deps`, until the task has ended,
    /// whatever the scope's mode.
    #[inline]
    fn pin_owners(&mut self, task: &TaskSpec<'_>) {
        self.scratch.pins.clear();
        for tensor in task.args.iter().filter_map(existing) {
            self.pin(tensor.raw().owner);
        }
        for id in task.deps {
            self.pin(id.key);
        }
    }

    #[inline]
    fn pin(&mut self, owner: TaskKey) {
        if owner.is_none() || owner.local() < self.rings[owner.ring()].alive() {
            return;
        }
        if let Some(task) = self.rings[owner.ring()].pin(owner.local(), self.sequence) {
            self.scratch.pins.push(task);
        }
    }
}
