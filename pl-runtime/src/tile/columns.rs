//! Reductions of columns: the last dimension but one becomes 1.
//!
//! Rows are added to a row of results, several at a time, so that memory is read in the order in
//! which it lies. Where the elements of a column lie side by side instead, as in a transposed tile,
//! they are reduced as rows.

use super::dispatch::Kernel;
use super::handle::{Tile, begin};
use super::nest::Nest;
use super::number::{Arithmetic, Number, for_float, for_number};
use super::reduce::{self, Reduction, RowMax, RowMean, RowMin, RowSum, no_meaning};
use super::scratch::Scratch;
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::MAX_RANK;
use std::marker::PhantomData;

/// How the elements of a column become one.
trait Column<T: Number> {
    /// As rows they are reduced by this.
    type AsRow: Reduction<T>;
    /// What is kept of some elements of a column.
    type Part: Copy;
    const START: Self::Part;
    fn part(element: T) -> Self::Part;
    fn join(a: Self::Part, b: Self::Part) -> Self::Part;
    fn total(part: Self::Part) -> T::Work;
}

macro_rules! columns {
    ($(
        $select:ident $what:literal $(#[$doc:meta])*
        $name:ident $Marker:ident $AsRow:ident [$($bound:tt)*] $Part:ty, $start:expr,
        |$element:ident| $part:expr, |$a:ident, $b:ident| $join:expr, |$all:ident| $total:expr;
    )*) => {$(
        struct $Marker;

        impl<T: $($bound)*> Column<T> for $Marker {
            type AsRow = $AsRow;
            type Part = $Part;
            const START: $Part = $start;
            #[inline(always)]
            fn part($element: T) -> $Part { $part }
            #[inline(always)]
            fn join($a: $Part, $b: $Part) -> $Part { $join }
            #[inline(always)]
            fn total($all: $Part) -> T::Work { $total }
        }

        $(#[$doc])*
        /// The last dimension but one is reduced and stays as 1: `[r, c]` to `[1, c]`.
        ///
        /// # Errors
        /// Fewer than two dimensions, an element type without this operation, no scratch left; no
        /// element in a column, unless it is a sum.
        pub fn $name<'s>(
            s: &'s Scratch<'_>,
            site: Site,
            a: Tile<'s>,
        ) -> Result<Tile<'s>, OperationError> {
            const NAME: &str = stringify!($name);
            begin(s, NAME, site, &[&a])?;
            $select!(
                a.dtype(),
                T => reduce::<T, $Marker>(s, NAME, site, a),
                else Err(no_meaning(NAME, site, &a, $what))
            )
        }
    )*};
}

columns! {
    for_number "number"
    /// The largest element of each column; NaN if there is one.
    col_max ColMax RowMax [Number] <T::Work as Arithmetic>::Key, T::Work::LOWEST,
    |element| element.to_work().key(T::Work::HIGHEST), |a, b| a.max(b), |key| T::Work::from_key(key);
    for_number "number"
    /// The smallest element of each column; NaN if there is one.
    col_min ColMin RowMin [Number] <T::Work as Arithmetic>::Key, T::Work::HIGHEST,
    |element| element.to_work().key(T::Work::LOWEST), |a, b| a.min(b), |key| T::Work::from_key(key);
    for_number "number"
    /// The sum of each column, 0 without elements; integers wrap, `f16` and `bf16` add up in `f32`.
    col_sum ColSum RowSum [Number] T::Work, T::Work::ZERO,
    |element| element.to_work(), |a, b| a.add(b), |sum| sum;
    for_float "float"
    /// The mean of each column; `f16` and `bf16` add up in `f32`.
    col_mean ColMean RowMean [Number<Work = f32>] f32, 0.0,
    |element| element.to_work(), |a, b| a + b, |sum| sum;
}

/// The shape of a tile seen as columns.
pub(super) struct Shape {
    /// Dimensions before the last two.
    outer: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
    step_row: usize,
    step_column: usize,
}

impl Shape {
    pub(super) fn new(
        operation: &'static str,
        site: Site,
        a: &Tile<'_>,
    ) -> Result<Self, OperationError> {
        let (Some(outer), strides) = (a.rank().checked_sub(2), a.view().strides()) else {
            let message = format!("{a} has no columns to go along; reshape it, to `[n, 1]` say");
            return Err(OperationError::new(operation, site, message));
        };
        Ok(Self {
            outer,
            rows: a.dims()[outer],
            columns: a.dims()[outer + 1],
            step_row: strides[outer],
            step_column: strides[outer + 1],
        })
    }

    /// The dimensions of a result with one row in place of all; as many as the tile has.
    pub(super) fn one_row(&self, a: &Tile<'_>) -> [usize; MAX_RANK] {
        let mut dims = [1; MAX_RANK];
        dims[..a.rank()].copy_from_slice(a.dims());
        dims[self.outer] = 1;
        dims
    }

    /// Whether neighbours in memory are neighbours in a row.
    pub(super) fn lies_in_rows(&self) -> bool {
        self.step_column == 1 && self.columns > 1
    }

    /// How the elements lie, for [`Sweep::for_each`].
    pub(super) fn sweep(&self, a: &Tile<'_>) -> Sweep {
        let outer = self.outer;
        Sweep {
            nest: Nest::new(&a.dims()[..outer], [&a.view().strides()[..outer]]),
            rows: self.rows,
            columns: self.columns,
            step: self.step_row,
        }
    }
}

/// Columns that are gone through together: what is kept of them stays in the first cache.
pub(super) const BLOCK: usize = 512;

/// A way through matrices, block of columns by block of columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep {
    nest: Nest<1>,
    rows: usize,
    columns: usize,
    step: usize,
}

/// Columns that are gone through together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Where they are in the result.
    pub(super) out: usize,
    pub(super) columns: usize,
    start: usize,
    step: usize,
}

impl Block {
    /// The elements of one row.
    #[inline(always)]
    pub(super) fn row<'a, T>(&self, a: &'a [T], row: usize) -> &'a [T] {
        let start = self.start + row * self.step;
        &a[start..start + self.columns]
    }
}

impl Sweep {
    /// All blocks, in the order of the result.
    #[inline(always)]
    pub(super) fn blocks(&self) -> impl Iterator<Item = Block> {
        let (n, [step_outer]) = (self.nest.row(), self.nest.steps());
        let matrices = self
            .nest
            .rows()
            .flat_map(move |[at]| (0..n).map(move |i| at + i * step_outer));
        let Self { columns, step, .. } = *self;
        matrices.enumerate().flat_map(move |(matrix, start)| {
            (0..columns).step_by(BLOCK).map(move |column| Block {
                out: matrix * columns + column,
                columns: BLOCK.min(columns - column),
                start: start + column,
                step,
            })
        })
    }
}

fn reduce<'s, T: Number, C: Column<T>>(
    s: &'s Scratch<'_>,
    operation: &'static str,
    site: Site,
    a: Tile<'s>,
) -> Result<Tile<'s>, OperationError> {
    let shape = Shape::new(operation, site, &a)?;
    if shape.rows == 0 && C::AsRow::EMPTY.is_none() {
        return Err(reduce::without_elements(operation, site, &a, "columns"));
    }
    let dims = shape.one_row(&a);
    let dims = &dims[..a.rank()];
    if !shape.lies_in_rows() {
        let turned = a.transpose(shape.outer, shape.outer + 1, site)?;
        return reduce::reduce::<T, C::AsRow>(s, operation, site, turned)?.reshape(dims, site);
    }
    let out = Tile::allocate(s, operation, site, a.dtype(), dims)?;
    let sweep = shape.sweep(&a);
    s.arena()
        .memory
        .access::<T, T, 1, _>(out.view(), [a.view()], |out, [a]| {
            T::run_wide(Columns::<T, C> {
                sweep,
                out,
                a,
                column: PhantomData,
            });
        });
    Ok(out)
}

struct Columns<'a, T, C> {
    sweep: Sweep,
    out: &'a mut [T],
    a: &'a [T],
    column: PhantomData<C>,
}

impl<T: Number, C: Column<T>> Kernel for Columns<'_, T, C> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { sweep, out, a, .. } = self;
        let rows = sweep.rows;
        for block in sweep.blocks() {
            let n = block.columns;
            let mut parts = [C::START; BLOCK];
            let parts = &mut parts[..n];
            // Four rows meet before they reach the parts, which are read and written for each.
            let whole = rows - rows % 4;
            for i in (0..whole).step_by(4) {
                let (first, second) = (block.row(a, i), block.row(a, i + 1));
                let (third, fourth) = (block.row(a, i + 2), block.row(a, i + 3));
                for j in 0..n {
                    let low = C::join(C::part(first[j]), C::part(second[j]));
                    let high = C::join(C::part(third[j]), C::part(fourth[j]));
                    parts[j] = C::join(parts[j], C::join(low, high));
                }
            }
            for i in whole..rows {
                for (part, &element) in parts.iter_mut().zip(block.row(a, i)) {
                    *part = C::join(*part, C::part(element));
                }
            }
            for (out, &part) in out[block.out..block.out + n].iter_mut().zip(&*parts) {
                *out = T::from_work(C::AsRow::finish(C::total(part), rows));
            }
        }
    }
}
