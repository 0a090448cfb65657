//! Element-wise operations of one tile that scalars adjust.

use super::binary::{element, number_text};
use super::dispatch::Kernel;
use super::handle::{Tile, begin};
use super::number::{Arithmetic, Number, exact_integer, for_number};
use super::scratch::Scratch;
use super::unary::{Function, map};
use crate::dtype::{Scalar, ScalarValue};
use crate::error::OperationError;
use crate::site::Site;

/// Why an operation of numbers does not work on this tile.
fn no_numbers(name: &'static str, site: Site, a: &Tile<'_>) -> OperationError {
    let message = format!("has no meaning for {a}; `cast` the tile to a number type");
    OperationError::new(name, site, message)
}

struct Clamp<T> {
    low: T,
    high: T,
}

impl<T: Number> Function<T, T> for Clamp<T> {
    #[inline(always)]
    fn apply<const FMA: bool>(&self, x: T) -> T {
        T::from_work(clamped(
            x.to_work(),
            self.low.to_work(),
            self.high.to_work(),
        ))
    }

    fn run<K: Kernel>(kernel: K) -> K::Output {
        T::run(kernel)
    }
}

/// `x`, or the bound that it is beyond; NaN stays.
#[inline(always)]
pub(super) fn clamped<W: Arithmetic>(x: W, low: W, high: W) -> W {
    x.maximum(low).minimum(high)
}

/// The elements, and `low` or `high` instead of those that are below or above it. NaN stays.
///
/// # Errors
/// `bool`, a bound that the element type cannot hold or that is NaN, `low > high`, or no scratch left.
pub fn clamp<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    a: Tile<'_>,
    low: impl Scalar,
    high: impl Scalar,
) -> Result<Tile<'s>, OperationError> {
    const NAME: &str = "clamp";
    begin(s, NAME, site, &[&a])?;
    let (low, high) = (low.to_value(), high.to_value());
    let fail = |message: String| OperationError::new(NAME, site, message);
    for_number!(
        a.dtype(),
        T => {
            let bound = |value: ScalarValue| element::<T>(value, a.dtype()).map_err(fail);
            let bounds = Clamp { low: bound(low)?, high: bound(high)? };
            // False for NaN.
            if !matches!(bounds.low.to_work().partial_cmp(&bounds.high.to_work()), Some(order) if order.is_le()) {
                return Err(fail(format!(
                    "the lower bound {} is not below the upper bound {}; write the smaller one first: \
                     `clamp(x, -1, 1)`",
                    number_text(low),
                    number_text(high)
                )));
            }
            let out = Tile::allocate(s, NAME, site, a.dtype(), a.dims())?;
            map(s, &out, &a, bounds);
            Ok(out)
        },
        else Err(no_numbers(NAME, site, &a))
    )
}

/// Raises numbers to a power, by multiplications alone: of squares, in the order of the bits.
#[inline(always)]
pub(super) fn raise<W: Arithmetic, const N: usize>(values: &mut [W; N], exponent: u32) {
    let mut squares = *values;
    *values = [W::ONE; N];
    let mut left = exponent;
    loop {
        if left & 1 == 1 {
            for (value, &square) in values.iter_mut().zip(&squares) {
                *value = value.mul(square);
            }
        }
        left >>= 1;
        if left == 0 {
            return;
        }
        for square in &mut squares {
            *square = square.mul(*square);
        }
    }
}

/// Elements that are raised together: the loop over the bits of the exponent is outside of theirs.
const LANES: usize = 32;

struct Powers {
    exponent: u32,
    inverse: bool,
}

impl<T: Number> Function<T, T> for Powers {
    #[inline(always)]
    fn apply<const FMA: bool>(&self, x: T) -> T {
        let mut out = [x];
        self.block(&mut out, &[x]);
        out[0]
    }

    #[inline(always)]
    fn row<const FMA: bool>(&self, out: &mut [T], a: &[T]) {
        let (blocks, rest) = a.as_chunks::<LANES>();
        let (out_blocks, out_rest) = out.as_chunks_mut::<LANES>();
        for (out, block) in out_blocks.iter_mut().zip(blocks) {
            self.block(out, block);
        }
        for (out, &x) in out_rest.iter_mut().zip(rest) {
            *out = self.apply::<FMA>(x);
        }
    }

    fn run<K: Kernel>(kernel: K) -> K::Output {
        T::run(kernel)
    }
}

impl Powers {
    #[inline(always)]
    fn block<T: Number, const N: usize>(&self, out: &mut [T; N], a: &[T; N]) {
        let mut values = [T::Work::ONE; N];
        for (value, x) in values.iter_mut().zip(a) {
            *value = x.to_work();
        }
        raise(&mut values, self.exponent);
        if self.inverse {
            for value in &mut values {
                *value = T::Work::ONE.div(*value);
            }
        }
        for (out, &value) in out.iter_mut().zip(&values) {
            *out = T::from_work(value);
        }
    }
}

/// The elements to the power of the integer `n`, by repeated multiplication; `1 / x^-n` for a negative
/// one. Integers wrap.
///
/// # Errors
/// `bool`, an exponent that is no integer of 32 bits, a negative one for integers, or no scratch left.
pub fn powi<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    a: Tile<'_>,
    n: impl Scalar,
) -> Result<Tile<'s>, OperationError> {
    const NAME: &str = "powi";
    begin(s, NAME, site, &[&a])?;
    let fail = |message: String| Err(OperationError::new(NAME, site, message));
    let n = n.to_value();
    let Some(exponent) = exact_integer(n).and_then(|n| i32::try_from(n).ok()) else {
        return fail(format!(
            "the exponent {} is no integer of 32 bits; write `exp(log(x) * n)` for any exponent of a \
             positive `x`",
            number_text(n)
        ));
    };
    if exponent < 0 && !a.dtype().is_float() {
        return fail(format!(
            "{a} has no power {exponent}: integers have exponents from 0; `cast` the tile to a float type"
        ));
    }
    let powers = Powers {
        exponent: exponent.unsigned_abs(),
        inverse: exponent < 0,
    };
    for_number!(
        a.dtype(),
        T => {
            let out = Tile::allocate(s, NAME, site, a.dtype(), a.dims())?;
            map::<T, T, _>(s, &out, &a, powers);
            Ok(out)
        },
        else Err(no_numbers(NAME, site, &a))
    )
}
