//! Element-wise operations of one tile, and conversions between element types.

use super::dispatch::{self, Kernel};
use super::handle::{Tile, begin};
use super::memory::Bits;
use super::nest::Nest;
use super::number::{Arithmetic, CastFrom, Number, for_float, for_integer, for_number, for_signed};
use super::round::Round;
use super::scratch::Scratch;
use super::{activation, math};
use crate::dtype::DType;
use crate::error::OperationError;
use crate::site::Site;
use pl_codegen::ops::Op;
use std::marker::PhantomData;

/// A function from elements of type `A` to elements of type `B`.
pub(super) trait Function<A: Bits, B: Bits> {
    fn apply<const FMA: bool>(&self, x: A) -> B;

    /// Applies it to elements that lie side by side.
    #[inline(always)]
    fn row<const FMA: bool>(&self, out: &mut [B], a: &[A]) {
        for (out, &x) in out.iter_mut().zip(a) {
            *out = self.apply::<FMA>(x);
        }
    }

    /// Runs the kernel that applies it.
    fn run<K: Kernel>(kernel: K) -> K::Output {
        dispatch::portable(kernel)
    }
}

/// Writes the function of every element of `a` into `out`.
pub(super) fn map<A: Bits, B: Bits, F: Function<A, B>>(
    s: &Scratch<'_>,
    out: &Tile<'_>,
    a: &Tile<'_>,
    function: F,
) {
    let nest = Nest::new(out.dims(), [out.view().strides(), a.view().strides()]);
    s.arena()
        .memory
        .access::<B, A, 1, _>(out.view(), [a.view()], |out, [a]| {
            F::run(Map {
                nest,
                out,
                a,
                function,
            });
        });
}

struct Map<'a, A, B, F> {
    nest: Nest<2>,
    out: &'a mut [B],
    a: &'a [A],
    function: F,
}

impl<A: Bits, B: Bits, F: Function<A, B>> Kernel for Map<'_, A, B, F> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self {
            nest,
            out,
            a,
            function,
        } = self;
        let (n, [step_out, step_a]) = (nest.row(), nest.steps());
        for [o, x] in nest.rows() {
            if (step_out, step_a) == (1, 1) {
                function.row::<FMA>(&mut out[o..o + n], &a[x..x + n]);
            } else {
                for i in 0..n {
                    out[o + i * step_out] = function.apply::<FMA>(a[x + i * step_a]);
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
            fn apply<const FMA: bool>(&self, x: T) -> T {
                let $x = x.to_work();
                T::from_work($body)
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
                    map::<T, T, _>(s, &out, &a, $Marker);
                    Ok(out)
                },
                else Err(OperationError::new(
                    NAME,
                    site,
                    format!("has no meaning for {a}; `cast` the tile to a {} type", $what),
                ))
            )
        }
    )*

        /// The loop of an operation over `f32`, if it is one of these.
        pub(super) fn of_floats(op: Op) -> Option<FloatKernel> {
            match op {
                $(Op::$Marker => Some(|nest, out, a| floats(nest, out, a, $Marker)),)*
                _ => None,
            }
        }
    };
}

/// A loop over one operand.
pub(super) type FloatKernel = fn(Nest<2>, &mut [f32], &[f32]);

fn floats<F: Function<f32, f32>>(nest: Nest<2>, out: &mut [f32], a: &[f32], function: F) {
    F::run(Map {
        nest,
        out,
        a,
        function,
    });
}

/// Rounds to the values that `T` has.
struct RoundTo<T>(PhantomData<T>);

impl<T: Number<Work = f32>> Function<f32, f32> for RoundTo<T> {
    #[inline(always)]
    fn apply<const FMA: bool>(&self, x: f32) -> f32 {
        T::from_work(x).to_work()
    }

    fn run<K: Kernel>(kernel: K) -> K::Output {
        dispatch::run(kernel)
    }
}

/// The loop that rounds `f32` to the values of a float type.
pub(super) fn rounding(dtype: DType) -> FloatKernel {
    for_float!(
        dtype,
        T => |nest, out, a| floats(nest, out, a, RoundTo::<T>(PhantomData)),
        else unreachable!("a float type")
    )
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
    for_float "float"
    /// `1 / (1 + e^-a)`, with a relative error of at most 5e-7.
    sigmoid Sigmoid run_wide [Number<Work = f32>] |x| activation::sigmoid::<FMA>(x);
    for_float "float"
    /// `a / (1 + e^-a)`, with a relative error of at most 5e-7.
    silu Silu run_wide [Number<Work = f32>] |x| activation::silu::<FMA>(x);
    for_float "float"
    /// `a / 2 * (1 + erf(a / sqrt(2)))`, with a relative error of at most 6e-7.
    gelu Gelu run_wide [Number<Work = f32>] |x| activation::gelu::<FMA>(x);
    for_float "float"
    /// `a / 2 * (1 + tanh(sqrt(2 / pi) * (a + 0.044715 * a^3)))`, with a relative error of at most 1e-6
    /// from -3 upwards and 3e-5 below.
    gelu_tanh GeluTanh run_wide [Number<Work = f32>] |x| activation::gelu_tanh::<FMA>(x);
    for_signed "signed number"
    /// `a`, or 0 where it is negative. NaN stays.
    relu Relu run [Number] |x| x.maximum(<<T as Number>::Work as Arithmetic>::ZERO);
}

struct Convert;

impl<A: Bits, B: Bits + CastFrom<A>> Function<A, B> for Convert {
    #[inline(always)]
    fn apply<const FMA: bool>(&self, x: A) -> B {
        B::cast_from(x)
    }
}

/// As [`Convert`], for the pairs that mixed precision computes with all the time.
struct ConvertFloat;

impl<A: Bits, B: Bits + CastFrom<A>> Function<A, B> for ConvertFloat {
    #[inline(always)]
    fn apply<const FMA: bool>(&self, x: A) -> B {
        B::cast_from(x)
    }

    fn run<K: Kernel>(kernel: K) -> K::Output {
        dispatch::run(kernel)
    }
}

/// Writes the floats of `from`, converted, into `out`, as `nest` steps through both.
pub(super) fn convert<A: Number<Work = f32>, B: CastFrom<A> + Bits>(
    nest: Nest<2>,
    out: &mut [B],
    from: &[A],
) {
    dispatch::run(Map {
        nest,
        out,
        a: from,
        function: ConvertFloat,
    });
}

struct IsNonzero;

impl<A: Number> Function<A, u8> for IsNonzero {
    #[inline(always)]
    fn apply<const FMA: bool>(&self, x: A) -> u8 {
        u8::from(x.to_work() != A::Work::ZERO)
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
            B => map::<A, B, _>(s, out, a, ConvertFloat),
            else for_number!(
                out.dtype(),
                B => map::<A, B, _>(s, out, a, Round::TRUNCATE),
                else map::<A, u8, _>(s, out, a, IsNonzero)
            )
        ),
        else cast_integers(s, out, a)
    );
}

/// As [`cast_into`] of elements that are no floats.
fn cast_integers(s: &Scratch<'_>, out: &Tile<'_>, a: &Tile<'_>) {
    for_integer!(
        a.dtype(),
        A => for_number!(
            out.dtype(),
            B => map::<A, B, _>(s, out, a, Convert),
            else map::<A, u8, _>(s, out, a, IsNonzero)
        ),
        else for_number!(
            out.dtype(),
            B => map::<u8, B, _>(s, out, a, Convert),
            else map::<u8, u8, _>(s, out, a, IsNonzero)
        )
    );
}
