//! The rows of a tile, one after the other, each as a slice.

use super::memory::Bits;
use super::nest::Nest;
use crate::tensor::View;

/// Where the rows of a tile lie: its last dimension.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    /// All dimensions but the last.
    nest: Nest<1>,
    row: usize,
    step: usize,
}

impl Lines {
    /// `view` has a dimension.
    pub(super) fn new(view: &View) -> Self {
        let last = view.rank() - 1;
        let (dims, strides) = (view.dims(), view.strides());
        Self {
            nest: Nest::new(&dims[..last], [&strides[..last]]),
            row: dims[last],
            step: strides[last],
        }
    }

    /// Elements of a row.
    pub(super) fn row(&self) -> usize {
        self.row
    }

    /// Where each row starts, in order. Rows without elements are none.
    #[inline(always)]
    pub(super) fn starts(&self) -> impl Iterator<Item = usize> {
        let (n, [step]) = (self.nest.row(), self.nest.steps());
        let rows = if self.row == 0 { 0 } else { usize::MAX };
        self.nest
            .rows()
            .take(rows)
            .flat_map(move |[at]| (0..n).map(move |i| at + i * step))
    }

    /// The row that starts at `start`, as neighbours: one with gaps is copied to `copy` before.
    #[inline(always)]
    pub(super) fn line<'a, T: Bits>(
        &self,
        a: &'a [T],
        start: usize,
        copy: &'a mut Vec<T>,
    ) -> &'a [T] {
        if self.step == 1 {
            return &a[start..start + self.row];
        }
        copy.clear();
        copy.extend((0..self.row).map(|i| a[start + i * self.step]));
        copy
    }
}
