use pl::prelude::*;
use ui_helpers::{copied, copy, copy_parts, normalized, squared_plus};

#[pl::jit::inline]
fn store_to(x: Tile<f32>, y: Out<Tensor<f32, _>>) {
    store(y, squared_plus(x, 1.0));
}

#[pl::jit::incore]
fn calls_orchestration(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    copy_parts(x, y, 4);
    copy(x, y);
    store_to(load(x), y);
}

#[pl::jit::incore]
fn computes_with_a_tensor(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(copied(x)));
}

#[pl::jit]
fn calls_in_core(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let t = normalized(x);
    copy(x, y);
}

fn main() {}
