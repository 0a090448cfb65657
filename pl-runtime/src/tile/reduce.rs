//! Reductions of rows: the last dimension becomes 1.

use super::create::fill;
use super::dispatch::{self, Kernel};
use super::handle::{Tile, begin};
use super::nest::Nest;
use super::number::{Arithmetic, Number, for_float, for_number};
use super::scratch::Scratch;
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::MAX_RANK;
use pl_codegen::ops::Op;
use std::marker::PhantomData;

/// How the elements of a row become one.
pub(super) trait Reduction<T: Number> {
    /// The value of a row without elements, where there is one.
    const EMPTY: Option<T::Work>;
    /// The value of a row with elements.
    fn row(a: &[T]) -> T::Work;
    /// The value of two parts of a row together.
    fn combine(a: T::Work, b: T::Work) -> T::Work;
    /// The result for a row of `count` elements, from the value of all of them.
    fn finish(total: T::Work, count: usize) -> T::Work;
}

macro_rules! reductions {
    ($(
        $select:ident $what:literal $(#[$doc:meta])*
        $name:ident $Marker:ident [$($bound:tt)*] $row:ident $combine:ident $empty:expr, |$total:ident, $count:ident| $finish:expr;
    )*) => {$(
        pub(super) struct $Marker;

        impl<T: $($bound)*> Reduction<T> for $Marker {
            const EMPTY: Option<T::Work> = $empty;
            #[inline(always)]
            fn row(a: &[T]) -> T::Work { $row(a) }
            #[inline(always)]
            fn combine(a: T::Work, b: T::Work) -> T::Work { a.$combine(b) }
            #[inline(always)]
            fn finish($total: T::Work, $count: usize) -> T::Work { $finish }
        }

        $(#[$doc])*
        /// The last dimension is reduced and stays as 1: `[r, c]` to `[r, 1]`.
        ///
        /// # Errors
        /// No dimension to reduce, an element type without this operation, no scratch left; no
        /// element in a row, unless it is a sum.
        pub fn $name<'s>(
            s: &'s Scratch<'_>,
            site: Site,
            a: Tile<'_>,
        ) -> Result<Tile<'s>, OperationError> {
            const NAME: &str = stringify!($name);
            begin(s, NAME, site, &[&a])?;
            $select!(
                a.dtype(),
                T => reduce::<T, $Marker>(s, NAME, site, a),
                else Err(no_meaning(NAME, site, &a, $what))
            )
        }
    )*

        /// The loop of a reduction over rows of `f32`, if it is one of these.
        pub(super) fn of_floats(op: Op) -> Option<FloatKernel> {
            match op {
                $(Op::$Marker => Some(floats::<$Marker>),)*
                _ => None,
            }
        }
    };
}

/// A loop over rows without gaps, of so many elements, at least one.
pub(super) type FloatKernel = fn(Nest<1>, usize, &mut [f32], &[f32]);

fn floats<R: Reduction<f32>>(nest: Nest<1>, row: usize, out: &mut [f32], a: &[f32]) {
    dispatch::run_wide(Rows::<f32, R> {
        nest,
        row,
        step: 1,
        out,
        a,
        reduction: PhantomData,
    });
}

reductions! {
    for_number "number"
    /// The largest element of each row; NaN if there is one.
    row_max RowMax [Number] largest maximum None, |total, _count| total;
    for_number "number"
    /// The smallest element of each row; NaN if there is one.
    row_min RowMin [Number] smallest minimum None, |total, _count| total;
    for_number "number"
    /// The sum of each row, 0 without elements; integers wrap, `f16` and `bf16` add up in `f32`.
    row_sum RowSum [Number] sum add Some(T::Work::ZERO), |total, _count| total;
    for_float "float"
    /// The mean of each row; `f16` and `bf16` add up in `f32`.
    row_mean RowMean [Number<Work = f32>] sum add None, |total, count| total / count as f32;
}

/// Why an operation does not take the elements of `a`; `what` are the types that it takes.
pub(super) fn no_meaning(
    operation: &'static str,
    site: Site,
    a: &Tile<'_>,
    what: &str,
) -> OperationError {
    let message = format!("has no meaning for {a}; `cast` the tile to a {what} type");
    OperationError::new(operation, site, message)
}

/// The length of the last dimension, and the dimensions before it.
pub(super) fn split_last<'a>(
    operation: &'static str,
    site: Site,
    a: &'a Tile<'_>,
) -> Result<(usize, &'a [usize]), OperationError> {
    let Some((&row, outer)) = a.dims().split_last() else {
        let message = format!("{a} has no dimension to go along; reshape it to `[1, 1]`");
        return Err(OperationError::new(operation, site, message));
    };
    Ok((row, outer))
}

/// Why there is no reduction of nothing; `lines` are the rows or the columns.
pub(super) fn without_elements(
    operation: &'static str,
    site: Site,
    a: &Tile<'_>,
    lines: &str,
) -> OperationError {
    let message =
        format!("{a} has {lines} without elements; skip the empty part, or start from `full`");
    OperationError::new(operation, site, message)
}

/// As keys, since LLVM spreads an integer maximum over many lanes by itself.
#[inline(always)]
pub(super) fn largest<T: Number>(a: &[T]) -> T::Work {
    let mut key = T::Work::LOWEST;
    for element in a {
        key = key.max(element.to_work().key(T::Work::HIGHEST));
    }
    T::Work::from_key(key)
}

#[inline(always)]
pub(super) fn smallest<T: Number>(a: &[T]) -> T::Work {
    let mut key = T::Work::HIGHEST;
    for element in a {
        key = key.min(element.to_work().key(T::Work::LOWEST));
    }
    T::Work::from_key(key)
}

/// Lanes of the sum; wide enough for one register, narrow enough for short rows.
const LANES: usize = 8;

#[inline(always)]
pub(super) fn sum<T: Number>(a: &[T]) -> T::Work {
    let mut sum = LaneSum::new();
    sum.add(a);
    sum.total()
}

/// A sum that is added to in pieces. All but the last have a multiple of 32 elements: then the order
/// of the additions is that of one piece.
///
/// The order of a sum of floats is written out, since LLVM may not change it: four vectors meet
/// before they reach the accumulator, whose additions wait for each other.
pub(super) struct LaneSum<W> {
    lanes: [W; LANES],
    rest: [W; LANES],
}

impl<W: Arithmetic> LaneSum<W> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            lanes: [W::ZERO; LANES],
            rest: [W::ZERO; LANES],
        }
    }

    #[inline(always)]
    pub(super) fn add<T: Number<Work = W>>(&mut self, a: &[T]) {
        let Self { lanes, rest } = self;
        let (vectors, last) = a.as_chunks::<LANES>();
        let (blocks, vectors) = vectors.as_chunks::<4>();
        for block in blocks {
            for lane in 0..LANES {
                let low = block[0][lane].to_work().add(block[1][lane].to_work());
                let high = block[2][lane].to_work().add(block[3][lane].to_work());
                lanes[lane] = lanes[lane].add(low.add(high));
            }
        }
        for vector in vectors {
            for lane in 0..LANES {
                lanes[lane] = lanes[lane].add(vector[lane].to_work());
            }
        }
        for (rest, element) in rest.iter_mut().zip(last) {
            *rest = element.to_work();
        }
    }

    #[inline(always)]
    pub(super) fn total(self) -> W {
        let Self { mut lanes, rest } = self;
        let mut half = LANES / 2;
        while half > 0 {
            for lane in 0..half {
                lanes[lane] = lanes[lane].add(lanes[lane + half]);
            }
            half /= 2;
        }
        rest.iter().fold(lanes[0], |sum, element| sum.add(*element))
    }
}

pub(super) fn reduce<'s, T: Number, R: Reduction<T>>(
    s: &'s Scratch<'_>,
    operation: &'static str,
    site: Site,
    a: Tile<'_>,
) -> Result<Tile<'s>, OperationError> {
    let (row, outer) = split_last(operation, site, &a)?;
    if row == 0 && R::EMPTY.is_none() {
        return Err(without_elements(operation, site, &a, "rows"));
    }
    let mut dims = [1; MAX_RANK];
    dims[..outer.len()].copy_from_slice(outer);
    let out = Tile::allocate(s, operation, site, a.dtype(), &dims[..a.rank()])?;
    if let (0, Some(empty)) = (row, R::EMPTY) {
        fill(s, &out, T::from_work(empty));
        return Ok(out);
    }
    let strides = a.view().strides();
    let nest = Nest::new(outer, [&strides[..outer.len()]]);
    let step = strides[outer.len()];
    s.arena()
        .memory
        .access::<T, T, 1, _>(out.view(), [a.view()], |out, [a]| {
            T::run_wide(Rows::<T, R> {
                nest,
                row,
                step,
                out,
                a,
                reduction: PhantomData,
            });
        });
    Ok(out)
}

struct Rows<'a, T, R> {
    /// The rows: all dimensions but the last.
    nest: Nest<1>,
    row: usize,
    step: usize,
    out: &'a mut [T],
    a: &'a [T],
    reduction: PhantomData<R>,
}

impl<T: Number, R: Reduction<T>> Kernel for Rows<'_, T, R> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self {
            nest,
            row,
            step,
            out,
            a,
            ..
        } = self;
        let (n, [step_outer]) = (nest.row(), nest.steps());
        let starts = nest
            .rows()
            .flat_map(|[at]| (0..n).map(move |i| at + i * step_outer));
        for (out, at) in out.iter_mut().zip(starts) {
            let value = if step == 1 {
                R::row(&a[at..at + row])
            } else {
                strided::<T, R>(&a[at..], row, step)
            };
            *out = T::from_work(R::finish(value, row));
        }
    }
}

/// Reduces elements with gaps, through pieces without; `row` is not 0.
#[inline(always)]
fn strided<T: Number, R: Reduction<T>>(a: &[T], row: usize, step: usize) -> T::Work {
    let mut total = a[0].to_work();
    let mut piece = [a[0]; 64];
    for start in (1..row).step_by(piece.len()) {
        let n = piece.len().min(row - start);
        for (i, element) in piece[..n].iter_mut().enumerate() {
            *element = a[(start + i) * step];
        }
        total = R::combine(total, R::row(&piece[..n]));
    }
    total
}
