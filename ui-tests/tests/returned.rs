//! Kernels that return tensors: allocated by the submit, in the scope of the call.

use ndarray::{Array1, Array2, array};
use pl::prelude::*;

fn runtime() -> Runtime {
    Runtime::new(ui_helpers::checked()).unwrap()
}

fn numbers(n: usize) -> Array1<f32> {
    Array1::from_iter((0..n).map(|i| i as f32))
}

#[pl::jit::incore(dims(M))]
fn doubled(x: Tensor<f32, M>) -> Tensor<f32, M> {
    load(x) * 2.0
}

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit(dims(M))]
fn eightfold(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
    let two = doubled(x);
    let four = doubled(two);
    copy(doubled(four), y);
}

#[test]
fn the_result_of_a_call_is_an_argument_of_the_next() {
    let mut y = Array1::zeros(8);
    eightfold(&runtime(), &numbers(8), &mut y).unwrap();
    assert_eq!(y, numbers(8) * 8.0);
}

#[test]
fn launch_gives_what_the_kernel_returns() {
    let (y, report) = doubled::launch(&runtime(), &numbers(4)).unwrap();
    assert_eq!(y, array![0.0, 2.0, 4.0, 6.0]);
    assert_eq!(report.kernel_tasks, [1, 0, 0, 0]);
}

#[pl::jit::incore(dims(M, N))]
fn statistics<T: Element, const PARTS: usize>(
    x: Tensor<T, M, N>,
    scale: f32,
) -> (Tensor<T, M, 1>, Tensor<T, PARTS, { PARTS / 2 }, N>) {
    let x = load(x) * scale;
    let sum = row_sum(x);
    (sum, full([PARTS, PARTS / 2, x.dim(1)], 1))
}

#[pl::jit(dims(M))]
fn both_results(x: Tensor<f32, 2, M>, y: Out<Tensor<f32, _>>, z: Out<Tensor<f32, _>>) {
    let (sum, ones) = statistics::<f32, 4>(x, 3.0);
    copy(sum.reshape([2]), y);
    copy(ones.slice(s![1, 1, ..]), z);
}

#[test]
fn several_tensors_are_returned_as_a_tuple_with_constants_and_names_as_dimensions() {
    let x = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let (mut y, mut z) = (Array1::zeros(2), Array1::zeros(3));
    both_results(&runtime(), &x, &mut y, &mut z).unwrap();
    assert_eq!((y, z), (array![18.0, 45.0], array![1.0, 1.0, 1.0]));
    let x = Array2::<i32>::ones((3, 5));
    let ((sum, ones), _) = statistics::launch::<i32, 2>(&runtime(), &x, 2.0).unwrap();
    assert_eq!(sum, array![[10], [10], [10]]);
    assert_eq!(ones.dim(), (2, 1, 5));
}

#[pl::jit::inline]
fn parts(x: Tile<f32>) -> (Tile<f32>, Tile<f32>) {
    (x + 1.0, x - 1.0)
}

#[pl::jit::incore(dims(M))]
fn by_a_helper(x: Tensor<f32, M>) -> (Tensor<f32, M>, Tensor<f32, M>) {
    parts(load(x))
}

#[pl::jit::incore(dims(M))]
fn by_branches(x: Tensor<f32, M>, negate: bool) -> Tensor<f32, M> {
    let y = load(x);
    if negate { -y } else { zeros([y.dim(0)]) }
}

#[pl::jit::inline(dims(M))]
fn sum_of_parts(x: Tensor<f32, M>) -> Tensor<f32, M> {
    let (more, less) = by_a_helper(x);
    let y = create_tensor::<f32>([M]);
    add(more, less, y);
    y
}

#[pl::jit::incore]
fn add(a: Tensor<f32, _>, b: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(a) + load(b));
}

#[pl::jit(dims(M))]
fn through_helpers(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
    let mut last = sum_of_parts(x);
    for i in 0..3 {
        let negated = by_branches(x.slice(s![..]), i < 2);
        add(negated, last, y);
    }
    last = sum_of_parts(y);
    add(last, by_branches(last, false), y);
}

#[test]
fn what_a_call_returns_may_come_from_a_helper_or_a_branch() {
    let ((more, less), _) = by_a_helper::launch(&runtime(), &numbers(2)).unwrap();
    assert_eq!((more, less), (array![1.0, 2.0], array![-1.0, 0.0]));
    let mut y = Array1::zeros(3);
    through_helpers(&runtime(), &numbers(3), &mut y).unwrap();
    assert_eq!(y, array![0.0, 4.0, 8.0]);
}

#[test]
fn a_tensor_is_freed_with_the_scope_of_the_call() {
    #[pl::jit(dims(M))]
    fn many(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
        for _ in 0..1000 {
            let two = doubled(x);
            copy(two, y);
        }
    }
    let config = RunConfig {
        ring_heap: PerRing([64 * 1024; 4]),
        ..ui_helpers::checked()
    };
    let mut y = Array1::zeros(256);
    many(&Runtime::new(config).unwrap(), &numbers(256), &mut y).unwrap();
    assert_eq!(y, numbers(256) * 2.0);
}

const TWO: usize = 2;
const LINE_OF_VALUE: u32 = line!() + 4;

#[pl::jit::incore(dims(M))]
fn of_another_shape(x: Tensor<f32, M>) -> Tensor<f32, M, TWO> {
    load(x).reshape([4, 1])
}

#[test]
fn a_shape_that_is_not_the_declared_one_is_an_error_with_both() {
    let error = of_another_shape::launch(&runtime(), &numbers(4)).unwrap_err();
    let text = error.to_string();
    let expected = format!(
        "`of_another_shape` failed in `return` at ui-tests/tests/returned.rs:{LINE_OF_VALUE}: the \
         kernel gives [4, 1] f32, and its signature says that it returns [4, 2] f32"
    );
    assert!(text.contains(&expected), "{text}");
}

#[test]
fn a_named_dimension_has_one_length_in_parameters_and_results() {
    #[pl::jit::incore(dims(M))]
    fn sum(x: Tensor<f32, M>, y: Tensor<f32, M>) -> Tensor<f32, M> {
        load(x) + load(y)
    }
    let error = sum::launch(&runtime(), &numbers(4), &numbers(5)).unwrap_err();
    assert!(
        error.to_string().contains("`M` is 4 in `x` but 5"),
        "{error}"
    );
}

#[test]
fn the_orchestration_shows_what_the_submit_allocates() {
    let rust = both_results::kernel().orchestration_rust();
    for part in [
        "let (sum, ones) = {\n        let task0 = scope1.submit(",
        "&[x.dim(0, Site::new(\"ui-tests/tests/returned.rs\", 57))?, 1],",
        "&[4, 4 / 2, x.dim(1, Site::new(\"ui-tests/tests/returned.rs\", 57))?],",
        "\n        (task0.get_ref(0), task0.get_ref(1))\n    };",
    ] {
        assert!(rust.contains(part), "{part}: {rust}");
    }
    let rust = eightfold::kernel().orchestration_rust();
    assert!(rust.contains("))?.get_ref(0);"), "{rust}");
}

#[pl::jit::incore]
fn filled<T: Element, const M: usize, const N: usize>(
    value: T,
    like: Tensor<T, _>,
) -> Tensor<T, M, N> {
    let t = full([M, N], value);
    t.set([0, 0], load(like).get([0]));
    t
}

#[pl::jit]
fn in_all_places(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>, n: usize) {
    let _ = doubled(x);
    doubled(x);
    for i in parallel(0..4) {
        let one = filled::<f32, 1, 1>(7.0, x.slice(s![i..i + 1]));
        copy(one.reshape([1]), y.slice(s![i..i + 1]));
    }
    let mut i = 0;
    while i < n {
        let (a, b) = (doubled(x), doubled(y));
        at!("use_both", {
            store(y, load(a) + load(b));
        });
        i += 1;
    }
    let twice = doubled(x);
    let sum = if n > 100 { x } else { twice };
    let whole = create_tensor::<f32>([4]);
    manual_scope!({
        doubled(sum);
        let first = x.get([1]);
        at!("in_manual", {
            store(whole, load(x) * first);
        });
    });
    add(sum, whole, y);
}

#[test]
fn kernels_that_return_stand_wherever_a_value_may() {
    let mut y = Array1::zeros(4);
    in_all_places(&runtime(), &numbers(4), &mut y, 2).unwrap();
    assert_eq!(y, numbers(4) * 3.0);
}

#[test]
fn a_kernel_that_returns_is_generic_over_types_and_constants() {
    let (y, _) = filled::launch::<i32, 2, 3>(&runtime(), 5, &array![9]).unwrap();
    assert_eq!(y, array![[9, 5, 5], [5, 5, 5]]);
    let (y, _) = filled::launch::<bool, 1, 1>(&runtime(), false, &array![true]).unwrap();
    assert_eq!(y, array![[true]]);
}
