use pl::prelude::*;

#[pl::jit::incore]
fn parameter(x: Tensor<f64, _>, y: Out<Tensor<f32, _>>) {
    store(y, cast(load(x)));
}

#[pl::jit::incore]
fn tile(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let t = cast::<f64>(load(x));
    store(y, t);
}

#[pl::jit]
fn tensor(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let c = create_tensor::<f64>([4]);
    parameter(c, y);
}

fn main() {}
