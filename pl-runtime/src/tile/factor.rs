//! The factors of a product of floats, wherever they lie, and the product.

use super::device::Readable;
use super::gemm::{self, Matrix};
use super::handle::Tile;
use super::nest::Nest;
use super::number::for_float;
use super::scratch::{Buffer, Scratch};
use super::unary::convert;
use crate::dtype::DType;
use crate::site::Site;
use crate::tensor::View;

/// A matrix of floats.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'s> {
    Tile(Tile<'s>),
    Device(Readable<'s>),
}

impl<'s> Source<'s> {
    pub(super) fn view(&self) -> &View {
        match self {
            Self::Tile(tile) => tile.view(),
            Self::Device(device) => device.view(),
        }
    }

    /// Whether `gemm` can take it where it lies.
    fn lies_well(&self) -> bool {
        match self {
            Self::Tile(tile) => tile.dtype() == DType::F32,
            Self::Device(device) => device.floats().is_some(),
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
                T => s.arena().memory.read::<T, _>(&view, |elements| {
                    let nest = Nest::new(view.dims(), [&[columns, 1], view.strides()]);
                    convert::<T, f32>(nest, &mut data, elements);
                }),
                else unreachable!("a product of floats")
            ),
            Self::Device(device) => {
                let device = if turned {
                    device.transpose(Site::UNKNOWN).expect("a matrix")
                } else {
                    *device
                };
                device.read_floats(&mut data);
            }
        }
        let mut strides = [columns, 1];
        if turned {
            strides.reverse();
        }
        Some(Wide { data, strides })
    }

    fn matrix<'a>(&self, wide: Option<&'a Wide<'_>>, elements: &'a [f32]) -> Matrix<'a>
    where
        's: 'a,
    {
        let view = self.view();
        let dims = [view.dims()[0], view.dims()[1]];
        match (wide, self) {
            (Some(wide), _) => Matrix::of_slice(&wide.data, dims, wide.strides),
            (None, Self::Tile(_)) => {
                Matrix::of_slice(elements, dims, [view.strides()[0], view.strides()[1]])
            }
            (None, Self::Device(device)) => Matrix::of_device(device),
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
    if !arena.memory.has_data() {
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
        return arena
            .memory
            .access::<f32, f32, 2, _>(out.view(), [&view_a, &view_b], multiply);
    }
    // So are the factors: none is left in the arena.
    let n = out.view().elements();
    let mut product = arena.buffer(n);
    multiply(&mut product, [&[], &[]]);
    for_float!(
        out.dtype(),
        T => arena.memory.access::<T, T, 0, _>(out.view(), [], |out, []| {
            convert::<f32, T>(Nest::new(&[n], [&[1], &[1]]), out, &product);
        }),
        else unreachable!("a product of floats")
    );
}
