//! The one view of a tile that is an operation; the others are methods of [`Tile`].

use super::handle::{Tile, begin};
use super::scratch::Scratch;
use crate::error::OperationError;
use crate::site::Site;

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
    let rank = a.rank();
    if rank < 2 {
        return Err(OperationError::new(
            "transpose",
            site,
            format!("{a} has no two dimensions to exchange; reshape it, to `[n, 1]` say"),
        ));
    }
    a.transpose(rank - 2, rank - 1, site)
}
