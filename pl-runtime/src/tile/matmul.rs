//! Matrix products of tiles.

use super::binary::{Add, OperandValue, combine};
use super::dispatch::Kernel;
use super::factor::{Source, product};
use super::handle::{Tile, begin};
use super::number::{Arithmetic, Number, for_float, for_number};
use super::scratch::Scratch;
use super::transfer::copy;
use crate::dtype::DType;
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::View;

/// The matrix product: `[m, k]` by `[k, n]` gives `[m, n]`. Floats add up in `f32`, integers wrap.
/// Transposed tiles cost nothing.
///
/// # Errors
/// Operands that are not matrices, lengths that do not match, different element types, `bool`, or no
/// scratch left.
pub fn dot<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    a: Tile<'_>,
    b: Tile<'_>,
) -> Result<Tile<'s>, OperationError> {
    begin(s, "dot", site, &[&a, &b])?;
    Shape::of("dot", site, a.view(), b.view())?;
    multiply(s, "dot", site, a.dtype(), a, b)
}

/// As [`dot`], but the result is `f32`: what `f16` and `bf16` add up to is not rounded to their type.
///
/// # Errors
/// As of [`dot`], and integers.
pub fn dot_f32<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    a: Tile<'_>,
    b: Tile<'_>,
) -> Result<Tile<'s>, OperationError> {
    begin(s, "dot_f32", site, &[&a, &b])?;
    Shape::of("dot_f32", site, a.view(), b.view())?;
    floats("dot_f32", site, a.view())?;
    multiply(s, "dot_f32", site, DType::F32, a, b)
}

/// Adds the product of `a` and `b`, which are floats, to `acc`, in place. `acc` is `f32` or of their type.
///
/// # Errors
/// As of [`dot`]; an `acc` of another shape or type than the product.
pub fn dot_acc(
    s: &Scratch<'_>,
    site: Site,
    acc: Tile<'_>,
    a: Tile<'_>,
    b: Tile<'_>,
) -> Result<(), OperationError> {
    const NAME: &str = "dot_acc";
    begin(s, NAME, site, &[&acc, &a, &b])?;
    let shape = Shape::of(NAME, site, a.view(), b.view())?;
    floats(NAME, site, a.view())?;
    let fail = |help: String| {
        let message = format!("the product of {a} and {b} cannot be added to {acc}: {help}");
        Err(OperationError::new(NAME, site, message))
    };
    if *acc.dims() != shape.out() {
        return fail(format!("make it [{}, {}]", shape.m, shape.n));
    }
    let wide = acc.dtype() == DType::F32;
    if acc.dtype() != a.dtype() && !wide {
        return fail(format!("make it f32, or {}", a.dtype()));
    }
    if wide && acc.view().is_contiguous() && !acc.overlaps(&a) && !acc.overlaps(&b) {
        product(s, &acc, true, 1.0, &Source::Tile(a), &Source::Tile(b));
        return Ok(());
    }
    let s = &s.enter_own(site);
    let product = OperandValue::Tile(multiply(s, NAME, site, acc.dtype(), a, b)?);
    let sum = for_float!(
        acc.dtype(),
        T => combine::<T, Add>(s, NAME, site, acc.dtype(), OperandValue::Tile(acc), product)?,
        else unreachable!("a product of floats")
    );
    copy(s, &acc, &sum);
    Ok(())
}

/// Refuses what is not a matrix of floats.
pub(super) fn floats(operation: &'static str, site: Site, a: &View) -> Result<(), OperationError> {
    if a.dtype().is_float() {
        return Ok(());
    }
    let message = format!("has no meaning for {a}; write `dot`, or `cast` both to a float type");
    Err(OperationError::new(operation, site, message))
}

/// Lengths of a product of matrices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    m: usize,
    n: usize,
}

impl Shape {
    pub(super) fn out(self) -> [usize; 2] {
        [self.m, self.n]
    }

    /// The shape of the product of two matrices of the same type of numbers.
    pub(super) fn of(
        operation: &'static str,
        site: Site,
        a: &View,
        b: &View,
    ) -> Result<Self, OperationError> {
        let fail = |help: String| {
            let message = format!("cannot multiply {a} by {b}: {help}");
            Err(OperationError::new(operation, site, message))
        };
        let (&[m, k], &[kb, n]) = (a.dims(), b.dims()) else {
            return fail("both have two dimensions; `reshape` or `slice` them".into());
        };
        if k != kb {
            let hint = if n == k {
                "; write `transpose` around the second one"
            } else {
                ""
            };
            return fail(format!("{k} columns meet {kb} rows{hint}"));
        }
        if a.dtype() != b.dtype() {
            let first = a.dtype();
            return fail(format!("write `cast::<{first}>` around the second one"));
        }
        if a.dtype() == DType::Bool {
            return fail("`cast` them to a number type".into());
        }
        Ok(Self { m, n })
    }
}

/// The product of matching factors in a new tile of type `dtype`: theirs, or `f32` if they are floats.
fn multiply<'s>(
    s: &'s Scratch<'_>,
    operation: &'static str,
    site: Site,
    dtype: DType,
    a: Tile<'_>,
    b: Tile<'_>,
) -> Result<Tile<'s>, OperationError> {
    let dims = [a.dims()[0], b.dims()[1]];
    let out = Tile::allocate(s, operation, site, dtype, &dims)?;
    if dtype.is_float() {
        product(s, &out, false, 1.0, &Source::Tile(a), &Source::Tile(b));
        return Ok(out);
    }
    let strides = [&a, &b].map(|tile| [tile.view().strides()[0], tile.view().strides()[1]]);
    let dims = [dims[0], a.dims()[1], dims[1]];
    for_number!(
        dtype,
        T => s.arena().memory.access::<T, T, 2, _>(out.view(), [a.view(), b.view()], |out, [a, b]| {
            T::run(Loops { dims, strides, out, a, b });
        }),
        else ()
    );
    Ok(out)
}

/// The product of integers.
struct Loops<'a, T> {
    /// m, k, n.
    dims: [usize; 3],
    strides: [[usize; 2]; 2],
    out: &'a mut [T],
    a: &'a [T],
    b: &'a [T],
}

impl<T: Number> Kernel for Loops<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self {
            dims: [_, k, n],
            strides: [a_steps, b_steps],
            out,
            a,
            b,
        } = self;
        out.fill(T::from_work(T::Work::ZERO));
        for (i, out) in out.chunks_exact_mut(n.max(1)).enumerate() {
            for p in 0..k {
                let x = a[i * a_steps[0] + p * a_steps[1]].to_work();
                let row = &b[p * b_steps[0]..];
                if b_steps[1] == 1 {
                    for (out, y) in out.iter_mut().zip(&row[..n]) {
                        *out = T::from_work(out.to_work().add(x.mul(y.to_work())));
                    }
                } else {
                    for (out, y) in out.iter_mut().zip(row.iter().step_by(b_steps[1].max(1))) {
                        *out = T::from_work(out.to_work().add(x.mul(y.to_work())));
                    }
                }
            }
        }
    }
}
