//! Types of values, as far as they are known at expansion.

use super::{CalleeId, CaptureId, DType};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a function is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// `#[pl::jit]`: orchestration entry.
    Entry,
    /// `#[pl::jit::inline]`: orchestration helper, spliced into its caller.
    Inline,
    /// `#[pl::jit::inline]` with tiles in its signature: in-core helper, part of its caller.
    IncoreInline,
    /// `#[pl::jit::incore]`: the body of one task.
    Incore,
    /// `#[pl::jit::host]`: multi-chip orchestrator.
    Host,
    /// `#[pl::jit::opaque]`: helper whose `at!` regions become kernels.
    Opaque,
}

impl Kind {
    /// Every kind that has an attribute of its own.
    pub const ALL: [Self; 5] = [
        Self::Entry,
        Self::Inline,
        Self::Incore,
        Self::Host,
        Self::Opaque,
    ];

    /// The attribute that marks such a function.
    pub const fn attribute(self) -> &'static str {
        match self {
            Self::Entry => "#[pl::jit]",
            Self::Inline | Self::IncoreInline => "#[pl::jit::inline]",
            Self::Incore => "#[pl::jit::incore]",
            Self::Host => "#[pl::jit::host]",
            Self::Opaque => "#[pl::jit::opaque]",
        }
    }

    /// What `#[pl::function(kind = "..")]` calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Entry => "orchestration",
            Self::Inline | Self::IncoreInline => "inline",
            Self::Incore => "incore",
            Self::Host => "host",
            Self::Opaque => "opaque",
        }
    }

    /// Whether the body allocates tensors, opens scopes and submits tasks.
    pub const fn is_orchestration(self) -> bool {
        !matches!(self, Self::Incore | Self::IncoreInline)
    }

    /// Whether a call runs it in place, as part of its caller.
    pub const fn is_helper(self) -> bool {
        matches!(self, Self::Inline | Self::IncoreInline | Self::Opaque)
    }

    /// Whether `auto_scope = ..` may be written on it.
    pub const fn takes_auto_scope(self) -> bool {
        self.is_orchestration() && !matches!(self, Self::Opaque)
    }
}

/// What a function does with a tensor parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Access {
    /// `Tensor<..>`
    Read,
    /// `Out<Tensor<..>>`
    Write,
    /// `InOut<Tensor<..>>`
    ReadWrite,
}

impl Access {
    /// Whether the old contents matter.
    pub const fn reads(self) -> bool {
        !matches!(self, Self::Write)
    }

    /// Whether new contents are stored.
    pub const fn writes(self) -> bool {
        !matches!(self, Self::Read)
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "in",
            Self::Write => "out",
            Self::ReadWrite => "inout",
        })
    }
}

/// Whether the runtime orders the tasks of a scope by the bytes they touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ScopeMode {
    /// Dependencies are discovered.
    Auto,
    /// Dependencies among the scope's own tasks are declared by the user, and audited.
    Manual,
}

impl fmt::Display for ScopeMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "AUTO",
            Self::Manual => "MANUAL",
        })
    }
}

/// Dimensions that a tensor or tile has at most.
pub const MAX_RANK: usize = 5;

/// Element type of a tensor or tile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Elem {
    /// A concrete type.
    Known(DType),
    /// A type parameter of the Rust function.
    Generic(String),
    /// Fixed by a later use; a class of the function's element inference.
    Open(u32),
    /// Decided by a callee that is not known yet.
    Unknown,
}

impl fmt::Display for Elem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(dtype) => dtype.fmt(f),
            Self::Generic(name) => f.write_str(name),
            Self::Open(_) => f.write_str("_"),
            Self::Unknown => f.write_str("?"),
        }
    }
}

/// Type of a scalar value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Scalar {
    /// A Rust primitive by name (`usize`, `f32`, ...), or a type parameter.
    Named(String),
    /// An integer literal's open type.
    Integer,
    /// A float literal's open type.
    Float,
    /// Known to be a scalar; rustc finds out which.
    Open,
}

impl Scalar {
    /// A primitive or type parameter by name.
    pub fn named(name: &str) -> Self {
        Self::Named(name.to_owned())
    }

    /// Whether a type of this name is the same everywhere, and no type parameter or alias.
    pub fn is_primitive(name: &str) -> bool {
        const OTHERS: [&str; 6] = ["f64", "usize", "isize", "i128", "u128", "char"];
        DType::from_name(name).is_some() || OTHERS.contains(&name)
    }
}

/// Type of an expression.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Type {
    /// No value.
    Unit,
    /// A plain number or truth value.
    Scalar(Scalar),
    /// A handle of a tensor in device memory.
    Tensor(Elem),
    /// A handle of a tile in a core's scratch.
    Tile(Elem),
    /// The name of a task.
    TaskId,
    /// An array of names of tasks.
    TaskIds,
    /// Several values.
    Tuple(Vec<Type>),
    /// A constant of the surrounding Rust code: a scalar, resolved when the kernel is linked.
    Captured(CaptureId),
    /// Whatever this callee returns, resolved when the kernel is linked.
    ResultOf(CalleeId),
    /// Leaves the surrounding loop, or was reported already: unifies with everything.
    Never,
}

impl Type {
    /// `usize`
    pub fn usize() -> Self {
        Self::Scalar(Scalar::named("usize"))
    }

    /// `bool`
    pub fn bool() -> Self {
        Self::Scalar(Scalar::named("bool"))
    }

    /// Whether the value is certainly a plain scalar.
    pub const fn is_scalar(&self) -> bool {
        matches!(self, Self::Scalar(_) | Self::Captured(_))
    }

    /// Whether the value may be a handle that its scope owns.
    pub fn may_hold_handle(&self) -> bool {
        match self {
            Self::Tensor(_) | Self::Tile(_) | Self::TaskId | Self::TaskIds | Self::ResultOf(_) => {
                true
            }
            Self::Tuple(items) => items.iter().any(Self::may_hold_handle),
            _ => false,
        }
    }

    /// Whether it, or a part of it, is what some call returns.
    pub fn may_be_result(&self) -> bool {
        match self {
            Self::ResultOf(_) => true,
            Self::Tuple(items) => items.iter().any(Self::may_be_result),
            _ => false,
        }
    }

    /// What a user would call it.
    pub const fn noun(&self) -> &'static str {
        match self {
            Self::Unit => "nothing",
            Self::Scalar(_) | Self::Captured(_) => "a scalar",
            Self::Tensor(_) => "a tensor",
            Self::Tile(_) => "a tile",
            Self::TaskId => "a task id",
            Self::TaskIds => "an array of task ids",
            Self::Tuple(_) => "a tuple",
            Self::ResultOf(_) => "the result of a call",
            Self::Never => "never",
        }
    }
}
