//! What the columns of the table of operations may say.

use crate::ir::DType;

/// What an argument of an operation must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(non_camel_case_types, reason = "spelled as in the table")]
pub enum ArgKind {
    /// A tensor that is read, or a view of one; elements as of the result.
    tensor,
    /// A tensor that is written, or a view of one; [`Op::writes_whole`](super::Op::writes_whole) says whether all of it.
    output,
    /// A tile; elements as of the result.
    tile,
    /// A tile whose elements may have another type than the result's.
    any_tile,
    /// A tile of floats, whose elements may have another type than the result's.
    float_tile,
    /// A tile of `bool`.
    mask,
    /// A tile of integers.
    indices,
    /// A tile or a scalar.
    operand,
    /// A list of lengths: `[rows, columns]`.
    dims,
    /// A scalar.
    scalar,
}

impl ArgKind {
    /// Whether a tile may be given.
    pub const fn takes_tile(self) -> bool {
        matches!(
            self,
            Self::tile
                | Self::any_tile
                | Self::float_tile
                | Self::mask
                | Self::indices
                | Self::operand
        )
    }

    /// Whether a scalar may be given.
    pub const fn takes_scalar(self) -> bool {
        matches!(self, Self::scalar | Self::operand)
    }

    /// Whether a tensor may be given.
    pub const fn takes_tensor(self) -> bool {
        matches!(self, Self::tensor | Self::output)
    }

    /// Whether its elements have the type that the operation works on.
    pub const fn has_element(self) -> bool {
        matches!(
            self,
            Self::tensor | Self::output | Self::tile | Self::operand
        )
    }

    /// The element type that it always has.
    pub const fn element(self) -> Option<DType> {
        match self {
            Self::mask => Some(DType::Bool),
            _ => None,
        }
    }
}

/// The element type of a tile that an operation gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(non_camel_case_types, reason = "spelled as in the table")]
pub enum ResultElem {
    /// That of its arguments.
    same,
    /// Written, `zeros::<f32>(..)`, or found from later uses.
    open,
    /// `bool`
    bool,
    /// `i32`
    i32,
    /// `f32`
    f32,
}

/// The element types that an operation works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(non_camel_case_types, reason = "spelled as in the table")]
pub enum Types {
    /// All, `bool` included.
    all,
    /// All but `bool`.
    number,
    /// Floats and signed integers.
    signed,
    /// `f32 f16 bf16`
    float,
    /// `bool` alone.
    bool,
}

impl Types {
    /// Every class, from the widest.
    pub const ALL: [Self; 5] = [
        Self::all,
        Self::number,
        Self::signed,
        Self::float,
        Self::bool,
    ];

    /// Whether it has this type.
    pub const fn has(self, dtype: DType) -> bool {
        use DType::{Bool, U8, U16, U32, U64};
        match self {
            Self::all => true,
            Self::number => !matches!(dtype, Bool),
            Self::signed => !matches!(dtype, Bool | U8 | U16 | U32 | U64),
            Self::float => dtype.is_float(),
            Self::bool => matches!(dtype, Bool),
        }
    }

    /// As the table of the documentation has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::all => "all",
            Self::number => "number",
            Self::signed => "signed",
            Self::float => "float",
            Self::bool => "bool",
        }
    }

    /// What a user would call elements of these types.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::all => "all elements",
            Self::number => "numbers",
            Self::signed => "floats and signed integers",
            Self::float => "floats",
            Self::bool => "`bool`",
        }
    }

    /// One of them.
    pub const fn example(self) -> DType {
        match self {
            Self::all | Self::number | Self::signed | Self::float => DType::F32,
            Self::bool => DType::Bool,
        }
    }

    /// What a tile of another type becomes one of these by.
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::all | Self::number | Self::signed | Self::float => "`cast::<f32>(..)` it before",
            Self::bool => "compare it with something before: `ne(x, 0)`",
        }
    }
}

/// How the shape of what an operation gives, or what it demands, follows from its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(non_camel_case_types, reason = "spelled as in the table")]
pub enum Shape {
    /// That of the first argument.
    same,
    /// What all arguments broadcast to, as in numpy.
    broadcast,
    /// The list of lengths that is given.
    dims,
    /// The last length becomes 1.
    row,
    /// The last but one length becomes 1.
    column,
    /// `[m, k]` and `[k, n]` become `[m, n]`.
    product,
    /// Gives nothing; the first argument has the shape of the product of the others.
    accumulated,
    /// The last two lengths are exchanged.
    transposed,
    /// The last length becomes the second argument.
    top,
    /// Equal but for the dimension that the third argument names, in which the lengths add up.
    behind,
    /// That of the first argument, with as many rows as there are indices.
    rows,
    /// Gives nothing; the last argument has as many rows as there are indices, like those of the first.
    to_rows,
    /// Gives nothing; both arguments have one shape.
    copied,
    /// The list of lengths that is given, none smaller than the first argument's.
    padded,
    /// Gives nothing; no length of the first argument is larger than the second's.
    clipped,
}

impl Shape {
    /// As the table of the documentation has it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::same => "same",
            Self::broadcast => "broadcast",
            Self::dims => "`dims`",
            Self::row => "`[r, c]` to `[r, 1]`",
            Self::column => "`[r, c]` to `[1, c]`",
            Self::product => "`[m, k]` and `[k, n]` to `[m, n]`",
            Self::accumulated => "`[m, n]`, `[m, k]` and `[k, n]`",
            Self::transposed => "`[r, c]` to `[c, r]`",
            Self::top => "`[.., c]` to `[.., k]`",
            Self::behind => "lengths of `axis` add up",
            Self::rows => "`[r, ..]` to `[n, ..]`",
            Self::to_rows => "`value` is `[n, ..]`",
            Self::copied => "equal",
            Self::padded => "`dims`, as large as `source` or larger",
            Self::clipped => "`target` as large as `value` or smaller",
        }
    }
}

/// What an operation costs on the device, for the model of its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(non_camel_case_types, reason = "spelled as in the table")]
pub enum Cost {
    /// Nothing: a view.
    free,
    /// The bytes that move between device memory and scratch.
    dma,
    /// So many instructions of the vector unit for each vector of elements of the largest tile it
    /// touches. What the device has as one instruction (`+`, `exp`, `sqrt`, a comparison, a cast)
    /// counts 1; other functions count those that they are made of.
    vector(u32),
    /// One instruction for each vector of elements of the argument, and the steps that fold a vector.
    reduce,
    /// The multiply-adds of the matrix unit.
    matrix,
}

/// The unit that an operation occupies, as the operation log names it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OpKind {
    /// No unit: a view.
    View,
    /// Copies between device memory and scratch.
    Dma,
    /// The vector unit.
    Math,
    /// The matrix unit.
    Gemm,
}

impl OpKind {
    /// As in the operation log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::View => "view",
            Self::Dma => "dma",
            Self::Math => "math",
            Self::Gemm => "gemm",
        }
    }
}

impl Cost {
    /// The unit that it occupies.
    pub const fn kind(self) -> OpKind {
        match self {
            Self::free => OpKind::View,
            Self::dma => OpKind::Dma,
            Self::vector(_) | Self::reduce => OpKind::Math,
            Self::matrix => OpKind::Gemm,
        }
    }
}
