use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn ping(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    copy(x, y);
    pong(x, y);
}

#[pl::jit::inline]
fn pong(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    ping(x, y);
}

#[pl::jit]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    ping(x, y);
}

fn main() {}
