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
    macro_rules! operations {
        ($($op:ident $name:ident($($arg:ident $kind:ident),*);)*) => {
            match step.op {
                Op::Store => tile::store(s, at, a.tensor(), b.tile()).map(|()| None),
                Op::CopyTo => tile::copy_to(s, at, a.tile(), b.tile()).map(|()| None),
                Op::Cast => {
                    let dtype = step.dtype.expect("a cast has a type");
                    tile::cast(s, at, dtype, a.tile()).map(Some)
                }
                $(Op::$op => tile::$name(s, at $(, $arg.$kind())*).map(Some),)*
                op => unreachable!("{op:?} is no operation of a sweep"),
            }
        };
    }
    operations! {
        Load load(a tensor);
        Add add(a operand, b operand);
        Sub sub(a operand, b operand);
        Mul mul(a operand, b operand);
        Div div(a operand, b operand);
        Maximum maximum(a operand, b operand);
        Minimum minimum(a operand, b operand);
        Neg neg(a tile);
        Abs abs(a tile);
        Exp exp(a tile);
        Log log(a tile);
        Sqrt sqrt(a tile);
        Rsqrt rsqrt(a tile);
        Recip recip(a tile);
        Tanh tanh(a tile);
        Sigmoid sigmoid(a tile);
        Silu silu(a tile);
        Gelu gelu(a tile);
        GeluTanh gelu_tanh(a tile);
        Relu relu(a tile);
        RowMax row_max(a tile);
        RowMin row_min(a tile);
        RowSum row_sum(a tile);
        RowMean row_mean(a tile);
    }
}
