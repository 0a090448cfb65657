//! What must hold of callees, which are not known where a function is compiled.

use crate::diag::Diagnostic;
use crate::ir::CalleeId;
use std::sync::Arc;

/// Something that must hold of callees for the function to be legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// What must hold.
    pub need: Need,
    /// What is wrong otherwise.
    pub otherwise: Diagnostic,
}

/// What must hold of callees. Parameters are counted from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Need {
    /// One of the callees writes that parameter.
    SomeWrites {
        /// Where the tensor is passed, and where an input is passed by the same calls: if that one
        /// is written, the two were mistaken for each other, which is reported there.
        by: Vec<(CalleeId, usize)>,
        /// All calls of the function with the number of their arguments: if that is wrong, the
        /// tensor may just be missing, which rustc reports.
        calls: Arc<[(CalleeId, usize)]>,
    },
    /// The callee does not write that parameter.
    Reads(CalleeId, usize),
    /// The callee is the body of a task, or nothing that kernels call, which is reported elsewhere.
    IsTask(CalleeId),
    /// The callee reaches what it writes through the part of its block.
    WorksInParts(CalleeId),
}

/// What a function is told about its callees.
pub trait Callees {
    /// Whether the parameter is written.
    fn writes(&self, callee: CalleeId, param: usize) -> bool;
    /// Whether there are so many parameters.
    fn takes(&self, callee: CalleeId, count: usize) -> bool;
    /// Whether `submit!` takes it.
    fn is_task(&self, callee: CalleeId) -> bool;
    /// Whether it can run as several blocks.
    fn works_in_parts(&self, callee: CalleeId) -> bool;
}

impl Need {
    /// Whether it holds.
    pub fn holds(&self, callees: &impl Callees) -> bool {
        match self {
            Self::SomeWrites { by, calls } => {
                by.iter()
                    .any(|&(callee, index)| callees.writes(callee, index))
                    || calls
                        .iter()
                        .any(|&(callee, count)| !callees.takes(callee, count))
            }
            Self::Reads(callee, index) => !callees.writes(*callee, *index),
            Self::IsTask(callee) => callees.is_task(*callee),
            Self::WorksInParts(callee) => callees.works_in_parts(*callee),
        }
    }
}
