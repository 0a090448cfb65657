use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn labelled(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    'rows: for _ in 0..4 {
        copy(x, y);
        break 'rows;
    }
}

#[pl::jit]
fn undeclared(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    for _ in 0..4 {
        copy(x, y);
        continue 'rows;
    }
}

fn main() {}
