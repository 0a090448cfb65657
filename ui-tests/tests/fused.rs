//! Kernels give the same whether their operations run together or one by one.
#![deny(warnings, clippy::pedantic)]
#![allow(clippy::cast_precision_loss, clippy::many_single_char_names)]

use ndarray::{Array1, Array2};
use pl::prelude::*;

/// The kernels of a module, with operations that run together or one by one.
macro_rules! kernels {
    ($name:ident, $fuse:literal) => {
        mod $name {
            use pl::prelude::*;

            #[pl::jit::incore(fuse = $fuse, dims(M, N, D))]
            pub(crate) fn attend(
                q: Tensor<f32, M, D>,
                k: Tensor<f32, N, D>,
                v: Tensor<f32, N, D>,
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
                        let score = dot(q, transpose(load(k.slice(s![j..e, ..])))) * 0.25;
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

            #[pl::jit::incore(fuse = $fuse, dims(E))]
            pub(crate) fn layer_norm(
                x: Tensor<f32, _, E>,
                gain: Tensor<f32, E>,
                bias: Tensor<f32, E>,
                y: Out<Tensor<f32, _, E>>,
            ) {
                let x = load(x);
                let centred = x - row_mean(x);
                let variance = row_mean(centred * centred);
                store(
                    y,
                    centred * rsqrt(variance + 1e-5) * load(gain) + load(bias),
                );
            }

            #[pl::jit::incore(fuse = $fuse)]
            pub(crate) fn in_place(x: InOut<Tensor<f32, _, _>>, y: Out<Tensor<f32, _, _>>) {
                let old = load(x);
                store(x, old * 2.0 + 1.0);
                store(y, load(x) + old);
            }

            #[pl::jit::incore(fuse = $fuse, dims(M))]
            pub(crate) fn gram(x: Tensor<f32, M, _>, y: Out<Tensor<f32, M, M>>) {
                let acc = zeros([M, M]);
                let half = load(x) * 0.5;
                copy_to(acc, acc + dot(half, transpose(half)) * 2.0);
                copy_to(acc, dot(half, transpose(half)) + acc * 0.25);
                copy_to(acc, acc * row_sum(acc) + dot(acc, acc));
                store(y, acc);
            }

            #[pl::jit::incore(fuse = $fuse)]
            pub(crate) fn beside_part(
                x: Tensor<f32, _, _>,
                rows: usize,
                columns: usize,
                y: Out<Tensor<f32, _, _>>,
                w: Out<Tensor<f32, 1, _>>,
            ) {
                let row = load(x.slice(s![0..1, 0..columns])) * 2.0 + 1.0;
                let part = load(x.slice(s![0..rows, 0..columns])) + row;
                store(y.slice(s![0..rows, 0..columns]), cumsum(part * 2.0));
                store(w.slice(s![.., 0..columns]), cumsum(row));
                let column = load(x.slice(s![0..rows, 0..1])) * 2.0 + 1.0;
                let part = load(x.slice(s![0..rows, 0..columns])) * column;
                store(y.slice(s![0..rows, 0..columns]), part);
            }

            #[pl::jit::incore(fuse = $fuse)]
            pub(crate) fn at_element(
                x: Tensor<f32, _, 4>,
                at: Tensor<u32, 1>,
                y: Out<Tensor<f32, 1, 4>>,
            ) {
                let at = load(at);
                let i = at.get([0]) as usize;
                let row = load(x.slice(s![at.get([0]) as usize..i + 1, ..]));
                at.set([0], 0);
                store(y, row * 2.0 + 1.0);
            }
        }
    };
}

kernels!(together, true);
kernels!(one_by_one, false);

fn runtime(executor: Executor) -> Runtime {
    Runtime::new(RunConfig {
        executor,
        enable_op_log: true,
        ..ui_helpers::checked()
    })
    .expect("a valid configuration")
}

fn serial() -> Runtime {
    runtime(Executor::Serial {
        order: pl::SerialOrder::ProgramOrder,
    })
}

fn numbers(rows: usize, columns: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        ((i * 37 + j * 101 + 13) % 97) as f32 / 48.0 - 1.0
    })
}

fn assert_close(fused: &Array2<f32>, plain: &Array2<f32>) {
    for (fused, plain) in fused.iter().zip(plain) {
        let off = (fused - plain).abs();
        assert!(off <= 2e-6 * plain.abs().max(1.0), "{fused} and {plain}");
    }
}

/// The operations of a run, views left out.
fn operations(report: &RunReport) -> Vec<(&'static str, u64)> {
    let log = report.op_log.iter().filter(|op| op.op_kind != "view");
    let mut all: Vec<_> = log.map(|op| (op.op_name, op.bytes)).collect();
    all.sort_unstable();
    all
}

#[test]
fn attention_over_ragged_tiles() {
    let rt = serial();
    for (m, n, d, tile) in [(5, 37, 8, 16), (16, 64, 8, 16), (1, 9, 4, 4), (3, 5, 2, 8)] {
        let (q, k, v) = (numbers(m, d), numbers(n, d), numbers(n, d));
        let mut fused = Array2::zeros((m, d));
        let mut plain = fused.clone();
        let a = together::attend::launch(&rt, &q, &k, &v, tile, &mut fused).unwrap();
        let b = one_by_one::attend::launch(&rt, &q, &k, &v, tile, &mut plain).unwrap();
        assert_close(&fused, &plain);
        assert_eq!(operations(&a), operations(&b));
        assert!(a.peak_scratch_bytes < b.peak_scratch_bytes, "{a:?} {b:?}");
    }
}

#[test]
fn rows_with_weights_for_all() {
    let rt = serial();
    for (rows, columns) in [(7, 33), (1, 5), (300, 64), (4, 1), (0, 8)] {
        let x = numbers(rows, columns);
        let gain = Array1::from_iter((0..columns).map(|i| i as f32));
        let bias = gain.mapv(|x| x - 2.0);
        let mut fused = Array2::zeros(x.dim());
        let mut plain = fused.clone();
        let a = together::layer_norm::launch(&rt, &x, &gain, &bias, &mut fused).unwrap();
        let b = one_by_one::layer_norm::launch(&rt, &x, &gain, &bias, &mut plain).unwrap();
        assert_eq!(fused, plain);
        assert_eq!(operations(&a), operations(&b));
    }
}

#[test]
fn what_is_stored_is_seen_by_the_next_load_only() {
    let rt = serial();
    let mut x = [numbers(6, 10), numbers(6, 10)];
    let mut y = [Array2::zeros((6, 10)), Array2::zeros((6, 10))];
    together::in_place::launch(&rt, &mut x[0], &mut y[0]).unwrap();
    one_by_one::in_place::launch(&rt, &mut x[1], &mut y[1]).unwrap();
    assert_eq!(x[0], x[1]);
    assert_eq!(y[0], y[1]);
    assert_eq!(y[0], numbers(6, 10).mapv(|x| (x * 2.0 + 1.0) + x));
}

#[test]
fn rows_and_columns_that_meet_nothing() {
    let rt = serial();
    let x = numbers(4, 6);
    for (rows, columns) in [(0, 6), (4, 0), (0, 0), (2, 3), (1, 1)] {
        let mut y = [Array2::zeros(x.dim()), Array2::zeros(x.dim())];
        let mut w = [Array2::zeros((1, 6)), Array2::zeros((1, 6))];
        together::beside_part::launch(&rt, &x, rows, columns, &mut y[0], &mut w[0]).unwrap();
        one_by_one::beside_part::launch(&rt, &x, rows, columns, &mut y[1], &mut w[1]).unwrap();
        assert_eq!(y[0], y[1]);
        assert_eq!(w[0], w[1]);
    }
}

#[test]
fn a_load_is_from_where_the_elements_of_a_tile_said() {
    let rt = serial();
    let x = numbers(5, 4);
    let at = Array1::from(vec![3_u32]);
    let mut y = [Array2::zeros((1, 4)), Array2::zeros((1, 4))];
    together::at_element::launch(&rt, &x, &at, &mut y[0]).unwrap();
    one_by_one::at_element::launch(&rt, &x, &at, &mut y[1]).unwrap();
    assert_eq!(y[0], y[1]);
}

#[test]
fn sums_of_products_in_every_form() {
    let rt = serial();
    let x = numbers(9, 13);
    let mut y = [Array2::zeros((9, 9)), Array2::zeros((9, 9))];
    together::gram::launch(&rt, &x, &mut y[0]).unwrap();
    one_by_one::gram::launch(&rt, &x, &mut y[1]).unwrap();
    for (fused, plain) in y[0].iter().zip(&y[1]) {
        assert!(
            (fused - plain).abs() <= 1e-5 * plain.abs().max(1.0),
            "{fused} and {plain}"
        );
    }
}

#[test]
fn simulated_time_is_that_of_the_operations_as_they_are_written() {
    let rt = runtime(Executor::Timing);
    let shape = |rows| pl::shape::<f32>([rows, 64]);
    let args = || (shape(32), shape(1000), shape(1000), 128, shape(32));
    let (q, k, v, tile, o) = args();
    let a = together::attend::launch(&rt, q, k, v, tile, o).unwrap();
    let (q, k, v, tile, o) = args();
    let b = one_by_one::attend::launch(&rt, q, k, v, tile, o).unwrap();
    let total = |report: &RunReport| report.timing.as_ref().expect("simulated").total_ns;
    assert_eq!(operations(&a), operations(&b));
    assert_eq!(total(&a), total(&b));
}
