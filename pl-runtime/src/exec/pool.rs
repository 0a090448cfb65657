//! The worker threads of a family of runtimes, kept alive between runs.

use super::core::Core;
use super::park::Park;
use super::{Settings, Tally};
use crate::error::{ReserveError, Result};
use crate::sync::Mutex;
use crate::task::queue::Queue;
use crate::task::slot::ReadyTask;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread::{self, JoinHandle};

/// Ready tasks that fit into the lock-free part of the queue.
const QUEUE_CELLS: usize = 1 << 14;
/// How often an idle thread looks for a task before it sleeps: for some ten microseconds.
const SPINS: u32 = 64;

/// Short tasks that the caller runs when it has waited, before it submits the next one.
const BACKLOG: usize = 64;

/// Worker threads, and whose turn it is to use them.
#[derive(Debug)]
pub(crate) struct Pool {
    pub(super) shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// Held by the run in progress.
    pub(crate) turn: Mutex<()>,
}

pub(super) struct Shared {
    queue: Queue,
    park: Park,
    pub(super) tally: Arc<Tally>,
    /// Workers that the current run uses.
    active: AtomicUsize,
    /// Counts runs. Written, as the settings, before the first task of a run is pushed.
    run: AtomicU64,
    settings: Mutex<Settings>,
    closed: AtomicBool,
}

impl Pool {
    pub(crate) fn new() -> Self {
        let shared = Shared {
            queue: Queue::new(QUEUE_CELLS),
            park: Park::default(),
            tally: Arc::new(Tally::default()),
            active: AtomicUsize::new(0),
            run: AtomicU64::new(0),
            settings: Mutex::new(Settings {
                scratch_bytes: 0,
                poison: false,
                watchdog: None,
                noted: super::Noted::default(),
            }),
            closed: AtomicBool::new(false),
        };
        Self {
            shared: Arc::new(shared),
            threads: Mutex::default(),
            turn: Mutex::default(),
        }
    }

    /// Makes sure that there are `workers` threads.
    ///
    /// # Errors
    /// [`crate::Error::Reserve`]: the system refuses a thread.
    pub(super) fn grow(&self, workers: usize) -> Result<()> {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        while threads.len() < workers {
            let (shared, index) = (Arc::clone(&self.shared), threads.len());
            let thread = thread::Builder::new()
                .name(format!("pl-worker-{}", index + 1))
                .spawn(move || shared.work(index))
                .map_err(|reason| {
                    ReserveError::refuse(
                        format!("worker thread {} of {workers} cannot be started", index + 1),
                        reason,
                        format!("use `Executor::Threads {{ threads: {} }}`", index + 1),
                    )
                })?;
            threads.push(thread);
        }
        Ok(())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::SeqCst);
        self.shared.park.wake_workers();
        let threads = self
            .threads
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        for thread in threads.drain(..) {
            // A worker catches the panics of kernels and has none of its own.
            thread.join().expect("workers do not panic");
        }
    }
}

impl Shared {
    /// A run begins, with `workers` of the threads.
    pub(super) fn begin(&self, settings: Settings, workers: usize) {
        self.tally.clear();
        *self.settings.lock().unwrap_or_else(PoisonError::into_inner) = settings;
        self.run.fetch_add(1, Ordering::Release);
        if self.active.swap(workers, Ordering::SeqCst) != workers {
            self.park.wake_workers();
        }
    }

    /// Queues a task that can start.
    pub(super) fn push(&self, task: ReadyTask) {
        self.queue.push(task);
        self.park.wake_one();
    }

    /// Takes a task of the orchestrator: queues it, or runs it on the caller's `core` if it is not
    /// worth a move to another one.
    pub(super) fn start(&self, core: &mut Core, task: ReadyTask) {
        let mut next = Some(task);
        while let Some(task) = next {
            if !self.is_short(&task) {
                return self.push(task);
            }
            next = self.run(core, task);
        }
    }

    fn is_short(&self, task: &ReadyTask) -> bool {
        let kernel = task.kernel();
        kernel.is_some_and(|kernel| self.tally.grains.is_short(kernel))
    }

    /// Runs a task on `core`. Gives one of the tasks that can start now, and queues the others.
    pub(super) fn run(&self, core: &mut Core, task: ReadyTask) -> Option<ReadyTask> {
        let mut next = None;
        core.run(task, |ready| {
            if next.is_none() {
                next = Some(ready);
            } else {
                self.push(ready);
            }
        });
        next
    }

    fn work(&self, index: usize) {
        let _guard = AbortOnPanic;
        let mut run = 0;
        let mut core = None;
        let mut next = None;
        while let Some(task) = next.take().or_else(|| self.take(index)) {
            let current = self.run.load(Ordering::Acquire);
            let settings = || *self.settings.lock().unwrap_or_else(PoisonError::into_inner);
            let core = core.get_or_insert_with(|| {
                let thread = index as u32 + 1;
                Core::new(settings(), thread, Arc::clone(&self.tally))
            });
            if run != current {
                run = current;
                core.begin(settings());
            }
            next = self.run(core, task);
            self.park.wake_caller();
        }
    }

    /// The next task for worker `index`; `None` when the pool ends.
    fn take(&self, index: usize) -> Option<ReadyTask> {
        let closed = || self.closed.load(Ordering::SeqCst);
        let active = || index < self.active.load(Ordering::SeqCst);
        loop {
            for _ in 0..SPINS {
                if closed() {
                    return None;
                }
                if !active() {
                    break;
                }
                if let Some(task) = self.queue.pop() {
                    return Some(task);
                }
                spin();
            }
            if active() {
                self.park
                    .sleep(|| closed() || !active() || self.queue.has_tasks());
            } else {
                self.park.sleep_spare(|| closed() || active());
            }
        }
    }

    /// Runs tasks on the caller's core, or waits for workers, until `done` holds.
    pub(super) fn help(&self, core: &mut Core, done: &mut dyn FnMut() -> bool) {
        if done() {
            return;
        }
        let mut idle = 0;
        let mut next: Option<ReadyTask> = None;
        while !done() {
            if let Some(task) = next.take().or_else(|| self.queue.pop()) {
                next = self.run(core, task);
                idle = 0;
            } else if idle < SPINS {
                idle += 1;
                spin();
            } else {
                self.park.sleep_caller(|| done() || self.queue.has_tasks());
                idle = 0;
            }
        }
        // Short tasks that have piled up have left the cache, and so will those that follow them.
        for _ in 0..BACKLOG {
            match next.take().or_else(|| self.queue.pop()) {
                Some(task) if self.is_short(&task) => {
                    next = self.run(core, task);
                }
                other => {
                    next = other;
                    break;
                }
            }
        }
        if let Some(task) = next {
            self.push(task);
        }
    }
}

/// A worker that panics outside a kernel (a defect of the runtime) would leave its run waiting for
/// ever.
struct AbortOnPanic;

impl Drop for AbortOnPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            std::process::abort();
        }
    }
}

fn spin() {
    for _ in 0..16 {
        std::hint::spin_loop();
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared")
            .field("active", &self.active)
            .finish_non_exhaustive()
    }
}
