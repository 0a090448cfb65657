use pl::prelude::*;

#[pl::jit::incore]
fn sum(x: Tensor<f32, 64, 32>, b: Tensor<f32, 16>, y: Out<Tensor<f32, 64, 32>>) {
    store(y, load(x) + load(b));
}

#[pl::jit::incore]
fn product(a: Tensor<f32, 8, 16>, b: Tensor<f32, 8, 16>, y: Out<Tensor<f32, 8, 8>>) {
    store(y, dot(load(a), load(b)));
}

#[pl::jit::incore]
fn whole(x: Tensor<f32, 64, 32>, y: Out<Tensor<f32, 64>>) {
    store(y, row_sum(load(x)));
}

#[pl::jit::incore]
fn part(x: Tensor<f32, 64, 32>, y: Out<Tensor<f32, 64, 32>>) {
    store(y, load(x.slice(s![0..80, ..])));
}

fn main() {}
