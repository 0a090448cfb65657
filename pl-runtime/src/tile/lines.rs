//! The rows of a tile, one after the other, each as a slice.

use super::nest::Nest;
use super::scratch::Bits;
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

    /// Calls `f` with each row in order; one with gaps is copied before, so that `f` is a loop over
    /// neighbours. Rows without elements are none.
    #[inline(always)]
    pub(super) fn for_each<T: Bits>(&self, a: &[T], mut f: impl FnMut(&[T])) {
        if self.row == 0 {
            return;
        }
        let (n, [step_outer]) = (self.nest.row(), self.nest.steps());
        let mut copy = Vec::new();
        for [start] in self.nest.rows() {
            for i in 0..n {
                let at = start + i * step_outer;
                if self.step == 1 {
                    f(&a[at..at + self.row]);
                } else {
                    copy.clear();
                    copy.extend((0..self.row).map(|i| a[at + i * self.step]));
                    f(&copy);
                }
            }
        }
    }
}
