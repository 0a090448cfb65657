//! Atomics and locks of what threads share: the standard ones; loom's under `--cfg loom`; and
//! under `--cfg tsan` locks that tell `ThreadSanitizer` what they order, since the standard library
//! is not instrumented there.

#[cfg(loom)]
pub(crate) use loom::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering},
};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};
#[cfg(not(any(loom, tsan)))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
#[cfg(tsan)]
pub(crate) use told::{Condvar, Mutex, MutexGuard};

/// Between two sequentially consistent accesses. Loom takes these for acquire and release, but knows
/// such fences.
pub(crate) fn sequential() {
    #[cfg(loom)]
    loom::sync::atomic::fence(Ordering::SeqCst);
}

/// In a loop that waits for another thread.
pub(crate) fn spin_loop() {
    #[cfg(loom)]
    loom::hint::spin_loop();
    #[cfg(not(loom))]
    std::hint::spin_loop();
}

/// Standard locks that announce acquire and release.
///
/// # Invariants of the unsafe code
/// ThreadSanitizer's two entry points take any address as the name of an event. They are called
/// while the lock is held, so the order that they announce is the order of the lock.
#[cfg(tsan)]
mod told {
    use std::ffi::c_void;
    use std::ops::{Deref, DerefMut};
    use std::sync::{self, LockResult, PoisonError};

    unsafe extern "C" {
        fn __tsan_acquire(address: *mut c_void);
        fn __tsan_release(address: *mut c_void);
    }

    #[derive(Debug, Default)]
    pub(crate) struct Mutex<T>(sync::Mutex<T>);

    #[derive(Debug)]
    pub(crate) struct MutexGuard<'m, T> {
        /// Taken when the lock is given back.
        guard: Option<sync::MutexGuard<'m, T>>,
        mutex: &'m Mutex<T>,
    }

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(sync::Mutex::new(value))
        }

        fn event(&self) -> *mut c_void {
            (&raw const *self).cast_mut().cast()
        }

        pub(crate) fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
            self.told(self.0.lock())
        }

        pub(crate) fn get_mut(&mut self) -> LockResult<&mut T> {
            // SAFETY: the address is only a name.
            unsafe { __tsan_acquire(self.event()) };
            self.0.get_mut()
        }

        fn told<'m>(
            &'m self,
            locked: LockResult<sync::MutexGuard<'m, T>>,
        ) -> LockResult<MutexGuard<'m, T>> {
            // SAFETY: the address is only a name.
            unsafe { __tsan_acquire(self.event()) };
            let guard = |guard| MutexGuard {
                guard: Some(guard),
                mutex: self,
            };
            match locked {
                Ok(locked) => Ok(guard(locked)),
                Err(poisoned) => Err(PoisonError::new(guard(poisoned.into_inner()))),
            }
        }
    }

    impl<'m, T> MutexGuard<'m, T> {
        /// The standard guard, the release announced.
        fn give_back(&mut self) -> Option<sync::MutexGuard<'m, T>> {
            // SAFETY: the address is only a name.
            unsafe { __tsan_release(self.mutex.event()) };
            self.guard.take()
        }
    }

    impl<T> Deref for MutexGuard<'_, T> {
        type Target = T;

        fn deref(&self) -> &T {
            self.guard.as_ref().expect("the lock is held")
        }
    }

    impl<T> DerefMut for MutexGuard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            self.guard.as_mut().expect("the lock is held")
        }
    }

    impl<T> Drop for MutexGuard<'_, T> {
        fn drop(&mut self) {
            drop(self.give_back());
        }
    }

    #[derive(Debug, Default)]
    pub(crate) struct Condvar(sync::Condvar);

    impl Condvar {
        pub(crate) fn wait<'m, T>(
            &self,
            mut guard: MutexGuard<'m, T>,
        ) -> LockResult<MutexGuard<'m, T>> {
            let mutex = guard.mutex;
            let held = guard.give_back().expect("the lock is held");
            std::mem::forget(guard);
            mutex.told(self.0.wait(held))
        }

        pub(crate) fn notify_one(&self) {
            self.0.notify_one();
        }
    }
}
