//! What `pl` says of itself.

use std::path::Path;
use std::process::{Command, Stdio};

fn pl(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_pl"))
        .args(args)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// The commands, as the help lists them.
fn commands() -> Vec<String> {
    let (code, help, _) = pl(&["--help"]);
    assert_eq!(code, 0);
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

fn page() -> String {
    page_of_book("cli.md")
}

fn page_of_book(name: &str) -> String {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    std::fs::read_to_string(docs.join(name)).unwrap()
}

#[test]
fn every_command_has_examples_and_stands_in_the_book() {
    let commands = commands();
    assert_eq!(
        commands,
        [
            "explain",
            "scope-stats",
            "run-orchestration",
            "plan",
            "audit",
            "completions",
            "man"
        ]
    );
    for command in commands {
        for help in ["--help", "-h"] {
            let (code, help, _) = pl(&[&command, help]);
            assert_eq!(code, 0, "{command}");
            let (_, examples) = help
                .split_once("Examples:\n")
                .unwrap_or_else(|| panic!("{command}: {help}"));
            assert!(
                examples.contains(&format!("pl {command} ")),
                "{command}: {examples}"
            );
        }
        assert!(page().contains(&format!("`pl {command}")), "{command}");
    }
}

#[test]
fn options_of_run_orchestration_stand_in_the_book() {
    let (_, help, _) = pl(&["run-orchestration", "-h"]);
    let page = page_of_book("run-orchestration.md");
    let options = help
        .split_whitespace()
        .filter(|word| word.starts_with("--"));
    for option in options.map(|option| option.trim_end_matches(|c: char| !c.is_alphanumeric())) {
        assert!(
            option == "--help" || page.contains(&format!("`{option}")),
            "{option}"
        );
    }
}

#[test]
fn exit_codes_of_the_help_are_those_of_the_book() {
    let (_, help, _) = pl(&["--help"]);
    let (_, codes) = help.split_once("Exit codes:\n").unwrap();
    let rows: Vec<_> = codes
        .lines()
        .map(|line| {
            line.trim()
                .split_once("  ")
                .map(|(code, text)| format!("| {code} | {text} |"))
        })
        .collect::<Option<_>>()
        .unwrap();
    assert_eq!(rows.len(), 4);
    assert!(page().contains(&rows.join("\n")), "{rows:#?}");
}

#[test]
fn completions_are_scripts_without_hidden_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (code, script, _) = pl(&["completions", shell]);
        assert_eq!(code, 0, "{shell}");
        for word in ["scope-stats", "run-orchestration", "ring-heap", "tolerance"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        assert!(!script.contains("child"), "{shell}");
    }
    assert_eq!(pl(&["completions", "tcsh"]).0, 2);
}

#[test]
fn the_completion_for_bash_is_valid() {
    use std::io::Write as _;
    let (_, script, _) = pl(&["completions", "bash"]);
    let mut bash = Command::new("bash")
        .arg("-n")
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    bash.stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    assert!(bash.wait().unwrap().success());
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let (code, page, _) = pl(&["man"]);
    assert_eq!(code, 0);
    assert!(
        page.contains(".TH pl 1") && page.contains("Exit codes"),
        "{page}"
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    drop(std::fs::remove_dir_all(&folder));
    let (code, said, _) = pl(&["man", "--dir", folder.to_str().unwrap()]);
    assert_eq!(
        (code, said),
        (
            0,
            format!(
                "wrote {}/pl.1 and those of the commands\n",
                folder.display()
            )
        )
    );
    for command in commands() {
        let page = std::fs::read_to_string(folder.join(format!("pl-{command}.1"))).unwrap();
        assert!(page.contains("Examples"), "{command}");
    }
    let file = folder.join("pl.1");
    let (code, _, error) = pl(&["man", "--dir", file.to_str().unwrap()]);
    assert_eq!(code, 2);
    assert!(error.contains("cannot be written"), "{error}");
}

#[test]
fn without_a_command_it_helps() {
    let (code, _, help) = pl(&[]);
    assert_eq!(code, 2);
    assert!(help.contains("Commands:"), "{help}");
}
