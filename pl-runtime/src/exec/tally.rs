//! What the cores of a run have to say: failures, scratch peaks, which kernels are short.

use super::grain::Grains;
use crate::error::{Cause, Error, KernelFailure};
use crate::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

#[derive(Debug, Default)]
pub(crate) struct Tally {
    failed: AtomicBool,
    /// The failure of the task that comes first in program order.
    first: Mutex<Option<KernelFailure>>,
    peak: AtomicUsize,
    pub(super) grains: Grains,
}

impl Tally {
    pub(super) fn clear(&self) {
        *self.first.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.failed.store(false, Ordering::Relaxed);
        self.peak.store(0, Ordering::Relaxed);
        self.grains.clear();
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
