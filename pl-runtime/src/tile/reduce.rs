//! Reductions of rows: the last dimension becomes 1.

use super::create::fill;
use super::dispatch::Kernel;
use super::handle::{Tile, begin};
use super::nest::Nest;
use super::number::{Arithmetic, Number, for_number};
use super::scratch::Scratch;
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::MAX_RANK;
use std::marker::PhantomData;

/// How the elements of a row become one.
trait Reduction {
    const NAME: &'static str;
    /// The value of a row without elements, where there is one.
    fn empty<W: Arithmetic>() -> Option<W>;
    /// The value of a row with elements.
    fn row<T: Number>(a: &[T]) -> T::Work;
    /// The value of two parts of a row together.
    fn combine<W: Arithmetic>(a: W, b: W) -> W;
}

macro_rules! reductions {
    ($($(#[$doc:meta])* $name:ident $Marker:ident $row:ident $combine:ident $empty:expr;)*) => {$(
        struct $Marker;

        impl Reduction for $Marker {
            const NAME: &'static str = stringify!($name);
            #[inline(always)]
            fn empty<W: Arithmetic>() -> Option<W> { $empty }
            #[inline(always)]
            fn row<T: Number>(a: &[T]) -> T::Work { $row(a) }
            #[inline(always)]
            fn combine<W: Arithmetic>(a: W, b: W) -> W { a.$combine(b) }
        }

        $(#[$doc])*
        /// The last dimension is reduced and stays as 1: `[r, c]` to `[r, 1]`.
        ///
        /// # Errors
        /// No dimension to reduce, `bool`, no scratch left; no element in a row, unless it is a sum.
        pub fn $name<'s>(
            s: &'s Scratch<'_>,
            site: Site,
            a: Tile<'_>,
        ) -> Result<Tile<'s>, OperationError> {
            reduce::<$Marker>(s, site, a)
        }
    )*};
}

reductions! {
    /// The largest element of each row; NaN if there is one.
    row_max RowMax largest maximum None;
    /// The smallest element of each row; NaN if there is one.
    row_min RowMin smallest minimum None;
    /// The sum of each row, 0 without elements; integers wrap, `f16` and `bf16` add up in `f32`.
    row_sum RowSum sum add Some(W::ZERO);
}

/// As keys, since LLVM spreads an integer maximum over many lanes by itself.
#[inline(always)]
fn largest<T: Number>(a: &[T]) -> T::Work {
    let mut key = T::Work::LOWEST;
    for element in a {
        key = key.max(element.widen().key(T::Work::HIGHEST));
    }
    T::Work::from_key(key)
}

#[inline(always)]
fn smallest<T: Number>(a: &[T]) -> T::Work {
    let mut key = T::Work::HIGHEST;
    for element in a {
        key = key.min(element.widen().key(T::Work::LOWEST));
    }
    T::Work::from_key(key)
}

/// Lanes of the sum; wide enough for one register, narrow enough for short rows.
const LANES: usize = 8;

/// The order of a sum of floats is written out, since LLVM may not change it: four vectors meet
/// before they reach the accumulator, whose additions wait for each other.
#[inline(always)]
fn sum<T: Number>(a: &[T]) -> T::Work {
    let (vectors, rest) = a.as_chunks::<LANES>();
    let (blocks, vectors) = vectors.as_chunks::<4>();
    let mut lanes = [T::Work::ZERO; LANES];
    for block in blocks {
        for lane in 0..LANES {
            let low = block[0][lane].widen().add(block[1][lane].widen());
            let high = block[2][lane].widen().add(block[3][lane].widen());
            lanes[lane] = lanes[lane].add(low.add(high));
        }
    }
    for vector in vectors {
        for lane in 0..LANES {
            lanes[lane] = lanes[lane].add(vector[lane].widen());
        }
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] = lanes[lane].add(lanes[lane + half]);
        }
        half /= 2;
    }
    rest.iter()
        .fold(lanes[0], |sum, element| sum.add(element.widen()))
}

fn reduce<'s, R: Reduction>(
    s: &'s Scratch<'_>,
    site: Site,
    a: Tile<'_>,
) -> Result<Tile<'s>, OperationError> {
    begin(s, R::NAME, site, &[&a])?;
    let fail = |message: String| Err(OperationError::new(R::NAME, site, message));
    let Some((&row, outer)) = a.dims().split_last() else {
        return fail(format!(
            "{a} has no dimension to reduce; reshape it to `[1, 1]`"
        ));
    };
    let mut dims = [1; MAX_RANK];
    dims[..outer.len()].copy_from_slice(outer);
    for_number!(
        a.dtype(),
        T => {
            let empty = R::empty::<<T as Number>::Work>();
            if row == 0 && empty.is_none() {
                return fail(format!(
                    "{a} has rows without elements; skip the empty part, or start from `full`"
                ));
            }
            let out = Tile::allocate(s, R::NAME, site, a.dtype(), &dims[..a.rank()])?;
            if let (0, Some(empty)) = (row, empty) {
                fill(s, &out, T::narrow(empty));
                return Ok(out);
            }
            let strides = a.view().strides();
            let nest = Nest::new(outer, [&strides[..outer.len()]]);
            let step = strides[outer.len()];
            s.arena().access::<T, T, 1, _>(out.view(), [a.view()], |out, [a]| {
                T::run_wide(Rows::<T, R> { nest, row, step, out, a, reduction: PhantomData });
            });
            Ok(out)
        },
        else fail(format!("has no meaning for {a}; `cast` the tile to a number type"))
    )
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

impl<T: Number, R: Reduction> Kernel for Rows<'_, T, R> {
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
            *out = T::narrow(value);
        }
    }
}

/// Reduces elements with gaps, through pieces without; `row` is not 0.
#[inline(always)]
fn strided<T: Number, R: Reduction>(a: &[T], row: usize, step: usize) -> T::Work {
    let mut total = a[0].widen();
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
