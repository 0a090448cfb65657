//! Every file in `cases/`: kernels in; diagnostics as `//~ PLnnnn text` on the offending line, or
//! the IR after each pass as a snapshot.
//!
//! A line may carry several expectations. A file without any must be accepted as a whole; its IR
//! and its Rust go into `snapshots/`. `INSTA_UPDATE=always` accepts new snapshots: read them.
#![cfg(feature = "syntax")]

use pl_codegen::compile::Stage;
use pl_codegen::emit::rust::orchestration;
use pl_codegen::ir::{Kind, Unit};
use pl_codegen::passes::{Constant, Source, link};
use pl_codegen::syntax::{Lowered, lower_file};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder is part of the repository")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    files.sort();
    files
}

/// What a file holds: its kernels, the errors found, and its integer constants.
#[derive(Default)]
struct Case {
    units: Vec<Unit>,
    errors: Vec<(u32, String, String)>,
    constants: BTreeMap<String, String>,
}

fn read(text: &str) -> Case {
    let mut case = Case::default();
    for item in syn::parse_file(text).expect("cases parse as Rust").items {
        if let syn::Item::Const(constant) = item {
            let value = constant.expr.to_token_stream().to_string();
            case.constants.insert(constant.ident.to_string(), value);
        }
    }
    for Lowered {
        unit,
        diagnostics,
        expansion,
        ..
    } in lower_file(text).expect("just parsed")
    {
        for diagnostic in &diagnostics {
            case.errors.push((
                unit.source.line(diagnostic.span),
                diagnostic.code.to_string(),
                diagnostic.render(&unit.source),
            ));
        }
        // Whatever comes out must be Rust, also beside errors.
        if let Err(error) = syn::parse2::<syn::File>(expansion.clone()) {
            panic!("expansion is not Rust: {error}\n{expansion}");
        }
        // What depends on a callee is asserted, everything else reported by the attribute: once.
        let text = expansion.to_string();
        let count = text.matches("compile_error").count();
        let asserted = text.matches(":: core :: assert !").count();
        assert!(
            count == diagnostics.len() || asserted > 0,
            "{count} errors for {} diagnostics: {text}",
            diagnostics.len()
        );
        case.units.push(unit);
    }
    case
}

/// `//~ PL0001 text` comments: line, code, text that the message contains.
fn expectations(text: &str) -> Vec<(u32, String, String)> {
    let mut expected = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for comment in line.split("//~").skip(1) {
            let (code, text) = comment
                .trim()
                .split_once(' ')
                .unwrap_or((comment.trim(), ""));
            expected.push((index as u32 + 1, code.to_owned(), text.trim().to_owned()));
        }
    }
    expected
}

fn source(case: &Case, unit: &Unit) -> Option<Source> {
    let constants = unit.function.captures.iter().map(|name| {
        let text = case.constants.get(name)?.clone();
        Some(Constant {
            ty: "usize",
            text,
            negative: false,
        })
    });
    let callees = unit.function.callees.iter().map(|callee| {
        let unit = case
            .units
            .iter()
            .find(|unit| unit.function.name == callee.path)?;
        source(case, unit).map(Arc::new)
    });
    Some(Source {
        unit: unit.clone(),
        constants: constants.collect::<Option<_>>()?,
        elements: Vec::new(),
        callees: callees.collect::<Option<_>>()?,
    })
}

/// The kernel after each pass that changes it, and an entry's Rust where everything it needs is in the file.
fn describe(case: &Case, unit: &Unit) -> String {
    let mut text = String::new();
    let mut previous = String::new();
    let linked = source(case, unit).filter(|_| unit.function.kind == Kind::Entry);
    let shallow = Source {
        unit: unit.clone(),
        constants: Vec::new(),
        elements: Vec::new(),
        callees: Vec::new(),
    };
    for stage in Stage::ALL {
        let printed = match (&linked, stage) {
            (Some(linked), _) => stage.print(linked),
            (None, Stage::Linked) => continue,
            (None, _) => stage.print(&shallow),
        };
        if printed != previous {
            let _ = writeln!(text, "=== {stage:?}\n{printed}");
            previous = printed;
        }
    }
    if let Some(linked) = linked {
        let _ = writeln!(text, "=== Rust\n{}", orchestration(&link(&linked)));
    }
    text
}

/// Text parsed outside rustc belongs to a numbered file without a name.
fn without_file(text: &str) -> String {
    let mut parts = text.split("<parsed string ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += "case.rs";
        out += part.split_once('>').map_or(part, |(_, rest)| rest);
    }
    out
}

#[test]
fn every_case_gives_what_it_expects() {
    let mut failures = String::new();
    let mut seen = 0;
    for path in cases() {
        let name = path
            .file_stem()
            .expect("has a name")
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path).expect("readable");
        let (case, expected) = (read(&text), expectations(&text));
        seen += 1;
        let mut found = case.errors.clone();
        for (line, code, part) in &expected {
            let hit = found
                .iter()
                .position(|(l, c, text)| l == line && c == code && text.contains(part.as_str()));
            match hit {
                Some(hit) => drop(found.remove(hit)),
                None => {
                    let _ = writeln!(failures, "{name}:{line}: missing {code} {part}");
                }
            }
        }
        for (line, _, message) in found {
            let _ = writeln!(failures, "{name}:{line}: unexpected {message}");
        }
        if expected.is_empty() && case.errors.is_empty() {
            let text: String = case
                .units
                .iter()
                .map(|unit| describe(&case, unit))
                .collect();
            insta::assert_snapshot!(name.as_str(), without_file(&text));
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
    assert!(seen > 5, "the cases are found");
}

#[test]
fn every_code_is_expected_by_a_case() {
    let expected: BTreeSet<String> = cases()
        .iter()
        .flat_map(|path| expectations(&fs::read_to_string(path).expect("readable")))
        .map(|(_, code, _)| code)
        .collect();
    let missing: Vec<&str> = pl_codegen::diag::Code::ALL
        .iter()
        .map(|code| code.as_str())
        .filter(|code| !expected.contains(*code))
        .collect();
    assert!(missing.is_empty(), "no case shows {missing:?}");
}
