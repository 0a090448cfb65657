//! What the orchestrator is told about a task.

use super::{
    CoreType, MixedKernels, Placement, Predicate, PredicateOp, TaskArgs, TaskId, TensorCreateInfo,
};
use crate::dtype::ScalarValue;
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::Tensor;
use crate::tile::Scratch;
use pl_codegen::ir::Access;

/// The most tensors that one task takes.
pub(crate) const MAX_TENSORS: usize = 32;
/// The most scalars that one task takes.
pub(crate) const MAX_SCALARS: usize = 16;

/// The body of a task.
pub type KernelFn = fn(&Scratch<'_>, &TaskArgs<'_>) -> Result<(), OperationError>;

/// A kernel or an entry, as reports and errors name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelInfo {
    /// Name of the function.
    pub name: &'static str,
    /// File that defines it.
    pub file: &'static str,
    /// Line of the definition, from 1.
    pub line: u32,
    /// Its tensor parameters, in order.
    pub params: &'static [ParamInfo],
}

impl KernelInfo {
    /// Where the kernel is defined.
    pub const fn site(&self) -> Site {
        Site::new(self.file, self.line)
    }

    /// Name of tensor parameter `index`.
    pub(crate) fn param_name(&self, index: usize) -> String {
        self.params.get(index).map_or_else(
            || format!("argument {index}"),
            |param| format!("`{}`", param.name),
        )
    }
}

/// A tensor parameter of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParamInfo {
    /// Name of the parameter.
    pub name: &'static str,
    /// What the kernel does with the tensor.
    pub access: Access,
}

/// A tensor argument of a task.
#[derive(Clone, Copy, Debug)]
pub enum TaskArg<'a> {
    /// Read.
    Input(Tensor<'a>),
    /// Read and written.
    InOut(Tensor<'a>),
    /// An existing tensor, written.
    OutputExisting(Tensor<'a>),
    /// Used as the kernel's parameter says.
    NoDep(Tensor<'a>),
    /// A new tensor, allocated by the submit and written by the task.
    Output(TensorCreateInfo),
}

/// A task to submit.
#[derive(Clone, Copy, Debug)]
pub struct TaskSpec<'a> {
    pub(crate) kernel: &'static KernelInfo,
    pub(crate) run: KernelFn,
    pub(crate) args: &'a [TaskArg<'a>],
    pub(crate) scalars: &'a [ScalarValue],
    pub(crate) deps: &'a [TaskId<'a>],
    pub(crate) deps_wait: &'a [TaskId<'a>],
    /// The kernels of a mixed task, in place of `run`.
    pub(crate) mixed: Option<&'a MixedKernels>,
    pub(crate) predicate: Option<Predicate<'a>>,
    /// How the predicate compares.
    pub(crate) op: PredicateOp,
    pub(crate) blocks: u32,
    pub(crate) cores: Option<CoreType>,
    pub(crate) start: Start,
    /// Whether the last of `args` is none of the kernel's: the predicate's operand, once the
    /// orchestrator has looked at it.
    pub(crate) hidden: bool,
}

// Small enough to be passed on in registers of 16 bytes, without a call of `memcpy`.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<TaskSpec<'_>>() <= 128);

/// How the blocks of a task start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    /// There is nothing to run.
    Never,
    /// Each by itself.
    Any,
    /// Together.
    Together,
}

const fn nameless(name: &'static str, line: u32) -> KernelInfo {
    KernelInfo {
        name,
        file: file!(),
        line,
        params: &[],
    }
}

static DUMMY: KernelInfo = nameless("dummy", line!());
static MIXED: KernelInfo = nameless("mixed", line!());

#[allow(clippy::unnecessary_wraps, reason = "a kernel")]
fn do_nothing(_: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
    Ok(())
}

impl<'a> TaskSpec<'a> {
    /// A task that runs `run`, which `kernel` describes, on at most 32 tensors and 16 scalars.
    pub const fn new(
        kernel: &'static KernelInfo,
        run: KernelFn,
        args: &'a [TaskArg<'a>],
        scalars: &'a [ScalarValue],
    ) -> Self {
        Self {
            kernel,
            run,
            args,
            scalars,
            deps: &[],
            deps_wait: &[],
            mixed: None,
            predicate: None,
            op: PredicateOp::Eq,
            blocks: 1,
            cores: None,
            start: Start::Any,
            hidden: false,
        }
    }

    /// How a task runs, before its kernel is known: [`of`](Self::of).
    #[doc(hidden)]
    #[must_use]
    pub const fn launch() -> Self {
        Self::new(&DUMMY, do_nothing, &[], &[])
    }

    /// The same task, of that kernel on these arguments.
    #[doc(hidden)]
    #[must_use]
    pub const fn of(
        mut self,
        kernel: &'static KernelInfo,
        run: KernelFn,
        args: &'a [TaskArg<'a>],
        scalars: &'a [ScalarValue],
    ) -> Self {
        self.kernel = kernel;
        self.run = run;
        self.args = args;
        self.scalars = scalars;
        self
    }

    /// A task that runs nothing, but waits for others, and others for it, as any task does. With
    /// dependencies and no arguments it is a barrier. What a launch is about (blocks, cores, a
    /// common start, a predicate) means nothing to it and is ignored; scalars are accepted (runtime specification, §4).
    pub const fn dummy(args: &'a [TaskArg<'a>]) -> Self {
        let mut task = Self::new(&DUMMY, do_nothing, args, &[]);
        task.start = Start::Never;
        task
    }

    /// A task of up to three kernels that get the same arguments: one for the matrix core and one for
    /// each vector core of a cluster. It is named after the first. The kernels of a block run one
    /// after the other, AIC, AIV0, AIV1, on one worker. Two or more take a cluster
    /// ([`CoreType::Mix`]), one takes its own core (runtime specification, §8.3 and §10).
    ///
    /// Without any kernel, the submit is code 5.
    pub const fn mixed(
        kernels: &'a MixedKernels,
        args: &'a [TaskArg<'a>],
        scalars: &'a [ScalarValue],
    ) -> Self {
        let mut task = match kernels.first() {
            Some(kernel) => Self::new(kernel.info, kernel.run, args, scalars),
            None => Self::new(&MIXED, do_nothing, args, scalars),
        };
        task.mixed = Some(kernels);
        task
    }

    /// Its scalars, in place of those that it was made with; at most 16.
    #[must_use]
    pub const fn scalars(mut self, scalars: &'a [ScalarValue]) -> Self {
        self.scalars = scalars;
        self
    }

    /// The cores that each block takes; default: a vector core. The kernels of a mixed task say so
    /// themselves: another type is code 5.
    #[must_use]
    pub const fn core_type(mut self, cores: CoreType) -> Self {
        self.cores = Some(cores);
        self
    }

    /// Runs the kernel `blocks` times on the same arguments; default 1, and 0 is code 5. A kernel
    /// finds its number in [`TaskArgs::block_idx`]. The blocks of a task run one after the other on one
    /// worker, each with an empty scratch; a block that fails is the last (runtime specification,
    /// §8.3 and §16.5).
    ///
    /// The device runs them at one time. So that this is no difference, a tensor that a task of several
    /// blocks writes is loaded and stored through [`TaskArgs::partition`] only, and may not overlap another
    /// argument (code 5).
    #[must_use]
    pub const fn blocks(mut self, blocks: u32) -> Self {
        self.blocks = blocks;
        self
    }

    /// Asks that all blocks start together, as kernels need that wait for each other's blocks on the
    /// device. More blocks than the device has cores of the type are code 7: two vector cores, one
    /// matrix core, or one cluster for each of
    /// [`RunConfig::clusters`](crate::RunConfig::clusters). Means nothing for one block (runtime
    /// specification, §4 and §8.3).
    ///
    /// Here they run one after the other all the same; nothing spins until there are as many threads.
    #[must_use]
    pub const fn sync_start(mut self) -> Self {
        if let Start::Any = self.start {
            self.start = Start::Together;
        }
        self
    }

    /// Runs the kernel only if the element of `tensor` at `index`, one index for each dimension, compares
    /// as `op` says with `target`. Else the task ends as a dummy does; what it allocates is there all the
    /// same. A tensor of floats, or an index that is not inside the tensor, is code 5 (runtime
    /// specification, §8.4).
    ///
    /// The task reads the element when all that it waits for has ended, so the operand is one more
    /// input of the task: it waits for the writers of the element, later writers wait for it, and the
    /// tensor is kept. It is not counted among the 32 tensors, and the kernel does not see it. Signed
    /// elements are sign-extended, unsigned ones zero-extended, `bool` is 0 or 1.
    #[must_use]
    pub const fn predicate(
        mut self,
        tensor: &'a Tensor<'a>,
        index: &'a [usize],
        op: PredicateOp,
        target: i64,
    ) -> Self {
        self.predicate = Some(Predicate {
            tensor,
            index,
            target,
        });
        self.op = op;
        self
    }

    /// Tasks that must end before this one starts, beside those that the arguments imply. What they
    /// own is kept until this task has ended, whether or not it is an argument (WAIT and RETAIN of
    /// the runtime specification, §8.4).
    #[must_use]
    pub const fn deps(mut self, deps: &'a [TaskId<'a>]) -> Self {
        self.deps = deps;
        self
    }

    /// As [`deps`](Self::deps), but what the tasks own is not kept longer for it (WAIT alone). A task
    /// that is named in both is kept.
    #[must_use]
    pub const fn deps_wait(mut self, deps: &'a [TaskId<'a>]) -> Self {
        self.deps_wait = deps;
        self
    }

    /// Whether it is one run of one kernel, or of none.
    pub(crate) const fn is_plain(&self) -> bool {
        let alone = self.blocks == 1 && self.predicate.is_none() && self.mixed.is_none();
        alone || matches!(self.start, Start::Never)
    }

    /// The cores that it is for, its kernels checked: a mixed task's say it, and if its blocks are to start
    /// together those that were counted do.
    pub(crate) fn placement(&self) -> Placement {
        if self.start == Start::Never {
            return Placement::Nowhere;
        }
        let mixed = self.mixed.and_then(MixedKernels::cores);
        let together = (self.start == Start::Together && self.blocks > 1).then(CoreType::default);
        match self.cores.or(mixed).or(together) {
            Some(cores) => Placement::On(cores),
            None => Placement::Any,
        }
    }

    /// Number of tensors that the kernel sees.
    pub(crate) const fn tensors(&self) -> usize {
        self.args.len() - self.hidden as usize
    }

    /// Argument `index`, for messages.
    pub(crate) fn argument_name(&self, index: usize) -> String {
        if index < self.tensors() {
            self.kernel.param_name(index)
        } else {
            "the operand of its predicate".into()
        }
    }

    /// Whether the parameter `index` of the kernels is written; `None` if one does not say.
    pub(crate) fn declares_write(&self, index: usize) -> Option<bool> {
        let writes = |info: &KernelInfo| Some(info.params.get(index)?.access.writes());
        let Some(kernels) = self.mixed else {
            return writes(self.kernel);
        };
        kernels
            .iter()
            .try_fold(false, |any, kernel| Some(any | writes(kernel.info)?))
    }

    /// All tasks that were named.
    pub(crate) fn declared(&self) -> impl Iterator<Item = &TaskId<'a>> {
        self.deps.iter().chain(self.deps_wait)
    }
}
