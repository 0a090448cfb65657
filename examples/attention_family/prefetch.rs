//! Flash attention with double buffering: the next tile of keys and values is asked for before this one is
//! computed with. On a device the two overlap; here, and in simulated runs, they follow one another.

use super::online::fold_visible;
use pl::prelude::*;

/// As `attend`, with the next tile loaded before this one is folded.
///
/// A tile that is prefetched is used by the next iteration, so it lives outside of the scope that is
/// recycled: it is loaded into the scope, and copied out at its end. All tiles have `kv_tile` rows, the
/// last one is padded.
#[pl::jit::incore(dims(G, M, N, D))]
pub(crate) fn attend_prefetched<T: Element>(
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
    let e = (first + kv_tile).min(end);
    let keys = load_padded(k.slice(s![first..e, ..]), [kv_tile, D], 0.0);
    let values = load_padded(v.slice(s![first..e, ..]), [kv_tile, D], 0.0);
    for j in (first..end).step_by(kv_tile) {
        let e = (j + kv_tile).min(end);
        let next = (e + kv_tile).min(end);
        scratch_scope!({
            let next_keys = load_padded(k.slice(s![e..next, ..]), [kv_tile, D], 0.0);
            let next_values = load_padded(v.slice(s![e..next, ..]), [kv_tile, D], 0.0);
            let here = keys.slice(s![..e - j, ..]);
            let score = dot_f32(q, transpose(here)) * scale;
            let here = values.slice(s![..e - j, ..]);
            fold_visible::<T>(G, M, e - j, at, j, window, score, here, max, sum, acc);
            copy_to(keys, next_keys);
            copy_to(values, next_values);
        });
    }
    store(o, cast::<T>(acc / sum).reshape([G, M, D]));
}
