//! What a task asks for beside its arguments: declared dependencies, cores, kernels, blocks, a
//! predicate.

use super::Orchestrator;
use super::discover::region;
use super::submit::{Roles, existing};
use crate::error::{Error, Result, SyncStart};
use crate::scope::TaskOutputTensors;
use crate::site::Site;
use crate::task::{
    Condition, CoreType, Launch, MixedKernels, Operand, Predicate, Start, TaskArg, TaskKernel,
    TaskSpec,
};
use crate::tensor::{RawTensor, Tensor};

impl Orchestrator {
    /// Clusters of cores.
    pub(crate) fn clusters(&self) -> u32 {
        self.config.cluster_count()
    }

    /// Submits a task, its arguments checked, that is more than one run of one kernel. Checks follow
    /// one another as in the runtime specification, §4.
    #[cold]
    pub(super) fn launch<'s>(
        &mut self,
        site: Site,
        task: &TaskSpec<'_>,
        roles: Roles,
    ) -> Result<TaskOutputTensors<'s>> {
        let (kernels, cores) = self.kernels(site, task)?;
        if task.blocks == 0 {
            let what = format!("task `{}` has 0 blocks", task.kernel.name);
            let help = "use 1 or more; `TaskSpec::dummy` is a task that runs nothing";
            return Err(self.misuse(site, what, help));
        }
        let predicate = match &task.predicate {
            Some(predicate) => Some(self.condition(site, task, predicate)?),
            None => None,
        };
        if task.blocks > 1 {
            self.check_blocks(site, task, roles)?;
            self.check_start(site, task, cores)?;
        }
        let launch = Launch {
            blocks: task.blocks,
            together: task.start == Start::Together,
            condition: predicate.map(|(condition, _)| condition),
            kernels: kernels.slots(),
        };
        if let Some(watch) = &mut self.watch {
            watch.launch(&launch);
        }
        let Some((_, operand)) = predicate else {
            return self.submit_as(site, task, roles, Some(&launch));
        };
        // One more input, for everything but the kernel.
        let args: Vec<_> = task.args.iter().copied().chain([operand]).collect();
        let task = TaskSpec {
            args: &args,
            hidden: true,
            ..*task
        };
        self.submit_as(site, &task, roles, Some(&launch))
    }

    /// A predicate as the task's runner evaluates it, and its operand, one element.
    fn condition<'a>(
        &mut self,
        site: Site,
        task: &TaskSpec<'_>,
        predicate: &Predicate<'a>,
    ) -> Result<(Condition, TaskArg<'a>)> {
        let &Predicate {
            tensor,
            index,
            target,
        } = predicate;
        if tensor.dtype().is_float() {
            let what = format!(
                "the predicate of task `{}` reads {}",
                task.kernel.name,
                tensor.view()
            );
            let help = "compare integers or `bool`: store the outcome of a comparison of floats";
            return Err(self.misuse(site, what, help));
        }
        let element = self.check_element("predicate", site, tensor.raw(), index, tensor.dtype())?;
        let value = if self.simulated.is_some() {
            Operand::Value(self.value("predicate", site, tensor.raw(), index)?)
        } else {
            Operand::Element(tensor.raw().element_ref(index))
        };
        let condition = Condition {
            operand: value,
            op: task.op,
            target,
        };
        let operand = RawTensor {
            view: element,
            ..*tensor.raw()
        };
        Ok((condition, TaskArg::Input(Tensor::new(operand))))
    }

    /// The kernels of each block, and the cores that they take.
    fn kernels(&mut self, site: Site, task: &TaskSpec<'_>) -> Result<(MixedKernels, CoreType)> {
        let Some(kernels) = task.mixed else {
            let one = TaskKernel {
                info: task.kernel,
                run: task.run,
            };
            let kernels = MixedKernels {
                aiv0: Some(one),
                ..MixedKernels::NONE
            };
            return Ok((kernels, task.cores.unwrap_or_default()));
        };
        let Some(cores) = kernels.cores() else {
            let help = "give `MixedKernels` at least one of `aic`, `aiv0` and `aiv1`; \
                        `TaskSpec::dummy` is a task that runs nothing";
            return Err(self.misuse(site, "a mixed task without any kernel", help));
        };
        match task.cores {
            Some(other) if other != cores => {
                let what = format!(
                    "mixed task `{}` is to take {other} cores, but its kernels take {cores}",
                    task.kernel.name
                );
                let help = "leave out `core_type`: the kernels of a mixed task say it";
                Err(self.misuse(site, what, help))
            }
            _ => Ok((*kernels, cores)),
        }
    }

    /// Refuses arguments of several blocks that share bytes, one of them written: what a block finds
    /// there would depend on which of the others have run.
    fn check_blocks(&mut self, site: Site, task: &TaskSpec<'_>, roles: Roles) -> Result<()> {
        let tensors = || task.args.iter().map(existing).enumerate();
        for (i, a) in tensors() {
            for (j, b) in tensors().skip(i + 1) {
                let (Some(a), Some(b)) = (a, b) else { continue };
                let writes = roles.writes(i) || roles.writes(j);
                if writes && region(a.raw()).overlaps(&region(b.raw())) {
                    let what = format!(
                        "task `{}` has {} blocks and writes bytes that are in two of its arguments, \
                         {} and {}",
                        task.kernel.name,
                        task.blocks,
                        task.kernel.param_name(i),
                        task.kernel.param_name(j)
                    );
                    let help = "pass the bytes once, as one argument that is read and written, or use one block";
                    return Err(self.misuse(site, what, help));
                }
            }
        }
        Ok(())
    }

    /// Refuses several blocks that are to start together on too few cores.
    fn check_start(&mut self, site: Site, task: &TaskSpec<'_>, cores: CoreType) -> Result<()> {
        let limit = cores.at_once(self.clusters());
        if task.start != Start::Together || task.blocks <= limit {
            return Ok(());
        }
        let scope = self.innermost();
        let detail = SyncStart {
            kernel: task.kernel.name,
            site,
            scope: scope.site,
            ring: scope.ring,
            blocks: task.blocks,
            limit,
            cores,
        };
        Err(self.fail(Error::SyncStartInvalid(Box::new(detail))))
    }
}
