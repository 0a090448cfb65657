//! Functions of one `f32`, written so that loops over them vectorise.

/// Coefficients of `2^f - 1` for `-0.5 <= f <= 0.5`, lowest power first: a minimax fit of the
/// relative error of `2^f` (2.6e-9).
#[rustfmt::skip]
const EXP2: [f32; 6] =
    [0.693_147_24, 0.240_226_52, 0.055_503_104, 0.009_617_693, 0.001_340_667_4, 0.000_155_947_81];

/// Coefficients of `tanh(x) / x - 1` in powers of `x * x`, from the first, for `|x| <= TANH_SMALL`:
/// a minimax fit (3.7e-8).
const TANH: [f32; 4] = [-0.333_329_47, 0.133_207_25, -0.052_671_8, 0.016_437_56];
const TANH_SMALL: f32 = 0.55;

/// Adding it leaves a number rounded to an integer, which the low bits of the sum hold.
const ROUND: f32 = 12_582_912.0;

/// Below it `exp` would be subnormal.
const EXP_LOWEST: f32 = -87.336_54;
/// Above it `exp` is infinite.
const EXP_HIGHEST: f32 = 88.722_83;

/// `log2(e)` rounded to `f32`, and what the rounding lost.
const LOG2_E: [f32; 2] = [std::f32::consts::LOG2_E, 1.925_963e-8];
/// `ln(2)` in two parts, the first with few enough bits that its small multiples are exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];

/// `a * b + c`, in one rounding where the machine does that in one instruction.
#[inline(always)]
pub(super) fn fma<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// `e^x` with a relative error of at most 2e-7. Results that would be subnormal are 0.
#[inline(always)]
pub(super) fn exp<const FMA: bool>(x: f32) -> f32 {
    let bounded = if x > EXP_HIGHEST {
        f32::INFINITY
    } else {
        exp_below::<FMA>(x)
    };
    if x.is_nan() { x } else { bounded }
}

/// [`exp`] of what is a number, and not above [`EXP_HIGHEST`].
#[inline(always)]
pub(super) fn exp_below<const FMA: bool>(x: f32) -> f32 {
    // x = (n + f) * ln(2), so e^x = 2^n * 2^f.
    let shifted = fma::<FMA>(x, LOG2_E[0], ROUND);
    let n = shifted - ROUND;
    let f = if FMA {
        x.mul_add(LOG2_E[1], x.mul_add(LOG2_E[0], -n))
    } else {
        ((x - n * LN_2[0]) - n * LN_2[1]) * LOG2_E[0]
    };
    let [c1, c2, c3, c4, c5, c6] = EXP2;
    let f2 = f * f;
    let high = fma::<FMA>(f2, c6, fma::<FMA>(f, c5, c4));
    let middle = fma::<FMA>(f2, high, fma::<FMA>(f, c3, c2));
    let power = fma::<FMA>(f2, middle, f * c1) + 1.0;
    let scaled = f32::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 23));
    if x < EXP_LOWEST { 0.0 } else { scaled }
}

/// The hyperbolic tangent with a relative error of at most 3e-7.
#[inline(always)]
pub(super) fn tanh<const FMA: bool>(x: f32) -> f32 {
    let square = x * x;
    let [c1, c2, c3, c4] = TANH;
    let high = fma::<FMA>(square, c4, c3);
    let series = fma::<FMA>(square, fma::<FMA>(square, high, c2), c1);
    let small = fma::<FMA>(x * square, series, x);
    let large = 1.0 - 2.0 / (exp::<FMA>(2.0 * x.abs()) + 1.0);
    // The sign also of -0, which the series loses.
    (if x.abs() < TANH_SMALL { small } else { large }).copysign(x)
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact values")]
mod tests {
    use super::*;

    fn check(name: &str, x: f32, ours: f32, exact: f64, tolerance: f64) {
        let error = ((f64::from(ours) - exact) / exact).abs();
        assert!(
            error <= tolerance,
            "{name}({x:e}) is {ours:e}, {error:e} off"
        );
    }

    /// Floats from `from` to `to` in about `steps` steps of equal numbers of floats.
    fn floats(from: f32, to: f32, steps: u32) -> impl Iterator<Item = f32> {
        let (low, high) = (from.to_bits(), to.to_bits());
        (low..=high)
            .step_by(((high - low) / steps).max(1) as usize)
            .map(f32::from_bits)
    }

    #[test]
    fn exp_is_within_2e_7_on_every_path() {
        for x in floats(1e-10, 88.722_83, 200_000) {
            for x in [x, -x] {
                if x >= EXP_LOWEST {
                    check("exp", x, exp::<true>(x), f64::from(x).exp(), 2e-7);
                    check("exp", x, exp::<false>(x), f64::from(x).exp(), 2e-7);
                }
            }
        }
    }

    #[test]
    fn exp_of_special_values() {
        for exp in [exp::<true>, exp::<false>] {
            assert_eq!(exp(f32::NEG_INFINITY).to_bits(), 0.0_f32.to_bits());
            assert_eq!(exp(f32::INFINITY), f32::INFINITY);
            assert!(exp(f32::NAN).is_nan() && exp(-f32::NAN).is_nan());
            assert_eq!((exp(0.0), exp(-0.0)), (1.0, 1.0));
            assert_eq!((exp(89.0), exp(f32::MAX)), (f32::INFINITY, f32::INFINITY));
            assert_eq!((exp(-87.4), exp(f32::MIN)), (0.0, 0.0));
            assert!(exp(EXP_LOWEST) >= f32::MIN_POSITIVE);
        }
    }

    #[test]
    fn tanh_is_within_3e_7_on_every_path() {
        for x in floats(f32::MIN_POSITIVE, 20.0, 200_000) {
            check("tanh", x, tanh::<true>(x), f64::from(x).tanh(), 3e-7);
            check("tanh", -x, tanh::<false>(-x), f64::from(-x).tanh(), 3e-7);
        }
    }

    #[test]
    fn tanh_of_special_values() {
        assert_eq!(
            (tanh::<true>(f32::INFINITY), tanh::<true>(f32::NEG_INFINITY)),
            (1.0, -1.0)
        );
        assert!(tanh::<true>(f32::NAN).is_nan());
        assert_eq!(tanh::<true>(-0.0).to_bits(), (-0.0_f32).to_bits());
    }
}
