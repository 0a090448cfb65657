//! Orchestration sources of C++, compiled with the system's compiler and run.

#![allow(clippy::float_cmp, reason = "exact values")]

mod compile;
mod kernels;
mod misuse;
mod runs;

use ndarray::{Array1, Array2};
use pl_runtime::cpp::{CompileOptions, CppError, KernelLibrary, Kernels, Orchestration};
use pl_runtime::{EntryArg, RunConfig, Runtime};
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/cpp")
        .join(name)
}

fn options() -> CompileOptions {
    CompileOptions {
        flags: ["-Wall", "-Wextra", "-Werror"].map(String::from).into(),
        cache: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cpp")),
        ..CompileOptions::default()
    }
}

/// A source whose entry has this body; it begins on line 1.
fn orchestration(body: &str) -> Orchestration {
    let text = format!(
        "#include \"pto_orchestration_api.h\"\nextern \"C\" void aicpu_orchestration_entry(const \
         ChipTaskArgs& args) {{ (void)args;\n# 1 \"orch.cpp\"\n{body}\n}}\n"
    );
    // SAFETY: sources of these tests.
    match unsafe { Orchestration::compile_text("orch.cpp", &text, &options()) } {
        Ok(compiled) => compiled,
        Err(error) => panic!("{error}"),
    }
}

fn kernel(name: &str) -> KernelLibrary {
    // SAFETY: kernels of these tests.
    unsafe { KernelLibrary::compile(&data(name), &options()) }.unwrap_or_else(|e| panic!("{e}"))
}
