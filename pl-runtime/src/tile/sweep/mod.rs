//! Several operations in one sweep over the rows of their tiles.
//!
//! What the fusion pass of `pl-codegen` makes of element-wise operations and row reductions that use
//! each other's results. A block of rows goes through all of them before the next one: what one
//! operation gives is still in the cache for the next, and what nothing else uses is never a tile.
//! Floats are `f32` from the first operation to the last.
//!
//! A sweep gives what its operations give one after the other (`f16` and `bf16` are rounded less often).
//! It is planned from shapes alone; what the plan has no place for, integers and errors included, is
//! done one by one.

mod blocks;
mod kernels;
mod one_by_one;
mod plan;

use super::binary::Operand;
use super::handle::Tile;
use super::scratch::Scratch;
use crate::dtype::{DType, ScalarValue};
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::Tensor;
pub use pl_codegen::ops::Op;

/// Something that an operation takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// An input of the sweep.
    Input(usize),
    /// What an earlier step gives.
    Step(usize),
}

/// An operation of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Which one.
    pub op: Op,
    /// Where it is written.
    pub site: Site,
    /// What it takes.
    pub args: &'a [Value],
    /// Element type of the result, if the operation does not decide it.
    pub dtype: Option<DType>,
}

/// Something that a sweep takes from outside.
#[derive(Clone, Copy, Debug)]
pub enum Input<'s> {
    /// A tile.
    Tile(Tile<'s>),
    /// A scalar.
    Scalar(ScalarValue),
    /// A tensor, to load from or store to.
    Tensor(Tensor<'s>),
}

impl<'s> Input<'s> {
    /// A tile or a scalar.
    pub fn operand(operand: impl Operand<'s>) -> Self {
        match operand.value() {
            super::OperandValue::Tile(tile) => Self::Tile(tile),
            super::OperandValue::Scalar(value) => Self::Scalar(value),
        }
    }
}

/// Runs the steps, in order, and gives the results of those in `kept` as tiles.
///
/// # Errors
/// As of the operations.
pub fn sweep<'s, const N: usize>(
    s: &'s Scratch<'_>,
    steps: &[Step<'_>],
    inputs: &[Input<'s>],
    kept: [usize; N],
) -> Result<[Tile<'s>; N], OperationError> {
    let Some(plan) = plan::Plan::new(s, steps, inputs, &kept)? else {
        return one_by_one::run(s, steps, inputs, kept);
    };
    s.arena().note_together();
    let mut tiles: Vec<Tile<'_>> = Vec::with_capacity(N);
    for (at, &step) in kept.iter().enumerate() {
        let tile = match kept[..at].iter().position(|&before| before == step) {
            Some(same) => tiles[same],
            None => plan.allocate(s, &steps[step], step)?,
        };
        tiles.push(tile);
    }
    let taken = blocks::run(s, steps, &plan, &kept, &tiles);
    if s.arena().notes.is_some() {
        plan.note(s, steps, inputs, &taken);
    }
    Ok(std::array::from_fn(|n| tiles[n]))
}
