//! What a thread is doing, and what becomes of a panic in a kernel.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static ROLE: Cell<Option<Role>> = const { Cell::new(None) };
    static PANIC: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// A panic in a kernel.
#[derive(Debug)]
pub(super) struct Panic {
    pub(super) message: String,
    /// `file:line`; unknown if the program has replaced the hook.
    pub(super) location: Option<String>,
}

/// What keeps a thread from starting a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// It orchestrates a run.
    Orchestration,
    /// It runs a kernel.
    Kernel,
}

/// Gives a thread its former role back.
#[derive(Debug)]
pub(crate) struct Former(Option<Role>);

impl Drop for Former {
    fn drop(&mut self) {
        ROLE.set(self.0);
    }
}

impl Role {
    /// The role of this thread.
    pub(crate) fn current() -> Option<Self> {
        ROLE.get()
    }

    /// Takes the role until the result is dropped.
    pub(crate) fn take(self) -> Former {
        Former(ROLE.replace(Some(self)))
    }
}

/// From now on panics in kernels are silent, as they are reported; all others go where they went.
pub(super) fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let former = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if Role::current() == Some(Role::Kernel) {
                PANIC.set(Some(Panic {
                    message: message(info.payload()),
                    location: info
                        .location()
                        .map(|at| format!("{}:{}", at.file(), at.line())),
                }));
            } else {
                former(info);
            }
        }));
    });
}

fn message(payload: &dyn Any) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("(a payload that is not text)").to_owned()
}

/// Runs a kernel, which may panic.
#[inline]
pub(super) fn catch<R>(kernel: impl FnOnce() -> R) -> Result<R, Panic> {
    let _role = Role::Kernel.take();
    panic::catch_unwind(AssertUnwindSafe(kernel)).map_err(describe)
}

#[cold]
fn describe(payload: Box<dyn Any + Send>) -> Panic {
    let message = message(&*payload);
    // What the hook noted may be a panic that the kernel itself has caught.
    let noted = PANIC.take().filter(|noted| noted.message == message);
    let location = noted.and_then(|noted| noted.location);
    // A payload may panic when it is dropped; then it is not dropped.
    if let Err(again) = panic::catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
    Panic { message, location }
}
