//! The in-core engine: tiles in the scratch arena of a core, and the operations on them.
//!
//! Every operation takes the scope that its result is allocated in and the place of the call, and
//! gives a new row-major tile, or a view of an old one. Reading top down: [`Scratch`] hands
//! out memory, [`Tile`] is a view of it, `Nest` steps through several views at once, and a `Kernel`
//! is the loop over one row, compiled for the machine at hand.

#![allow(
    clippy::inline_always,
    reason = "a kernel is compiled for an instruction set only where it is inlined"
)]
#![allow(
    clippy::many_single_char_names,
    reason = "matrices and their lengths have short names"
)]

mod activation;
mod arg;
mod binary;
mod bounded;
mod broadcast;
mod columns;
mod compare;
mod concat;
mod create;
mod cumsum;
mod device;
mod dispatch;
mod either;
mod factor;
mod gemm;
mod half_bits;
mod handle;
mod lines;
mod math;
mod matmul;
mod memory;
mod nest;
mod notes;
mod number;
mod product;
mod reduce;
mod round;
mod rows;
mod scratch;
mod select;
mod softmax;
mod sort;
mod sweep;
mod transfer;
mod unary;
mod views;
mod without_data;

pub use arg::{col_argmax, col_argmin, row_argmax, row_argmin};
pub use binary::{Operand, OperandValue, add, div, maximum, minimum, mul, sub};
pub use bounded::{clamp, powi};
pub use columns::{col_max, col_mean, col_min, col_sum};
pub use compare::{and, eq, ge, gt, le, lt, ne, not, or};
pub use concat::concat;
pub use create::{full, iota, zeros};
pub use cumsum::cumsum;
pub use handle::Tile;
pub use matmul::{dot, dot_acc, dot_f32};
pub use notes::ScratchScope;
pub(crate) use notes::{Clock, Noting, Operation};
pub use product::{Factor, Product, Sum, add_product, product};
pub use reduce::{row_max, row_mean, row_min, row_sum};
pub use round::{cast_ceil, cast_floor, cast_rint, cast_round, cast_trunc};
pub use rows::{gather_rows, scatter_rows, take_rows};
pub use scratch::{Arena, POISON, Scratch};
pub use select::select;
pub use softmax::softmax;
pub use sort::{sort, sort_descending, top_k};
pub use sweep::{Input, Op, Step, Value, sweep};
pub use transfer::{copy_to, give, load, load_padded, store, store_clipped};
pub use unary::{
    abs, cast, exp, gelu, gelu_tanh, log, neg, recip, relu, rsqrt, sigmoid, silu, sqrt, tanh,
};
pub use views::transpose;
