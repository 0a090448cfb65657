//! The arithmetic of the steps of a sweep, over rows of `f32`.

use super::Op;
use crate::dtype::DType;
use crate::tile::dispatch::{self, Kernel};
use crate::tile::math;
use crate::tile::nest::Nest;
use crate::tile::{binary, reduce, unary};

/// What a step does.
#[derive(Clone, Copy)]
pub(super) enum Work {
    /// Nothing: another step does it as well.
    Nothing,
    Load,
    Copy,
    Unary(unary::FloatKernel),
    Binary(binary::FloatKernel),
    Reduce(reduce::FloatKernel),
    /// `exp(a - b)`
    ExpOfDifference,
    /// `row_sum(a * b)`
    SumOfProducts,
}

impl Work {
    /// The work of an operation that gives elements of type `dtype`; `None` if it is none of a sweep.
    pub(super) fn of(op: Op, dtype: DType) -> Option<Self> {
        match op {
            Op::Load => Some(Self::Load),
            Op::Store | Op::CopyTo => Some(Self::Copy),
            Op::Cast => Some(Self::Unary(unary::rounding(dtype))),
            _ => None
                .or_else(|| binary::of_floats(op).map(Self::Binary))
                .or_else(|| unary::of_floats(op).map(Self::Unary))
                .or_else(|| reduce::of_floats(op).map(Self::Reduce)),
        }
    }
}

/// Rows that a step takes: the elements, and the distances of rows and columns.
pub(super) type Operand<'a> = (&'a [f32], [usize; 2]);

/// Does `work`, which is arithmetic, for `rows` rows of `columns` elements of what it gives, or of what
/// it reduces.
#[inline]
pub(super) fn run(
    work: Work,
    [rows, columns]: [usize; 2],
    out: &mut [f32],
    [a, b, _]: [Operand<'_>; 3],
) {
    let dims = [rows, columns];
    let dense = [columns, 1];
    match work {
        Work::Unary(kernel) => kernel(Nest::new(&dims, [&dense, &a.1]), out, a.0),
        Work::Binary(kernel) => kernel(Nest::new(&dims, [&dense, &a.1, &b.1]), out, a.0, b.0),
        Work::Reduce(kernel) => kernel(Nest::new(&[rows], [&a.1[..1]]), columns, out, a.0),
        Work::ExpOfDifference => dispatch::run_wide(ExpOfDifference {
            nest: Nest::new(&dims, [&dense, &a.1, &b.1]),
            out,
            a: a.0,
            b: b.0,
        }),
        Work::SumOfProducts => dispatch::run_wide(SumOfProducts { out, columns, a, b }),
        Work::Nothing | Work::Load | Work::Copy => unreachable!("no arithmetic"),
    }
}

struct ExpOfDifference<'a> {
    nest: Nest<3>,
    out: &'a mut [f32],
    a: &'a [f32],
    b: &'a [f32],
}

impl Kernel for ExpOfDifference<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { nest, out, a, b } = self;
        let (n, [_, step_a, step_b]) = (nest.row(), nest.steps());
        for [o, x, y] in nest.rows() {
            let out = &mut out[o..o + n];
            match (step_a, step_b) {
                (1, 0) => {
                    let y = b[y];
                    for (out, x) in out.iter_mut().zip(&a[x..x + n]) {
                        *out = math::exp::<FMA>(x - y);
                    }
                }
                (1, 1) => {
                    for ((out, x), y) in out.iter_mut().zip(&a[x..x + n]).zip(&b[y..y + n]) {
                        *out = math::exp::<FMA>(x - y);
                    }
                }
                _ => {
                    for (i, out) in out.iter_mut().enumerate() {
                        *out = math::exp::<FMA>(a[x + i * step_a] - b[y + i * step_b]);
                    }
                }
            }
        }
    }
}

/// Products computed at a time; the sum then has the order of one over a whole row.
const PIECE: usize = 1024;

struct SumOfProducts<'a> {
    out: &'a mut [f32],
    columns: usize,
    a: Operand<'a>,
    b: Operand<'a>,
}

impl Kernel for SumOfProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { out, columns, a, b } = self;
        let mut products = [0.0_f32; PIECE];
        for (i, out) in out.iter_mut().enumerate() {
            let (x, y) = (&a.0[i * a.1[0]..], &b.0[i * b.1[0]..]);
            let mut sum = reduce::LaneSum::new();
            for start in (0..columns).step_by(PIECE) {
                let n = PIECE.min(columns - start);
                let (x, y) = (&x[start * a.1[1]..], &y[start * b.1[1]..]);
                let products = &mut products[..n];
                if (a.1[1], b.1[1]) == (1, 1) {
                    for ((product, x), y) in products.iter_mut().zip(&x[..n]).zip(&y[..n]) {
                        *product = x * y;
                    }
                } else {
                    for (i, product) in products.iter_mut().enumerate() {
                        *product = x[i * a.1[1]] * y[i * b.1[1]];
                    }
                }
                sum.add(products);
            }
            *out = sum.total();
        }
    }
}
