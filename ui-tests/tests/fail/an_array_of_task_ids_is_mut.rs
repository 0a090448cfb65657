use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn not_mut(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    let ids = TaskIds::<2>::new();
    ids[0] = submit!(copy(x, y));
    let unused = submit!(copy(x, y), deps = [ids]);
}

fn main() {}
