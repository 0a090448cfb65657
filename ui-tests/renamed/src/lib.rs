//! Kernels in a crate that knows `pl` by another name.

use renamed::prelude::*;

/// `y = -x`, as a task.
#[renamed::jit::incore(crate = ::renamed)]
pub fn negate(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, -load(x.slice(renamed::s![..])));
}

/// `y = -x`
#[renamed::jit(crate = ::renamed)]
pub fn negated(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    negate(x, y);
}
