//! A sweep gives what its operations give one after the other.

#![allow(
    clippy::many_single_char_names,
    reason = "matrices and their lengths have short names"
)]

use crate::support::{SITE, noise};
use pl_runtime::dtype::DType;
use pl_runtime::error::OperationError;
use pl_runtime::tensor::SliceItem::{Full, Range};
use pl_runtime::tile::{self, Arena, Input, Op, OperandValue, Scratch, Step, Tile, Value};
use proptest::prelude::*;

/// Decisions, one after the other; zeros when they are used up.
struct Choices<'a>(&'a [u32]);

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first as usize % bound
    }
}

const UNARY: [Op; 6] = [Op::Neg, Op::Abs, Op::Exp, Op::Sqrt, Op::Recip, Op::Tanh];
const BINARY: [Op; 6] = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Maximum, Op::Minimum];
const ROWS: [Op; 3] = [Op::RowMax, Op::RowMin, Op::RowSum];

/// A program: what each step does, and which results are kept.
#[derive(Debug)]
struct Program {
    steps: Vec<(Op, Vec<Value>)>,
    kept: [usize; 2],
}

/// Tiles for the inputs of a program, some of which share elements.
fn inputs<'s>(core: &'s Scratch<'_>, [r, c]: [usize; 2]) -> Vec<Input<'s>> {
    let make = |seed: u64, dims: &[usize]| {
        let tile = tile::zeros(core, SITE, DType::F32, dims).unwrap();
        let flat = tile
            .reshape(&[dims.iter().product::<usize>()], SITE)
            .unwrap();
        for (i, value) in (0..flat.dims()[0]).map(noise(seed)).enumerate() {
            flat.set(SITE, &[i], value * 4.0).unwrap();
        }
        tile
    };
    let wide = make(1, &[r + 1, c + 2]);
    let part = |rows: usize, columns: usize| {
        let rows = Range(rows, rows + r);
        let slice = wide.slice(&[rows, Range(columns, columns + c)], SITE);
        Input::Tile(slice.unwrap())
    };
    let column = make(2, &[r, 2]);
    let column = |at: usize| column.slice(&[Full, Range(at, at + 1)], SITE).unwrap();
    vec![
        part(0, 0),
        part(0, 1),
        part(1, 0),
        Input::Tile(make(3, &[r, c])),
        Input::Tile(column(0)),
        Input::Tile(column(1)),
        Input::Tile(make(4, &[r, 1])),
        Input::Tile(make(5, &[1, c])),
        Input::Tile(make(6, &[c])),
        Input::Tile(make(7, &[1, 1])),
        Input::Tile(make(8, &[c, r]).transpose(0, 1, SITE).unwrap()),
        Input::operand(0.75_f32),
        Input::operand(3_usize),
    ]
}

const WIDE_INPUTS: [usize; 4] = [0, 1, 2, 3];
const SCALARS: [usize; 2] = [11, 12];

impl Program {
    fn random(mut choices: Choices<'_>, length: usize) -> Self {
        let mut steps: Vec<(Op, Vec<Value>)> = Vec::new();
        // The steps that give something, and whether it has all columns.
        let mut results: Vec<(usize, bool)> = Vec::new();
        while steps.len() < length {
            let any = |choices: &mut Choices<'_>, results: &[(usize, bool)]| {
                // Mostly something that a step gave.
                match choices.below(3) {
                    0 => Value::Input(choices.below(11)),
                    _ if results.is_empty() => Value::Input(choices.below(4)),
                    _ => Value::Step(results[choices.below(results.len())].0),
                }
            };
            let is_wide = |value: Value, results: &[(usize, bool)]| match value {
                Value::Input(at) => !matches!(at, 4..=6 | 9),
                Value::Step(at) => results.iter().any(|&(step, wide)| step == at && wide),
            };
            let a = any(&mut choices, &results);
            let at = steps.len();
            match choices.below(8) {
                0..4 => {
                    let b = match choices.below(4) {
                        0 => Value::Input(SCALARS[choices.below(2)]),
                        _ => any(&mut choices, &results),
                    };
                    let wide = is_wide(a, &results) || is_wide(b, &results);
                    steps.push((BINARY[choices.below(BINARY.len())], vec![a, b]));
                    results.push((at, wide));
                }
                4 | 5 => {
                    steps.push((UNARY[choices.below(UNARY.len())], vec![a]));
                    results.push((at, is_wide(a, &results)));
                }
                6 => {
                    steps.push((ROWS[choices.below(ROWS.len())], vec![a]));
                    results.push((at, false));
                }
                _ => {
                    let Some(&(value, wide)) = results.get(choices.below(results.len().max(1)))
                    else {
                        continue;
                    };
                    let to = if wide {
                        WIDE_INPUTS[choices.below(4)]
                    } else {
                        4 + choices.below(3)
                    };
                    let args = vec![Value::Input(to), Value::Step(value)];
                    steps.push((Op::CopyTo, args));
                }
            }
            if results.is_empty() && steps.len() + 1 == length {
                break;
            }
        }
        if results.is_empty() {
            results.push((steps.len(), true));
            steps.push((Op::Neg, vec![Value::Input(0)]));
        }
        let mut kept = || results[choices.below(results.len())].0;
        let kept = [kept(), results[results.len() - 1].0];
        Self { steps, kept }
    }

    fn sweep<'s>(
        &self,
        core: &'s Scratch<'_>,
        inputs: &[Input<'s>],
    ) -> Result<[Tile<'s>; 2], OperationError> {
        let step = |(op, args): &'_ (Op, Vec<Value>)| (*op, args.clone());
        let steps: Vec<_> = self.steps.iter().map(step).collect();
        let steps: Vec<Step<'_>> = steps
            .iter()
            .map(|(op, args)| Step {
                op: *op,
                site: SITE,
                args,
                dtype: None,
            })
            .collect();
        tile::sweep(core, &steps, inputs, self.kept)
    }

    fn one_by_one<'s>(
        &self,
        core: &'s Scratch<'_>,
        inputs: &[Input<'s>],
    ) -> Result<[Tile<'s>; 2], OperationError> {
        let mut results: Vec<Option<Tile<'s>>> = Vec::new();
        for (op, args) in &self.steps {
            let args: Vec<OperandValue<'s>> = args
                .iter()
                .map(|arg| match *arg {
                    Value::Step(at) => OperandValue::Tile(results[at].unwrap()),
                    Value::Input(at) => match inputs[at] {
                        Input::Tile(tile) => OperandValue::Tile(tile),
                        Input::Scalar(value) => OperandValue::Scalar(value),
                        Input::Tensor(_) => unreachable!("not in these programs"),
                    },
                })
                .collect();
            let tile = |at: usize| match args[at] {
                OperandValue::Tile(tile) => tile,
                OperandValue::Scalar(_) => unreachable!("not in these programs"),
            };
            let (s, at) = (core, SITE);
            results.push(Some(match op {
                Op::Add => tile::add(s, at, args[0], args[1])?,
                Op::Sub => tile::sub(s, at, args[0], args[1])?,
                Op::Mul => tile::mul(s, at, args[0], args[1])?,
                Op::Div => tile::div(s, at, args[0], args[1])?,
                Op::Maximum => tile::maximum(s, at, args[0], args[1])?,
                Op::Minimum => tile::minimum(s, at, args[0], args[1])?,
                Op::Neg => tile::neg(s, at, tile(0))?,
                Op::Abs => tile::abs(s, at, tile(0))?,
                Op::Exp => tile::exp(s, at, tile(0))?,
                Op::Sqrt => tile::sqrt(s, at, tile(0))?,
                Op::Recip => tile::recip(s, at, tile(0))?,
                Op::Tanh => tile::tanh(s, at, tile(0))?,
                Op::RowMax => tile::row_max(s, at, tile(0))?,
                Op::RowMin => tile::row_min(s, at, tile(0))?,
                Op::RowSum => tile::row_sum(s, at, tile(0))?,
                Op::CopyTo => {
                    tile::copy_to(s, at, tile(0), tile(1))?;
                    results.push(None);
                    continue;
                }
                op => unreachable!("{op:?} is not in these programs"),
            }));
        }
        Ok(self.kept.map(|step| results[step].unwrap()))
    }
}

/// The bits of every element; all NaN are one.
fn bits(tile: &Tile<'_>) -> Vec<u32> {
    let dims = tile.dims();
    let elements = dims.iter().product::<usize>();
    (0..elements)
        .map(|mut at| {
            let mut index = vec![0; dims.len()];
            for (index, dim) in index.iter_mut().zip(dims).rev() {
                *index = at % dim;
                at /= dim;
            }
            let value = tile.get::<f32>(SITE, &index).unwrap();
            if value.is_nan() {
                f32::NAN.to_bits()
            } else {
                value.to_bits()
            }
        })
        .collect()
}

/// What the program leaves: the kept tiles, then the tiles that it was given.
fn outcome(
    program: &Program,
    dims: [usize; 2],
    run: impl for<'s> Fn(
        &Program,
        &'s Scratch<'_>,
        &[Input<'s>],
    ) -> Result<[Tile<'s>; 2], OperationError>,
) -> Result<Vec<Vec<u32>>, String> {
    let mut arena = Arena::new(64 << 20, true).unwrap();
    let core = arena.start_task();
    let inputs = inputs(&core, dims);
    let kept = run(program, &core, &inputs).map_err(|error| error.to_string())?;
    let given = inputs.iter().filter_map(|input| match input {
        Input::Tile(tile) => Some(*tile),
        _ => None,
    });
    Ok(kept
        .into_iter()
        .chain(given)
        .map(|tile| bits(&tile))
        .collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_sweep_gives_what_its_operations_give(
        choices in proptest::collection::vec(any::<u32>(), 60),
        length in 1..14_usize,
        rows in 0..40_usize,
        columns in prop_oneof![1..70_usize, 2040..2060_usize],
    ) {
        let program = Program::random(Choices(&choices), length);
        let dims = [rows, columns];
        let expected = outcome(&program, dims, Program::one_by_one);
        let found = outcome(&program, dims, Program::sweep);
        prop_assert!(found == expected, "{:?}", program);
    }
}

/// `exp(x - row_max(x))` and its row sums, as a sweep; gives the peak of the scratch too.
fn softmax_parts(dtype: DType, dims: [usize; 2]) -> (Vec<f64>, Vec<f64>, usize) {
    let mut arena = Arena::new(8 << 20, true).unwrap();
    let core = arena.start_task();
    let x = tile::zeros(&core, SITE, DType::F32, &dims).unwrap();
    for i in 0..dims[0] {
        for j in 0..dims[1] {
            x.set(SITE, &[i, j], noise(1)(i * dims[1] + j) * 4.0)
                .unwrap();
        }
    }
    let x = tile::cast(&core, SITE, dtype, x).unwrap();
    let used = core.arena().used();
    core.arena().reset_peak();
    let [at_0, at_1, at_2] = [[Value::Input(0)], [Value::Step(2)], [Value::Step(2)]];
    let step = |op, args| Step {
        op,
        site: SITE,
        args,
        dtype: None,
    };
    let steps = [
        step(Op::RowMax, &at_0[..]),
        step(Op::Sub, &[Value::Input(0), Value::Step(0)][..]),
        step(Op::Exp, &[Value::Step(1)][..]),
        step(Op::RowSum, &at_1[..]),
        step(Op::Neg, &at_2[..]),
    ];
    let [e, sum] = tile::sweep(&core, &steps, &[Input::Tile(x)], [2, 3]).unwrap();
    assert_eq!((e.dtype(), sum.dtype()), (dtype, dtype));
    let values = |tile: Tile<'_>| {
        let wide = tile::cast(&core, SITE, DType::F32, tile).unwrap();
        let all = bits(&wide).into_iter();
        all.map(|bits| f64::from(f32::from_bits(bits))).collect()
    };
    let peak = core.arena().peak() - used;
    (values(e), values(sum), peak)
}

#[test]
fn what_nothing_else_uses_is_no_tile() {
    let (_, _, peak) = softmax_parts(DType::F32, [64, 100]);
    // `e`, and the sums; neither the maxima nor the differences.
    assert_eq!(peak, 64 * 100 * 4 + 64 * 4);
}

#[test]
fn halves_are_rounded_where_they_become_tiles_only() {
    let dims = [5, 37];
    for (dtype, ulp) in [(DType::F16, 1.0 / 2048.0), (DType::Bf16, 1.0 / 256.0)] {
        let (e, sums, _) = softmax_parts(dtype, dims);
        for (row, sum) in e.chunks(dims[1]).zip(sums) {
            let exact: f64 = row.iter().sum();
            assert!(row.contains(&1.0), "the largest element");
            // The sum is that of elements which were not rounded.
            assert!((sum - exact).abs() <= 2.0 * ulp * exact, "{sum} of {exact}");
        }
    }
}

#[test]
fn integers_are_done_one_by_one() {
    let mut arena = Arena::new(1 << 20, true).unwrap();
    let core = arena.start_task();
    let x = tile::full(&core, SITE, DType::I32, &[4, 6], 7).unwrap();
    let steps = [
        Step {
            op: Op::Mul,
            site: SITE,
            args: &[Value::Input(0), Value::Input(1)],
            dtype: None,
        },
        Step {
            op: Op::RowSum,
            site: SITE,
            args: &[Value::Step(0)],
            dtype: None,
        },
    ];
    let inputs = [Input::Tile(x), Input::operand(3)];
    let [sum] = tile::sweep(&core, &steps, &inputs, [1]).unwrap();
    assert_eq!(sum.get::<i32>(SITE, &[3, 0]).unwrap(), 7 * 3 * 6);
}

#[test]
fn what_does_not_fit_is_refused_as_by_the_operation() {
    let mut arena = Arena::new(1 << 20, true).unwrap();
    let core = arena.start_task();
    let a = tile::zeros(&core, SITE, DType::F32, &[4, 6]).unwrap();
    let b = tile::zeros(&core, SITE, DType::F32, &[4, 5]).unwrap();
    let steps = [
        Step {
            op: Op::Exp,
            site: SITE,
            args: &[Value::Input(0)],
            dtype: None,
        },
        Step {
            op: Op::Add,
            site: SITE,
            args: &[Value::Step(0), Value::Input(1)],
            dtype: None,
        },
    ];
    let inputs = [Input::Tile(a), Input::Tile(b)];
    let error = tile::sweep(&core, &steps, &inputs, [1]).unwrap_err();
    let expected = tile::add(&core, SITE, a, b).unwrap_err();
    assert_eq!(error, expected);
}

#[test]
fn a_row_for_all_is_computed_also_where_there_are_no_rows() {
    let mut arena = Arena::new(1 << 20, true).unwrap();
    let core = arena.start_task();
    let x = tile::zeros(&core, SITE, DType::F32, &[0, 3]).unwrap();
    let gain = tile::full(&core, SITE, DType::F32, &[1, 3], 2.0).unwrap();
    let steps = [
        Step {
            op: Op::Neg,
            site: SITE,
            args: &[Value::Input(1)],
            dtype: None,
        },
        Step {
            op: Op::Mul,
            site: SITE,
            args: &[Value::Input(0), Value::Step(0)],
            dtype: None,
        },
    ];
    let inputs = [Input::Tile(x), Input::Tile(gain)];
    let [negative, product] = tile::sweep(&core, &steps, &inputs, [0, 1]).unwrap();
    assert_eq!(product.dims(), [0, 3]);
    assert_eq!(bits(&negative), [(-2.0_f32).to_bits(); 3]);
}
