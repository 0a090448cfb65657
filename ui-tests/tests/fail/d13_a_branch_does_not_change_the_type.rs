use pl::prelude::*;

#[pl::jit::incore]
fn scaled(on: bool, x: Tensor<f16, 16>, by: Tensor<f32, 16>, y: Out<Tensor<f16, 16>>) {
    let mut a = load(x);
    if on {
        a = a * load(by);
    }
    store(y, a);
}

#[pl::jit::incore]
fn number(on: bool, n: usize, y: Out<Tensor<f32, 16>>) {
    let mut a = 0.5;
    if on {
        a = n;
    }
    store(y, full([16], a));
}

fn main() {}
