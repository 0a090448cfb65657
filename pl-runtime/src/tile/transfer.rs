//! Copies: from and to tensors, and between tiles.

use super::create::{element_bits, fill};
use super::device::{Readable, Writable};
use super::handle::{Tile, begin};
use super::nest::Nest;
use super::number::for_width;
use super::scratch::Scratch;
use crate::dtype::{DType, Scalar};
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::{Dims, Tensor, View};

/// Copies a tensor into a new tile. `bool` elements that are not 0 become 1.
///
/// # Errors
/// A tensor that is not an argument of the running task, or no scratch left.
pub fn load<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    tensor: Tensor<'_>,
) -> Result<Tile<'s>, OperationError> {
    load_from(s, site, &Readable::of(s, &tensor, "load", site)?)
}

/// Copies a tile into a tensor of the same shape and element type.
///
/// # Errors
/// Another shape or element type, or a tensor that the running task may not write.
pub fn store(
    s: &Scratch<'_>,
    site: Site,
    tensor: Tensor<'_>,
    tile: Tile<'_>,
) -> Result<(), OperationError> {
    let to = Writable::of(s, &tensor, "store", site)?;
    store_to(s, "store", site, &to, tile)
}

/// A new tile of shape `dims` that has the tensor in its leading corner and `value` elsewhere.
/// `bool` elements that are not 0 become 1.
///
/// # Errors
/// A tensor of another rank, or longer than the tile in some dimension, or that is not an argument of
/// the running task; a value that the element type cannot hold, or no scratch left.
pub fn load_padded<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    tensor: Tensor<'_>,
    dims: &[usize],
    value: impl Scalar,
) -> Result<Tile<'s>, OperationError> {
    const NAME: &str = "load_padded";
    let from = Readable::of(s, &tensor, NAME, site)?;
    let view = from.view();
    begin(s, NAME, site, &[])?;
    let fail = |message: String| OperationError::new(NAME, site, message);
    if !within(view.dims(), dims) {
        return Err(fail(format!(
            "{view} does not fit into a tile of shape {}; give it as many dimensions, none shorter, or \
             `slice` the tensor",
            Dims(dims)
        )));
    }
    let bits = element_bits(value.to_value(), view.dtype()).map_err(fail)?;
    let out = Tile::allocate(s, NAME, site, view.dtype(), dims)?;
    let corner = out.corner(view.dims());
    for_width!(view.dtype(), E => {
        if view.elements() < out.view().elements() {
            fill(s, &out, bits as E);
        }
        s.arena().memory.access::<E, E, 0, _>(corner.view(), [], |to, []| {
            from.read(to, corner.view().strides());
        });
    });
    if view.dtype() == DType::Bool {
        normalise(s, &out);
    }
    Ok(out)
}

/// Copies the leading corner of a tile, as large as the tensor, into the tensor: the other way of
/// [`load_padded`].
///
/// # Errors
/// Another rank or element type, a tensor that is longer than the tile in some dimension, or that the
/// running task may not write.
pub fn store_clipped(
    s: &Scratch<'_>,
    site: Site,
    tensor: Tensor<'_>,
    tile: Tile<'_>,
) -> Result<(), OperationError> {
    const NAME: &str = "store_clipped";
    let to = Writable::of(s, &tensor, NAME, site)?;
    let view = to.view();
    if !within(view.dims(), tile.dims()) {
        let message = format!(
            "{tile} does not cover {view}; give the tile as many dimensions, none shorter, or `slice` the \
             tensor"
        );
        return Err(OperationError::new(NAME, site, message));
    }
    store_to(s, NAME, site, &to, tile.corner(view.dims()))
}

/// Whether a shape has as many dimensions as another, none longer.
fn within(inner: &[usize], outer: &[usize]) -> bool {
    inner.len() == outer.len() && inner.iter().zip(outer).all(|(inner, outer)| inner <= outer)
}

/// Copies what a kernel returns, `tile`, into the tensor that was allocated for it.
///
/// # Errors
/// As of [`store`].
pub fn give(
    s: &Scratch<'_>,
    site: Site,
    tensor: Tensor<'_>,
    tile: Tile<'_>,
) -> Result<(), OperationError> {
    let view = tensor.view();
    if view.dims() != tile.dims() {
        let message = format!(
            "the kernel gives {tile}, and its signature says that it returns {view}; make the two agree"
        );
        return Err(OperationError::new("return", site, message));
    }
    store(s, site, tensor, tile)
}

/// Copies elements into a new tile.
///
/// # Errors
/// No scratch left.
fn load_from<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    from: &Readable<'_>,
) -> Result<Tile<'s>, OperationError> {
    begin(s, "load", site, &[])?;
    let view = from.view();
    let out = Tile::allocate(s, "load", site, view.dtype(), view.dims())?;
    for_width!(view.dtype(), E => {
        s.arena().memory.access::<E, E, 0, _>(out.view(), [], |to, []| {
            from.read(to, out.view().strides());
        });
    });
    if view.dtype() == DType::Bool {
        normalise(s, &out);
    }
    Ok(out)
}

/// Makes the bytes of a `bool` tile without gaps 0 and 1.
pub(super) fn normalise(s: &Scratch<'_>, out: &Tile<'_>) {
    s.arena()
        .memory
        .access::<u8, u8, 0, _>(out.view(), [], |out, []| {
            for byte in out {
                *byte = u8::from(*byte != 0);
            }
        });
}

/// Copies a tile to elements.
///
/// # Errors
/// Another shape or element type.
fn store_to(
    s: &Scratch<'_>,
    name: &'static str,
    site: Site,
    to: &Writable<'_>,
    tile: Tile<'_>,
) -> Result<(), OperationError> {
    begin(s, name, site, &[&tile])?;
    same_shape(name, site, to.view(), &tile)?;
    for_width!(tile.dtype(), E => {
        s.arena().memory.read::<E, _>(tile.view(), |elements| {
            to.write(elements, tile.view().strides());
        });
    });
    Ok(())
}

/// Copies the bytes of `src` into `dst`, which keeps its place: the way out of a scratch scope.
/// They may share bytes.
///
/// # Errors
/// Another shape or element type.
pub fn copy_to(
    s: &Scratch<'_>,
    site: Site,
    dst: Tile<'_>,
    src: Tile<'_>,
) -> Result<(), OperationError> {
    begin(s, "copy_to", site, &[&dst, &src])?;
    same_shape("copy_to", site, dst.view(), &src)?;
    copy(s, &dst, &src);
    Ok(())
}

/// Copies the elements of a tile to another one of the same shape and type.
pub(super) fn copy(s: &Scratch<'_>, dst: &Tile<'_>, src: &Tile<'_>) {
    let (to, from) = (dst.view(), src.view());
    for_width!(dst.dtype(), E => {
        if dst.overlaps(src) {
            let elements = src.to_vec::<E>();
            let nest = Nest::new(dst.dims(), [to.strides()]);
            s.arena().memory.access::<E, E, 0, _>(to, [], |out, []| {
                let ([step], row) = (nest.steps(), nest.row());
                for ([at], from) in nest.rows().zip(elements.chunks_exact(row.max(1))) {
                    for (i, &element) in from.iter().enumerate() {
                        out[at + i * step] = element;
                    }
                }
            });
        } else {
            let nest = Nest::new(dst.dims(), [to.strides(), from.strides()]);
            s.arena().memory.access::<E, E, 1, _>(to, [from], |out, [from]| {
                super::concat::copy(&nest, out, from);
            });
        }
    });
}

/// Refuses a copy of `from` to a place of another shape or type.
fn same_shape(
    operation: &'static str,
    site: Site,
    to: &View,
    from: &Tile<'_>,
) -> Result<(), OperationError> {
    let help = if to.dims() != from.dims() {
        "shapes are not broadcast; `slice` or `reshape` one of them".to_string()
    } else if to.dtype() != from.dtype() {
        format!("write `cast::<{}>` around it", to.dtype())
    } else {
        return Ok(());
    };
    let message = format!("{from} cannot be copied to {to}: {help}");
    Err(OperationError::new(operation, site, message))
}

#[cfg(test)]
#[path = "transfer_tests.rs"]
mod tests;
