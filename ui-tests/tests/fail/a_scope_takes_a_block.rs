use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn empty(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    scope!();
    copy(x, y);
}

#[pl::jit]
fn call(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    scope!(copy(x, y));
}

fn main() {}
