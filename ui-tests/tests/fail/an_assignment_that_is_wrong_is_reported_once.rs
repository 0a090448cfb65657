use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn twice(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let a = 1;
    a = 2;
    copy(x.slice(s![0..a]), y);
    copy(x, y);
}

#[pl::jit]
fn never(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let a: usize;
    copy(x.slice(s![0..a]), y);
    copy(x, y);
}

#[pl::jit]
fn sometimes(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let a;
    if x.dim(0) > 1 {
        a = 1;
    }
    copy(x.slice(s![0..a]), y);
    copy(x, y);
}

fn main() {}
