//! `pl explain` as a user calls it.

use std::process::{Command, Output};

fn pl(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pl"))
        .args(args)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_code_prints_its_page_in_any_case() {
    for code in ["PL0101", "pl0101", "Pl0101"] {
        let output = pl(&["explain", code]);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).starts_with("# PL0101: handle used after its scope\n"));
    }
}

#[test]
fn an_unknown_code_ends_with_2_and_lists_near_ones() {
    let output = pl(&["explain", "PL0109"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("no diagnostic `PL0109`") && stderr.contains("PL0101  "),
        "{stderr}"
    );
}

#[test]
fn the_list_has_every_code_once() {
    let output = pl(&["explain", "--list"]);
    assert_eq!(output.status.code(), Some(0));
    let stdout = text(&output.stdout);
    let codes: Vec<&str> = stdout.lines().map(|line| &line[..6]).collect();
    let expected: Vec<&str> = pl_codegen::diag::Code::ALL
        .iter()
        .map(|code| code.as_str())
        .collect();
    assert_eq!(codes, expected);
}

#[test]
fn a_missing_code_is_a_usage_error() {
    assert_eq!(pl(&["explain"]).status.code(), Some(2));
}
