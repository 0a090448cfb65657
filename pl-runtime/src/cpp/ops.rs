//! The calls of the C++ side.
//!
//! # Invariants of the unsafe code
//! * The header passes the runtime that it was bound to, which outlives the call of the entry; arrays with
//!   as many items as it says, which nobody writes during the call; texts that end with a zero; places
//!   for results. What the *program* passes (tensors, ids, numbers) is data, and is checked.
//! * No panic and no exception crosses: each call catches what the runtime throws.

use super::LogLevel;
use super::abi::{ABI, CallSite, ChipTensor, CreateInfo, Ops, Outputs, Predicate, Task, tag};
use super::runtime::{BoundRuntime, Passed, Session, TaskCall};
use crate::error::Result;
use crate::site::Site;
use crate::task::{CoreType, MAX_TENSORS};
use crate::tensor::MAX_RANK;
use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

pub(super) static OPS: Ops = Ops {
    abi: ABI,
    submit,
    alloc_tensors,
    scope_begin,
    scope_end,
    is_fatal,
    report_fatal,
    misuse,
    log,
    get,
    set,
    available_clusters,
    available_aiv,
};

/// Runs a call with the session behind `runtime`, unless the run has failed; `otherwise` then, or if the
/// call fails.
///
/// # Safety
/// `runtime` is bound.
unsafe fn call<T>(
    runtime: *const BoundRuntime<'_>,
    otherwise: T,
    body: impl FnOnce(&mut Session<'_>) -> Result<T>,
) -> T {
    // SAFETY: bound.
    let runtime = unsafe { &*runtime };
    // A kernel that calls into the orchestration finds it busy.
    let Ok(mut session) = runtime.session.try_borrow_mut() else {
        return otherwise;
    };
    if session.failed() {
        return otherwise;
    }
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let outcome = body(&mut session);
        session.keep(outcome)
    }));
    match outcome {
        Ok(value) => value.unwrap_or(otherwise),
        Err(panic) => {
            session.report_fatal(Site::UNKNOWN, 9, "the runtime panicked".into());
            session.panic.get_or_insert(panic);
            otherwise
        }
    }
}

/// # Safety
/// `site` is what the header passes.
unsafe fn place(session: &mut Session<'_>, site: CallSite) -> Site {
    if site.file.is_null() {
        return session.site(None, 0);
    }
    // SAFETY: a literal of the library.
    let name = unsafe { CStr::from_ptr(site.file) };
    session.site(Some((site.file.addr(), &name.to_string_lossy())), site.line)
}

/// # Safety
/// Null, or a text.
unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: it ends with a zero.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_string_lossy().into_owned()
}

/// # Safety
/// Null, or `count` items.
unsafe fn items<'c, T>(items: *const T, count: u32) -> &'c [T] {
    if items.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: there are so many.
    unsafe { slice::from_raw_parts(items, count as usize) }
}

unsafe extern "C" fn submit(
    runtime: *const BoundRuntime<'_>,
    task: *const Task,
    outputs: *mut Outputs,
) {
    // SAFETY: as the invariants say.
    unsafe {
        *outputs = call(runtime, Outputs::NONE, |session| {
            let task = &*task;
            let site = place(session, task.site);
            let tags = items(task.tags, task.tensor_count);
            let passed = tags.iter().zip(items(task.tensors, task.tensor_count));
            let args = passed.map(|(&tag, &tensor)| (tag, follow(tag, tensor)));
            let call = TaskCall {
                args: args.collect(),
                scalars: items(task.scalars, task.scalar_count),
                deps: items(task.deps, task.dep_count),
                dep_kinds: (!task.dep_kinds.is_null())
                    .then(|| items(task.dep_kinds, task.dep_count)),
                predicate: follow_predicate(task.predicate),
                error: (!task.error.is_null()).then(|| text(task.error)),
                site,
                kernels: task.kernels,
                block_num: task.block_num,
                dummy: task.dummy != 0,
                sync_start: task.sync_start != 0,
            };
            session.submit(&call)
        });
    }
}

/// # Safety
/// What `tag` says, or null.
unsafe fn follow(tag: u8, tensor: *const c_void) -> Passed {
    if tensor.is_null() {
        return Passed::Null;
    }
    // SAFETY: the header checks types when it is compiled.
    unsafe {
        if tag == tag::OUTPUT {
            Passed::Info(tensor.cast::<CreateInfo>().read())
        } else {
            Passed::Tensor(tensor.cast::<ChipTensor>().read())
        }
    }
}

/// A predicate whose operand is null, or a tensor at null, always holds (runtime specification, §8.4).
///
/// # Safety
/// Null, or a predicate whose operand is null or a tensor.
unsafe fn follow_predicate(predicate: *const Predicate) -> Option<(Predicate, ChipTensor)> {
    // SAFETY: null, or there is one.
    unsafe {
        let predicate = *predicate.as_ref()?;
        let tensor = *predicate.tensor.as_ref()?;
        Some((predicate, tensor))
    }
}

unsafe extern "C" fn alloc_tensors(
    runtime: *const BoundRuntime<'_>,
    infos: *const *const CreateInfo,
    count: u32,
    site: CallSite,
    outputs: *mut Outputs,
) {
    // SAFETY: as the invariants say; of more than 32 infos the header passes 32.
    unsafe {
        *outputs = call(runtime, Outputs::NONE, |session| {
            let site = place(session, site);
            if count as usize > MAX_TENSORS {
                let what = format!(
                    "alloc_tensors of {count} tensors; allocate 1 to {MAX_TENSORS} in one call"
                );
                return Err(session.misuse(site, &what));
            }
            let infos: Vec<CreateInfo> = items(infos, count).iter().map(|&info| *info).collect();
            session.alloc_tensors(site, &infos)
        });
    }
}

unsafe extern "C" fn scope_begin(runtime: *const BoundRuntime<'_>, mode: i32, site: CallSite) {
    // SAFETY: as the invariants say.
    unsafe {
        call(runtime, (), |session| {
            let site = place(session, site);
            session.scope_begin(mode, site)
        });
    }
}

unsafe extern "C" fn scope_end(runtime: *const BoundRuntime<'_>) {
    // SAFETY: as the invariants say.
    unsafe {
        call(runtime, (), |session| {
            session.scope_end()?;
            Ok(())
        });
    }
}

unsafe extern "C" fn is_fatal(runtime: *const BoundRuntime<'_>) -> i32 {
    // SAFETY: as the invariants say.
    unsafe { call(runtime, 1, |_| Ok(0)) }
}

unsafe extern "C" fn report_fatal(
    runtime: *const BoundRuntime<'_>,
    code: i32,
    words: *const c_char,
    site: CallSite,
) {
    // SAFETY: as the invariants say.
    unsafe {
        call(runtime, (), |session| {
            let site = place(session, site);
            session.report_fatal(site, code, text(words));
            Ok(())
        });
    }
}

unsafe extern "C" fn misuse(runtime: *const BoundRuntime<'_>, what: *const c_char, site: CallSite) {
    // SAFETY: as the invariants say.
    unsafe {
        call(runtime, (), |session| {
            let site = place(session, site);
            Err(session.misuse(site, &text(what)))
        });
    }
}

unsafe extern "C" fn log(runtime: *const BoundRuntime<'_>, level: i32, words: *const c_char) {
    // SAFETY: as the invariants say. Logging goes on after an error.
    unsafe {
        let words = text(words);
        if let Ok(session) = (*runtime).session.try_borrow() {
            drop(catch_unwind(AssertUnwindSafe(|| {
                session.log(LogLevel::of(level), &words);
            })));
        }
    }
}

unsafe extern "C" fn get(
    runtime: *const BoundRuntime<'_>,
    tensor: *const ChipTensor,
    rank: u32,
    index: *const u32,
    site: CallSite,
) -> u64 {
    // SAFETY: as the invariants say; an index has at most 5 numbers.
    unsafe {
        call(runtime, 0, |session| {
            let site = place(session, site);
            let index = checked_index(session, site, rank, index)?;
            session.get(site, &*tensor, index)
        })
    }
}

unsafe extern "C" fn set(
    runtime: *const BoundRuntime<'_>,
    tensor: *const ChipTensor,
    rank: u32,
    index: *const u32,
    bits: u64,
    site: CallSite,
) {
    // SAFETY: as the invariants say; an index has at most 5 numbers.
    unsafe {
        call(runtime, (), |session| {
            let site = place(session, site);
            let index = checked_index(session, site, rank, index)?;
            session.set(site, &*tensor, index, bits)
        });
    }
}

/// # Safety
/// `rank` numbers, or null.
unsafe fn checked_index<'c>(
    session: &Session<'_>,
    site: Site,
    rank: u32,
    index: *const u32,
) -> Result<&'c [u32]> {
    if index.is_null() || rank as usize > MAX_RANK {
        let what = format!("an index of {rank} numbers, or null; pass one for each dimension");
        return Err(session.misuse(site, &what));
    }
    // SAFETY: there are so many.
    Ok(unsafe { items(index, rank) })
}

unsafe extern "C" fn available_clusters(runtime: *const BoundRuntime<'_>) -> u32 {
    // SAFETY: as the invariants say. Known also after an error.
    unsafe {
        let session = (*runtime).session.try_borrow();
        session.map_or(0, |session| session.clusters())
    }
}

unsafe extern "C" fn available_aiv(runtime: *const BoundRuntime<'_>) -> u32 {
    // SAFETY: as the invariants say.
    CoreType::Aiv.at_once(unsafe { available_clusters(runtime) })
}
