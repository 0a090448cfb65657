//! `submit`: a task's arguments, what it keeps alive, its way to the executor.

use super::Orchestrator;
use crate::error::Result;
use crate::scope::TaskOutputTensors;
use crate::site::Site;
use crate::task::payload::Parts;
use crate::task::slot::Body;
use crate::task::{Launch, MAX_SCALARS, MAX_TENSORS, TaskArg, TaskKey, TaskSpec, TensorCreateInfo};
use crate::tensor::{RawTensor, Tensor};

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

impl Orchestrator {
    pub(crate) fn submit<'s>(
        &mut self,
        depth: usize,
        site: Site,
        task: &TaskSpec<'_>,
    ) -> Result<TaskOutputTensors<'s>> {
        self.check_innermost(depth, site)?;
        self.check_arguments(site, task)?;
        if task.is_plain() {
            self.submit_as(site, task, None)
        } else {
            self.launch(site, task)
        }
    }

    /// Submits a task that was checked; with `launch`, if it is more than one run of one kernel.
    pub(super) fn submit_as<'s>(
        &mut self,
        site: Site,
        task: &TaskSpec<'_>,
        launch: Option<&Launch>,
    ) -> Result<TaskOutputTensors<'s>> {
        let bytes = self.lay_out(site, created(task))?;
        self.admit(site, bytes)?;
        let edges = self.discover(site, task)?;

        let (key, offset) =
            self.claim(site, bytes, created(task).count(), Some(task.kernel), edges);
        self.place_outputs(key, offset, bytes, created(task));
        self.pin_owners(task);
        let mut outputs = self.scratch.outputs.iter();
        self.scratch.tensors.clear();
        for (arg, &writes) in task.args.iter().zip(&self.scratch.writes) {
            let raw = match existing(arg) {
                Some(tensor) => tensor.raw(),
                None => outputs.next().expect("an output for each create info"),
            };
            // Copied as it is and changed in its place: it is large.
            let tensors = &mut self.scratch.tensors;
            tensors.push(*raw);
            tensors.last_mut().expect("it was pushed").in_task(writes);
        }
        if launch.is_some_and(|launch| launch.blocks > 1) {
            self.scratch
                .tensors
                .iter_mut()
                .for_each(RawTensor::in_blocks);
        }
        self.record_accesses(key, task);

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
            tensors: &scratch.tensors[..task.tensors()],
            outputs: &scratch.outputs,
            scalars: task.scalars,
            pins: &scratch.pins,
            launch,
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
            ("tensors", task.tensors(), MAX_TENSORS),
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
                TaskArg::NoDep(tensor) => {
                    task.declares_write(i).unwrap_or(tensor.raw().is_writable())
                }
            };
            if writes && existing(arg).is_some_and(|tensor| !tensor.raw().is_writable()) {
                let what = format!(
                    "task `{}` writes its {}, and is given an input of the entry for it",
                    task.kernel.name,
                    task.kernel.param_name(i)
                );
                return Err(self.misuse(site, what, "pass it to the entry as an output"));
            }
            self.scratch.writes.push(writes);
        }
        Ok(())
    }

    /// Keeps the blocks of all arguments, and of the tasks in `deps`, until the task has ended,
    /// whatever the scope's mode.
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
