//! Two runs.

use crate::program::{Recording, Run, corpus, file, run_json, scope_stats};
use std::fs;
use std::path::Path;

fn recording(name: &str, bytes: u64) -> String {
    let mut recording = Recording::new();
    recording.scope("a.rs:1", 0, (0, 0), bytes);
    file(name, recording.text(1 << 20))
}

fn compare(a: &str, b: &str, tolerance: &str) -> Run {
    scope_stats(&[a, b, "--tolerance", tolerance])
}

#[test]
fn a_peak_that_grew_by_more_than_the_tolerance_ends_with_3() {
    let (a, b) = (recording("before", 1000), recording("after", 1100));
    let run = scope_stats(&[&a, &b]);
    assert_eq!(run.code, 3, "{}", run.stdout);
    assert!(
        run.stdout
            .contains("heap          0      peak   1000 B   1.07 KiB   +10.00 %"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.ends_with("\n1 peak grew by more than 0 %.\n"),
        "{}",
        run.stdout
    );
    assert_eq!(compare(&a, &b, "9.9%").code, 3);
    for (a, b, tolerance) in [
        (&a, &b, "10%"),
        (&a, &b, "10"),
        (&b, &a, "0%"),
        (&a, &a, "0%"),
    ] {
        let run = compare(a, b, tolerance);
        assert_eq!(run.code, 0, "{}", run.stdout);
        assert!(
            run.stdout.contains("No peak grew by more than"),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn a_ring_that_was_not_used_before_is_a_regression() {
    let (a, b) = (recording("zero", 0), recording("some", 1024));
    let run = compare(&a, &b, "1000%");
    assert_eq!(run.code, 3);
    assert!(
        run.stdout.contains("0 B      1 KiB   new"),
        "{}",
        run.stdout
    );
}

#[test]
fn demand_is_compared_where_both_runs_have_it() {
    let with_demand = |name: &str, bytes: u64, demand: u64| {
        let path = recording(name, bytes);
        fs::write(
            Path::new(&path).with_file_name("run.json"),
            run_json(1 << 20, demand, 1, None),
        )
        .unwrap();
        path
    };
    let (a, b) = (
        with_demand("d_before", 1000, 500),
        with_demand("d_after", 9000, 500),
    );
    let run = scope_stats(&[&a, &b, "--json"]);
    assert_eq!(
        run.code, 0,
        "more was held, no more was needed: {}",
        run.stdout
    );
    let json = run.json();
    let heap = json["changes"]
        .as_array()
        .unwrap()
        .iter()
        .find(|change| change["resource"] == "heap");
    assert_eq!(
        *heap.unwrap(),
        serde_json::json!({"resource": "heap", "ring": 0, "by": "demand", "before": 500, "after": 500, "regression": false})
    );
    assert_eq!(
        scope_stats(&[
            &with_demand("e_before", 1000, 500),
            &with_demand("e_after", 1000, 501)
        ])
        .code,
        3
    );
    // One run without it: what both have is compared.
    assert_eq!(scope_stats(&[&recording("f_before", 1000), &b]).code, 3);
}

#[test]
fn a_damaged_run_is_told_and_does_not_pass() {
    let good = corpus("good");
    for name in ["dropped", "blank_lines"] {
        let run = scope_stats(&[&good, &corpus(name)]);
        assert_eq!(run.code, i32::from(name == "dropped"), "{}", run.stdout);
        assert!(run.stdout.contains("Findings"), "{}", run.stdout);
    }
    let run = scope_stats(&[&good, &corpus("empty")]);
    assert_eq!(run.code, 2);
}
