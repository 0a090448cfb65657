//! What a user sees when a kernel fails at run time; the runtime is usable afterwards.

use ndarray::{Array1, Array2};
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
fn a_kernel_that_divides_by_zero_is_named_with_its_operation_and_line() {
    let rt = Runtime::new(ui_helpers::checked()).unwrap();
    let (x, mut y) = arrays();
    let error = entry(&rt, &x, 0, &mut y).unwrap_err();
    assert_contains(
        &error.to_string(),
        &[
            "orch_error_code=200",
            "`divide`",
            "`/`",
            "division by zero",
            "failures.rs:8",
        ],
    );
    assert_eq!(error.code(), Some(200));
    entry(&rt, &x, 4, &mut y).unwrap();
    assert_eq!(y, Array1::from_elem(8, 0.5));
}

#[test]
fn tiles_whose_shapes_do_not_fit_are_named_with_both_shapes() {
    let rt = Runtime::new(ui_helpers::checked()).unwrap();
    let (x, mut y) = arrays();
    let error = shapes(&rt, &x, &mut y).unwrap_err().to_string();
    assert_contains(
        &error,
        &["`mismatch`", "`add`", "failures.rs:19", "[8]", "[3]"],
    );
}

#[test]
fn an_argument_of_the_wrong_size_names_parameter_and_call() {
    let rt = Runtime::new(ui_helpers::checked()).unwrap();
    let (x, mut y) = arrays();
    let error = wrong_size(&rt, &x, &mut y).unwrap_err().to_string();
    assert_contains(
        &error,
        &["`sized`", "`x` is 4", "[8] f32", "failures.rs:34"],
    );
}

/// Arithmetic that has no result for some `a`, in a kernel.
#[pl::jit::incore]
fn computes(x: Tensor<f32, _>, case: usize, a: usize, y: Out<Tensor<f32, _>>) {
    let mut n = 1;
    if case == 0 {
        // in computes: `*`
        n = usize::MAX / 2 * a;
    }
    if case == 1 {
        // in computes: `/`
        n = 8 / a;
    }
    if case == 2 {
        // in computes: `-`
        n -= a;
    }
    if case == 3 {
        // in computes: `step_by`
        for i in (0..8).step_by(a) {
            n = i;
        }
    }
    if case == 4 {
        // in computes: `slice`
        store(y, load(x.slice(s![0..a])));
    }
    if case == 5 {
        // in computes: `add`
        store(y, load(x) + load(x.slice(s![0..n + 2])));
    }
    if case == 6 {
        // in computes: `div_ceil`
        n = 8_usize.div_ceil(a);
    }
    if case == 7 {
        // in computes: `-`
        let negative = -(a as i32) - i32::MAX;
        n = (-negative) as usize;
    }
    if case == 8 {
        // in computes: `<<`
        n = 1_usize << a;
    }
    if case == 9 {
        // in computes: `get`
        n = (load(x).get([a]) as usize).pow(2);
    }
    store(y, load(x) * (n as f32));
}

#[pl::jit]
fn in_kernel(x: Tensor<f32, _>, case: usize, a: usize, y: Out<Tensor<f32, _>>) {
    computes(x, case, a, y);
}

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

/// The same in an orchestration that has submitted a task.
#[pl::jit]
fn in_orchestration(x: Tensor<f32, _>, case: usize, a: usize, y: Out<Tensor<f32, _>>) {
    copy(x, y);
    let mut n = 1;
    if case == 0 {
        // in orchestration: `*`
        n = usize::MAX / 2 * a;
    }
    if case == 1 {
        // in orchestration: `%`
        n = 8 % a;
    }
    if case == 2 {
        // in orchestration: `+`
        n += usize::MAX - 1 + a;
    }
    if case == 3 {
        // in orchestration: `step_by`
        for i in (0..8).step_by(a).rev() {
            n = i;
        }
    }
    if case == 4 {
        // in orchestration: `slice`
        copy(x.slice(s![0..a + 1]), y);
    }
    if case == 5 {
        // in orchestration: `next_multiple_of`
        n = 8_usize.next_multiple_of(a);
    }
    if case == 6 {
        // in orchestration: `pow`
        n = a.pow(40);
    }
    if case == 7 {
        // in orchestration: `abs`
        let magnitude = (i32::MIN + (a as i32)).abs();
        if magnitude == 1 {
            n = 2;
        }
    }
    if n == 77 {
        copy(x, y);
    }
}

/// `file:line` and operation of each case, from the comments above them.
fn noted(whose: &str) -> Vec<(String, String)> {
    let mark = format!("// in {whose}: `");
    let lines = include_str!("failures.rs").lines().zip(2..);
    let noted = lines.filter_map(|(line, next)| {
        let operation = line.trim().strip_prefix(&mark)?;
        Some((format!("failures.rs:{next}"), format!("`{operation}")))
    });
    noted.collect()
}

const COMPUTES: [(usize, usize); 10] = [
    (3, 1),
    (0, 1),
    (5, 1),
    (0, 1),
    (9, 8),
    (1, 1),
    (0, 1),
    (2, 1),
    (64, 1),
    (8, 1),
];

#[test]
fn an_argument_that_cannot_be_used_names_parameter_and_entry() {
    let rt = Runtime::new(ui_helpers::checked()).unwrap();
    let (x, mut y) = arrays();
    let flat = Array2::<f32>::zeros((2, 4)).into_dyn();
    let rank = entry(&rt, &flat, 1, &mut y).unwrap_err().to_string();
    let input = ["`x` of `entry` at ", "failures.rs:13"];
    assert_contains(&rank, &input);
    assert_contains(&rank, &["2 dimensions", "1 are expected"]);
    let flat = flat.into_shape_with_order(8).unwrap();
    entry(&rt, &flat, 1, &mut y).unwrap();

    let backwards = x.slice(ndarray::s![..;-1]);
    let stride = entry(&rt, &backwards, 1, &mut y).unwrap_err().to_string();
    assert_contains(&stride, &input);
    y.invert_axis(ndarray::Axis(0));
    let stride = entry(&rt, &x, 1, &mut y).unwrap_err().to_string();
    assert_contains(&stride, &["`y` of `entry` at ", "failures.rs:13"]);
    let stride = divide::launch(&rt, &x, 1, &mut y).unwrap_err().to_string();
    assert_contains(&stride, &["`y` of `divide` at ", "failures.rs:7"]);
}

#[test]
fn arithmetic_without_a_result_in_a_kernel_names_kernel_operation_and_line() {
    let rt = Runtime::new(ui_helpers::checked()).unwrap();
    let (x, mut y) = arrays();
    // Nothing of it depends on a hook, which belongs to the program.
    let former = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let noted = noted("computes");
    assert_eq!(noted.len(), COMPUTES.len());
    let outcomes: Vec<_> = (0..COMPUTES.len())
        .map(|case| in_kernel(&rt, &x, case, COMPUTES[case].0, &mut y))
        .collect();
    std::panic::set_hook(former);
    for ((outcome, (place, operation)), case) in outcomes.into_iter().zip(&noted).zip(0..) {
        let error = outcome.expect_err(operation);
        let text = error.to_string();
        assert_contains(&text, &["orch_error_code=200", "`computes`", operation]);
        assert!(text.contains(&format!("{operation} at ")), "{text}");
        assert_contains(&text, &[place]);
        assert_eq!(error.code(), Some(200), "case {case}");
    }
    in_kernel(&rt, &x, 99, 1, &mut y).unwrap();
    assert_eq!(y, x);
}

#[test]
fn arithmetic_without_a_result_in_an_orchestration_is_an_error_after_all_tasks_have_ended() {
    let rt = Runtime::new(ui_helpers::checked()).unwrap();
    let (x, mut y) = arrays();
    let noted = noted("orchestration");
    let bad = [3, 0, 2, 0, 8, 0, 8, 0];
    assert_eq!(noted.len(), bad.len());
    for (case, (place, operation)) in noted.iter().enumerate() {
        y.fill(0.0);
        let error = in_orchestration(&rt, &x, case, bad[case], &mut y).expect_err(operation);
        assert_contains(
            &error.to_string(),
            &["orch_error_code=5", &format!("{operation} at "), place],
        );
        assert_eq!((error.code(), error.host_code()), (Some(5), Some(507_018)));
        assert_eq!(y, x, "the task before has run");
        in_orchestration(&rt, &x, 99, 1, &mut y).unwrap();
    }
}

#[test]
fn a_step_of_zero_says_what_to_pass() {
    let rt = Runtime::new(ui_helpers::checked()).unwrap();
    let (x, mut y) = arrays();
    let error = in_orchestration(&rt, &x, 3, 0, &mut y).unwrap_err();
    assert_contains(&error.to_string(), &["steps of 0", "`.max(1)`"]);
    in_orchestration(&rt, &x, 3, 1, &mut y).unwrap();
}

#[pl::jit::inline]
fn sum_of<T: Element + std::ops::Add<Output = T>>(a: T, b: T) -> T {
    a + b
}

#[pl::jit]
fn forms(x: Tensor<f32, _>, n: usize, z: i8, f: f32, y: InOut<Tensor<f32, _>>) {
    let mut a = 3;
    a += n * 2;
    a -= 1;
    a *= {
        a += 1;
        a
    };
    a <<= 1;
    a >>= z;
    a %= 100;
    let mut g = f;
    g += 0.5;
    g = -g * 2.0 / 4.0;
    let many = 7_u64 * 10 + 3;
    let least = -2_147_483_648_i32;
    y.set([0], a as f32);
    y.set([1], g);
    let (sum, small) = (sum_of::<f32>(f, 1.0), sum_of::<i16>(4, 3));
    y.set([2], sum);
    y.set([3], (n - 2) as f32);
    if small == 7 {
        y.set([3], 2.0);
    }
    y.set([4], ((n + 8) / 3).min(5) as f32);
    y.set([5], (many % 10) as f32);
    y.set([6], (least + 1).abs() as f32);
    y.set([7], (1 + 2 * 3 - 4 / 2) as f32);
    copy(x, y.slice(s![8..n + 6]));
}

type Wide = u128;

#[pl::jit]
fn wide(y: Out<Tensor<f32, 1>>) {
    let wide: Wide = 7 * 10 + 3;
    y.set([0], (wide % 10) as f32);
}

#[pl::jit::inline]
fn last_digit(of: usize) -> f32 {
    let (wide, ten) = (of as i128, 10);
    (wide % ten) as f32
}

#[pl::jit]
fn wide_by_helper(n: usize, y: Out<Tensor<f32, 1>>) {
    let digit = last_digit(n);
    y.set([0], digit);
}

#[test]
fn numbers_of_128_bits_are_computed_here_and_have_no_source_for_the_device() {
    let config = RunConfig {
        check_cpp: false,
        ..RunConfig::default()
    };
    let mut y = Array1::zeros(1);
    let runtime = Runtime::new(config).unwrap();
    wide(&runtime, &mut y).unwrap();
    assert_eq!(y.to_vec(), [3.0]);
    y.fill(0.0);
    wide_by_helper(&runtime, 73, &mut y).unwrap();
    assert_eq!(y.to_vec(), [3.0]);
    for (kernel, ty) in [
        (wide::kernel(), "`u128`"),
        (wide_by_helper::kernel(), "`i128`"),
    ] {
        let error = kernel.orchestration_cpp().unwrap_err().to_string();
        assert_contains(&error, &["failures.rs:", ty, "compute with `i64` or `u64`"]);
    }
}

#[test]
fn a_function_that_is_no_entry_has_no_source_for_the_device() {
    let error = copy::kernel().orchestration_cpp().unwrap_err().to_string();
    assert_contains(
        &error,
        &[
            "`copy` is in-core code",
            "a `#[pl::jit]` function that submits it",
        ],
    );
    let error = sum_of::kernel::<f32>()
        .orchestration_cpp()
        .unwrap_err()
        .to_string();
    assert_contains(&error, &["`sum_of` is a helper", "the entry that calls it"]);
}

#[test]
fn arithmetic_that_has_a_result_is_rusts_own() {
    let rt = Runtime::new(ui_helpers::checked()).unwrap();
    let x = Array1::from_elem(2, 9.0);
    let mut y = Array1::zeros(10);
    forms(&rt, &x, 4, 1, 1.5, &mut y).unwrap();
    let expected = [
        21.0,
        -1.0,
        2.5,
        2.0,
        4.0,
        3.0,
        2_147_483_647.0,
        5.0,
        9.0,
        9.0,
    ];
    assert_eq!(y.to_vec(), expected);
}
