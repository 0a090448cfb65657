//! What the orchestrator is told about a tensor to allocate.

use crate::dtype::{DType, ScalarValue};
use crate::tensor::{MAX_RANK, View};

/// A tensor to allocate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TensorCreateInfo {
    /// The dimensions alone, if there is no such tensor.
    view: View,
    exists: bool,
    rank: usize,
    init: Option<ScalarValue>,
    manual_dep: bool,
}

impl TensorCreateInfo {
    /// A row-major tensor. A rank that is not supported is reported where the tensor is allocated.
    pub fn new(dtype: DType, dims: &[usize]) -> Self {
        let view = View::contiguous(dtype, dims);
        let exists = view.is_ok();
        Self {
            view: view.unwrap_or_else(|_| {
                let known = &dims[..dims.len().min(MAX_RANK)];
                View::strided(dtype, 0, known, &[0; MAX_RANK][..known.len()])
            }),
            exists,
            rank: dims.len(),
            init: None,
            manual_dep: false,
        }
    }

    /// Fills the tensor with `value`, converted as by `as`.
    #[must_use]
    pub fn init(mut self, value: ScalarValue) -> Self {
        self.init = Some(value);
        self
    }

    /// Marks the tensor as ordered by declared dependencies only. Complete dependency discovery
    /// (the default) orders its tasks all the same.
    #[must_use]
    pub fn manual_dep(mut self) -> Self {
        self.manual_dep = true;
        self
    }

    /// Whether [`manual_dep`](Self::manual_dep) was asked for.
    pub fn is_manual_dep(&self) -> bool {
        self.manual_dep
    }

    pub(crate) fn initial_value(&self) -> Option<ScalarValue> {
        self.init
    }

    /// The tensor, at the start of its buffer.
    #[inline]
    pub(crate) fn view(&self) -> Result<&View, String> {
        if self.exists {
            Ok(&self.view)
        } else {
            Err(self.why_not())
        }
    }

    #[cold]
    fn why_not(&self) -> String {
        if self.rank > MAX_RANK {
            return format!(
                "rank {} is not supported; use 1 to {MAX_RANK} dimensions",
                self.rank
            );
        }
        let again = View::contiguous(self.view.dtype(), self.view.dims());
        again.expect_err("it was refused before")
    }
}
