use pl::prelude::*;

#[pl::jit::host(auto_scope = false)]
fn node(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {}

#[pl::jit::opaque]
fn fused(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {}

#[pl::jit::opaque(auto_scope = false)]
fn refused(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {}

fn main() {}
