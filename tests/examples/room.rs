//! Scratch and rings: what the examples need, and what is said where there is less.

use crate::SMALL_ATTENTION;
use crate::program::run;

#[test]
fn attention_needs_scratch_and_heap_that_do_not_depend_on_the_context() {
    let reports = ["512", "8192"].map(|keys| {
        let args = format!("{SMALL_ATTENTION} --keys {keys} --ring-heap 65536");
        let report = run("attention", &args).passes().stdout;
        let of_rings = |line: &&str| line.starts_with("ring ") || line.contains("peak scratch");
        report
            .lines()
            .filter(of_rings)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    assert_eq!(reports[0], reports[1]);
    assert!(reports[0][1].contains("of 65536 bytes"), "{reports:?}");
}

#[test]
fn attention_without_scratch_scope_overflows_the_scratch() {
    let args = format!("{SMALL_ATTENTION} --keys 8192 --no-scratch-scope");
    for executor in ["", " --serial"] {
        let error = run("attention", &format!("{args}{executor}")).fails();
        for part in [
            "attend_without_scope",
            "requested",
            "used",
            "1048576",
            "scratch_scope!",
        ] {
            assert!(error.contains(part), "{part}: {error}");
        }
    }
    run(
        "attention",
        &format!("{SMALL_ATTENTION} --keys 64 --no-scratch-scope"),
    )
    .passes();
}

#[test]
fn a_ring_that_is_too_small_fails_with_a_size_that_works() {
    let args = format!("{SMALL_ATTENTION} --keys 64 --ring-heap");
    let error = run("attention", &format!("{args} 1024")).fails();
    assert!(
        error.contains("HEAP_RING_DEADLOCK") && error.contains("ring 1"),
        "{error}"
    );
    let (_, size) = error.split_once("of ring 1 to ").expect("a suggestion");
    run("attention", &format!("{args} {}", size.trim())).passes();
}

/// Figure `name` of what a plan says of each ring, `unused` for rings that it does not name.
fn planned(plan: &str, name: &str, unused: u64) -> [u64; 4] {
    let mut figures = [unused; 4];
    let mut ring = 0;
    for line in plan.lines() {
        if let Some(rest) = line.strip_prefix("ring ") {
            ring = rest[..1].parse().unwrap();
        }
        if line.trim_start().starts_with(name) {
            let (_, rest) = line.split_once("minimum ").expect(line);
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
            figures[ring] = digits.unwrap().parse().unwrap();
        }
    }
    figures
}

#[test]
fn with_the_planned_minimum_every_example_completes_and_with_one_step_less_it_fails_as_predicted() {
    for (example, args) in [
        ("hello_world", ""),
        ("softmax", ""),
        (
            "attention",
            "--heads 4 --kv-heads 2 --head-dim 64 --queries 96 --keys 64",
        ),
        (
            "attention_family",
            "--heads 2 --kv-heads 1 --keys 300,7 --queries 40",
        ),
        (
            "attention_family",
            "--heads 2 --kv-heads 1 --keys 300,7 --kernel paged",
        ),
    ] {
        let list = |values: [u64; 4]| values.map(|value| value.to_string()).join(",");
        let plan = run(example, &format!("{args} --plan")).stdout;
        let heaps = planned(&plan, "heap:", 1024);
        let windows = planned(&plan, "task window:", 4);
        let with = |heaps, windows| {
            format!(
                "{args} --ring-heap {} --ring-task-window {}",
                list(heaps),
                list(windows)
            )
        };
        run(example, &with(heaps, windows)).passes();
        for ring in 0..4 {
            let mut less = [(heaps, windows), (heaps, windows)];
            less[0].0[ring] -= 1024;
            less[1].1[ring] /= 2;
            for (heaps, windows) in less {
                if heaps[ring] == 0 || windows[ring] < 4 {
                    continue;
                }
                let args = with(heaps, windows);
                let plan = run(example, &format!("{args} --plan")).stdout;
                let predicted = plan
                    .split_once("fails in the rings given: ")
                    .expect(&plan)
                    .1;
                let error = run(example, &args).fails();
                assert!(error.contains(predicted.trim_end()), "{predicted}: {error}");
            }
        }
    }
}
