//! Rows chosen by indices: of tensors in device memory, and of tiles. Here a row is what one index
//! of the first dimension selects.

use super::concat::copy;
use super::device::{Readable, Writable};
use super::handle::{Tile, begin};
use super::nest::Nest;
use super::number::{for_number, for_width};
use super::scratch::Scratch;
use super::transfer::normalise;
use crate::dtype::{DType, Scalar};
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::{MAX_RANK, Tensor, View};

/// The rows of `source` that `indices` name, in that order: a tile `[n, ..]`, for `n` indices.
/// `bool` elements that are not 0 become 1.
///
/// # Errors
/// Indices that are no integers, in no shape `[n]` or `[n, 1]`, or past the first dimension; a
/// tensor that is not an argument of the running task; no scratch left.
pub fn gather_rows<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    source: Tensor<'_>,
    indices: Tile<'_>,
) -> Result<Tile<'s>, OperationError> {
    const NAME: &str = "gather_rows";
    begin(s, NAME, site, &[&indices])?;
    let source = Readable::of(s, &source, NAME, site)?;
    let view = source.view();
    let rows = row_numbers(NAME, site, view, &indices)?;
    let (out, length) = allocate(s, site, NAME, view, indices.dims()[0])?;
    let strides = &out.view().strides()[1..];
    for_width!(view.dtype(), E => {
        s.arena().memory.access::<E, E, 0, _>(out.view(), [], |out, []| {
            for (out, &row) in out.chunks_exact_mut(length.max(1)).zip(&rows) {
                source.row(row).read(out, strides);
            }
        });
    });
    if view.dtype() == DType::Bool {
        normalise(s, &out);
    }
    Ok(out)
}

/// Copies row `i` of `value` to the row of `target` that index `i` names; of equal indices the last
/// one wins.
///
/// # Errors
/// As of [`gather_rows`]; a value of another shape or element type; a tensor that the running task
/// may not write.
pub fn scatter_rows(
    s: &Scratch<'_>,
    site: Site,
    target: Tensor<'_>,
    indices: Tile<'_>,
    value: Tile<'_>,
) -> Result<(), OperationError> {
    const NAME: &str = "scatter_rows";
    begin(s, NAME, site, &[&indices, &value])?;
    let target = Writable::of(s, &target, NAME, site)?;
    let view = target.view();
    let rows = row_numbers(NAME, site, view, &indices)?;
    let n = indices.dims()[0];
    let fits = value.dims().split_first() == Some((&n, &view.dims()[1..]));
    let help = if !fits {
        "shapes are not broadcast; give it one row for each index, as long as those of the tensor"
            .to_string()
    } else if value.dtype() != view.dtype() {
        format!("write `cast::<{}>` around it", view.dtype())
    } else {
        String::new()
    };
    if !help.is_empty() {
        let message = format!("{value} cannot be copied to {n} rows of {view}: {help}");
        return Err(OperationError::new(NAME, site, message));
    }
    let strides = value.view().strides();
    for_width!(view.dtype(), E => {
        s.arena().memory.read::<E, _>(value.view(), |elements| {
            for (i, &row) in rows.iter().enumerate() {
                let from = elements.get(i * strides[0]..).unwrap_or_default();
                target.row(row).write(from, &strides[1..]);
            }
        });
    });
    Ok(())
}

/// The rows of the tile `a` that `indices` name, in that order: `[n, ..]`, for `n` indices.
///
/// # Errors
/// Indices that are no integers, in no shape `[n]` or `[n, 1]`, or past the first dimension; no
/// scratch left.
pub fn take_rows<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    a: Tile<'_>,
    indices: Tile<'_>,
) -> Result<Tile<'s>, OperationError> {
    const NAME: &str = "take_rows";
    begin(s, NAME, site, &[&a, &indices])?;
    let view = a.view();
    if view.rank() == 0 {
        let message = format!("{a} has no rows; reshape it to `[1]`");
        return Err(OperationError::new(NAME, site, message));
    }
    let rows = row_numbers(NAME, site, view, &indices)?;
    let (out, length) = allocate(s, site, NAME, view, indices.dims()[0])?;
    let strides = [&out.view().strides()[1..], &view.strides()[1..]];
    let nest = Nest::new(&view.dims()[1..], strides);
    for_width!(a.dtype(), E => {
        s.arena().memory.access::<E, E, 1, _>(out.view(), [view], |out, [a]| {
            for (out, &row) in out.chunks_exact_mut(length.max(1)).zip(&rows) {
                copy(&nest, out, a.get(row * view.strides()[0]..).unwrap_or_default());
            }
        });
    });
    Ok(out)
}

/// A tile for `n` rows of `view`, and the number of elements of a row.
fn allocate<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    operation: &'static str,
    view: &View,
    n: usize,
) -> Result<(Tile<'s>, usize), OperationError> {
    let mut dims = [n; MAX_RANK];
    dims[1..view.rank()].copy_from_slice(&view.dims()[1..]);
    let out = Tile::allocate(s, operation, site, view.dtype(), &dims[..view.rank()])?;
    Ok((out, view.dims()[1..].iter().product()))
}

/// The indices, each checked to be a row of `view`.
fn row_numbers(
    operation: &'static str,
    site: Site,
    view: &View,
    indices: &Tile<'_>,
) -> Result<Vec<usize>, OperationError> {
    let fail = |message: String| OperationError::new(operation, site, message);
    if indices.dtype().is_float() || indices.dtype() == DType::Bool {
        return Err(fail(format!(
            "{indices} holds no indices; `cast` it to an integer type, `cast::<i32>` say"
        )));
    }
    if !matches!(indices.dims(), [_] | [_, 1]) {
        return Err(fail(format!(
            "{indices} is no list of indices; reshape it to `[n]` or `[n, 1]`"
        )));
    }
    let rows = view.dims()[0];
    let outside = |position: usize, index: i128| {
        let help = match rows.checked_sub(1) {
            Some(last) => format!("write indices from 0 to {last}"),
            None => "it has no rows, so take none".to_string(),
        };
        fail(format!(
            "index {index} at position {position} is outside the {rows} rows of {view}; {help}"
        ))
    };
    for_number!(
        indices.dtype(),
        T => indices
            .to_vec::<T>()
            .into_iter()
            .map(|index| index.to_value().as_i128())
            .enumerate()
            .map(|(position, index)| {
                usize::try_from(index)
                    .ok()
                    .filter(|&row| row < rows)
                    .ok_or_else(|| outside(position, index))
            })
            .collect(),
        else Ok(Vec::new())
    )
}
