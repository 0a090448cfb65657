//! Tiles side by side, and rows of tiles chosen by indices.

use crate::support::*;
use pl_runtime::dtype::{DType, Element};
use pl_runtime::tensor::SliceItem;
use pl_runtime::tile;

fn check_concat<T: Sample>() {
    for (axis, a, b) in [
        (0, vec![2, 3], vec![4, 3]),
        (1, vec![2, 3], vec![2, 5]),
        (1, vec![4, 1], vec![4, 1]),
        (0, vec![3], vec![7]),
        (1, vec![2, 3, 4], vec![2, 2, 4]),
        (2, vec![2, 3, 4], vec![2, 3, 1]),
        (0, vec![0, 3], vec![2, 3]),
        (1, vec![2, 3], vec![2, 0]),
        (0, vec![0, 3], vec![0, 3]),
        (1, vec![0, 3], vec![0, 2]),
    ] {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let a = make_as::<T>(&core, layout, &a, T::sample);
            let b = make_as::<T>(&core, Layout::Contiguous, &b, |i| T::sample(i + 100));
            let out = tile::concat(&core, SITE, a, b, axis).unwrap();
            let mut dims = a.dims().to_vec();
            dims[axis] += b.dims()[axis];
            assert_eq!((out.dims(), out.dtype()), (dims.as_slice(), T::DTYPE));
            let expected = indices(&dims).into_iter().map(|mut index| {
                let mut from = a;
                if let Some(rest) = index[axis].checked_sub(a.dims()[axis]) {
                    index[axis] = rest;
                    from = b;
                }
                from.get::<T>(SITE, &index).unwrap()
            });
            let expected = expected.collect::<Vec<_>>();
            assert_same(&values::<T>(out), &expected, &format!("{a:?}, {b:?}"));
        }
    }
}

#[test]
fn the_second_tile_follows_the_first_along_the_axis() {
    for_numbers!(check_concat);
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[1, 2], |i| i == 0);
    let out = tile::concat(&core, SITE, a, a, 1).unwrap();
    assert_eq!(values::<bool>(out), [true, false, true, false]);
    // A tile beside itself, and a part beside the whole.
    let part = a
        .slice(&[SliceItem::Full, SliceItem::From(1)], SITE)
        .unwrap();
    let out = tile::concat(&core, SITE, part, a, 1).unwrap();
    assert_eq!(values::<bool>(out), [false, true, false]);
}

#[test]
fn tiles_that_do_not_fit_are_not_concatenated() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = tile::zeros(&core, SITE, DType::F32, &[2, 3]).unwrap();
    let concat = |b: &[usize], dtype: DType, axis: i32| {
        let b = tile::zeros(&core, SITE, dtype, b).unwrap();
        message("concat", tile::concat(&core, SITE, a, b, axis))
    };
    let text = concat(&[3, 3], DType::F32, 1);
    assert!(
        text.contains("[2, 3] f32 and [3, 3] f32 do not fit along dimension 1"),
        "{text}"
    );
    let text = concat(&[2], DType::F32, 0);
    assert!(text.contains("[2, 3] f32 and [2] f32 do not fit"), "{text}");
    let text = concat(&[2, 3], DType::F16, 0);
    assert!(
        text.ends_with("write `cast::<f32>` around the f16 one"),
        "{text}"
    );
    let text = concat(&[2, 3], DType::F32, 2);
    assert!(
        text.ends_with("[2, 3] f32 has no dimension 2; write one from 0 to 1"),
        "{text}"
    );
    let text = concat(&[2, 3], DType::F32, -1);
    assert!(text.contains("has no dimension -1"), "{text}");
    let single = tile::zeros(&core, SITE, DType::F32, &[]).unwrap();
    let text = message("concat", tile::concat(&core, SITE, single, single, 0));
    assert!(
        text.ends_with("[] f32 has no dimension; reshape it to `[1]`"),
        "{text}"
    );
}

fn check_take<T: Sample>() {
    for dims in [vec![5, 3], vec![5], vec![5, 2, 3], vec![5, 0]] {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            let a = make_as::<T>(&core, layout, &dims, T::sample);
            let rows = [4, 0, 2, 2, 1, 3, 4];
            let list = make(&core, &[7], |i| rows[i]);
            let out = tile::take_rows(&core, SITE, a, list).unwrap();
            let mut taken = dims.clone();
            taken[0] = 7;
            assert_eq!((out.dims(), out.dtype()), (taken.as_slice(), T::DTYPE));
            let expected = indices(&taken).into_iter().map(|mut index| {
                index[0] = rows[index[0]] as usize;
                a.get::<T>(SITE, &index).unwrap()
            });
            let expected = expected.collect::<Vec<_>>();
            assert_same(&values::<T>(out), &expected, &format!("{a:?}"));
        }
    }
}

#[test]
fn rows_are_taken_in_the_order_of_the_indices() {
    for_numbers!(check_take);
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[2, 2], |i| i == 1);
    let last = make(&core, &[1], |_| 1_u8);
    assert_eq!(
        values::<bool>(tile::take_rows(&core, SITE, a, last).unwrap()),
        [false; 2]
    );
}

fn takes<T: Element>(value: fn(usize) -> T) {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[3, 2], |i| i as i32);
    for layout in LAYOUTS {
        let list = make_as(&core, layout, &[3, 1], |i| value([2, 0, 1][i]));
        let out = values::<i32>(tile::take_rows(&core, SITE, a, list).unwrap());
        assert_eq!(out, [4, 5, 0, 1, 2, 3]);
    }
}

#[test]
fn indices_are_integers_of_any_type_in_a_line_or_a_column() {
    takes(|i| i as i8);
    takes(|i| i as i16);
    takes(|i| i as i32);
    takes(|i| i as i64);
    takes(|i| i as u8);
    takes(|i| i as u16);
    takes(|i| i as u32);
    takes(|i| i as u64);
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[3, 2], |i| i as i32);
    let none = tile::zeros(&core, SITE, DType::I64, &[0]).unwrap();
    assert_eq!(
        tile::take_rows(&core, SITE, a, none).unwrap().dims(),
        [0, 2]
    );
    let take = |list| message("take_rows", tile::take_rows(&core, SITE, a, list));
    let text = take(tile::zeros(&core, SITE, DType::F32, &[2]).unwrap());
    assert!(
        text.ends_with("[2] f32 holds no indices; `cast` it to an integer type, `cast::<i32>` say"),
        "{text}"
    );
    let text = take(tile::zeros(&core, SITE, DType::Bool, &[2]).unwrap());
    assert!(text.contains("[2] bool holds no indices"), "{text}");
    for dims in [vec![], vec![1, 2], vec![2, 2], vec![2, 1, 1]] {
        let text = take(tile::zeros(&core, SITE, DType::I32, &dims).unwrap());
        assert!(
            text.ends_with("i32 is no list of indices; reshape it to `[n]` or `[n, 1]`"),
            "{text}"
        );
    }
}

#[test]
fn an_index_outside_is_named_with_its_position_and_the_length() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[3, 2], |i| i as i32);
    let list = make(&core, &[4], |i| [0, 2, -1, 3][i]);
    let text = message("take_rows", tile::take_rows(&core, SITE, a, list));
    assert!(
        text.ends_with(
            "index -1 at position 2 is outside the 3 rows of [3, 2] i32; write indices from 0 to 2"
        ),
        "{text}"
    );
    let huge = make(&core, &[1, 1], |_| u64::MAX);
    let text = message("take_rows", tile::take_rows(&core, SITE, a, huge));
    assert!(
        text.contains("index 18446744073709551615 at position 0"),
        "{text}"
    );
    let none = tile::zeros(&core, SITE, DType::F32, &[0, 2]).unwrap();
    let text = message("take_rows", tile::take_rows(&core, SITE, none, huge));
    assert!(
        text.ends_with("the 0 rows of [0, 2] f32; it has no rows, so take none"),
        "{text}"
    );
    let single = tile::zeros(&core, SITE, DType::F32, &[]).unwrap();
    let text = message("take_rows", tile::take_rows(&core, SITE, single, list));
    assert!(
        text.ends_with("[] f32 has no rows; reshape it to `[1]`"),
        "{text}"
    );
}
