//! Tasks: how they are described, stored, linked to each other and queued.

mod args;
mod id;
pub(crate) mod links;
pub(crate) mod payload;
pub(crate) mod queue;
pub(crate) mod slot;
mod spec;

pub use args::TaskArgs;
pub use id::TaskId;
pub(crate) use id::TaskKey;
pub use spec::{KernelFn, KernelInfo, ParamInfo, TaskArg, TaskSpec, TensorCreateInfo};
pub(crate) use spec::{MAX_SCALARS, MAX_TENSORS};
