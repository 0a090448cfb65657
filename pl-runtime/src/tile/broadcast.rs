//! How operands of different shapes meet.

use crate::tensor::{MAX_RANK, View};

/// The shape that shapes broadcast to as in numpy, and the steps of each operand through it.
pub(super) struct Broadcast<const N: usize> {
    rank: usize,
    dims: [usize; MAX_RANK],
    strides: [[usize; MAX_RANK]; N],
}

impl<const N: usize> Broadcast<N> {
    pub(super) fn new(views: [&View; N]) -> Result<Self, String> {
        let rank = views.iter().map(|view| view.rank()).max().unwrap_or(0);
        let mut all = Self {
            rank,
            dims: [1; MAX_RANK],
            strides: [[0; MAX_RANK]; N],
        };
        for axis in 0..rank {
            // The operand whose length is that of the result.
            let mut longest: Option<&View> = None;
            for (view, strides) in views.iter().zip(&mut all.strides) {
                let Some(own) = (axis + view.rank()).checked_sub(rank) else {
                    continue;
                };
                let (dim, before) = (view.dims()[own], all.dims[axis]);
                if dim == 1 {
                    continue;
                }
                if let Some(other) = longest
                    && dim != before
                {
                    return Err(format!(
                        "{other} and {view} do not broadcast: {before} and {dim} meet in one \
                         dimension; make them equal, or one of them 1"
                    ));
                }
                longest = Some(view);
                all.dims[axis] = dim;
                strides[axis] = view.strides()[own];
            }
        }
        Ok(all)
    }

    pub(super) fn dims(&self) -> &[usize] {
        &self.dims[..self.rank]
    }

    pub(super) fn strides(&self, operand: usize) -> &[usize] {
        &self.strides[operand][..self.rank]
    }
}
