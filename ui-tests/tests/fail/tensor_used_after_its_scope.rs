use pl::prelude::*;
use ui_helpers::copy;

#[pl::jit(auto_scope = false)]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    let mut t = x;
    scope!({
        t = create_tensor::<f32>([16]);
        copy(x, t);
    });
    copy(t, y);
}

fn main() {}
