//! Orchestration sources of C++, compiled with the system's compiler and run on our runtime.
//!
//! ```no_run
//! use ndarray::Array2;
//! use pl_runtime::cpp::{CompileOptions, Kernels, Orchestration};
//! use pl_runtime::{EntryArg, RunConfig, Runtime};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // SAFETY: the source is ours.
//! let blend = unsafe { Orchestration::compile("blend.cpp".as_ref(), &CompileOptions::default())? };
//! let runtime = Runtime::new(RunConfig::default())?;
//! let (x, mut y) = (Array2::<f32>::ones((64, 128)), Array2::<f32>::zeros((64, 128)));
//! let mut args = [EntryArg::input::<f32, 2>(&x)?, EntryArg::output::<f32, 2>(&mut y)?];
//! let report = blend.run(&runtime, &Kernels::none(), &mut args, &[])?;
//! println!("{report}");
//! # Ok(()) }
//! ```
//!
//! # Invariants of the unsafe code
//! * The functions in `Symbols` are of a library that is dropped after them. Those of the header have the types
//!   that are written here, which its number (`abi::ABI`) says; the author's own are called by the header alone.
//! * The runtime that a library is bound to lives on the stack of `enter`: it is bound before the entry is called,
//!   and nothing is bound when `enter` goes on, as neither exceptions nor panics pass the call. A thread that is
//!   not bound reaches no runtime.
//! * What the source itself does is promised by who compiled it ([`Orchestration::compile`] is unsafe).

mod abi;
mod build;
mod check;
mod error;
mod intern;
mod kernels;
mod load;
mod ops;
mod runtime;
mod tensors;

pub(crate) use check::check;
pub use error::CppError;
pub use kernels::{KernelLibrary, Kernels};

use crate::entry::{EntryArg, Lent};
use crate::error::Error;
use crate::record::{Count, RunReport};
use crate::runtime::Runtime;
use crate::site::Site;
use crate::task::{KernelInfo, TaskNote};
use crate::tensor::RawTensor;
use abi::{ABI, Call, MAX_TEXT, called};
use build::{Kind, build};
use kernels::Bodies;
use load::load;
use runtime::{BoundRuntime, Session};
use std::ffi::{CStr, c_void};
use std::fmt;
use std::fs;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::ptr;

/// The most tensors and scalars of an entry (runtime specification, §0).
const MAX_ENTRY_TENSORS: usize = 256;
const MAX_ENTRY_SCALARS: usize = 128;

/// How sources are compiled.
#[derive(Clone, Default, Debug)]
pub struct CompileOptions {
    /// The compiler's command; default: the variable `CXX`, else the first of `c++`, `g++` and `clang++`
    /// that there is.
    pub compiler: Option<String>,
    /// Flags after our own, `-std=c++17 -O1 -fPIC -shared`: folders of headers, definitions.
    pub flags: Vec<String>,
    /// Folder of compiled libraries; default: `pl/cpp` in `XDG_CACHE_HOME`, or in `~/.cache`. What is in
    /// it may be removed at any time when no process compiles.
    pub cache: Option<PathBuf>,
    /// Name of the entry function; default: `aicpu_orchestration_entry`.
    pub entry: Option<String>,
}

/// How important a line of the log is (`LOG_ERROR` to `LOG_DEBUG`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "each is named after its macro")]
pub enum LogLevel {
    Error,
    Warn,
    Timing,
    Info,
    Debug,
}

impl LogLevel {
    fn of(number: i32) -> Self {
        match number {
            ..=0 => Self::Error,
            1 => Self::Warn,
            2 => Self::Timing,
            3 => Self::Info,
            _ => Self::Debug,
        }
    }
}

type Logger = dyn Fn(LogLevel, &str) + Send + Sync;

/// The text of a source.
struct SourceCode {
    /// What errors call it, and sites.
    name: String,
    /// Where it is, if it is a file.
    path: Option<PathBuf>,
    text: String,
}

impl SourceCode {
    fn read(path: &Path) -> Result<Self, CppError> {
        let cannot = |reason| CppError::File {
            what: "cannot read",
            path: path.into(),
            reason,
            help: "pass the path of a C++ source",
        };
        let text = fs::read(path).map_err(cannot)?;
        Ok(Self {
            name: path.display().to_string(),
            // As it was given: sites and messages show it so. Absolute, because of the cache.
            path: Some(std::path::absolute(path).map_err(cannot)?),
            text: String::from_utf8_lossy(&text).into_owned(),
        })
    }
}

/// A compiled orchestration. It may run on several threads at a time.
pub struct Orchestration {
    name: String,
    info: &'static KernelInfo,
    symbols: Symbols,
    log: Box<Logger>,
    /// Last: the symbols are in it.
    _library: libloading::Library,
}

/// What a library has.
struct Symbols {
    entry: *const c_void,
    config: *const c_void,
    bind: unsafe extern "C" fn(*const BoundRuntime<'_>),
    call: unsafe extern "C" fn(*mut Call) -> i32,
    stray: unsafe extern "C" fn() -> u32,
}

// SAFETY: functions of a library that stays loaded. They share no variables but the bound runtime, which
// each thread has for itself, and a count that is atomic; of variables of the source its author vouches (`compile` is unsafe).
unsafe impl Send for Orchestration {}
// SAFETY: as above.
unsafe impl Sync for Orchestration {}

impl Orchestration {
    /// Compiles the source at `path`, or finds it compiled in the cache, and loads it.
    ///
    /// # Safety
    /// The source runs in this process. It does what C++ defines, calls `pto_orchestration_api.h` only from
    /// the thread that its entry is called on, and touches the memory of tensors only through it. If the
    /// orchestration runs on several threads at a time, its own variables are not shared without
    /// synchronisation. (What it passes to the interface is checked.)
    ///
    /// # Errors
    /// There is no compiler, the source does not compile, or has no entry.
    pub unsafe fn compile(path: &Path, options: &CompileOptions) -> Result<Self, CppError> {
        // SAFETY: as the caller vouches.
        unsafe { Self::load(&SourceCode::read(path)?, options) }
    }

    /// The same for a text; `name` is what sites and errors call its file.
    ///
    /// # Safety
    /// As for [`compile`](Self::compile).
    ///
    /// # Errors
    /// As for [`compile`](Self::compile).
    pub unsafe fn compile_text(
        name: &str,
        text: &str,
        options: &CompileOptions,
    ) -> Result<Self, CppError> {
        let source = SourceCode {
            name: name.into(),
            path: None,
            text: text.into(),
        };
        // SAFETY: as the caller vouches.
        unsafe { Self::load(&source, options) }
    }

    /// # Safety
    /// As for [`compile`](Self::compile).
    unsafe fn load(source: &SourceCode, options: &CompileOptions) -> Result<Self, CppError> {
        let file = build(source, Kind::Orchestration, options)?;
        // SAFETY: the caller vouches for the source, its initialisers included.
        let library = unsafe { load(&file) };
        let library = library.map_err(|reason| CppError::Load {
            source_name: source.name.clone(),
            reason,
        })?;
        let missing = |symbol: &str, what: &str| CppError::MissingSymbol {
            source_name: source.name.clone(),
            symbol: symbol.into(),
            help: what.into(),
        };
        let address = |symbol: &str| {
            // SAFETY: an address; it is used by the header, which knows the type.
            let found = unsafe { library.get::<*const c_void>(symbol.as_bytes()) };
            // SAFETY: the library stays loaded.
            found
                .ok()
                .map(|found| unsafe { found.into_raw() }.as_raw_ptr().cast_const())
        };
        let include = "include \"pto_orchestration_api.h\"";
        let bind = "framework_bind_runtime";
        // SAFETY: the header defines these, with these signatures.
        let (bind, call, stray, abi) = unsafe {
            (
                *library
                    .get(bind.as_bytes())
                    .map_err(|_| missing(bind, include))?,
                *library
                    .get(b"pl_orchestration_call")
                    .map_err(|_| missing("pl_orchestration_call", include))?,
                *library
                    .get(b"pl_orchestration_stray_calls")
                    .map_err(|_| missing("pl_orchestration_stray_calls", include))?,
                *library
                    .get::<extern "C" fn() -> u32>(b"pl_orchestration_abi")
                    .map_err(|_| missing("pl_orchestration_abi", include))?,
            )
        };
        if abi() != ABI {
            return Err(missing(
                "pl_orchestration_abi",
                "use the headers of this version: leave out flags that name others",
            ));
        }
        let entry = options
            .entry
            .as_deref()
            .unwrap_or("aicpu_orchestration_entry");
        let symbols = Symbols {
            entry: address(entry).ok_or_else(|| {
                missing(
                    entry,
                    &format!("define `extern \"C\" void {entry}(const ChipTaskArgs&)`"),
                )
            })?,
            config: address("aicpu_orchestration_config").unwrap_or(ptr::null()),
            bind,
            call,
            stray,
        };
        let stem = Path::new(&source.name).file_stem();
        let stem = stem.map_or("orchestration".into(), |stem| stem.to_string_lossy());
        Ok(Self {
            name: source.name.clone(),
            info: intern::kernel(&stem, &source.name),
            symbols,
            log: Box::new(|level, text| {
                if level < LogLevel::Debug {
                    eprintln!("{level:?}: {}", text.trim_end());
                }
            }),
            _library: library,
        })
    }

    /// Where lines of its log go; without this all but `LOG_DEBUG` go to standard error.
    pub fn on_log(&mut self, log: impl Fn(LogLevel, &str) + Send + Sync + 'static) {
        self.log = Box::new(log);
    }

    /// Path or name of the source.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs the entry on `args` and on `scalars` (their bits, zero-extended), and everything that it submits.
    ///
    /// # Errors
    /// Too few or too many arguments; [`CppError::Run`]: as [`Runtime::run`]. An exception of the source is code 9.
    pub fn run(
        &self,
        runtime: &Runtime,
        kernels: &Kernels,
        args: &mut [EntryArg<'_>],
        scalars: &[u64],
    ) -> Result<RunReport, CppError> {
        let lent = args.iter().map(|arg| arg.array).collect();
        self.run_lent(runtime, &mut &*kernels, lent, scalars, None)
    }

    /// The same for arguments whose memory nobody else uses until this returns; notes the tasks.
    fn run_lent(
        &self,
        runtime: &Runtime,
        bodies: &mut dyn Bodies,
        args: Vec<Lent>,
        scalars: &[u64],
        notes: Option<&mut Vec<TaskNote>>,
    ) -> Result<RunReport, CppError> {
        let tensors = args.len();
        for (kind, count, most) in [
            ("tensors", args.len(), MAX_ENTRY_TENSORS),
            ("scalars", scalars.len(), MAX_ENTRY_SCALARS),
        ] {
            if count > most {
                return Err(CppError::TooManyArguments { kind, count, most });
            }
        }
        let mut expected = None;
        let report = runtime.run_lent(self.info, args, notes, |scope, raws| {
            let session = Session::new(scope.orchestrator(), bodies, &self.log, self.info.site());
            self.enter(session, &raws, scalars, &mut expected)
        });
        match expected {
            Some(expected) => Err(CppError::TooFewArguments {
                source_name: self.name.clone(),
                expected,
                tensors,
                scalars: scalars.len(),
            }),
            None => Ok(report?),
        }
    }

    /// Calls the entry; `expected` is set if it asks for more arguments.
    fn enter(
        &self,
        mut session: Session<'_>,
        raws: &[RawTensor],
        scalars: &[u64],
        expected: &mut Option<i32>,
    ) -> Result<(), Error> {
        let tensors = session.entry_tensors(raws)?;
        let bound = BoundRuntime::new(&ops::OPS, session);
        let mut call = Call {
            entry: self.symbols.entry,
            config: self.symbols.config,
            tensors,
            scalars: scalars.as_ptr(),
            tensor_count: raws.len() as u32,
            scalar_count: scalars.len() as u32,
            expected_arg_count: 0,
            text: [0; MAX_TEXT],
        };
        let process = std::process::id();
        // SAFETY: functions of the header; what they are given lives during the call. Nothing unwinds:
        // the header catches exceptions, and our calls catch panics.
        let outcome = unsafe {
            (self.symbols.bind)(&raw const bound);
            let outcome = (self.symbols.call)(&raw mut call);
            (self.symbols.bind)(ptr::null());
            outcome
        };
        if std::process::id() != process {
            // The source has forked off another process, which has no threads of the runtime, and whose results
            // and files are those of this one.
            std::process::exit(0);
        }
        // SAFETY: it counts.
        let stray = unsafe { (self.symbols.stray)() };
        let mut session = bound.session.into_inner();
        if let Some(panic) = session.panic.take() {
            resume_unwind(panic);
        }
        match outcome {
            called::RETURNED => {
                let outcome = session.returned().and_then(|()| match stray {
                    0 => Ok(()),
                    _ => Err(session.misuse(self.info.site(), &stray_calls(stray))),
                });
                session.keep(outcome);
            }
            called::TOO_FEW_ARGUMENTS => {
                *expected = Some(call.expected_arg_count);
                session.report_fatal(Site::UNKNOWN, 9, "too few arguments".into());
            }
            _ => {
                // SAFETY: `snprintf` ends it with a zero.
                let text = unsafe { CStr::from_ptr(call.text.as_ptr()) };
                let text = format!("the orchestration threw: {}", text.to_string_lossy());
                session.report_fatal(self.info.site(), 9, text);
            }
        }
        match session.error.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// What is wrong with calls that nobody hears.
fn stray_calls(count: u32) -> String {
    format!(
        "{} of the runtime on other threads, or outside of the entry, did nothing: make them on the thread that the entry is called on, before it returns",
        Count(count.into(), "call")
    )
}

impl fmt::Debug for Orchestration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Orchestration({})", self.name)
    }
}
