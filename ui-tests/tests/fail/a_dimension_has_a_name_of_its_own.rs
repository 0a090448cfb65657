use pl::prelude::*;

const K: usize = 4;

#[pl::jit::incore(dims(M, M))]
fn twice(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
    store(y, load(x));
}

#[pl::jit::incore(dims(x))]
fn a_parameter(x: Tensor<f32, x>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore(dims(N))]
fn a_constant<const N: usize>(x: Tensor<f32, N>, y: Out<Tensor<f32, N>>) {
    store(y, load(x) + N);
}

#[pl::jit::incore(dims(T))]
fn a_type<T: Element>(x: Tensor<T, T>, y: Out<Tensor<T, T>>) {
    store(y, load(x));
}

#[pl::jit::incore(dims(f32))]
fn a_primitive(x: Tensor<f32, f32>, y: Out<Tensor<f32, f32>>) {
    store(y, load(x));
}

#[pl::jit::incore(dims(M))]
fn a_variable(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
    let M = 3;
    for M in 0..3 {
        store(y, load(x) + M);
    }
}

#[pl::jit::incore(dims(M))]
fn assigned(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
    M = 3;
    M += 1;
    store(y, load(x) + M);
}

#[pl::jit::incore(dims(K))]
fn like_a_constant_outside(x: Tensor<f32, K>, y: Out<Tensor<f32, K>>) {
    store(y, load(x) + K);
}

fn main() {}
