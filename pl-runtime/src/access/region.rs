//! Which bytes a view touches, and whether two views touch a common byte.

use crate::tensor::{MAX_RANK, View};

/// The bytes of a view of an allocation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region<'v> {
    span: Span,
    view: &'v View,
}

/// Where the bytes of a view begin and end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    /// Address that the view's offset counts from.
    base: usize,
    /// Addresses of the first byte and behind the last one, gaps included.
    start: usize,
    end: usize,
}

/// One dimension of a box: `length` steps from `start`, in units of a stride.
type Sides = [(usize, usize); MAX_RANK + 1];

impl<'v> Region<'v> {
    #[inline]
    pub(crate) fn new(base: *const u8, view: &'v View) -> Self {
        let (base, size) = (base.addr(), view.dtype().bytes());
        let start = base + view.offset() * size;
        let end = start + view.extent() * size;
        let span = Span { base, start, end };
        Self { span, view }
    }

    /// The region that has given this span.
    #[inline]
    pub(super) fn from_span(span: Span, view: &'v View) -> Self {
        Self { span, view }
    }

    #[inline]
    pub(super) fn span(&self) -> Span {
        self.span
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.span.start == self.span.end
    }

    /// Addresses of the first byte and behind the last one, gaps included.
    #[inline]
    pub(crate) fn bytes(&self) -> (usize, usize) {
        (self.span.start, self.span.end)
    }

    /// First element and the one behind the last, gaps included, from the start of the buffer.
    #[inline]
    pub(super) fn elements(&self) -> (usize, usize) {
        let start = self.view.offset();
        (start, start + self.view.extent())
    }

    /// Address of the start of the buffer.
    #[inline]
    pub(super) fn base(&self) -> usize {
        self.span.base
    }

    #[inline]
    pub(super) fn view(&self) -> &'v View {
        self.view
    }

    /// Whether it is the same view of the same bytes.
    #[inline]
    pub(super) fn equals(&self, other: &Region<'_>) -> bool {
        let (a, b) = (self.view, other.view);
        self.span == other.span
            && a.dtype() == b.dtype()
            && match (a.row(), b.row()) {
                // Two strides and the length say all.
                (Some(a_row), Some(b_row)) if a.rank() == b.rank() && a.rank() <= 2 => {
                    a_row == b_row
                }
                _ => a == b,
            }
    }

    /// Bytes from the start of the allocation, of the part that both extents share.
    pub(crate) fn common(&self, other: &Region<'_>) -> (u64, u64) {
        let base = self.span.base.min(other.span.base);
        let (start, end) = (
            self.span.start.max(other.span.start),
            self.span.end.min(other.span.end),
        );
        ((start - base) as u64, (end - base) as u64)
    }

    /// Whether a byte is in both. Exact for boxes of one grid, such as slices of one tensor, transposed or with
    /// dropped dimensions; otherwise by extent.
    pub(crate) fn overlaps(&self, other: &Region<'_>) -> bool {
        let apart = self.is_empty()
            || other.is_empty()
            || self.span.end <= other.span.start
            || other.span.end <= self.span.start;
        if apart || (self.view.is_contiguous() && other.view.is_contiguous()) {
            return !apart;
        }
        match self.boxes(other) {
            Some((a, b)) => a
                .iter()
                .zip(&b)
                .all(|(a, b)| a.0 < b.0 + b.1 && b.0 < a.0 + a.1),
            None => true,
        }
    }

    /// Whether every byte of `other` is in `self`; may say no where it is.
    pub(crate) fn covers(&self, other: &Region<'_>) -> bool {
        if self.span.start > other.span.start || self.span.end < other.span.end {
            return false;
        }
        self.view.is_contiguous()
            || self.boxes(other).is_some_and(|(a, b)| {
                a.iter()
                    .zip(&b)
                    .all(|(a, b)| a.0 <= b.0 && b.0 + b.1 <= a.0 + a.1)
            })
    }

    /// Both views as boxes of one grid, if their strides span one: each a multiple of the next, from the same
    /// base, and no box sticks out of its dimension. Views may be transposed, and lack dimensions of the other.
    fn boxes(&self, other: &Region<'_>) -> Option<(Sides, Sides)> {
        let (a, b) = (self.view, other.view);
        if self.span.base != other.span.base || a.dtype().bytes() != b.dtype().bytes() {
            return None;
        }
        let mut grid = Grid::default();
        grid.add(a)?;
        if a.strides() != b.strides() || a.dims() != b.dims() {
            grid.add(b)?;
        }
        let strides = &mut grid.strides[..grid.len];
        strides.sort_unstable_by_key(|&stride| std::cmp::Reverse(stride));
        Some((sides(a, strides)?, sides(b, strides)?))
    }
}

/// The strides of dimensions that have neighbours.
#[derive(Default)]
struct Grid {
    strides: [usize; MAX_RANK],
    len: usize,
}

impl Grid {
    fn add(&mut self, view: &View) -> Option<()> {
        for (&stride, &length) in view.strides().iter().zip(view.dims()) {
            if length > 1 && !self.strides[..self.len].contains(&stride) {
                *self.strides.get_mut(self.len)? = stride;
                self.len += 1;
            }
        }
        Some(())
    }
}

/// `view` as a box of a grid of these strides, largest first, then single elements.
fn sides(view: &View, strides: &[usize]) -> Option<Sides> {
    let mut sides = [(0, 1); MAX_RANK + 1];
    let (mut rest, mut outer) = (view.offset(), None);
    for (side, &stride) in sides.iter_mut().zip(strides) {
        if stride == 0 {
            return None;
        }
        let mut lengths = view
            .strides()
            .iter()
            .zip(view.dims())
            .filter_map(|(&of, &length)| (of == stride && length > 1).then_some(length));
        let length = lengths.next().unwrap_or(1);
        if lengths.next().is_some() {
            return None;
        }
        let start = rest / stride;
        rest %= stride;
        if let Some(outer) = outer {
            let fits = usize::is_multiple_of(outer, stride) && start + length <= outer / stride;
            if !fits {
                return None;
            }
        }
        *side = (start, length);
        outer = Some(stride);
    }
    sides[strides.len()] = (rest, 1);
    Some(sides)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::site::Site;
    use crate::tensor::SliceItem::{Full, Index, Range};
    use proptest::prelude::*;
    use std::collections::HashSet;

    const BASE: *const u8 = std::ptr::without_provenance(4096);

    fn rows(view: &View, start: usize, end: usize) -> View {
        view.slice(&[Range(start, end), Full], Site::ROOT).unwrap()
    }

    fn columns(view: &View, start: usize, end: usize) -> View {
        view.slice(&[Full, Range(start, end)], Site::ROOT).unwrap()
    }

    fn overlap(a: &View, b: &View) -> bool {
        Region::new(BASE, a).overlaps(&Region::new(BASE, b))
    }

    fn covers(a: &View, b: &View) -> bool {
        Region::new(BASE, a).covers(&Region::new(BASE, b))
    }

    #[test]
    fn row_blocks_are_disjoint_covered_or_overlapping() {
        let x = View::contiguous(DType::F32, &[8, 64]).unwrap();
        let entry = rows(&x, 0, 4);
        assert!(!overlap(&entry, &rows(&x, 4, 8)));
        assert!(covers(&x, &entry));
        assert!(overlap(&entry, &rows(&x, 2, 6)));
        assert!(!covers(&rows(&x, 2, 6), &entry));
    }

    #[test]
    fn column_blocks_of_any_width_are_disjoint() {
        let x = View::contiguous(DType::F32, &[4, 100]).unwrap();
        assert!(!overlap(&columns(&x, 0, 30), &columns(&x, 30, 100)));
        assert!(overlap(&columns(&x, 0, 31), &columns(&x, 30, 100)));
        assert!(covers(&columns(&x, 10, 50), &columns(&x, 20, 30)));
    }

    #[test]
    fn views_of_other_element_sizes_are_compared_by_bytes() {
        let floats = View::contiguous(DType::F32, &[16]).unwrap();
        let bytes = View::contiguous(DType::U8, &[64]).unwrap();
        let tail = bytes.slice(&[Range(60, 64)], Site::ROOT).unwrap();
        assert!(overlap(&floats, &tail));
        let head = floats.slice(&[Range(0, 15)], Site::ROOT).unwrap();
        assert!(!overlap(&head, &tail));
    }

    #[test]
    fn an_empty_view_overlaps_nothing() {
        let x = View::contiguous(DType::F32, &[8, 64]).unwrap();
        assert!(!overlap(&rows(&x, 3, 3), &x));
    }

    fn elements(view: &View) -> HashSet<usize> {
        let mut all = HashSet::from([view.offset()]);
        for (&dim, &stride) in view.dims().iter().zip(view.strides()) {
            all = all
                .iter()
                .flat_map(|at| (0..dim).map(move |i| at + i * stride))
                .collect();
        }
        all
    }

    fn part() -> impl Strategy<Value = View> {
        let range = |n: usize| (0..=n, 0..=n).prop_map(|(a, b)| Range(a.min(b), a.max(b)));
        let drop = prop_oneof![3 => Just(false), 1 => Just(true)];
        let parts = (range(6), range(5), any::<bool>(), any::<bool>(), drop);
        parts.prop_map(|(a, b, transposed, column, drop)| {
            let x = View::contiguous(DType::F32, &[6, 5]).unwrap();
            let x = if column {
                x.slice(&[Full, Range(1, 5)], Site::ROOT).unwrap()
            } else {
                x
            };
            let b = match b {
                Range(start, end) if column => Range(start.min(4), end.min(4)),
                other => other,
            };
            if let (true, Range(start, _)) = (drop && !column, b) {
                return x.slice(&[a, Index(start.min(4))], Site::ROOT).unwrap();
            }
            let x = x.slice(&[a, b], Site::ROOT).unwrap();
            if transposed {
                x.transpose(0, 1, Site::ROOT).unwrap()
            } else {
                x
            }
        })
    }

    proptest! {
        #[test]
        fn parts_of_one_tensor_are_compared_exactly(a in part(), b in part()) {
            let (x, y) = (Region::new(BASE, &a), Region::new(BASE, &b));
            let common = !elements(&a).is_disjoint(&elements(&b));
            prop_assert_eq!(x.overlaps(&y), common);
            prop_assert_eq!(y.overlaps(&x), common);
            if x.covers(&y) && !y.is_empty() {
                prop_assert!(elements(&b).is_subset(&elements(&a)));
            }
        }
    }
}
