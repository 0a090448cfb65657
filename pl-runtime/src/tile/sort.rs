//! Rows in order, and the largest elements of rows.

use super::arg::check_length;
use super::concat::whole_number;
use super::handle::{Tile, begin};
use super::lines::Lines;
use super::number::{Arithmetic, Number, for_number};
use super::reduce::{no_meaning, split_last};
use super::scratch::Scratch;
use crate::dtype::{DType, Scalar};
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::MAX_RANK;
use std::cmp::Reverse;

/// The elements of each row from the smallest to the largest, NaN last, and the index in its row
/// that each had, as `i32`. Equal elements keep their order.
///
/// # Errors
/// No dimension to go along, `bool`, or no scratch left.
pub fn sort<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    a: Tile<'_>,
) -> Result<(Tile<'s>, Tile<'s>), OperationError> {
    begin(s, "sort", site, &[&a])?;
    for_number!(
        a.dtype(),
        T => ordered::<T, _>(s, "sort", site, a, None, |key| key),
        else Err(no_meaning("sort", site, &a, "number"))
    )
}

/// The elements of each row from the largest to the smallest, NaN first, and the index in its row
/// that each had, as `i32`. Equal elements keep their order.
///
/// # Errors
/// As of [`sort`].
pub fn sort_descending<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    a: Tile<'_>,
) -> Result<(Tile<'s>, Tile<'s>), OperationError> {
    begin(s, "sort_descending", site, &[&a])?;
    for_number!(
        a.dtype(),
        T => ordered::<T, _>(s, "sort_descending", site, a, None, Reverse),
        else Err(no_meaning("sort_descending", site, &a, "number"))
    )
}

/// The `k` largest elements of each row, the largest first, NaN before all, and their indices as
/// `i32`. Of equal elements the one with the lower index comes first.
///
/// # Errors
/// A `k` that is no number from 0 to the length of a row, no dimension to go along, `bool`, or no
/// scratch left.
pub fn top_k<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    a: Tile<'_>,
    k: impl Scalar,
) -> Result<(Tile<'s>, Tile<'s>), OperationError> {
    begin(s, "top_k", site, &[&a])?;
    let (row, _) = split_last("top_k", site, &a)?;
    let k = whole_number(k.to_value(), row).map_err(|k| {
        let message =
            format!("there are no {k} elements in the rows of {a}; write a number from 0 to {row}");
        OperationError::new("top_k", site, message)
    })?;
    for_number!(
        a.dtype(),
        T => ordered::<T, _>(s, "top_k", site, a, Some(k), Reverse),
        else Err(no_meaning("top_k", site, &a, "number"))
    )
}

type Key<T> = <<T as Number>::Work as Arithmetic>::Key;

/// The first `k` (all if `None`) elements of each row, in the order of `rank` of their keys and of
/// their indices where these are equal; and their indices.
fn ordered<'s, T: Number, R: Ord>(
    s: &'s Scratch<'_>,
    operation: &'static str,
    site: Site,
    a: Tile<'_>,
    k: Option<usize>,
    rank: impl Fn(Key<T>) -> R,
) -> Result<(Tile<'s>, Tile<'s>), OperationError> {
    let (row, outer) = split_last(operation, site, &a)?;
    check_length(operation, site, &a, row)?;
    let k = k.unwrap_or(row);
    let mut dims = [k; MAX_RANK];
    dims[..outer.len()].copy_from_slice(outer);
    let dims = &dims[..a.rank()];
    let values = Tile::allocate(s, operation, site, a.dtype(), dims)?;
    let indices = Tile::allocate(s, operation, site, DType::I32, dims)?;
    let lines = Lines::new(a.view());
    // Adding 0 makes both zeros equal.
    let key = |element: T| element.to_work().add(T::Work::ZERO).key(T::Work::HIGHEST);
    let (mut pairs, mut order) = (Vec::with_capacity(row), Vec::new());
    s.arena()
        .memory
        .access::<T, T, 1, _>(values.view(), [a.view()], |values, [a]| {
            let mut copy = Vec::new();
            let rows = values.chunks_exact_mut(k.max(1));
            for (start, values) in lines.starts().zip(rows) {
                let row = lines.line(a, start, &mut copy);
                pairs.clear();
                pairs.extend(row.iter().zip(0_i32..).map(|(&e, i)| (rank(key(e)), i)));
                if k < row.len() {
                    pairs.select_nth_unstable(k);
                    pairs.truncate(k);
                }
                pairs.sort_unstable();
                for (value, &(_, index)) in values.iter_mut().zip(&pairs) {
                    *value = row[index as usize];
                    order.push(index);
                }
            }
        });
    s.arena()
        .memory
        .access::<i32, i32, 0, _>(indices.view(), [], |indices, []| {
            indices.copy_from_slice(&order);
        });
    Ok((values, indices))
}
