use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn helper(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    submit!(copy(x, y))
}

#[pl::jit]
fn branches(c: bool, x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    if c {
        submit!(copy(x, y))
    }
    if c {
        submit!(copy(x, y))
    } else {
        copy(x, y);
    }
    let t = if c { submit!(copy(x, y)) } else { x };
    copy(x, y);
}

#[pl::jit]
fn loops(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    for _ in 0..4 {
        submit!(copy(x, y))
    }
    while y.dim(0) > 0 {
        x.slice(s![0..4])
    }
    manual_scope!({ submit!(copy(x, y)) })
}

#[pl::jit::incore]
fn tile(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
    load(x)
}

#[pl::jit]
fn entry(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    copy(x, y);
    x
}

fn main() {}
