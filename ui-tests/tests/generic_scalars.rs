//! Types of numbers that have a name of the kernel's own: type parameters and aliases. All is compared with the C++.
#![allow(clippy::cast_lossless, reason = "kernels convert numbers with `as`")]

use ndarray::{Array1, array};
use pl::prelude::*;
use std::ops::{Add, Mul};
use ui_helpers::filled;

fn runtime() -> Runtime {
    Runtime::new(ui_helpers::checked()).unwrap()
}

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

/// The type parameter stands in no tensor.
#[pl::jit::inline]
fn sum_of<T: Scalar + Add<Output = T>>(a: T, b: T) -> T {
    let sum: T = a + b;
    sum
}

#[pl::jit::inline]
fn scaled<T: Scalar + Add<Output = T> + Mul<Output = T>>(a: T, by: T) -> T {
    let twice = sum_of::<T>(a, a);
    twice * by
}

#[pl::jit::inline]
fn larger<T: Scalar + PartialOrd>(a: T, b: T) -> (T, bool) {
    let is_first = a > b;
    let most = if is_first { a } else { b };
    (most, is_first)
}

#[pl::jit]
fn by_helpers(x: Tensor<f32, 8>, n: usize, f: f64, h: f16, b: bf16, y: Out<Tensor<f32, 8>>) {
    let at = scaled::<usize>(n, 2);
    let exact = sum_of::<f64>(f, 0.1);
    let small = sum_of::<i8>(100, 27);
    let (most, first) = larger::<f16>(h, h);
    let (wide, second) = larger::<bf16>(b, b);
    let (most_again, _) = larger::<f16>(most, h);
    copy(x.slice(s![at..at + 4]), y.slice(s![0..4]));
    y.set([4], exact as f32);
    y.set([5], small as f32);
    let same = most_again == h && wide == b && !first && !second;
    y.set([6], if same { 1.0 } else { 0.0 });
    let (long, _) = larger::<i64>(-1, n as i64);
    y.set([7], long as f32);
}

#[test]
fn a_type_parameter_of_a_helper_is_any_scalar() {
    let x = Array1::from_iter((0..8).map(|i| i as f32));
    let mut y = Array1::zeros(8);
    let (h, b) = (f16::from_f32(1.5), bf16::from_f32(-2.0));
    by_helpers(&runtime(), &x, 1, 0.2, h, b, &mut y).unwrap();
    let exact = (0.2_f64 + 0.1) as f32;
    assert_eq!(y, array![4.0, 5.0, 6.0, 7.0, exact, 127.0, 1.0, 1.0]);
    let cpp = by_helpers::kernel().orchestration_cpp().unwrap();
    for part in ["double sum", "int64_t most", "bool is_first"] {
        assert!(cpp.contains(part), "{part}: {cpp}");
    }
}

#[pl::jit]
fn of_any_scalar<T: Scalar + Add<Output = T>>(value: T, y: Out<Tensor<f32, 2>>) {
    let twice = sum_of::<T>(value, value);
    filled::<T>(twice, y.slice(s![0..1]));
    at!("of_region", {
        store(y.slice(s![1..2]), full::<f32>([1], value));
    });
}

#[test]
fn a_type_parameter_of_an_entry_and_of_a_kernel_is_any_scalar() {
    fn run<T: Scalar + Add<Output = T>>(value: T, ty: &str) {
        let mut y = Array1::zeros(2);
        of_any_scalar(&runtime(), value, &mut y).unwrap();
        assert_eq!(y, array![6.0, 3.0], "{ty}");
        let program = of_any_scalar::kernel::<T>().device_program().unwrap();
        assert!(
            program
                .source
                .contains(&format!("{ty} value = from_u64<{ty}>(")),
            "{}",
            program.source
        );
        let rust = of_any_scalar::kernel::<T>().orchestration_rust();
        let instance = format!("filled::<{}>", T::NAME);
        assert!(rust.contains(&instance), "{instance}: {rust}");
    }
    run(3_usize, "uint64_t");
    run(3_isize, "int64_t");
    run(3.0_f64, "double");
    run(3.0_f32, "float");
    run(3_i8, "int8_t");
    run(f16::from_f32(3.0), "uint16_t");
}

mod names {
    pub(super) type Index = usize;
    pub(super) use self::inner::Real;
    mod inner {
        pub(in super::super) type Real = ui_helpers::Weight;
    }
}
use names::Index;
type Place = Index;
type Small = u8;

#[pl::jit::inline]
fn next(i: Index, by: names::Index) -> Place {
    let next: Place = i + by;
    next
}

#[pl::jit]
fn by_aliases(x: Tensor<names::Real, 4>, f: ui_helpers::Weight, y: Out<Tensor<f32, 4>>) {
    let start: names::Index = next(x.get([0]) as Index, 1);
    let end = ui_helpers::after(start);
    for i in start..end {
        copy(x.slice(s![i..i + 2]), y.slice(s![0..2]));
    }
    let many = 7_u8;
    let long: i64 = many as _;
    y.set([2], long as names::Real * f);
    // Wraps around, as numbers of 8 bits do.
    let small: Small = 250;
    let beyond = (start as Small + 300_i32 as Small) as i8;
    y.set([3], (small - many) as f32 + beyond as names::Real);
}

#[test]
fn an_alias_is_the_scalar_that_it_stands_for() {
    let mut y = Array1::zeros(4);
    by_aliases(&runtime(), &array![1.0, 2.0, 3.0, 4.0], 0.5, &mut y).unwrap();
    assert_eq!(y, array![3.0, 4.0, 3.5, 289.0]);
    let cpp = by_aliases::kernel().orchestration_cpp().unwrap();
    assert!(cpp.contains("float f = from_u64<float>("), "{cpp}");
}

/// Named like an alias of the module, which is `usize`.
#[pl::jit::inline]
fn product<Index: Scalar + Mul<Output = Index>>(a: Index, b: Index) -> Index {
    let index: Index = a * b;
    index
}

trait Unit {
    const ONE: Self;
}
impl Unit for f16 {
    const ONE: Self = f16::ONE;
}
impl Unit for u8 {
    const ONE: Self = 1;
}

/// A constant of the type, and two levels of helpers, of two crates.
#[pl::jit::inline]
fn eight_times<T: Scalar + Add<Output = T> + Unit>(a: T) -> (T, T) {
    let four = ui_helpers::four_times::<T>(a);
    let eight = ui_helpers::twice::<T>(four);
    let nine = eight + T::ONE;
    (eight, nine)
}

#[pl::jit::inline]
fn chosen<T: Scalar>(first: bool, a: T, b: T) -> T {
    if first { a } else { b }
}

#[pl::jit]
fn by_names(n: usize, f: f64, h: f16, y: Out<Tensor<f32, 8>>) {
    // Variables that are called like types.
    let (f32, usize) = (n * 2, f * 2.0);
    y.set([0], (f32 as f32) + usize as f32);
    let exact = product::<f64>(f, f);
    let whole = product::<Index>(n, n);
    y.set([1], exact as f32 + whole as f32);
    let (eight, nine) = eight_times::<f16>(h);
    filled::<f16>(eight, y.slice(s![2..3]));
    filled::<f16>(nine, y.slice(s![3..4]));
    let (small, _) = eight_times::<Small>(31);
    filled::<u8>(small, y.slice(s![4..5]));
    let first = chosen::<bool>(n > 1, true, false);
    let half = chosen::<bf16>(first, bf16::ONE, bf16::ZERO);
    filled::<bf16>(half, y.slice(s![5..6]));
    let far = chosen::<i64>(n == 0, 1, 5_000_000_000);
    y.set([6], (far / 1_000_000_000) as f32);
    let last = chosen::<Place>(false, n, n + 1);
    submit!(filled::<usize>(last, y.slice(s![7..8])));
}

#[test]
fn names_of_types_are_those_of_the_function_that_has_them() {
    let mut y = Array1::zeros(8);
    by_names(&runtime(), 3, 1.5, f16::from_f32(0.5), &mut y).unwrap();
    assert_eq!(y, array![9.0, 11.25, 4.0, 5.0, 248.0, 1.0, 5.0, 4.0]);
}
