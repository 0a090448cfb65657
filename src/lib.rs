//! Accelerator kernels as annotated Rust functions.
//!
//! An **orchestration** function, `#[pl::jit]`, creates intermediate tensors, opens scopes and
//! submits tasks; an **in-core** function, `#[pl::jit::incore]`, is the body of one task: it loads
//! tiles, computes and stores tiles. Scopes decide when the memory of a tensor is free again; what
//! is used after its scope does not compile.

#[cfg(feature = "golden")]
pub use pl_golden as golden;
#[doc(hidden)]
pub use pl_runtime::__private;
pub use pl_runtime::assert_orchestration_snapshot;
pub use pl_runtime::device;
pub use pl_runtime::lang::{InOut, Out, TaskId, TaskIds, Tensor, Tile};
pub use pl_runtime::plan;
pub use pl_runtime::testing;
pub use pl_runtime::{
    Busy, CoreType, Critical, DumpArgs, Edge, EdgeSource, Element, Error, Executor, Kernel,
    KernelTime, LoggedOp, MachineModel, MatrixRate, OrchestratorCost, PerRing, ReclaimPolicy,
    RunConfig, RunReport, Runtime, Scalar, ScopeMode, ScratchScope, SerialOrder, Shape, Stage,
    TaskTime, Timing, Values, bf16, f16, shape,
};
pub use pl_runtime::{at, manual_scope, s, scope, scratch_scope, submit};

/// What every run gives.
pub type Result<T, E = Error> = std::result::Result<T, E>;

pub use pl_macros::{function, jit};

/// The other attributes: `#[pl::jit::inline]`, `#[pl::jit::incore]` and their like.
pub mod jit {
    pub use pl_macros::{
        jit_host as host, jit_incore as incore, jit_inline as inline, jit_opaque as opaque,
    };
}

/// Everything that kernels and the programs around them name, except `s!` (the attribute reads it).
pub mod prelude {
    pub use pl_runtime::lang::*;
    pub use pl_runtime::{
        CoreType, Element, Executor, MachineModel, PerRing, ReclaimPolicy, RunConfig, RunReport,
        Runtime, Scalar, ScopeMode, Values, bf16, f16,
    };
    pub use pl_runtime::{at, manual_scope, scope, scratch_scope, submit};
}
