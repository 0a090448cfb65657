use pl::prelude::*;
use ui_helpers::{copy, copy_parts};

#[pl::jit::inline]
fn rows(x: Tensor<f32, _>) -> usize {
    x.dim(0)
}

#[pl::jit::incore]
fn kernel(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    at!("inner", {
        store(y, load(x));
    });
}

#[pl::jit]
fn calls(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    at!("calls", {
        copy(x, y);
        copy_parts(x, y, 4);
    });
}

#[pl::jit]
fn untyped(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let n = rows(x);
    at!("untyped", {
        store(y, load(x) + full([n], 1.0));
    });
}

#[pl::jit]
fn types(x: Tensor<f32, 4>, y: Out<Tensor<f16, 4>>) {
    let i = 1_i32;
    at!("types", {
        store(y, load(x));
        store(x.slice(s![i..]), zeros([3]));
    });
}

#[pl::jit]
fn values(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let mut t;
    at!("value", {
        t = load(x);
        store(y, load(x));
        load(y)
    });
    for i in 0..4 {
        at!("outer", {
            at!("nested", {
                store(y, load(x));
            });
            break;
        });
    }
}

#[pl::jit::opaque(auto_scope = true)]
fn opaque(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    at!("a name", {
        store(y, load(x));
    });
    at!({
        store(y, load(x));
    });
    at!("syntax", {
        store(y, load(x) +);
    });
}

fn main() {
    at!("plain", {});
}
