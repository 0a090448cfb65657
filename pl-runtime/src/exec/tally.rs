//! What the cores of a run have to say: failures, scratch peaks, which kernels are short.

use super::grain::Grains;
use crate::error::{Cause, Error, KernelFailure};
use crate::record::{Live, LoggedOp};
use crate::sync::Mutex;
use crate::task::{CoreType, KernelInfo};
use crate::tile::{Operation, ScratchScope};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};

#[derive(Debug, Default)]
pub(crate) struct Tally {
    failed: AtomicBool,
    /// The failure of the task that comes first in program order.
    first: Mutex<Option<KernelFailure>>,
    peak: AtomicUsize,
    kept: Mutex<Kept>,
    /// What the cores of the run in progress record.
    live: Mutex<Option<Arc<Live>>>,
    pub(super) grains: Grains,
}

/// What was noted of kernels.
#[derive(Debug, Default)]
struct Kept {
    operations: Vec<Noted>,
    scopes: Vec<ScratchScope>,
}

/// The operations of one run of a kernel.
#[derive(Debug)]
struct Noted {
    /// Position of its task, its block, and its number among the kernels of the task.
    at: (u64, u32, u32),
    kernel: &'static KernelInfo,
    /// What it ran on; where time is measured it does not matter.
    cores: CoreType,
    operations: Arc<[Operation]>,
}

impl Tally {
    pub(super) fn clear(&self) {
        *self.first.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.failed.store(false, Ordering::Relaxed);
        self.peak.store(0, Ordering::Relaxed);
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Kept::default();
        self.grains.clear();
    }

    /// What the cores of the next run record.
    pub(crate) fn set_live(&self, live: Option<Arc<Live>>) {
        *self.live.lock().unwrap_or_else(PoisonError::into_inner) = live;
    }

    #[cold]
    pub(super) fn live(&self) -> Option<Arc<Live>> {
        let live = self.live.lock();
        live.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps what was noted of a run of `kernel`.
    #[cold]
    pub(super) fn keep(
        &self,
        at: (u64, u32, u32),
        kernel: &'static KernelInfo,
        cores: CoreType,
        operations: Arc<[Operation]>,
        scopes: &[ScratchScope],
    ) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if !operations.is_empty() {
            kept.operations.push(Noted {
                at,
                kernel,
                cores,
                operations,
            });
        }
        ScratchScope::merge_all(&mut kept.scopes, scopes);
    }

    /// What was kept: operations in the order of the program, scopes in that of their sites.
    pub(crate) fn take_kept(&self) -> (Vec<LoggedOp>, Vec<ScratchScope>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Kept {
            mut operations,
            mut scopes,
        } = std::mem::take(&mut *kept);
        operations.sort_unstable_by_key(|noted| noted.at);
        scopes.sort_unstable_by_key(|scope| (scope.site.file, scope.site.line));
        let log = operations.iter().flat_map(|noted| {
            let (task, block, _) = noted.at;
            noted.operations.iter().map(move |operation| {
                LoggedOp::new(task, block, noted.kernel, noted.cores, operation)
            })
        });
        (log.collect(), scopes)
    }

    #[cold]
    pub(super) fn record(&self, failure: KernelFailure) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        if first
            .as_ref()
            .is_none_or(|known| failure.sequence < known.sequence)
        {
            *first = Some(failure);
        }
        self.failed.store(true, Ordering::Relaxed);
    }

    pub(super) fn note_peak(&self, bytes: usize) {
        if bytes > self.peak.load(Ordering::Relaxed) {
            self.peak.fetch_max(bytes, Ordering::Relaxed);
        }
    }

    /// Whether a task has failed.
    pub(crate) fn any(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// The first failure in program order, so far.
    pub(crate) fn first(&self) -> Option<Error> {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.as_ref().map(|failure| {
            let error = match failure.cause {
                Cause::Timeout { .. } => Error::SchedulerTimeout,
                _ => Error::KernelFailed,
            };
            error(Box::new(failure.clone()))
        })
    }

    /// Most scratch bytes that one core used at one time.
    pub(crate) fn peak_scratch(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }
}
