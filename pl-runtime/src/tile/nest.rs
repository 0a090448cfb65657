//! Loop nests over strided operands of one shape.

use crate::tensor::MAX_RANK;

/// The nest that visits `N` operands together, row by row; neighbouring dimensions that all
/// operands step through evenly are one dimension.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nest<const N: usize> {
    rank: usize,
    /// Innermost first.
    dims: [usize; MAX_RANK],
    strides: [[usize; N]; MAX_RANK],
}

impl<const N: usize> Nest<N> {
    /// `strides` holds, for each operand, one stride for each of `dims`.
    pub(super) fn new(dims: &[usize], strides: [&[usize]; N]) -> Self {
        let mut nest = Self {
            rank: 0,
            dims: [1; MAX_RANK],
            strides: [[1; N]; MAX_RANK],
        };
        for (axis, &dim) in dims.iter().enumerate().rev() {
            let steps: [usize; N] = std::array::from_fn(|n| strides[n][axis]);
            if dim == 1 {
                continue;
            }
            if nest.rank > 0 {
                let last = nest.rank - 1;
                let even = (0..N).all(|n| steps[n] == nest.strides[last][n] * nest.dims[last]);
                if even {
                    nest.dims[last] *= dim;
                    continue;
                }
            }
            nest.dims[nest.rank] = dim;
            nest.strides[nest.rank] = steps;
            nest.rank += 1;
        }
        nest
    }

    /// Elements of a row.
    #[inline(always)]
    pub(super) fn row(&self) -> usize {
        self.dims[0]
    }

    /// Steps of the operands along a row.
    #[inline(always)]
    pub(super) fn steps(&self) -> [usize; N] {
        self.strides[0]
    }

    /// The first element of every row, in each operand; no rows if there are no elements.
    #[inline(always)]
    pub(super) fn rows(&self) -> Rows<'_, N> {
        let left = if self.dims[0] == 0 {
            0
        } else {
            self.dims[1..].iter().product()
        };
        Rows {
            nest: self,
            index: [0; MAX_RANK],
            at: [0; N],
            left,
        }
    }
}

/// Iterator over the rows of a [`Nest`].
#[derive(Debug)]
pub(super) struct Rows<'a, const N: usize> {
    nest: &'a Nest<N>,
    index: [usize; MAX_RANK],
    at: [usize; N],
    left: usize,
}

impl<const N: usize> Iterator for Rows<'_, N> {
    type Item = [usize; N];

    #[inline(always)]
    fn next(&mut self) -> Option<[usize; N]> {
        self.left = self.left.checked_sub(1)?;
        let row = self.at;
        for axis in 1..self.nest.rank {
            self.index[axis] += 1;
            let (dim, steps) = (self.nest.dims[axis], &self.nest.strides[axis]);
            let wraps = self.index[axis] == dim;
            for (at, step) in self.at.iter_mut().zip(steps) {
                *at += step;
                if wraps {
                    *at -= step * dim;
                }
            }
            if !wraps {
                break;
            }
            self.index[axis] = 0;
        }
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_dimensions_become_one_row() {
        let nest = Nest::new(&[2, 3, 4], [&[12, 4, 1], &[12, 4, 1]]);
        assert_eq!((nest.row(), nest.steps()), (24, [1, 1]));
        assert_eq!(nest.rows().collect::<Vec<_>>(), [[0, 0]]);
    }

    #[test]
    fn rows_of_a_broadcast_operand_start_at_its_own_steps() {
        let nest = Nest::new(&[2, 2, 3], [&[6, 3, 1], &[2, 1, 0]]);
        assert_eq!((nest.row(), nest.steps()), (3, [1, 0]));
        assert_eq!(
            nest.rows().collect::<Vec<_>>(),
            [[0, 0], [3, 1], [6, 2], [9, 3]]
        );
    }

    #[test]
    fn a_single_element_is_a_row_and_no_elements_are_none() {
        assert_eq!(Nest::<1>::new(&[], [&[]]).rows().count(), 1);
        assert_eq!(Nest::new(&[0, 3], [&[3, 1]]).rows().count(), 0);
        assert_eq!(Nest::new(&[3, 0], [&[0, 1]]).rows().count(), 0);
        assert_eq!(Nest::new(&[2, 0, 3], [&[9, 3, 1],]).rows().count(), 0);
    }
}
