//! Printed orchestration sources are C++17 without a warning.

use crate::file::File;
use crate::file::{paths, stem};
use crate::kernels::Kernels;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the header that sources include.
fn include() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../pl-runtime/include")
}

/// Compiles sources, each in a namespace of its own, in one run of the compiler.
fn compile(name: &str, sources: &[(String, String)]) {
    let mut includes = std::collections::BTreeSet::new();
    let mut text = String::new();
    for (index, (name, source)) in sources.iter().enumerate() {
        let _ = writeln!(text, "namespace n{index} {{  // {name}");
        for line in source.lines() {
            if line.starts_with("#include") {
                includes.insert(line.to_owned());
            } else if !line.contains("extern \"C\"") {
                text += line;
                text.push('\n');
            }
        }
        let _ = writeln!(text, "}}");
    }
    let includes: Vec<String> = includes.into_iter().collect();
    let includes = includes.join("\n");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.cpp"));
    fs::write(&file, format!("{includes}\n{text}")).expect("writable");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "g++".to_owned());
    let output = Command::new(&compiler)
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
        .arg("-I")
        .arg(include())
        .arg(&file)
        .output()
        .unwrap_or_else(|error| {
            panic!("this test needs a C++ compiler, `{compiler}` (set CXX for another): {error}")
        });
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}:\n{errors}", file.display());
}

#[test]
fn every_accepted_program_prints_cpp_without_a_warning() {
    let mut sources = Vec::new();
    for file in File::all() {
        for program in &file.programs {
            for printed in program.cpp() {
                let name = format!("{}::{}::{}", file.name, program.name, printed.name);
                sources.push((name, printed.source));
            }
        }
    }
    for path in paths("pipeline") {
        let kernels = Kernels::read(&fs::read_to_string(&path).expect("readable"));
        for unit in &kernels.units {
            if let Some(printed) = kernels.cpp(unit) {
                sources.push((format!("{}::{}", stem(&path), printed.name), printed.source));
            }
        }
    }
    assert!(sources.len() >= 100, "{} sources", sources.len());
    compile("accepted", &sources);
}
