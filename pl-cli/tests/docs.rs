//! The documentation is true: its kernels are accepted, the wrong programs of `docs/diagnostics` are
//! reported with the code of their page, and the table of operations is the one that is compiled.

use pl_codegen::diag::Code;
use pl_codegen::ir::DType;
use pl_codegen::ops::{Op, ResultElem, Types};
use pl_codegen::syntax::lower_file;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The code of the block below a heading.
fn program<'p>(page: &'p str, heading: &str) -> &'p str {
    let (_, below) = page
        .split_once(&format!("\n## {heading}\n"))
        .expect("the heading");
    let (_, block) = below.split_once("```rust\n").expect("a block of Rust");
    block.split_once("\n```").expect("the end of the block").0
}

/// The codes that the kernels of a program are reported with.
fn codes(program: &str) -> Vec<Code> {
    let kernels = lower_file(program).unwrap_or_else(|error| panic!("{error} in\n{program}"));
    assert!(!kernels.is_empty(), "no kernel in\n{program}");
    kernels
        .iter()
        .flat_map(|kernel| kernel.diagnostics.iter().chain(&kernel.lints))
        .map(|diagnostic| diagnostic.code)
        .collect()
}

/// A file or folder of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn pages() -> impl Iterator<Item = (Code, String)> {
    let folder = repository("docs/diagnostics");
    Code::ALL
        .iter()
        .map(move |&code| (code, read(&folder.join(format!("{code}.md")))))
}

#[test]
fn the_wrong_program_of_a_page_is_reported_with_its_code_and_no_other() {
    for (code, page) in pages() {
        let mut codes = codes(program(&page, "Wrong"));
        codes.dedup();
        assert_eq!(codes, [code], "{code}");
    }
}

#[test]
fn the_right_program_of_a_page_is_not_reported() {
    for (code, page) in pages() {
        assert_eq!(codes(program(&page, "Right")), [], "{code}");
    }
}

#[test]
fn no_page_is_left_over() {
    for entry in std::fs::read_dir(repository("docs/diagnostics")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let known = Code::ALL.iter().any(|code| name == format!("{code}.md"));
        assert!(known, "{name} belongs to no code");
    }
}

#[test]
fn kernels_shown_in_the_book_are_accepted() {
    let mut shown = 0;
    for entry in std::fs::read_dir(repository("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        for block in read(&path).split("```rust\n").skip(1) {
            let (program, _) = block.split_once("\n```").expect("the end of the block");
            assert_eq!(codes(program), [], "{}", path.display());
            shown += 1;
        }
    }
    assert!(shown > 0);
}

macro_rules! rows {
    ($(
        $(#[doc = $doc:literal])* $variant:ident $name:ident $($symbol:literal)?
        ($($arg:ident: $kind:ident),*) -> [$($elem:ident),*] { $($columns:tt)* };
    )*) => {
        /// Arguments and description of each operation, as written.
        const OPERATIONS: &[(Op, &[(&str, &str)], &str)] = &[$((
            Op::$variant,
            &[$((stringify!($arg), stringify!($kind))),*],
            concat!($($doc),*),
        )),*];
    };
}

pl_codegen::for_each_operation!(rows);

#[test]
fn the_table_of_operations_is_the_one_in_the_code() {
    let expected = OPERATIONS.iter().map(|(op, args, doc)| {
        let names: Vec<&str> = args.iter().map(|(name, _)| *name).collect();
        let kinds: Vec<String> = args
            .iter()
            .map(|(arg, kind)| format!("{arg}: {kind}"))
            .collect();
        let call = match (op.symbol(), names.as_slice()) {
            (Some(symbol), [one]) => format!("{symbol}{one}"),
            (Some(symbol), names) => names.join(&format!(" {symbol} ")),
            (None, _) => format!("{}({})", op.name(), kinds.join(", ")),
        };
        let gives: Vec<&str> = op
            .results()
            .iter()
            .map(|elem| match elem {
                ResultElem::same | ResultElem::open => "tile",
                ResultElem::bool => "`bool` tile",
                ResultElem::i32 => "`i32` tile",
                ResultElem::f32 => "`f32` tile",
            })
            .collect();
        let gives = if gives.is_empty() {
            "-".to_owned()
        } else {
            gives.join(", ")
        };
        let (types, shape) = (op.types().name(), op.shape().text());
        format!("| `{call}` | {types} | {gives} | {shape} |{doc} |")
    });
    let expected: Vec<_> = expected.collect();
    let page = read(&repository("docs/in-core.md"));
    let (_, table) = page
        .split_once("| operation | elements | gives | shape | |\n|---|---|---|---|---|\n")
        .unwrap();
    let found: Vec<_> = table
        .lines()
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert!(
        found == expected,
        "the table should be\n{}",
        expected.join("\n")
    );
}

#[test]
fn what_the_table_of_operations_says_of_elements_is_explained() {
    let page = read(&repository("docs/in-core.md"));
    for types in Types::ALL {
        let members = DType::ALL.into_iter().filter(|dtype| types.has(*dtype));
        let members: Vec<_> = members.map(DType::name).collect();
        let row = format!("| {} | `{}` |", types.name(), members.join(" "));
        assert!(page.contains(&row), "{row}");
    }
}

#[test]
fn the_number_of_operations_is_the_one_in_the_readme() {
    let sentence = format!("* {} operations on tiles", Op::functions().count());
    assert!(
        read(&repository("README.md")).contains(&sentence),
        "{sentence}"
    );
}

/// What the page on the architecture says of unsafe code.
fn unsafe_rooms() -> String {
    let page = read(&repository("docs/architecture.md"));
    let (_, section) = page.split_once("\n## Unsafe code\n").unwrap();
    section.to_owned()
}

/// What stands in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn is_rust(path: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|ending| ending == "rs")
}

/// The sources below `folder`, by their path from there, without what is compiled for tests only.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                folders.push(path);
            } else if is_rust(name) && !name.ends_with("tests.rs") {
                let text = read(&path);
                let (text, _) = text
                    .split_once("\n#[cfg(test)]\nmod ")
                    .unwrap_or((&text, ""));
                let below = path.strip_prefix(folder).unwrap().to_str().unwrap();
                found.push((below.to_owned(), text.to_owned()));
            }
        }
    }
    found
}

#[test]
fn every_room_of_unsafe_code_is_in_the_table_and_states_its_invariants() {
    let section = unsafe_rooms();
    let mut listed = 0;
    for folder in ["pl-runtime/src", "pl-cli/src"] {
        for (path, text) in sources(&repository(folder)) {
            let has_unsafe = ["unsafe {", "unsafe impl ", "unsafe extern "]
                .iter()
                .any(|form| text.contains(form));
            let is_listed = quoted(&section).any(|quoted| quoted == path);
            assert!(is_listed || !has_unsafe, "{folder}/{path} is not listed");
            let states = text.contains(" # Invariants of the unsafe code\n");
            assert!(states || !has_unsafe, "{folder}/{path} states none");
            listed += usize::from(is_listed && has_unsafe);
        }
    }
    let rooms = quoted(&section).filter(|quoted| is_rust(quoted));
    let rooms: BTreeSet<&str> = rooms.filter(|room| *room != "task/queue.rs").collect();
    assert_eq!(listed, rooms.len(), "{rooms:?}");
}

/// The words of a function of `scripts/sanitize.sh`.
fn sanitized(function: &str) -> Vec<String> {
    let script = read(&repository("scripts/sanitize.sh"));
    let (_, body) = script
        .split_once(&format!("\n{function}() {{\n"))
        .expect("the function");
    let (body, _) = body.split_once("\n}").expect("its end");
    body.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_tests_that_the_table_of_unsafe_rooms_names_run_under_the_sanitizers() {
    let section = unsafe_rooms();
    let mut named = 0;
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let [_, _, models, tests @ ..] = &cells[..] else {
            panic!("{row}");
        };
        for model in quoted(models) {
            let text = read(&repository("pl-runtime/src").join(model));
            assert!(text.contains("\nmod loom_tests {"), "{model}: {row}");
        }
        for (function, tests) in ["address", "thread"].iter().zip(tests) {
            let words = sanitized(function);
            let has = |before: &str, word: &str| words.windows(2).any(|two| two == [before, word]);
            for test in quoted(tests) {
                let (program, module) = test.split_once("::").unwrap_or((test, ""));
                let runs = match program {
                    "unit" => words.iter().any(|word| word == "--lib"),
                    _ => has("--test", program) && !has("--skip", &format!("{module}::")),
                };
                assert!(runs, "{function} does not run {test}");
                if !module.is_empty() {
                    let text = read(&repository(&format!("pl-runtime/tests/{program}/main.rs")));
                    assert!(
                        text.contains(&format!("mod {module};")),
                        "{test} is no module"
                    );
                }
                named += 1;
            }
        }
    }
    assert!(named > 0);
}
