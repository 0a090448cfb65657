use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    store(y, load(x));
}

#[pl::jit::incore(dims(M))]
fn scale<T: Element>(x: Tensor<T, M, 4>, by: T, y: Out<Tensor<T, M, 4>>) {
    store(y, load(x) * by);
}

#[pl::jit]
fn undefined(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    cpoy(x, y);
}

fn plain(_: usize) {}

#[pl::jit]
fn calls_plain_rust(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    plain(3);
    copy(x, y);
}

#[pl::jit]
fn generic_arguments(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    scale::<f32, 4>(x, 1.0, y);
}

#[pl::jit]
fn scalar_for_tensor(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    copy(x, y);
    copy(3.0, y);
}

#[pl::jit]
fn integer_for_float(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    scale::<f32>(x, 1, y);
}

#[pl::jit]
fn missing_argument(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    copy(x);
}

#[pl::jit]
fn swapped(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    copy(y, x);
}

#[pl::jit]
fn rank(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    copy(x.slice(s![0, ..]), y);
}

fn main() {}
