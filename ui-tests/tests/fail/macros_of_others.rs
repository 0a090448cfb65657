use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    println!("{}", x.dim(0));
    store(y, load(x));
}

#[pl::jit]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    let sizes = vec![4, 8];
    copy(x, y);
}

fn main() {}
