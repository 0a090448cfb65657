use pl::prelude::*;
use ui_helpers::copy;

#[pl::jit]
fn inner(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    copy(x, y);
}

#[pl::jit]
fn outer(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    inner(x, y);
}

fn main() {}
