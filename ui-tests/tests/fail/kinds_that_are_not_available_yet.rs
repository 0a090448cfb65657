use pl::prelude::*;

#[pl::jit::host(auto_scope = false)]
fn node(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {}

#[pl::jit::opaque]
fn fused(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {}

#[pl::jit::opaque(auto_scope = false)]
fn refused(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {}

#[pl::jit::opaque]
fn with_their_own_words(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    at!({});
}

fn main() {}
