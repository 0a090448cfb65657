//! Kernels that return tensors.

use super::{Array1, add_to, numbers, runtimes, scale};
use pl::prelude::*;

#[pl::jit::incore]
fn doubled(x: Tensor<f32, 8>) -> Tensor<f32, 8> {
    load(x) * 2.0
}

#[pl::jit::incore]
fn both(x: Tensor<f32, 8>) -> (Tensor<f32, 8>, Tensor<f32, 8>) {
    let x = load(x);
    (x + 1.0, x + 2.0)
}

#[pl::jit]
fn pairs(x: Tensor<f32, 8>, n: Tensor<i32, 1>, y: Out<Tensor<f32, 8>>) {
    manual_scope!({
        let (a, t) = submit!(doubled(x));
        let (mut b, mut last) = submit!(doubled(a), deps = [t]);
        for _ in 0..2 {
            (b, last) = submit!(doubled(b), deps = [last]);
        }
        submit!(doubled(x));
        let ((c, d), u) = submit!(both(b), deps = [last], predicate = n.get([0]) == 1);
        let v = submit!(scale(c, 1.0, y), deps = [u]);
        submit!(add_to(d, y), deps = [u, v]);
    });
}

#[test]
fn a_submit_gives_what_the_kernel_returns_and_its_id() {
    for rt in runtimes() {
        let x = numbers(8);
        let mut y = Array1::zeros(8);
        pairs(&rt, &x, &Array1::ones(1), &mut y).unwrap();
        assert_eq!(y, x * 32.0 + 3.0);
    }
}

#[test]
fn a_pair_is_told_apart_in_what_a_kernel_becomes() {
    let (ir, rust) = (pairs::kernel().ir(), pairs::kernel().orchestration_rust());
    let binds = "let (a, t): (Tensor<f32>, TaskId) = submit doubled(in x)";
    assert!(ir.contains(binds), "{ir}");
    for part in [
        "(task0.get_ref(0), task0.task_id())",
        "((task0.get_ref(0), task0.get_ref(1)), task0.task_id())",
    ] {
        assert!(rust.contains(part), "no {part:?} in:\n{rust}");
    }
}
