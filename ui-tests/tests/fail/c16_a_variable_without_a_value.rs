use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn kernel(n: usize, x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    let mut v;
    for i in 0..n {
        v = i;
    }
    copy(x.slice(s![0..v]), y.slice(s![0..v]));
}

fn main() {}
