//! Attention of 8 heads, as a user of the language writes it.

use crate::{Case, Float, Shape, random};
use ndarray::Array3;
use pl::prelude::*;
use serde_json::json;

const HEADS: usize = 8;

#[pl::jit::incore(dims(M, N, D))]
fn attend<T: Element>(
    q: Tensor<T, M, D>,
    k: Tensor<T, N, D>,
    v: Tensor<T, N, D>,
    scale: f32,
    kv_tile: usize,
    o: Out<Tensor<T, M, D>>,
) {
    let q = load(q);
    let max = full::<f32>([M, 1], f32::NEG_INFINITY);
    let sum = zeros::<f32>([M, 1]);
    let acc = zeros::<f32>([M, D]);
    for j in (0..N).step_by(kv_tile) {
        let e = (j + kv_tile).min(N);
        scratch_scope!({
            let score = dot_f32(q, transpose(load(k.slice(s![j..e, ..])))) * scale;
            let max_new = maximum(max, row_max(score));
            let p = exp(score - max_new);
            let alpha = exp(max - max_new);
            copy_to(sum, sum * alpha + row_sum(p));
            copy_to(
                acc,
                acc * alpha + dot_f32(cast::<T>(p), load(v.slice(s![j..e, ..]))),
            );
            copy_to(max, max_new);
        });
    }
    store(o, cast::<T>(acc / sum));
}

#[pl::jit(dims(H, S, D))]
fn attention<T: Element>(
    q: Tensor<T, H, S, D>,
    k: Tensor<T, H, S, D>,
    v: Tensor<T, H, S, D>,
    scale: f32,
    q_block: usize,
    kv_tile: usize,
    o: Out<Tensor<T, H, S, D>>,
) {
    for h in 0..H {
        let (k, v) = (k.slice(s![h, .., ..]), v.slice(s![h, .., ..]));
        for i in (0..S).step_by(q_block) {
            let e = (i + q_block).min(S);
            attend::<T>(
                q.slice(s![h, i..e, ..]),
                k,
                v,
                scale,
                kv_tile,
                o.slice(s![h, i..e, ..]),
            );
        }
    }
}

/// Queries of a task and keys of a tile.
const fn tiles(shape: Shape) -> (usize, usize) {
    if shape.d <= 64 {
        (128, 256)
    } else {
        (256, 128)
    }
}

/// Attention at a shape, on element type `T`.
pub(crate) fn case<T: Float>(shape: Shape) -> Case {
    let Shape { s, d } = shape;
    let dims = (HEADS, s, d);
    let [q, k, v] = [0, 1, 2].map(|seed| random(seed, dims));
    let inputs = vec![q, k, v];
    let typed: Vec<Array3<T>> = inputs.iter().map(|x| x.mapv(T::from_f32)).collect();
    let mut o = Array3::from_elem(dims, T::from_f32(0.0));
    let (q_block, kv_tile) = tiles(shape);
    let scale = 1.0 / (d as f32).sqrt();
    Case {
        name: format!("attention {} S={s} D={d}", T::NAME),
        request: json!({"case": "attention", "dtype": T::NAME, "causal": false}),
        inputs,
        flops: 4.0 * (HEADS * s * s * d) as f64,
        tolerance: T::TOLERANCE,
        run: Box::new(move |rt, out| {
            let [q, k, v] = &typed[..] else {
                unreachable!("three inputs")
            };
            attention::<T>(rt, q, k, v, scale, q_block, kv_tile, &mut o).expect("it fits");
            if let Some(out) = out {
                out.extend(o.iter().map(|x| x.to_f32()));
            }
        }),
    }
}
