//! Printed orchestration sources are C++17 without a warning.

use crate::file::File;
use crate::file::{paths, stem};
use crate::kernels::Kernels;
use pl_codegen::emit::cpp::TAKEN_NAMES;
use std::collections::BTreeSet;
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
    let mut includes = BTreeSet::new();
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

/// Rust's words, which are names behind `r#` only, or not at all.
const RUST: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// A name as Rust spells it.
fn in_rust(name: &str) -> String {
    if RUST.contains(&name) {
        return format!("r#{name}");
    }
    name.to_owned()
}

/// Entries in which each of the names is a variable, a tensor, a task id, a parameter.
fn entries_of_names(names: &BTreeSet<String>) -> String {
    let mut text = "\
        #[pl::jit::incore] fn kernel(x: Tensor<f32, _>, n: usize, y: Out<Tensor<f32, _>>) {\
            store(y, load(x)); }\n"
        .to_owned();
    let (mut scalars, mut tensors, mut tasks) = (String::new(), String::new(), String::new());
    let (mut params, mut inputs) = (String::new(), String::new());
    let (mut numbers, mut counts) = (String::new(), String::new());
    for name in names {
        let name = in_rust(name);
        let _ = write!(scalars, "let {name} = m0 + 1; kernel(x0, {name}, y0);");
        let _ = write!(
            tensors,
            "let {name} = create_tensor::<f32>([4]); kernel(x0, m0, {name}); kernel({name}, m0, y0);"
        );
        let _ = write!(
            tasks,
            "let {name} = submit!(kernel(x0, m0, y0)); submit!(kernel(x0, m0, y0), deps = [{name}]);"
        );
        let _ = write!(params, "{name}: Tensor<f32, 4>, ");
        let _ = write!(inputs, "kernel({name}, m0, y0);");
        let _ = write!(numbers, "{name}: usize, ");
        let _ = write!(counts, "for i in 0..{name} {{ kernel(x0, i, y0); }}");
    }
    let _ = writeln!(
        text,
        "#[pl::jit(auto_scope = false)] fn inputs({params} m0: usize, y0: Out<Tensor<f32, 4>>) {{ {inputs} }}
         #[pl::jit(auto_scope = false)] fn numbers({numbers} x0: Tensor<f32, 4>, y0: Out<Tensor<f32, 4>>) {{ {counts} }}"
    );
    for (what, body) in [("scalars", scalars), ("tensors", tensors), ("tasks", tasks)] {
        let _ = writeln!(
            text,
            "#[pl::jit(auto_scope = false)] fn {what}(x0: Tensor<f32, 4>, m0: usize, y0: Out<Tensor<f32, 4>>) {{ {body} }}"
        );
    }
    text
}

/// All sources of a text of kernels.
fn sources(text: &str) -> Vec<(String, String)> {
    let kernels = Kernels::read(text);
    let errors: Vec<&str> = kernels.errors.iter().map(|e| e.text.as_str()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let printed = kernels.units.iter().filter_map(|unit| kernels.cpp(unit));
    printed
        .map(|program| (program.name, program.source))
        .collect()
}

#[test]
fn every_word_of_cpp_and_of_the_interface_is_a_name_that_a_kernel_may_use() {
    let names = TAKEN_NAMES.iter().map(|name| (*name).to_owned());
    compile("taken", &sources(&entries_of_names(&names.collect())));
}

#[test]
fn every_word_of_the_headers_is_a_name_that_a_kernel_may_use() {
    let mut names = BTreeSet::new();
    for header in fs::read_dir(include()).expect("the headers") {
        let text = fs::read_to_string(header.expect("readable").path()).expect("readable");
        // Comments and texts name what is not declared, but that is no harm.
        for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            if !word.starts_with(|c: char| c.is_ascii_digit()) && !word.trim_matches('_').is_empty()
            {
                names.insert(word.to_owned());
            }
        }
    }
    // Not names in Rust, also not behind `r#`; and those of the text around them.
    for other in [
        "self", "Self", "super", "crate", "x0", "y0", "m0", "kernel", "store", "load",
    ] {
        names.remove(other);
    }
    assert!(names.len() > 300, "{} words", names.len());
    compile("words", &sources(&entries_of_names(&names)));
}

#[test]
fn the_text_is_the_same_each_time() {
    for path in paths("pipeline") {
        let text = fs::read_to_string(&path).expect("readable");
        assert_eq!(sources_of(&text), sources_of(&text), "{}", path.display());
    }
}

fn sources_of(text: &str) -> Vec<String> {
    sources(text)
        .into_iter()
        .map(|(_, source)| source)
        .collect()
}
