//! Kernels that compile, run, and give the right values; nothing in their expansion trips a lint.
#![deny(warnings, clippy::pedantic)]
// Denied by name, they are not among the warnings that an attribute allows.
#![deny(
    unused,
    nonstandard_style,
    rust_2018_idioms,
    missing_docs,
    unreachable_pub
)]
#![deny(unused_qualifications, unused_lifetimes, single_use_lifetimes)]
#![deny(
    redundant_lifetimes,
    explicit_outlives_requirements,
    let_underscore_drop
)]
#![deny(
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    variant_size_differences
)]
#![deny(
    missing_debug_implementations,
    missing_copy_implementations,
    clippy::all
)]
#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss)]

mod forms;
mod names;
mod scopes;

use ndarray::{Array1, Array2, array};
use pl::prelude::*;
use ui_helpers::{copied, copy, copy_in_scope, copy_indirectly, copy_parts};

const TILE: usize = 4;

fn runtime() -> Runtime {
    Runtime::new(ui_helpers::checked()).expect("the default configuration is valid")
}

fn numbers(n: usize) -> Array1<f32> {
    Array1::from_iter((0..n).map(|i| i as f32))
}

trait Shape {
    const ROWS: usize;
}

enum Small {}

impl Shape for Small {
    const ROWS: usize = 2;
}

#[pl::jit::incore]
fn axpy<T: Element, const N: usize>(
    a: T,
    x: Tensor<T, _, N>,
    y: Tensor<T, _, N>,
    z: Out<Tensor<T, _, N>>,
) {
    store(z, load(x) * a + load(y));
}

#[pl::jit(dims(M))]
fn generic<T: Element, const N: usize>(
    a: T,
    x: Tensor<T, M, N>,
    y: Tensor<T, M, N>,
    z: Out<Tensor<T, M, N>>,
) {
    for i in (0..M).step_by(<Small as Shape>::ROWS) {
        let end = (i + Small::ROWS).min(M);
        axpy::<T, N>(
            a,
            x.slice(s![i..end, ..]),
            y.slice(s![i..end, ..]),
            z.slice(s![i..end, ..]),
        );
    }
}

#[test]
fn kernels_are_generic_over_element_type_and_const_parameters() {
    let rt = runtime();
    let x = array![[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    let mut z = Array2::zeros((3, 3));
    generic::<f32, 3>(&rt, 2.0, &x, &x, &mut z).unwrap();
    assert_eq!(z, &x * 3.0);
    let x = array![[1_i16, -2], [3, 4]];
    let mut z = Array2::zeros((2, 2));
    generic::<i16, 2>(&rt, 5, &x, &x, &mut z).unwrap();
    assert_eq!(z, &x * 6);
    let x = array![[bf16::from_f32(1.5)]];
    let mut z = array![[bf16::ZERO]];
    generic::<bf16, 1>(&rt, bf16::from_f32(2.0), &x, &x, &mut z).unwrap();
    assert_eq!(z, array![[bf16::from_f32(4.5)]]);
}

#[test]
fn instances_of_a_generic_kernel_are_told_apart() {
    let (two, three) = (generic::kernel::<f32, 2>(), generic::kernel::<bf16, 3>());
    assert!(two.ir().contains("Tensor<f32, [M, 2]>"), "{}", two.ir());
    assert!(
        three.ir().contains("Tensor<bf16, [M, 3]>"),
        "{}",
        three.ir()
    );
    assert!(
        two.orchestration_rust().contains("axpy::<f32, 2>"),
        "{}",
        two.orchestration_rust()
    );
}

#[pl::jit(auto_scope = false)]
fn every_helper(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let a = copied(x);
    let b = create_tensor::<f32>([x.dim(0)]);
    let c = create_tensor::<f32>([x.dim(0)]).init(1.0);
    scope!({
        copy_parts(a, b, 3);
        copy_in_scope(b, c);
    });
    scope!({
        copy_indirectly(c, y);
    });
}

#[test]
fn helpers_of_another_crate_run_in_the_scopes_of_their_caller() {
    let x = numbers(10);
    let mut y = Array1::zeros(10);
    let report = every_helper(&runtime(), &x, &mut y).unwrap();
    assert_eq!(y, x);
    // Root, two by hand, `copy_parts`' loop 4 times, `copy_in_scope` twice.
    assert_eq!(report.scopes, 1 + 2 + 4 + 2);
}

#[pl::jit]
fn manual(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    manual_scope!({
        copy_parts(x, y, TILE);
    });
}

#[test]
fn scopes_that_the_compiler_inserted_do_not_exist_below_a_manual_one() {
    let x = numbers(10);
    let mut y = Array1::zeros(10);
    let report = manual(&runtime(), &x, &mut y).unwrap();
    assert_eq!(y, x);
    assert_eq!(report.scopes, 3, "root, function body, MANUAL");
    assert!(
        manual::kernel().ir().contains("scope MANUAL"),
        "{}",
        manual::kernel().ir()
    );
    assert_eq!(manual::kernel().ir().matches("implicit").count(), 1);
}

#[pl::jit]
fn control(x: Tensor<f32, _>, n: Tensor<i32, _>, flip: bool, y: Out<Tensor<f32, _>>) {
    let mut left = n.get([0]) as usize;
    let (mut a, mut b) = (x, y);
    let mut steps = 0;
    while left > 0 {
        left -= 1;
        if left == 3 {
            continue;
        }
        steps += 1;
        if steps > 100 || !flip && steps > 50 {
            break;
        }
    }
    let last = if steps % 2 == 0 { steps } else { steps + 1 };
    for i in (0..last).rev() {
        if i == 0 {
            copy(a, b);
        } else {
            (a, b) = (b, a);
            (a, b) = (b, a);
        }
    }
    b.set([0], steps as f32);
    let first = a.get([1]);
    b.set([1], first.max(7.0));
}

#[test]
fn control_flow_on_scalars_is_rusts_own() {
    let x = numbers(4);
    let mut y = Array1::zeros(4);
    control(&runtime(), &x, &array![6_i32], true, &mut y).unwrap();
    assert_eq!(y, array![5.0, 7.0, 2.0, 3.0]);
}

#[pl::jit::incore]
fn views(x: Tensor<f32, 4, 6>, y: Out<Tensor<f32, 3>>) {
    let t = load(x.slice(s![1, ..]));
    let column = load(x.transpose(0, 1).slice(s![2, 1..]));
    let flat = load(x.reshape([24]));
    let sum = column + t.slice(s![..3]) + flat.slice(s![21..]);
    let filled = create_tensor::<f32>([3]).init(100.0);
    filled.set([0], sum.get([0]) + 0.5);
    store(y, maximum(sum, filled) - filled.dim(0));
}

#[test]
fn views_of_tensors_and_tiles_select_the_same_elements_as_ndarray() {
    let x = Array1::from_iter((0..24).map(|i| i as f32))
        .into_shape_with_order((4, 6))
        .unwrap();
    let mut y = Array1::zeros(3);
    views::launch(&runtime(), &x, &mut y).unwrap();
    assert_eq!(y, array![8.0 + 6.0 + 21.0 + 0.5 - 3.0, 97.0, 97.0]);
}

#[pl::jit]
fn view_helpers(x: Tensor<f32, 4, 6>, y: Out<Tensor<f32, 6>>) {
    let row = x.transpose(0, 1).slice(s![.., 2]);
    let flat = row.slice(s![0..6]);
    copy(flat, y.reshape([2, 3]).reshape([6]));
}

#[test]
fn views_of_orchestration_share_their_bytes() {
    let x = Array1::from_iter((0..24).map(|i| i as f32))
        .into_shape_with_order((4, 6))
        .unwrap();
    let mut y = Array1::zeros(6);
    view_helpers(&runtime(), &x, &mut y).unwrap();
    assert_eq!(y, x.row(2));
}

#[pl::jit]
fn nothing() {}

#[test]
fn a_run_that_submits_nothing_ends() {
    let report = nothing(&runtime()).unwrap();
    assert_eq!(report.kernel_tasks.iter().sum::<u64>(), 0);
}

#[pl::jit::incore]
fn accumulate(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
    store(y, load(x) + load(y));
}

#[pl::jit(auto_scope = false)]
fn sums(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>, times: usize) {
    for _ in 0..times {
        accumulate(x, y);
    }
}

#[test]
fn updates_in_place_run_in_program_order() {
    let x = numbers(100);
    let mut y = x.clone();
    sums(&runtime(), &x, &mut y, 50).unwrap();
    assert_eq!(y, x * 51.0);
}

macro_rules! scaled_by {
    ($name:ident, $factor:expr) => {
        #[pl::jit::incore]
        fn $name(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
            let factor = 0.5;
            store(y, load(x) * $factor * factor);
        }
    };
}

scaled_by!(doubled, 4.0);

#[test]
fn kernels_can_be_written_by_macros() {
    let mut y = Array1::zeros(3);
    doubled::launch(&runtime(), &Array1::ones(3), &mut y).unwrap();
    assert_eq!(y, array![2.0, 2.0, 2.0]);
}

#[pl::jit::incore(dims(R, C))]
fn tile_math(x: Tensor<f32, R, C>, y: Out<Tensor<f32, R, C>>) {
    let x = load(x);
    let mut acc = zeros([R, C]);
    for round in 0..3 {
        let more = if round == 0 { x } else { x / round as f32 };
        acc = acc + more;
    }
    let t: Tile<f32> = acc.transpose(0, 1);
    let back = t.transpose(0, 1).reshape([R * C]).reshape([R, C]);
    let peak = row_max(back);
    let shifted = exp(back - peak);
    store(y, shifted / row_sum(shifted));
}

#[test]
fn tiles_are_values_that_can_be_rebound_and_branched_on() {
    let x = array![[0.0_f32, 1.0], [2.0, 0.0]];
    let mut y = Array2::zeros((2, 2));
    tile_math::launch(&runtime(), &x, &mut y).unwrap();
    let e = 2.5_f32.exp();
    assert!((y[[0, 0]] - 1.0 / (1.0 + e)).abs() < 1e-6, "{y}");
    assert!((y.sum() - 2.0).abs() < 1e-6, "{y}");
}

#[pl::jit::incore]
fn every_operation(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>, n: Out<Tensor<i32, 4, 1>>) {
    let x = load(x);
    let unary = abs(-x) + exp(x) + log(x + 1) + sqrt(x) + rsqrt(x + 1.0) + recip(x + 1) + tanh(x);
    let bounds = maximum(minimum(unary, 2), 0.5) - 1_u8;
    let rows = row_max(x) + row_min(x) + row_sum(x);
    let product = dot(x, transpose(full([4, 4], 1)));
    let halves = cast::<f16>(product / rows);
    let kept = zeros([4, 4]);
    copy_to(kept, cast(halves));
    store(y, kept * bounds);
    store(n, cast::<i32>(rows));
}

#[test]
fn every_operation_of_the_language_runs() {
    let x = Array2::from_shape_fn((4, 4), |(i, j)| (i + j) as f32);
    let mut y = Array2::zeros((4, 4));
    let mut n = Array2::zeros((4, 1));
    every_operation::launch(&runtime(), &x, &mut y, &mut n).unwrap();
    assert_eq!(n, array![[9], [15], [21], [27]]);
    // x[0, 1] = 1: 1 + e + ln 2 + 1 + 1 / sqrt 2 + 1 / 2 + tanh 1 is more than 2, of which 1 is left.
    assert!((y[[0, 1]] - 6.0 / 9.0).abs() < 1e-3, "{y}");
}

#[pl::jit::inline]
fn sizes(x: Tensor<f32, _, _>) -> (usize, Tensor<f32, _>) {
    let t = create_tensor::<f32>([x.dim(1)]);
    copy(x.slice(s![0, ..]), t);
    (x.dim(0), t)
}

#[pl::jit]
fn scalars_of_helpers(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _>>) {
    let (rows, first) = sizes(x);
    copy(first, y);
    y.set([0], rows.min(3) as f32 + 0.5);
}

#[test]
fn helpers_return_scalars_and_tensors_together() {
    let mut y = Array1::zeros(2);
    scalars_of_helpers(&runtime(), &array![[1.0, 2.0], [3.0, 4.0]], &mut y).unwrap();
    assert_eq!(y, array![2.5, 2.0]);
    let ir = scalars_of_helpers::kernel().ir();
    assert!(
        ir.contains("let (rows, first): (usize, Tensor<f32>)"),
        "{ir}"
    );
}

#[pl::jit::inline]
fn like(x: Tensor<f32, _>) -> Tensor<f32, _> {
    create_tensor::<f32>([x.dim(0)])
}

#[pl::jit]
fn writes_what_a_helper_created(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = like(x);
    copy(x, t);
    copy(t, y);
}

#[test]
fn what_a_helper_created_may_be_written() {
    let x = numbers(4);
    let mut y = Array1::zeros(4);
    writes_what_a_helper_created(&runtime(), &x, &mut y).unwrap();
    assert_eq!(y, x);
}

#[pl::jit]
fn marked_loops(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    for i in parallel(0..x.dim(0)).step_by(TILE) {
        let t = create_tensor::<f32>([TILE]);
        for j in unroll(0..TILE).rev() {
            let at = i + j;
            copy(x.slice(s![at..at + 1]), t.slice(s![j..j + 1]));
        }
        copy(t, y.slice(s![i..i + TILE]));
    }
}

#[test]
fn parallel_and_unrolled_loops_run_every_iteration() {
    let x = numbers(16);
    let mut y = Array1::zeros(16);
    marked_loops(&runtime(), &x, &mut y).unwrap();
    assert_eq!(y, x);
}

#[pl::jit]
#[allow(clippy::needless_late_init)]
fn scalars(x: Tensor<f32, _>, by: f32, y: Out<Tensor<f32, _>>) {
    let end;
    if by * 2.0 > 3.0 && x.dim(0) != 3 {
        end = x.dim(0).min(8);
    } else {
        end = (x.dim(0) ^ 1) >> 1;
    }
    for i in 4 / 8..end {
        y.set([i], x.get([i]) * by + 0.5);
    }
}

#[test]
fn operators_on_scalars_give_what_they_give_in_rust() {
    let (x, mut y) = (numbers(4), Array1::zeros(4));
    scalars(&runtime(), &x, 2.0, &mut y).unwrap();
    assert_eq!(y, array![0.5, 2.5, 4.5, 6.5]);
}
