use pl::prelude::*;

#[pl::jit::incore(dims(M))]
fn doubled(x: Tensor<f32, M>) -> Tensor<f32, M> {
    load(x) * 2.0
}

#[pl::jit::incore(dims(M))]
fn of_another_type(x: Tensor<f32, M>) -> Tensor<f16, M> {
    load(x)
}

#[pl::jit::incore(dims(M))]
fn of_nothing(x: Tensor<f32, M>) -> Tensor<f32, M> {
    load(x);
}

#[pl::jit::incore(dims(M))]
fn of_a_tensor(x: Tensor<f32, M>) -> Tensor<f32, M> {
    x
}

#[pl::jit::incore(dims(M))]
fn of_one_of_two(x: Tensor<f32, M>) -> (Tensor<f32, M>, Tensor<f32, 4>) {
    load(x)
}

#[pl::jit::incore]
fn of_any_length(x: Tensor<f32, _>) -> Tensor<f32, _> {
    load(x)
}

#[pl::jit::incore]
fn of_a_scalar(x: Tensor<f32, _>) -> f32 {
    load(x).get([0])
}

#[pl::jit]
fn uses(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4, 4>>) {
    let t = doubled(x);
    doubled(t, x);
    doubled(y);
    let n = of_a_scalar(x);
    let any = of_any_length(x);
}

fn main() {}
