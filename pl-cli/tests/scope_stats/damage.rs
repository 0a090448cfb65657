//! Whatever is wrong with a file is said, with its line.

use crate::program::{corpus, file, folder, run_json, scope_stats};
use pl_cli::scope_stats::{Detail, read};
use std::fs;

/// Files of the corpus: exit code, and each finding with its first line.
const CORPUS: &[(&str, i32, &str)] = &[
    ("good", 0, ""),
    ("no_scopes", 0, ""),
    ("compact", 0, ""),
    ("carriage_returns", 0, ""),
    ("one_capacity_for_all", 0, ""),
    ("fatal", 1, "fatal@1"),
    ("wedged", 1, "open-scopes@3"),
    ("dropped", 1, "dropped@1"),
    ("missing_records", 1, "missing-records"),
    ("extra_records", 1, "extra-records"),
    ("truncated", 1, "open-scopes@2 missing-records truncated@5"),
    (
        "torn_to_the_first_byte",
        1,
        "open-scopes@2 missing-records truncated@5",
    ),
    ("no_metadata", 1, "no-metadata@1"),
    ("garbage_metadata", 1, "no-metadata@1 not-json@1"),
    ("metadata_without_keys", 1, "bad-metadata@1"),
    ("metadata_of_other_types", 1, "bad-metadata@1"),
    ("joined", 1, "joined-files@6"),
    ("version_7", 1, "version@1"),
    ("version_5", 0, "wrapping@1"),
    ("zero_capacities", 1, "zero-capacity@1"),
    ("garbage_lines", 1, "not-json@3 bad-record@7"),
    (
        "not_utf8",
        1,
        "missing-records not-utf8@3 end-without-begin@4",
    ),
    ("long_line", 1, "long-line@3"),
    (
        "record_without_site",
        1,
        "missing-records bad-record@3 end-without-begin@4",
    ),
    ("negative_and_fraction", 1, "missing-records bad-record@3"),
    (
        "repeated_key",
        1,
        "missing-records bad-record@3 end-without-begin@4",
    ),
    ("unknown_phase", 1, "unknown-phase@3"),
    ("ring_9", 1, "bad-ring@3"),
    ("ring_of_other_depth", 1, "ring-of-other-depth@3"),
    ("missing_field", 1, "missing-field@3"),
    ("end_without_begin", 1, "end-without-begin@3"),
    (
        "end_at_another_site",
        1,
        "end-without-begin@4 begin-without-end@3",
    ),
    ("begin_without_end", 1, "begin-without-end@3"),
    ("two_begins_at_one_depth", 1, "begin-without-end@3"),
    ("missing_outer", 1, "missing-outer@3"),
    ("backwards", 1, "backwards@4"),
    ("huge_numbers", 1, "beyond-capacity@4"),
    (
        "huge_depth",
        1,
        "begin-without-end@3 missing-outer@3 too-deep@3",
    ),
    ("deep", 1, "too-deep@66"),
    ("recursion", 0, "recursion@4"),
    ("markup_in_sites", 0, "odd-site@3"),
    ("control_characters_in_sites", 0, "odd-site@3"),
    ("long_site", 0, "long-site@3"),
    ("blank_lines", 0, "blank-line@3"),
    ("byte_order_mark", 0, "byte-order-mark@1"),
    ("empty", 2, ""),
    ("binary", 2, ""),
    ("utf16", 2, ""),
    ("another_json", 2, ""),
];

#[test]
fn each_damage_is_a_finding_with_its_line() {
    for (name, code, expected) in CORPUS {
        let run = scope_stats(&[&corpus(name), "--json"]);
        assert_eq!(run.code, *code, "{name}: {}{}", run.stdout, run.stderr);
        if *code == 2 {
            assert!(
                run.stderr.contains("this is no `scope_stats.jsonl`"),
                "{name}: {}",
                run.stderr
            );
            continue;
        }
        let json = run.json();
        let findings: Vec<_> = json["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| {
                let kind = finding["kind"].as_str().unwrap();
                match finding["lines"][0].as_u64() {
                    Some(line) => format!("{kind}@{line}"),
                    None => kind.to_owned(),
                }
            })
            .collect();
        assert_eq!(findings.join(" "), *expected, "{name}");
        assert_eq!(json["good"], *code == 0, "{name}");
    }
}

#[test]
fn each_file_of_the_corpus_is_tested() {
    let folder = corpus("x");
    let folder = std::path::Path::new(&folder).parent().unwrap();
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            entry
                .unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    files.sort();
    let mut tested: Vec<_> = CORPUS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    tested.sort();
    assert_eq!(files, tested);
}

#[test]
fn each_damage_is_said_in_the_text_and_on_the_page_too() {
    for (name, code, expected) in CORPUS {
        let out = folder("page").join(format!("{name}.html"));
        let run = scope_stats(&[&corpus(name), "--html", out.to_str().unwrap()]);
        assert_eq!(run.code, *code, "{name}");
        if *code == 2 {
            assert!(!out.exists(), "{name}");
            continue;
        }
        let page = fs::read_to_string(out).unwrap();
        for finding in expected.split_whitespace() {
            let kind = finding.split('@').next().unwrap();
            assert!(
                run.stdout.contains(&format!("[{kind}] ")),
                "{name}: {}",
                run.stdout
            );
            assert!(
                page.contains(&format!("\"kind\":\"{kind}\"")),
                "{name}: {kind}"
            );
        }
        // The text is safe on a terminal, and the data of the page cannot leave their element.
        assert!(
            !run.stdout.contains(|c: char| c.is_control() && c != '\n'),
            "{name}"
        );
        assert_eq!(page.matches("</script").count(), 2, "{name}");
    }
}

#[test]
fn figures_of_what_is_whole_are_right_in_a_damaged_file() {
    for name in [
        "good",
        "blank_lines",
        "garbage_lines",
        "long_line",
        "unknown_phase",
        "no_metadata",
    ] {
        let json = scope_stats(&[&corpus(name), "--json"]).json();
        let lanes = json["lanes"].as_array().unwrap();
        let heap = lanes
            .iter()
            .find(|lane| lane["resource"] == "heap" && lane["ring"] == 1);
        let peak = &heap.unwrap()["high_water"];
        assert_eq!(peak["value"], 6144, "{name}");
        assert_eq!(peak["site"], "demo_orch.cpp:41", "{name}");
    }
}

#[test]
fn positions_that_wrap_are_counted_on() {
    let json = scope_stats(&[&corpus("version_5"), "--json"]).json();
    let lanes = json["lanes"].as_array().unwrap();
    let heap = lanes
        .iter()
        .find(|lane| lane["resource"] == "heap" && lane["ring"] == 1)
        .unwrap();
    // 700 KiB, 624 over the end of the heap, 600.
    assert_eq!(heap["alloc_in_all"], (700 + 624 + 600) << 10);
    assert_eq!(heap["alloc_per_scope"]["value"], 700 << 10);
    assert_eq!(heap["live_at_exit"]["value"], 924 << 10);
    assert!(heap["live_at_exit"]["share"].as_f64().unwrap() <= 1.0);
}

#[test]
fn a_run_that_failed_is_not_good() {
    let text = fs::read_to_string(corpus("good")).unwrap();
    let path = file("failed", text);
    let run = std::path::Path::new(&path).with_file_name("run.json");
    fs::write(
        &run,
        run_json(
            1 << 20,
            4096,
            2,
            Some((2, "HEAP_RING_DEADLOCK: too large\u{1b}[2J")),
        ),
    )
    .unwrap();
    let run = scope_stats(&[&path]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout
            .contains("warning[failed] HEAP_RING_DEADLOCK: too large\u{fffd}[2J"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("Error 2: the ring ran out of heap"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_run_json_that_does_not_belong_to_the_file_is_not_used() {
    let good = fs::read_to_string(corpus("good")).unwrap();
    let cases = [
        ("text", "{", "EOF"),
        (
            "version",
            &run_json(1 << 20, 1, 2, None).replace("\"version\":1", "\"version\":9"),
            "version 9 is not 1",
        ),
        (
            "sizes",
            &run_json(4096, 1, 2, None),
            "of another run: it has 4096 for heap of ring 0",
        ),
        (
            "scopes",
            &run_json(1 << 20, 1, 1, None),
            "of another run: it had 1 scope",
        ),
    ];
    for (name, run_json, why) in cases {
        let path = file(&format!("run_{name}"), &good);
        fs::write(
            std::path::Path::new(&path).with_file_name("run.json"),
            run_json,
        )
        .unwrap();
        let run = scope_stats(&[&path]);
        assert_eq!(run.code, 1, "{name}");
        assert!(
            run.stdout
                .contains("[bad-run-json] `run.json` is not used: "),
            "{}",
            run.stdout
        );
        assert!(run.stdout.contains(why), "{name}: {}", run.stdout);
        assert!(run.stdout.contains("demand is unknown"), "{name}");
    }
}

#[test]
fn a_failing_device_is_an_error() {
    struct Failing;
    impl std::io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("gone"))
        }
    }
    assert_eq!(
        read(Failing, None, Detail::Peaks).unwrap_err().to_string(),
        "gone"
    );
}

#[test]
fn one_record_is_told_in_the_singular() {
    let text = |dropped: u32, total: u32| {
        let metadata = format!(
            "{{\"version\": 6, \"fatal\": false, \"dropped\": {dropped}, \"total\": {total}, \"task_window_max\": 16, \
             \"heap_max\": 1024, \"dep_pool_max\": 16, \"tensormap_max\": 16}}\n"
        );
        let record = "{\"site\": \"a.cpp:1\", \"phase\": \"begin\", \"depth\": 0, \"ring\": 0, \"task_window_start\": 0, \
                      \"task_window_end\": 0, \"heap_start\": 0, \"heap_end\": 0, \"dep_pool_start\": 1, \"dep_pool_end\": 1, \
                      \"tensormap\": 0}\n";
        let summary = read((metadata + record).as_bytes(), None, Detail::Peaks).unwrap();
        summary.text("scope_stats.jsonl")
    };
    for (dropped, total, part) in [
        (1, 2, "1 record was lost"),
        (2, 3, "2 records were lost"),
        (0, 2, "1 record, but the metadata say 2"),
    ] {
        let text = text(dropped, total);
        assert!(text.contains(part), "{part}: {text}");
    }
}
