//! Paged attention: keys and values lie in blocks of one cache, in any order, and a table says which
//! blocks a sequence has. The orchestration reads the table and submits a task for each block.

use super::online::fold_visible;
use pl::prelude::*;

/// Folds one block of the cache into the running maximum, sum and output of `M` queries in `G` heads.
///
/// The first key of the block stands at position `start`, the first query at `at`.
#[pl::jit::incore(dims(G, M, N, D, R))]
pub(crate) fn fold_block<T: Element>(
    q: Tensor<T, G, M, D>,
    k: Tensor<T, N, D>,
    v: Tensor<T, N, D>,
    scale: f32,
    start: usize,
    at: usize,
    window: usize,
    kv_tile: usize,
    max_of: InOut<Tensor<f32, R, 1>>,
    sum_of: InOut<Tensor<f32, R, 1>>,
    acc_of: InOut<Tensor<f32, R, D>>,
) {
    let q = load(q).reshape([R, D]);
    let max = load(max_of);
    let sum = load(sum_of);
    let acc = load(acc_of);
    let first = (at + 1).saturating_sub(window).saturating_sub(start);
    let end = (at + M).saturating_sub(start).min(N);
    for j in (first..end).step_by(kv_tile) {
        let e = (j + kv_tile).min(end);
        scratch_scope!({
            let score = dot_f32(q, transpose(load(k.slice(s![j..e, ..])))) * scale;
            let values = load(v.slice(s![j..e, ..]));
            fold_visible::<T>(
                G,
                M,
                e - j,
                at,
                start + j,
                window,
                score,
                values,
                max,
                sum,
                acc,
            );
        });
    }
    store(max_of, max);
    store(sum_of, sum);
    store(acc_of, acc);
}

/// What has been summed up, divided by the sum of the weights.
#[pl::jit::incore(dims(G, M, D, R))]
pub(crate) fn finish<T: Element>(
    sum: Tensor<f32, R, 1>,
    acc: Tensor<f32, R, D>,
    o: Out<Tensor<T, G, M, D>>,
) {
    store(o, cast::<T>(load(acc) / load(sum)).reshape([G, M, D]));
}

/// Attention of sequences whose keys and values lie in the blocks of a cache that `table` names.
#[pl::jit(
    auto_scope = false,
    dims(B, HEADS, KV_HEADS, QUERIES, BLOCKS, BLOCK, D)
)]
pub(crate) fn paged_attention<T: Element>(
    q: Tensor<T, B, HEADS, QUERIES, D>,
    k: Tensor<T, BLOCKS, KV_HEADS, BLOCK, D>,
    v: Tensor<T, BLOCKS, KV_HEADS, BLOCK, D>,
    table: Tensor<i32, B, _>,
    lengths: Tensor<i32, B>,
    scale: f32,
    causal: bool,
    window: usize,
    q_tile: usize,
    kv_tile: usize,
    o: InOut<Tensor<T, B, HEADS, QUERIES, D>>,
) {
    let group = HEADS / KV_HEADS;
    for b in 0..B {
        let n = lengths.get([b]) as usize;
        let mut queries = QUERIES;
        let mut position = n;
        if causal {
            queries = QUERIES.min(n);
            position = n - queries;
        }
        for i in (0..queries).step_by(q_tile) {
            let e = (i + q_tile).min(queries);
            let at = position + i;
            let first = (at + 1).saturating_sub(window) / BLOCK;
            let end = (position + e).min(n).div_ceil(BLOCK);
            for g in 0..KV_HEADS {
                let h = g * group;
                let q = q.slice(s![b, h..h + group, i..e, ..]);
                let rows = group * (e - i);
                scope!({
                    let max = create_tensor::<f32>([rows, 1]).init(f32::MIN);
                    let sum = create_tensor::<f32>([rows, 1]).init(0.0);
                    let acc = create_tensor::<f32>([rows, D]).init(0.0);
                    for t in first..end {
                        let block = table.get([b, t]) as usize;
                        let start = t * BLOCK;
                        let filled = (n - start).min(BLOCK);
                        // A scope of its own: the window holds the tasks of one block, not of all.
                        scope!({
                            fold_block::<T>(
                                q,
                                k.slice(s![block, g, ..filled, ..]),
                                v.slice(s![block, g, ..filled, ..]),
                                scale,
                                start,
                                at,
                                window,
                                kv_tile,
                                max,
                                sum,
                                acc,
                            );
                        });
                    }
                    finish::<T>(sum, acc, o.slice(s![b, h..h + group, i..e, ..]));
                });
            }
        }
    }
}
