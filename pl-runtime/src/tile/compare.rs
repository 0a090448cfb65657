//! Comparisons, which give tiles of `bool`, and the logic of such tiles.

use super::binary::{
    Maximum, Minimum, Operand, OperandValue, Operation, binary, combine, common_dtype,
};
use super::handle::{Tile, begin};
use super::number::Number;
use super::scratch::Scratch;
use super::unary::{Function, map};
use crate::dtype::DType;
use crate::error::OperationError;
use crate::site::Site;

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident $Marker:ident $operator:tt;)*) => {$(
        struct $Marker;

        impl Operation for $Marker {
            type Gives<T: Number> = u8;
            fn dtype(_: DType) -> DType { DType::Bool }
            #[inline(always)]
            fn apply<T: Number>(a: T, b: T) -> u8 { u8::from(a.to_work() $operator b.to_work()) }
        }

        $(#[$doc])*
        /// One operand may be a scalar; shapes broadcast as in numpy.
        ///
        /// # Errors
        /// Shapes that do not broadcast, different element types, `bool`, a scalar that the element
        /// type cannot hold, two scalars, or no scratch left.
        pub fn $name<'s>(
            s: &'s Scratch<'_>,
            site: Site,
            a: impl Operand<'s>,
            b: impl Operand<'s>,
        ) -> Result<Tile<'s>, OperationError> {
            binary::<$Marker>(s, stringify!($name), site, a.value(), b.value())
        }
    )*};
}

comparisons! {
    /// Whether `a < b`; false if one of them is NaN.
    lt Lt <;
    /// Whether `a <= b`; false if one of them is NaN.
    le Le <=;
    /// Whether `a > b`; false if one of them is NaN.
    gt Gt >;
    /// Whether `a >= b`; false if one of them is NaN.
    ge Ge >=;
    /// Whether `a == b`; false if one of them is NaN.
    eq Eq ==;
    /// Whether `a != b`; true if one of them is NaN.
    ne Ne !=;
}

/// Where both are true. Shapes broadcast as in numpy.
///
/// # Errors
/// Shapes that do not broadcast, elements that are not `bool`, or no scratch left.
pub fn and<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    a: Tile<'s>,
    b: Tile<'s>,
) -> Result<Tile<'s>, OperationError> {
    // Of the bytes 0 and 1 the smaller one.
    logic::<Minimum>(s, "and", site, a, b)
}

/// Where one of them is true, or both. Shapes broadcast as in numpy.
///
/// # Errors
/// As of [`and`].
pub fn or<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    a: Tile<'s>,
    b: Tile<'s>,
) -> Result<Tile<'s>, OperationError> {
    logic::<Maximum>(s, "or", site, a, b)
}

fn logic<'s, O: Operation>(
    s: &'s Scratch<'_>,
    name: &'static str,
    site: Site,
    a: Tile<'s>,
    b: Tile<'s>,
) -> Result<Tile<'s>, OperationError> {
    begin(s, name, site, &[&a, &b])?;
    for tile in [&a, &b] {
        expect_bool(name, site, tile)?;
    }
    let (a, b) = (OperandValue::Tile(a), OperandValue::Tile(b));
    let dtype = common_dtype(name, site, [&a, &b])?;
    combine::<u8, O>(s, name, site, dtype, a, b)
}

struct Not;

impl Function<u8, u8> for Not {
    #[inline(always)]
    fn apply<const FMA: bool>(&self, x: u8) -> u8 {
        x ^ 1
    }
}

/// Where it is false.
///
/// # Errors
/// Elements that are not `bool`, or no scratch left.
pub fn not<'s>(s: &'s Scratch<'_>, site: Site, a: Tile<'_>) -> Result<Tile<'s>, OperationError> {
    begin(s, "not", site, &[&a])?;
    expect_bool("not", site, &a)?;
    let out = Tile::allocate(s, "not", site, DType::Bool, a.dims())?;
    map(s, &out, &a, Not);
    Ok(out)
}

/// Refuses a tile that holds something else than truth values.
pub(super) fn expect_bool(
    name: &'static str,
    site: Site,
    tile: &Tile<'_>,
) -> Result<(), OperationError> {
    if tile.dtype() == DType::Bool {
        return Ok(());
    }
    let message = format!("{tile} holds no `bool`; compare it with something before: `ne(x, 0)`");
    Err(OperationError::new(name, site, message))
}
