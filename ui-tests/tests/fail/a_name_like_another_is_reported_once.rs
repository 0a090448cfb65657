use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn variable(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let rows = x.dim(0);
    let n = rowz + 1;
    copy(x.slice(s![0..rows]), y);
    copy(x.slice(s![0..n]), y);
    copy(x, y);
}

#[pl::jit]
fn argument(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    copy(xx, y);
}

fn main() {}
