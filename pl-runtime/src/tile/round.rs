//! Conversions of floats with a choice of rounding.

use super::dispatch::{self, Kernel};
use super::half_bits::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16};
use super::handle::{Tile, begin};
use super::number::{CastFrom, Number, for_float, for_number};
use super::scratch::{Bits, Scratch};
use super::unary::{Function, map};
use crate::dtype::DType;
use crate::error::OperationError;
use crate::site::Site;

/// Which neighbour stands for a number between two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rounding {
    /// The nearest, of two the even one.
    Even,
    /// The nearest, of two the one further from 0.
    Away,
    Down,
    Up,
    ToZero,
}

/// What is rounded to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Grid {
    Integers,
    F16,
    Bf16,
    /// Every float is on it.
    F32,
}

impl Grid {
    const fn of(dtype: DType) -> Self {
        match dtype {
            DType::F32 => Self::F32,
            DType::F16 => Self::F16,
            DType::Bf16 => Self::Bf16,
            _ => Self::Integers,
        }
    }
}

macro_rules! casts {
    ($($(#[$doc:meta])* $name:ident $rounding:ident;)*) => {$(
        $(#[$doc])*
        /// Integers saturate and NaN becomes 0; a finite float beyond those of a float type becomes the
        /// largest one or infinity, as the direction has it.
        ///
        /// # Errors
        /// Elements that are no floats, `dtype` `bool`, or no scratch left.
        pub fn $name<'s>(
            s: &'s Scratch<'_>,
            site: Site,
            dtype: DType,
            a: Tile<'_>,
        ) -> Result<Tile<'s>, OperationError> {
            convert(s, stringify!($name), site, dtype, a, Rounding::$rounding)
        }
    )*};
}

casts! {
    /// Floats converted to `dtype`, rounded to the nearest value, of two to the even one.
    cast_rint Even;
    /// Floats converted to `dtype`, rounded to the nearest value, of two to the one further from 0.
    cast_round Away;
    /// Floats converted to `dtype`, rounded down.
    cast_floor Down;
    /// Floats converted to `dtype`, rounded up.
    cast_ceil Up;
    /// Floats converted to `dtype`, rounded towards 0.
    cast_trunc ToZero;
}

fn convert<'s>(
    s: &'s Scratch<'_>,
    name: &'static str,
    site: Site,
    dtype: DType,
    a: Tile<'_>,
    rounding: Rounding,
) -> Result<Tile<'s>, OperationError> {
    begin(s, name, site, &[&a])?;
    let fail = |message: String| Err(OperationError::new(name, site, message));
    let round = Round {
        rounding,
        grid: Grid::of(dtype),
    };
    for_float!(
        a.dtype(),
        A => for_number!(
            dtype,
            B => {
                let out = Tile::allocate(s, name, site, dtype, a.dims())?;
                map::<A, B, _>(s, &out, &a, round);
                Ok(out)
            },
            else fail("makes no `bool`; compare instead: `ne(x, 0)`".into())
        ),
        else fail(format!("rounds floats, and {a} holds none; write `cast::<{dtype}>`"))
    )
}

/// Elements that are rounded together: the choice of the loop costs little then.
const LANES: usize = 64;

#[derive(Clone, Copy)]
struct Round {
    rounding: Rounding,
    grid: Grid,
}

impl<A: Number<Work = f32>, B: Bits + CastFrom<f32>> Function<A, B> for Round {
    fn apply<const FMA: bool>(&self, x: A) -> B {
        let mut value = [x.widen()];
        self.block(&mut value);
        B::cast_from(value[0])
    }

    #[inline(always)]
    fn row<const FMA: bool>(&self, out: &mut [B], a: &[A]) {
        let mut block = [0.0; LANES];
        for (out, a) in out.chunks_mut(LANES).zip(a.chunks(LANES)) {
            let block = &mut block[..a.len()];
            for (value, x) in block.iter_mut().zip(a) {
                *value = x.widen();
            }
            self.block(block);
            for (out, &value) in out.iter_mut().zip(&*block) {
                *out = B::cast_from(value);
            }
        }
    }

    fn run<K: Kernel>(kernel: K) -> K::Output {
        dispatch::run(kernel)
    }
}

impl Round {
    /// Rounds to values of the grid, all of which are floats.
    #[inline(never)]
    fn block(self, values: &mut [f32]) {
        dispatch::run(Block {
            round: self,
            values,
        });
    }
}

struct Block<'a> {
    round: Round,
    values: &'a mut [f32],
}

impl Kernel for Block<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        use Rounding::{Away, Down, Even, ToZero, Up};
        let Self { round, values } = self;
        match (round.grid, round.rounding) {
            (Grid::F32, _) => {}
            (Grid::Integers, Even) => each(values, f32::round_ties_even),
            (Grid::Integers, Away) => each(values, f32::round),
            (Grid::Integers, Down) => each(values, f32::floor),
            (Grid::Integers, Up) => each(values, f32::ceil),
            (Grid::Integers, ToZero) => each(values, f32::trunc),
            (Grid::F16, Even) => each(values, |x| f16_to_f32(f32_to_f16(x))),
            (Grid::F16, rounding) => each(values, |x| half(x, rounding, f32_to_f16, f16_to_f32)),
            (Grid::Bf16, Even) => each(values, |x| bf16_to_f32(f32_to_bf16(x))),
            (Grid::Bf16, rounding) => each(values, |x| half(x, rounding, f32_to_bf16, bf16_to_f32)),
        }
    }
}

#[inline(always)]
fn each(values: &mut [f32], round: impl Fn(f32) -> f32) {
    for value in values {
        *value = round(*value);
    }
}

/// A 16-bit float: the nearest one, or its neighbour where the direction wants that.
#[inline(always)]
fn half(
    x: f32,
    rounding: Rounding,
    narrow: impl Fn(f32) -> u16,
    widen: impl Fn(u16) -> f32,
) -> f32 {
    let nearest = narrow(x);
    let value = widen(nearest);
    let negative = nearest & 0x8000 != 0;
    // The bits of neighbours of one sign follow each other, infinity after the largest.
    let (further, nearer) = match rounding {
        Rounding::Even => (false, false),
        Rounding::Away => {
            let beyond = widen(nearest.wrapping_add(1));
            (
                value.abs() < x.abs() && x.abs() - value.abs() >= beyond.abs() - x.abs(),
                false,
            )
        }
        Rounding::Down => (negative && value > x, !negative && value > x),
        Rounding::Up => (!negative && value < x, negative && value < x),
        Rounding::ToZero => (false, value.abs() > x.abs()),
    };
    let stepped = nearest
        .wrapping_add(u16::from(further))
        .wrapping_sub(u16::from(nearer));
    if x.is_nan() { x } else { widen(stepped) }
}
