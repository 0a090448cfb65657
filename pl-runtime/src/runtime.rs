//! The runtime: a configuration, its memory and its threads.

use crate::config::{Executor, RunConfig};
use crate::cpp;
use crate::dtype::ScalarValue;
use crate::entry::{EntryArg, Lent, place_shapes};
use crate::error::{Error, NestedRun, Result};
use crate::exec::{self, Pool, Role};
use crate::kernel::Kernel;
use crate::orchestrator::Orchestrator;
use crate::plan::Trace;
use crate::record::RunReport;
use crate::scope::Scope;
use crate::sync::Mutex;
use crate::task::{KernelInfo, TaskNote};
use crate::tensor::{RawTensor, Tensor};
use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, PoisonError};

/// Ring memory and worker threads, to run entries with. Share it between threads by reference:
/// their runs follow one another.
///
/// ```
/// use ndarray::Array2;
/// use pl_runtime::{EntryArg, KernelInfo, RunConfig, Runtime, Site};
/// static ENTRY: KernelInfo = KernelInfo { name: "entry", file: file!(), line: line!(), params: &[] };
/// let site = Site::new(file!(), line!());
/// let runtime = Runtime::new(RunConfig::default())?;
/// let (x, mut y) = (Array2::<f32>::ones((4, 4)), Array2::<f32>::zeros((4, 4)));
/// let args = [EntryArg::input(&x)?, EntryArg::output(&mut y)?];
/// let report = runtime.run(&ENTRY, args, |scope, [x, y]| {
///     let value = scope.get::<f32>(site, x, &[1, 2])?;
///     scope.set(site, y, &[0, 0], value)
/// })?;
/// assert_eq!((y[[0, 0]], report.scopes), (1.0, 1));
/// # Ok::<(), pl_runtime::Error>(())
/// ```
pub struct Runtime {
    config: RunConfig,
    pool: Arc<Pool>,
    orchestrator: Mutex<RefCell<Orchestrator>>,
}

impl Runtime {
    /// Reserves ring memory and starts worker threads.
    ///
    /// # Errors
    /// [`Error::Config`] for a value that is not allowed; [`Error::Reserve`] (207001) when memory
    /// or threads are refused.
    pub fn new(config: RunConfig) -> Result<Self> {
        Self::with_pool(config, Arc::new(Pool::new()))
    }

    /// A runtime with another configuration that shares the worker threads of this one; runs of the
    /// two follow one another.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn with_config(&self, config: RunConfig) -> Result<Self> {
        Self::with_pool(config, Arc::clone(&self.pool))
    }

    /// The same, for reports that the user is not told of.
    pub(crate) fn with_quiet_config(&self, config: RunConfig) -> Result<Self> {
        let runtime = self.with_config(config)?;
        let orchestrator = runtime.orchestrator.lock();
        let orchestrator = orchestrator.unwrap_or_else(PoisonError::into_inner);
        orchestrator.borrow_mut().keep_quiet();
        drop(orchestrator);
        Ok(runtime)
    }

    fn with_pool(config: RunConfig, pool: Arc<Pool>) -> Result<Self> {
        config.validate()?;
        let executor = exec::executor(&config, &pool)?;
        let orchestrator = Orchestrator::new(&config, executor)?;
        Ok(Self {
            config,
            pool,
            orchestrator: Mutex::new(RefCell::new(orchestrator)),
        })
    }

    /// A runtime whose runs are planned: as `config`, of [`Executor::Timing`], simulates them, but of tasks
    /// without duration, and are noted in `trace`.
    pub(crate) fn planning(config: RunConfig, trace: Trace) -> Result<Self> {
        let mut orchestrator = Orchestrator::new(&config, exec::planner())?;
        orchestrator.trace(trace);
        Ok(Self {
            config,
            pool: Arc::new(Pool::new()),
            orchestrator: Mutex::new(RefCell::new(orchestrator)),
        })
    }

    /// What a planning runtime has noted.
    pub(crate) fn into_trace(self) -> Trace {
        let orchestrator = self.orchestrator.lock();
        let orchestrator = orchestrator.unwrap_or_else(PoisonError::into_inner);
        let mut orchestrator = orchestrator.borrow_mut();
        orchestrator.take_trace()
    }

    /// The configuration.
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// Runs `body`, the orchestration of `entry`, and everything that it submits.
    ///
    /// When this returns or unwinds, no task is running. After an error the contents of outputs are
    /// unspecified, and the runtime can be used again. A kernel that does not end keeps this from
    /// returning; so does one that waits for another thread's run.
    ///
    /// # Errors
    /// [`Error::Argument`] for a [`shape`](crate::shape()) in place of an array, unless the run is
    /// simulated; what `body` returns, or the first error of the run in program order; [`Error::Nested`]
    /// inside another run or inside a kernel; [`Error::Report`] if a report that the configuration
    /// asks for cannot be written: before the run if its files cannot be created, else after it.
    pub fn run<F, const N: usize>(
        &self,
        entry: &'static KernelInfo,
        args: [EntryArg<'_>; N],
        body: F,
    ) -> Result<RunReport>
    where
        F: for<'r> FnOnce(&'r Scope<'r>, [Tensor<'r>; N]) -> Result<()>,
    {
        let lent = args.map(|arg| arg.array).into();
        self.run_lent(entry, lent, None, |scope, raws| {
            body(scope, std::array::from_fn(|i| Tensor::new(raws[i])))
        })
    }

    /// [`run`](Self::run) of an entry that is printed as C++, too: with
    /// [`RunConfig::check_cpp`] both ways are compared before.
    #[doc(hidden)]
    pub fn run_entry<F, const N: usize, const S: usize>(
        &self,
        entry: &'static KernelInfo,
        args: [EntryArg<'_>; N],
        scalars: [ScalarValue; S],
        kernel: fn() -> Kernel,
        body: F,
    ) -> Result<RunReport>
    where
        F: for<'r> Fn(&'r Scope<'r>, [Tensor<'r>; N]) -> Result<()>,
    {
        if self.config.check_cpp && Role::current().is_none() {
            let lent = args.each_ref().map(|arg| arg.array);
            cpp::check(self, entry, &lent, &scalars, &kernel(), &|scope, raws| {
                body(scope, std::array::from_fn(|i| Tensor::new(raws[i])))
            })?;
        }
        self.run(entry, args, body)
    }

    /// The same for any number of arguments, whose memory nobody else uses until this returns. Notes
    /// the tasks, if the configuration keeps dependencies.
    pub(crate) fn run_lent(
        &self,
        entry: &'static KernelInfo,
        mut args: Vec<Lent>,
        notes: Option<&mut Vec<TaskNote>>,
        body: impl for<'r> FnOnce(&'r Scope<'r>, Vec<RawTensor>) -> Result<()>,
    ) -> Result<RunReport> {
        if let Some(role) = Role::current() {
            let place = match role {
                Role::Orchestration => "the orchestration of another",
                Role::Kernel => "a kernel",
            };
            return Err(Error::Nested(Box::new(NestedRun {
                entry: entry.name,
                place,
            })));
        }
        let simulated = self.config.executor == Executor::Timing;
        place_shapes(entry, &mut args, simulated)?;
        let _role = Role::Orchestration.take();
        let _turn = self
            .pool
            .turn
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let orchestrator = self
            .orchestrator
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        orchestrator.borrow_mut().begin_recording(entry.name)?;
        let raws = orchestrator.borrow_mut().begin(&args);
        orchestrator.borrow_mut().notes = notes.as_ref().map(|_| Vec::new());
        let mut run = Run {
            orchestrator: &orchestrator,
            finished: false,
        };
        let outcome = {
            let root = Scope::root(&orchestrator);
            let outcome = body(&root, raws);
            orchestrator.borrow_mut().returned(&outcome);
            outcome
        };
        let report = run.finish(outcome);
        let noted = orchestrator.borrow_mut().notes.take();
        if let (Some(notes), Some(noted)) = (notes, noted) {
            *notes = noted;
        }
        report
    }
}

/// A run in progress: however it is left, its tasks end first, while the arguments are still lent.
struct Run<'o> {
    orchestrator: &'o RefCell<Orchestrator>,
    finished: bool,
}

impl Run<'_> {
    fn finish(&mut self, outcome: Result<()>) -> Result<RunReport> {
        let mut orchestrator = self.orchestrator.borrow_mut();
        orchestrator.drain();
        self.finished = true;
        orchestrator.finish(outcome)
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        if !self.finished {
            let mut orchestrator = self.orchestrator.borrow_mut();
            orchestrator.drain();
            orchestrator.abandon();
        }
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runtime")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
