use pl::prelude::*;
use ui_helpers::copy;

#[pl::jit]
fn kernel(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    for i in 0..=UNDEFINED {
        copy(x, y);
    }
}

#[pl::jit(auto_scop = false)]
fn another(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let n = undefined;
    copy(x.slice(s![..n]), y);
}

fn plain() -> usize {
    missing()
}

fn main() {
    plain();
}
