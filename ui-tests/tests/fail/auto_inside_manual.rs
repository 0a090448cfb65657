use pl::prelude::*;
use ui_helpers::copy;

#[pl::jit(auto_scope = false)]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    manual_scope!({
        scope!({
            copy(x, y);
        });
    });
}

fn main() {}
