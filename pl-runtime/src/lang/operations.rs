//! The operations on tiles, from the one table in `pl-codegen`.

use super::{AnyRank, Dims, Operand, Tile, outside};
use crate::dtype::{Element, Scalar};

macro_rules! argument {
    (tensor) => { impl AnyRank<T> };
    (tile) => { Tile<T> };
    (any_tile) => { Tile<impl Element> };
    (operand) => { impl Operand<T> };
    (dims) => { impl Dims };
    (scalar) => { impl Scalar };
}

macro_rules! result {
    (tile) => { Tile<T> };
    (unit) => { () };
}

macro_rules! define {
    ($($(#[$doc:meta])* $variant:ident $name:ident($($arg:ident: $kind:ident),*) -> $result:ident;)*) => {$(
        $(#[$doc])*
        #[track_caller]
        pub fn $name<T: Element>($($arg: argument!($kind)),*) -> result!($result) {
            $(let _ = $arg;)*
            outside(stringify!($name))
        }
    )*};
}

pl_codegen::for_each_operation!(define);
