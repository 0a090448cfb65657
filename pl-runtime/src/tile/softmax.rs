//! `softmax` along rows: each row is gone through while it is in the cache.

use super::dispatch::Kernel;
use super::handle::{Tile, begin};
use super::lines::Lines;
use super::math;
use super::number::{Number, for_float};
use super::reduce::{largest, no_meaning, split_last, sum};
use super::scratch::Scratch;
use crate::error::OperationError;
use crate::site::Site;

/// `exp(a - max) / sum(exp(a - max))` along each row, computed in `f32`. NaN for a row with a NaN
/// or `inf` in it, and for one of `-inf` only.
///
/// # Errors
/// No dimension to go along, an element type that is no float, or no scratch left.
pub fn softmax<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    a: Tile<'_>,
) -> Result<Tile<'s>, OperationError> {
    const NAME: &str = "softmax";
    begin(s, NAME, site, &[&a])?;
    for_float!(
        a.dtype(),
        T => {
            split_last(NAME, site, &a)?;
            let out = Tile::allocate(s, NAME, site, a.dtype(), a.dims())?;
            let lines = Lines::new(a.view());
            let mut powers = vec![0.0; lines.row()];
            s.arena().memory.access::<T, T, 1, _>(out.view(), [a.view()], |out, [a]| {
                T::run_wide(Softmax::<T> { lines, powers: &mut powers, out, a });
            });
            Ok(out)
        },
        else Err(no_meaning(NAME, site, &a, "float"))
    )
}

struct Softmax<'a, T> {
    lines: Lines,
    /// `exp(a - max)` of a row, before it is known what to divide them by.
    powers: &'a mut [f32],
    out: &'a mut [T],
    a: &'a [T],
}

impl<T: Number<Work = f32>> Kernel for Softmax<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self {
            lines,
            powers,
            out,
            a,
        } = self;
        let mut copy = Vec::new();
        let rows = out.chunks_exact_mut(lines.row().max(1));
        for (start, out) in lines.starts().zip(rows) {
            let row = lines.line(a, start, &mut copy);
            let max = largest(row);
            if !max.is_finite() {
                out.fill(T::from_work(f32::NAN));
                continue;
            }
            for (power, element) in powers.iter_mut().zip(row) {
                *power = math::exp_below::<FMA>(element.to_work() - max);
            }
            let scale = 1.0 / sum(powers);
            for (out, &power) in out.iter_mut().zip(&*powers) {
                *out = T::from_work(power * scale);
            }
        }
    }
}
