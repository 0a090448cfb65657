use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn twice(x: Tensor<f32, 4>, x: f32, y: Out<Tensor<f32, 4>>) {
    copy(x, y);
}

fn main() {}
