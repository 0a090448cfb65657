//! Activation functions against `f64`, over floats of every size.

#![allow(clippy::float_cmp, reason = "exact values")]

use super::*;

/// Floats from `from` to `to` in about `steps` steps of equal numbers of floats.
fn floats(from: f32, to: f32, steps: u32) -> impl Iterator<Item = f32> {
    let (low, high) = (from.to_bits(), to.to_bits());
    (low..=high)
        .step_by(((high - low) / steps).max(1) as usize)
        .map(f32::from_bits)
}

/// The probability that a normal variable is above `a`, for `a >= 0`.
fn normal_tail(a: f64) -> f64 {
    let density = (-a * a / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if a > 3.0 {
        // The continued fraction of Laplace, from far inside.
        let fraction = (1..200).rev().fold(a, |inner, n| a + f64::from(n) / inner);
        return density / fraction;
    }
    // The series of the distribution function around 0.
    let (mut term, mut sum) = (a, a);
    for n in 1..200 {
        term *= a * a / f64::from(2 * n + 1);
        sum += term;
    }
    0.5 - density * sum
}

fn exact_sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn exact_gelu(x: f64) -> f64 {
    let tail = normal_tail(x.abs());
    x * if x < 0.0 { tail } else { 1.0 - tail }
}

fn exact_gelu_tanh(x: f64) -> f64 {
    let u = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x.powi(3));
    x * exact_sigmoid(2.0 * u)
}

/// Holds the largest relative error, over floats between `from` and `to` of magnitude.
fn check(
    name: &str,
    ours: [fn(f32) -> f32; 2],
    exact: fn(f64) -> f64,
    xs: impl Iterator<Item = f32>,
    tolerance: f64,
) {
    for x in xs {
        let exact = exact(f64::from(x));
        for ours in ours.map(|ours| ours(x)) {
            let error = (f64::from(ours) - exact).abs();
            // Where the result is subnormal it may be 0.
            let bound = exact.abs() * tolerance + f64::from(f32::MIN_POSITIVE);
            assert!(
                error <= bound,
                "{name}({x:e}) is {ours:e}, not {exact:e}: {:e}",
                error / exact.abs()
            );
        }
    }
}

/// Floats of both signs.
fn both(from: f32, to: f32) -> impl Iterator<Item = f32> {
    floats(from, to, 200_000).flat_map(|x| [x, -x])
}

#[test]
fn the_reference_of_the_normal_tail_is_exact() {
    // Values from tables, to 12 digits.
    for (a, tail) in [
        (0.0, 0.5),
        (1.0, 0.158_655_253_931),
        (3.0, 1.349_898_031_63e-3),
        (5.0, 2.866_515_718_79e-7),
    ] {
        assert!((normal_tail(a) / tail - 1.0).abs() < 1e-11, "{a}");
    }
}

#[test]
fn sigmoid_is_within_5e_7_on_every_path() {
    check(
        "sigmoid",
        [sigmoid::<true>, sigmoid::<false>],
        exact_sigmoid,
        both(1e-10, 87.0),
        5e-7,
    );
}

#[test]
fn silu_is_within_5e_7_on_every_path() {
    let exact = |x: f64| x * exact_sigmoid(x);
    check(
        "silu",
        [silu::<true>, silu::<false>],
        exact,
        both(1e-10, 87.0),
        5e-7,
    );
}

#[test]
fn gelu_is_within_6e_7_on_every_path() {
    check(
        "gelu",
        [gelu::<true>, gelu::<false>],
        exact_gelu,
        both(1e-10, 13.1),
        6e-7,
    );
}

#[test]
fn gelu_tanh_is_within_1e_6_above_minus_3_and_3e_5_below() {
    let ours = [gelu_tanh::<true> as fn(f32) -> f32, gelu_tanh::<false>];
    check("gelu_tanh", ours, exact_gelu_tanh, both(1e-10, 3.0), 1e-6);
    check("gelu_tanh", ours, exact_gelu_tanh, both(3.0, 10.0), 3e-5);
}

#[test]
fn activations_of_special_values() {
    type Function = fn(f32) -> f32;
    let gated: [Function; 6] = [
        silu::<true>,
        silu::<false>,
        gelu::<true>,
        gelu::<false>,
        gelu_tanh::<true>,
        gelu_tanh::<false>,
    ];
    for f in gated {
        assert!(f(f32::NAN).is_nan() && f(-f32::NAN).is_nan());
        assert_eq!((f(f32::INFINITY), f(f32::MAX)), (f32::INFINITY, f32::MAX));
        assert_eq!(
            (f(f32::NEG_INFINITY), f(f32::MIN), f(-200.0)),
            (0.0, 0.0, 0.0)
        );
        assert_eq!(f(0.0).to_bits(), 0.0_f32.to_bits());
        assert_eq!(f(-0.0).to_bits(), (-0.0_f32).to_bits());
        // A subnormal number is halved.
        assert_eq!(f(f32::from_bits(64)), f32::from_bits(32));
    }
    for f in [sigmoid::<true> as Function, sigmoid::<false>] {
        assert!(f(f32::NAN).is_nan());
        assert_eq!(
            (f(f32::NEG_INFINITY), f(0.0), f(f32::INFINITY)),
            (0.0, 0.5, 1.0)
        );
    }
}
