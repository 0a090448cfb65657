//! The one intermediate representation, of orchestration and in-core functions alike.
//!
//! Structured control flow, resolved variables (an id, not a name), a type on every expression and
//! a [`SpanId`] on every node. The places themselves live in a side table, so that functions
//! compare, serialise and print without them. No SSA: what is emitted is structured, too.

mod dtype;
mod expr;
mod function;
mod fused;
mod ids;
mod print;
mod serial;
mod stmt;
mod task;
mod types;
mod visit;

pub use dtype::DType;
pub use expr::{At, AtArg, BinaryOp, BlockFact, Call, Create, Expr, ExprKind, SliceItem, UnaryOp};
pub use function::{Callee, Dim, Function, Generic, Output, Param, SourceMap, Unit, Var};
pub use fused::{Factor, Product, Step, StepArg, Sum, Sweep};
pub use ids::{BatchId, CalleeId, CaptureId, SpanId, VarId};
pub use stmt::{Adaptor, Block, LoopKind, Pattern, Range, Stmt, StmtKind};
pub use task::{CoreType, Launch, Predicate, TaskExpr};
pub use types::{Access, Elem, Kind, MAX_RANK, Scalar, ScopeMode, Type};
pub(crate) use visit::Visit;
pub use visit::{Part, PartMut};
