//! Flash attention: a task for each tile of queries, which walks over the keys in tiles.

use super::online::fold_visible;
use super::prefetch::attend_prefetched;
use pl::prelude::*;

/// Attention of `M` neighbouring queries in each of `G` heads that share keys and values.
///
/// The first query stands at position `at`, and each sees `window` keys up to its own position. Tiles
/// that no query sees are skipped; those that all see whole are not masked.
#[pl::jit::incore(dims(G, M, N, D))]
pub(crate) fn attend<T: Element>(
    q: Tensor<T, G, M, D>,
    k: Tensor<T, N, D>,
    v: Tensor<T, N, D>,
    scale: f32,
    at: usize,
    window: usize,
    kv_tile: usize,
    o: Out<Tensor<T, G, M, D>>,
) {
    let q = load(q).reshape([G * M, D]);
    let max = full::<f32>([G * M, 1], f32::MIN);
    let sum = zeros::<f32>([G * M, 1]);
    let acc = zeros::<f32>([G * M, D]);
    let first = (at + 1).saturating_sub(window);
    let end = (at + M).min(N);
    for j in (first..end).step_by(kv_tile) {
        let e = (j + kv_tile).min(end);
        scratch_scope!({
            let score = dot_f32(q, transpose(load(k.slice(s![j..e, ..])))) * scale;
            let values = load(v.slice(s![j..e, ..]));
            fold_visible::<T>(G, M, e - j, at, j, window, score, values, max, sum, acc);
        });
    }
    store(o, cast::<T>(acc / sum).reshape([G, M, D]));
}

/// Attention of sequences that have `lengths` keys each. Causal queries are the last of their sequence:
/// of a sequence shorter than `QUERIES`, all of it.
#[pl::jit(auto_scope = false, dims(B, HEADS, KV_HEADS, QUERIES, KEYS, D))]
pub(crate) fn flash_attention<T: Element>(
    q: Tensor<T, B, HEADS, QUERIES, D>,
    k: Tensor<T, B, KV_HEADS, KEYS, D>,
    v: Tensor<T, B, KV_HEADS, KEYS, D>,
    lengths: Tensor<i32, B>,
    scale: f32,
    causal: bool,
    window: usize,
    q_tile: usize,
    kv_tile: usize,
    prefetch: bool,
    o: InOut<Tensor<T, B, HEADS, QUERIES, D>>,
) {
    let group = HEADS / KV_HEADS;
    for b in 0..B {
        let n = lengths.get([b]) as usize;
        let mut queries = QUERIES;
        // Queries that stand behind the last key see all of them.
        let mut position = n;
        if causal {
            queries = QUERIES.min(n);
            position = n - queries;
        }
        for g in 0..KV_HEADS {
            let h = g * group;
            let (k, v) = (k.slice(s![b, g, ..n, ..]), v.slice(s![b, g, ..n, ..]));
            for i in (0..queries).step_by(q_tile) {
                let e = (i + q_tile).min(queries);
                let at = position + i;
                let q = q.slice(s![b, h..h + group, i..e, ..]);
                let o = o.slice(s![b, h..h + group, i..e, ..]);
                if prefetch {
                    attend_prefetched::<T>(q, k, v, scale, at, window, kv_tile, o);
                } else {
                    attend::<T>(q, k, v, scale, at, window, kv_tile, o);
                }
            }
        }
    }
}
