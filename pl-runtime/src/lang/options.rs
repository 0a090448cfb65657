//! What `submit!` takes, as rustc sees it: each option is an argument of its function here.

use super::{TaskId, TaskIds, Tensor, outside};
use crate::dtype::{bf16, f16};
use crate::task::CoreType;

/// Something to wait for.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing that a task can wait for",
    label = "neither a task id nor an array of them",
    note = "`submit!(..)` and `barrier([..])` give task ids: `let t = submit!(k(x, y));`"
)]
pub trait Dependency {}

impl Dependency for TaskId {}
impl<const N: usize> Dependency for TaskIds<N> {}

/// One item of a list of dependencies.
pub fn dependency(task: impl Dependency) -> TaskId {
    let _ = task;
    outside("deps")
}

/// `deps = [..]`
pub fn deps<const N: usize>(tasks: [TaskId; N]) {
    let _ = tasks;
}

/// `deps_wait = [..]`
pub fn deps_wait<const N: usize>(tasks: [TaskId; N]) {
    let _ = tasks;
}

/// `blocks = n`
pub fn blocks(count: usize) {
    let _ = count;
}

/// `sync_start = true`
pub fn sync_start(together: bool) {
    let _ = together;
}

/// `core_type = CoreType::Aic`
pub fn core_type(cores: CoreType) {
    let _ = cores;
}

/// `predicate = x.get([0]) > 0`
pub fn predicate(holds: bool) {
    let _ = holds;
}

/// What a kernel returns, if anything.
pub trait Returned {
    /// What `submit!` of such a kernel gives.
    type Given;
}

impl Returned for () {
    type Given = TaskId;
}

impl<T, const R: usize> Returned for Tensor<T, R> {
    type Given = (Self, TaskId);
}

/// Of helpers: that these cannot be submitted is reported elsewhere.
macro_rules! other {
    ($($ty:ty)*) => {$(
        impl Returned for $ty {
            type Given = TaskId;
        }
    )*};
}

other! { TaskId bool f32 f64 f16 bf16 i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

macro_rules! tuples {
    ($(($($name:ident)+))*) => {$(
        impl<$($name),+> Returned for ($($name,)+) {
            type Given = (Self, TaskId);
        }
    )*};
}

tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) }

/// What `submit!` gives, of all that was said in it.
pub fn submitted<T, R: Returned>(said: T, result: R) -> R::Given {
    let _ = (said, result);
    outside("submit!")
}
