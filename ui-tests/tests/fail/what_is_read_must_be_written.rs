use pl::prelude::*;
use ui_helpers::copy;

#[pl::jit]
fn reads_what_nobody_wrote(y: Out<Tensor<f32, 16>>) {
    let t = create_tensor::<f32>([16]);
    copy(t, y);
}

#[pl::jit]
fn writes_an_input(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    copy(y, x);
    copy(x, y);
}

#[pl::jit::incore]
fn forgets_its_output(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    let _ = load(x);
}

fn main() {}
