use pl::prelude::*;

const FLAG: bool = false;

#[pl::jit(auto_scope)]
fn without_a_value(x: Tensor<f32, 16>) {}

#[pl::jit(auto_scope = FLAG)]
fn with_a_name(x: Tensor<f32, 16>) {}

#[pl::jit(autoscope = false)]
fn with_another_option(x: Tensor<f32, 16>) {}

fn main() {}
