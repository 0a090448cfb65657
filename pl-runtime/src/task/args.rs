//! What a running task is given.

use super::{KernelFn, KernelInfo, MAX_TENSORS};
use crate::dtype::{Scalar, ScalarValue};
use crate::error::OperationError;
use crate::record::Count;
use crate::site::Site;
use crate::tensor::{MAX_RANK, Permission, RawTensor, SliceItem, Tensor};
use std::cell::Cell;
use std::ops::Range;

/// The arguments of a running task, and which of its blocks this is.
///
/// An index or a type that the task was not submitted with is a mistake in the kernel: it panics,
/// which the run reports as `KERNEL_FAILED`.
#[derive(Clone, Copy, Debug)]
pub struct TaskArgs<'t> {
    pub(crate) kernel: &'static KernelInfo,
    tensors: &'t [RawTensor],
    scalars: &'t [ScalarValue],
    /// None for one kernel with one block.
    place: Option<&'t Place<'t>>,
}

/// Which part of a task runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'t> {
    pub(crate) block_idx: u32,
    pub(crate) block_num: u32,
    pub(crate) sub_block_id: u32,
    pub(crate) axes: &'t Axes,
}

/// The dimension along which the blocks of a task have taken each tensor apart.
#[derive(Debug, Default)]
pub(crate) struct Axes([Cell<Option<usize>>; MAX_TENSORS]);

impl<'t> TaskArgs<'t> {
    /// Those of a task with one block.
    #[inline]
    pub(crate) fn new(
        kernel: &'static KernelInfo,
        tensors: &'t [RawTensor],
        scalars: &'t [ScalarValue],
    ) -> Self {
        Self {
            kernel,
            tensors,
            scalars,
            place: None,
        }
    }

    /// Those of one kernel of one block.
    pub(crate) fn in_block<'b>(
        &'b self,
        kernel: &'static KernelInfo,
        place: &'b Place<'b>,
    ) -> TaskArgs<'b> {
        TaskArgs {
            kernel,
            place: Some(place),
            ..*self
        }
    }

    /// The tensors, as they lie in memory.
    pub(crate) fn raw_tensors(&self) -> &[RawTensor] {
        self.tensors
    }

    /// The scalars.
    pub(crate) fn scalar_values(&self) -> &[ScalarValue] {
        self.scalars
    }

    /// All that `run` can tell these arguments by, except for what lies in the tensors and where they
    /// lie.
    pub(crate) fn cost_key(&self, run: KernelFn) -> Box<[u64]> {
        let mut key = Vec::with_capacity(4 + 2 * self.scalars.len() + 8 * self.tensors.len());
        key.extend([
            run as usize as u64,
            u64::from(self.block_idx()) << 32 | u64::from(self.block_num()),
            u64::from(self.sub_block_id()),
            (self.tensors.len() << 32 | self.scalars.len()) as u64,
        ]);
        for scalar in self.scalars {
            key.extend([scalar.ty() as u64, scalar.bits()]);
        }
        for RawTensor {
            view, permission, ..
        } in self.tensors
        {
            key.push(
                (view.rank() << 16 | (view.dtype() as usize) << 8) as u64 | *permission as u64,
            );
            let sides = view.dims().iter().chain(view.strides());
            key.extend(sides.map(|&side| side as u64));
        }
        key.into()
    }

    /// Number of the block that runs, from 0 (runtime specification, §10).
    pub fn block_idx(&self) -> u32 {
        self.place.map_or(0, |place| place.block_idx)
    }

    /// Number of blocks of the task, as given to [`TaskSpec::blocks`](super::TaskSpec::blocks).
    pub fn block_num(&self) -> u32 {
        self.place.map_or(1, |place| place.block_num)
    }

    /// Which vector core of its cluster a kernel of a mixed task is for: 1 for AIV1 beside another
    /// kernel, else 0.
    pub fn sub_block_id(&self) -> u32 {
        self.place.map_or(0, |place| place.sub_block_id)
    }

    /// Tensor `index`, in the order of [`TaskSpec::new`](super::TaskSpec::new).
    pub fn tensor(&self, index: usize) -> Tensor<'t> {
        match self.tensors.get(index) {
            Some(raw) => Tensor::new(*raw),
            None => panic!(
                "`{}` uses tensor {index}, but was submitted with {}; pass it in the `args` of `TaskSpec::new`",
                self.kernel.name,
                self.tensors.len()
            ),
        }
    }

    /// This block's part of tensor `index`: of as many contiguous parts of dimension `axis` as there
    /// are blocks, the one with the number of the block. All parts have `ceil(length / blocks)` indices,
    /// except for the last ones, which may be shorter or empty. It may be loaded, and stored if the
    /// task writes the tensor. With one block it is the whole tensor.
    ///
    /// ```
    /// use pl_runtime::{OperationError, Scratch, Site, TaskArgs, tile};
    /// /// Doubles tensor 0, each block some of its rows.
    /// fn double(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    ///     let site = Site::new(file!(), line!());
    ///     let rows = args.partition(0, 0, site)?;
    ///     let tile = tile::load(core, site, rows)?;
    ///     tile::store(core, site, rows, tile::mul(core, site, tile, 2.0_f32)?)
    /// }
    /// # let _: pl_runtime::KernelFn = double;
    /// ```
    ///
    /// # Errors
    /// A tensor or a dimension that does not exist; for a tensor that the task writes, a dimension
    /// other than the one that it was taken apart along before, by this block or another: such
    /// parts would overlap.
    pub fn partition(
        &self,
        index: usize,
        axis: usize,
        site: Site,
    ) -> Result<Tensor<'t>, OperationError> {
        let refuse = |message: String| OperationError::new("partition", site, message);
        let Some(raw) = self.tensors.get(index) else {
            return Err(refuse(format!(
                "`{}` was submitted with {}, there is no tensor {index}; pass it in the \
                 `args` of `TaskSpec::new`",
                self.kernel.name,
                Count(self.tensors.len() as u64, "tensor")
            )));
        };
        let Some(&length) = raw.view.dims().get(axis) else {
            return Err(refuse(format!(
                "dimension {axis} does not exist in {}; use 0 to {}",
                raw.view,
                raw.view.rank() - 1
            )));
        };
        let mut taken = *raw;
        if raw.permission == Permission::Partition {
            let place = self.place.expect("a task of several blocks has a place");
            let first = &place.axes.0[index];
            if let Some(first) = first.get().filter(|&first| first != axis) {
                return Err(refuse(format!(
                    "{}, {}, was taken apart along dimension {first} before, and parts along dimension \
                     {axis} overlap those; use dimension {first} in all blocks",
                    self.kernel.param_name(index),
                    raw.view
                )));
            }
            first.set(Some(axis));
            taken.permission = Permission::LoadStore;
        }
        let range = part(length, self.block_idx(), self.block_num());
        let mut items = [SliceItem::Full; MAX_RANK];
        items[axis] = SliceItem::Range(range.start, range.end);
        taken.view = raw.view.slice(&items[..raw.view.rank()], site)?;
        Ok(Tensor::new(taken))
    }

    /// Scalar `index`, in the order of [`TaskSpec::new`](super::TaskSpec::new).
    pub fn scalar<T: Scalar>(&self, index: usize) -> T {
        match self.scalars.get(index).copied() {
            Some(value) => T::from_value(value).unwrap_or_else(|| {
                panic!(
                    "`{}` takes scalar {index} as {}, but was submitted with {:?}; pass a {}",
                    self.kernel.name,
                    T::NAME,
                    value.ty(),
                    T::NAME
                )
            }),
            None => panic!(
                "`{}` uses scalar {index}, but was submitted with {}; pass it in \
                 `scalars` of `TaskSpec::new`",
                self.kernel.name,
                self.scalars.len()
            ),
        }
    }
}

/// The indices of a block's part of a dimension.
fn part(length: usize, block_idx: u32, block_num: u32) -> Range<usize> {
    let part = length.div_ceil(block_num as usize);
    // A block behind the last index has an empty part, at the end.
    let start = part.saturating_mul(block_idx as usize).min(length);
    start..start.saturating_add(part).min(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(length: usize, blocks: u32) -> Vec<Range<usize>> {
        (0..blocks).map(|b| part(length, b, blocks)).collect()
    }

    #[test]
    fn parts_have_ceil_indices_and_the_last_ones_fewer() {
        assert_eq!(parts(8, 4), [0..2, 2..4, 4..6, 6..8]);
        assert_eq!(parts(9, 4), [0..3, 3..6, 6..9, 9..9]);
        assert_eq!(parts(7, 3), [0..3, 3..6, 6..7]);
        assert_eq!(parts(0, 2), [0..0, 0..0]);
        assert_eq!(parts(5, 1), std::slice::from_ref(&(0..5)));
    }

    #[test]
    fn no_number_of_blocks_overflows() {
        let last = u32::MAX - 1;
        assert_eq!(part(usize::MAX, last, u32::MAX).end, usize::MAX);
        assert_eq!(part(3, last, u32::MAX), 3..3);
    }
}
