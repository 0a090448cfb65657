//! Tiles made from nothing.

use super::binary::{element, misfit, number_text};
use super::handle::{Tile, begin};
use super::memory::Bits;
use super::number::{Number, exact_integer, for_number, for_width};
use super::scratch::Scratch;
use crate::dtype::{DType, Scalar, ScalarValue};
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::Dims;

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
    let bits = element_bits(value, dtype)
        .map_err(|message| OperationError::new(operation, site, message))?;
    let out = Tile::allocate(s, operation, site, dtype, dims)?;
    for_width!(dtype, E => fill(s, &out, bits as E));
    Ok(out)
}

/// The bits of the scalar as an element of type `dtype`; `bool` takes 0 and 1.
pub(super) fn element_bits(value: ScalarValue, dtype: DType) -> Result<u64, String> {
    for_number!(
        dtype,
        T => element::<T>(value, dtype).map(|element| element.to_value().bits()),
        else exact_integer(value)
            .and_then(|integer| u8::try_from(integer).ok())
            .filter(|&byte| byte <= 1)
            .map(u64::from)
            .ok_or_else(|| misfit(value, dtype))
    )
}

/// A tile whose elements are their own index along dimension `axis`.
///
/// # Errors
/// `bool`, a dimension that does not exist, an index that `dtype` does not hold exactly, more than
/// five dimensions, or no scratch left.
pub fn iota<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    dtype: DType,
    dims: &[usize],
    axis: impl Scalar,
) -> Result<Tile<'s>, OperationError> {
    const NAME: &str = "iota";
    begin(s, NAME, site, &[])?;
    let fail = |message: String| OperationError::new(NAME, site, message);
    let axis = axis.to_value();
    let along = exact_integer(axis)
        .and_then(|axis| usize::try_from(axis).ok())
        .filter(|&axis| axis < dims.len());
    let Some(along) = along else {
        let (shape, axes) = (Dims(dims), dims.len().saturating_sub(1));
        let help = if dims.is_empty() {
            "write at least one length".to_owned()
        } else {
            format!("write a number from 0 to {axes}")
        };
        let axis = number_text(axis);
        return Err(fail(format!("{shape} has no dimension {axis}; {help}")));
    };
    for_number!(
        dtype,
        T => {
            if let Some(last) = dims[along].checked_sub(1) {
                let largest = T::LARGEST_COUNT;
                if last as u64 > largest {
                    return Err(fail(format!(
                        "index {last} of {shape} is no value of {dtype}, which counts to {largest}; write \
                         `iota::<i32>` and `cast` what you compute with it",
                        shape = Dims(dims)
                    )));
                }
            }
            let out = Tile::allocate(s, NAME, site, dtype, dims)?;
            let inner = dims[along + 1..].iter().product::<usize>();
            s.arena().memory.access::<T, T, 0, _>(out.view(), [], |out, []| {
                let mut blocks = out.chunks_exact_mut((dims[along] * inner).max(1));
                let Some(first) = blocks.next() else { return };
                if inner == 1 {
                    for (i, element) in first.iter_mut().enumerate() {
                        *element = T::from_count(i);
                    }
                } else {
                    for (i, row) in first.chunks_exact_mut(inner).enumerate() {
                        row.fill(T::from_count(i));
                    }
                }
                for block in blocks {
                    block.copy_from_slice(first);
                }
            });
            Ok(out)
        },
        else Err(fail(format!("has no meaning for {dtype} elements; write `iota::<i32>`")))
    )
}

/// Sets every element of a tile without gaps.
pub(super) fn fill<T: Bits>(s: &Scratch<'_>, out: &Tile<'_>, value: T) {
    s.arena()
        .memory
        .access::<T, T, 0, _>(out.view(), [], |out, []| out.fill(value));
}
