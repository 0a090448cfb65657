//! Element-wise operations of two operands.

use super::broadcast::Broadcast;
use super::dispatch::Kernel;
use super::handle::{Tile, begin};
use super::memory::Bits;
use super::nest::Nest;
use super::number::{Arithmetic, Number, for_number};
use super::scratch::Scratch;
use crate::dtype::{DType, Scalar, ScalarType, ScalarValue};
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::View;
use pl_codegen::ops::Op;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Tile<'_> {}
    impl Sealed for super::OperandValue<'_> {}
    impl<S: super::Scalar> Sealed for S {}
}

/// A tile, or a scalar beside a tile.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tile",
    label = "neither a tile nor a scalar",
    note = "`load` a tensor to compute with it"
)]
pub trait Operand<'t>: sealed::Sealed {
    /// The operand with its type erased.
    fn value(self) -> OperandValue<'t>;
}

/// A tile, or a scalar beside a tile.
#[derive(Clone, Copy, Debug)]
pub enum OperandValue<'t> {
    /// A tile.
    Tile(Tile<'t>),
    /// A scalar; takes the element type of the tile beside it.
    Scalar(ScalarValue),
}

impl<'t> Operand<'t> for Tile<'t> {
    fn value(self) -> OperandValue<'t> {
        OperandValue::Tile(self)
    }
}

impl<'t> Operand<'t> for OperandValue<'t> {
    fn value(self) -> OperandValue<'t> {
        self
    }
}

impl<'t, S: Scalar> Operand<'t> for S {
    fn value(self) -> OperandValue<'t> {
        OperandValue::Scalar(self.to_value())
    }
}

/// The arithmetic of one operation.
pub(super) trait Operation {
    /// What two elements of type `T` give.
    type Gives<T: Number>: Bits;
    /// The type of what elements of type `dtype` give.
    fn dtype(dtype: DType) -> DType {
        dtype
    }
    /// Whether integers refuse a second operand of 0.
    const DIVIDES: bool = false;
    fn apply<T: Number>(a: T, b: T) -> Self::Gives<T>;
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident $Marker:ident $method:ident $(divides $divides:literal)?;)*) => {$(
        pub(super) struct $Marker;

        impl Operation for $Marker {
            type Gives<T: Number> = T;
            $(const DIVIDES: bool = $divides;)?
            #[inline(always)]
            fn apply<T: Number>(a: T, b: T) -> T { T::from_work(a.to_work().$method(b.to_work())) }
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
    )*

        /// The loop of an operation over `f32`, if it is one of these.
        pub(super) fn of_floats(op: Op) -> Option<FloatKernel> {
            match op {
                $(Op::$Marker => Some(floats::<$Marker>),)*
                _ => None,
            }
        }
    };
}

/// A loop over two operands.
pub(super) type FloatKernel = fn(Nest<3>, &mut [f32], &[f32], &[f32]);

fn floats<O: Operation<Gives<f32> = f32>>(nest: Nest<3>, out: &mut [f32], a: &[f32], b: &[f32]) {
    // Floats divide by 0 too.
    let _ = zip::<f32, O>(nest, out, a, b);
}

operations! {
    /// `a + b`; integers wrap.
    add Add add;
    /// `a - b`; integers wrap.
    sub Sub sub;
    /// `a * b`; integers wrap.
    mul Mul mul;
    /// `a / b`; integers truncate and refuse a divisor of 0.
    div Div div divides true;
    /// The larger of `a` and `b`; NaN if one of them is NaN.
    maximum Maximum maximum;
    /// The smaller of `a` and `b`; NaN if one of them is NaN.
    minimum Minimum minimum;
}

pub(super) fn binary<'s, O: Operation>(
    s: &'s Scratch<'_>,
    name: &'static str,
    site: Site,
    a: OperandValue<'s>,
    b: OperandValue<'s>,
) -> Result<Tile<'s>, OperationError> {
    begin_with(s, name, site, None, [&a, &b])?;
    let dtype = common_dtype(name, site, [&a, &b])?;
    for_number!(
        dtype,
        T => combine::<T, O>(s, name, site, dtype, a, b),
        else Err(OperationError::new(
            name,
            site,
            format!("has no meaning for {dtype} elements; `cast` the tile to a number type"),
        ))
    )
}

/// Notes the operation, as `begin` does; its tiles are `first` and those among its operands.
pub(super) fn begin_with(
    s: &Scratch<'_>,
    name: &'static str,
    site: Site,
    first: Option<&Tile<'_>>,
    operands: [&OperandValue<'_>; 2],
) -> Result<(), OperationError> {
    let [a, b] = operands.map(|operand| match operand {
        OperandValue::Tile(tile) => Some(tile),
        OperandValue::Scalar(_) => None,
    });
    match first.or(a).or(b) {
        // Where there is none, one that is there stands twice.
        Some(any) => begin(
            s,
            name,
            site,
            &[first, a, b].map(|tile| tile.unwrap_or(any)),
        ),
        None => Ok(()),
    }
}

/// The element type of the tiles among the operands.
pub(super) fn common_dtype(
    name: &'static str,
    site: Site,
    operands: [&OperandValue<'_>; 2],
) -> Result<DType, OperationError> {
    let fail = |message: String| OperationError::new(name, site, message);
    match operands {
        [OperandValue::Tile(a), OperandValue::Tile(b)] => {
            if a.dtype() != b.dtype() {
                let (ours, name) = (a.dtype(), b.dtype());
                return Err(fail(format!(
                    "{a} and {b} have different element types; write `cast::<{ours}>` around the \
                     {name} one"
                )));
            }
            Ok(a.dtype())
        }
        [OperandValue::Tile(tile), _] | [_, OperandValue::Tile(tile)] => Ok(tile.dtype()),
        _ => Err(fail(
            "two scalars; compute with them in plain Rust, or make a tile of one by `full`".into(),
        )),
    }
}

/// The view of an operand; a scalar of type `dtype` is met by every element.
pub(super) fn view(value: &OperandValue<'_>, dtype: DType) -> View {
    match value {
        OperandValue::Tile(tile) => *tile.view(),
        OperandValue::Scalar(_) => View::strided(dtype, 0, &[], &[]),
    }
}

/// The operation on operands of which one is a tile, with elements of type `dtype`, which is `T`.
pub(super) fn combine<'s, T: Number, O: Operation>(
    s: &'s Scratch<'_>,
    name: &'static str,
    site: Site,
    dtype: DType,
    a: OperandValue<'s>,
    b: OperandValue<'s>,
) -> Result<Tile<'s>, OperationError> {
    let fail = |message: String| OperationError::new(name, site, message);
    let both = Broadcast::new([&view(&a, dtype), &view(&b, dtype)]).map_err(fail)?;
    let splat = match (a, b) {
        (OperandValue::Scalar(value), _) | (_, OperandValue::Scalar(value)) => {
            Some([element::<T>(value, dtype).map_err(fail)?])
        }
        _ => None,
    };
    let out = Tile::allocate(s, name, site, O::dtype(dtype), both.dims())?;
    let strides = [out.view().strides(), both.strides(0), both.strides(1)];
    let nest = Nest::new(both.dims(), strides);
    let (arena, to) = (s.arena(), out.view());
    let done = match (a, b, &splat) {
        (OperandValue::Tile(a), OperandValue::Tile(b), _) => arena
            .memory
            .access::<O::Gives<T>, T, 2, _>(to, [a.view(), b.view()], |out, [a, b]| {
                zip::<T, O>(nest, out, a, b)
            }),
        (OperandValue::Tile(a), _, Some(b)) => {
            arena
                .memory
                .access::<O::Gives<T>, T, 1, _>(to, [a.view()], |out, [a]| {
                    zip::<T, O>(nest, out, a, b)
                })
        }
        (_, OperandValue::Tile(b), Some(a)) => {
            arena
                .memory
                .access::<O::Gives<T>, T, 1, _>(to, [b.view()], |out, [b]| {
                    zip::<T, O>(nest, out, a, b)
                })
        }
        _ => Ok(()),
    };
    done.map_err(|ZeroDivisor| {
        fail(format!(
            "an element of {} is divided by 0; keep 0 out of the divisor, or `cast` both to a float \
             type",
            view(&a, dtype)
        ))
    })?;
    Ok(out)
}

/// The scalar as an element of type `dtype`, which is `T`.
pub(super) fn element<T: Number>(value: ScalarValue, dtype: DType) -> Result<T, String> {
    T::from_scalar(value).ok_or_else(|| misfit(value, dtype))
}

/// Why a scalar is not an element.
pub(super) fn misfit(value: ScalarValue, dtype: DType) -> String {
    let text = number_text(value);
    format!("the scalar {text} is not a value of {dtype}; convert it first, or `cast` the tile")
}

/// The scalar as a user writes it.
pub(super) fn number_text(value: ScalarValue) -> String {
    use ScalarType::{Bf16, F16, F32, F64};
    match value.ty() {
        F64 | F32 | F16 | Bf16 => format!("{:?}", value.as_f64()),
        _ => value.as_i128().to_string(),
    }
}

struct ZeroDivisor;

/// Combines `a` and `b` into `out` in the order of `nest`.
fn zip<T: Number, O: Operation>(
    nest: Nest<3>,
    out: &mut [O::Gives<T>],
    a: &[T],
    b: &[T],
) -> Result<(), ZeroDivisor> {
    if O::DIVIDES && has_zero::<T>(&nest, b) {
        return Err(ZeroDivisor);
    }
    T::run(Zip::<T, O> { nest, out, a, b });
    Ok(())
}

/// Whether a visited element of the divisor `b` is an integer 0.
fn has_zero<T: Number>(nest: &Nest<3>, b: &[T]) -> bool {
    let [_, _, step] = nest.steps();
    let zero = T::Work::ZERO;
    !T::Work::HAS_INFINITY
        && nest
            .rows()
            .any(|[_, _, at]| (0..nest.row()).any(|i| b[at + i * step].to_work() == zero))
}

struct Zip<'a, T: Number, O: Operation> {
    nest: Nest<3>,
    out: &'a mut [O::Gives<T>],
    a: &'a [T],
    b: &'a [T],
}

impl<T: Number, O: Operation> Kernel for Zip<'_, T, O> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { nest, out, a, b } = self;
        let (n, [_, step_a, step_b]) = (nest.row(), nest.steps());
        for [o, x, y] in nest.rows() {
            let out = &mut out[o..o + n];
            match (step_a, step_b) {
                (1, 1) => {
                    for ((out, &x), &y) in out.iter_mut().zip(&a[x..x + n]).zip(&b[y..y + n]) {
                        *out = O::apply(x, y);
                    }
                }
                (1, 0) => {
                    let y = b[y];
                    for (out, &x) in out.iter_mut().zip(&a[x..x + n]) {
                        *out = O::apply(x, y);
                    }
                }
                (0, 1) => {
                    let x = a[x];
                    for (out, &y) in out.iter_mut().zip(&b[y..y + n]) {
                        *out = O::apply(x, y);
                    }
                }
                _ => {
                    for (i, out) in out.iter_mut().enumerate() {
                        *out = O::apply(a[x + i * step_a], b[y + i * step_b]);
                    }
                }
            }
        }
    }
}
