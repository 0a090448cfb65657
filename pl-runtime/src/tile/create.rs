//! Tiles made from nothing.

use super::binary::{element, misfit};
use super::handle::{Tile, begin};
use super::number::{exact_integer, for_number};
use super::scratch::{Bits, Scratch};
use crate::dtype::{DType, Scalar, ScalarValue};
use crate::error::OperationError;
use crate::site::Site;

/// A tile with every element set to `value`.
///
/// # Errors
/// A value that `dtype` cannot hold, more than five dimensions, or no scratch left.
pub fn full<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    dtype: DType,
    dims: &[usize],
    value: impl Scalar,
) -> Result<Tile<'s>, OperationError> {
    filled(s, "full", site, dtype, dims, value.to_value())
}

/// A tile of zeros, or of `false`.
///
/// # Errors
/// More than five dimensions, or no scratch left.
pub fn zeros<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    dtype: DType,
    dims: &[usize],
) -> Result<Tile<'s>, OperationError> {
    filled(s, "zeros", site, dtype, dims, false.to_value())
}

fn filled<'s>(
    s: &'s Scratch<'_>,
    operation: &'static str,
    site: Site,
    dtype: DType,
    dims: &[usize],
    value: ScalarValue,
) -> Result<Tile<'s>, OperationError> {
    begin(s, operation, site, &[])?;
    let fail = |message: String| OperationError::new(operation, site, message);
    for_number!(
        dtype,
        T => {
            let value = element::<T>(value, dtype).map_err(fail)?;
            let out = Tile::allocate(s, operation, site, dtype, dims)?;
            fill(s, &out, value);
            Ok(out)
        },
        else {
            let value = exact_integer(value)
                .and_then(|v| u8::try_from(v).ok())
                .filter(|&v| v <= 1)
                .ok_or_else(|| fail(misfit(value, dtype)))?;
            let out = Tile::allocate(s, operation, site, dtype, dims)?;
            fill(s, &out, value);
            Ok(out)
        }
    )
}

/// Sets every element of a tile without gaps.
pub(super) fn fill<T: Bits>(s: &Scratch<'_>, out: &Tile<'_>, value: T) {
    s.arena()
        .access::<T, T, 0, _>(out.view(), [], |out, []| out.fill(value));
}
