//! The one table of operations on tiles.
//!
//! Everything that needs to know an operation reads it here: the parser, element inference, the checks
//! of element types, shapes and data flow, the functions that kernels name, the emitters, the model of
//! time, and the table in `docs/in-core.md`.

mod columns;

pub use columns::{ArgKind, Cost, OpKind, ResultElem, Shape, Types};

use crate::ir::{DType, Elem, Type};
use serde::{Deserialize, Serialize};

/// Calls `$callback!` with the table: the functions that kernels call by name, then the operators.
///
/// A row is `doc, Variant name(argument: kind, ..) -> [element, ..] { types: .., shape: .., cost: .. };`,
/// the name of an operator is followed by its symbol. An operation gives as many tiles as there are
/// elements in brackets. What may stand in a column is explained at its type: [`ArgKind`],
/// [`ResultElem`], [`Types`], [`Shape`], [`Cost`].
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_operation {
    ($callback:ident) => {
        $callback! {
            /// Copies a tensor into a new tile.
            Load load(source: tensor) -> [same] { types: all, shape: same, cost: dma };
            /// Copies a tile into a tensor of the same shape.
            Store store(target: output, value: tile) -> [] { types: all, shape: copied, cost: dma };
            /// A tile of shape `dims` with the tensor in its leading corner and `value` elsewhere: for ragged edges.
            LoadPadded load_padded(source: tensor, dims: dims, value: scalar) -> [same] { types: all, shape: padded, cost: dma };
            /// Copies the leading corner of a tile, as large as the tensor, into it.
            StoreClipped store_clipped(target: output, value: tile) -> [] { types: all, shape: clipped, cost: dma };
            /// Copies the bytes of `source` into the tile `target`, which keeps its place: the way out of a `scratch_scope!`.
            CopyTo copy_to(target: tile, source: tile) -> [] { types: all, shape: copied, cost: vector(1) };
            /// A tile with every element set to `value`.
            Full full(dims: dims, value: scalar) -> [open] { types: all, shape: dims, cost: vector(1) };
            /// A tile of zeros.
            Zeros zeros(dims: dims) -> [open] { types: all, shape: dims, cost: vector(1) };
            /// Each element is its own index along dimension `axis`: `iota::<i32>([8, 64], 1)`.
            Iota iota(dims: dims, axis: scalar) -> [open] { types: number, shape: dims, cost: vector(1) };
            /// The tile with elements of another type: `cast::<f16>(x)`. Floats round to the nearest float, of two to the even one, and truncate to integers, which saturate; NaN becomes 0.
            Cast cast(x: any_tile) -> [open] { types: all, shape: same, cost: vector(1) };
            /// As `cast`, rounding to the nearest, of two to the even one.
            CastRint cast_rint(x: float_tile) -> [open] { types: number, shape: same, cost: vector(1) };
            /// As `cast`, rounding to the nearest, of two to the one further from 0.
            CastRound cast_round(x: float_tile) -> [open] { types: number, shape: same, cost: vector(1) };
            /// As `cast`, rounding down.
            CastFloor cast_floor(x: float_tile) -> [open] { types: number, shape: same, cost: vector(1) };
            /// As `cast`, rounding up.
            CastCeil cast_ceil(x: float_tile) -> [open] { types: number, shape: same, cost: vector(1) };
            /// As `cast`, rounding towards 0.
            CastTrunc cast_trunc(x: float_tile) -> [open] { types: number, shape: same, cost: vector(1) };
            /// Element-wise larger value. NaN wins.
            Maximum maximum(a: operand, b: operand) -> [same] { types: number, shape: broadcast, cost: vector(1) };
            /// Element-wise smaller value. NaN wins.
            Minimum minimum(a: operand, b: operand) -> [same] { types: number, shape: broadcast, cost: vector(1) };
            /// Element-wise absolute value.
            Abs abs(x: tile) -> [same] { types: number, shape: same, cost: vector(1) };
            /// Element-wise `e^x`.
            Exp exp(x: tile) -> [same] { types: float, shape: same, cost: vector(1) };
            /// Element-wise natural logarithm.
            Log log(x: tile) -> [same] { types: float, shape: same, cost: vector(1) };
            /// Element-wise square root.
            Sqrt sqrt(x: tile) -> [same] { types: float, shape: same, cost: vector(1) };
            /// Element-wise `1 / sqrt(x)`.
            Rsqrt rsqrt(x: tile) -> [same] { types: float, shape: same, cost: vector(1) };
            /// Element-wise `1 / x`.
            Recip recip(x: tile) -> [same] { types: float, shape: same, cost: vector(1) };
            /// Element-wise hyperbolic tangent.
            Tanh tanh(x: tile) -> [same] { types: float, shape: same, cost: vector(6) };
            /// Element-wise `1 / (1 + e^-x)`.
            Sigmoid sigmoid(x: tile) -> [same] { types: float, shape: same, cost: vector(4) };
            /// Element-wise `x * sigmoid(x)`.
            Silu silu(x: tile) -> [same] { types: float, shape: same, cost: vector(4) };
            /// Element-wise `x / 2 * (1 + erf(x / sqrt(2)))`.
            Gelu gelu(x: tile) -> [same] { types: float, shape: same, cost: vector(20) };
            /// Element-wise `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`, the usual approximation of `gelu`.
            GeluTanh gelu_tanh(x: tile) -> [same] { types: float, shape: same, cost: vector(7) };
            /// Element-wise `x`, or 0 where it is negative. NaN stays.
            Relu relu(x: tile) -> [same] { types: signed, shape: same, cost: vector(1) };
            /// Element-wise `x` to the power of the integer `n`, by multiplications. Of integers `n` is not negative.
            Powi powi(x: tile, n: scalar) -> [same] { types: number, shape: same, cost: vector(4) };
            /// Element-wise `x`, or the bound that it is beyond. NaN stays.
            Clamp clamp(x: tile, low: scalar, high: scalar) -> [same] { types: number, shape: same, cost: vector(2) };
            /// Element-wise `a < b`. False for NaN.
            Lt lt(a: operand, b: operand) -> [bool] { types: number, shape: broadcast, cost: vector(1) };
            /// Element-wise `a <= b`. False for NaN.
            Le le(a: operand, b: operand) -> [bool] { types: number, shape: broadcast, cost: vector(1) };
            /// Element-wise `a > b`. False for NaN.
            Gt gt(a: operand, b: operand) -> [bool] { types: number, shape: broadcast, cost: vector(1) };
            /// Element-wise `a >= b`. False for NaN.
            Ge ge(a: operand, b: operand) -> [bool] { types: number, shape: broadcast, cost: vector(1) };
            /// Element-wise `a == b`. False for NaN.
            Eq eq(a: operand, b: operand) -> [bool] { types: number, shape: broadcast, cost: vector(1) };
            /// Element-wise `a != b`. True for NaN.
            Ne ne(a: operand, b: operand) -> [bool] { types: number, shape: broadcast, cost: vector(1) };
            /// Element-wise `a` where `mask` is true, `b` where it is false.
            Select select(mask: mask, a: operand, b: operand) -> [same] { types: all, shape: broadcast, cost: vector(1) };
            /// Where both are true.
            And and(a: tile, b: tile) -> [same] { types: bool, shape: broadcast, cost: vector(1) };
            /// Where one of them is true, or both.
            Or or(a: tile, b: tile) -> [same] { types: bool, shape: broadcast, cost: vector(1) };
            /// Where it is false.
            Not not(x: tile) -> [same] { types: bool, shape: same, cost: vector(1) };
            /// Largest value of each row.
            RowMax row_max(x: tile) -> [same] { types: number, shape: row, cost: reduce };
            /// Smallest value of each row.
            RowMin row_min(x: tile) -> [same] { types: number, shape: row, cost: reduce };
            /// Sum of each row.
            RowSum row_sum(x: tile) -> [same] { types: number, shape: row, cost: reduce };
            /// Mean of each row.
            RowMean row_mean(x: tile) -> [same] { types: float, shape: row, cost: reduce };
            /// Index of the first of the largest values of each row. NaN counts as the largest.
            RowArgmax row_argmax(x: tile) -> [i32] { types: number, shape: row, cost: reduce };
            /// Index of the first of the smallest values of each row. NaN counts as the smallest.
            RowArgmin row_argmin(x: tile) -> [i32] { types: number, shape: row, cost: reduce };
            /// Largest value of each column.
            ColMax col_max(x: tile) -> [same] { types: number, shape: column, cost: reduce };
            /// Smallest value of each column.
            ColMin col_min(x: tile) -> [same] { types: number, shape: column, cost: reduce };
            /// Sum of each column.
            ColSum col_sum(x: tile) -> [same] { types: number, shape: column, cost: reduce };
            /// Mean of each column.
            ColMean col_mean(x: tile) -> [same] { types: float, shape: column, cost: reduce };
            /// Index of the first of the largest values of each column. NaN counts as the largest.
            ColArgmax col_argmax(x: tile) -> [i32] { types: number, shape: column, cost: reduce };
            /// Index of the first of the smallest values of each column. NaN counts as the smallest.
            ColArgmin col_argmin(x: tile) -> [i32] { types: number, shape: column, cost: reduce };
            /// `exp(x - row_max(x))` divided by its sum, along each row.
            Softmax softmax(x: tile) -> [same] { types: float, shape: same, cost: vector(5) };
            /// Each element with all before it in its row.
            Cumsum cumsum(x: tile) -> [same] { types: number, shape: same, cost: vector(7) };
            /// Each row from the smallest to the largest value, NaN last, and the index that each value had. Stable.
            Sort sort(x: tile) -> [same, i32] { types: number, shape: same, cost: vector(32) };
            /// Each row from the largest to the smallest value, NaN first, and the index that each value had. Stable.
            SortDescending sort_descending(x: tile) -> [same, i32] { types: number, shape: same, cost: vector(32) };
            /// The `k` largest values of each row, from the largest, and their indices; of equal ones those with the lower index.
            TopK top_k(x: tile, k: scalar) -> [same, i32] { types: number, shape: top, cost: vector(32) };
            /// `b` behind `a` along dimension `axis`.
            Concat concat(a: tile, b: tile, axis: scalar) -> [same] { types: all, shape: behind, cost: vector(1) };
            /// The rows of a tensor that `indices` name, `[n]` or `[n, 1]`; a row is what one index of the first dimension selects.
            GatherRows gather_rows(source: tensor, indices: indices) -> [same] { types: all, shape: rows, cost: dma };
            /// Copies row `i` of `value` to the row of `target` that index `i` names; of equal indices the last wins.
            ScatterRows scatter_rows(target: output, indices: indices, value: tile) -> [] { types: all, shape: to_rows, cost: dma };
            /// The rows of a tile that `indices` name, `[n]` or `[n, 1]`.
            TakeRows take_rows(x: tile, indices: indices) -> [same] { types: all, shape: rows, cost: vector(1) };
            /// Matrix product.
            Dot dot(a: tile, b: tile) -> [same] { types: number, shape: product, cost: matrix };
            /// Matrix product in `f32`, whatever float type the tiles have.
            DotF32 dot_f32(a: tile, b: tile) -> [f32] { types: float, shape: product, cost: matrix };
            /// Adds the matrix product of `a` and `b` to the tile `acc`, which is `f32` or of their type.
            DotAcc dot_acc(acc: any_tile, a: tile, b: tile) -> [] { types: float, shape: accumulated, cost: matrix };
            /// The last two dimensions exchanged; no element moves.
            Transpose transpose(x: tile) -> [same] { types: all, shape: transposed, cost: free };

            /// Sum; integers wrap.
            Add add "+" (a: operand, b: operand) -> [same] { types: number, shape: broadcast, cost: vector(1) };
            /// Difference; integers wrap.
            Sub sub "-" (a: operand, b: operand) -> [same] { types: number, shape: broadcast, cost: vector(1) };
            /// Product; integers wrap.
            Mul mul "*" (a: operand, b: operand) -> [same] { types: number, shape: broadcast, cost: vector(1) };
            /// Quotient; an integer divided by 0 is an error.
            Div div "/" (a: operand, b: operand) -> [same] { types: number, shape: broadcast, cost: vector(1) };
            /// Opposite; integers wrap.
            Neg neg "-" (x: tile) -> [same] { types: number, shape: same, cost: vector(1) };
        }
    };
}

macro_rules! define {
    ($(
        $(#[$doc:meta])* $variant:ident $name:ident $($symbol:literal)?
        ($($arg:ident: $kind:ident),*) -> [$($elem:ident),*]
        { types: $types:ident, shape: $shape:ident, cost: $cost:ident $(($count:literal))? };
    )*) => {
        /// An operation on tiles.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        pub enum Op {
            $($(#[$doc])* $variant,)*
        }

        impl Op {
            /// Every operation, in the order of the table; operators are the last.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Name in kernels, and in the operation log.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name),)* }
            }

            /// What an operator is written as; kernels call all others by their name.
            pub const fn symbol(self) -> Option<&'static str> {
                match self { $(Self::$variant => symbol!($($symbol)?),)* }
            }

            /// Name and kind of each argument.
            pub const fn args(self) -> &'static [(&'static str, ArgKind)] {
                match self { $(Self::$variant => &[$((stringify!($arg), ArgKind::$kind)),*],)* }
            }

            /// The tiles that it gives; several are a tuple.
            pub const fn results(self) -> &'static [ResultElem] {
                match self { $(Self::$variant => &[$(ResultElem::$elem),*],)* }
            }

            /// The element types that it works on.
            pub const fn types(self) -> Types {
                match self { $(Self::$variant => Types::$types,)* }
            }

            /// How shapes go together.
            pub const fn shape(self) -> Shape {
                match self { $(Self::$variant => Shape::$shape,)* }
            }

            /// What it costs on the device.
            pub const fn cost(self) -> Cost {
                match self { $(Self::$variant => Cost::$cost $(($count))?,)* }
            }
        }
    };
}

macro_rules! symbol {
    () => {
        None
    };
    ($symbol:literal) => {
        Some($symbol)
    };
}

for_each_operation!(define);

impl Op {
    /// The operation that kernels call by this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::functions().find(|op| op.name() == name)
    }

    /// The operations that kernels call by their names.
    pub fn functions() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|op| op.symbol().is_none())
    }

    /// Whether it can be a step of a [`Sweep`](crate::ir::Sweep): it takes and gives rows of floats.
    pub fn in_sweeps(self) -> bool {
        use Op::{Cast, CopyTo, Load, Store};
        let floats = matches!(self.types(), Types::number | Types::signed | Types::float);
        let same = self.results() == [ResultElem::same];
        let operands = self
            .args()
            .iter()
            .all(|(_, kind)| matches!(kind, ArgKind::tile | ArgKind::operand));
        let by_rows = matches!(self.shape(), Shape::same | Shape::broadcast | Shape::row);
        let alone = matches!(self, Op::Softmax | Op::Cumsum);
        matches!(self, Load | Store | CopyTo | Cast)
            || floats && same && operands && by_rows && !alone
    }

    /// The unit that it occupies.
    pub const fn kind(self) -> OpKind {
        self.cost().kind()
    }

    /// Whether it writes every element of its first argument, a tensor.
    pub fn writes_whole(self) -> bool {
        let to_tensor = matches!(self.args(), [(_, ArgKind::output), ..]);
        to_tensor && matches!(self.shape(), Shape::copied | Shape::clipped)
    }

    /// Whether the element type of the result is written, or found from later uses, rather than
    /// taken from an argument.
    pub fn opens_element(self) -> bool {
        self.results().contains(&ResultElem::open)
    }

    /// The type of what it gives, if it works on elements of type `elem`.
    pub fn result_type(self, elem: &Elem) -> Type {
        let tile = |result: &ResultElem| {
            Type::Tile(match result {
                ResultElem::same | ResultElem::open => elem.clone(),
                ResultElem::bool => Elem::Known(DType::Bool),
                ResultElem::i32 => Elem::Known(DType::I32),
                ResultElem::f32 => Elem::Known(DType::F32),
            })
        };
        match self.results() {
            [] => Type::Unit,
            [one] => tile(one),
            several => Type::Tuple(several.iter().map(tile).collect()),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_operations_have_one_name() {
        for (index, op) in Op::ALL.iter().enumerate() {
            let same = |other: &&Op| other.name() == op.name();
            assert!(!Op::ALL[..index].iter().any(|other| same(&other)), "{op:?}");
        }
    }

    #[test]
    fn an_element_type_comes_from_an_argument_unless_it_is_open() {
        for op in Op::ALL {
            let from_argument = op.args().iter().any(|(_, kind)| kind.has_element());
            assert_ne!(from_argument, op.opens_element(), "{op:?}");
            assert!(!op.opens_element() || op.results().len() == 1, "{op:?}");
        }
    }

    #[test]
    fn operators_are_no_names_that_kernels_call() {
        assert_eq!(Op::from_name("add"), None);
        assert!(!is_reserved("add"));
        assert_eq!(Op::Add.symbol(), Some("+"));
    }
}
