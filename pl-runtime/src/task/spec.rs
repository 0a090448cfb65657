//! What the orchestrator is told about a task.

use super::{TaskArgs, TaskId};
use crate::dtype::{DType, ScalarValue};
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::{MAX_RANK, Tensor, View};
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
}

static DUMMY: KernelInfo = KernelInfo {
    name: "dummy",
    file: file!(),
    line: line!(),
    params: &[],
};

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
        }
    }

    /// A task that runs nothing, but waits for others, and others for it, as any task does. With
    /// dependencies and no arguments it is a barrier.
    pub const fn dummy(args: &'a [TaskArg<'a>]) -> Self {
        Self::new(&DUMMY, do_nothing, args, &[])
    }

    /// Tasks that must end before this one starts, beside those that the arguments imply.
    #[must_use]
    pub const fn deps(mut self, deps: &'a [TaskId<'a>]) -> Self {
        self.deps = deps;
        self
    }
}

/// A tensor to allocate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TensorCreateInfo {
    /// The dimensions alone, if there is no such tensor.
    view: View,
    exists: bool,
    rank: usize,
    init: Option<ScalarValue>,
    manual_dep: bool,
}

impl TensorCreateInfo {
    /// A row-major tensor. A rank that is not supported is reported where the tensor is allocated.
    pub fn new(dtype: DType, dims: &[usize]) -> Self {
        let view = View::contiguous(dtype, dims);
        let exists = view.is_ok();
        Self {
            view: view.unwrap_or_else(|_| {
                let known = &dims[..dims.len().min(MAX_RANK)];
                View::strided(dtype, 0, known, &[0; MAX_RANK][..known.len()])
            }),
            exists,
            rank: dims.len(),
            init: None,
            manual_dep: false,
        }
    }

    /// Fills the tensor with `value`, converted as by `as`.
    #[must_use]
    pub fn init(mut self, value: ScalarValue) -> Self {
        self.init = Some(value);
        self
    }

    /// Marks the tensor as ordered by declared dependencies only. Complete dependency discovery
    /// (the default) orders its tasks all the same.
    #[must_use]
    pub fn manual_dep(mut self) -> Self {
        self.manual_dep = true;
        self
    }

    /// Whether [`manual_dep`](Self::manual_dep) was asked for.
    pub fn is_manual_dep(&self) -> bool {
        self.manual_dep
    }

    pub(crate) fn initial_value(&self) -> Option<ScalarValue> {
        self.init
    }

    /// The tensor, at the start of its buffer.
    #[inline]
    pub(crate) fn view(&self) -> Result<&View, String> {
        if self.exists {
            Ok(&self.view)
        } else {
            Err(self.why_not())
        }
    }

    #[cold]
    fn why_not(&self) -> String {
        if self.rank > MAX_RANK {
            return format!(
                "rank {} is not supported; use 1 to {MAX_RANK} dimensions",
                self.rank
            );
        }
        let again = View::contiguous(self.view.dtype(), self.view.dims());
        again.expect_err("it was refused before")
    }
}
