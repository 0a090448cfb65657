//! Explicit submission: kernels that compile, run on every executor, and give the right values.
#![deny(warnings, clippy::pedantic)]
// Denied by name, they are not among the warnings that an attribute allows.
#![deny(unused, nonstandard_style, rust_2018_idioms, unreachable_pub)]
#![allow(clippy::cast_precision_loss, clippy::float_cmp)]

use ndarray::{Array1, Array2, array};
use pl::SerialOrder;
use pl::prelude::*;

/// Threads, and one legal order of tasks after the other.
fn runtimes() -> Vec<Runtime> {
    let serial = (0..8).map(|seed| Executor::Serial {
        order: SerialOrder::Random(seed),
    });
    let executors = serial.chain([Executor::Threads { threads: 4 }]);
    executors
        .map(|executor| {
            let config = RunConfig {
                executor,
                ..ui_helpers::checked()
            };
            Runtime::new(config).expect("valid")
        })
        .collect()
}

fn runtime() -> Runtime {
    Runtime::new(ui_helpers::checked()).expect("the default configuration is valid")
}

fn numbers(n: usize) -> Array1<f32> {
    Array1::from_iter((0..n).map(|i| i as f32))
}

fn says(error: &pl::Error, parts: &[&str]) {
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

#[pl::jit::incore]
fn scale(x: Tensor<f32, _>, by: f32, y: Out<Tensor<f32, _>>) {
    store(y, load(x) * by);
}

#[pl::jit::incore]
fn add_to(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + load(x));
}

mod audit;
mod blocks;
mod book;
mod constants;
mod data;
mod helpers;
mod hints;
mod order;
mod predicates;
mod returned;
mod values;
mod wavefront;
