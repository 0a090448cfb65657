//! Ring heaps, scopes, tasks and the tile engine.

mod access;
#[doc(hidden)]
pub mod arith;
mod audit;
pub mod call;
pub mod config;
pub mod cpp;
pub mod dtype;
mod entry;
pub mod error;
mod exec;
mod kernel;
pub mod lang;
mod machine;
mod orchestrator;
pub mod plan;
mod program;
mod record;
mod results;
mod ring;
mod runtime;
mod scope;
pub mod site;
mod sync;
mod task;
pub mod tensor;
pub mod testing;
pub mod tile;

pub use config::{
    Dependencies, DumpArgs, Executor, ManualAudit, PerRing, RINGS, ReclaimPolicy, RunConfig,
    SerialOrder, Values, Vouched,
};
pub use dtype::{DType, Element, Scalar, ScalarType, ScalarValue, bf16, f16};
pub use entry::{EntryArg, EntryInput, EntryOutput, Shape, shape};
pub use error::{Error, OperationError, Result};
pub use kernel::{Kernel, Stage};
pub use machine::{MachineModel, MatrixRate, OrchestratorCost};
pub use pl_codegen::ir::Access;
pub use record::{
    Busy, Critical, Edge, EdgeSource, KernelTime, LoggedOp, RunReport, TaskTime, Timing,
};
pub use runtime::Runtime;
pub use scope::{Scope, ScopeMode, TaskOutputTensors};
pub use site::Site;
pub use task::{
    CoreType, KernelFn, KernelInfo, MixedKernels, ParamInfo, PredicateOp, TaskArg, TaskArgs,
    TaskId, TaskIds, TaskKernel, TaskSpec, TensorCreateInfo,
};
pub use tensor::{MAX_RANK, SliceItem, Tensor, View};
pub use tile::{Arena, Scratch, ScratchScope};

/// Orchestration source for the device, with the table of its kernels:
/// [`Kernel::device_program`] gives it.
pub mod device {
    pub use pl_codegen::emit::cpp::{DeviceKernel, KernelBody, KernelParam, Program, ScalarParam};
}

/// What generated code names. Not for users: it changes with the macros.
#[doc(hidden)]
pub mod __private {
    // A user's module may have an `Ok` of its own.
    pub use std::result::Result::Ok;

    pub use ndarray::{Array, Ix1, Ix2, Ix3, Ix4, Ix5};

    pub use crate::call::{BoundParam, DimSpec, Signature, TypeName, bind_dims};
    pub use crate::entry::bind_argument;
    pub use crate::results::{NoElements, Of, Results};
    pub use crate::task::at::{at, region_tensor};
    pub use crate::{
        Access, CoreType, DType, Element, EntryArg, EntryInput, EntryOutput, KernelInfo,
        OperationError, ParamInfo, PredicateOp, Scalar, Scope, ScopeMode, Scratch, Site, SliceItem,
        TaskArg, TaskArgs, TaskId, TaskIds, TaskSpec, Tensor, TensorCreateInfo, arith, lang, tile,
    };

    /// The options of `submit!`, for the stub.
    pub mod options {
        pub use crate::lang::options::*;
    }

    /// Element types by their names in kernels, out of reach of what a user may call `f32`.
    pub mod elements {
        pub use crate::dtype::{bf16, f16};
        pub use std::primitive::*;
    }
}
