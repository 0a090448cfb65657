//! Each operation of the table, as a function of a tile.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use pl_codegen::ops::Op;
use pl_runtime::{DType, OperationError, Scratch, Site, tile, tile::Tile};

const SITE: Site = Site::new("kernel.rs", 7);

/// What the operations are called with.
pub struct Arguments<'s> {
    pub x: Tile<'s>,
    pub floats: Tile<'s>,
    pub mask: Tile<'s>,
    pub indices: Tile<'s>,
}

impl<'s> Arguments<'s> {
    /// Tiles `[2, 2]` of ones, of which `x` has elements of type `dtype`.
    pub fn ones(core: &'s Scratch<'_>, dtype: DType) -> Result<Self, OperationError> {
        let ones = |dtype| tile::full(core, SITE, dtype, &[2, 2], 1);
        Ok(Self {
            x: ones(dtype)?,
            floats: ones(DType::F32)?,
            mask: ones(DType::Bool)?,
            indices: tile::full(core, SITE, DType::I32, &[2], 1)?,
        })
    }
}

pub type Call = for<'s> fn(&'s Scratch<'_>, DType, &Arguments<'s>) -> Result<(), OperationError>;

macro_rules! argument {
    ($at:ident tile) => {
        $at.x
    };
    ($at:ident operand) => {
        $at.x
    };
    ($at:ident any_tile) => {
        $at.floats
    };
    ($at:ident float_tile) => {
        $at.floats
    };
    ($at:ident mask) => {
        $at.mask
    };
    ($at:ident indices) => {
        $at.indices
    };
    ($at:ident scalar) => {
        1
    };
    ($at:ident dims) => {
        &[2, 2]
    };
}

/// `None` for an operation on tensors, which only a running task has.
macro_rules! call {
    ($name:ident (tensor $($rest:ident)*) [$($elem:ident)*]) => { None };
    ($name:ident (output $($rest:ident)*) [$($elem:ident)*]) => { None };
    ($name:ident ($($kind:ident)*) [open]) => {
        Some(|s, dtype, at| {
            let _ = at;
            tile::$name(s, SITE, dtype, $(argument!(at $kind)),*).map(drop)
        })
    };
    ($name:ident ($($kind:ident)*) [$($elem:ident)*]) => {
        Some(|s, _, at| tile::$name(s, SITE, $(argument!(at $kind)),*).map(drop))
    };
}

macro_rules! calls {
    ($(
        $(#[$doc:meta])* $variant:ident $name:ident $($symbol:literal)?
        ($($arg:ident: $kind:ident),*) -> [$($elem:ident),*] { $($columns:tt)* };
    )*) => {
        pub const CALLS: &[(Op, Option<Call>)] =
            &[$((Op::$variant, call!($name ($($kind)*) [$($elem)*]))),*];
    };
}

pl_codegen::for_each_operation!(calls);
