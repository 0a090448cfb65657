//! Softmax over keys that come tile by tile: what all kernels of the family share.

use pl::prelude::*;

/// Where `rows` queries see the keys of a tile. Row `r` stands at position `at + r` of each of the heads
/// that share the keys, column `c` at `first + c`; a query sees `window` keys, its own position the last.
///
/// Only tiles that some query sees in part need it.
#[pl::jit::inline]
pub(crate) fn visible(
    heads: usize,
    rows: usize,
    columns: usize,
    at: usize,
    first: usize,
    window: usize,
) -> Tile<bool> {
    let query = iota::<i32>([heads, rows, 1], 1).reshape([heads * rows, 1]) + at;
    let key = iota::<i32>([1, columns], 1) + first;
    and(le(key, query), gt(key, query - window))
}

/// Folds the scores of a tile, and its values, into the running maximum, sum and output, which live
/// outside of the scope that is recycled.
///
/// The maximum starts at the lowest number, not at `-inf`: a row may see nothing of the first tiles.
#[pl::jit::inline]
pub(crate) fn fold<T: Element>(
    score: Tile<f32>,
    values: Tile<T>,
    max: Tile<f32>,
    sum: Tile<f32>,
    acc: Tile<f32>,
) {
    let max_new = maximum(max, row_max(score));
    let p = exp(score - max_new);
    let alpha = exp(max - max_new);
    copy_to(sum, sum * alpha + row_sum(p));
    copy_to(acc, acc * alpha + dot_f32(cast::<T>(p), values));
    copy_to(max, max_new);
}

/// [`fold`] of the keys that the queries see. The arguments are those of [`visible`]; tiles that all queries
/// see whole are not masked.
#[pl::jit::inline]
pub(crate) fn fold_visible<T: Element>(
    heads: usize,
    rows: usize,
    columns: usize,
    at: usize,
    first: usize,
    window: usize,
    score: Tile<f32>,
    values: Tile<T>,
    max: Tile<f32>,
    sum: Tile<f32>,
    acc: Tile<f32>,
) {
    if first + columns > at + 1 || first + window < at + rows {
        let seen = visible(heads, rows, columns, at, first, window);
        fold::<T>(
            select(seen, score, f32::NEG_INFINITY),
            values,
            max,
            sum,
            acc,
        );
    } else {
        fold::<T>(score, values, max, sum, acc);
    }
}
