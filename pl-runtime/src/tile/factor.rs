//! The factors of a product of floats, wherever they lie, and the product.
//!
//! # Invariants of the unsafe code
//! * A `Device` comes from [`Tensor::source`]: as long as the task runs, the elements of its view behind
//!   `base` are readable, and what orders tasks keeps writers away.
//! * It is read only where the arena has data, which is when `source` vouches for the memory.

use super::floats;
use super::gemm::{self, Matrix};
use super::handle::Tile;
use super::nest::Nest;
use super::number::for_float;
use super::scratch::{Buffer, Scratch};
use super::unary::convert;
use super::views::turned;
use crate::dtype::DType;
use crate::error::OperationError;
use crate::site::Site;
use crate::tensor::{Tensor, View};
use std::marker::PhantomData;

/// A matrix of floats.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'s> {
    Tile(Tile<'s>),
    Device(Device<'s>),
}

/// A tensor of floats that the running task may load, as a matrix; without data if the arena has none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Device<'s> {
    base: *const u8,
    view: View,
    tensor: PhantomData<Tensor<'s>>,
}

impl<'s> Device<'s> {
    /// The tensor as `load`, at `site`, and `transpose` would give it.
    pub(super) fn of(
        s: &Scratch<'_>,
        tensor: &Tensor<'s>,
        site: Site,
        transposed: Option<Site>,
    ) -> Result<Self, OperationError> {
        let base = tensor.source("load", site, s.arena().has_data())?;
        let view = match transposed {
            Some(site) => turned(tensor.view(), site)?,
            None => *tensor.view(),
        };
        Ok(Self {
            base,
            view,
            tensor: PhantomData,
        })
    }
}

impl Source<'_> {
    pub(super) fn view(&self) -> &View {
        match self {
            Self::Tile(tile) => tile.view(),
            Self::Device(device) => &device.view,
        }
    }

    /// Whether `gemm` can take it where it lies.
    fn lies_well(&self) -> bool {
        self.view().dtype() == DType::F32
            && match self {
                Self::Tile(_) => true,
                Self::Device(device) => device.base.addr().is_multiple_of(align_of::<f32>()),
            }
    }

    /// A copy as `f32`, if it needs one. It has the order in memory of what it is a copy of, so that a
    /// transposed matrix is read as it lies.
    fn widened<'p>(&self, s: &Scratch<'p>) -> Option<Wide<'p>> {
        if self.lies_well() {
            return None;
        }
        let view = *self.view();
        let turned = view.strides()[0] < view.strides()[1];
        let axes = if turned { [1, 0] } else { [0, 1] };
        let [rows, columns] = axes.map(|axis| view.dims()[axis]);
        let strides = axes.map(|axis| view.strides()[axis]);
        let mut data = s.arena().buffer(rows * columns);
        let view = View::strided(view.dtype(), view.offset(), &[rows, columns], &strides);
        match self {
            Self::Tile(_) => for_float!(
                view.dtype(),
                T => s.arena().read::<T, _>(&view, |elements| {
                    let nest = Nest::new(view.dims(), [&[columns, 1], view.strides()]);
                    convert::<T, f32>(nest, &mut data, elements);
                }),
                else unreachable!("a product of floats")
            ),
            // SAFETY: elements of the view of a `Device`, and there is data.
            Self::Device(device) => unsafe { floats::read(device.base, &view, &mut data) },
        }
        let mut strides = [columns, 1];
        if turned {
            strides.reverse();
        }
        Some(Wide { data, strides })
    }

    fn matrix<'a>(&self, wide: Option<&'a Wide<'_>>, elements: &'a [f32]) -> Matrix<'a> {
        let view = self.view();
        let dims = [view.dims()[0], view.dims()[1]];
        match (wide, self) {
            (Some(wide), _) => Matrix::of_slice(&wide.data, dims, wide.strides),
            (None, Self::Tile(_)) => {
                Matrix::of_slice(elements, dims, [view.strides()[0], view.strides()[1]])
            }
            // SAFETY: a `Device`, and there is data; `lies_well` looked at the alignment.
            (None, Self::Device(device)) => unsafe { Matrix::of_device(device.base, view) },
        }
    }
}

struct Wide<'p> {
    data: Buffer<'p>,
    strides: [usize; 2],
}

/// `out = scale * a * b`, or `out += ..` with `add` (then `out` is `f32`). The factors fit each other and
/// `out`, which is dense and shares no byte with them.
pub(super) fn product(
    s: &Scratch<'_>,
    out: &Tile<'_>,
    add: bool,
    scale: f32,
    a: &Source<'_>,
    b: &Source<'_>,
) {
    let arena = s.arena();
    if !arena.has_data() {
        return;
    }
    let (wide_a, wide_b) = (a.widened(s), b.widened(s));
    let nothing = View::strided(DType::F32, 0, &[0], &[1]);
    let [view_a, view_b] =
        [(a, &wide_a), (b, &wide_b)].map(|(source, wide)| match (source, wide) {
            (Source::Tile(tile), None) => *tile.view(),
            _ => nothing,
        });
    let multiply = |out: &mut [f32], [x, y]: [&[f32]; 2]| {
        let (a, b) = (a.matrix(wide_a.as_ref(), x), b.matrix(wide_b.as_ref(), y));
        gemm::product(out, add, scale, a, b);
    };
    if out.dtype() == DType::F32 {
        return arena.access::<f32, f32, 2, _>(out.view(), [&view_a, &view_b], multiply);
    }
    // So are the factors: none is left in the arena.
    let n = out.view().elements();
    let mut product = arena.buffer(n);
    multiply(&mut product, [&[], &[]]);
    for_float!(
        out.dtype(),
        T => arena.access::<T, T, 0, _>(out.view(), [], |out, []| {
            convert::<f32, T>(Nest::new(&[n], [&[1], &[1]]), out, &product);
        }),
        else unreachable!("a product of floats")
    );
}
