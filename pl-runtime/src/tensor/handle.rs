//! Handles on tensors in device memory.
//!
//! # Invariants of the unsafe code
//! * Device memory is never reached through references, only copied from and to.
//! * A [`RawTensor`] is made by the runtime for mapped ring memory or a borrowed array, and its
//!   view only ever narrows: every element of the view is valid for reads, and if it is writable
//!   for writes, while the tensor's scope is open. One without data has an address that only
//!   tells it apart from others: nothing is read or written there.
//! * [`Tensor::source`] and [`Tensor::destination`] refuse handles that do not belong to a running
//!   task; what orders tasks keeps conflicting accesses apart. The orchestrator uses
//!   [`RawTensor::read`] and [`RawTensor::write`] after waiting for the tasks in conflict; an
//!   [`ElementRef`] is read by a task that was submitted as a reader of the element.

use super::{SliceItem, View};
use crate::dtype::{DType, ScalarValue};
use crate::error::OperationError;
use crate::site::Site;
use crate::task::TaskKey;
use std::fmt;
use std::marker::PhantomData;

/// What may be done with a tensor through a handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Permission {
    /// Orchestration: hand to tasks that read.
    Readable,
    /// Orchestration: hand to tasks that read or write.
    Writable,
    /// In a task: load.
    Load,
    /// In a task: load and store.
    LoadStore,
    /// In a task of several blocks that write it: take the block's part.
    Partition,
}

impl Permission {
    /// What one of the `blocks` blocks of a task may do with an argument.
    #[inline]
    pub(crate) fn in_task(writes: bool, blocks: u32) -> Self {
        match (writes, blocks) {
            (false, _) => Self::Load,
            (true, 0..=1) => Self::LoadStore,
            (true, _) => Self::Partition,
        }
    }
}

/// A tensor without the lifetime that ties it to its scope.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct RawTensor {
    pub(crate) view: View,
    /// Start of the buffer that the view's offset counts from.
    pub(crate) base: *mut u8,
    /// The task that allocated the buffer; none for an entry argument.
    pub(crate) owner: TaskKey,
    /// Size of the buffer.
    pub(crate) bytes: u64,
    /// Where accesses to the buffer are recorded: the position among the lists of its owner; for an
    /// entry argument the list, [`crate::access::UNTRACKED`] if nobody writes it.
    pub(crate) list: u32,
    /// Whether the device orders its tasks by declared dependencies only. Views forget it.
    pub(crate) manual_dep: bool,
    /// Whether its elements are kept: not by a run that is simulated, whose entry may be given shapes
    /// instead of arrays. Only the elements of the caller's arrays are there then.
    pub(crate) has_data: bool,
    pub(crate) permission: Permission,
}

/// One element of a tensor, to be read by the runner of a task that was submitted to read it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementRef {
    address: *const u8,
    dtype: DType,
}

impl ElementRef {
    /// The element. No running task writes it.
    pub(crate) fn value(self) -> ScalarValue {
        ScalarValue::from_element_bits(self.dtype, self.bits())
    }

    /// Its bits.
    fn bits(self) -> u64 {
        let from = self.address;
        // SAFETY: an element of a view (made by `RawTensor::element_ref`) whose writers have been
        // waited for; what it lies in is kept for the task that reads it.
        unsafe {
            match self.dtype.bytes() {
                1 => u64::from(from.read()),
                2 => u64::from(from.cast::<u16>().read_unaligned()),
                4 => u64::from(from.cast::<u32>().read_unaligned()),
                _ => from.cast::<u64>().read_unaligned(),
            }
        }
    }
}

// SAFETY: an address and a description; what may be done with them is said above. (Not `Sync`,
// which keeps the arguments of a task on the thread that runs it.)
unsafe impl Send for RawTensor {}

impl RawTensor {
    /// Address of the element at `index`, which is inside the view.
    fn element(&self, index: &[usize]) -> *mut u8 {
        assert_eq!(index.len(), self.view.rank());
        assert!(
            index.iter().zip(self.view.dims()).all(|(i, dim)| i < dim),
            "inside the view"
        );
        let steps = index
            .iter()
            .zip(self.view.strides())
            .map(|(i, stride)| i * stride);
        let at = self.view.offset() + steps.sum::<usize>();
        self.base.wrapping_add(at * self.view.dtype().bytes())
    }

    /// The element at `index`, which is inside the view; the tensor has data.
    pub(crate) fn element_ref(&self, index: &[usize]) -> ElementRef {
        assert!(self.has_data);
        ElementRef {
            address: self.element(index),
            dtype: self.view.dtype(),
        }
    }

    /// Bits of the element at `index`. No running task writes it.
    pub(crate) fn read(&self, index: &[usize]) -> u64 {
        assert!(self.has_data);
        self.element_ref(index).bits()
    }

    /// Sets the bits of the element at `index`. No running task uses it.
    pub(crate) fn write(&self, index: &[usize], bits: u64) {
        assert!(self.is_writable() && self.has_data);
        let to = self.element(index);
        // SAFETY: an element of the view, writable; the orchestrator has waited for its users.
        unsafe {
            match self.view.dtype().bytes() {
                1 => to.write(bits as u8),
                2 => to.cast::<u16>().write_unaligned(bits as u16),
                4 => to.cast::<u32>().write_unaligned(bits as u32),
                _ => to.cast::<u64>().write_unaligned(bits),
            }
        }
    }

    pub(crate) fn is_writable(&self) -> bool {
        matches!(
            self.permission,
            Permission::Writable | Permission::LoadStore
        )
    }
}

/// A tensor in device memory, or a part of one: copies name the same elements.
///
/// It cannot be used after the scope that it was allocated in.
#[derive(Clone, Copy)]
pub struct Tensor<'s> {
    raw: RawTensor,
    _scope: PhantomData<&'s ()>,
    _not_send: PhantomData<*mut u8>,
}

impl Tensor<'_> {
    pub(crate) fn new(raw: RawTensor) -> Self {
        Self {
            raw,
            _scope: PhantomData,
            _not_send: PhantomData,
        }
    }

    pub(crate) fn raw(&self) -> &RawTensor {
        &self.raw
    }

    fn with_view(mut self, view: View) -> Self {
        self.raw.view = view;
        self.raw.manual_dep = false;
        self
    }

    /// Shape, strides and place in the buffer.
    pub fn view(&self) -> &View {
        &self.raw.view
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        self.raw.view.dtype()
    }

    /// Length of each dimension, in elements.
    pub fn dims(&self) -> &[usize] {
        self.raw.view.dims()
    }

    /// Length of dimension `axis`, in elements.
    ///
    /// # Errors
    /// A dimension that does not exist.
    pub fn dim(&self, axis: usize, site: Site) -> Result<usize, OperationError> {
        self.raw.view.dim(axis, site)
    }

    /// The part of the tensor that `items` select; no element moves.
    ///
    /// # Errors
    /// Wrong number of items, or a bound past its dimension.
    pub fn slice(&self, items: &[SliceItem], site: Site) -> Result<Self, OperationError> {
        Ok(self.with_view(self.raw.view.slice(items, site)?))
    }

    /// The same elements under another shape; no element moves.
    ///
    /// # Errors
    /// Another number of elements, or a view with gaps.
    pub fn reshape(&self, dims: &[usize], site: Site) -> Result<Self, OperationError> {
        Ok(self.with_view(self.raw.view.reshape(dims, site)?))
    }

    /// The tensor with dimensions `a` and `b` exchanged; no element moves.
    ///
    /// # Errors
    /// A dimension that does not exist.
    pub fn transpose(&self, a: usize, b: usize, site: Site) -> Result<Self, OperationError> {
        Ok(self.with_view(self.raw.view.transpose(a, b, site)?))
    }

    /// The tensor with its dimensions in the order `axes`; no element moves.
    ///
    /// # Errors
    /// Not each dimension exactly once.
    pub fn permute(&self, axes: &[usize], site: Site) -> Result<Self, OperationError> {
        Ok(self.with_view(self.raw.view.permute(axes, site)?))
    }

    /// Start of the buffer, to copy elements from: valid for every element of [`Self::view`] if data is
    /// `wanted`.
    pub(crate) fn source(
        &self,
        operation: &'static str,
        site: Site,
        wanted: bool,
    ) -> Result<*const u8, OperationError> {
        self.check_data(operation, site, wanted)?;
        match self.raw.permission {
            Permission::Load | Permission::LoadStore => Ok(self.raw.base),
            Permission::Partition => Err(self.of_all_blocks(operation, site)),
            Permission::Readable | Permission::Writable => Err(self.outside(operation, site)),
        }
    }

    /// Start of the buffer, to copy elements to: valid for every element of [`Self::view`] if data is
    /// `wanted`.
    pub(crate) fn destination(
        &self,
        operation: &'static str,
        site: Site,
        wanted: bool,
    ) -> Result<*mut u8, OperationError> {
        self.check_data(operation, site, wanted)?;
        match self.raw.permission {
            Permission::LoadStore => Ok(self.raw.base),
            Permission::Partition => Err(self.of_all_blocks(operation, site)),
            Permission::Load => Err(OperationError::new(
                operation,
                site,
                format!(
                    "{} is an input of this task; declare the parameter `Out<..>` or `InOut<..>`",
                    self.view()
                ),
            )),
            Permission::Readable | Permission::Writable => Err(self.outside(operation, site)),
        }
    }

    /// Refuses data that is wanted where there is none.
    fn check_data(
        &self,
        operation: &'static str,
        site: Site,
        wanted: bool,
    ) -> Result<(), OperationError> {
        if self.raw.has_data || !wanted {
            return Ok(());
        }
        let message = format!(
            "{} has no elements under `Executor::Timing`; use the scratch that the kernel is given",
            self.view()
        );
        Err(OperationError::new(operation, site, message))
    }

    fn of_all_blocks(&self, operation: &'static str, site: Site) -> OperationError {
        OperationError::new(
            operation,
            site,
            format!(
                "{} is written by all blocks of this task; use the part of this block, \
                 `y.partition(0)` of the parameter (`TaskArgs::partition` by hand), or submit the task \
                 with one block",
                self.view()
            ),
        )
    }

    fn outside(&self, operation: &'static str, site: Site) -> OperationError {
        OperationError::new(
            operation,
            site,
            format!(
                "{} is used outside a task; pass it to a kernel, or use `get` and `set`",
                self.view()
            ),
        )
    }
}

impl fmt::Debug for Tensor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({})", self.view())
    }
}
