//! The operations on tiles, from the one table in `pl-codegen`.

use super::{AnyRank, Dims, Operand, Tile, outside};
use crate::dtype::{Element, Scalar};

macro_rules! argument {
    (tensor) => { impl AnyRank<T> };
    (output) => { impl AnyRank<T> };
    (tile) => { Tile<T> };
    (any_tile) => { Tile<impl Element> };
    (float_tile) => { Tile<impl Element> };
    (mask) => { Tile<bool> };
    (indices) => { Tile<impl Element> };
    (operand) => { impl Operand<T> };
    (dims) => { impl Dims };
    (scalar) => { impl Scalar };
}

macro_rules! result {
    () => { () };
    ($elem:ident) => { Tile<element!($elem)> };
    ($($elem:ident)+) => { ($(Tile<element!($elem)>,)+) };
}

macro_rules! element {
    (same) => {
        T
    };
    (open) => {
        T
    };
    ($fixed:ident) => {
        $fixed
    };
}

macro_rules! define {
    ($(
        $(#[$doc:meta])* $variant:ident $name:ident $($symbol:literal)?
        ($($arg:ident: $kind:ident),*) -> [$($elem:ident),*] { $($columns:tt)* };
    )*) => {$(
        function! { [$($symbol)?] $(#[$doc])* $name($($arg: $kind),*) -> [$($elem)*] }
    )*};
}

macro_rules! function {
    ([$symbol:literal] $($row:tt)*) => {};
    ([] $(#[$doc:meta])* $name:ident($($arg:ident: $kind:ident),*) -> [$($elem:ident)*]) => {
        $(#[$doc])*
        #[track_caller]
        pub fn $name<T: Element>($($arg: argument!($kind)),*) -> result!($($elem)*) {
            $(let _ = $arg;)*
            outside(stringify!($name))
        }
    };
}

pl_codegen::for_each_operation!(define);
