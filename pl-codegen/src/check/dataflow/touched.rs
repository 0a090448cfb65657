//! What a part of a function does with tensors from outside of it.

use super::Flow;
use crate::ir::{Block, CalleeId, Function, VarId};

/// What a block does with a tensor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Touched {
    /// Reads it.
    pub read: bool,
    /// Writes it, or a part of it.
    pub written: bool,
    /// Passes it to parameters of callees.
    pub passed: Vec<(CalleeId, usize)>,
}

/// What the block does with each of these tensors, views of them included.
pub fn touched(function: &Function, block: &Block, tensors: &[VarId]) -> Vec<Touched> {
    let mut flow = Flow::new(function);
    for var in tensors {
        flow.roots[var.index()].insert(*var);
    }
    flow.follow(block);
    let uses = tensors.iter().map(|var| &flow.uses[var.index()]);
    uses.map(|uses| Touched {
        read: uses.read.is_some(),
        written: uses.written,
        passed: uses.passed.clone(),
    })
    .collect()
}
