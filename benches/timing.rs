//! How long it takes to simulate attention over long contexts, with the shapes of Llama-3-70B.
//!
//! `cargo bench --bench timing`; the first lines give what is simulated.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{Criterion, criterion_group, criterion_main};
use pl::prelude::*;
use pl::{RunReport, shape};

const HEADS: usize = 64;
const KV_HEADS: usize = 8;
const D: usize = 128;
const Q_BLOCK: usize = 128;
const KV_TILE: usize = 128;

#[pl::jit::incore(dims(M, N))]
fn attend(
    q: Tensor<f32, M, D>,
    k: Tensor<f32, N, D>,
    v: Tensor<f32, N, D>,
    o: Out<Tensor<f32, M, D>>,
) {
    let q = load(q);
    let m = full([M, 1], f32::NEG_INFINITY);
    let l = zeros([M, 1]);
    let acc = zeros([M, D]);
    for j in (0..N).step_by(KV_TILE) {
        let e = (j + KV_TILE).min(N);
        scratch_scope!({
            let s = dot(q, transpose(load(k.slice(s![j..e, ..])))) * 0.088_388_35;
            let m_new = maximum(m, row_max(s));
            let p = exp(s - m_new);
            let alpha = exp(m - m_new);
            copy_to(l, l * alpha + row_sum(p));
            copy_to(acc, acc * alpha + dot(p, load(v.slice(s![j..e, ..]))));
            copy_to(m, m_new);
        });
    }
    store(o, acc / l);
}

/// One block of queries attends to the keys before its end; a single query to all.
#[pl::jit(dims(QUERIES, KEYS))]
fn attention(
    q: Tensor<f32, HEADS, QUERIES, D>,
    k: Tensor<f32, KV_HEADS, KEYS, D>,
    v: Tensor<f32, KV_HEADS, KEYS, D>,
    o: Out<Tensor<f32, HEADS, QUERIES, D>>,
) {
    for h in 0..HEADS {
        let g = h / (HEADS / KV_HEADS);
        for i in (0..QUERIES).step_by(Q_BLOCK) {
            let e = (i + Q_BLOCK).min(QUERIES);
            let n = KEYS - (QUERIES - e);
            attend(
                q.slice(s![h, i..e, ..]),
                k.slice(s![g, 0..n, ..]),
                v.slice(s![g, 0..n, ..]),
                o.slice(s![h, i..e, ..]),
            );
        }
    }
}

fn simulate(queries: usize, keys: usize) -> RunReport {
    let rt = Runtime::new(RunConfig {
        executor: Executor::Timing,
        ..RunConfig::default()
    })
    .unwrap();
    let q = || shape::<f32>([HEADS, queries, D]);
    let kv = || shape::<f32>([KV_HEADS, keys, D]);
    attention(&rt, q(), kv(), kv(), q()).unwrap()
}

const CASES: [(&str, usize, usize); 2] = [
    ("decode_over_1048576_keys", 1, 1 << 20),
    ("prefill_of_131072_tokens", 1 << 17, 1 << 17),
];

fn attention_at_length(criterion: &mut Criterion) {
    for (name, queries, keys) in CASES {
        println!("{name}: {}", simulate(queries, keys));
    }
    let mut group = criterion.benchmark_group("simulate");
    group.sample_size(10);
    for (name, queries, keys) in CASES {
        group.bench_function(name, |b| b.iter(|| simulate(queries, keys)));
    }
    group.finish();
}

criterion_group!(benches, attention_at_length);
criterion_main!(benches);
