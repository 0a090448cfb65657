//! The documentation is true: its kernels are accepted, the wrong programs of `docs/diagnostics` are
//! reported with the code of their page, and the table of operations is the one that is compiled.

use pl_codegen::diag::Code;
use pl_codegen::ir::DType;
use pl_codegen::ops::{Op, ResultElem, Types};
use pl_codegen::syntax::lower_file;
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
