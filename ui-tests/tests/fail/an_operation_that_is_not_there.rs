use pl::prelude::*;

#[pl::jit::incore]
fn near(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    store(y, row_mx(load(x)));
}

#[pl::jit::incore]
fn far(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    store(y, softplus(load(x)));
}

#[pl::jit]
fn methods(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    near(x.flatten(), y);
    let n = x.dim(0).ilog2();
}

fn main() {}
