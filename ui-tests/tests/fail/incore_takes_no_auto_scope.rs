use pl::prelude::*;

#[pl::jit::incore(auto_scope = true)]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    store(y, load(x));
}

fn main() {}
