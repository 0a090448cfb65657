use pl::prelude::*;

#[pl::jit::inline]
fn add_to(x: Tile<f32>, y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + x);
}

#[pl::jit::incore]
fn whole(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
    add_to(load(x), y);
}

#[pl::jit::incore]
fn sliced(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let first = y.slice(s![0..4]);
    ui_helpers::store_doubled(load(x.slice(s![0..4])), first);
}

#[pl::jit::incore]
fn parts(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
    add_to(load(x.partition(0)), y.partition(0));
}

#[pl::jit]
fn entry(x: Tensor<f32, 8>, y: InOut<Tensor<f32, 8>>, z: InOut<Tensor<f32, 8>>) {
    submit!(whole(x, y), blocks = 2);
    submit!(whole(x, y), blocks = 1);
    submit!(sliced(x, z), blocks = 2);
    submit!(parts(x, z), blocks = 2);
}

fn main() {}
