//! Activation functions of one `f32`, written so that loops over them vectorise.

use super::math::{exp, fma};

/// `1 / (1 + e^-x)` with a relative error of at most 5e-7; 0 below -88.7.
#[inline(always)]
pub(super) fn sigmoid<const FMA: bool>(x: f32) -> f32 {
    1.0 / (1.0 + exp::<FMA>(-x))
}

/// `x` times its [`sigmoid`], with a relative error of at most 5e-7; -0 below -88.7.
#[inline(always)]
pub(super) fn silu<const FMA: bool>(x: f32) -> f32 {
    finite_below(x) / (1.0 + exp::<FMA>(-x))
}

/// Scale of the argument of [`TAIL`].
const TAIL_SCALE: f32 = 0.305;

/// With `t = 1 / (1 + TAIL_SCALE * a)`, coefficients of `P(-a) * e^(a*a/2) / t` in powers of `t`, where
/// `P` is the distribution function of the normal distribution: a minimax fit of the relative error
/// for `0 <= a <= 14.3` (9.4e-8).
#[rustfmt::skip]
const TAIL: [f32; 8] = [
    0.121_639_736, 0.122_466_82, 0.103_420_86, 0.121_021_695,
    -0.037_976_854, 0.185_716_93, -0.152_988_31, 0.036_699_19,
];

/// The Gaussian error linear unit, `x` times the probability that a normal variable is below `x`
/// (`x / 2 * (1 + erf(x / sqrt(2)))`), with a relative error of at most 6e-7; -0 below -13.2.
#[inline(always)]
pub(super) fn gelu<const FMA: bool>(x: f32) -> f32 {
    let magnitude = x.abs();
    // Beyond it the tail is 0; NaN stays.
    let a = if magnitude > 16.0 { 16.0 } else { magnitude };
    let t = 1.0 / (1.0 + TAIL_SCALE * a);
    let [c0, c1, c2, c3, c4, c5, c6, c7] = TAIL;
    let t2 = t * t;
    let low = fma::<FMA>(t2, fma::<FMA>(t, c3, c2), fma::<FMA>(t, c1, c0));
    let high = fma::<FMA>(t2, fma::<FMA>(t, c7, c6), fma::<FMA>(t, c5, c4));
    let ratio = t * fma::<FMA>(t2 * t2, high, low);
    let (square, lost) = exact_square::<FMA>(a);
    let bell = exp::<FMA>(-0.5 * square);
    let tail = fma::<FMA>(bell, -0.5 * lost, bell) * ratio;
    finite_below(x) * if x < 0.0 { tail } else { 1.0 - tail }
}

/// `sqrt(2 / pi) * 2`, for `2 * u` of [`gelu_tanh`], and its part of the cube.
const GELU_TANH: [f32; 2] = [1.595_769, 0.071_354_814];

/// The usual approximation of [`gelu`], `x / 2 * (1 + tanh(u))` with
/// `u = sqrt(2 / pi) * (x + 0.044715 * x^3)`, with a relative error of at most 1e-6 from -3 upwards
/// and 3e-5 below; -0 below -10.1.
#[inline(always)]
pub(super) fn gelu_tanh<const FMA: bool>(x: f32) -> f32 {
    let [linear, cubic] = GELU_TANH;
    let twice = x * fma::<FMA>(x * x, cubic, linear);
    finite_below(x) / (1.0 + exp::<FMA>(-twice))
}

/// `x`, or the lowest finite number instead of negative infinity: multiplied by 0 it gives 0.
#[inline(always)]
fn finite_below(x: f32) -> f32 {
    if x < f32::MIN { f32::MIN } else { x }
}

/// The square, and what rounding took from it.
#[inline(always)]
fn exact_square<const FMA: bool>(x: f32) -> (f32, f32) {
    let square = x * x;
    if FMA {
        return (square, x.mul_add(x, -square));
    }
    // Halves of 12 bits, whose products are exact.
    let high = f32::from_bits(x.to_bits() & 0xffff_f000);
    let low = x - high;
    (
        square,
        ((high * high - square) + 2.0 * high * low) + low * low,
    )
}

#[cfg(test)]
#[path = "activation_tests.rs"]
mod tests;
