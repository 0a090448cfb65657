use pl::prelude::*;

#[pl::jit::incore]
fn kernel(x: Tensor<f16, 16>, y: Tensor<f32, 16>, z: Out<Tensor<f32, 16>>) {
    let sum = load(x) + load(y);
    store(z, sum);
    let wrong = exp(x);
}

fn main() {}
