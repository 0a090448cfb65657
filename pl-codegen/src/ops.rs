//! The one table of operations on tiles.
//!
//! Everything that needs to know an operation reads it here: the parser, element inference, the
//! functions that kernels name, and the emitters.

use serde::{Deserialize, Serialize};

/// Calls `$callback!` with the table: `doc, Variant name(argument: kind, ..) -> result;` for each operation.
///
/// Argument kinds: `tensor`, `tile`, `any_tile` (element type independent of the result's),
/// `operand` (a tile or a scalar), `dims` (a list of lengths), `scalar`.
/// Result kinds: `tile` and `unit`.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_operation {
    ($callback:ident) => {
        $callback! {
            /// Copies a tensor into a new tile.
            Load load(source: tensor) -> tile;
            /// Copies a tile into a tensor of the same shape.
            Store store(target: tensor, value: tile) -> unit;
            /// Copies the bytes of `source` into the tile `target`, which keeps its place: the way out of a `scratch_scope!`.
            CopyTo copy_to(target: tile, source: tile) -> unit;
            /// A tile with every element set to `value`.
            Full full(dims: dims, value: scalar) -> tile;
            /// A tile of zeros.
            Zeros zeros(dims: dims) -> tile;
            /// The tile with elements of another type: `cast::<f16>(x)`.
            Cast cast(x: any_tile) -> tile;
            /// Element-wise larger value; broadcasts. NaN wins.
            Maximum maximum(a: operand, b: operand) -> tile;
            /// Element-wise smaller value; broadcasts. NaN wins.
            Minimum minimum(a: operand, b: operand) -> tile;
            /// Element-wise absolute value.
            Abs abs(x: tile) -> tile;
            /// Element-wise `e^x`.
            Exp exp(x: tile) -> tile;
            /// Element-wise natural logarithm.
            Log log(x: tile) -> tile;
            /// Element-wise square root.
            Sqrt sqrt(x: tile) -> tile;
            /// Element-wise `1 / sqrt(x)`.
            Rsqrt rsqrt(x: tile) -> tile;
            /// Element-wise `1 / x`.
            Recip recip(x: tile) -> tile;
            /// Element-wise hyperbolic tangent.
            Tanh tanh(x: tile) -> tile;
            /// Largest value of each row, `[r, c]` to `[r, 1]`.
            RowMax row_max(x: tile) -> tile;
            /// Smallest value of each row, `[r, c]` to `[r, 1]`.
            RowMin row_min(x: tile) -> tile;
            /// Sum of each row, `[r, c]` to `[r, 1]`.
            RowSum row_sum(x: tile) -> tile;
            /// Matrix product, `[m, k]` by `[k, n]` to `[m, n]`.
            Dot dot(a: tile, b: tile) -> tile;
            /// The last two dimensions exchanged; no element moves.
            Transpose transpose(x: tile) -> tile;
        }
    };
}

/// What an argument of an operation must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(non_camel_case_types, reason = "spelled as in the table")]
#[allow(missing_docs, reason = "explained at the table")]
pub enum ArgKind {
    tensor,
    tile,
    any_tile,
    operand,
    dims,
    scalar,
}

/// What an operation gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(non_camel_case_types, reason = "spelled as in the table")]
#[allow(missing_docs, reason = "explained at the table")]
pub enum ResultKind {
    tile,
    unit,
}

macro_rules! define {
    ($($(#[$doc:meta])* $variant:ident $name:ident($($arg:ident: $kind:ident),*) -> $result:ident;)*) => {
        /// An operation on tiles.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        pub enum Op {
            $($(#[$doc])* $variant,)*
        }

        impl Op {
            /// Every operation, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Name in kernels.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name),)* }
            }

            /// Name and kind of each argument.
            pub const fn args(self) -> &'static [(&'static str, ArgKind)] {
                match self { $(Self::$variant => &[$((stringify!($arg), ArgKind::$kind)),*],)* }
            }

            /// What it gives.
            pub const fn result(self) -> ResultKind {
                match self { $(Self::$variant => ResultKind::$result,)* }
            }
        }
    };
}

for_each_operation!(define);

impl Op {
    /// The operation of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|op| op.name() == name)
    }

    /// Whether the element type of the result is written, or found from later uses, rather than
    /// taken from an argument.
    pub fn opens_element(self) -> bool {
        self.result() == ResultKind::tile
            && !self
                .args()
                .iter()
                .any(|(_, kind)| matches!(kind, ArgKind::tensor | ArgKind::tile | ArgKind::operand))
    }
}

/// Functions that are no operations on tiles.
pub const ORCHESTRATION_NAMES: &[&str] = &[
    "create_tensor",
    "parallel",
    "unroll",
    "barrier",
    "block_idx",
    "block_num",
    "TaskId",
    "TaskIds",
];

/// Whether kernels may not have this name, because the language has it.
pub fn is_reserved(name: &str) -> bool {
    Op::from_name(name).is_some() || ORCHESTRATION_NAMES.contains(&name)
}
