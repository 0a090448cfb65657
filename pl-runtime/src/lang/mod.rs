//! What the body of a kernel is type-checked against.
//!
//! Inside a kernel these names are the language: rustc and the editor resolve, complete and check
//! the body against them, and the attribute generates the code that runs. None of the functions
//! here does anything by itself; outside a kernel they panic.

#![allow(clippy::needless_pass_by_value, reason = "only signatures matter here")]

mod loops;
mod macros;
mod operations;
pub(crate) mod options;
mod slice;
mod task;
mod tensor;
mod tile;

pub use loops::{parallel, unroll};
pub use operations::*;
pub use slice::{SliceArg, SliceArgs, SliceSpec};
pub use task::{TaskId, TaskIds, barrier, block_idx, block_num};
pub use tensor::{AnyRank, Tensor, create_tensor};
pub use tile::{Dims, Operand, ScalarOperand, Tile, create_tile};

/// A tensor parameter that the kernel writes without reading it.
pub type Out<T> = T;

/// A tensor parameter that the kernel reads and writes.
pub type InOut<T> = T;

#[cold]
#[track_caller]
fn outside(name: &str) -> ! {
    panic!(
        "`{name}` was called outside a kernel; write it in a function marked `#[pl::jit]`, \
         `#[pl::jit::inline]` or `#[pl::jit::incore]`"
    )
}
