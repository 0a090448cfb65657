//! Statements and blocks.

use super::{BatchId, BinaryOp, Create, Expr, SpanId, Sweep, Type, VarId};
use serde::{Deserialize, Serialize};

/// Statements and the value after them.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Block {
    /// Statements in order.
    pub stmts: Vec<Stmt>,
    /// Value of the block.
    pub tail: Option<Box<Expr>>,
}

/// A statement and where it is written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stmt {
    /// What is done.
    pub kind: StmtKind,
    /// Where it is written.
    pub span: SpanId,
}

impl Stmt {
    /// What it gives a value, and that value: of a `let` that has one, and of an assignment, `+=` and its like
    /// included.
    pub(crate) fn given(&self) -> Option<(&Pattern, &Expr)> {
        match &self.kind {
            StmtKind::Let {
                pattern,
                init: Some(value),
                ..
            }
            | StmtKind::Assign {
                target: pattern,
                value,
                ..
            } => Some((pattern, value)),
            _ => None,
        }
    }
}

/// What a statement does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum StmtKind {
    /// `let pattern: ty = init;`
    Let {
        /// Names bound.
        pattern: Pattern,
        /// Type, if written.
        ty: Option<Type>,
        /// Value; `None` where it is assigned later.
        init: Option<Expr>,
    },
    /// `x = value;` or `x += value;`, or `(a, b) = value;`
    Assign {
        /// Variables assigned.
        target: Pattern,
        /// Operator of a compound assignment.
        op: Option<BinaryOp>,
        /// Value.
        value: Expr,
    },
    /// An expression for its effect.
    Expr(Expr),
    /// `for`
    For {
        /// Loop variable; `None` for `_`.
        var: Option<VarId>,
        /// Values it takes.
        range: Range,
        /// Contents.
        body: Block,
    },
    /// `while`
    While {
        /// Condition.
        cond: Expr,
        /// Contents.
        body: Block,
    },
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// One `alloc_tensors` call (after `batch_allocs`).
    Alloc {
        /// Which one.
        batch: BatchId,
        /// Tensors it creates, at most 16.
        creates: Vec<Create>,
    },
    /// Operations on tiles in one sweep (after `fuse`).
    Sweep(Box<Sweep>),
}

/// Names bound by a `let` or assigned by an assignment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Pattern {
    /// One variable.
    Var(VarId),
    /// `_`
    Wildcard,
    /// `(a, b)`
    Tuple(Vec<Pattern>),
}

impl Pattern {
    /// Variables bound, left to right.
    pub fn vars(&self) -> Vec<VarId> {
        match self {
            Self::Var(var) => vec![*var],
            Self::Wildcard => Vec::new(),
            Self::Tuple(items) => items.iter().flat_map(Self::vars).collect(),
        }
    }
}

/// What the iterations of a loop may take for granted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum LoopKind {
    /// One after the other.
    Sequential,
    /// `parallel(a..b)`: no iteration needs another's tensors.
    Parallel,
    /// `unroll(a..b)`: constant bounds, written out on the device.
    Unrolled,
}

impl LoopKind {
    /// The function around the range, if there is one.
    pub const fn marker(self) -> Option<&'static str> {
        match self {
            Self::Sequential => None,
            Self::Parallel => Some("parallel"),
            Self::Unrolled => Some("unroll"),
        }
    }
}

/// Values of a loop variable: `start..end` under adaptors.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Range {
    /// What the iterations may take for granted.
    pub kind: LoopKind,
    /// First value.
    pub start: Expr,
    /// One past the last value.
    pub end: Expr,
    /// Adaptors, in the order they are written.
    pub adaptors: Vec<Adaptor>,
}

/// A method on a loop's range.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Adaptor {
    /// `.step_by(k)`
    StepBy(Expr),
    /// `.rev()`
    Rev,
}
