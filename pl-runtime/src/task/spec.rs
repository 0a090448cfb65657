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
    /// What the kernel is called, and what it does with its parameters.
    pub kernel: &'static KernelInfo,
    /// What the task runs.
    pub run: KernelFn,
    /// Its tensors, at most 32.
    pub args: &'a [TaskArg<'a>],
    /// Its scalars, at most 16.
    pub scalars: &'a [ScalarValue],
    /// Tasks that must end before this one starts, beside those that the arguments imply.
    pub deps: &'a [TaskId<'a>],
}

/// A tensor to allocate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TensorCreateInfo {
    dtype: DType,
    rank: usize,
    dims: [usize; MAX_RANK],
    init: Option<ScalarValue>,
    manual_dep: bool,
}

impl TensorCreateInfo {
    /// A row-major tensor. A rank that is not supported is reported where the tensor is allocated.
    pub fn new(dtype: DType, dims: &[usize]) -> Self {
        let mut info = Self {
            dtype,
            rank: dims.len(),
            dims: [1; MAX_RANK],
            init: None,
            manual_dep: false,
        };
        let known = dims.len().min(MAX_RANK);
        info.dims[..known].copy_from_slice(&dims[..known]);
        info
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

    pub(crate) fn view(&self) -> Result<View, String> {
        if self.rank > MAX_RANK {
            return Err(format!(
                "rank {} is not supported; use 1 to {MAX_RANK} dimensions",
                self.rank
            ));
        }
        View::contiguous(self.dtype, &self.dims[..self.rank])
    }
}
