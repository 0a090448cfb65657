use pl::prelude::*;

#[pl::jit::host(auto_scope = false)]
fn node(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {}

#[pl::function(kind = "host")]
fn in_long(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {}

fn main() {}
