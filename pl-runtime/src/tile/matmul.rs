//! Matrix products.

use super::create::fill;
use super::dispatch::Kernel;
use super::gemm::{Matrix, product};
use super::handle::{Tile, begin};
use super::number::{Arithmetic, Number, for_number};
use super::scratch::Scratch;
use super::unary::{cast_in, cast_into};
use crate::dtype::DType;
use crate::error::OperationError;
use crate::site::Site;

/// The matrix product: `[m, k]` by `[k, n]` gives `[m, n]`. Floats add up in `f32`, integers wrap.
/// Transposed tiles cost nothing. `f16` and `bf16` need scratch for `f32` copies while it runs.
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
    const NAME: &str = "dot";
    begin(s, NAME, site, &[&a, &b])?;
    let fail = |help: String| {
        Err(OperationError::new(
            NAME,
            site,
            format!("cannot multiply {a} by {b}: {help}"),
        ))
    };
    let (&[m, k], &[kb, n]) = (a.dims(), b.dims()) else {
        return fail("both have two dimensions; `reshape` or `slice` them".into());
    };
    if k != kb {
        let hint = if b.dims()[1] == k {
            "; write `transpose` around the second one"
        } else {
            ""
        };
        return fail(format!("{k} columns meet {kb} rows{hint}"));
    }
    if a.dtype() != b.dtype() {
        return fail(format!(
            "write `cast::<{}>` around the second one",
            a.dtype()
        ));
    }
    if a.dtype() == DType::Bool {
        return fail("`cast` them to a number type".into());
    }
    let out = Tile::allocate(s, NAME, site, a.dtype(), &[m, n])?;
    if m == 0 || n == 0 {
        return Ok(out);
    }
    if k == 0 {
        for_number!(a.dtype(), T => fill(s, &out, T::narrow(<T as Number>::Work::ZERO)), else ());
        return Ok(out);
    }
    match a.dtype() {
        DType::F32 => multiply_f32(s, &out, &a, &b),
        DType::F16 | DType::Bf16 => {
            let wide = s.enter_own(site);
            let a = widen(&wide, site, a)?;
            let b = widen(&wide, site, b)?;
            let product = Tile::allocate(&wide, NAME, site, DType::F32, &[m, n])?;
            multiply_f32(&wide, &product, &a, &b);
            cast_into(&wide, &out, &product);
        }
        dtype => for_number!(
            dtype,
            T => {
                let strides = [matrix_strides(&a), matrix_strides(&b)];
                s.arena().access::<T, T, 2, _>(out.view(), [a.view(), b.view()], |out, [a, b]| {
                    T::run(Loops { dims: [m, k, n], strides, out, a, b });
                });
            },
            else ()
        ),
    }
    Ok(out)
}

fn multiply_f32(s: &Scratch<'_>, out: &Tile<'_>, a: &Tile<'_>, b: &Tile<'_>) {
    s.arena()
        .access::<f32, f32, 2, _>(out.view(), [a.view(), b.view()], |out, [x, y]| {
            product(out, matrix(x, a), matrix(y, b));
        });
}

/// The tile as `f32`, in the same order in memory, so that a transposed tile is read as it lies.
fn widen<'s>(s: &'s Scratch<'_>, site: Site, a: Tile<'s>) -> Result<Tile<'s>, OperationError> {
    let [rows, columns] = matrix_strides(&a);
    if columns <= rows {
        return cast_in(s, "dot", site, a, DType::F32);
    }
    cast_in(s, "dot", site, a.transpose(0, 1, site)?, DType::F32)?.transpose(0, 1, site)
}

fn matrix<'a>(data: &'a [f32], tile: &Tile<'_>) -> Matrix<'a> {
    Matrix {
        data,
        dims: [tile.dims()[0], tile.dims()[1]],
        strides: matrix_strides(tile),
    }
}

fn matrix_strides(tile: &Tile<'_>) -> [usize; 2] {
    [tile.view().strides()[0], tile.view().strides()[1]]
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
        out.fill(T::narrow(T::Work::ZERO));
        for (i, out) in out.chunks_exact_mut(n).enumerate() {
            for p in 0..k {
                let x = a[i * a_steps[0] + p * a_steps[1]].widen();
                let row = &b[p * b_steps[0]..];
                if b_steps[1] == 1 {
                    for (out, y) in out.iter_mut().zip(&row[..n]) {
                        *out = T::narrow(out.widen().add(x.mul(y.widen())));
                    }
                } else {
                    for (out, y) in out.iter_mut().zip(row.iter().step_by(b_steps[1].max(1))) {
                        *out = T::narrow(out.widen().add(x.mul(y.widen())));
                    }
                }
            }
        }
    }
}
