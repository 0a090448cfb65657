//! Tasks: how they are described, stored, linked to each other and queued.

mod args;
pub(crate) mod at;
mod create;
mod id;
mod ids;
mod launch;
pub(crate) mod links;
mod note;
pub(crate) mod payload;
mod predicate;
pub(crate) mod queue;
pub(crate) mod slot;
mod spec;

pub use args::TaskArgs;
pub(crate) use args::{Axes, Place};
pub use create::TensorCreateInfo;
pub use id::TaskId;
pub(crate) use id::TaskKey;
pub use ids::TaskIds;
pub use launch::{CoreType, MixedKernels, TaskKernel};
pub(crate) use launch::{Launch, Placement};
pub(crate) use note::TaskNote;
pub use predicate::PredicateOp;
pub(crate) use predicate::{Condition, Operand, Predicate};
pub use spec::{KernelFn, KernelInfo, ParamInfo, TaskArg, TaskSpec};
pub(crate) use spec::{MAX_SCALARS, MAX_TENSORS, Start};
