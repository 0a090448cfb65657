//! The options of examples that record a run.

use crate::program::{Run, run, temporary};
use std::fs;
use std::path::Path;

/// The files that `--work-dir` has got, but for the arguments.
fn recorded(dir: &Path) -> Vec<String> {
    let mut files = Vec::new();
    for folder in fs::read_dir(dir.join("dfx_outputs")).into_iter().flatten() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.is_file() {
                files.push(path.file_name().unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    files.sort();
    files
}

/// Runs `hello_world` with `args` in an empty work folder; gives what it has got.
fn in_a_folder(name: &str, args: &str) -> (Run, Vec<String>) {
    let dir = temporary(name);
    let _ = fs::remove_dir_all(&dir);
    let place = dir.to_str().expect("a path of this repository");
    let run = run("hello_world", &format!("{args} --work-dir {place}"));
    let files = recorded(&dir);
    let _ = fs::remove_dir_all(&dir);
    (run, files)
}

#[test]
fn each_option_records_its_own_files_and_the_run_passes() {
    for (option, files) in [
        (
            "--enable-scope-stats",
            &["run.json", "scope_stats.jsonl"][..],
        ),
        ("--enable-dep-gen", &["deps.dot", "deps.json"]),
        ("--enable-chip-swimlane", &["merged_swimlane.json"]),
        ("--enable-dump-args", &["args_dump.json"]),
        ("--enable-dump-args=add:0..30", &["args_dump.json"]),
        ("--enable-pmu", &["pmu.csv"]),
    ] {
        let (run, found) = in_a_folder("recorded", option);
        let run = run.passes();
        assert_eq!(found, files, "{option}");
        assert_eq!(run.stderr.matches("reports: ").count(), 1, "{}", run.stderr);
    }
    let (run, found) = in_a_folder("recorded", "--timing --enable-chip-swimlane --enable-pmu");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(found, ["merged_swimlane.json", "pmu.csv"]);
}

#[test]
fn nothing_is_recorded_unless_it_is_asked_for() {
    let run = run("hello_world", "").passes();
    assert_eq!(run.stderr, "");
}

#[test]
fn compile_only_neither_runs_nor_records_and_says_so() {
    let expected = "compiled; nothing was run, and nothing was recorded\n";
    let (quiet, found) = in_a_folder("compiled", "--compile-only --enable-pmu --enable-dep-gen");
    assert_eq!(
        (quiet.code, quiet.stdout.as_str()),
        (Some(0), expected),
        "{}",
        quiet.stderr
    );
    assert_eq!((quiet.stderr.as_str(), found.len()), ("", 0));
    for example in ["hello_world", "softmax", "attention", "attention_family"] {
        assert_eq!(run(example, "--compile-only").stdout, expected, "{example}");
    }
}

#[test]
fn what_cannot_be_recorded_is_refused_in_one_line() {
    let none = "--work-dir build_output";
    run("hello_world", none).refused(&["required", "--enable-scope-stats"]);
    for other in ["--plan", "--audit", "--print ir"] {
        let args = format!("{other} --enable-pmu");
        run("hello_world", &args)
            .refused(&["cannot be used with", other.split(' ').next().unwrap()]);
    }
    for (filter, part) in [
        ("", "names no kernel"),
        ("add:3", "is no range of tasks"),
        ("add:4..2", "is no range of tasks"),
    ] {
        run("hello_world", &format!("--enable-dump-args={filter}")).refused(&[part]);
    }
    let timing = "--timing --enable-dump-args";
    run("hello_world", timing).refused(&["enable_dump_args", "computes no element"]);
    run("hello_world", "--compile-only --plan").refused(&["--compile-only", "--plan"]);
}
