//! Threads that have nothing to do sleep here.
//!
//! Who is about to sleep first says so, then looks once more; who has something new (a task in the
//! queue, a completed task) first publishes it, then looks for sleepers. All four are sequentially
//! consistent, so at least one sees the other. The sleeper holds the lock from saying so until it
//! sleeps, and the waker takes it in between.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default)]
pub(super) struct Park {
    workers: Bed,
    caller: Bed,
    /// Where workers sleep that the current run does not use.
    spare: Bed,
}

impl Park {
    /// There is a task for somebody.
    pub(super) fn wake_one(&self) {
        if !self.workers.wake_one() {
            self.caller.wake_one();
        }
    }

    /// A task has completed.
    pub(super) fn wake_caller(&self) {
        self.caller.wake_one();
    }

    /// The number of workers has changed, or they shall end.
    pub(super) fn wake_workers(&self) {
        self.workers.wake_all();
        self.spare.wake_all();
    }

    /// Sleeps, as a worker, unless `busy` says that there is something to do.
    pub(super) fn sleep(&self, busy: impl FnMut() -> bool) {
        self.workers.sleep(busy);
    }

    /// Sleeps, as a worker that is not used, unless `used` says that it is.
    pub(super) fn sleep_spare(&self, used: impl FnMut() -> bool) {
        self.spare.sleep(used);
    }

    /// Sleeps, as the caller, unless `busy` says that there is something to do.
    pub(super) fn sleep_caller(&self, busy: impl FnMut() -> bool) {
        self.caller.sleep(busy);
    }
}

/// Threads that sleep until somebody wakes one of them, or all.
#[derive(Debug, Default)]
struct Bed {
    /// Threads asleep that nobody has woken yet. Changed under the lock only.
    asleep: AtomicUsize,
    /// Threads woken that still have to get up.
    woken: Mutex<usize>,
    alarm: Condvar,
}

impl Bed {
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.woken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sleep(&self, mut busy: impl FnMut() -> bool) {
        let mut woken = self.lock();
        self.asleep.fetch_add(1, Ordering::SeqCst);
        if busy() {
            self.asleep.fetch_sub(1, Ordering::SeqCst);
            return;
        }
        while *woken == 0 {
            woken = self
                .alarm
                .wait(woken)
                .unwrap_or_else(PoisonError::into_inner);
        }
        *woken -= 1;
    }

    /// Wakes a sleeper, if there is one.
    fn wake_one(&self) -> bool {
        self.asleep.load(Ordering::SeqCst) > 0 && self.wake(1) > 0
    }

    fn wake_all(&self) {
        self.wake(usize::MAX);
    }

    #[cold]
    fn wake(&self, most: usize) -> usize {
        let mut woken = self.lock();
        let count = self.asleep.load(Ordering::SeqCst).min(most);
        self.asleep.fetch_sub(count, Ordering::SeqCst);
        *woken += count;
        drop(woken);
        (0..count).for_each(|_| self.alarm.notify_one());
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn nothing_that_was_published_before_a_wake_is_slept_through() {
        const ROUNDS: usize = 5000;
        let (park, published) = (Park::default(), AtomicUsize::new(0));
        let taken = AtomicUsize::new(0);
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !over.load(Ordering::SeqCst) {
                        let todo =
                            || published.load(Ordering::SeqCst) > taken.load(Ordering::SeqCst);
                        if todo() {
                            taken.store(published.load(Ordering::SeqCst), Ordering::SeqCst);
                            park.wake_caller();
                        } else {
                            park.sleep(|| todo() || over.load(Ordering::SeqCst));
                        }
                    }
                });
            }
            for round in 1..=ROUNDS {
                published.store(round, Ordering::SeqCst);
                park.wake_one();
                while taken.load(Ordering::SeqCst) < round {
                    park.sleep_caller(|| taken.load(Ordering::SeqCst) >= round);
                }
            }
            over.store(true, Ordering::SeqCst);
            park.wake_workers();
        });
        assert_eq!(taken.into_inner(), ROUNDS);
    }
}
