//! `at!` regions: tasks whose bodies stand in orchestration code; and opaque helpers.
// Denied by name, they are not among the warnings that an attribute allows.
#![deny(unused, nonstandard_style, rust_2018_idioms, unreachable_pub)]

use ndarray::{Array1, Array2, array};
use pl::prelude::*;
use ui_helpers::{copied, scaled_parts, squared_plus, store_doubled};

fn runtime() -> Runtime {
    Runtime::new(ui_helpers::checked()).unwrap()
}

fn numbers(n: usize) -> Array1<f32> {
    Array1::from_iter((0..n).map(|i| i as f32))
}

#[pl::jit]
fn double(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    at!("double", {
        store(y, load(x) * 2.0);
    });
}

#[test]
fn a_region_is_a_task() {
    let mut y = Array1::zeros(4);
    let report = double(&runtime(), &numbers(4), &mut y).unwrap();
    assert_eq!(y, numbers(4) * 2.0);
    assert_eq!(report.kernel_tasks.iter().sum::<u64>(), 1);
}

const STEP: usize = 2;

#[pl::jit(dims(M, N))]
fn scalars(x: Tensor<f32, M, N>, scale: f32, negate: bool, y: Out<Tensor<f32, M, N>>) {
    let mut round = 1;
    for i in (0..M).step_by(STEP) {
        let end = (i + STEP).min(M);
        for j in 0..N {
            let rows = y.slice(s![i..end, ..]);
            at!("column", {
                let mut t = load(x.slice(s![i..end, j..j + 1])) * scale;
                if negate {
                    t = -t;
                }
                let mut sum = round;
                for k in 0..N {
                    sum += k;
                }
                store(rows.slice(s![.., j..j + 1]), t + sum + M);
            });
        }
        round += 10;
    }
}

#[test]
fn scalars_dimensions_and_constants_are_copied_into_the_task() {
    let x = Array2::from_shape_fn((3, 2), |(i, j)| (i * 2 + j) as f32);
    let mut y = Array2::zeros((3, 2));
    scalars(&runtime(), &x, 0.5, true, &mut y).unwrap();
    // round is 1, then 11; the sum over k is 1, and M is 3.
    let expected = array![[5.0, 4.5], [4.0, 3.5], [13.0, 12.5]];
    assert_eq!(y, expected);
}

#[pl::jit(auto_scope = false)]
fn created_outside(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    scope!({
        let t = create_tensor::<f32>([x.dim(0)]);
        let ones = create_tensor::<f32>([x.dim(0)]).init(1.0);
        at!("first", {
            let one = create_tensor::<f32>([1]).init(1.0);
            store(t, load(x) + one);
        });
        at!("second", {
            let t = load(t);
            store(ones, load(ones) + t);
            store(y, t * t);
        });
        let last = t.get([0]);
        at!("third", {
            scratch_scope!({
                store(y, load(y) + load(ones) * last);
            });
        });
    });
}

#[test]
fn tensors_made_in_orchestration_are_stored_to_and_loaded_from() {
    let mut y = Array1::zeros(3);
    created_outside(&runtime(), &numbers(3), &mut y).unwrap();
    // t = 1, 2, 3; ones = 2, 3, 4; last = 1.
    assert_eq!(y, array![3.0, 7.0, 13.0]);
}

#[pl::jit::inline]
fn in_a_helper<T: Element, const N: usize>(x: Tensor<T, N>, y: Out<Tensor<T, N>>) {
    let t = create_tensor::<T>([N]);
    at!("copy", {
        let ones = full::<T>([N], 1);
        store(t, load(x) + ones);
    });
    at!("again", {
        store(y, load(t) + load(t));
    });
}

#[pl::jit]
fn generic(x: Tensor<f32, 4>, n: Tensor<i32, 2>, y: Out<Tensor<f32, 4>>, m: Out<Tensor<i32, 2>>) {
    in_a_helper::<f32, 4>(x, y);
    in_a_helper::<i32, 2>(n, m);
}

#[test]
fn a_helper_with_regions_is_generic_over_types_and_constants() {
    let (mut y, mut m) = (Array1::zeros(4), Array1::zeros(2));
    generic(&runtime(), &numbers(4), &array![5, 6], &mut y, &mut m).unwrap();
    assert_eq!((y, m), (array![2.0, 4.0, 6.0, 8.0], array![12, 14]));
}

#[pl::jit]
fn calls(x: Tensor<f32, 6>, y: Out<Tensor<f32, 6>>, z: Out<Tensor<f32, 6>>) {
    let copy = copied(x);
    let n: usize = x.dim(0);
    at!("helpers", {
        let t: Tile<f32> = squared_plus(load(copy), 1.0);
        store_doubled(t, z);
        t.set([n - 1], 100.0);
        store(y, t);
    });
    let twice = create_tensor::<f32>([6]);
    at!("twice", {
        store_doubled(load(z), twice);
    });
    scaled_parts(twice, 0.5, z);
}

#[test]
fn regions_call_in_core_helpers_and_use_what_calls_return() {
    let (mut y, mut z) = (Array1::zeros(6), Array1::zeros(6));
    calls(&runtime(), &numbers(6), &mut y, &mut z).unwrap();
    assert_eq!(y, array![1.0, 2.0, 5.0, 10.0, 17.0, 100.0]);
    assert_eq!(z, array![2.0, 4.0, 10.0, 20.0, 34.0, 52.0]);
}

#[pl::jit::opaque]
fn sum_of_rows(x: Tensor<f32, _, _>) -> Tensor<f32, _, _> {
    let sum = create_tensor::<f32>([1, x.dim(1)]).init(0.0);
    for i in 0..x.dim(0) {
        at!("add_row", {
            store(sum, load(sum) + load(x.slice(s![i..i + 1, ..])));
        });
    }
    sum
}

#[pl::jit]
fn opaque_calls(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    for _ in 0..3 {
        let sum = sum_of_rows(x);
        at!("accumulate", {
            store(y, load(y) + load(sum));
        });
    }
}

#[test]
fn an_opaque_helper_makes_tensors_of_its_caller() {
    let (x, mut y) = (Array2::ones((4, 2)), Array2::zeros((1, 2)));
    let report = opaque_calls(&runtime(), &x, &mut y).unwrap();
    assert_eq!(y, array![[12.0, 12.0]]);
    assert_eq!(report.kernel_tasks.iter().sum::<u64>(), 15);
}

#[pl::jit]
fn in_manual_scopes(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    manual_scope!({
        scaled_parts(x, 3.0, y);
    });
}

#[test]
fn an_opaque_helper_opens_no_scope() {
    let mut y = Array1::zeros(7);
    let report = in_manual_scopes(&runtime(), &numbers(7), &mut y).unwrap();
    assert_eq!(y, numbers(7) * 3.0);
    assert_eq!(report.scopes, 3);
}

const LINE_OF_DOT: u32 = line!() + 5;

#[pl::jit]
fn fails(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    at!("product", {
        store(y, dot(load(x), load(x)));
    });
}

#[test]
fn an_error_names_the_region_and_the_line_in_it() {
    let (x, mut y) = (Array2::zeros((2, 3)), Array2::zeros((2, 3)));
    let text = fails(&runtime(), &x, &mut y).unwrap_err().to_string();
    for part in [
        format!("kernel `product` failed in `dot` at ui-tests/tests/at.rs:{LINE_OF_DOT}"),
        format!("kernel defined at ui-tests/tests/at.rs:{}", LINE_OF_DOT - 1),
    ] {
        assert!(text.contains(&part), "{part}: {text}");
    }
}

#[test]
fn the_orchestration_shows_the_regions() {
    let rust = calls::kernel().orchestration_rust();
    for part in [
        "at(&scope1, Site::new(\"ui-tests/tests/at.rs\", ",
        "\"helpers\",\n        &[TaskArg::Input(copy), TaskArg::InOut(z), TaskArg::OutputExisting(y)],\n        (n, ()),",
        "|scratch0, [copy, z, y], (n, ())| {\n",
    ] {
        assert!(rust.contains(part), "{part}: {rust}");
    }
    let ir = calls::kernel().ir();
    assert!(ir.contains("at \"twice\"(in z, "), "{ir}");
}

mod hostile_names {
    #![allow(non_snake_case, unused, non_camel_case_types)]
    use super::runtime;
    use ndarray::{Array1, array};
    use pl::prelude::*;

    struct Scratch;
    struct KernelInfo;
    enum Ok {}
    fn at() {}

    #[pl::jit(dims(site))]
    fn captures(
        scratch0: Tensor<f32, site>,
        args: f32,
        dim0: usize,
        region: Out<Tensor<f32, site>>,
    ) {
        let body = scratch0;
        let scratch0 = body.slice(s![..]);
        let r#type = args;
        let mut scalars = 0;
        while scalars < dim0 {
            at!("at", {
                let args = load(scratch0) * args;
                let (scratch0, tensors) = (args + r#type, scalars);
                store(region, scratch0 + (tensors + site));
            });
            scalars += 1;
        }
    }

    #[test]
    fn no_name_of_the_user_meets_one_of_ours() {
        let mut y = Array1::zeros(2);
        captures(&runtime(), &array![1.0, 2.0], 10.0, 3, &mut y).unwrap();
        // x * 10 + 10 + (2 + 2)
        assert_eq!(y, array![24.0, 34.0]);
    }
}

static SCALE: f32 = 2.0;
struct Sizes;
impl Sizes {
    const OFFSET: f32 = 0.5;
}

#[pl::jit]
fn slices_itself(y: Out<Tensor<f32, 8>>) {
    manual_scope!({
        for i in 0..2 {
            at!("half", {
                store(y.slice(s![i * 4..i * 4 + 4]), zeros([4]));
            });
        }
    });
}

#[test]
fn what_a_region_slices_itself_it_takes_whole() {
    let error = slices_itself(&runtime(), &mut Array1::zeros(8)).unwrap_err();
    assert!(error.to_string().contains("MISSING_DEPENDENCY"), "{error}");
}

#[pl::jit]
fn halves(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>, flag: bool) {
    at!("nothing", {});
    for i in parallel(0..4) {
        let part = y.slice(s![i * 2..i * 2 + 2]);
        if flag {
            at!("then", {
                store(part, load(x.slice(s![i * 2..i * 2 + 2])) * SCALE);
            });
        } else {
            at!("otherwise", {
                store(part, zeros([2]));
            });
        }
    }
    manual_scope!({
        for i in 0..2 {
            let half = y.slice(s![i * 4..i * 4 + 4]);
            at!("manual", {
                let mut t = load(half);
                for k in unroll(0..3) {
                    if k == 1 {
                        t = t + Sizes::OFFSET;
                    }
                }
                let mut rounds = 0;
                while rounds < 10 {
                    rounds += 1;
                    if rounds == 2 {
                        continue;
                    }
                    if rounds > 3 {
                        break;
                    }
                    scratch_scope!({
                        store(half, t + rounds);
                    });
                }
            });
        }
    })
}

#[test]
fn regions_stand_in_branches_loops_and_manual_scopes() {
    let mut y = Array1::zeros(8);
    halves(&runtime(), &numbers(8), &mut y, true).unwrap();
    assert_eq!(y, numbers(8) * 2.0 + 3.5);
    halves(&runtime(), &numbers(8), &mut y, false).unwrap();
    assert_eq!(y, Array1::from_elem(8, 3.5));
}
