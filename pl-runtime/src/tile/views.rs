//! The one view of a tile that is an operation; the others are methods of [`Tile`].

use super::handle::{Tile, begin};
use super::scratch::Scratch;
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::View;

/// The tile with its last two dimensions exchanged; shares its elements.
///
/// # Errors
/// Fewer than two dimensions.
pub fn transpose<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    a: Tile<'s>,
) -> Result<Tile<'s>, OperationError> {
    begin(s, "transpose", site, &[&a])?;
    Ok(a.with(turned(a.view(), site)?))
}

/// The view with its last two dimensions exchanged.
pub(super) fn turned(view: &View, site: Site) -> Result<View, OperationError> {
    let rank = view.rank();
    if rank < 2 {
        let message =
            format!("{view} has no two dimensions to exchange; reshape it, to `[n, 1]` say");
        return Err(OperationError::new("transpose", site, message));
    }
    view.transpose(rank - 2, rank - 1, site)
}
