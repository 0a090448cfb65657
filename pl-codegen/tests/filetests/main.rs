//! Small programs through the attribute, without a compiler: `cases/` and `pipeline/`.
//!
//! A file of `cases/` holds many programs of one topic. A program is a `mod` named after the rule it
//! holds; it sees the items at the top of its file. Either it is rejected, with `//~ PLnnnn text`
//! on each offending line, or it is accepted, with what becomes of it behind `//=`, as it is after
//! the stage that the first line of the file names. `UPDATE_CASES=1` rewrites the `//=` lines: read
//! them.
//!
//! A file of `pipeline/` is one program; its IR after every pass and its Rust are snapshots of
//! insta. `INSTA_UPDATE=always` accepts new ones: read them, too.
#![cfg(feature = "syntax")]

mod compiles;
mod depth;
mod file;
mod kernels;
mod pipeline;
mod program;
mod reference;

use file::File;
use std::collections::BTreeSet;
use std::fmt::Write;

/// How many programs of each sort there are at least.
const FLOOR: usize = 150;

#[test]
fn every_program_gives_what_it_expects() {
    let mut failures = String::new();
    for file in File::all() {
        let blessed = file.blessed();
        if std::env::var_os("UPDATE_CASES").is_some() {
            file.write(&blessed);
        }
        for program in &file.programs {
            for failure in program.failures() {
                let _ = writeln!(failures, "{}: {}: {failure}", file.name, program.name);
            }
        }
        if blessed != file.text {
            let _ = writeln!(
                failures,
                "{}: other IR than behind `//=`; UPDATE_CASES=1 rewrites it\n{}",
                file.name,
                file::first_difference(&file.text, &blessed)
            );
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn there_are_enough_programs_of_each_sort() {
    let programs = File::all().iter().flat_map(|file| &file.programs);
    let (rejected, accepted): (Vec<_>, Vec<_>) =
        programs.partition(|program| program.is_rejected());
    assert!(rejected.len() >= FLOOR, "{} rejected", rejected.len());
    assert!(accepted.len() >= FLOOR, "{} accepted", accepted.len());
}

#[test]
fn a_name_is_given_to_one_program() {
    for file in File::all() {
        let mut seen = BTreeSet::new();
        for program in &file.programs {
            assert!(
                seen.insert(&program.name),
                "{}: {}",
                file.name,
                program.name
            );
        }
    }
}

#[test]
fn every_code_is_expected_by_a_program() {
    let expected: BTreeSet<&str> = File::all()
        .iter()
        .flat_map(|file| &file.programs)
        .flat_map(|program| &program.expected)
        .map(|expected| expected.code.as_str())
        .collect();
    let missing: Vec<&str> = pl_codegen::diag::Code::ALL
        .iter()
        .map(|code| code.as_str())
        .filter(|code| !expected.contains(*code))
        .collect();
    assert!(missing.is_empty(), "no program shows {missing:?}");
}
