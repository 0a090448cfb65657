//! How two operands of different shapes meet.

use crate::tensor::{MAX_RANK, View};

/// The shape that two shapes broadcast to as in numpy, and the steps of each operand through it.
pub(super) struct Broadcast {
    rank: usize,
    dims: [usize; MAX_RANK],
    strides: [[usize; MAX_RANK]; 2],
}

impl Broadcast {
    pub(super) fn new(a: &View, b: &View) -> Result<Self, String> {
        let rank = a.rank().max(b.rank());
        let mut both = Self {
            rank,
            dims: [1; MAX_RANK],
            strides: [[0; MAX_RANK]; 2],
        };
        for axis in 0..rank {
            let side = |view: &View| {
                let own = (axis + view.rank()).checked_sub(rank)?;
                Some((view.dims()[own], view.strides()[own]))
            };
            let (da, sa) = side(a).unwrap_or((1, 0));
            let (db, sb) = side(b).unwrap_or((1, 0));
            if da != db && da != 1 && db != 1 {
                return Err(format!(
                    "{a} and {b} do not broadcast: {da} and {db} meet in one dimension; make them \
                     equal, or one of them 1"
                ));
            }
            both.dims[axis] = if da == 1 { db } else { da };
            both.strides[0][axis] = if da == 1 { 0 } else { sa };
            both.strides[1][axis] = if db == 1 { 0 } else { sb };
        }
        Ok(both)
    }

    pub(super) fn dims(&self) -> &[usize] {
        &self.dims[..self.rank]
    }

    pub(super) fn strides(&self, operand: usize) -> &[usize] {
        &self.strides[operand][..self.rank]
    }
}
