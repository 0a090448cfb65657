//! Softmax and RMS norm of rows.

use crate::{Case, Made, random};
use ndarray::Array2;
use pl::prelude::*;
use serde_json::json;

const N: usize = 1024;
/// Rows of a task.
const ROWS: usize = 64;

#[pl::jit::incore]
fn softmax_rows(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    let x = load(x);
    let e = exp(x - row_max(x));
    store(y, e / row_sum(e));
}

#[pl::jit::incore]
fn rms_norm_rows(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    let x = load(x);
    let mean_square = row_sum(x * x) / (x.dim(1) as f32);
    store(y, x * rsqrt(mean_square + 1e-5));
}

#[pl::jit]
fn softmax_tasks(x: Tensor<f32, N, N>, y: Out<Tensor<f32, N, N>>) {
    for i in (0..N).step_by(ROWS) {
        softmax_rows(x.slice(s![i..i + ROWS, ..]), y.slice(s![i..i + ROWS, ..]));
    }
}

#[pl::jit]
fn rms_norm_tasks(x: Tensor<f32, N, N>, y: Out<Tensor<f32, N, N>>) {
    for i in (0..N).step_by(ROWS) {
        rms_norm_rows(x.slice(s![i..i + ROWS, ..]), y.slice(s![i..i + ROWS, ..]));
    }
}

type Entry = fn(&Runtime, &Array2<f32>, &mut Array2<f32>) -> pl::Result<RunReport>;

/// Both.
pub(crate) fn cases() -> Vec<Made> {
    let entries: [(&str, Entry); 2] = [
        ("softmax", |rt, x, y| softmax_tasks(rt, x, y)),
        ("rms_norm", |rt, x, y| rms_norm_tasks(rt, x, y)),
    ];
    let made = |(name, entry): (&'static str, Entry)| -> Made {
        let make = move || make(name, entry);
        (format!("{name} {N}x{N}"), Box::new(make))
    };
    entries.into_iter().map(made).collect()
}

fn make(name: &str, entry: Entry) -> Case {
    let x = random(0, (1, N, N));
    let matrix = x.clone().into_shape_with_order((N, N)).expect("as many");
    let mut y = Array2::zeros((N, N));
    Case {
        request: json!({"case": name, "dtype": "f32"}),
        inputs: vec![x],
        flops: (N * N) as f64,
        tolerance: 1e-5,
        copies: true,
        run: Box::new(move |rt, out| {
            entry(rt, &matrix, &mut y).expect("it fits");
            if let Some(out) = out {
                out.extend(y.iter());
            }
        }),
    }
}
