//! Views, single elements, tiles made from nothing, and copies between tiles.

use crate::support::*;
use half::f16;
use pl_runtime::dtype::DType;
use pl_runtime::tensor::SliceItem::{From, Full, Index, Range};
use pl_runtime::tile;

#[test]
fn views_share_the_elements_of_their_tile() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[4, 6], |i| i as i32);
    let used = core.arena().used();
    let part = a.slice(&[Range(1, 3), From(2)], SITE).unwrap();
    let turned = tile::transpose(&core, SITE, part).unwrap();
    assert_eq!(turned.dims(), [4, 2]);
    assert_eq!(values::<i32>(turned), [8, 14, 9, 15, 10, 16, 11, 17]);
    turned.set(SITE, &[3, 1], -1).unwrap();
    assert_eq!(a.get::<i32>(SITE, &[2, 5]).unwrap(), -1);
    let row = a.slice(&[Index(3), Full], SITE).unwrap();
    assert_eq!(
        (row.dims(), values::<i32>(row)),
        ([6].as_slice(), vec![18, 19, 20, 21, 22, 23])
    );
    let flat = a.reshape(&[2, 2, 6], SITE).unwrap();
    assert_eq!(flat.get::<i32>(SITE, &[1, 1, 4]).unwrap(), 22);
    assert_eq!(
        flat.transpose(0, 2, SITE)
            .unwrap()
            .get::<i32>(SITE, &[4, 1, 1])
            .unwrap(),
        22
    );
    assert_eq!(flat.dim(2, SITE).unwrap(), 6);
    assert_eq!(core.arena().used(), used);
}

#[test]
fn views_that_do_not_exist_are_refused() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = tile::zeros(&core, SITE, DType::F32, &[4, 6]).unwrap();
    message("slice", a.slice(&[Range(0, 5), Full], SITE))
        .find("0..5")
        .unwrap();
    message("slice", a.slice(&[Full], SITE))
        .find("one item for each")
        .unwrap();
    message("reshape", a.reshape(&[5, 5], SITE))
        .find("25")
        .unwrap();
    let turned = tile::transpose(&core, SITE, a).unwrap();
    message("reshape", turned.reshape(&[24], SITE))
        .find("gaps")
        .unwrap();
    message("dim", a.dim(2, SITE)).find("dimension 2").unwrap();
    message("transpose", a.transpose(0, 2, SITE))
        .find("dimension 2")
        .unwrap();
    let row = tile::zeros(&core, SITE, DType::F32, &[6]).unwrap();
    message("transpose", tile::transpose(&core, SITE, row))
        .find("`[n, 1]`")
        .unwrap();
}

#[test]
fn one_element_reshapes_to_no_dimensions_and_back() {
    let mut arena = arena();
    let core = arena.start_task();
    let single = make(&core, &[1, 1], |_| 2.5_f32)
        .reshape(&[], SITE)
        .unwrap();
    assert_eq!((single.rank(), single.get::<f32>(SITE, &[])), (0, Ok(2.5)));
    let twice = tile::add(&core, SITE, single, single).unwrap();
    assert_eq!(
        twice
            .reshape(&[1, 1, 1], SITE)
            .unwrap()
            .get::<f32>(SITE, &[0, 0, 0]),
        Ok(5.0)
    );
}

#[test]
fn single_elements_are_checked_against_shape_and_type() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = tile::zeros(&core, SITE, DType::F16, &[4, 6]).unwrap();
    a.set(SITE, &[3, 5], f16::from_f32(0.5)).unwrap();
    assert_eq!(a.get::<f16>(SITE, &[3, 5]).unwrap(), f16::from_f32(0.5));
    for index in [&[4, 0][..], &[0, 6], &[0], &[0, 0, 0], &[usize::MAX, 0]] {
        message("get", a.get::<f16>(SITE, index))
            .find("outside [4, 6] f16")
            .unwrap();
        message("set", a.set(SITE, index, f16::ONE))
            .find("outside [4, 6] f16")
            .unwrap();
    }
    message("get", a.get::<f32>(SITE, &[0, 0]))
        .find("`get::<f16>`")
        .unwrap();
    message("set", a.set(SITE, &[0, 0], 1_i32))
        .find("`set::<f16>`")
        .unwrap();
}

#[test]
fn full_takes_values_that_the_type_has() {
    let mut arena = arena();
    let core = arena.start_task();
    for dtype in NUMBERS {
        let a = tile::full(&core, SITE, dtype, &[3, 2], 7).unwrap();
        let wide = tile::cast(&core, SITE, DType::I64, a).unwrap();
        assert_eq!(values::<i64>(wide), [7; 6], "{dtype}");
    }
    let flags = tile::full(&core, SITE, DType::Bool, &[2], true).unwrap();
    assert_eq!(values::<bool>(flags), [true; 2]);
    let infinite = tile::full(&core, SITE, DType::F16, &[1], f32::NEG_INFINITY).unwrap();
    assert_eq!(values::<f16>(infinite), [f16::NEG_INFINITY]);
    let largest = tile::full(&core, SITE, DType::U64, &[1], u64::MAX).unwrap();
    assert_eq!(values::<u64>(largest), [u64::MAX]);
    for refused in [
        tile::full(&core, SITE, DType::I8, &[1], 128),
        tile::full(&core, SITE, DType::I32, &[1], 1.5),
        tile::full(&core, SITE, DType::I64, &[1], 9.3e18),
        tile::full(&core, SITE, DType::U64, &[1], u64::MAX as f64),
        tile::full(&core, SITE, DType::Bool, &[1], 2),
    ] {
        message("full", refused).find("is not a value of").unwrap();
    }
    let dims = [1; 6];
    message("full", tile::full(&core, SITE, DType::F32, &dims, 0))
        .find("rank 6")
        .unwrap();
    let huge = [usize::MAX, 4];
    message("zeros", tile::zeros(&core, SITE, DType::F32, &huge))
        .find("address space")
        .unwrap();
}

#[test]
fn copies_reach_every_layout() {
    for to in LAYOUTS {
        for from in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let dst = make_as(&core, to, &[5, 7], |_| -1_i16);
            let src = make_as(&core, from, &[5, 7], |i| i as i16);
            tile::copy_to(&core, SITE, dst, src).unwrap();
            assert_eq!(values::<i16>(dst), values::<i16>(src));
        }
    }
}

#[test]
fn copies_between_overlapping_views_read_before_they_write() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[6, 6], |i| i as f32);
    let expected = values::<f32>(tile::transpose(&core, SITE, a).unwrap());
    tile::copy_to(&core, SITE, a, tile::transpose(&core, SITE, a).unwrap()).unwrap();
    assert_same(&values::<f32>(a), &expected, "transposed in place");
    for (to, from) in [(Range(1, 6), Range(0, 5)), (Range(0, 5), Range(1, 6))] {
        let (dst, src) = (
            a.slice(&[to, Full], SITE).unwrap(),
            a.slice(&[from, Full], SITE).unwrap(),
        );
        let expected = values::<f32>(src);
        tile::copy_to(&core, SITE, dst, src).unwrap();
        assert_same(&values::<f32>(dst), &expected, "shifted in place");
    }
    let before = values::<f32>(a);
    tile::copy_to(&core, SITE, a, a).unwrap();
    assert_same(&values::<f32>(a), &before, "onto itself");
}

#[test]
fn copies_of_another_shape_or_type_are_refused() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = tile::zeros(&core, SITE, DType::F32, &[4, 6]).unwrap();
    let row = tile::zeros(&core, SITE, DType::F32, &[1, 6]).unwrap();
    let text = message("copy_to", tile::copy_to(&core, SITE, a, row));
    assert!(
        text.contains("[1, 6] f32 cannot be copied to [4, 6] f32"),
        "{text}"
    );
    let half = tile::zeros(&core, SITE, DType::F16, &[4, 6]).unwrap();
    message("copy_to", tile::copy_to(&core, SITE, a, half))
        .find("`cast::<f32>`")
        .unwrap();
    let flags = tile::full(&core, SITE, DType::Bool, &[3], true).unwrap();
    let copy = tile::zeros(&core, SITE, DType::Bool, &[3]).unwrap();
    tile::copy_to(&core, SITE, copy, flags).unwrap();
    assert_eq!(values::<bool>(copy), [true; 3]);
}
