//! Tiles side by side.

use super::binary::number_text;
use super::handle::{Tile, begin};
use super::memory::Bits;
use super::nest::Nest;
use super::number::{exact_integer, for_width};
use super::scratch::Scratch;
use crate::dtype::{Scalar, ScalarValue};
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::MAX_RANK;

/// `b` behind `a` along dimension `axis`.
///
/// # Errors
/// An `axis` that is no dimension, lengths that differ in another one, different element types, or
/// no scratch left.
pub fn concat<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    a: Tile<'_>,
    b: Tile<'_>,
    axis: impl Scalar,
) -> Result<Tile<'s>, OperationError> {
    begin(s, "concat", site, &[&a, &b])?;
    let fail = |message: String| OperationError::new("concat", site, message);
    if a.dtype() != b.dtype() {
        let (ours, name) = (a.dtype(), b.dtype());
        return Err(fail(format!(
            "{a} and {b} have different element types; write `cast::<{ours}>` around the {name} one"
        )));
    }
    let Some(last) = a.rank().checked_sub(1) else {
        return Err(fail(format!("{a} has no dimension; reshape it to `[1]`")));
    };
    let axis = whole_number(axis.to_value(), last).map_err(|axis| {
        fail(format!(
            "{a} has no dimension {axis}; write one from 0 to {last}"
        ))
    })?;
    let fits = |(n, (x, y)): (usize, (&usize, &usize))| n == axis || x == y;
    if a.rank() != b.rank() || !a.dims().iter().zip(b.dims()).enumerate().all(fits) {
        return Err(fail(format!(
            "{a} and {b} do not fit along dimension {axis}: their other lengths must be equal; \
             `slice` or `reshape` one of them"
        )));
    }
    let mut dims = [0; MAX_RANK];
    dims[..=last].copy_from_slice(a.dims());
    dims[axis] = a.dims()[axis].saturating_add(b.dims()[axis]);
    let out = Tile::allocate(s, "concat", site, a.dtype(), &dims[..=last])?;
    let strides = out.view().strides();
    for_width!(a.dtype(), E => {
        let (first, second) = (a.dims()[axis] * strides[axis], a.view());
        s.arena().memory.access::<E, E, 2, _>(out.view(), [second, b.view()], |out, [x, y]| {
            for (at, part, from) in [(0, &a, x), (first, &b, y)] {
                let nest = Nest::new(part.dims(), [strides, part.view().strides()]);
                copy(&nest, out.get_mut(at..).unwrap_or_default(), from);
            }
        });
    });
    Ok(out)
}

/// Copies the elements in the order of `nest`: where to, where from.
#[inline]
pub(super) fn copy<E: Bits>(nest: &Nest<2>, out: &mut [E], from: &[E]) {
    let ([step_out, step], row) = (nest.steps(), nest.row());
    for [o, i] in nest.rows() {
        if (step_out, step) == (1, 1) {
            out[o..o + row].copy_from_slice(&from[i..i + row]);
        } else {
            for n in 0..row {
                out[o + n * step_out] = from[i + n * step];
            }
        }
    }
}

/// The scalar as a number from 0 to `largest`; its text if it is none.
pub(super) fn whole_number(value: ScalarValue, largest: usize) -> Result<usize, String> {
    let number = exact_integer(value)
        .and_then(|number| usize::try_from(number).ok())
        .filter(|&number| number <= largest);
    number.ok_or_else(|| number_text(value))
}
