//! Poison, alignment and the checks that the unsafe code relies on.

use super::*;
use crate::dtype::DType;
use crate::tensor::View;

const SITE: Site = Site::new("kernel.rs", 7);

fn words(arena: &Arena, count: usize) -> Vec<u32> {
    let view = View::strided(DType::U32, 0, &[count], &[1]);
    arena.memory.read::<u32, _>(&view, <[u32]>::to_vec)
}

#[test]
fn poison_fills_what_a_scope_gave_back_and_nothing_else() {
    for (poison, expected) in [(true, POISON), (false, 5)] {
        let mut arena = Arena::new(4096, poison).unwrap();
        let core = arena.start_task();
        super::super::full(&core, SITE, DType::U32, &[4], 6).unwrap();
        {
            let scope = core.enter(SITE);
            super::super::full(&scope, SITE, DType::U32, &[8], 5).unwrap();
        }
        assert_eq!(words(core.arena(), 4), [6; 4]);
        assert_eq!(
            words(core.arena(), 16)[4..],
            [[expected; 8].as_slice(), &[0; 4]].concat()
        );
    }
}

#[test]
fn the_pattern_is_not_a_number_in_any_float_type() {
    assert!(
        f32::from_bits(POISON).is_nan() && POISON & 0x40_0000 == 0,
        "signalling"
    );
    let half = POISON as u16;
    assert!(half::f16::from_bits(half).is_nan() && half::bf16::from_bits(half).is_nan());
}

#[test]
fn allocations_start_at_multiples_of_16_from_an_aligned_base() {
    let mut arena = Arena::new(4096, false).unwrap();
    let view = View::strided(DType::U8, 0, &[1], &[1]);
    let base = arena
        .memory
        .read::<u8, _>(&view, |bytes| Some(bytes.as_ptr().addr()));
    assert!(base.is_some_and(|base| base.is_multiple_of(64)));
    let core = arena.start_task();
    let starts = [1, 16, 17, 0, 3].map(|bytes| core.reserve("zeros", SITE, bytes).unwrap());
    assert_eq!(starts, [0, 16, 32, 64, 64]);
}
