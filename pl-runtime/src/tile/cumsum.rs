//! Running sums along rows.

use super::dispatch::Kernel;
use super::handle::{Tile, begin};
use super::lines::Lines;
use super::number::{Arithmetic, Number, for_number};
use super::reduce::{no_meaning, split_last};
use super::scratch::Scratch;
use crate::error::OperationError;
use crate::site::Site;

/// Each element with all before it in its row; integers wrap, `f16` and `bf16` add up in `f32`.
///
/// # Errors
/// No dimension to go along, `bool`, or no scratch left.
pub fn cumsum<'s>(s: &'s Scratch<'_>, site: Site, a: Tile<'_>) -> Result<Tile<'s>, OperationError> {
    const NAME: &str = "cumsum";
    begin(s, NAME, site, &[&a])?;
    for_number!(
        a.dtype(),
        T => {
            split_last(NAME, site, &a)?;
            let out = Tile::allocate(s, NAME, site, a.dtype(), a.dims())?;
            let lines = Lines::new(a.view());
            s.arena().memory.access::<T, T, 1, _>(out.view(), [a.view()], |out, [a]| {
                T::run(Cumsum::<T> { lines, out, a });
            });
            Ok(out)
        },
        else Err(no_meaning(NAME, site, &a, "number"))
    )
}

struct Cumsum<'a, T> {
    lines: Lines,
    out: &'a mut [T],
    a: &'a [T],
}

impl<T: Number> Kernel for Cumsum<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { lines, out, a } = self;
        let mut copy = Vec::new();
        let rows = out.chunks_exact_mut(lines.row().max(1));
        for (start, out) in lines.starts().zip(rows) {
            let mut sum = T::Work::ZERO;
            for (out, element) in out.iter_mut().zip(lines.line(a, start, &mut copy)) {
                sum = sum.add(element.to_work());
                *out = T::from_work(sum);
            }
        }
    }
}
