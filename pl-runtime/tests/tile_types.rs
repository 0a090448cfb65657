//! Every operation of the table works on the element types that the table says, and on no other.

mod tile_support;

use pl_codegen::ops::Op;
use pl_runtime::dtype::DType;
use pl_runtime::error::OperationError;
use pl_runtime::tile::{self, Scratch, Tile};
use tile_support::*;

/// What the operations are called with.
struct Arguments<'s> {
    x: Tile<'s>,
    floats: Tile<'s>,
    mask: Tile<'s>,
    indices: Tile<'s>,
}

type Call = for<'s> fn(&'s Scratch<'_>, DType, &Arguments<'s>) -> Result<(), OperationError>;

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
        const CALLS: &[(Op, Option<Call>)] =
            &[$((Op::$variant, call!($name ($($kind)*) [$($elem)*]))),*];
    };
}

pl_codegen::for_each_operation!(calls);

fn run(op: Op, call: Call, dtype: DType) -> Result<(), OperationError> {
    let mut arena = arena();
    let core = arena.start_task();
    let ones = |dtype| tile::full(&core, SITE, dtype, &[2, 2], 1).unwrap();
    let at = Arguments {
        x: ones(dtype),
        floats: ones(DType::F32),
        mask: ones(DType::Bool),
        indices: tile::full(&core, SITE, DType::I32, &[2], 1).unwrap(),
    };
    call(&core, dtype, &at).inspect_err(|error| assert_eq!(error.operation, op.name()))
}

#[test]
fn operations_work_on_the_types_of_the_table_and_on_no_other() {
    for &(op, call) in CALLS {
        let Some(call) = call else { continue };
        for dtype in DType::ALL {
            let result = run(op, call, dtype);
            assert_eq!(
                result.is_ok(),
                op.types().has(dtype),
                "`{}` of {dtype}: {result:?}",
                op.name()
            );
            if let Err(error) = result {
                let text = error.to_string();
                let helps = ["`cast`", "compare", "write `"];
                assert!(helps.iter().any(|help| text.contains(help)), "{text}");
            }
        }
    }
}
