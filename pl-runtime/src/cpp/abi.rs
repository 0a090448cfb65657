//! The structures of the headers (`include/pto_tensor.h`, `include/pto_orchestration_api.h`), with the
//! same sizes and offsets, which both sides assert.
//!
//! # Invariants of the unsafe code
//! * What is here is passed by address, so it is `repr(C)`, and changes together with the header and [`ABI`]: a
//!   library of another number is not called.
//! * It says where things are, not that they are there: `ops.rs` and `kernels.rs` say how long a pointer may be
//!   followed. Numbers that name one of a few (types, tags, kinds) are integers here, since C++ may pass any, and
//!   are looked up.

use super::runtime::BoundRuntime;
use crate::dtype::DType;
use crate::tensor::MAX_RANK;
use std::ffi::{c_char, c_void};
use std::mem::offset_of;

/// `PL_ORCHESTRATION_ABI` of the header.
pub(super) const ABI: u32 = 1;
/// `PL_MAX_TEXT` of the header.
pub(super) const MAX_TEXT: usize = 1024;
/// What stands for no task.
pub(super) const NO_TASK: u64 = u64::MAX;

/// `ChipTensor`.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct ChipTensor {
    pub(super) address: u64,
    pub(super) bytes: u64,
    pub(super) owner: u64,
    pub(super) offset: u64,
    pub(super) version: i32,
    pub(super) rank: u32,
    pub(super) dtype: u8,
    pub(super) manual_dep: u8,
    pub(super) is_contiguous: u8,
    pub(super) address_space: u8,
    pub(super) shapes: [u32; MAX_RANK],
    pub(super) extent: u64,
    pub(super) strides: [u32; MAX_RANK],
    /// Where the runtime finds the tensor that this one is a view of: see `tensors.rs`.
    pub(super) place: u32,
    pub(super) reserved: [u32; 8],
}

const _: () = assert!(size_of::<ChipTensor>() == 128 && align_of::<ChipTensor>() == 64);
const _: () = assert!(
    offset_of!(ChipTensor, owner) == 16
        && offset_of!(ChipTensor, offset) == 24
        && offset_of!(ChipTensor, version) == 32
        && offset_of!(ChipTensor, rank) == 36
        && offset_of!(ChipTensor, dtype) == 40
        && offset_of!(ChipTensor, manual_dep) == 41
        && offset_of!(ChipTensor, is_contiguous) == 42
        && offset_of!(ChipTensor, address_space) == 43
        && offset_of!(ChipTensor, shapes) == 44
        && offset_of!(ChipTensor, extent) == 64
        && offset_of!(ChipTensor, strides) == 72
        && offset_of!(ChipTensor, place) == 92
);

/// `TensorCreateInfo`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct CreateInfo {
    pub(super) initial_value: u64,
    pub(super) rank: u32,
    pub(super) shapes: [u32; MAX_RANK],
    pub(super) dtype: u8,
    pub(super) manual_dep: u8,
    pub(super) has_initial_value: u8,
    reserved: [u8; 29],
}

const _: () = assert!(size_of::<CreateInfo>() == 64);
const _: () = assert!(
    offset_of!(CreateInfo, rank) == 8
        && offset_of!(CreateInfo, shapes) == 12
        && offset_of!(CreateInfo, dtype) == 32
        && offset_of!(CreateInfo, manual_dep) == 33
        && offset_of!(CreateInfo, has_initial_value) == 34
);

/// `CoreTaskPredicate`, its operand included.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Predicate {
    pub(super) tensor: *const ChipTensor,
    pub(super) rank: u32,
    pub(super) indices: [u32; MAX_RANK],
    pub(super) op: u8,
    pub(super) target: i64,
}

const _: () = assert!(size_of::<Predicate>() == 48 && offset_of!(Predicate, op) == 32);

/// `PlSite`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct CallSite {
    pub(super) file: *const c_char,
    pub(super) line: i32,
}

/// `PlTask`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Task {
    pub(super) tensors: *const *const c_void,
    pub(super) tags: *const u8,
    pub(super) scalars: *const u64,
    pub(super) deps: *const u64,
    pub(super) dep_kinds: *const u8,
    pub(super) predicate: *const Predicate,
    pub(super) error: *const c_char,
    pub(super) site: CallSite,
    pub(super) tensor_count: u32,
    pub(super) scalar_count: u32,
    pub(super) dep_count: u32,
    /// AIC, AIV0, AIV1; below 0 for none.
    pub(super) kernels: [i32; 3],
    pub(super) block_num: i64,
    pub(super) dummy: u8,
    pub(super) sync_start: u8,
    /// A hint to the device's dispatcher that changes no result (runtime specification, §16.6).
    _early_resolve: u8,
}

const _: () = assert!(size_of::<Task>() == 112 && offset_of!(Task, block_num) == 96);

/// `PlOutputs`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Outputs {
    pub(super) tensors: *const ChipTensor,
    pub(super) task: u64,
    pub(super) count: u32,
}

impl Outputs {
    pub(super) const NONE: Self = Self {
        tensors: std::ptr::null(),
        task: NO_TASK,
        count: 0,
    };
}

/// `PlOps`.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Ops {
    pub(super) abi: u32,
    pub(super) submit: unsafe extern "C" fn(*const BoundRuntime, *const Task, *mut Outputs),
    pub(super) alloc_tensors: unsafe extern "C" fn(
        *const BoundRuntime,
        *const *const CreateInfo,
        u32,
        CallSite,
        *mut Outputs,
    ),
    pub(super) scope_begin: unsafe extern "C" fn(*const BoundRuntime, i32, CallSite),
    pub(super) scope_end: unsafe extern "C" fn(*const BoundRuntime),
    pub(super) is_fatal: unsafe extern "C" fn(*const BoundRuntime) -> i32,
    pub(super) report_fatal:
        unsafe extern "C" fn(*const BoundRuntime, i32, *const c_char, CallSite),
    pub(super) misuse: unsafe extern "C" fn(*const BoundRuntime, *const c_char, CallSite),
    pub(super) log: unsafe extern "C" fn(*const BoundRuntime, i32, *const c_char),
    pub(super) get: unsafe extern "C" fn(
        *const BoundRuntime,
        *const ChipTensor,
        u32,
        *const u32,
        CallSite,
    ) -> u64,
    pub(super) set: unsafe extern "C" fn(
        *const BoundRuntime,
        *const ChipTensor,
        u32,
        *const u32,
        u64,
        CallSite,
    ),
    pub(super) available_clusters: unsafe extern "C" fn(*const BoundRuntime) -> u32,
    pub(super) available_aiv: unsafe extern "C" fn(*const BoundRuntime) -> u32,
}

const _: () = assert!(size_of::<Ops>() == 13 * 8, "one word each");

/// `PlCall`.
#[repr(C)]
pub(super) struct Call {
    pub(super) entry: *const c_void,
    pub(super) config: *const c_void,
    pub(super) tensors: *const ChipTensor,
    pub(super) scalars: *const u64,
    pub(super) tensor_count: u32,
    pub(super) scalar_count: u32,
    pub(super) expected_arg_count: i32,
    pub(super) text: [c_char; MAX_TEXT],
}

const _: () = assert!(
    offset_of!(Call, expected_arg_count) == 40 && size_of::<Call>() == (44 + MAX_TEXT + 7) & !7
);

/// `PlCalled`.
pub(super) mod called {
    pub(crate) const RETURNED: i32 = 0;
    pub(crate) const TOO_FEW_ARGUMENTS: i32 = 1;
}

/// `TensorArgType`.
pub(super) mod tag {
    pub(crate) const INPUT: u8 = 0;
    pub(crate) const OUTPUT: u8 = 1;
    pub(crate) const INOUT: u8 = 2;
    pub(crate) const OUTPUT_EXISTING: u8 = 3;
    pub(crate) const NO_DEP: u8 = 4;
}

/// The element types, each at its number in the header (runtime specification, §9.1).
const DTYPES: [DType; 12] = [
    DType::F32,
    DType::F16,
    DType::I32,
    DType::I16,
    DType::I8,
    DType::U8,
    DType::Bf16,
    DType::I64,
    DType::U64,
    DType::U16,
    DType::U32,
    DType::Bool,
];

/// The element type with number `number`; what is said if there is none here.
pub(super) fn dtype(number: u8) -> Result<DType, String> {
    DTYPES.get(usize::from(number)).copied().ok_or_else(|| {
        format!("element type {number} is not supported; use FLOAT32 (0) to BOOL (11)")
    })
}

/// The number of an element type.
pub(super) fn dtype_number(dtype: DType) -> u8 {
    let at = DTYPES.iter().position(|&known| known == dtype);
    at.expect("all element types are listed") as u8
}
