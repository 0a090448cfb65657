//! What a running task is given.

use super::KernelInfo;
use crate::dtype::{Scalar, ScalarValue};
use crate::tensor::{RawTensor, Tensor};

/// The arguments of a running task.
///
/// An index or a type that the task was not submitted with is a mistake in the kernel: it panics,
/// which the run reports as `KERNEL_FAILED`.
#[derive(Clone, Copy, Debug)]
pub struct TaskArgs<'t> {
    pub(crate) kernel: &'static KernelInfo,
    pub(crate) tensors: &'t [RawTensor],
    pub(crate) scalars: &'t [ScalarValue],
}

impl<'t> TaskArgs<'t> {
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
