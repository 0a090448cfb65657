use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn sum(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    let n = x.dim(0) + a;
    copy(x.slice(s![0..n]), y);
}

#[pl::jit]
fn product(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    let n = 2 * a * (x.dim(0) - 1);
    copy(x.slice(s![0..n]), y);
}

#[pl::jit]
fn added(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    let mut n = x.dim(0);
    n += a;
    copy(x.slice(s![0..n]), y);
}

#[pl::jit]
fn shifted(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    let n = (1 << a) * (x.dim(0) >> a);
    copy(x.slice(s![0..n]), y);
}

fn main() {}
