//! Whether a task's kernel runs at all.

use crate::dtype::ScalarValue;
use crate::tensor::{ElementRef, Tensor};

/// How a predicate compares an element with its target (runtime specification, §8.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PredicateOp {
    /// The element is the target.
    Eq,
    /// It is not.
    Ne,
    /// It is greater.
    Gt,
    /// It is less.
    Lt,
    /// It is not less.
    Ge,
    /// It is not greater.
    Le,
}

/// What a predicate compares, as it is submitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Predicate<'a> {
    pub(crate) tensor: &'a Tensor<'a>,
    pub(crate) index: &'a [usize],
    pub(crate) target: i64,
}

/// A predicate as the runner of its task evaluates it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    pub(crate) operand: Operand,
    pub(crate) op: PredicateOp,
    pub(crate) target: i64,
}

/// Where a predicate's value comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    /// From memory, when the task runs.
    Element(ElementRef),
    /// It is known.
    Value(ScalarValue),
}

impl Condition {
    /// Whether the kernel runs. The tasks that write the element have ended.
    pub(crate) fn holds(&self) -> bool {
        let element = match self.operand {
            Operand::Element(element) => element.value(),
            Operand::Value(value) => value,
        };
        // Wide enough for every element type and for the target.
        let (element, target) = (element.as_i128(), i128::from(self.target));
        match self.op {
            PredicateOp::Eq => element == target,
            PredicateOp::Ne => element != target,
            PredicateOp::Gt => element > target,
            PredicateOp::Lt => element < target,
            PredicateOp::Ge => element >= target,
            PredicateOp::Le => element <= target,
        }
    }
}
