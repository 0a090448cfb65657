use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    scratch_scope!({
        copy(x, y);
    });
}

fn main() {}
