//! Attention with grouped queries over a context of any length, with the shapes of Llama-3-70B.
//!
//! Two levels: the orchestration opens one scope for each block of queries of a head, in which the
//! block is normalised into a tensor of its own and attended with; the kernel walks over the context
//! in tiles, and recycles the scratch of each tile. So neither the ring heap nor the scratch depends
//! on the number of keys.

mod support;

use clap::Parser;
use ndarray::{Array3, ArrayView1, ArrayView2, Ix3, s};
use pl::golden::{Compare, Init, Report};
use pl::prelude::*;
use pl::shape;
use std::collections::HashSet;
use std::process::ExitCode;
use std::time::Instant;
use support::{Failure, RunOptions, require_memory, say, size};

const EPSILON: f32 = 1e-5;

#[pl::jit::incore]
fn rms_norm(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    let x = load(x);
    let mean_square = row_sum(x * x) / (x.dim(1) as f32);
    store(y, x * rsqrt(mean_square + EPSILON));
}

#[pl::jit::incore(dims(M, N, D))]
fn attend(
    q: Tensor<f32, M, D>,
    k: Tensor<f32, N, D>,
    v: Tensor<f32, N, D>,
    scale: f32,
    kv_tile: usize,
    o: Out<Tensor<f32, M, D>>,
) {
    let q = load(q);
    let max = full([M, 1], f32::NEG_INFINITY);
    let sum = zeros([M, 1]);
    let acc = zeros([M, D]);
    for j in (0..N).step_by(kv_tile) {
        let e = (j + kv_tile).min(N);
        scratch_scope!({
            let score = dot(q, transpose(load(k.slice(s![j..e, ..])))) * scale;
            let max_new = maximum(max, row_max(score));
            let p = exp(score - max_new);
            let alpha = exp(max - max_new);
            copy_to(sum, sum * alpha + row_sum(p));
            copy_to(acc, acc * alpha + dot(p, load(v.slice(s![j..e, ..]))));
            copy_to(max, max_new);
        });
    }
    store(o, acc / sum);
}

/// `attend` without its `scratch_scope!`: every tile of the context stays in the scratch.
#[pl::jit::incore(dims(M, N, D))]
fn attend_without_scope(
    q: Tensor<f32, M, D>,
    k: Tensor<f32, N, D>,
    v: Tensor<f32, N, D>,
    scale: f32,
    kv_tile: usize,
    o: Out<Tensor<f32, M, D>>,
) {
    let q = load(q);
    let max = full([M, 1], f32::NEG_INFINITY);
    let sum = zeros([M, 1]);
    let acc = zeros([M, D]);
    for j in (0..N).step_by(kv_tile) {
        let e = (j + kv_tile).min(N);
        let score = dot(q, transpose(load(k.slice(s![j..e, ..])))) * scale;
        let max_new = maximum(max, row_max(score));
        let p = exp(score - max_new);
        let alpha = exp(max - max_new);
        copy_to(sum, sum * alpha + row_sum(p));
        copy_to(acc, acc * alpha + dot(p, load(v.slice(s![j..e, ..]))));
        copy_to(max, max_new);
    }
    store(o, acc / sum);
}

#[pl::jit(auto_scope = false, dims(HEADS, KV_HEADS, QUERIES, KEYS, D))]
fn attention(
    q: Tensor<f32, HEADS, QUERIES, D>,
    k: Tensor<f32, KV_HEADS, KEYS, D>,
    v: Tensor<f32, KV_HEADS, KEYS, D>,
    scale: f32,
    q_block: usize,
    kv_tile: usize,
    recycle: bool,
    o: Out<Tensor<f32, HEADS, QUERIES, D>>,
) {
    for h in 0..HEADS {
        let g = h / (HEADS / KV_HEADS);
        let (k, v) = (k.slice(s![g, .., ..]), v.slice(s![g, .., ..]));
        for i in (0..QUERIES).step_by(q_block) {
            let e = (i + q_block).min(QUERIES);
            scope!({
                let normed = create_tensor::<f32>([e - i, D]);
                let o = o.slice(s![h, i..e, ..]);
                rms_norm(q.slice(s![h, i..e, ..]), normed);
                if recycle {
                    attend(normed, k, v, scale, kv_tile, o);
                } else {
                    attend_without_scope(normed, k, v, scale, kv_tile, o);
                }
            });
        }
    }
}

/// Queries of a block and keys of a tile, the largest that fit the scratch of a core with head
/// dimension `d`.
fn tiles(d: usize) -> Option<(usize, usize)> {
    const CANDIDATES: [(usize, usize); 8] = [
        (128, 256),
        (128, 128),
        (128, 64),
        (64, 64),
        (32, 64),
        (16, 32),
        (8, 16),
        (1, 1),
    ];
    CANDIDATES.into_iter().find(|&(m, n)| {
        // `attend`: four tiles of [m, n], two of [n, d], five of [m, d], the rest are columns.
        let floats = 4 * m * n + d.saturating_mul(2 * n + 5 * m) + 8 * m;
        floats.saturating_mul(size_of::<f32>()) <= RunConfig::default().scratch_bytes
    })
}

/// Attention with grouped queries over a context of any length
#[derive(Parser)]
struct Options {
    /// Query heads; a multiple of --kv-heads
    #[arg(long, default_value = "64", value_parser = size, allow_negative_numbers = true)]
    heads: usize,
    /// Heads of keys and values
    #[arg(long, default_value = "8", value_parser = size, allow_negative_numbers = true)]
    kv_heads: usize,
    /// Size of a head
    #[arg(long, default_value = "128", value_parser = size, allow_negative_numbers = true)]
    head_dim: usize,
    /// Queries: 1 for decode, more for prefill
    #[arg(long, default_value = "256", value_parser = size, allow_negative_numbers = true)]
    queries: usize,
    /// Keys: the length of the context
    #[arg(long, default_value = "4096", value_parser = size, allow_negative_numbers = true)]
    keys: usize,
    /// Run the kernel without its `scratch_scope!`, to see the scratch overflow
    #[arg(long)]
    no_scratch_scope: bool,
    #[command(flatten)]
    run: RunOptions,
}

impl Options {
    fn tiles(&self) -> Result<(usize, usize), Failure> {
        let &Self {
            heads,
            kv_heads,
            head_dim: d,
            queries,
            keys,
            ..
        } = self;
        if !heads.is_multiple_of(kv_heads) {
            return Err(Failure::usage(format!(
                "--heads {heads} is not a multiple of --kv-heads {kv_heads}"
            )));
        }
        let (q, kv) = ([heads, queries, d], [kv_heads, keys, d]);
        if !self.run.only_shapes() {
            require_memory(&[&q, &kv, &kv, &q])?;
        }
        let Some((m, n)) = tiles(d) else {
            return Err(Failure::usage(format!(
                "--head-dim {d}: not even one row fits the scratch of a core; use 128"
            )));
        };
        Ok((m.min(queries), n.min(keys)))
    }
}

/// One row of the result, in f64.
fn reference(
    q: &ArrayView1<'_, f32>,
    k: &ArrayView2<'_, f32>,
    v: &ArrayView2<'_, f32>,
) -> Vec<f64> {
    let d = q.len() as f64;
    let square: f64 = q.iter().map(|&x| f64::from(x).powi(2)).sum();
    let factor = 1.0 / (square / d + f64::from(EPSILON)).sqrt() / d.sqrt();
    let score: Vec<f64> = k
        .rows()
        .into_iter()
        .map(|k| {
            factor
                * k.iter()
                    .zip(q)
                    .map(|(&k, &q)| f64::from(k) * f64::from(q))
                    .sum::<f64>()
        })
        .collect();
    let max = score.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    let mut out = vec![0.0; q.len()];
    for (score, v) in score.iter().zip(v.rows()) {
        let p = (score - max).exp();
        sum += p;
        for (out, &v) in out.iter_mut().zip(v) {
            *out += p * f64::from(v);
        }
    }
    out.iter().map(|out| out / sum).collect()
}

/// Multiplications that the reference may take.
const REFERENCE_WORK: usize = 500_000_000;

/// Rows of the result as they should be, and which: all of them, or as many as can be waited for, evenly
/// spread over heads and queries.
fn golden(
    q: &Array3<f32>,
    k: &Array3<f32>,
    v: &Array3<f32>,
) -> (Array3<f64>, HashSet<(usize, usize)>) {
    let (heads, queries, head_dim) = q.dim();
    let (kv_heads, keys, _) = k.dim();
    let rows = heads * queries;
    let compared = (REFERENCE_WORK / (2 * keys * head_dim)).clamp(1, rows);
    let mut want = Array3::zeros(q.raw_dim());
    let mut known = HashSet::new();
    for sample in 1..=compared {
        let row = (sample as u128 * rows as u128 / compared as u128) as usize - 1;
        let (h, i) = (row / queries, row % queries);
        let g = h / (heads / kv_heads);
        let (k, v) = (k.slice(s![g, .., ..]), v.slice(s![g, .., ..]));
        let row = reference(&q.slice(s![h, i, ..]), &k, &v);
        want.slice_mut(s![h, i, ..]).assign(&ndarray::aview1(&row));
        known.insert((h, i));
    }
    (want, known)
}

fn run(options: &Options) -> Result<Option<Report>, Failure> {
    if options.run.print(attention::kernel)? {
        return Ok(None);
    }
    let (q_block, kv_tile) = options.tiles()?;
    let &Options {
        heads,
        kv_heads,
        head_dim,
        queries,
        keys,
        ..
    } = options;
    let (scale, recycle) = (1.0 / (head_dim as f32).sqrt(), !options.no_scratch_scope);
    say(format_args!(
        "tasks of {q_block} queries, tiles of {kv_tile} keys"
    ));
    let q = || shape::<f32>([heads, queries, head_dim]);
    let kv = || shape::<f32>([kv_heads, keys, head_dim]);
    let simulated = options
        .run
        .simulate(|rt| attention(rt, q(), kv(), kv(), scale, q_block, kv_tile, recycle, q()))?;
    if simulated {
        return Ok(None);
    }
    let rt = options.run.runtime()?;
    let mut case = options.run.case("attention");
    let init = Init::uniform(-2.0, 2.0);
    let q = case.input::<f32, Ix3>("q", [heads, queries, head_dim], init)?;
    let k = case.input::<f32, Ix3>("k", [kv_heads, keys, head_dim], init)?;
    let v = case.input::<f32, Ix3>("v", [kv_heads, keys, head_dim], init)?;
    let mut o = case.output::<f32, Ix3>("o", [heads, queries, head_dim]);

    let start = Instant::now();
    let report = case.stage("runtime", || {
        attention(&rt, &q, &k, &v, scale, q_block, kv_tile, recycle, &mut o)
    })?;
    let seconds = start.elapsed().as_secs_f64();
    let flops = 4.0
        * [heads, queries, keys, head_dim]
            .map(|n| n as f64)
            .iter()
            .product::<f64>();
    say(format_args!("{:.1} GFLOP/s", flops / seconds / 1e9));
    say(report);
    let (want, known) = case.stage("golden", || golden(&q, &k, &v));
    say(format_args!(
        "compared with the reference: {} of {} rows",
        known.len(),
        heads * queries
    ));
    let compare = Compare::close(1e-5, 1e-5).only(|at| known.contains(&(at[0], at[1])));
    case.compare("o", &o, &want, &compare)?;
    Ok(Some(case.finish()))
}

fn main() -> ExitCode {
    support::main(run)
}
