use pl::prelude::*;

#[pl::jit::incore]
fn add(x: Tensor<f32, _>, a: u8, y: Out<Tensor<f32, _>>) {
    store(y, load(x) + a as f32);
}

#[pl::jit]
fn literal(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let a: u8 = 256;
    add(x, a, y);
}

fn main() {}
