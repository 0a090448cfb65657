//! Values of scopes and of branches.

use crate::{Array1, copy, numbers, runtime};
use pl::prelude::*;

#[pl::jit::inline]
fn both(x: Tensor<f32, _>, y: Tensor<f32, _>) -> (Tensor<f32, _>, usize) {
    let t = create_tensor::<f32>([4]);
    copy(x, t);
    (y, x.dim(0))
}

#[pl::jit::inline]
fn length(x: Tensor<f32, _>) -> usize {
    x.dim(0)
}

#[pl::jit(auto_scope = false)]
#[allow(unused_assignments)]
fn unread(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    let _never = scope!({
        let t = create_tensor::<f32>([8]);
        copy(x, t);
        t
    });
    let _ = scope!({ both(x.slice(s![..4]), x) });
    let (_t, x) = scope!({
        let t = create_tensor::<f32>([8]);
        copy(x, t);
        (t, x.slice(s![..]))
    });
    let mut later = if x.dim(0) == 8 {
        manual_scope!({
            let t = create_tensor::<f32>([8]);
            copy(x, t);
            t
        })
    } else {
        x
    };
    later = x;
    let x = scope!({ later.slice(s![0..4]) });
    let n = scope!({ length(x) }) * 2;
    scope!({ copy(x, y.slice(s![0..4])) });
    let (rest, four) = scope!({ (later.slice(s![4..n]), 4) });
    copy(rest, y.slice(s![four..n]));
}

#[pl::jit]
fn branches(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    let _last = if x.dim(0) == 8 {
        let t = create_tensor::<f32>([8]);
        copy(x, t);
        copy(t, y);
        t
    } else {
        x
    };
}

#[pl::jit::incore]
fn tiles(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    let x = load(x);
    let _twice = scratch_scope!({
        let twice = x + x;
        (twice, x)
    });
    let x = scratch_scope!({ x.slice(s![..]) });
    store(y, x);
}

#[test]
fn a_value_that_nobody_reads_may_be_of_the_scope() {
    let (rt, x) = (runtime(), numbers(8));
    let mut y = Array1::zeros(8);
    unread(&rt, &x, &mut y).unwrap();
    assert_eq!(y, x);
    y.fill(0.0);
    branches(&rt, &x, &mut y).unwrap();
    assert_eq!(y, x);
    y.fill(0.0);
    tiles::launch(&rt, &x, &mut y).unwrap();
    assert_eq!(y, x);
    let rust = unread::kernel().orchestration_rust();
    assert!(rust.contains("let x_3;"), "{rust}");
}
