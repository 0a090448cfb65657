//! Attention at 4096 x 4096 x 128 beside the `gemm` crate alone on its two matrix products.
//!
//! `cargo bench --bench attention`; the last lines give the ratio, measured in pairs, and where the time
//! goes with operations that run together and one by one.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{Criterion, criterion_group, criterion_main};
use ndarray::Array2;
use pl::prelude::*;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use std::hint::black_box;
use std::time::{Duration, Instant};

const S: usize = 4096;
const D: usize = 128;
const SQ: usize = 128;
const KV_TILE: usize = 128;

/// Attention by a kernel whose operations run together, or one by one.
macro_rules! attention {
    ($name:ident, $fuse:literal) => {
        mod $name {
            use super::{D, KV_TILE, S, SQ};
            use pl::prelude::*;

            #[pl::jit::incore(fuse = $fuse)]
            fn attend(
                q: Tensor<f32, SQ, D>,
                k: Tensor<f32, S, D>,
                v: Tensor<f32, S, D>,
                scale: f32,
                o: Out<Tensor<f32, SQ, D>>,
            ) {
                let q = load(q);
                let m = full([SQ, 1], f32::NEG_INFINITY);
                let l = zeros([SQ, 1]);
                let acc = zeros([SQ, D]);
                for j in (0..S).step_by(KV_TILE) {
                    scratch_scope!({
                        let s = dot(q, transpose(load(k.slice(s![j..j + KV_TILE, ..])))) * scale;
                        let m_new = maximum(m, row_max(s));
                        let p = exp(s - m_new);
                        let alpha = exp(m - m_new);
                        copy_to(l, l * alpha + row_sum(p));
                        copy_to(
                            acc,
                            acc * alpha + dot(p, load(v.slice(s![j..j + KV_TILE, ..]))),
                        );
                        copy_to(m, m_new);
                    });
                }
                store(o, acc / l);
            }

            #[pl::jit]
            pub(crate) fn attention(
                q: Tensor<f32, S, D>,
                k: Tensor<f32, S, D>,
                v: Tensor<f32, S, D>,
                o: Out<Tensor<f32, S, D>>,
            ) {
                for i in (0..S).step_by(SQ) {
                    attend(
                        q.slice(s![i..i + SQ, ..]),
                        k,
                        v,
                        0.088_388_35,
                        o.slice(s![i..i + SQ, ..]),
                    );
                }
            }
        }
    };
}

attention!(together, true);
attention!(one_by_one, false);

struct Inputs {
    q: Array2<f32>,
    k: Array2<f32>,
    v: Array2<f32>,
    o: Array2<f32>,
    /// The matrix between the two products.
    p: Array2<f32>,
}

impl Inputs {
    fn new() -> Self {
        let mut rng = StdRng::seed_from_u64(1);
        let mut matrix = |rows, cols| Array2::from_shape_simple_fn((rows, cols), || rng.random());
        Self {
            q: matrix(S, D),
            k: matrix(S, D),
            v: matrix(S, D),
            o: Array2::zeros((S, D)),
            p: Array2::zeros((S, S)),
        }
    }

    fn attention(&mut self, rt: &Runtime) {
        together::attention(rt, &self.q, &self.k, &self.v, &mut self.o).expect("fits");
    }

    fn products(&mut self, threads: usize) {
        product(&mut self.p, &self.q, &self.k.t(), threads);
        product(&mut self.o, &self.p, &self.v.view(), threads);
    }
}

fn product(
    out: &mut Array2<f32>,
    a: &Array2<f32>,
    b: &ndarray::ArrayView2<'_, f32>,
    threads: usize,
) {
    let ((m, k), n) = (a.dim(), b.ncols());
    let (out_strides, a_strides, b_strides) = (out.strides().to_vec(), a.strides(), b.strides());
    let parallelism = match threads {
        1 => gemm::Parallelism::None,
        threads => gemm::Parallelism::Rayon(threads),
    };
    // SAFETY: shapes and strides are those of the three arrays, and `out` is borrowed for writing.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out.as_mut_ptr(),
            out_strides[1],
            out_strides[0],
            false,
            a.as_ptr(),
            a_strides[1],
            a_strides[0],
            b.as_ptr(),
            b_strides[1],
            b_strides[0],
            0.0,
            1.0,
            false,
            false,
            false,
            parallelism,
        );
    }
}

fn runtime(threads: usize) -> Runtime {
    let executor = Executor::Threads { threads };
    Runtime::new(RunConfig {
        executor,
        ..RunConfig::default()
    })
    .expect("valid")
}

fn benches(c: &mut Criterion) {
    let mut inputs = Inputs::new();
    for threads in [1, 2] {
        let rt = runtime(threads);
        let mut group = c.benchmark_group(format!("attention 4096x4096x128, {threads} thread(s)"));
        group.sample_size(10);
        group.bench_function("pl", |b| b.iter(|| inputs.attention(&rt)));
        group.bench_function("gemm alone", |b| b.iter(|| inputs.products(threads)));
        group.finish();
    }
    for threads in [1, 2] {
        ratio(&mut inputs, threads);
    }
    shares(&mut inputs);
}

/// Where the time of a kernel goes, by its operations.
fn shares(inputs: &mut Inputs) {
    let rt = Runtime::new(RunConfig {
        executor: Executor::Threads { threads: 1 },
        enable_op_log: true,
        ..RunConfig::default()
    })
    .expect("valid");
    let Inputs { q, k, v, o, .. } = inputs;
    for fused in [true, false] {
        let run = if fused {
            together::attention
        } else {
            one_by_one::attention
        };
        run(&rt, &*q, &*k, &*v, &mut *o).expect("fits");
        let report = run(&rt, &*q, &*k, &*v, &mut *o).expect("fits");
        let mut by_name = std::collections::BTreeMap::<_, u64>::new();
        for op in &report.op_log {
            *by_name.entry(op.op_name).or_default() += op.ns;
        }
        let total: u64 = by_name.values().sum();
        let mut shares: Vec<_> = by_name.into_iter().collect();
        shares.sort_by_key(|(_, ns)| std::cmp::Reverse(*ns));
        let text = shares.iter().take(9).map(|(name, ns)| {
            let percent = 100.0 * *ns as f64 / total as f64;
            format!("{name} {percent:.1} %")
        });
        println!(
            "{}: {:.1} ms: {}",
            if fused { "together" } else { "one by one" },
            total as f64 / 1e6,
            text.collect::<Vec<_>>().join(", "),
        );
    }
}

/// Medians of pairs that run one after the other, and their ratio.
fn ratio(inputs: &mut Inputs, threads: usize) {
    fn time(run: impl FnOnce()) -> Duration {
        let start = Instant::now();
        run();
        start.elapsed()
    }
    let rt = runtime(threads);
    let mut pairs: Vec<(Duration, Duration)> = (0..9)
        .map(|_| {
            let ours = time(|| inputs.attention(&rt));
            (ours, time(|| inputs.products(black_box(threads))))
        })
        .collect();
    pairs.remove(0);
    let mut median = |key: fn(&(Duration, Duration)) -> f64| {
        pairs.sort_by(|a, b| key(a).total_cmp(&key(b)));
        key(&pairs[pairs.len() / 2])
    };
    let flops = 4.0 * (S * S * D) as f64;
    let rate = |seconds: f64| flops / seconds / 1e9;
    let ours = rate(median(|pair| pair.0.as_secs_f64()));
    let peer = rate(median(|pair| pair.1.as_secs_f64()));
    let share = median(|pair| pair.1.as_secs_f64() / pair.0.as_secs_f64());
    println!(
        "{threads} thread(s): attention {ours:.1} GFLOP/s, gemm alone {peer:.1} GFLOP/s, ratio {share:.2}"
    );
}

criterion_group!(attention_benches, benches);
criterion_main!(attention_benches);
