//! Scopes: what is allocated and submitted in one belongs to it, and is given back after it.

use crate::dtype::Element;
use crate::error::{Error, Result};
use crate::orchestrator::Orchestrator;
use crate::site::Site;
use crate::task::payload::Payload;
use crate::task::{CoreType, TaskId, TaskKey, TaskSpec, TensorCreateInfo};
use crate::tensor::Tensor;
use ndarray::{Array, ArrayD, Dimension};
pub use pl_codegen::ir::ScopeMode;
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;

/// An open scope. Dropping it closes it; leaving it in any way (also by `?` or by panic) is fine.
/// If the guard is forgotten, the scope stays open until one around it closes, and only then can
/// the scopes around it be used again.
///
/// What a scope gave out cannot be used after it:
/// ```compile_fail,E0597
/// # use pl_runtime::{DType, Scope, ScopeMode, Site, TensorCreateInfo, Error};
/// # fn body(root: &Scope<'_>, site: Site) -> Result<(), Error> {
/// let kept;
/// {
///     let scope = root.enter(ScopeMode::Auto, site)?;
///     kept = scope.alloc_tensors(site, &[TensorCreateInfo::new(DType::F32, &[8])])?.get_ref(0);
/// }
/// root.get::<f32>(site, kept, &[0])?;
/// # Ok(()) }
/// ```
/// nor can a task be waited for after the scope that it was submitted in:
/// ```compile_fail,E0505
/// # use pl_runtime::{DType, Scope, ScopeMode, Site, TensorCreateInfo, Error};
/// # fn body(root: &Scope<'_>, site: Site) -> Result<(), Error> {
/// let scope = root.enter(ScopeMode::Manual, site)?;
/// let task = scope.alloc_tensors(site, &[TensorCreateInfo::new(DType::F32, &[8])])?.task_id();
/// drop(scope);
/// let deps = [task];
/// # Ok(()) }
/// ```
/// A scope stays on its thread:
/// ```compile_fail,E0277
/// # use pl_runtime::Scope;
/// # fn body(root: &Scope<'_>) {
/// std::thread::scope(|threads| { threads.spawn(move || root.enter_implicit(pl_runtime::Site::ROOT).is_ok()); });
/// # }
/// ```
pub struct Scope<'p> {
    orchestrator: &'p RefCell<Orchestrator>,
    /// Position on the scope stack, 0 = root.
    depth: usize,
    /// Whether dropping this guard closes the scope.
    owns: bool,
}

impl<'p> Scope<'p> {
    pub(crate) fn root(orchestrator: &'p RefCell<Orchestrator>) -> Self {
        Self {
            orchestrator,
            depth: 0,
            owns: true,
        }
    }

    /// What the scope is a part of.
    pub(crate) fn orchestrator(&self) -> &'p RefCell<Orchestrator> {
        self.orchestrator
    }

    /// Opens a scope inside this one, on the ring `min(depth, 3)`.
    ///
    /// # Errors
    /// Code 5: an AUTO scope inside a MANUAL one, more than 64 scopes, or an inner scope is open.
    /// Any code, if the run has failed before.
    #[inline]
    pub fn enter(&self, mode: ScopeMode, site: Site) -> Result<Scope<'_>> {
        let depth = self
            .orchestrator
            .borrow_mut()
            .open_scope(self.depth, mode, site)?;
        Ok(Scope {
            orchestrator: self.orchestrator,
            depth,
            owns: true,
        })
    }

    /// Opens an AUTO scope that the user did not write. Below a MANUAL scope it is no scope at
    /// all: what is allocated through it belongs to the scope around it.
    ///
    /// # Errors
    /// As for [`Self::enter`].
    pub fn enter_implicit(&self, site: Site) -> Result<Scope<'_>> {
        if self.orchestrator.borrow().in_manual() {
            self.orchestrator
                .borrow_mut()
                .check_innermost(self.depth, site)?;
            return Ok(Scope {
                orchestrator: self.orchestrator,
                depth: self.depth,
                owns: false,
            });
        }
        self.enter(ScopeMode::Auto, site)
    }

    /// Allocates up to 32 tensors in one block of the scope's ring, each padded to 1024 bytes.
    ///
    /// # Errors
    /// Codes 1, 2 and 3 if the ring has no room for them that waiting could free, 5 for a number
    /// or a shape of tensors that is not supported. Any code, if the run has failed before.
    pub fn alloc_tensors(
        &self,
        site: Site,
        tensors: &[TensorCreateInfo],
    ) -> Result<TaskOutputTensors<'_>> {
        self.orchestrator
            .borrow_mut()
            .alloc_tensors(self.depth, site, tensors)
    }

    /// Submits a task. It runs when the tasks that it depends on have ended.
    ///
    /// # Errors
    /// As for [`Self::alloc_tensors`]; 4 if the task waits for more tasks than the ring's dep pool
    /// has entries, 7 for [`TaskSpec::sync_start`] on too few cores, 11 if tasks of open scopes hold
    /// the tensormap; 201 in a MANUAL scope, if the task touches bytes that another task of the scope
    /// touches and no declared dependency orders the two.
    pub fn submit(&self, site: Site, task: TaskSpec<'_>) -> Result<TaskOutputTensors<'_>> {
        self.orchestrator
            .borrow_mut()
            .submit(self.depth, site, &task)
    }

    /// Clusters of the run, of one matrix core and two vector cores each: `RunConfig::clusters`
    /// (runtime specification, §8.2).
    pub fn available_clusters(&self) -> u32 {
        self.orchestrator.borrow().clusters()
    }

    /// Vector cores of the run: two for each cluster (runtime specification, §8.2).
    pub fn available_aiv(&self) -> u32 {
        CoreType::Aiv.at_once(self.available_clusters())
    }

    /// Ends the run: what was submitted still runs, and then the run fails with `code` (9 for 0) and
    /// `text`, unless it has failed before. Return the error that this gives.
    pub fn report_fatal(&self, site: Site, code: u32, text: impl Into<String>) -> Error {
        self.orchestrator
            .borrow_mut()
            .report_fatal(site, code, text.into())
    }

    /// Where the buffer of `tensor` begins: the ring, and bytes from the start of its heap. `None` for
    /// arguments of the entry.
    pub fn heap_offset(&self, tensor: Tensor<'_>) -> Option<(usize, u64)> {
        self.orchestrator.borrow().heap_offset(tensor.raw())
    }

    /// Reads one element, after the tasks that write it have ended.
    ///
    /// # Errors
    /// Code 5 for another element type, rank or an index past its dimension. Any code, if the run
    /// has failed.
    pub fn get<T: Element>(&self, site: Site, tensor: Tensor<'_>, index: &[usize]) -> Result<T> {
        let value =
            self.orchestrator
                .borrow_mut()
                .get(self.depth, site, tensor.raw(), index, T::DTYPE)?;
        Ok(T::from_value(value).expect("the element type was checked"))
    }

    /// The same for a type that something else says.
    ///
    /// # Errors
    /// As for [`Self::get`].
    #[doc(hidden)]
    pub fn get_as<T: Element>(
        &self,
        site: Site,
        tensor: Tensor<'_>,
        index: &[usize],
        _: PhantomData<T>,
    ) -> Result<T> {
        self.get(site, tensor, index)
    }

    /// All elements, after the tasks that write them have ended.
    ///
    /// # Errors
    /// As for [`Self::get`]; another number of dimensions.
    #[doc(hidden)]
    pub fn fetch<T: Element, D: Dimension>(
        &self,
        site: Site,
        tensor: Tensor<'_>,
    ) -> Result<Array<T, D>> {
        let dims = tensor.view().dims();
        let indices = ndarray::indices(dims);
        let values: Result<Vec<T>> = indices
            .into_iter()
            .map(|index| self.get(site, tensor, index.slice()))
            .collect();
        let array = ArrayD::from_shape_vec(dims, values?).expect("one value for each index");
        Ok(array
            .into_dimensionality()
            .expect("the rank is in the signature"))
    }

    /// Writes one element, after the tasks that read or write it have ended.
    ///
    /// # Errors
    /// As for [`Self::get`], and 5 for an input of the entry.
    pub fn set<T: Element>(
        &self,
        site: Site,
        tensor: Tensor<'_>,
        index: &[usize],
        value: T,
    ) -> Result<()> {
        let value = value.to_value();
        self.orchestrator
            .borrow_mut()
            .set(self.depth, site, tensor.raw(), index, T::DTYPE, value)
    }
}

impl Drop for Scope<'_> {
    fn drop(&mut self) {
        if self.owns {
            self.orchestrator.borrow_mut().close_scopes(self.depth);
        }
    }
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scope(depth {})", self.depth)
    }
}

/// The tensors that a call allocated.
#[derive(Clone, Copy)]
pub struct TaskOutputTensors<'s> {
    task: TaskId<'s>,
    payload: Payload,
}

impl<'s> TaskOutputTensors<'s> {
    /// `'s` is the borrow of the guard whose scope the task was submitted in.
    pub(crate) fn new(task: TaskKey, payload: Payload) -> Self {
        Self {
            task: TaskId::new(task),
            payload,
        }
    }

    /// Output `index`, in the order in which the outputs were passed.
    ///
    /// # Panics
    /// There are not so many outputs.
    #[track_caller]
    #[inline]
    pub fn get_ref(&self, index: usize) -> Tensor<'s> {
        match self.payload.outputs().get(index) {
            Some(raw) => Tensor::new(*raw),
            None => panic!("output {index} of a call with {} outputs", self.len()),
        }
    }

    /// Number of outputs.
    pub fn len(&self) -> usize {
        self.payload.outputs().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.payload.outputs().is_empty()
    }

    /// The task that owns the outputs.
    pub fn task_id(&self) -> TaskId<'s> {
        self.task
    }
}

impl fmt::Debug for TaskOutputTensors<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries((0..self.len()).map(|i| self.get_ref(i)))
            .finish()
    }
}
