//! One of two values for each element.

use super::binary::{Operand, OperandValue, begin_with, common_dtype, view};
use super::broadcast::Broadcast;
use super::compare::expect_bool;
use super::create::element_bits;
use super::dispatch::{self, Kernel};
use super::handle::Tile;
use super::memory::Bits;
use super::nest::Nest;
use super::number::for_width;
use super::scratch::Scratch;
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::View;

const NAME: &str = "select";

/// The element of `a` where `mask` is true, that of `b` where it is false. One of the two may be a
/// scalar; all three broadcast as in numpy.
///
/// # Errors
/// A mask that is not of `bool`, shapes that do not broadcast, different element types, a scalar that
/// the element type cannot hold, two scalars, or no scratch left.
pub fn select<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    mask: Tile<'s>,
    a: impl Operand<'s>,
    b: impl Operand<'s>,
) -> Result<Tile<'s>, OperationError> {
    let fail = |message: String| OperationError::new(NAME, site, message);
    let (a, b) = (a.value(), b.value());
    begin_with(s, NAME, site, Some(&mask), [&a, &b])?;
    expect_bool(NAME, site, &mask)?;
    let dtype = common_dtype(NAME, site, [&a, &b])?;
    let all = Broadcast::new([mask.view(), &view(&a, dtype), &view(&b, dtype)]).map_err(fail)?;
    let bits = |value: &OperandValue<'_>| match value {
        OperandValue::Tile(_) => Ok(0),
        OperandValue::Scalar(value) => element_bits(*value, dtype).map_err(fail),
    };
    let (splat_a, splat_b) = (bits(&a)?, bits(&b)?);
    let out = Tile::allocate(s, NAME, site, dtype, all.dims())?;
    let strides = std::array::from_fn(|operand| match operand.checked_sub(1) {
        None => out.view().strides(),
        Some(operand) => all.strides(operand),
    });
    let nest = Nest::new(all.dims(), strides);
    // A scalar stands in a slice of its own; its place among the tiles is taken by the other one.
    let tile = |value: &OperandValue<'_>, other: &OperandValue<'_>| -> View {
        match (value, other) {
            (OperandValue::Tile(tile), _) | (_, OperandValue::Tile(tile)) => *tile.view(),
            _ => *mask.view(),
        }
    };
    let (view_a, view_b) = (tile(&a, &b), tile(&b, &a));
    for_width!(dtype, E => {
        let splat = [[splat_a as E], [splat_b as E]];
        let inputs = [&view_a, &view_b];
        s.arena().memory.access_with::<E, u8, E, 2, _>(out.view(), Some(mask.view()), inputs, |out, mask, [in_a, in_b]| {
            let a = if let OperandValue::Tile(_) = a { in_a } else { &splat[0] };
            let b = if let OperandValue::Tile(_) = b { in_b } else { &splat[1] };
            dispatch::run(Select { nest, out, mask, a, b });
        });
    });
    Ok(out)
}

struct Select<'a, E> {
    nest: Nest<4>,
    out: &'a mut [E],
    mask: &'a [u8],
    a: &'a [E],
    b: &'a [E],
}

/// One element; `mask` is 0 or 1.
#[inline(always)]
pub(super) fn choose<E: Bits>(mask: u8, a: E, b: E) -> E {
    if mask != 0 { a } else { b }
}

impl<E: Bits> Kernel for Select<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self {
            nest,
            out,
            mask,
            a,
            b,
        } = self;
        let (n, [_, step_m, step_a, step_b]) = (nest.row(), nest.steps());
        for [o, m, x, y] in nest.rows() {
            let out = &mut out[o..o + n];
            match (step_m, step_a, step_b) {
                (1, 1, 1) => {
                    let operands = mask[m..m + n].iter().zip(&a[x..x + n]).zip(&b[y..y + n]);
                    for (out, ((&m, &x), &y)) in out.iter_mut().zip(operands) {
                        *out = choose(m, x, y);
                    }
                }
                (1, 1, 0) => {
                    let y = b[y];
                    for (out, (&m, &x)) in
                        out.iter_mut().zip(mask[m..m + n].iter().zip(&a[x..x + n]))
                    {
                        *out = choose(m, x, y);
                    }
                }
                (1, 0, 1) => {
                    let x = a[x];
                    for (out, (&m, &y)) in
                        out.iter_mut().zip(mask[m..m + n].iter().zip(&b[y..y + n]))
                    {
                        *out = choose(m, x, y);
                    }
                }
                _ => {
                    for (i, out) in out.iter_mut().enumerate() {
                        *out = choose(mask[m + i * step_m], a[x + i * step_a], b[y + i * step_b]);
                    }
                }
            }
        }
    }
}
