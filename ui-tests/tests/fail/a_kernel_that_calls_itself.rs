use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn again(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    copy(x, y);
    again(x, y);
}

fn main() {}
