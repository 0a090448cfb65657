//! As on any function; and never on what the attributes add, see `kernels.rs`.
#![deny(unused_variables, unused_mut, unused_assignments, non_snake_case)]

use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let unused = load(x);
    let mut t = load(x);
    let badName = t * 2.0;
    store(y, badName);
}

#[pl::jit]
pub fn entry(x: Tensor<f32, 8>, n: usize, y: Out<Tensor<f32, 8>>) {
    let mut from = 0;
    for i in 0..1 {
        copy(x, y);
    }
    from = 1;
}

fn main() {}
