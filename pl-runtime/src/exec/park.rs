//! Threads that have nothing to do sleep here.
//!
//! Who is about to sleep first says so, then looks once more; who has something new (a task in the
//! queue, a completed task) first publishes it, then looks for sleepers. All four are sequentially
//! consistent, so at least one sees the other. The sleeper holds the lock from saying so until it
//! sleeps, and the waker takes it in between.

use crate::sync::{AtomicUsize, Condvar, Mutex, MutexGuard, Ordering, sequential};
use std::sync::PoisonError;

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
        sequential();
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
        sequential();
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
            let worker = || {
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
                })
            };
            let workers = [worker(), worker()];
            for round in 1..=ROUNDS {
                published.store(round, Ordering::SeqCst);
                park.wake_one();
                while taken.load(Ordering::SeqCst) < round {
                    park.sleep_caller(|| taken.load(Ordering::SeqCst) >= round);
                }
            }
            over.store(true, Ordering::SeqCst);
            park.wake_workers();
            // Joined one by one: ThreadSanitizer does not see the end of a scope.
            for worker in workers {
                worker.join().unwrap();
            }
        });
        assert_eq!(taken.load(Ordering::SeqCst), ROUNDS);
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    /// A wake that is lost leaves the sleeper asleep, which the model reports as a deadlock.
    #[test]
    fn a_worker_never_sleeps_through_what_was_published_before_the_wake() {
        loom::model(|| {
            let shared = Arc::new((Park::default(), AtomicUsize::new(0)));
            let worker = {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    let (park, published) = &*shared;
                    while published.load(Ordering::SeqCst) == 0 {
                        park.sleep(|| published.load(Ordering::SeqCst) > 0);
                    }
                })
            };
            let (park, published) = &*shared;
            published.store(1, Ordering::SeqCst);
            park.wake_one();
            worker.join().unwrap();
        });
    }

    /// Two tasks, two sleepers: each wake finds a thread of its own, or one that is awake.
    #[test]
    fn two_wakes_reach_worker_and_caller() {
        let mut model = loom::model::Builder::new();
        // Three threads: every schedule of them takes hours.
        model.preemption_bound = Some(2);
        model.check(|| {
            let shared = Arc::new((Park::default(), AtomicUsize::new(0)));
            let take = |tasks: &AtomicUsize| {
                let take = |n: usize| n.checked_sub(1);
                tasks
                    .fetch_update(Ordering::SeqCst, Ordering::SeqCst, take)
                    .is_ok()
            };
            let worker = {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    let (park, tasks) = &*shared;
                    while !take(tasks) {
                        park.sleep(|| tasks.load(Ordering::SeqCst) > 0);
                    }
                })
            };
            let caller = {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    let (park, tasks) = &*shared;
                    while !take(tasks) {
                        park.sleep_caller(|| tasks.load(Ordering::SeqCst) > 0);
                    }
                })
            };
            let (park, tasks) = &*shared;
            for _ in 0..2 {
                tasks.fetch_add(1, Ordering::SeqCst);
                park.wake_one();
            }
            worker.join().unwrap();
            caller.join().unwrap();
            assert_eq!(tasks.load(Ordering::SeqCst), 0);
        });
    }

    /// `Links` publish with sequentially consistent operations, and so does this.
    #[test]
    fn the_caller_never_sleeps_through_a_completed_task() {
        loom::model(|| {
            let shared = Arc::new((Park::default(), AtomicUsize::new(0)));
            let workers: Vec<_> = (0..2)
                .map(|_| {
                    let shared = Arc::clone(&shared);
                    thread::spawn(move || {
                        shared.1.fetch_add(1, Ordering::SeqCst);
                        shared.0.wake_caller();
                    })
                })
                .collect();
            let (park, completed) = &*shared;
            while completed.load(Ordering::SeqCst) < 2 {
                park.sleep_caller(|| completed.load(Ordering::SeqCst) >= 2);
            }
            workers
                .into_iter()
                .for_each(|worker| worker.join().unwrap());
        });
    }
}
