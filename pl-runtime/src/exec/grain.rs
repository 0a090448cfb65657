//! Which kernels are so short that handing their tasks to another thread costs more than it saves.
//!
//! Every core times some of its kernels. One that was short several times in a row is noted here,
//! where the orchestrator looks before it queues a task: it runs a short one at once, while all that
//! belongs to it is in its cache. One long sample takes a kernel off the list again.

use crate::task::KernelFn;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const KERNELS: usize = 16;
/// Moving a task's cache lines to another core and back takes about as long; below, a kernel that
/// was handed over would look long for what it misses there, and stay so.
const SHORT: Duration = Duration::from_nanos(300);
/// One in so many tasks is timed: looking at the clock takes some ten nanoseconds.
const INTERVAL: u32 = 32;
/// Short samples in a row that make a kernel a short one.
const ENOUGH: u32 = 4;

fn place(kernel: KernelFn) -> (usize, usize) {
    let address = kernel as usize;
    (address, (address >> 4) % KERNELS)
}

/// The short kernels that are known, by address, each at its place. Only hints: no order is needed.
#[derive(Debug, Default)]
pub(super) struct Grains([AtomicUsize; KERNELS]);

impl Grains {
    pub(super) fn clear(&self) {
        self.0
            .iter()
            .for_each(|entry| entry.store(0, Ordering::Relaxed));
    }

    #[inline]
    pub(super) fn is_short(&self, kernel: KernelFn) -> bool {
        let (address, at) = place(kernel);
        self.0[at].load(Ordering::Relaxed) == address
    }

    fn set(&self, kernel: KernelFn, short: bool) {
        if self.is_short(kernel) != short {
            let (address, at) = place(kernel);
            self.0[at].store(if short { address } else { 0 }, Ordering::Relaxed);
        }
    }
}

/// The samples of one core.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// Address of the kernel last timed at each place, and its short samples in a row.
    rows: [(usize, u32); KERNELS],
    tasks: u32,
}

impl Samples {
    /// When the next task begins, if it is to be timed.
    #[inline]
    pub(super) fn begin(&mut self) -> Option<Instant> {
        self.tasks += 1;
        if self.tasks < INTERVAL {
            return None;
        }
        self.tasks = 0;
        Some(Instant::now())
    }

    /// The task, which ran `kernel` since `start`, has ended.
    #[cold]
    pub(super) fn end(&mut self, kernel: KernelFn, start: Instant, grains: &Grains) {
        self.note(kernel, start.elapsed() < SHORT, grains);
    }

    fn note(&mut self, kernel: KernelFn, short: bool, grains: &Grains) {
        let (address, at) = place(kernel);
        let (known, row) = &mut self.rows[at];
        if *known != address {
            (*known, *row) = (address, 0);
        }
        *row = if short { (*row + 1).min(ENOUGH) } else { 0 };
        if !short || *row == ENOUGH {
            grains.set(kernel, short);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::OperationError;
    use crate::task::TaskArgs;
    use crate::tile::Scratch;

    #[allow(clippy::unnecessary_wraps, reason = "a kernel")]
    fn kernel(_: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
        Ok(())
    }

    #[test]
    fn a_kernel_is_short_after_several_short_samples_and_until_a_long_one() {
        let (grains, mut samples) = (Grains::default(), Samples::default());
        for _ in 1..ENOUGH {
            samples.note(kernel, true, &grains);
            assert!(!grains.is_short(kernel));
        }
        samples.note(kernel, true, &grains);
        assert!(grains.is_short(kernel));
        samples.note(kernel, false, &grains);
        assert!(!grains.is_short(kernel));
        samples.note(kernel, true, &grains);
        assert!(!grains.is_short(kernel), "the row starts anew");
        (0..ENOUGH).for_each(|_| samples.note(kernel, true, &grains));
        assert!(grains.is_short(kernel));
        grains.clear();
        assert!(!grains.is_short(kernel), "each run measures for itself");
    }

    #[test]
    fn one_in_some_tasks_is_timed() {
        let mut samples = Samples::default();
        let timed = (0..10 * INTERVAL).filter(|_| samples.begin().is_some());
        assert_eq!(timed.count(), 10);
    }
}
