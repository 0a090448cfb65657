//! Copies: from and to tensors, and between tiles.

use super::handle::{Tile, begin};
use super::nest::Nest;
use super::number::for_width;
use super::raw;
use super::scratch::Scratch;
use crate::dtype::DType;
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::{Tensor, View};

/// Copies a tensor into a new tile. `bool` elements that are not 0 become 1.
///
/// # Errors
/// A tensor that is not an argument of the running task, or no scratch left.
pub fn load<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    tensor: Tensor<'_>,
) -> Result<Tile<'s>, OperationError> {
    let base = tensor.source("load", site)?;
    // SAFETY: `source` gives the memory of all elements to a task that may read them; what orders
    // tasks keeps writers away, and the arena belongs to this core alone.
    unsafe { load_raw(s, site, base, tensor.view()) }
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
    let base = tensor.destination("store", site)?;
    // SAFETY: `destination` gives the memory of all elements to a task that may write them; what
    // orders tasks keeps all others away, and the arena belongs to this core alone.
    unsafe { store_raw(s, site, base, tensor.view(), tile) }
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

/// Copies the elements that `view` selects behind `base` into a new tile.
///
/// # Errors
/// No scratch left.
///
/// # Safety
/// The elements of the view behind `base` are readable, outside the arena, and no other thread
/// writes to them during the call.
unsafe fn load_raw<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    base: *const u8,
    view: &View,
) -> Result<Tile<'s>, OperationError> {
    begin(s, "load", site, &[])?;
    let out = Tile::allocate(s, "load", site, view.dtype(), view.dims())?;
    for_width!(view.dtype(), E => {
        s.arena().access::<E, E, 0, _>(out.view(), [], |out, []| {
            // SAFETY: the caller vouches for the view; `out` lies in the arena.
            unsafe { raw::read(base, view, out) };
        });
    });
    if view.dtype() == DType::Bool {
        s.arena().access::<u8, u8, 0, _>(out.view(), [], |out, []| {
            for byte in out {
                *byte = u8::from(*byte != 0);
            }
        });
    }
    Ok(out)
}

/// Copies a tile to the elements that `view` selects behind `base`.
///
/// # Errors
/// Another shape or element type.
///
/// # Safety
/// The elements of the view behind `base` are writable, outside the arena, and no other thread
/// accesses them during the call.
unsafe fn store_raw(
    s: &Scratch<'_>,
    site: Site,
    base: *mut u8,
    view: &View,
    tile: Tile<'_>,
) -> Result<(), OperationError> {
    begin(s, "store", site, &[&tile])?;
    same_shape("store", site, view, &tile)?;
    for_width!(view.dtype(), E => {
        s.arena().read::<E, _>(tile.view(), |elements| {
            // SAFETY: the caller vouches for the view; the tile lies in the arena.
            unsafe { raw::write(base, view, elements, tile.view().strides()) };
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
    for_width!(dst.dtype(), E => {
        if dst.overlaps(&src) {
            let elements = src.to_vec::<E>();
            let nest = Nest::new(dst.dims(), [dst.view().strides()]);
            s.arena().access::<E, E, 0, _>(dst.view(), [], |out, []| {
                let ([step], row) = (nest.steps(), nest.row());
                for ([at], from) in nest.rows().zip(elements.chunks_exact(row.max(1))) {
                    for (i, &element) in from.iter().enumerate() {
                        out[at + i * step] = element;
                    }
                }
            });
        } else {
            let nest = Nest::new(dst.dims(), [dst.view().strides(), src.view().strides()]);
            s.arena().access::<E, E, 1, _>(dst.view(), [src.view()], |out, [from]| {
                let ([step, step_from], row) = (nest.steps(), nest.row());
                for [o, i] in nest.rows() {
                    if (step, step_from) == (1, 1) {
                        out[o..o + row].copy_from_slice(&from[i..i + row]);
                    } else {
                        for n in 0..row {
                            out[o + n * step] = from[i + n * step_from];
                        }
                    }
                }
            });
        }
    });
    Ok(())
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
