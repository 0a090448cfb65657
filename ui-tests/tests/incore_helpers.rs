//! Helpers of in-core code: `#[pl::jit::inline]` with tiles in the signature.
// Denied by name, they are not among the warnings that an attribute allows.
#![deny(unused, nonstandard_style, rust_2018_idioms, unreachable_pub)]

use ndarray::{Array1, Array2, array};
use pl::prelude::*;
use ui_helpers::{normalized, squared_plus};

fn runtime() -> Runtime {
    Runtime::new(ui_helpers::checked()).unwrap()
}

fn numbers(n: usize) -> Array1<f32> {
    Array1::from_iter((0..n).map(|i| i as f32))
}

#[pl::jit::inline]
fn rectified(x: Tile<f32>) -> Tile<f32> {
    maximum(x, 0.0)
}

#[pl::jit::incore]
fn relu_of(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, rectified(load(x) - 3.0));
}

#[test]
fn a_kernel_calls_a_helper() {
    let mut y = Array1::zeros(6);
    relu_of::launch(&runtime(), &numbers(6), &mut y).unwrap();
    assert_eq!(y, array![0.0, 0.0, 0.0, 0.0, 1.0, 2.0]);
}

#[pl::jit::incore]
fn across_crates(x: Tensor<f32, 2, 2>, y: Out<Tensor<f32, 2, 2>>) {
    store(y, normalized(load(x)) + squared_plus(load(x), 1.0));
}

#[test]
fn helpers_of_another_crate_and_their_helpers_are_part_of_the_kernel() {
    let x = array![[1.0, 2.0], [0.0, 4.0]];
    let mut y = Array2::zeros((2, 2));
    across_crates::launch(&runtime(), &x, &mut y).unwrap();
    assert_eq!(y, array![[0.2 + 2.0, 0.4 + 5.0], [1.0, 0.25 + 17.0]]);
}

#[pl::jit::inline]
fn softmax_parts(x: Tile<f32>) -> (Tile<f32>, Tile<f32>) {
    let e = exp(x - row_max(x));
    (e, row_sum(e))
}

#[pl::jit::incore]
fn row_softmax(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    let (e, sum) = softmax_parts(load(x));
    store(y, e / sum);
}

#[test]
fn a_tuple_of_tiles_is_taken_apart_and_computed_with() {
    let x = Array2::<f32>::zeros((2, 4));
    let mut y = Array2::zeros((2, 4));
    row_softmax::launch(&runtime(), &x, &mut y).unwrap();
    assert_eq!(y, Array2::from_elem((2, 4), 0.25));
}

#[pl::jit::inline]
fn first_and_length(x: Tile<f32>) -> (f32, usize) {
    (x.get([0]), x.dim(0))
}

#[pl::jit::incore]
fn scalars_of_a_helper(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = load(x);
    let (first, length) = first_and_length(t);
    let mut sum = -first * 2.0;
    for i in 0..length - 1 {
        sum += t.get([i]);
    }
    let more = sum + 0.5;
    store(y, t * first + more / 2.0);
}

#[test]
fn scalars_of_a_helper_are_computed_with_and_bound_a_loop() {
    let x = array![2.0, 3.0, 4.0];
    let mut y = Array1::zeros(3);
    scalars_of_a_helper::launch(&runtime(), &x, &mut y).unwrap();
    // -2 * 2 + 2 + 3 = 1, and (1 + 0.5) / 2.
    assert_eq!(y, array![4.75, 6.75, 8.75]);
}

#[pl::jit::inline(dims(M, N))]
fn halves<T: Element, const PARTS: usize>(
    x: Tensor<T, M, N>,
    part: usize,
    y: Out<Tensor<T, M, N>>,
    scale: Tile<T>,
) {
    let rows = M / PARTS;
    for j in (0..N).step_by(2) {
        scratch_scope!({
            let range = part * rows;
            let t = load(x.slice(s![range..range + rows, j..j + 2]));
            store(y.slice(s![range..range + rows, j..j + 2]), t * scale);
        });
    }
}

#[pl::jit::incore]
fn by_halves<T: Element>(x: Tensor<T, _, _>, y: Out<Tensor<T, _, _>>) {
    let two = full::<T>([1, 1], 2);
    halves::<T, 2>(x, 0, y, two);
    halves::<T, 2>(x, 1, y, two + two);
}

#[test]
fn helpers_take_tensors_beside_tiles_and_are_generic_over_types_and_constants() {
    let x = Array2::<i32>::ones((4, 4));
    let mut y = Array2::zeros((4, 4));
    by_halves::launch::<i32>(&runtime(), &x, &mut y).unwrap();
    assert_eq!(y.column(3).to_vec(), [2, 2, 4, 4]);
    let x = Array2::<f32>::ones((4, 4));
    let mut y = Array2::zeros((4, 4));
    by_halves::launch::<f32>(&runtime(), &x, &mut y).unwrap();
    assert_eq!(y.column(0).to_vec(), [2.0, 2.0, 4.0, 4.0]);
}

#[pl::jit::inline]
fn accumulate(sum: Tile<f32>, x: Tile<f32>) {
    copy_to(sum, sum + x);
}

#[pl::jit::inline]
fn halved(x: Tile<f32>) -> Tile<f32> {
    let half = create_tensor::<f32>([1]).init(0.5);
    -(-x * half)
}

#[pl::jit::incore]
fn in_scratch_scopes(x: Tensor<f32, _>, y: Out<Tensor<f32, 2>>) {
    let sum = zeros::<f32>([2]);
    let mut last: Tile<f32>;
    for i in (0..x.dim(0)).step_by(2) {
        scratch_scope!({
            let t: Tile<f32> = halved(load(x.slice(s![i..i + 2])));
            accumulate(sum, t);
            last = halved(t);
            t.set([0], last.get([0]));
        });
    }
    last = halved(sum) + halved(sum);
    store(y, last);
}

#[test]
fn what_a_helper_makes_belongs_to_the_scratch_scope_of_the_call() {
    let mut y = Array1::zeros(2);
    let x = numbers(1000);
    in_scratch_scopes::launch(&runtime(), &x, &mut y).unwrap();
    assert_eq!(y, array![499.0 * 250.0, 501.0 * 250.0 - 250.0 + 0.0]);
}

#[test]
fn the_scratch_of_a_helper_is_given_back_with_the_scope_of_the_call() {
    let config = RunConfig {
        scratch_bytes: 1024,
        ..ui_helpers::checked()
    };
    let mut y = Array1::zeros(2);
    in_scratch_scopes::launch(&Runtime::new(config).unwrap(), &numbers(1000), &mut y).unwrap();
}

const LINE_OF_DOT: u32 = line!() + 4;

#[pl::jit::inline]
fn product(x: Tile<f32>) -> Tile<f32> {
    dot(x, x)
}

#[pl::jit::incore]
fn fails_in_a_helper(x: Tensor<f32, 2, 3>, y: Out<Tensor<f32, 2, 3>>) {
    store(y, product(load(x)));
}

#[test]
fn an_error_names_the_line_in_the_helper() {
    let (x, mut y) = (Array2::zeros((2, 3)), Array2::zeros((2, 3)));
    let error = fails_in_a_helper::launch(&runtime(), &x, &mut y).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains(&format!(
            "in `dot` at ui-tests/tests/incore_helpers.rs:{LINE_OF_DOT}"
        )),
        "{text}"
    );
}

#[test]
fn the_linked_kernel_has_its_helpers_spliced_in() {
    let ir = across_crates::kernel().ir();
    assert!(!ir.contains("call "), "{ir}");
    assert!(ir.contains("row_sum(") && ir.contains("Tile<f32>"), "{ir}");
    let ir = by_halves::kernel::<f16>().ir();
    assert!(ir.contains("let scale: Tile<f16> = two + two;"), "{ir}");
    assert!(
        ir.contains("Tensor<f16>") && ir.contains("let rows: usize = M / 2;"),
        "{ir}"
    );
}

#[pl::jit::inline]
fn is_large(x: Tile<f32>, limit: f32) -> bool {
    let sum: Tile<f32> = row_sum(x);
    sum.get([0, 0]) > limit
}

#[pl::jit::inline]
fn repeated(mut x: Tile<f32>, mut times: usize) -> Tile<f32> {
    while times > 0 {
        x = x + x;
        times -= 1;
    }
    x
}

#[pl::jit::inline]
fn chosen(x: Tile<f32>, first: bool) -> Tile<f32> {
    if first {
        repeated(x, 1)
    } else {
        is_large(x, 0.0);
        scratch_scope!({
            copy_to(x, repeated(x, 2));
        });
        x
    }
}

#[pl::jit::incore]
fn control_flow(x: Tensor<f32, 1, _>, y: Out<Tensor<f32, 1, _>>) {
    let t = load(x);
    let mut n = 0;
    let mut large = is_large(t, 100.0);
    while !large {
        copy_to(t, chosen(t, n % 2 == 0));
        large = is_large(t, 100.0);
        n += 1;
    }
    let shifted = repeated(t, 0) - n;
    store(
        y,
        shifted
            .slice(s![0..1, ..])
            .transpose(0, 1)
            .reshape([1, x.dim(1)]),
    );
}

#[test]
fn helpers_stand_in_loops_and_branches_and_change_their_own_variables_only() {
    let x = array![[1.0, 2.0, 3.0]];
    let mut y = Array2::zeros((1, 3));
    control_flow::launch(&runtime(), &x, &mut y).unwrap();
    // 6, times 2 and 4 in turn: 12, 48, 96, 384 after four rounds.
    assert_eq!(y, array![[64.0 - 4.0, 128.0 - 4.0, 192.0 - 4.0]]);
}

mod hostile_names {
    #![allow(non_snake_case, unused, clippy::let_and_return)]
    use super::{numbers, runtime};
    use ndarray::{Array1, array};
    use pl::prelude::*;

    struct Scratch;
    struct OperationError;
    enum Ok {}

    #[pl::jit::inline(dims(site))]
    fn scratch0(scratch0: Tile<f32>, args: Tensor<f32, site>, value0: f32) -> Tile<f32> {
        let site_0 = scratch0 * value0;
        let scratch0 = load(args) + site_0;
        scratch0 + site
    }

    #[pl::jit::incore(dims(dim0))]
    fn __call(result0: Tensor<f32, dim0>) -> Tensor<f32, dim0> {
        let task = load(result0);
        let value0 = scratch0(task, result0, 2.0);
        value0
    }

    #[test]
    fn no_name_of_the_user_meets_one_of_ours() {
        let (y, _) = __call::launch(&runtime(), &numbers(3)).unwrap();
        assert_eq!(y, array![3.0, 6.0, 9.0]);
    }
}
