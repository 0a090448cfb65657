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
    let t = create_tensor::<f32>([x.dim(0)]);
    let first = renamed::submit!(negate(x, t), deps = [renamed::TaskId::NONE], blocks = 1);
    let mut ids = renamed::TaskIds::<1>::new();
    ids[0] = renamed::submit!(
        negate(t, y),
        deps = [first],
        core_type = renamed::CoreType::Aic
    );
    submit!(negate(x, y), deps = [barrier([ids])]);
}
