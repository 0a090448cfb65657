//! Order along rows against plain sorts.

use crate::support::*;
use pl_runtime::dtype::DType;
use pl_runtime::error::OperationError;
use pl_runtime::site::Site;
use pl_runtime::tile::{self, Scratch, Tile};
use std::cmp::Ordering;

const COLUMNS: [usize; 6] = [1, 2, 7, 40, 65, 300];

/// The order of numbers, NaN above all.
fn order<T: Sample + PartialOrd>(a: &T, b: &T) -> Ordering {
    #[allow(clippy::eq_op, reason = "not so for NaN")]
    let nan = |v: &T| v != v;
    nan(a)
        .cmp(&nan(b))
        .then(a.partial_cmp(b).unwrap_or(Ordering::Equal))
}

/// The first `k` of each row in order, with their indices, by a stable sort.
fn expected<T: Sample + PartialOrd>(
    a: &[T],
    row: usize,
    k: usize,
    falling: bool,
) -> (Vec<T>, Vec<i32>) {
    let mut all = (Vec::new(), Vec::new());
    for row in a.chunks(row) {
        let mut pairs = row.iter().copied().zip(0..).collect::<Vec<(T, i32)>>();
        pairs.sort_by(|(a, _), (b, _)| if falling { order(b, a) } else { order(a, b) });
        all.0.extend(pairs[..k].iter().map(|pair| pair.0));
        all.1.extend(pairs[..k].iter().map(|pair| pair.1));
    }
    all
}

fn check<T: Sample + PartialOrd>() {
    for columns in COLUMNS {
        for layout in LAYOUTS {
            let mut arena = arena();
            let core = arena.start_task();
            // Many values come again.
            let a = make_as::<T>(&core, layout, &[3, columns], |i| T::sample(i * 7 % 50));
            let elements = values::<T>(a);
            let same = |out: (Tile<'_>, Tile<'_>), k: usize, falling: bool| {
                let (sorted, indices) = expected(&elements, columns, k, falling);
                let what = format!("{a:?}, {k}, {falling}");
                assert_eq!((out.0.dims(), out.0.dtype()), ([3, k].as_slice(), T::DTYPE));
                assert_eq!(
                    (out.1.dims(), out.1.dtype()),
                    ([3, k].as_slice(), DType::I32)
                );
                assert_same(&values::<T>(out.0), &sorted, &what);
                assert_eq!(values::<i32>(out.1), indices, "{what}");
            };
            same(tile::sort(&core, SITE, a).unwrap(), columns, false);
            same(
                tile::sort_descending(&core, SITE, a).unwrap(),
                columns,
                true,
            );
            for k in [0, 1, 2, columns / 2, columns] {
                if k <= columns {
                    same(tile::top_k(&core, SITE, a, k).unwrap(), k, true);
                }
            }
        }
    }
}

#[test]
fn rows_are_ordered_as_by_a_stable_sort_with_nan_above_all() {
    for_numbers!(check);
}

#[test]
fn both_zeros_are_equal_and_keep_their_order_and_sign() {
    let mut arena = arena();
    let core = arena.start_task();
    let line = [0.0_f32, -0.0, 1e-45, -1e-45, -f32::NAN, f32::NEG_INFINITY];
    let a = make(&core, &[1, 6], |i| line[i]);
    let (sorted, indices) = tile::sort(&core, SITE, a).unwrap();
    assert_eq!(values::<i32>(indices), [5, 3, 0, 1, 2, 4]);
    let sorted = values::<f32>(sorted);
    assert!(sorted[2].is_sign_positive() && sorted[3].is_sign_negative());
    let (_, indices) = tile::sort_descending(&core, SITE, a).unwrap();
    assert_eq!(values::<i32>(indices), [4, 2, 0, 1, 3, 5]);
    let (_, indices) = tile::top_k(&core, SITE, a, 4).unwrap();
    assert_eq!(values::<i32>(indices), [4, 2, 0, 1]);
}

#[test]
fn any_rank_is_ordered_along_its_last_dimension_and_nothing_gives_nothing() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[2, 2, 3], |i| (i * 5 % 12) as i32);
    let (sorted, _) = tile::sort(&core, SITE, a).unwrap();
    assert_eq!(sorted.dims(), [2, 2, 3]);
    assert_eq!(
        values::<i32>(sorted),
        [0, 5, 10, 1, 3, 8, 4, 6, 11, 2, 7, 9]
    );
    for dims in [[0, 3], [3, 0]] {
        let none = tile::zeros(&core, SITE, DType::F32, &dims).unwrap();
        let (sorted, indices) = tile::sort(&core, SITE, none).unwrap();
        assert_eq!(
            (sorted.dims(), indices.dims()),
            (dims.as_slice(), dims.as_slice())
        );
    }
}

#[test]
fn more_elements_than_a_row_has_are_refused() {
    let mut arena = arena();
    let core = arena.start_task();
    let a = make(&core, &[2, 3], |i| i as f32);
    let text = message("top_k", tile::top_k(&core, SITE, a, 4));
    assert!(
        text.ends_with(
            "there are no 4 elements in the rows of [2, 3] f32; write a number from 0 to 3"
        ),
        "{text}"
    );
    let text = message("top_k", tile::top_k(&core, SITE, a, -1));
    assert!(text.contains("there are no -1 elements"), "{text}");
    let text = message("top_k", tile::top_k(&core, SITE, a, 1.5));
    assert!(text.contains("there are no 1.5 elements"), "{text}");
}

type Operation =
    for<'s> fn(&'s Scratch<'_>, Site, Tile<'_>) -> Result<(Tile<'s>, Tile<'s>), OperationError>;

#[test]
fn bool_has_no_order() {
    let mut arena = arena();
    let core = arena.start_task();
    let flags = tile::zeros(&core, SITE, DType::Bool, &[3, 2]).unwrap();
    let single = tile::zeros(&core, SITE, DType::F32, &[]).unwrap();
    for (name, operation) in [
        ("sort", tile::sort as Operation),
        ("sort_descending", tile::sort_descending),
        ("top_k", |s, site, a| tile::top_k(s, site, a, 1)),
    ] {
        let text = message(name, operation(&core, SITE, flags));
        assert!(text.ends_with("`cast` the tile to a number type"), "{text}");
        let text = message(name, operation(&core, SITE, single));
        assert!(text.contains("no dimension to go along"), "{text}");
    }
}
