//! `get` and `set` on tensors that calls return: their element types are those of the callee's signature. All is compared
//! with the C++.
#![allow(clippy::cast_lossless, reason = "kernels convert numbers with `as`")]

use ndarray::{Array1, array};
use pl::prelude::*;
use ui_helpers::converted as of_crate;

fn runtime() -> Runtime {
    Runtime::new(ui_helpers::checked()).unwrap()
}

fn numbers(n: usize) -> Array1<f32> {
    Array1::from_iter((0..n).map(|i| i as f32))
}

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore(dims(M))]
fn converted<T: Element>(x: Tensor<f32, M>) -> Tensor<T, M> {
    cast::<T>(load(x))
}

#[pl::jit::incore(dims(M))]
fn bytes(x: Tensor<f32, M>) -> Tensor<u8, M> {
    cast::<u8>(load(x))
}

#[pl::jit::incore(dims(M))]
fn routed(x: Tensor<f32, M>) -> (Tensor<f32, M>, Tensor<u8, M>) {
    let x = load(x);
    (x * 0.5, cast::<u8>(x))
}

#[pl::jit::incore(dims(M))]
fn split<A: Element, B: Element>(
    x: Tensor<f32, M>,
) -> (Tensor<A, M>, Tensor<B, 1>, Tensor<i64, M>) {
    let x = load(x);
    (cast::<A>(x), full([1], 1), cast::<i64>(x))
}

/// Takes the number as the type that it has.
#[pl::jit::incore]
fn scalar<T: Element>(value: T, y: Out<Tensor<f32, 1>>) {
    store(y, full([1], value));
}

#[pl::jit]
fn compared(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let c = bytes(x);
    if c.get([3]) > 2 {
        copy(x, y);
    }
}

#[pl::jit]
fn indexed(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let (gates, experts) = routed(x);
    let expert = experts.get([3]);
    let at = expert as usize - 2;
    copy(gates, y);
    copy(x.slice(s![at..at + 1]), y.slice(s![0..1]));
}

#[test]
fn an_element_of_a_result_has_the_type_of_the_callees_signature() {
    let mut y = Array1::zeros(4);
    compared(&runtime(), &numbers(4), &mut y).unwrap();
    assert_eq!(y, numbers(4));
    indexed(&runtime(), &numbers(4), &mut y).unwrap();
    assert_eq!(y, array![1.0, 0.5, 1.0, 1.5]);
}

#[pl::jit]
fn of_every_type(x: Tensor<f32, 4>, y: Out<Tensor<f32, 8>>) {
    let (h, b) = (converted::<f16>(x), converted::<bf16>(x));
    scalar::<f16>(h.get([1]), y.slice(s![0..1]));
    scalar::<bf16>(b.get([2]), y.slice(s![1..2]));
    let t = converted::<bool>(x);
    if t.get([1]) && !t.get([0]) {
        y.set([2], 1.0);
    }
    let l = converted::<i64>(x);
    y.set(
        [3],
        (l.get([3]) - 5_000_000_000 + 4_999_999_999).abs() as f32,
    );
    let f = converted::<f32>(x);
    y.set([4], f.get([3]) * 0.5);
    let u = converted::<u64>(x);
    y.set(
        [5],
        (u.get([2]) + 18_446_744_073_709_551_000 - 18_446_744_073_709_551_000) as f32,
    );
    let i = converted::<i16>(x);
    let least = i.get([0]).min(-3);
    y.set([6], least as f32);
    let same = h.get([1]) == h.get([2]) || b.get([1]) < b.get([0]);
    y.set([7], if same { 1.0 } else { 0.0 });
}

#[test]
fn an_element_of_a_result_may_be_of_every_type() {
    let mut y = Array1::zeros(8);
    of_every_type(&runtime(), &numbers(4), &mut y).unwrap();
    assert_eq!(y, array![1.0, 2.0, 1.0, 2.0, 1.5, 2.0, -3.0, 0.0]);
}

#[pl::jit::inline]
fn helper<T: Element>(x: Tensor<f32, 4>) -> (usize, Tensor<T, 2>) {
    let (_, ids) = routed(x);
    let all = converted::<T>(x);
    (ids.get([2]) as usize, all.slice(s![2..]))
}

#[pl::jit::inline]
fn nested(x: Tensor<f32, 4>) -> Tensor<i64, 2> {
    let (_, tail) = helper::<i64>(x);
    tail.set([0], tail.get([1]) + 1);
    tail
}

#[pl::jit::inline]
fn third<A: Element, B: Element>(x: Tensor<f32, 4>) -> Tensor<B, 1> {
    let (_, b, _) = split::<A, B>(x);
    b
}

#[pl::jit]
fn through_helpers<T: Element>(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let (n, tail) = helper::<u16>(x);
    let far = tail.get([1]);
    y.set([0], (n as u16 * far) as f32);
    let last = nested(x);
    y.set([1], (last.get([0]) * 2) as f32);
    let c = third::<T, u8>(x);
    y.set([2], if c.get([0]) == 1 { 1.0 } else { 0.0 });
    let (a, flags, _) = split::<T, bool>(x);
    if !flags.get([0]) {
        y.set([2], 0.0);
    }
    scalar::<T>(a.get([1]), y.slice(s![3..4]));
}

#[test]
fn results_of_helpers_and_of_generic_callees_have_their_types() {
    let mut y = Array1::zeros(4);
    through_helpers::<f16>(&runtime(), &numbers(4), &mut y).unwrap();
    assert_eq!(y, array![6.0, 8.0, 1.0, 1.0]);
    through_helpers::<i32>(&runtime(), &numbers(4), &mut y).unwrap();
    assert_eq!(y, array![6.0, 8.0, 1.0, 1.0]);
}

#[pl::jit(auto_scope = false)]
fn rebound(x: Tensor<f32, 4>, first: bool, y: Out<Tensor<f32, 4>>) {
    let mut c = bytes(x);
    for i in 0..2 {
        let view = c.reshape([2, 2]).transpose(0, 1).slice(s![i, ..]);
        y.set([i], (view.get([1]) + 1) as f32);
        c = bytes(x.slice(s![..]));
    }
    let d = c;
    let chosen = if first { d } else { converted::<u8>(x) };
    let e = chosen;
    y.set([2], e.get([3]).pow(2) as f32);
    let inner = scope!({
        let (_, ids) = routed(x);
        ids.get([3]) / 2
    });
    let (pair, k) = ((e, x), inner);
    let (left, right) = pair;
    let sum = left.get([1]) + k;
    y.set([3], sum as f32 + right.get([1]));
}

#[allow(clippy::needless_late_init)]
#[pl::jit]
fn assigned(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let (a, b);
    (a, b) = (bytes(x), converted::<i64>(x));
    let late;
    late = b;
    a.set([0], 7);
    late.set([0], 5_000_000_000);
    y.set([0], a.get([0]) as f32);
    y.set([1], (late.get([0]) / 1_000_000_000) as f32);
    let ((g, ids), task) = submit!(routed(x));
    if task.is_valid() && ids.get([2]) == 2 {
        y.set([2], g.get([2]));
    }
    let on = converted::<u64>(x);
    submit!(
        scalar::<f32>(9.0, y.slice(s![3..4])),
        predicate = on.get([3]) < 5_000_000_000
    );
    let flags = converted::<bool>(x);
    submit!(
        scalar::<f32>(8.0, y.slice(s![3..4])),
        predicate = !flags.get([1])
    );
}

#[test]
fn a_result_that_is_bound_again_assigned_or_taken_from_branches_keeps_its_type() {
    let mut y = Array1::zeros(4);
    for first in [false, true] {
        rebound(&runtime(), &numbers(4), first, &mut y).unwrap();
        assert_eq!(y, array![3.0, 4.0, 9.0, 3.0]);
    }
    assigned(&runtime(), &numbers(4), &mut y).unwrap();
    assert_eq!(y, array![7.0, 5.0, 1.0, 9.0]);
}

#[pl::jit]
fn with_the_type_written(x: Tensor<f32, 4>, y: Out<Tensor<f32, 1>>) {
    let experts = bytes(x);
    let expert: u8 = experts.get([3]);
    y.set([0], expert as f32);
}

#[test]
fn the_type_of_an_element_may_be_written() {
    let mut y = Array1::zeros(1);
    with_the_type_written(&runtime(), &numbers(4), &mut y).unwrap();
    assert_eq!(y, array![3.0]);
}

#[pl::jit]
fn in_a_region(x: Tensor<f32, 4>, y: Out<Tensor<f32, 1>>) {
    let c = bytes(x);
    at!("region", {
        let t = load(c);
        let v = t.get([3]);
        if v > 2 {
            store(y, full::<f32>([1], v));
        }
    });
}

#[test]
fn a_region_reads_elements_of_results() {
    let mut y = Array1::zeros(1);
    in_a_region(&runtime(), &numbers(4), &mut y).unwrap();
    assert_eq!(y, array![3.0]);
}

#[pl::jit::inline]
fn doubled(x: Tile<u8>) -> Tile<u8> {
    x * 2
}

#[pl::jit::inline]
fn as_type<T: Element>(x: Tile<f32>, by: u8) -> (u8, Tile<T>) {
    (by + 1, cast::<T>(x))
}

#[pl::jit::inline]
fn least(x: Tile<u8>) -> u8 {
    x.get([0])
}

#[pl::jit::incore]
fn by_tiles(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let twice = doubled(cast::<u8>(load(x)));
    if twice.get([3]) > 5 {
        let (n, wide) = as_type::<i64>(load(x), 2);
        wide.set([0], 5_000_000_000);
        let sum = least(twice) * doubled(twice) + doubled(twice);
        let last = sum.get([3]) + n;
        store(
            y,
            full::<f32>([4], (wide.get([0]) / 1_000_000_000) as f32 + last as f32),
        );
    }
}

#[test]
fn elements_of_what_helpers_of_in_core_code_return_have_their_types() {
    let mut y = Array1::zeros(4);
    by_tiles::launch(&runtime(), &numbers(4), &mut y).unwrap();
    assert_eq!(y, array![20.0, 20.0, 20.0, 20.0]);
}

#[pl::jit]
fn by_operations(x: Tensor<f32, 4>, y: Out<Tensor<f32, 2>>) {
    let (_, ids) = routed(x);
    let wide = converted::<i64>(x);
    at!("operations", {
        let (best, at) = top_k(load(ids).reshape([1, 4]), 2);
        let sum = maximum(load(wide), 2) + 4_999_999_999_i64;
        let far = sum.slice(s![1..]).get([0]);
        if best.get([0, 0]) == 3 && at.get([0, 1]) == 2 && far > 5_000_000_000 {
            let (best, _) = sort(load(ids).reshape([1, 4]));
            let v = best.get([0, 2]) - 2;
            store(y, full::<f32>([2], v));
        } else {
            store(y, full::<f32>([2], far as f32));
        }
    });
}

#[test]
fn operations_keep_the_element_type_of_a_result() {
    let mut y = Array1::zeros(2);
    by_operations(&runtime(), &numbers(4), &mut y).unwrap();
    assert_eq!(y, array![0.0, 0.0]);
}

#[pl::jit::opaque]
fn in_opaque(x: Tensor<f32, 4>) -> (Tensor<u64, 4>, Tensor<f32, 4>) {
    let wide = ui_helpers::converted::<u64>(x);
    (wide, x)
}

#[pl::jit]
fn of_another_crate(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let c = of_crate::<u8>(x);
    if c.get([3]) > 2 {
        y.set([0], 1.0);
    }
    let copied = ui_helpers::copied(x);
    copied.set([1], copied.get([1]) + 0.5);
    y.set([1], copied.get([1]));
    let (wide, same) = in_opaque(x);
    wide.set([0], wide.get([3]) + 5_000_000_000);
    y.set([2], (wide.get([0]) % 1_000) as f32);
    y.set([3], same.get([2]));
}

#[test]
fn results_of_other_crates_and_of_opaque_helpers_have_their_types() {
    let mut y = Array1::zeros(4);
    of_another_crate(&runtime(), &numbers(4), &mut y).unwrap();
    assert_eq!(y, array![1.0, 1.5, 3.0, 2.0]);
}
