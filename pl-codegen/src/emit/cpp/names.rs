//! Names in printed sources: those of Rust, where C++ and the interface leave them free.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// Names that mean something else: words of C++17 with their other spellings, macros of the headers that
/// every source includes, and what the interface and the printed text call their own.
#[rustfmt::skip]
pub const TAKEN: &[&str] = &[
    // C++17
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
    "case", "catch", "char", "char16_t", "char32_t", "class", "compl", "const", "const_cast",
    "constexpr", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast",
    "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto",
    "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
    "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register",
    "reinterpret_cast", "return", "short", "signed", "sizeof", "static", "static_assert",
    "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try",
    "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile",
    "wchar_t", "while", "xor", "xor_eq",
    // Words of later C++ and of compilers
    "char8_t", "co_await", "co_return", "co_yield", "concept", "consteval", "constinit",
    "requires", "typeof", "asm_goto", "linux", "unix", "i386", "main",
    // Macros and types of the C library
    "NULL", "EOF", "BUFSIZ", "FILENAME_MAX", "INFINITY", "NAN", "HUGE_VAL", "SEEK_SET", "SEEK_CUR",
    "SEEK_END", "INT8_MIN", "INT16_MIN", "INT32_MIN", "INT64_MIN", "INT8_MAX", "INT16_MAX",
    "INT32_MAX", "INT64_MAX", "UINT8_MAX", "UINT16_MAX", "UINT32_MAX", "UINT64_MAX", "SIZE_MAX",
    "INTPTR_MIN", "INTPTR_MAX", "UINTPTR_MAX", "PTRDIFF_MIN", "PTRDIFF_MAX", "INTMAX_MIN",
    "INTMAX_MAX", "UINTMAX_MAX", "offsetof", "assert", "errno", "stdin", "stdout", "stderr",
    "isfinite", "isinf", "isnan", "isnormal", "signbit", "fpclassify", "math_errhandling",
    "va_start", "va_end", "va_arg", "va_copy", "va_list", "setjmp", "L_tmpnam", "TMP_MAX",
    "FOPEN_MAX", "P_tmpdir", "size_t", "ssize_t", "ptrdiff_t", "int8_t", "int16_t", "int32_t",
    "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "intptr_t", "uintptr_t", "nullptr_t",
    "max_align_t", "std", "memcpy",
    // The interface
    "ChipTensor", "ChipTaskArgs", "CoreTaskArgs", "CoreTaskArgsWithDeps", "CoreTaskPredicate",
    "CoreTaskOperand", "TaskOutputTensors", "TensorCreateInfo", "TensorArgType", "ArgDirection",
    "AddressSpace", "DataType", "MixedKernels", "PredicateOp", "PTO2TaskId", "PTO2DepKind",
    "PTO2Runtime", "PTO2ScopeMode", "PTO2ScopeGuard", "PTO2LaunchSpec", "PTO2OrchestrationConfig",
    "PTOBufferHandle", "PTO2_SCOPE", "PTO2_SCOPE_GUARD", "PTO2_OLD_NAMES", "INVALID_KERNEL_ID",
    "MAX_TENSOR_DIMS", "CORE_MAX_TENSOR_ARGS", "CORE_MAX_SCALAR_ARGS", "CHIP_MAX_TENSOR_ARGS",
    "CHIP_MAX_SCALAR_ARGS", "LOG_ERROR", "LOG_WARN", "LOG_TIMING", "LOG_INFO", "LOG_DEBUG",
    "AssertionError", "always_assert", "debug_assert", "Tensor", "Arg", "L0TaskArgs", "L2TaskArgs",
    "ChipStorageTaskArgs", "from_tensor_arg", "half", "bfloat16_t", "alloc_tensors",
    "get_element_size", "get_tensor_data", "set_tensor_data", "make_tensor_external",
    "make_tensor_strided", "from_u64", "to_u64", "framework_bind_runtime",
    "aicpu_orchestration_config", "aicpu_orchestration_entry", "orch_args",
];

/// Beginnings that belong to the interface, or to names that are printed.
const TAKEN_STARTS: &[&str] = &["rt_", "pto2_", "PTO2", "PL_", "pl_", "params_t"];

/// Names with a number in them that are printed: what stands before it, and behind it.
const NUMBERED: &[(&str, &str)] = &[("alloc_", ""), ("task_", "_outs"), ("mixed_", "")];

fn is_taken(name: &str) -> bool {
    let numbered = |(start, end): &(&str, &str)| {
        let number = name
            .strip_prefix(start)
            .and_then(|rest| rest.strip_suffix(end));
        number.is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    TAKEN.contains(&name)
        || TAKEN_STARTS.iter().any(|start| name.starts_with(start))
        || NUMBERED.iter().any(numbered)
}

/// The name in the letters of C++, without what is reserved there.
fn spelled(name: &str) -> String {
    let mut out = String::new();
    for letter in name.strip_prefix("r#").unwrap_or(name).chars() {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' => out.push(letter),
            // Two of them in a row are reserved.
            '_' if out.ends_with('_') => {}
            '_' => out.push('_'),
            other => {
                let _ = write!(out, "u{:x}", u32::from(other));
            }
        }
    }
    // As is one before a capital.
    if out.starts_with('_') && out[1..].starts_with(|c: char| c.is_ascii_uppercase()) {
        out.remove(0);
    }
    if out == "_" {
        out.clear();
    }
    if out.is_empty() {
        out.push_str("value");
    }
    out
}

/// The names of one source. Each is given once, so that no name hides another.
#[derive(Default)]
pub(super) struct Names {
    given: HashSet<String>,
    /// The last number that each name was given with.
    counts: HashMap<String, u32>,
}

impl Names {
    /// A name that nothing else has: `wanted`, or `wanted_1` and so on.
    pub(super) fn give(&mut self, wanted: &str) -> String {
        let mut stem = spelled(wanted);
        if TAKEN_STARTS.iter().any(|start| stem.starts_with(start)) {
            stem.insert_str(0, "v_");
        }
        let mut name = stem.clone();
        let count = self.counts.entry(stem.clone()).or_default();
        if *count > 0 {
            *count += 1;
            name = format!("{}_{count}", stem.trim_end_matches('_'));
        }
        while is_taken(&name) || !self.given.insert(name.clone()) {
            *count += 1;
            name = format!("{}_{count}", stem.trim_end_matches('_'));
        }
        name
    }

    /// A name of the printer's own, which variables do not take.
    pub(super) fn own(&mut self, wanted: &str) -> String {
        self.given.insert(wanted.to_owned());
        wanted.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, TAKEN, is_taken};

    #[test]
    fn a_name_that_is_free_is_the_one_of_rust() {
        let mut names = Names::default();
        for name in ["x", "k_tile", "M", "_rest", "alloc", "task_1", "params"] {
            assert_eq!(names.give(name), name);
        }
    }

    #[test]
    fn a_name_is_given_once() {
        let mut names = Names::default();
        assert_eq!(names.give("x"), "x");
        assert_eq!(names.give("x_1"), "x_1");
        assert_eq!(names.give("x"), "x_2");
        assert_eq!(names.give("x"), "x_3");
    }

    #[test]
    fn what_means_something_else_gets_a_number() {
        let mut names = Names::default();
        for taken in TAKEN {
            let name = names.give(taken);
            assert!(!is_taken(&name), "{name}");
            assert!(name.contains(taken), "{name}");
        }
        assert_eq!(names.give("alloc_3"), "alloc_3_1");
        assert_eq!(names.give("task_1_outs"), "task_1_outs_1");
        assert_eq!(names.give("params_t0_deps"), "v_params_t0_deps");
        assert_eq!(names.give("rt_submit_task"), "v_rt_submit_task");
    }

    #[test]
    fn names_have_the_letters_of_cpp_and_none_that_are_reserved() {
        let mut names = Names::default();
        assert_eq!(names.give("r#type"), "type");
        assert_eq!(names.give("gr\u{f6}\u{df}e"), "gruf6udfe");
        assert_eq!(names.give("__a__b"), "_a_b");
        assert_eq!(names.give("_Big"), "Big");
        assert_eq!(names.give("__Big"), "Big_1");
        assert_eq!(names.give("\u{540d}"), "u540d");
    }
}
