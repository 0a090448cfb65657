//! The files of a folder of programs.

use crate::program::{Program, Shown};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// What the pass made of a program stands behind this.
const EXPECTED: &str = "//=";

/// A file of `cases/`.
pub(crate) struct File {
    path: PathBuf,
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) programs: Vec<Program>,
}

impl File {
    /// Every file of `cases/`, by name.
    pub(crate) fn all() -> &'static [Self] {
        static FILES: LazyLock<Vec<File>> =
            LazyLock::new(|| paths("cases").into_iter().map(File::read).collect());
        &FILES
    }

    fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).expect("readable");
        let name = stem(&path);
        let first = text.lines().next().unwrap_or_default();
        let shown = Shown::named(first.strip_prefix("//! Shown: ").unwrap_or(first))
            .unwrap_or_else(|| panic!("{name}: the first line names what is shown"));
        let modules = modules(&text);
        assert!(!modules.is_empty(), "{name}: programs are modules");
        let programs = modules
            .iter()
            .map(|(name, lines)| {
                let alone = masked(&text, &modules, lines);
                Program::read(name.clone(), lines.clone(), shown, &alone)
            })
            .collect();
        Self {
            path,
            name,
            text,
            programs,
        }
    }

    /// The file with what its programs become.
    pub(crate) fn blessed(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for (index, line) in self.text.lines().enumerate() {
            let ends = |program: &&Program| program.lines.end == index + 1;
            if let Some(program) = self.programs.iter().find(ends) {
                lines.extend(program.becomes.iter().map(|line| {
                    let line = format!("    {EXPECTED} {line}");
                    line.trim_end().to_owned()
                }));
            }
            if !line.trim_start().starts_with(EXPECTED) {
                lines.push(line.to_owned());
            }
        }
        lines.join("\n") + "\n"
    }

    pub(crate) fn write(&self, text: &str) {
        fs::write(&self.path, text).expect("writable");
    }
}

/// The Rust files of a folder beside this one, by name.
pub(crate) fn paths(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder is part of the repository")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "the files are found");
    files
}

pub(crate) fn stem(path: &Path) -> String {
    path.file_stem()
        .expect("has a name")
        .to_string_lossy()
        .into_owned()
}

/// The modules of a file: name, and lines from the one after `{` to the one of `}`, counted from 1.
fn modules(text: &str) -> Vec<(String, Range<usize>)> {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    let modules = file.items.into_iter().filter_map(|item| {
        let syn::Item::Mod(module) = item else {
            return None;
        };
        let (braces, _) = module.content.expect("the module is written in place");
        let (open, close) = (braces.span.open().start(), braces.span.close().start());
        Some((module.ident.to_string(), open.line + 1..close.line))
    });
    modules.collect()
}

/// The file with one module opened up and the others left out; every line stays where it is.
fn masked(text: &str, modules: &[(String, Range<usize>)], kept: &Range<usize>) -> String {
    let mut out = String::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let of_module = |lines: &Range<usize>| (lines.start - 1..=lines.end).contains(&number);
        let elsewhere = modules.iter().any(|(_, lines)| of_module(lines));
        if kept.contains(&number) || !elsewhere {
            out += line;
        }
        out += "\n";
    }
    out
}

/// The first line in which two texts differ, with what is around it.
pub(crate) fn first_difference(old: &str, new: &str) -> String {
    let at = old.lines().zip(new.lines()).position(|(a, b)| a != b);
    let from = at.unwrap_or(0).saturating_sub(4);
    let part = |text: &str| {
        let lines: Vec<&str> = text.lines().skip(from).take(12).collect();
        lines.join("\n")
    };
    format!("--- line {}\n{}\n+++\n{}", from + 1, part(old), part(new))
}
