//! How the device compares two views of a buffer (runtime specification §6.5).
//!
//! By elements, whatever their size, and exactly only where both are boxes of one grid that fills
//! the buffer. Kept apart from [`Region::overlaps`], which is complete and works on bytes.

use super::Region;
use crate::tensor::View;

/// What a queried view has of an entry's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Apart,
    /// All of it.
    Covers,
    /// Some of it, or that is not known.
    Other,
}

/// `buffer` is the size of the buffer of both, in bytes.
pub(super) fn relation(query: &Region<'_>, entry: &Region<'_>, buffer: u64) -> Relation {
    let ((a, b), (c, d)) = (query.elements(), entry.elements());
    if query.base() != entry.base() || b <= c || d <= a {
        return Relation::Apart;
    }
    let (query, entry) = (query.view(), entry.view());
    let elements = buffer as usize >> query.dtype().bytes().ilog2();
    // The usual case, quickly.
    if let Some(row) = query.row().filter(|_| same_rows(query, entry)) {
        let in_grid = row == 1
            || [elements, query.offset(), entry.offset()]
                .iter()
                .all(|n| n.is_multiple_of(row));
        return if in_grid && a <= c && d <= b {
            Relation::Covers
        } else {
            Relation::Other
        };
    }
    if !shares_grid(query, entry, elements) {
        return Relation::Other;
    }
    let (mut rests, mut covers) = ((query.offset(), entry.offset()), true);
    for (axis, &stride) in query.strides().iter().enumerate() {
        let (a, c) = (rests.0 / stride, rests.1 / stride);
        let (b, d) = (a + query.dims()[axis], c + entry.dims()[axis]);
        if b <= c || d <= a {
            return Relation::Apart;
        }
        covers &= a <= c && d <= b;
        rests = (rests.0 % stride, rests.1 % stride);
    }
    if covers {
        Relation::Covers
    } else {
        Relation::Other
    }
}

/// Whether the device sees that a view covers itself.
#[inline]
pub(super) fn covers_itself(view: &Region<'_>, buffer: u64) -> bool {
    // The usual case, quickly.
    view.view().row() == Some(1) && !view.is_empty()
        || relation(view, view, buffer) == Relation::Covers
}

/// Whether a row-major array has rows as another one.
fn same_rows(a: &View, b: &View) -> bool {
    a.row() == b.row() && a.dtype() == b.dtype() && a.strides() == b.strides()
}

/// Whether both are boxes of one row-major grid that fills the buffer.
fn shares_grid(a: &View, b: &View, elements: usize) -> bool {
    let strides = a.strides();
    a.dtype() == b.dtype()
        && strides == b.strides()
        && strides.last() == Some(&1)
        && strides
            .windows(2)
            .all(|pair| pair[1] > 0 && pair[0].is_multiple_of(pair[1]))
        && strides[0] > 0
        && elements.is_multiple_of(strides[0])
        && [a, b].iter().all(|view| fits(view, elements))
}

/// Whether no side of the box sticks out of its dimension of the grid.
fn fits(view: &View, elements: usize) -> bool {
    let (mut rest, mut outer) = (view.offset(), elements);
    view.strides()
        .iter()
        .zip(view.dims())
        .all(|(&stride, &dim)| {
            let start = rest / stride;
            let inside = start + dim <= outer / stride;
            (rest, outer) = (rest % stride, stride);
            inside
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::site::Site;
    use crate::tensor::SliceItem::{Full, Range};
    use proptest::prelude::*;

    fn part(x: &View, rows: (usize, usize), columns: (usize, usize)) -> View {
        let items = [Range(rows.0, rows.1), Range(columns.0, columns.1)];
        x.slice(&items, Site::ROOT).unwrap()
    }

    /// What the first view of a buffer of so many bytes has of the second.
    fn relation(query: &View, entry: &View, buffer: u64) -> Relation {
        let region = |view| Region::new(std::ptr::without_provenance(4096), view);
        super::relation(&region(query), &region(entry), buffer)
    }

    #[test]
    fn row_blocks_of_an_external_tensor_are_apart_covered_or_other() {
        let x = View::contiguous(DType::F32, &[8, 64]).unwrap();
        let whole = |a, b| part(&x, (a, b), (0, 64));
        let entry = whole(0, 4);
        assert_eq!(relation(&whole(4, 8), &entry, 2048), Relation::Apart);
        assert_eq!(relation(&whole(0, 8), &entry, 2048), Relation::Covers);
        assert_eq!(relation(&whole(2, 6), &entry, 2048), Relation::Other);
    }

    #[test]
    fn padding_that_is_no_multiple_of_a_row_makes_column_blocks_other() {
        let x = View::contiguous(DType::F32, &[4, 100]).unwrap();
        let (left, right) = (part(&x, (0, 4), (0, 50)), part(&x, (0, 4), (50, 100)));
        assert_eq!(relation(&right, &left, 2048), Relation::Other, "512 % 100");
        assert_eq!(relation(&right, &left, 1600), Relation::Apart);
        let (top, bottom) = (part(&x, (0, 2), (0, 100)), part(&x, (2, 4), (0, 100)));
        assert_eq!(relation(&top, &bottom, 2048), Relation::Apart);
    }

    #[test]
    fn elements_are_compared_whatever_their_size() {
        let floats = View::contiguous(DType::F32, &[16]).unwrap();
        let bytes = View::contiguous(DType::U8, &[64]).unwrap();
        let tail = bytes.slice(&[Range(60, 64)], Site::ROOT).unwrap();
        assert_eq!(relation(&floats, &tail, 64), Relation::Apart);
    }

    proptest! {
        #[test]
        fn whole_rows_are_compared_as_any_boxes_are(
            rows in 1..5_usize, columns in 1..5_usize, padding in 0..6_u64,
            a in (0..4_usize, 1..4_usize), b in (0..4_usize, 1..4_usize), skew in 0..3_usize,
        ) {
            let x = View::contiguous(DType::U8, &[9, rows, columns]).unwrap();
            let view = |(start, count): (usize, usize), skew| {
                let offset = start * rows * columns + skew;
                View::strided(DType::U8, offset, &[count, rows, columns], x.strides())
            };
            let (a, b) = (view(a, skew), view(b, 0));
            let elements = 9 * rows * columns + padding as usize;
            let quick = relation(&a, &b, elements as u64);
            if quick != Relation::Apart {
                let covers = a.offset() <= b.offset()
                    && b.offset() + b.elements() <= a.offset() + a.elements();
                let slow = covers && shares_grid(&a, &b, elements);
                prop_assert_eq!(quick == Relation::Covers, slow);
            }
        }
    }

    #[test]
    fn other_strides_are_other() {
        let x = View::contiguous(DType::F32, &[8, 64]).unwrap();
        let turned = x.transpose(0, 1, Site::ROOT).unwrap();
        let row = x.slice(&[Range(1, 2), Full], Site::ROOT).unwrap();
        assert_eq!(relation(&turned, &row, 2048), Relation::Other);
    }
}
