//! Gathers the accepted programs of `pl-codegen/tests/cases`, and those of the book, for rustc to read them too:
//! elsewhere they are only looked at by the attribute's own code. See `tests/accepted.rs`.
//!
//! Writes the entries of `tests/random` as well.

#[path = "tests/random/generator.rs"]
mod generator;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pl-codegen/tests/cases");
    println!("cargo::rerun-if-changed={}", cases.display());
    let mut paths: Vec<_> = fs::read_dir(&cases)
        .expect("the folder is part of the repository")
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    let (mut modules, mut checks) = (String::new(), String::new());
    for path in paths {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.file_stem().expect("has a name").to_string_lossy();
        let text = fs::read_to_string(&path).expect("readable");
        let accepted = accepted(&text);
        let _ = writeln!(modules, "mod {name} {{\nuse pl::prelude::*;\n{accepted}}}");
        let _ = writeln!(checks, "{name}::check();");
    }
    for page in pages(Path::new("../docs")).chain(pages(Path::new("../docs/diagnostics"))) {
        println!("cargo::rerun-if-changed={}", page.display());
        let text = fs::read_to_string(&page).expect("readable");
        let name = page.file_stem().expect("has a name").to_string_lossy();
        // What is wrong in a page about an error stands before what is right.
        let from = text.find("\n## Right\n").unwrap_or(0);
        for (number, block) in text[from..].split("```rust\n").skip(1).enumerate() {
            let (program, _) = block.split_once("\n```").expect("the end of the block");
            let module = name.replace('-', "_").to_lowercase();
            // Those that are tests are run elsewhere: `tests/readme.rs`, `tests/snapshots.rs`.
            let program = program.replace("#[test]\n", "");
            let _ = writeln!(modules, "mod {module}_{number} {{\n{program}\n}}");
        }
    }
    let test = format!("#[test]\nfn every_accepted_entry_links() {{\n{checks}}}\n");
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    let write = |name, text| fs::write(Path::new(&out).join(name), text).expect("writable");
    write("accepted.rs", modules + &test);
    write("random.rs", generator::programs());
}

/// The pages of a folder of the book.
fn pages(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(folder).expect("the folder is part of the repository");
    entries
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
}

/// A file without the programs that are rejected, and a function that checks the entries of the others.
fn accepted(text: &str) -> String {
    let (mut out, mut checks) = (String::new(), String::new());
    let mut program: Option<(String, String)> = None;
    for line in text.lines() {
        let head = line
            .strip_prefix("mod ")
            .and_then(|rest| rest.strip_suffix(" {"));
        if let Some(name) = head {
            program = Some((name.to_owned(), format!("{line}\nuse super::*;\n")));
            continue;
        }
        match &mut program {
            None if line.starts_with("//!") => {}
            None => out.extend([line, "\n"]),
            Some((name, body)) if line == "}" => {
                if !body.contains("//~") {
                    let _ = writeln!(checks, "{name}::check();");
                    out.extend([body.as_str(), &check_of(&entries(body)), "}\n"]);
                }
                program = None;
            }
            Some((_, body)) => body.extend([line, "\n"]),
        }
    }
    out + &format!("pub(crate) fn check() {{ {checks} }}\n")
}

/// A function that checks entries.
fn check_of(entries: &[&str]) -> String {
    let checks = entries
        .iter()
        .map(|entry| format!("crate::check({entry}::kernel());"));
    format!(
        "pub(crate) fn check() {{ {} }}\n",
        checks.collect::<String>()
    )
}

/// The names of the entries of a program.
fn entries(body: &str) -> Vec<&str> {
    let lines: Vec<&str> = body.lines().map(str::trim).collect();
    let pairs = lines.windows(2);
    pairs
        .filter(|pair| pair[0].starts_with("#[pl::jit]") || pair[0].starts_with("#[pl::jit("))
        .filter_map(|pair| pair[1].strip_prefix("fn ")?.split('(').next())
        .collect()
}
