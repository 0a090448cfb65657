//! Expressions.

use super::{
    BatchId, Block, CalleeId, CaptureId, Elem, Launch, Product, ScopeMode, SpanId, TaskExpr, Type,
    VarId,
};
use crate::ops::Op;
use serde::{Deserialize, Serialize};

/// A value, its type and where it is written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Expr {
    /// What is computed.
    pub kind: ExprKind,
    /// Type, as far as it is known.
    pub ty: Type,
    /// Where it is written.
    pub span: SpanId,
}

/// What an expression computes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ExprKind {
    /// A number or truth value, as written.
    Literal(String),
    /// A variable.
    Var(VarId),
    /// A named dimension, by its position in [`Function::dims`](super::Function::dims).
    Dim(u32),
    /// A constant of the surrounding Rust code.
    Capture(CaptureId),
    /// `-x`, `!x`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` on scalars or tiles
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `x as T`
    Cast(Box<Expr>, String),
    /// `a.min(b)` and its like on scalars
    Method {
        /// Name of the method.
        name: String,
        /// The value before the dot.
        receiver: Box<Expr>,
        /// The other arguments.
        args: Vec<Expr>,
    },
    /// An operation on tiles.
    Operation {
        /// Which one.
        op: Op,
        /// Arguments.
        args: Vec<Expr>,
    },
    /// A list of dimensions or indices: `[a, b]`.
    List(Vec<Expr>),
    /// A call of another kernel or helper.
    Call(Call),
    /// `create_tensor::<T>([..])`
    Create(Box<Create>),
    /// `x.slice(s![..])`
    Slice {
        /// What is sliced.
        base: Box<Expr>,
        /// One item for each dimension.
        items: Vec<SliceItem>,
    },
    /// `x.reshape([..])`
    Reshape {
        /// What is reshaped.
        base: Box<Expr>,
        /// New dimensions.
        dims: Vec<Expr>,
    },
    /// `x.transpose(a, b)`
    Transpose {
        /// What is transposed.
        base: Box<Expr>,
        /// The two dimensions.
        axes: Box<(Expr, Expr)>,
    },
    /// `x.partition(axis)`: the part of this block, of a tensor parameter of in-core code
    Partition {
        /// The parameter.
        base: Box<Expr>,
        /// The dimension that the blocks take apart.
        axis: Box<Expr>,
    },
    /// `block_idx()` or `block_num()`
    OfBlock(BlockFact),
    /// `x.dim(axis)`
    DimOf {
        /// Whose dimension.
        base: Box<Expr>,
        /// Which one.
        axis: Box<Expr>,
    },
    /// `x.get([..])`
    Get {
        /// What is read.
        base: Box<Expr>,
        /// One index for each dimension.
        indices: Vec<Expr>,
    },
    /// `x.set([..], v)`
    Set {
        /// What is written.
        base: Box<Expr>,
        /// One index for each dimension.
        indices: Vec<Expr>,
        /// The new value.
        value: Box<Expr>,
    },
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `if`
    If {
        /// Condition.
        cond: Box<Expr>,
        /// Then-branch.
        then: Block,
        /// Else-branch.
        otherwise: Option<Block>,
    },
    /// A runtime scope.
    Scope {
        /// Mode.
        mode: ScopeMode,
        /// Inserted by the compiler, not written by the user.
        implicit: bool,
        /// Contents.
        body: Block,
    },
    /// `scratch_scope!`
    ScratchScope(Block),
    /// `at!("name", { .. })`: a task whose body stands in place.
    At(At),
    /// `{ .. }`
    Block(Block),
    /// A matrix product and what `fuse` found around it.
    Product(Box<Product>),
    /// A name of a task, or a task without a kernel.
    Task(TaskExpr),
    /// Tensor `index` of an `alloc_tensors` call.
    AllocRef {
        /// The call.
        batch: BatchId,
        /// Which of its tensors.
        index: u32,
    },
}

/// Creation of one tensor (in orchestration) or one tile (in-core).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Create {
    /// Element type.
    pub elem: Elem,
    /// Dimensions.
    pub dims: Vec<Expr>,
    /// Value of every element, if stated.
    pub init: Option<Expr>,
    /// Opted out of dependency discovery.
    pub manual_dep: bool,
}

/// A call of another kernel or helper.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Call {
    /// Which function.
    pub callee: CalleeId,
    /// Arguments.
    pub args: Vec<Expr>,
    /// What the callee does with each argument; empty until `derive_directions`.
    pub directions: Vec<Option<super::Access>>,
    /// What `submit!` says of the task; `None` for a plain call.
    pub launch: Option<Box<Launch>>,
    /// The tensors that the callee returns, to be allocated by the submit; empty until `link`.
    pub outputs: Vec<Create>,
}

/// A task whose body stands in place, in orchestration code.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct At {
    /// Name of the kernel.
    pub name: String,
    /// What it uses of the function around it, tensors first; empty until `outline`.
    pub args: Vec<AtArg>,
    /// What it waits for beside what is found, and that its id is taken; `None` until `device`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<Box<Launch>>,
    /// In-core code.
    pub body: Block,
}

/// Something of the function around an `at!` region that is an argument of its task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum AtArg {
    /// A tensor.
    Tensor {
        /// The variable.
        var: VarId,
        /// What the region does with it by itself.
        access: super::Access,
        /// Parameters of helpers that a tensor is passed to that is not written otherwise: if one of
        /// them is written, it is read and written.
        passed: Vec<(CalleeId, usize)>,
    },
    /// A scalar.
    Scalar(VarId),
    /// A named dimension.
    Dim(u32),
}

/// What in-core code may ask of the block that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum BlockFact {
    /// Its number, from 0.
    Idx,
    /// Number of blocks of the task.
    Num,
}

impl BlockFact {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Idx, Self::Num];

    /// The function that kernels call, and the method of the task's arguments.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idx => "block_idx",
            Self::Num => "block_num",
        }
    }

    /// What it is called elsewhere.
    pub const fn also(self) -> &'static [&'static str] {
        match self {
            Self::Idx => &["program_id", "get_block_idx", "block_id", "block_index"],
            Self::Num => &["num_programs", "get_block_num", "block_count", "num_blocks"],
        }
    }
}

/// One item of `s![..]`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum SliceItem {
    /// `a..b`, either end open
    Range(Option<Expr>, Option<Expr>),
    /// `i`
    Index(Expr),
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each variant is an operator of Rust")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinaryOp {
    /// As written in Rust.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::And => "&&",
            Self::Or => "||",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }

    /// Whether the result is a truth value.
    pub const fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge | Self::And | Self::Or
        )
    }

    /// Name of the arithmetic of scalars that may have no result.
    pub const fn checked(self) -> Option<&'static str> {
        Some(match self {
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Mul => "mul",
            Self::Div => "div",
            Self::Rem => "rem",
            Self::Shl => "shl",
            Self::Shr => "shr",
            _ => return None,
        })
    }

    /// The function on tiles that stands for an operator that tiles do not have.
    pub const fn tile_function(self) -> Option<Op> {
        Some(match self {
            Self::Lt => Op::Lt,
            Self::Le => Op::Le,
            Self::Gt => Op::Gt,
            Self::Ge => Op::Ge,
            Self::Eq => Op::Eq,
            Self::Ne => Op::Ne,
            Self::And | Self::BitAnd => Op::And,
            Self::Or | Self::BitOr => Op::Or,
            _ => return None,
        })
    }

    /// The tile operation of the same meaning.
    pub const fn tile_operation(self) -> Option<Op> {
        match self {
            Self::Add => Some(Op::Add),
            Self::Sub => Some(Op::Sub),
            Self::Mul => Some(Op::Mul),
            Self::Div => Some(Op::Div),
            _ => None,
        }
    }
}
