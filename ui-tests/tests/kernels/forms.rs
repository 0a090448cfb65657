//! What Rust allows, though nobody writes it.

use crate::{Array1, copy, numbers, runtime};
use pl::prelude::*;

#[pl::jit::incore]
fn nothing_returned(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) -> () {
    store(y, load(x));
}

static HALF: usize = 4;

#[pl::jit(auto_scope = false, dims(r#M))]
#[allow(redundant_semicolons)]
fn unusual(r#x: Tensor<f32, M>, r#type: Out<Tensor<f32, r#M>>) {
    let r#n = M / 4;
    for i in 0..scope!({ n }) {
        copy(
            x.slice(s![i * HALF..i * HALF + HALF]),
            r#type.slice(s![i * HALF..i * HALF + HALF]),
        );
    }
}

#[test]
fn what_rust_allows_is_allowed() {
    let (rt, x) = (runtime(), numbers(8));
    let mut y = Array1::zeros(8);
    unusual(&rt, &x, &mut y).unwrap();
    assert_eq!(y, x);
    y.fill(0.0);
    nothing_returned::launch(&rt, &x, &mut y).unwrap();
    assert_eq!(y, x);
}
