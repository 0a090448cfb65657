//! Conversions between 16-bit floats and `f32` without branches, so that loops over them vectorise.
//! (The `half` crate asks the machine for its instructions at every element.)

const F32_INFINITY: u32 = 0x7f80_0000;

/// An IEEE half as `f32`; exact.
#[inline(always)]
pub(super) fn f16_to_f32(bits: u16) -> f32 {
    let magnitude = u32::from(bits & 0x7fff) << 13;
    // Multiplying moves the exponent bias, and normalises subnormal numbers on the way.
    let finite = (f32::from_bits(magnitude) * f32::from_bits((127 + 112) << 23)).to_bits();
    let special = magnitude | F32_INFINITY;
    let unsigned = if magnitude >= 0x7c00 << 13 {
        special
    } else {
        finite
    };
    f32::from_bits(unsigned | u32::from(bits & 0x8000) << 16)
}

/// The nearest IEEE half, ties to even; too large becomes infinite.
#[inline(always)]
pub(super) fn f32_to_f16(value: f32) -> u16 {
    let bits = value.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    // The exponent bias goes down by 112; half an ulp less the tie bit rounds to even.
    let rebias = 0x0fff_u32.wrapping_sub(112 << 23);
    let normal = magnitude
        .wrapping_add(rebias)
        .wrapping_add((magnitude >> 13) & 1)
        >> 13;
    // Adding 0.5 aligns the units of a subnormal half with the last bit of the sum.
    let subnormal = (f32::from_bits(magnitude) + 0.5)
        .to_bits()
        .wrapping_sub(0.5_f32.to_bits());
    let small = magnitude < (127 - 14) << 23;
    let large = magnitude >= (127 + 16) << 23;
    let finite = if small { subnormal } else { normal };
    let bounded = if large { 0x7c00 } else { finite };
    let nan = 0x7e00 | ((magnitude >> 13) & 0x3ff);
    let unsigned = if magnitude > F32_INFINITY {
        nan
    } else {
        bounded
    };
    (unsigned | (bits >> 16) & 0x8000) as u16
}

/// A bfloat16 as `f32`; exact.
#[inline(always)]
pub(super) fn bf16_to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The nearest bfloat16, ties to even.
#[inline(always)]
pub(super) fn f32_to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
    let nan = (bits >> 16) | 0x40;
    (if bits & 0x7fff_ffff > F32_INFINITY {
        nan
    } else {
        rounded
    }) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};

    #[test]
    fn every_half_widens_as_in_the_half_crate() {
        for bits in 0..=u16::MAX {
            let (ours, theirs) = (f16_to_f32(bits), f16::from_bits(bits).to_f32());
            assert!(ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan());
            let (ours, theirs) = (bf16_to_f32(bits), bf16::from_bits(bits).to_f32());
            assert!(ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan());
        }
    }

    #[test]
    fn narrowing_rounds_to_nearest_even_at_and_around_every_tie() {
        for high in 0..=u16::MAX {
            for low in [
                0, 1, 0x0fff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x7fff, 0x8000, 0x8001, 0xffff,
            ] {
                let value = f32::from_bits(u32::from(high) << 16 | low);
                let (ours, theirs) = (f16::from_bits(f32_to_f16(value)), f16::from_f32(value));
                assert!(
                    ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(),
                    "{value:e}: {ours} instead of {theirs}"
                );
                let (ours, theirs) = (bf16::from_bits(f32_to_bf16(value)), bf16::from_f32(value));
                assert!(
                    ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(),
                    "{value:e}: {ours} instead of {theirs}"
                );
            }
        }
    }
}
