use pl::prelude::*;
use ui_helpers::copy;

#[pl::jit]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    for i in 0..=1 {
        copy(x, y);
    }
    loop {}
    scope!({
        copy(x, y);
    });
}

fn main() {}
