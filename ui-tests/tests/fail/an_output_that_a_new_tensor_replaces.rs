use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn kernel(x: Tensor<f32, 16>, mut y: Out<Tensor<f32, 16>>) {
    y = create_tensor::<f32>([16]);
    copy(x, y);
}

fn main() {}
