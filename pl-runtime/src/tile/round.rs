//! Conversions of floats with a choice of rounding.

use super::bounded::clamped;
use super::dispatch::{self, Kernel};
use super::half_bits::{bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16};
use super::handle::{Tile, begin};
use super::memory::Bits;
use super::number::{CastFrom, Number, for_float, for_number};
use super::scratch::Scratch;
use super::unary::{Function, map};
use crate::dtype::DType;
use crate::error::OperationError;
use crate::site::Site;
use half::{bf16, f16};

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

/// An element from a float that is on its grid; integers saturate and NaN becomes 0.
pub(super) trait FromRounded: Bits {
    fn from_rounded(x: f32) -> Self;
}

macro_rules! from_rounded {
    (cast $($ty:ty)*) => {$(
        impl FromRounded for $ty {
            #[inline(always)]
            fn from_rounded(x: f32) -> Self { Self::cast_from(x) }
        }
    )*};
    (bits $($ty:ty)*) => {$(
        impl FromRounded for $ty {
            #[inline(always)]
            fn from_rounded(x: f32) -> Self {
                let bounded = clamped(x, f32::from(Self::MIN), f32::from(Self::MAX));
                (if x.is_nan() { 0 } else { low_bits(bounded) }) as Self
            }
        }
    )*};
}
from_rounded! { cast f32 f16 bf16 i64 u32 u64 }
from_rounded! { bits i8 i16 u8 u16 }

impl FromRounded for i32 {
    #[inline(always)]
    fn from_rounded(x: f32) -> Self {
        const HIGH: f32 = 65536.0;
        const BEYOND: f32 = 2_147_483_648.0;
        let high = (x / HIGH + WHOLE) - WHOLE;
        let bits = (low_bits(high) << 16).wrapping_add(low_bits(x - high * HIGH));
        let above = if x >= BEYOND {
            Self::MAX
        } else {
            bits.cast_signed()
        };
        let bounded = if x <= -BEYOND { Self::MIN } else { above };
        if x.is_nan() { 0 } else { bounded }
    }
}

/// Adding it leaves an integer in the low bits of the sum.
const WHOLE: f32 = 12_582_912.0;

/// The bits of an integer of 17 bits and a sign. LLVM does not vectorise `as`.
#[inline(always)]
fn low_bits(x: f32) -> u32 {
    (x + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits())
}

/// Elements that are rounded together, so that the choice of the loop costs little; too many for LLVM
/// to write out the loops over them, which it would not vectorise then.
const BLOCK: usize = 256;

/// The conversion of floats to a grid.
#[derive(Clone, Copy)]
pub(super) struct Round {
    rounding: Rounding,
    grid: Grid,
}

impl<A: Number<Work = f32>, B: FromRounded> Function<A, B> for Round {
    fn apply<const FMA: bool>(&self, x: A) -> B {
        let mut value = [x.to_work()];
        self.block(&mut value);
        B::from_rounded(value[0])
    }

    #[inline(always)]
    fn row<const FMA: bool>(&self, out: &mut [B], a: &[A]) {
        let mut block = [0.0; BLOCK];
        for (out, a) in out.chunks_mut(BLOCK).zip(a.chunks(BLOCK)) {
            let block = &mut block[..a.len()];
            for (value, x) in block.iter_mut().zip(a) {
                *value = x.to_work();
            }
            self.block(block);
            for (out, &value) in out.iter_mut().zip(&*block) {
                *out = B::from_rounded(value);
            }
        }
    }

    fn run<K: Kernel>(kernel: K) -> K::Output {
        dispatch::run(kernel)
    }
}

impl Round {
    /// To integers as by `as`.
    pub(super) const TRUNCATE: Self = Self {
        rounding: Rounding::ToZero,
        grid: Grid::Integers,
    };

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
            (Grid::F16, rounding) => halves(values, rounding, f32_to_f16, f16_to_f32),
            (Grid::Bf16, rounding) => halves(values, rounding, f32_to_bf16, bf16_to_f32),
        }
    }
}

/// A loop for each rounding, so that it is known inside.
#[inline(always)]
fn halves(
    values: &mut [f32],
    rounding: Rounding,
    narrow: impl Fn(f32) -> u16 + Copy,
    widen: impl Fn(u16) -> f32 + Copy,
) {
    use Rounding::{Away, Down, Even, ToZero, Up};
    match rounding {
        Even => each(values, |x| widen(narrow(x))),
        Away => each(values, |x| half(x, Away, narrow, widen)),
        Down => each(values, |x| half(x, Down, narrow, widen)),
        Up => each(values, |x| half(x, Up, narrow, widen)),
        ToZero => each(values, |x| half(x, ToZero, narrow, widen)),
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
    let (size, wanted) = (value.abs(), x.abs());
    let negative = x.is_sign_negative();
    // The bits of neighbours of one sign follow each other, infinity after the largest.
    let further = match rounding {
        Rounding::Even | Rounding::ToZero => false,
        Rounding::Away => {
            let beyond = widen(nearest.wrapping_add(1)).abs();
            size < wanted && wanted - size >= beyond - wanted
        }
        Rounding::Down => negative && size < wanted,
        Rounding::Up => !negative && size < wanted,
    };
    let nearer = match rounding {
        Rounding::Even | Rounding::Away => false,
        Rounding::ToZero => size > wanted,
        Rounding::Down => !negative && size > wanted,
        Rounding::Up => negative && size > wanted,
    };
    let stepped = nearest
        .wrapping_add(u16::from(further))
        .wrapping_sub(u16::from(nearer));
    if x.is_nan() { x } else { widen(stepped) }
}
