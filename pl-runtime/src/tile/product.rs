//! Matrix products together with what stands around them: loads of the factors, a scale, and the sum
//! that they are added to. What the fusion pass of `pl-codegen` finds.
//!
//! Each function gives what its operations give one after the other, up to rounding, and does them so
//! where it cannot do them at once.

use super::binary::{OperandValue, add, mul};
use super::device::Readable;
use super::dispatch::{self, Kernel};
use super::factor::{Source, product as multiply};
use super::handle::{Tile, begin, own};
use super::matmul::{Shape, dot, dot_f32, floats};
use super::scratch::Scratch;
use super::transfer::{copy_to, load};
use super::views::transpose;
use crate::dtype::{DType, ScalarValue};
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::Tensor;

/// A factor of a matrix product.
#[derive(Clone, Copy, Debug)]
pub enum Factor<'s> {
    /// A tile.
    Tile(Tile<'s>),
    /// A tensor that is loaded for this product only: floats are read where they lie.
    Load {
        /// The tensor.
        tensor: Tensor<'s>,
        /// Where it is loaded.
        site: Site,
        /// Where it is transposed, if it is.
        transposed: Option<Site>,
    },
}

impl<'s> Factor<'s> {
    /// The factor where it lies.
    fn source(&self, s: &Scratch<'_>) -> Result<Source<'s>, OperationError> {
        match self {
            Self::Tile(tile) => Ok(Source::Tile(*tile)),
            Self::Load {
                tensor,
                site,
                transposed,
            } => {
                let device = Readable::of(s, tensor, "load", *site)?;
                Ok(Source::Device(match transposed {
                    Some(site) => device.transpose(*site)?,
                    None => device,
                }))
            }
        }
    }

    /// Notes the operations that the product does as well.
    fn note(&self, s: &Scratch<'_>) {
        if let Self::Load {
            tensor,
            site,
            transposed,
        } = self
        {
            let view = tensor.view();
            s.arena().note_operation("load", *site, [].into_iter());
            s.arena().note_result(view);
            if let Some(site) = transposed {
                let tile = [view].into_iter();
                s.arena().note_operation("transpose", *site, tile);
            }
        }
    }

    /// The factor as a tile.
    fn tile(&self, s: &'s Scratch<'_>) -> Result<Tile<'s>, OperationError> {
        match *self {
            Self::Tile(tile) => Ok(tile),
            Self::Load {
                tensor,
                site,
                transposed,
            } => {
                let tile = load(s, site, tensor)?;
                transposed.map_or(Ok(tile), |site| transpose(s, site, tile))
            }
        }
    }
}

/// A matrix product as it is written.
#[derive(Clone, Copy, Debug)]
pub struct Product<'s> {
    /// `dot_f32` rather than `dot`.
    pub wide: bool,
    /// The first factor.
    pub a: Factor<'s>,
    /// The second factor.
    pub b: Factor<'s>,
    /// What the product is multiplied with, and where.
    pub scale: Option<(ScalarValue, Site)>,
}

/// A product that can be done at once.
struct Ready<'s> {
    a: Source<'s>,
    b: Source<'s>,
    scale: f32,
    shape: Shape,
    dtype: DType,
}

impl<'s> Product<'s> {
    fn name(&self) -> &'static str {
        if self.wide { "dot_f32" } else { "dot" }
    }

    /// Checks the operations; `None` if they are to be done one after the other.
    fn ready(&self, s: &Scratch<'_>, site: Site) -> Result<Option<Ready<'s>>, OperationError> {
        let (a, b) = (self.a.source(s)?, self.b.source(s)?);
        for factor in [&self.a, &self.b] {
            if let Factor::Tile(tile) = factor {
                own(s, self.name(), site, &[tile])?;
            }
        }
        let shape = Shape::of(self.name(), site, a.view(), b.view())?;
        let dtype = a.view().dtype();
        if self.wide {
            floats("dot_f32", site, a.view())?;
        }
        Ok(dtype.is_float().then(|| Ready {
            a,
            b,
            scale: self.scale.map_or(1.0, |(scale, _)| scale.as_f64() as f32),
            shape,
            dtype: if self.wide { DType::F32 } else { dtype },
        }))
    }

    /// Notes what is about to be done at once.
    fn note(&self, s: &Scratch<'_>, site: Site, ready: &Ready<'_>) {
        self.a.note(s);
        self.b.note(s);
        s.begin(self.name(), site);
        let factors = [ready.a.view(), ready.b.view()].into_iter();
        s.arena().note_operation(self.name(), site, factors);
    }

    /// Notes that the product was scaled.
    fn note_scale(&self, s: &Scratch<'_>, product: &Tile<'_>) {
        if let Some((_, site)) = self.scale {
            let product = [product.view()].into_iter();
            s.arena().note_operation("mul", site, product);
        }
    }

    /// The operations one after the other.
    fn one_by_one(&self, s: &'s Scratch<'_>, site: Site) -> Result<Tile<'s>, OperationError> {
        let (a, b) = (self.a.tile(s)?, self.b.tile(s)?);
        let product = if self.wide {
            dot_f32(s, site, a, b)
        } else {
            dot(s, site, a, b)
        }?;
        match self.scale {
            Some((scale, site)) => mul(s, site, product, OperandValue::Scalar(scale)),
            None => Ok(product),
        }
    }
}

/// The product in a new tile.
///
/// # Errors
/// As of the operations.
pub fn product<'s>(
    s: &'s Scratch<'_>,
    site: Site,
    product: Product<'s>,
) -> Result<Tile<'s>, OperationError> {
    let Some(ready) = product.ready(s, site)? else {
        return product.one_by_one(s, site);
    };
    product.note(s, site, &ready);
    let out = Tile::allocate(s, product.name(), site, ready.dtype, &ready.shape.out())?;
    multiply(s, &out, false, ready.scale, &ready.a, &ready.b);
    product.note_scale(s, &out);
    Ok(out)
}

/// What a product is added to, as it is written: `copy_to(acc, acc * factor + product)`.
#[derive(Clone, Copy, Debug)]
pub struct Sum<'s> {
    /// The tile.
    pub acc: Tile<'s>,
    /// What it is multiplied with before, and where.
    pub factor: Option<(OperandValue<'s>, Site)>,
    /// Where the product is added.
    pub add: Site,
    /// Where the sum is copied back.
    pub copy_to: Site,
}

/// Adds a product to `sum.acc`.
///
/// # Errors
/// As of the operations.
pub fn add_product(
    s: &Scratch<'_>,
    site: Site,
    product: Product<'_>,
    sum: Sum<'_>,
) -> Result<(), OperationError> {
    let Sum { acc, factor, .. } = sum;
    own(s, "copy_to", sum.copy_to, &[&acc])?;
    if let Some(ready) = product.ready(s, site)? {
        let apart = |tile: &Tile<'_>| !tile.overlaps(&acc);
        let apart_from = |source: &Source<'_>| match source {
            Source::Tile(tile) => apart(tile),
            Source::Device(_) => true,
        };
        let fits = (ready.dtype, acc.dtype()) == (DType::F32, DType::F32)
            && *acc.dims() == ready.shape.out()
            && acc.view().is_contiguous()
            && apart_from(&ready.a)
            && apart_from(&ready.b);
        let rows = match factor {
            None => Some(RowFactor::All(1.0)),
            Some((OperandValue::Scalar(factor), _)) => Some(RowFactor::All(factor.as_f64() as f32)),
            Some((OperandValue::Tile(tile), site)) => {
                own(s, "mul", site, &[&tile])?;
                let column = *tile.dims() == [acc.dims()[0], 1] && tile.view().is_contiguous();
                (tile.dtype() == DType::F32 && column && apart(&tile))
                    .then_some(RowFactor::Each(tile))
            }
        };
        if let (true, Some(rows)) = (fits, rows) {
            if let Some((_, site)) = factor {
                begin(s, "mul", site, &[&acc])?;
                scale_rows(s, &acc, rows);
            }
            product.note(s, site, &ready);
            s.arena().note_result(acc.view());
            multiply(s, &acc, true, ready.scale, &ready.a, &ready.b);
            product.note_scale(s, &acc);
            begin(s, "add", sum.add, &[&acc])?;
            return begin(s, "copy_to", sum.copy_to, &[&acc]);
        }
    }
    let s = &s.enter_own(sum.copy_to);
    let scaled = match factor {
        Some((factor, site)) => mul(s, site, acc, factor)?,
        None => acc,
    };
    let product = product.one_by_one(s, site)?;
    copy_to(s, sum.copy_to, acc, add(s, sum.add, scaled, product)?)
}

/// What the rows of a matrix are multiplied with.
#[derive(Clone, Copy)]
enum RowFactor<'s> {
    All(f32),
    Each(Tile<'s>),
}

fn scale_rows(s: &Scratch<'_>, acc: &Tile<'_>, factor: RowFactor<'_>) {
    let row = acc.dims()[1];
    let scale = |out: &mut [f32], factors: &[f32], step: usize| {
        if row > 0 {
            dispatch::run(ScaleRows {
                out,
                row,
                factors,
                step,
            });
        }
    };
    match factor {
        RowFactor::All(1.0) => {}
        RowFactor::All(factor) => {
            s.arena()
                .memory
                .access::<f32, f32, 0, _>(acc.view(), [], |out, []| scale(out, &[factor], 0));
        }
        RowFactor::Each(factors) => {
            let views = [factors.view()];
            s.arena()
                .memory
                .access::<f32, f32, 1, _>(acc.view(), views, |out, [each]| scale(out, each, 1));
        }
    }
}

/// Multiplies each row in place.
struct ScaleRows<'a> {
    out: &'a mut [f32],
    row: usize,
    factors: &'a [f32],
    step: usize,
}

impl Kernel for ScaleRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for (i, row) in self.out.chunks_exact_mut(self.row).enumerate() {
            let factor = self.factors[i * self.step];
            for element in row {
                *element *= factor;
            }
        }
    }
}
