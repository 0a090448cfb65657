//! What a user sees when a kernel fails at run time; the runtime is usable afterwards.

use ndarray::Array1;
use pl::prelude::*;

#[pl::jit::incore]
fn divide(x: Tensor<f32, _>, by: usize, y: Out<Tensor<f32, _>>) {
    let part = x.dim(0) / by;
    store(y, load(x) / part);
}

#[pl::jit]
fn entry(x: Tensor<f32, _>, by: usize, y: Out<Tensor<f32, _>>) {
    divide(x, by, y);
}

#[pl::jit]
fn panics(x: Tensor<f32, _>, by: usize, y: Out<Tensor<f32, _>>) {
    for _ in 0..x.dim(0) / by {
        divide(x, 1, y);
    }
}

#[pl::jit::incore]
fn mismatch(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x) + load(x.slice(s![0..3])));
}

#[pl::jit]
fn shapes(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    mismatch(x, y);
}

#[pl::jit::incore]
fn sized(x: Tensor<f32, 4>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn wrong_size(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    sized(x, y);
}

fn arrays() -> (Array1<f32>, Array1<f32>) {
    (Array1::ones(8), Array1::zeros(8))
}

fn assert_contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

#[test]
fn a_kernel_that_panics_is_named_with_its_operation_and_line() {
    let rt = Runtime::new(RunConfig::default()).unwrap();
    let (x, mut y) = arrays();
    let error = entry(&rt, &x, 0, &mut y).unwrap_err();
    assert_contains(
        &error.to_string(),
        &[
            "orch_error_code=200",
            "`divide`",
            "divide by zero",
            "failures.rs:8",
        ],
    );
    assert_eq!(error.code(), Some(200));
    entry(&rt, &x, 4, &mut y).unwrap();
    assert_eq!(y, Array1::from_elem(8, 0.5));
}

#[test]
fn tiles_whose_shapes_do_not_fit_are_named_with_both_shapes() {
    let rt = Runtime::new(RunConfig::default()).unwrap();
    let (x, mut y) = arrays();
    let error = shapes(&rt, &x, &mut y).unwrap_err().to_string();
    assert_contains(
        &error,
        &["`mismatch`", "`add`", "failures.rs:26", "[8]", "[3]"],
    );
}

#[test]
fn an_argument_of_the_wrong_size_names_parameter_and_call() {
    let rt = Runtime::new(RunConfig::default()).unwrap();
    let (x, mut y) = arrays();
    let error = wrong_size(&rt, &x, &mut y).unwrap_err().to_string();
    assert_contains(
        &error,
        &["`sized`", "`x` is 4", "[8] f32", "failures.rs:41"],
    );
}

#[test]
fn a_panic_in_the_orchestration_reaches_the_caller_and_the_runtime_lives_on() {
    let rt = Runtime::new(RunConfig::default()).unwrap();
    let (x, mut y) = arrays();
    let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = panics(&rt, &x, 0, &mut y);
    }));
    assert!(unwound.is_err());
    entry(&rt, &x, 8, &mut y).unwrap();
    assert_eq!(y, x);
}
