use pl::prelude::*;

#[pl::jit::inline]
fn unused(_name: String, x: Tensor<f32, 16>) -> Tensor<f32, 16> {
    x
}

fn main() {}
