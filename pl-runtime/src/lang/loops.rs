//! What a loop says of its iterations.

use super::outside;
use std::ops::Range;

/// Declares that no iteration needs another's tensors: `for i in parallel(0..n)`.
///
/// The compiler refuses one tensor that every iteration writes whole; what the iterations touch is
/// ordered as anywhere else.
#[track_caller]
pub fn parallel<T>(range: Range<T>) -> Range<T> {
    let _ = range;
    outside("parallel")
}

/// A loop with constant bounds that is written out on the device: `for i in unroll(0..4)`.
#[track_caller]
pub fn unroll<T>(range: Range<T>) -> Range<T> {
    let _ = range;
    outside("unroll")
}
