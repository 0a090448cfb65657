//! Where the extremes of rows and columns are: the index of the first of the largest or smallest
//! elements.

use super::columns::{BLOCK, Shape, Sweep};
use super::dispatch::Kernel;
use super::handle::{Tile, begin};
use super::lines::Lines;
use super::number::{Arithmetic, Number, for_number};
use super::reduce::{no_meaning, split_last, without_elements};
use super::scratch::Scratch;
use crate::dtype::DType;
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::MAX_RANK;
use std::marker::PhantomData;

type Key<T> = <<T as Number>::Work as Arithmetic>::Key;

/// Which element of a row is looked for.
trait Extreme {
    /// The key of NaN, which nothing beats.
    fn nan<T: Number>() -> Key<T>;
    /// A key that does not beat any.
    fn worst<T: Number>() -> Key<T>;
    fn beats<K: Ord>(a: K, b: K) -> bool;
}

struct Largest;

impl Extreme for Largest {
    #[inline(always)]
    fn nan<T: Number>() -> Key<T> {
        T::Work::HIGHEST
    }
    #[inline(always)]
    fn worst<T: Number>() -> Key<T> {
        T::Work::LOWEST
    }
    #[inline(always)]
    fn beats<K: Ord>(a: K, b: K) -> bool {
        a > b
    }
}

struct Smallest;

impl Extreme for Smallest {
    #[inline(always)]
    fn nan<T: Number>() -> Key<T> {
        T::Work::LOWEST
    }
    #[inline(always)]
    fn worst<T: Number>() -> Key<T> {
        T::Work::HIGHEST
    }
    #[inline(always)]
    fn beats<K: Ord>(a: K, b: K) -> bool {
        a < b
    }
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident $along:ident $Extreme:ident;)*) => {$(
        $(#[$doc])*
        /// As `i32`. NaN counts as the extreme.
        ///
        /// # Errors
        /// No such dimension, no element along it, `bool`, or no scratch left.
        pub fn $name<'s>(
            s: &'s Scratch<'_>,
            site: Site,
            a: Tile<'s>,
        ) -> Result<Tile<'s>, OperationError> {
            const NAME: &str = stringify!($name);
            begin(s, NAME, site, &[&a])?;
            for_number!(
                a.dtype(),
                T => $along::<T, $Extreme>(s, NAME, site, a),
                else Err(no_meaning(NAME, site, &a, "number"))
            )
        }
    )*};
}

functions! {
    /// The index of the first of the largest elements of each row: `[r, c]` to `[r, 1]`.
    row_argmax along_rows Largest;
    /// The index of the first of the smallest elements of each row: `[r, c]` to `[r, 1]`.
    row_argmin along_rows Smallest;
    /// The index of the first of the largest elements of each column: `[r, c]` to `[1, c]`.
    col_argmax along_columns Largest;
    /// The index of the first of the smallest elements of each column: `[r, c]` to `[1, c]`.
    col_argmin along_columns Smallest;
}

/// Refuses a dimension whose indices are no `i32`.
pub(super) fn check_length(
    operation: &'static str,
    site: Site,
    a: &Tile<'_>,
    length: usize,
) -> Result<(), OperationError> {
    if i32::try_from(length).is_ok() {
        return Ok(());
    }
    let message = format!("{a} is longer than `i32` counts; take parts of it with `slice`");
    Err(OperationError::new(operation, site, message))
}

fn along_rows<'s, T: Number, E: Extreme>(
    s: &'s Scratch<'_>,
    operation: &'static str,
    site: Site,
    a: Tile<'s>,
) -> Result<Tile<'s>, OperationError> {
    let (row, outer) = split_last(operation, site, &a)?;
    if row == 0 {
        return Err(without_elements(operation, site, &a, "rows"));
    }
    check_length(operation, site, &a, row)?;
    let mut dims = [1; MAX_RANK];
    dims[..outer.len()].copy_from_slice(outer);
    let out = Tile::allocate(s, operation, site, DType::I32, &dims[..a.rank()])?;
    let lines = Lines::new(a.view());
    s.arena()
        .memory
        .access::<i32, T, 1, _>(out.view(), [a.view()], |out, [a]| {
            T::run_wide(Rows::<T, E> {
                lines,
                out,
                a,
                extreme: PhantomData,
            });
        });
    Ok(out)
}

/// The key of an element; equal for both zeros.
#[inline(always)]
fn key<T: Number, E: Extreme>(element: T) -> Key<T> {
    element.to_work().add(T::Work::ZERO).key(E::nan::<T>())
}

struct Rows<'a, T, E> {
    lines: Lines,
    out: &'a mut [i32],
    a: &'a [T],
    extreme: PhantomData<E>,
}

impl<T: Number, E: Extreme> Kernel for Rows<'_, T, E> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { lines, out, a, .. } = self;
        let mut copy = Vec::new();
        for (start, out) in lines.starts().zip(out) {
            let row = lines.line(a, start, &mut copy);
            let mut best = E::worst::<T>();
            for &element in row {
                let key = key::<T, E>(element);
                best = if E::beats(key, best) { key } else { best };
            }
            *out = first::<T, E>(row, best) as i32;
        }
    }
}

/// The index of the first element with the key `best`, which one has.
#[inline(always)]
fn first<T: Number, E: Extreme>(row: &[T], best: Key<T>) -> usize {
    let mut at = 0;
    // Piece by piece, since a search that ends at once goes element by element.
    for piece in row.chunks(64) {
        let mut found = false;
        for &element in piece {
            found |= key::<T, E>(element) == best;
        }
        if found {
            break;
        }
        at += piece.len();
    }
    for &element in &row[at.min(row.len())..] {
        if key::<T, E>(element) == best {
            break;
        }
        at += 1;
    }
    at
}

fn along_columns<'s, T: Number, E: Extreme>(
    s: &'s Scratch<'_>,
    operation: &'static str,
    site: Site,
    a: Tile<'s>,
) -> Result<Tile<'s>, OperationError> {
    let shape = Shape::new(operation, site, &a)?;
    if shape.rows == 0 {
        return Err(without_elements(operation, site, &a, "columns"));
    }
    check_length(operation, site, &a, shape.rows)?;
    let dims = shape.one_row(&a);
    let dims = &dims[..a.rank()];
    if !shape.lies_in_rows() {
        let turned = a.transpose(a.rank() - 2, a.rank() - 1, site)?;
        return along_rows::<T, E>(s, operation, site, turned)?.reshape(dims, site);
    }
    let out = Tile::allocate(s, operation, site, DType::I32, dims)?;
    let sweep = shape.sweep(&a);
    let rows = shape.rows;
    s.arena()
        .memory
        .access::<i32, T, 1, _>(out.view(), [a.view()], |out, [a]| {
            T::run_wide(Columns::<T, E> {
                sweep,
                rows,
                out,
                a,
                extreme: PhantomData,
            });
        });
    Ok(out)
}

struct Columns<'a, T, E> {
    sweep: Sweep,
    rows: usize,
    out: &'a mut [i32],
    a: &'a [T],
    extreme: PhantomData<E>,
}

impl<T: Number, E: Extreme> Kernel for Columns<'_, T, E> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self {
            sweep,
            rows,
            out,
            a,
            ..
        } = self;
        for block in sweep.blocks() {
            let n = block.columns;
            let out = &mut out[block.out..block.out + n];
            let mut keys = [E::worst::<T>(); BLOCK];
            out.fill(0);
            for i in 0..rows {
                let row = block.row(a, i);
                for ((&element, best), at) in row.iter().zip(&mut keys).zip(&mut *out) {
                    let key = key::<T, E>(element);
                    let beats = E::beats(key, *best);
                    *best = if beats { key } else { *best };
                    *at = if beats { i as i32 } else { *at };
                }
            }
        }
    }
}
