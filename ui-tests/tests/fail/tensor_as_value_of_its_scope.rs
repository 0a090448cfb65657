use pl::prelude::*;
use ui_helpers::copy;

#[pl::jit(auto_scope = false)]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    let t = scope!({
        let inner = create_tensor::<f32>([16]);
        copy(x, inner);
        inner
    });
    copy(t, y);
}

fn main() {}
