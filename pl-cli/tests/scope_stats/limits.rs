//! Files that are large or meant to hurt are read in bounded memory.

use crate::program::{Recording, file, folder, scope_stats};
use pl_cli::scope_stats::{Detail, Kind, read};
use std::fs;

#[test]
fn sites_without_end_are_counted_together() {
    let mut recording = Recording::new();
    for number in 0..12_000 {
        recording.scope(&format!("f.rs:{number}"), 0, (0, 0), 64);
    }
    let summary = read(recording.text(1 << 20).as_bytes(), None, Detail::Course).unwrap();
    assert_eq!(summary.sites.iter().count(), 10_001);
    let finding = summary.findings.get(Kind::ManySites).unwrap();
    assert_eq!((finding.lines[0], summary.scopes), (20_002, 12_000));
    assert!(summary.is_good());
}

#[test]
fn scopes_without_end_are_not_kept_without_end() {
    let mut recording = Recording::new();
    for depth in 0..3000 {
        recording.sample("f.rs:1", "begin", depth, (0, 0));
    }
    let summary = read(recording.text(1 << 20).as_bytes(), None, Detail::Peaks).unwrap();
    assert_eq!(summary.open.len(), 1024);
    assert_eq!(
        summary.findings.get(Kind::TooManyOpen).unwrap().lines[0],
        1026
    );
    let run = scope_stats(&[&file("too_many_open", recording.text(1 << 20))]);
    assert!(
        run.stdout.contains("(1008 outer ones are left out)"),
        "{}",
        run.stdout
    );
}

/// Many scopes, made while they are read.
struct Endless {
    line: Vec<u8>,
    left: u64,
}

impl std::io::Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            return Ok(0);
        }
        self.left -= 1;
        let length = self.line.len();
        buffer[..length].copy_from_slice(&self.line);
        Ok(length)
    }
}

#[test]
fn a_summary_of_many_scopes_is_as_small_as_that_of_few() {
    let mut recording = Recording::new();
    recording.scope("f.rs:1", 0, (0, 0), 64);
    let text = recording.text(1 << 20);
    let (_, scope) = text.split_once('\n').unwrap();
    let endless = Endless {
        line: scope.into(),
        left: 200_000,
    };
    let summary = read(endless, None, Detail::Course).unwrap();
    assert_eq!(summary.scopes, 200_000);
    let page = summary.html("endless");
    assert!(page.len() < 1 << 20, "{}", page.len());
    assert!(page.contains("\"width\":128"));
}

#[test]
fn the_program_keeps_below_50_mb() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let mut recording = Recording::new();
    for number in 0..150_000_u64 {
        recording.scope(
            &format!("f.rs:{}", number % 100),
            0,
            (64 * number, 64 * number),
            64,
        );
    }
    let path = file("memory", recording.text(1 << 30));
    assert!(fs::metadata(&path).unwrap().len() > 56 << 20);
    let page = folder("memory_page").join("page.html");
    // Address space, which is more than memory.
    let script = format!(
        "ulimit -v 51200; exec '{}' scope-stats '{path}' --html '{}'",
        env!("CARGO_BIN_EXE_pl"),
        page.display()
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .output()
        .unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
