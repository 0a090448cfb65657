//! What can go wrong, and what to do about it.

mod device;
mod report;
mod resource;
mod task;

pub use device::DeviceDifference;
pub use report::{ProgramError, ReportError};
pub use resource::{Exhausted, Pinned, Resource};
pub(crate) use task::DECLARED_IN_CPP;
pub use task::{Block, Cause, KernelFailure, MissingDependency, Party, SyncStart, WaitTimeout};

use crate::site::Site;
use std::fmt::{self, Display};

/// Result of everything that a run may refuse.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Code that the device's host side reports for every failure on the device.
const HOST_DEVICE_FAILURE: u32 = 507_018;
/// Code for memory that cannot be reserved.
const HOST_RESERVE_FAILURE: u32 = 207_001;

/// A tensor or tile operation that cannot be carried out: wrong shapes, types, bounds, or no scratch left.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{operation}` at {site}: {message}")]
pub struct OperationError {
    /// Name of the operation, as written in kernels.
    pub operation: &'static str,
    /// Where the kernel calls it.
    pub site: Site,
    /// What is wrong, with the shapes and types involved, and what to write instead.
    pub message: String,
}

impl OperationError {
    /// An error of `operation` at `site`.
    pub fn new(operation: &'static str, site: Site, message: impl Into<String>) -> Self {
        Self {
            operation,
            site,
            message: message.into(),
        }
    }
}

/// Why a run, or a runtime, was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// Code 1: a scope holds more tasks than its ring's window has room for.
    ScopeDeadlock(Box<Exhausted>),
    /// Code 2: a ring's heap has no room for an allocation, whatever is waited for.
    HeapRingDeadlock(Box<Exhausted>),
    /// Code 3: a ring has no task slot left, whatever is waited for.
    FlowControlDeadlock(Box<Exhausted>),
    /// Code 4: a task waits for more tasks than its ring's dep pool has entries.
    DepPoolOverflow(Box<Exhausted>),
    /// Code 5: a call of the orchestration that is not allowed.
    InvalidArgs(Box<Misuse>),
    /// Code 7: the blocks of a task cannot start together, there are too few cores.
    SyncStartInvalid(Box<SyncStart>),
    /// Code 8: the orchestration waited too long for an element. Only with a watchdog.
    TensorWaitTimeout(Box<WaitTimeout>),
    /// Code 11: the tensormap, which all rings share, has no room for the tensors that a task writes.
    TensormapOverflow(Box<Exhausted>),
    /// A code of the program's own, by convention 9: the orchestration gave up.
    Fatal(Box<ReportedFatal>),
    /// Code 100: a kernel took too long. Only with a watchdog.
    SchedulerTimeout(Box<KernelFailure>),
    /// Code 200: the body of a task panicked or returned an error.
    KernelFailed(Box<KernelFailure>),
    /// Code 201: two tasks of a MANUAL scope touch the same bytes, and nothing orders them.
    MissingDependency(Box<MissingDependency>),
    /// Code 207001: the operating system refused memory or threads.
    Reserve(Box<ReserveError>),
    /// A field of the configuration has a value that is not allowed.
    Config(Box<ConfigError>),
    /// An array that was passed to an entry cannot be used.
    Argument(Box<ArgumentError>),
    /// `run` was called inside a run.
    Nested(Box<NestedRun>),
    /// A kernel that there is no orchestration source of.
    Unprintable(Box<Unprintable>),
    /// A program folder that cannot be written.
    Program(Box<ProgramError>),
    /// A report that was asked for cannot be written.
    Report(Box<ReportError>),
    /// An entry and the C++ that is printed for it do not do the same. Only with
    /// [`RunConfig::check_cpp`](crate::RunConfig::check_cpp).
    DeviceDifference(Box<DeviceDifference>),
    /// Code 5: a value or a view of a tensor that cannot be formed.
    Operation(Box<OperationError>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (status, detail) = self.parts();
        if let Some((code, name)) = status {
            write!(f, "orch_error_code={code} {name}: ")?;
        }
        detail.fmt(f)
    }
}

impl std::error::Error for Error {}

impl Error {
    /// The device runtime's code and its name, if it has one for this; and what else is to be said.
    fn parts(&self) -> (Option<(u32, &'static str)>, &dyn Display) {
        match self {
            Self::ScopeDeadlock(detail)
            | Self::HeapRingDeadlock(detail)
            | Self::FlowControlDeadlock(detail)
            | Self::DepPoolOverflow(detail)
            | Self::TensormapOverflow(detail) => (Some(detail.resource.status()), detail),
            Self::InvalidArgs(detail) => (Some((5, "INVALID_ARGS")), detail),
            Self::Operation(detail) => (Some((5, "INVALID_ARGS")), detail),
            Self::SyncStartInvalid(detail) => (Some((7, "REQUIRE_SYNC_START_INVALID")), detail),
            Self::TensorWaitTimeout(detail) => (Some((8, "TENSOR_WAIT_TIMEOUT")), detail),
            Self::Fatal(detail) => (Some((detail.code, "EXPLICIT_ORCH_FATAL")), detail),
            Self::SchedulerTimeout(detail) => (Some((100, "SCHEDULER_TIMEOUT")), detail),
            Self::KernelFailed(detail) => (Some((200, "KERNEL_FAILED")), detail),
            Self::MissingDependency(detail) => (Some((201, "MISSING_DEPENDENCY")), detail),
            Self::Reserve(detail) => (Some((HOST_RESERVE_FAILURE, "RESERVE_FAILED")), detail),
            Self::Config(detail) => (None, detail),
            Self::Argument(detail) => (None, detail),
            Self::Nested(detail) => (None, detail),
            Self::Unprintable(detail) => (None, detail),
            Self::Program(detail) => (None, detail),
            Self::Report(detail) => (None, detail),
            Self::DeviceDifference(detail) => (None, detail),
        }
    }

    /// The error code of the device runtime; `None` for what is refused before anything runs.
    pub fn code(&self) -> Option<u32> {
        self.parts().0.map(|(code, _)| code)
    }

    /// The name of [`Self::code`].
    pub fn name(&self) -> Option<&'static str> {
        self.parts().0.map(|(_, name)| name)
    }

    /// The code that the device's host side gives the caller.
    pub fn host_code(&self) -> Option<u32> {
        match self {
            Self::Reserve(_) => Some(HOST_RESERVE_FAILURE),
            _ => self.code().map(|_| HOST_DEVICE_FAILURE),
        }
    }

    pub(crate) fn misuse(
        site: Site,
        scope: Site,
        ring: usize,
        what: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let (what, help) = (what.into(), help.into());
        Self::InvalidArgs(Box::new(Misuse {
            site,
            scope,
            ring,
            what,
            help,
        }))
    }
}

impl From<OperationError> for Error {
    fn from(error: OperationError) -> Self {
        Self::Operation(Box::new(error))
    }
}

/// Why there is no orchestration source of a kernel.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", reasons.join("\n"))]
pub struct Unprintable {
    /// What is in the way, each with its place and what to do.
    pub reasons: Vec<String>,
}

/// A call of the orchestration that is not allowed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}\n  at {site}, ring {ring}, scope opened at {scope}\n  help: {help}")]
pub struct Misuse {
    /// The call.
    pub site: Site,
    /// Where the innermost scope was opened.
    pub scope: Site,
    /// The ring of that scope.
    pub ring: usize,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub help: String,
}

/// What the orchestration itself reported.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{text}\n  at {site}, ring {ring}, scope opened at {scope}\n  \
     help: the orchestration gave up by itself: see what it reports"
)]
pub struct ReportedFatal {
    /// Its code.
    pub code: u32,
    /// Its words.
    pub text: String,
    /// Where it reported them.
    pub site: Site,
    /// Where the innermost scope was opened.
    pub scope: Site,
    /// The ring of that scope.
    pub ring: usize,
}

/// A field of the configuration with a value that is not allowed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`RunConfig::{field}`{} is {value}: {rule}\n  help: use {suggestion}", on_ring(*.ring))]
pub struct ConfigError {
    /// Name of the field.
    pub field: &'static str,
    /// The ring, for fields with one value each.
    pub ring: Option<usize>,
    /// The value.
    pub value: String,
    /// What values are allowed.
    pub rule: String,
    /// A value that works.
    pub suggestion: String,
}

fn on_ring(ring: Option<usize>) -> String {
    ring.map_or_else(String::new, |ring| format!(" of ring {ring}"))
}

impl ConfigError {
    pub(crate) fn refuse(
        field: &'static str,
        ring: Option<usize>,
        value: impl Display,
        rule: String,
        suggestion: impl Display,
    ) -> Error {
        let (value, suggestion) = (value.to_string(), suggestion.to_string());
        Error::Config(Box::new(Self {
            field,
            ring,
            value,
            rule,
            suggestion,
        }))
    }
}

/// An array that was passed to an entry and cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: {what}\n  help: {help}", whose(.parameter.as_ref()))]
pub struct ArgumentError {
    /// For which parameter, as far as it is known.
    pub parameter: Option<EntryParameter>,
    /// What is wrong.
    pub what: String,
    /// What to pass instead.
    pub help: String,
}

/// A tensor parameter of an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryParameter {
    /// Name of the parameter, in backticks.
    pub name: String,
    /// Name of the entry.
    pub entry: &'static str,
    /// Where the entry is defined.
    pub defined: Site,
}

fn whose(parameter: Option<&EntryParameter>) -> String {
    parameter.map_or_else(
        || "entry argument".into(),
        |p| format!("{} of `{}` at {}", p.name, p.entry, p.defined),
    )
}

impl ArgumentError {
    pub(crate) fn refuse(what: impl Into<String>, help: impl Into<String>) -> Error {
        Error::Argument(Box::new(Self {
            parameter: None,
            what: what.into(),
            help: help.into(),
        }))
    }
}

/// Memory or threads that the operating system refused, or would refuse.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}: {reason}\n  help: {help}")]
pub struct ReserveError {
    /// What was asked for.
    pub what: String,
    /// The operating system's answer, or its limit.
    pub reason: String,
    /// What to do.
    pub help: String,
}

impl ReserveError {
    pub(crate) fn refuse(what: String, reason: impl Display, help: String) -> Error {
        Error::Reserve(Box::new(Self {
            what,
            reason: reason.to_string(),
            help,
        }))
    }
}

/// Bytes to ask for where `bytes` were refused: the default, or half if that was refused too.
pub(crate) fn less_than(bytes: u64, default: u64) -> u64 {
    default.min(bytes / 2).max(1024)
}

/// `run` was called where it would have to wait for its own caller.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "entry `{entry}` was run inside {place}; one thread runs one entry at a time\n  \
     help: call it after the run has returned, or submit its kernels in the outer orchestration"
)]
pub struct NestedRun {
    /// The inner entry.
    pub entry: &'static str,
    /// Where the call came from.
    pub place: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stay_small() {
        assert!(size_of::<Error>() <= 16);
    }

    #[test]
    fn device_failures_have_the_device_host_code() {
        let error = Error::misuse(Site::ROOT, Site::ROOT, 0, "x", "y");
        assert_eq!((error.code(), error.host_code()), (Some(5), Some(507_018)));
        assert!(
            error
                .to_string()
                .starts_with("orch_error_code=5 INVALID_ARGS: x")
        );
        let reason = std::io::Error::from(std::io::ErrorKind::OutOfMemory);
        let error = ReserveError::refuse("heaps".into(), reason, "less".into());
        assert_eq!(
            (error.code(), error.host_code()),
            (Some(207_001), Some(207_001))
        );
        let error = ArgumentError::refuse("rank", "use 2");
        assert_eq!((error.code(), error.host_code()), (None, None));
    }
}
