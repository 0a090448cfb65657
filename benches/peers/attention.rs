//! Attention of 8 heads, as a user of the language writes it.

use crate::{Case, Float, Made, Shape, random};
use ndarray::Array3;
use pl::prelude::*;
use serde_json::json;

const HEADS: usize = 8;

/// A block of queries, the first of which is query `first` of the sequence, over all keys, or over those
/// up to each query.
#[pl::jit::incore(dims(M, N, D))]
fn attend<T: Element>(
    q: Tensor<T, M, D>,
    k: Tensor<T, N, D>,
    v: Tensor<T, N, D>,
    scale: f32,
    kv_tile: usize,
    causal: bool,
    first: usize,
    o: Out<Tensor<T, M, D>>,
) {
    let q = load(q);
    let max = full::<f32>([M, 1], f32::NEG_INFINITY);
    let sum = zeros::<f32>([M, 1]);
    let acc = zeros::<f32>([M, D]);
    let mut end = N;
    if causal {
        end = (first + M).min(N);
    }
    for j in (0..end).step_by(kv_tile) {
        let e = (j + kv_tile).min(end);
        scratch_scope!({
            let score = dot_f32(q, transpose(load(k.slice(s![j..e, ..])))) * scale;
            if causal && e > first + 1 {
                let row = iota::<i32>([M, 1], 0) + (first as i32);
                let key = iota::<i32>([1, e - j], 1) + (j as i32);
                copy_to(score, select(ge(row, key), score, f32::NEG_INFINITY));
            }
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
    causal: bool,
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
                causal,
                i,
                o.slice(s![h, i..e, ..]),
            );
        }
    }
}

/// Queries of a task and keys of a tile.
const fn tiles(shape: Shape, causal: bool) -> (usize, usize) {
    match (causal, shape.d <= 64) {
        (true, _) => (128, 128),
        (false, true) => (256, 256),
        (false, false) => (256, 128),
    }
}

/// Attention at a shape, on element type `T`.
pub(crate) fn case<T: Float>(shape: Shape, causal: bool) -> Made {
    let Shape { s, d } = shape;
    let kind = if causal {
        "causal attention"
    } else {
        "attention"
    };
    let title = format!("{kind} {} S={s} D={d}", T::NAME);
    (title, Box::new(move || make::<T>(shape, causal)))
}

fn make<T: Float>(shape: Shape, causal: bool) -> Case {
    let Shape { s, d } = shape;
    let dims = (HEADS, s, d);
    let [q, k, v] = [0, 1, 2].map(|seed| random(seed, dims));
    let inputs = vec![q, k, v];
    let typed: Vec<Array3<T>> = inputs.iter().map(|x| x.mapv(T::from_f32)).collect();
    let mut o = Array3::from_elem(dims, T::from_f32(0.0));
    let (q_block, kv_tile) = tiles(shape, causal);
    let scale = 1.0 / (d as f32).sqrt();
    Case {
        request: json!({"case": "attention", "dtype": T::NAME, "causal": causal}),
        inputs,
        flops: 4.0 * (HEADS * s * s * d) as f64,
        tolerance: T::TOLERANCE,
        copies: false,
        run: Box::new(move |rt, out| {
            let [q, k, v] = &typed[..] else {
                unreachable!("three inputs")
            };
            attention::<T>(rt, q, k, v, scale, q_block, kv_tile, causal, &mut o).expect("it fits");
            if let Some(out) = out {
                out.extend(o.iter().map(|x| x.to_f32()));
            }
        }),
    }
}
