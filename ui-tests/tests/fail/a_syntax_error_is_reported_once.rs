use pl::prelude::*;
use ui_helpers::copy;

#[pl::jit]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    let t = x.;
    copy(x, y);
}

fn main() {
    let _ = kernel::kernel();
}
