//! The kernels that an orchestration names by number: Rust functions, C++ functions, or nothing.
//!
//! # Invariants of the unsafe code
//! * A function in `LOADED` is `pl_kernel_call` of a library that is never unloaded.
//! * What a C++ kernel does with the addresses that it is given is promised by who compiled it
//!   ([`KernelLibrary::compile`] is unsafe).

use super::abi::{ChipTensor, MAX_TEXT};
use super::build::{Kind, build};
use super::error::CppError;
use super::load::{load, why};
use super::tensors::described;
use super::{CompileOptions, SourceCode, intern};
use crate::dtype::ScalarType;
use crate::error::OperationError;
use crate::task::{CoreType, KernelFn, KernelInfo, MixedKernels, TaskArgs, TaskKernel};
use crate::tile::Scratch;
use std::collections::HashMap;
use std::ffi::{CStr, c_char};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, PoisonError, RwLock};

/// Largest number of a kernel (runtime specification, §0).
const MAX_ID: u32 = 1023;

/// Where the contexts of a block are, behind tensors and scalars.
const LOCAL_CONTEXT: usize = 48;
const GLOBAL_CONTEXT: usize = 49;

/// What a task runs.
pub(super) struct Body {
    pub(super) kernels: Bodied,
    /// The types of its scalars, if they are known.
    pub(super) scalars: Option<Box<[ScalarType]>>,
    /// The cores that it asks for.
    pub(super) cores: Option<CoreType>,
}

pub(super) enum Bodied {
    One(TaskKernel),
    Mixed(MixedKernels),
}

/// Finds what a task runs.
pub(super) trait Bodies {
    /// `ids` are the numbers of the kernels for AIC, AIV0 and AIV1, at least one.
    fn find(&mut self, ids: [Option<u32>; 3]) -> Result<Body, String>;
}

/// What the numbers of kernels in an orchestration stand for. One that stands for nothing names a task
/// that does nothing, which is enough to plan and to audit.
#[derive(Clone, Default, Debug)]
pub struct Kernels {
    known: HashMap<u32, Known>,
}

#[derive(Clone, Debug)]
struct Known {
    kernel: TaskKernel,
    scalars: Option<Box<[ScalarType]>>,
}

impl Kernels {
    /// Tasks do nothing.
    pub fn none() -> Self {
        Self::default()
    }

    /// Number `id` is a kernel of Rust. Its scalars have these types, in order.
    pub fn insert_rust(
        &mut self,
        id: u32,
        info: &'static KernelInfo,
        run: KernelFn,
        scalars: &[ScalarType],
    ) {
        let known = Known {
            kernel: TaskKernel { info, run },
            scalars: Some(scalars.into()),
        };
        self.known.insert(id, known);
    }

    /// Number `id` is a kernel of C++.
    pub fn insert_cpp(&mut self, id: u32, library: &KernelLibrary) {
        let kernel = TaskKernel {
            info: library.info,
            run: run_cpp,
        };
        let known = Known {
            kernel,
            scalars: None,
        };
        self.known.insert(id, known);
    }

    /// Number `id` does nothing; reports and errors call it `name`.
    pub fn insert_name(&mut self, id: u32, name: &str) {
        let kernel = TaskKernel {
            info: intern::kernel(name, ""),
            run: do_nothing,
        };
        let known = Known {
            kernel,
            scalars: None,
        };
        self.known.insert(id, known);
    }
}

impl Kernels {
    fn known(&self, id: u32) -> Result<Known, String> {
        if id > MAX_ID {
            return Err(format!(
                "kernel {id} does not exist; numbers are 0 to {MAX_ID}"
            ));
        }
        let unknown = || Known {
            kernel: TaskKernel {
                info: intern::kernel(&format!("kernel {id}"), ""),
                run: do_nothing,
            },
            scalars: None,
        };
        Ok(self.known.get(&id).cloned().unwrap_or_else(unknown))
    }
}

impl Bodies for &Kernels {
    fn find(&mut self, ids: [Option<u32>; 3]) -> Result<Body, String> {
        let mut kernels = [None, None, None];
        for (slot, id) in kernels.iter_mut().zip(ids) {
            *slot = id.map(|id| self.known(id)).transpose()?;
        }
        let types = |known: &Known| known.scalars.clone();
        let scalars = kernels.iter().flatten().find_map(types);
        let mut given = kernels.iter().flatten();
        let first = given.next().expect("at least one is given").kernel;
        // A kernel of Rust does not know that it is several on the device: it runs once.
        let one = kernels
            .iter()
            .flatten()
            .all(|known| known.scalars.is_some() && same(known.kernel, first));
        let cores = match (&kernels, one) {
            ([Some(_), None, None], _) => Some(CoreType::Aic),
            ([None, Some(_), None] | [None, None, Some(_)], _) => None,
            (_, true) => Some(CoreType::Mix),
            (_, false) => {
                let kernel = |slot: usize| kernels[slot].as_ref().map(|known| known.kernel);
                let mixed = MixedKernels {
                    aic: kernel(0),
                    aiv0: kernel(1),
                    aiv1: kernel(2),
                };
                return Ok(Body {
                    kernels: Bodied::Mixed(mixed),
                    scalars,
                    cores: None,
                });
            }
        };
        Ok(Body {
            kernels: Bodied::One(first),
            scalars,
            cores,
        })
    }
}

/// Whether the two are the same function.
pub(super) fn same(a: TaskKernel, b: TaskKernel) -> bool {
    std::ptr::eq(a.info, b.info) && std::ptr::fn_addr_eq(a.run, b.run)
}

#[allow(clippy::unnecessary_wraps, reason = "a kernel")]
fn do_nothing(_: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
    Ok(())
}

/// A compiled kernel of C++: `extern "C" void kernel_entry(int64_t* args)` (runtime specification, §10;
/// `pto_kernel_api.h` has the accessors and needs no include).
#[derive(Clone, Copy, Debug)]
pub struct KernelLibrary {
    info: &'static KernelInfo,
}

type KernelCall = unsafe extern "C" fn(*mut i64, *mut c_char, usize) -> i32;

#[derive(Default)]
struct Loaded {
    /// By the file of the library.
    libraries: HashMap<PathBuf, &'static KernelInfo>,
    /// By the address of its description.
    calls: HashMap<usize, KernelCall>,
}

static LOADED: LazyLock<RwLock<Loaded>> = LazyLock::new(RwLock::default);

impl KernelLibrary {
    /// Compiles a kernel, or finds it compiled in the cache, and loads it for the rest of the process.
    ///
    /// # Safety
    /// The source runs in this process: its kernel reads and writes only elements of the tensors that it is
    /// given, writes only those that tasks pass as outputs, and of a task of several blocks no block
    /// touches what another one writes.
    ///
    /// # Errors
    /// There is no compiler, the source does not compile, or has no `kernel_entry`.
    pub unsafe fn compile(path: &Path, options: &CompileOptions) -> Result<Self, CppError> {
        let source = SourceCode::read(path)?;
        let file = build(&source, Kind::Kernel, options)?;
        let mut loaded = LOADED.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(info) = loaded.libraries.get(&file) {
            return Ok(Self { info });
        }
        let cannot_load = |reason: String| {
            let source_name = source.name.clone();
            if reason.ends_with("undefined symbol: kernel_entry") {
                CppError::MissingSymbol {
                    source_name,
                    symbol: "kernel_entry".into(),
                    help: "define `extern \"C\" void kernel_entry(int64_t* args)`".into(),
                }
            } else {
                CppError::Load {
                    source_name,
                    reason,
                }
            }
        };
        // SAFETY: the caller vouches for the source, and initialisers of libraries are part of it.
        let library = unsafe { load(&file) }.map_err(cannot_load)?;
        // SAFETY: the header defines it with this signature.
        let call = unsafe { library.get::<KernelCall>(b"pl_kernel_call\0") };
        let call = *call.map_err(|error| cannot_load(why(&error)))?;
        let name = path
            .file_stem()
            .map_or("kernel".into(), |stem| stem.to_string_lossy());
        let info: &'static KernelInfo = Box::leak(Box::new(KernelInfo {
            name: intern::text(&name),
            file: intern::text(&source.name),
            line: 1,
            params: &[],
        }));
        loaded.calls.insert(std::ptr::from_ref(info).addr(), call);
        loaded.libraries.insert(file, info);
        // Tasks may name it as long as the process runs.
        std::mem::forget(library);
        Ok(Self { info })
    }
}

/// `LocalContext` of the header.
#[repr(C)]
struct LocalContext {
    block_idx: i32,
    block_num: i32,
    async_context: u64,
}

/// `GlobalContext` of the header.
#[repr(C)]
struct GlobalContext {
    sub_block_id: i32,
    dma_workspace: u64,
}

/// The body of all kernels of C++.
fn run_cpp(_: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let info = args.kernel;
    let refuse = |what: String| OperationError::new("kernel_entry", info.site(), what);
    // Under `Executor::Timing` there is nothing to compute with.
    if args.raw_tensors().iter().any(|raw| !raw.has_data) {
        return Ok(());
    }
    let call = {
        let loaded = LOADED.read().unwrap_or_else(PoisonError::into_inner);
        let at = std::ptr::from_ref(info).addr();
        *loaded.calls.get(&at).expect("a library put it there")
    };
    let tensors: Result<Vec<ChipTensor>, _> = args
        .raw_tensors()
        .iter()
        .map(|raw| described(raw, 0))
        .collect();
    let tensors = tensors.map_err(refuse)?;
    let local = LocalContext {
        block_idx: args.block_idx() as i32,
        block_num: args.block_num() as i32,
        async_context: 0,
    };
    let global = GlobalContext {
        sub_block_id: args.sub_block_id() as i32,
        dma_workspace: 0,
    };
    let mut words = [0_i64; GLOBAL_CONTEXT + 1];
    let places = tensors
        .iter()
        .map(|tensor| std::ptr::from_ref(tensor).expose_provenance() as i64);
    let scalars = args
        .scalar_values()
        .iter()
        .map(|scalar| scalar.bits() as i64);
    for (word, value) in words.iter_mut().zip(places.chain(scalars)) {
        *word = value;
    }
    words[LOCAL_CONTEXT] = (&raw const local).expose_provenance() as i64;
    words[GLOBAL_CONTEXT] = (&raw const global).expose_provenance() as i64;
    let mut text: [c_char; MAX_TEXT] = [0; MAX_TEXT];
    // SAFETY: `pl_kernel_call` of a loaded library; what it does with the arguments is vouched for.
    let outcome = unsafe { call(words.as_mut_ptr(), text.as_mut_ptr(), text.len()) };
    if outcome == 0 {
        return Ok(());
    }
    // SAFETY: `snprintf` ends it with a zero.
    let text = unsafe { CStr::from_ptr(text.as_ptr()) };
    Err(refuse(format!(
        "the kernel threw: {}",
        text.to_string_lossy()
    )))
}
