//! Element-wise operations of one tile, and conversions between element types.

use super::dispatch::{self, Kernel};
use super::handle::{Tile, begin};
use super::math;
use super::nest::Nest;
use super::number::{Arithmetic, CastFrom, Number, for_float, for_number};
use super::scratch::{Bits, Scratch};
use crate::dtype::DType;
use crate::error::OperationError;
use crate::site::Site;
use std::marker::PhantomData;

/// A function from elements of type `A` to elements of type `B`.
trait Function<A, B> {
    fn apply<const FMA: bool>(x: A) -> B;
    /// Runs the kernel that applies it.
    fn run<K: Kernel>(kernel: K) -> K::Output;
}

/// Writes `F` of every element of `a` into `out`.
fn map<A: Bits, B: Bits, F: Function<A, B>>(s: &Scratch<'_>, out: &Tile<'_>, a: &Tile<'_>) {
    let nest = Nest::new(out.dims(), [out.view().strides(), a.view().strides()]);
    s.arena()
        .access::<B, A, 1, _>(out.view(), [a.view()], |out, [a]| {
            F::run(Map::<A, B, F> {
                nest,
                out,
                a,
                function: PhantomData,
            });
        });
}

struct Map<'a, A, B, F> {
    nest: Nest<2>,
    out: &'a mut [B],
    a: &'a [A],
    function: PhantomData<F>,
}

impl<A: Bits, B: Bits, F: Function<A, B>> Kernel for Map<'_, A, B, F> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { nest, out, a, .. } = self;
        let (n, [step_out, step_a]) = (nest.row(), nest.steps());
        for [o, x] in nest.rows() {
            if (step_out, step_a) == (1, 1) {
                for (out, &x) in out[o..o + n].iter_mut().zip(&a[x..x + n]) {
                    *out = F::apply::<FMA>(x);
                }
            } else {
                for i in 0..n {
                    out[o + i * step_out] = F::apply::<FMA>(a[x + i * step_a]);
                }
            }
        }
    }
}

macro_rules! functions {
    ($($select:ident $what:literal $(#[$doc:meta])* $name:ident $Marker:ident $run:ident [$($bound:tt)*] |$x:ident| $body:expr;)*) => {$(
        struct $Marker;

        impl<T: $($bound)*> Function<T, T> for $Marker {
            #[inline(always)]
            fn apply<const FMA: bool>(x: T) -> T {
                let $x = x.widen();
                T::narrow($body)
            }
            fn run<K: Kernel>(kernel: K) -> K::Output { T::$run(kernel) }
        }

        $(#[$doc])*
        ///
        /// # Errors
        /// An element type without this function, or no scratch left.
        pub fn $name<'s>(
            s: &'s Scratch<'_>,
            site: Site,
            a: Tile<'_>,
        ) -> Result<Tile<'s>, OperationError> {
            const NAME: &str = stringify!($name);
            begin(s, NAME, site, &[&a])?;
            $select!(
                a.dtype(),
                T => {
                    let out = Tile::allocate(s, NAME, site, a.dtype(), a.dims())?;
                    map::<T, T, $Marker>(s, &out, &a);
                    Ok(out)
                },
                else Err(OperationError::new(
                    NAME,
                    site,
                    format!("has no meaning for {a}; `cast` the tile to a {} type", $what),
                ))
            )
        }
    )*};
}

functions! {
    for_number "number"
    /// `-a`; integers wrap.
    neg Neg run [Number] |x| x.neg();
    for_number "number"
    /// The absolute value; the smallest signed integer wraps to itself.
    abs Abs run [Number] |x| Arithmetic::abs(x);
    for_float "float"
    /// `e^a`, with a relative error of at most 2e-7; results that would be subnormal are 0.
    exp Exp run_wide [Number<Work = f32>] |x| math::exp::<FMA>(x);
    for_float "float"
    /// The natural logarithm.
    log Log run [Number<Work = f32>] |x| x.ln();
    for_float "float"
    /// The square root.
    sqrt Sqrt run [Number<Work = f32>] |x| x.sqrt();
    for_float "float"
    /// `1 / sqrt(a)`.
    rsqrt Rsqrt run [Number<Work = f32>] |x| 1.0 / x.sqrt();
    for_float "float"
    /// `1 / a`.
    recip Recip run [Number<Work = f32>] |x| 1.0 / x;
    for_float "float"
    /// The hyperbolic tangent, with a relative error of at most 3e-7.
    tanh Tanh run_wide [Number<Work = f32>] |x| math::tanh::<FMA>(x);
}

struct Convert;

impl<A, B: CastFrom<A>> Function<A, B> for Convert {
    #[inline(always)]
    fn apply<const FMA: bool>(x: A) -> B {
        B::cast_from(x)
    }

    fn run<K: Kernel>(kernel: K) -> K::Output {
        dispatch::portable(kernel)
    }
}

/// As [`Convert`], for the pairs that mixed precision computes with all the time.
struct ConvertFloat;

impl<A, B: CastFrom<A>> Function<A, B> for ConvertFloat {
    #[inline(always)]
    fn apply<const FMA: bool>(x: A) -> B {
        B::cast_from(x)
    }

    fn run<K: Kernel>(kernel: K) -> K::Output {
        dispatch::run(kernel)
    }
}

struct IsNonzero;

impl<A: Number> Function<A, u8> for IsNonzero {
    #[inline(always)]
    fn apply<const FMA: bool>(x: A) -> u8 {
        u8::from(x.widen() != A::Work::ZERO)
    }

    fn run<K: Kernel>(kernel: K) -> K::Output {
        dispatch::portable(kernel)
    }
}

/// The elements converted to `dtype`, as by `as`: floats saturate and NaN becomes 0, integers wrap;
/// `bool` is 0 or 1, and everything but 0 becomes `true`.
///
/// # Errors
/// No scratch left.
pub fn cast<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    dtype: DType,
    a: Tile<'_>,
) -> Result<Tile<'s>, OperationError> {
    begin(s, "cast", site, &[&a])?;
    cast_in(s, "cast", site, a, dtype)
}

/// [`cast`] as a part of `operation`.
pub(super) fn cast_in<'s>(
    s: &'s Scratch<'_>,
    operation: &'static str,
    site: Site,
    a: Tile<'_>,
    dtype: DType,
) -> Result<Tile<'s>, OperationError> {
    let out = Tile::allocate(s, operation, site, dtype, a.dims())?;
    cast_into(s, &out, &a);
    Ok(out)
}

/// Writes the elements of `a`, converted, into `out`, which has the same shape.
pub(super) fn cast_into(s: &Scratch<'_>, out: &Tile<'_>, a: &Tile<'_>) {
    for_float!(
        a.dtype(),
        A => for_float!(
            out.dtype(),
            B => map::<A, B, ConvertFloat>(s, out, a),
            else cast_any(s, out, a)
        ),
        else cast_any(s, out, a)
    );
}

fn cast_any(s: &Scratch<'_>, out: &Tile<'_>, a: &Tile<'_>) {
    for_number!(
        a.dtype(),
        A => for_number!(
            out.dtype(),
            B => map::<A, B, Convert>(s, out, a),
            else map::<A, u8, IsNonzero>(s, out, a)
        ),
        else for_number!(
            out.dtype(),
            B => map::<u8, B, Convert>(s, out, a),
            else map::<u8, u8, IsNonzero>(s, out, a)
        )
    );
}
