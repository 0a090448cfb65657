//! The steps of a sweep one after the other, by the operations themselves.

use super::{Input, Op, Step, Value};
use crate::error::OperationError;
use crate::tensor::Tensor;
use crate::tile::handle::Tile;
use crate::tile::scratch::Scratch;
use crate::tile::{self, OperandValue};

/// What a step takes.
#[derive(Clone, Copy)]
enum Arg<'s> {
    Operand(OperandValue<'s>),
    Tensor(Tensor<'s>),
    Nothing,
}

impl<'s> Arg<'s> {
    fn operand(self) -> OperandValue<'s> {
        match self {
            Self::Operand(value) => value,
            Self::Tensor(_) | Self::Nothing => unreachable!("the step takes a tile or a scalar"),
        }
    }

    fn tile(self) -> Tile<'s> {
        match self {
            Self::Operand(OperandValue::Tile(tile)) => tile,
            _ => unreachable!("the step takes a tile"),
        }
    }

    fn tensor(self) -> Tensor<'s> {
        match self {
            Self::Tensor(tensor) => tensor,
            _ => unreachable!("the step takes a tensor"),
        }
    }
}

pub(super) fn run<'s, const N: usize>(
    s: &'s Scratch<'_>,
    steps: &[Step<'_>],
    inputs: &[Input<'s>],
    kept: [usize; N],
) -> Result<[Tile<'s>; N], OperationError> {
    let mut results: Vec<Option<Tile<'s>>> = Vec::with_capacity(steps.len());
    for step in steps {
        let mut args = [Arg::Nothing; 3];
        for (to, arg) in args.iter_mut().zip(step.args) {
            *to = match *arg {
                Value::Step(at) => Arg::Operand(OperandValue::Tile(results[at].expect("a tile"))),
                Value::Input(at) => match inputs[at] {
                    Input::Tile(tile) => Arg::Operand(OperandValue::Tile(tile)),
                    Input::Scalar(value) => Arg::Operand(OperandValue::Scalar(value)),
                    Input::Tensor(tensor) => Arg::Tensor(tensor),
                },
            };
        }
        results.push(one(s, step, args)?);
    }
    Ok(kept.map(|step| results[step].expect("a tile")))
}

fn one<'s>(
    s: &'s Scratch<'_>,
    step: &Step<'_>,
    [a, b, _]: [Arg<'s>; 3],
) -> Result<Option<Tile<'s>>, OperationError> {
    let at = step.site;
    /// The call of an operation, by the kinds of its arguments.
    macro_rules! call {
        (cast $($columns:tt)*) => {{
            let dtype = step.dtype.expect("a cast has a type");
            tile::cast(s, at, dtype, a.tile()).map(Some)
        }};
        ($name:ident(tensor) [same]) => {
            tile::$name(s, at, a.tensor()).map(Some)
        };
        ($name:ident(output tile) []) => {
            tile::$name(s, at, a.tensor(), b.tile()).map(|()| None)
        };
        ($name:ident(tile tile) []) => {
            tile::$name(s, at, a.tile(), b.tile()).map(|()| None)
        };
        ($name:ident(tile) [same]) => {
            tile::$name(s, at, a.tile()).map(Some)
        };
        ($name:ident(operand operand) [same]) => {
            tile::$name(s, at, a.operand(), b.operand()).map(Some)
        };
        ($name:ident $($columns:tt)*) => {
            unreachable!("`{}` is no operation of a sweep", stringify!($name))
        };
    }
    macro_rules! operations {
        ($(
            $(#[$doc:meta])* $variant:ident $name:ident $($symbol:literal)?
            ($($arg:ident: $kind:ident),*) -> [$($elem:ident),*] { $($columns:tt)* };
        )*) => {
            match step.op {
                $(Op::$variant => call!($name($($kind)*) [$($elem)*]),)*
            }
        };
    }
    pl_codegen::for_each_operation!(operations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::site::Site;
    use crate::tile::{Arena, full};
    use pl_codegen::ops::ArgKind;

    #[test]
    fn every_operation_of_sweeps_can_be_done_alone() {
        let on_tensors = |op: &Op| op.args().iter().any(|(_, kind)| kind.takes_tensor());
        for op in Op::ALL
            .iter()
            .filter(|op| op.in_sweeps() && !on_tensors(op))
        {
            let mut arena = Arena::new(4096, true).unwrap();
            let s = &arena.start_task();
            let x = full(s, Site::ROOT, DType::F32, &[2, 3], 1).unwrap();
            let tiles = op
                .args()
                .iter()
                .filter(|(_, kind)| *kind != ArgKind::scalar);
            let step = Step {
                op: *op,
                site: Site::ROOT,
                args: &[Value::Input(0); 3][..tiles.count()],
                dtype: Some(DType::F16),
            };
            let done = run(s, &[step], &[Input::Tile(x)], []);
            assert!(done.is_ok(), "{op:?}: {done:?}");
        }
    }
}
