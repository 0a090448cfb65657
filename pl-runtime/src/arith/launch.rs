//! Numbers that a launch takes.

use crate::dtype::{Scalar, ScalarType};
use crate::error::OperationError;
use crate::site::Site;

/// A number of blocks.
///
/// # Errors
/// More than 32 bits count.
#[inline]
pub fn blocks(count: usize, site: Site) -> Result<u32, OperationError> {
    u32::try_from(count).map_err(|_| {
        let message = format!(
            "a task cannot have {count} blocks; use at most {}",
            u32::MAX
        );
        OperationError::new("blocks", site, message)
    })
}

/// What a predicate compares an element with.
///
/// # Errors
/// An integer that no signed 64 bits hold, or a float.
#[inline]
pub fn target<T: Scalar>(value: T, site: Site) -> Result<i64, OperationError> {
    let value = value.to_value();
    let float = matches!(
        value.ty(),
        ScalarType::F64 | ScalarType::F32 | ScalarType::F16 | ScalarType::Bf16
    );
    let integer = (!float).then(|| value.as_i128());
    integer
        .and_then(|value| i64::try_from(value).ok())
        .ok_or_else(|| {
            let message = "predicates compare integers of at most 64 bits with a sign, and `bool`; \
                           store the outcome of another comparison, and compare that";
            OperationError::new("predicate", site, message)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITE: Site = Site::new("kernels.rs", 7);

    #[test]
    fn what_a_launch_cannot_take_is_an_error() {
        assert_eq!(blocks(70_000, SITE), Ok(70_000));
        assert!(blocks(1 << 32, SITE).is_err());
        assert_eq!(target(-3_i8, SITE), Ok(-3));
        assert_eq!(target(true, SITE), Ok(1));
        assert!(target(u64::MAX, SITE).is_err());
        assert!(target(1.0_f32, SITE).is_err());
    }
}
