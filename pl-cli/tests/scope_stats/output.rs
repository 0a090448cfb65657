//! What is printed and written.

use crate::program::{Recording, command, corpus, ended, file, folder, run_json, scope_stats};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

fn with_run(name: &str, text: &str, run: &str) -> String {
    let path = file(name, text);
    fs::write(Path::new(&path).with_file_name("run.json"), run).unwrap();
    path
}

#[test]
fn the_summary_names_each_ring_with_its_peak_site() {
    let path = corpus("good");
    let run = scope_stats(&[&path]);
    assert_eq!(
        run.stdout,
        format!(
            "{path}  healthy
  version 6, 4 records, 2 scopes, 2 sites
  no run.json, so demand is unknown: heaps are judged by high water, which grows wherever memory is not taken back \
             before it must be

                ring   capacity   demand   high water             live at exit             peak site
  task window   0      16         -        0            0.00 %    0              0.00 %    (unknown):0
  task window   1      16         -        2            12.50 %   2              12.50 %   demo_orch.cpp:41
  heap          0      1 MiB      -        0 B          0.00 %    0 B            0.00 %    (unknown):0
  heap          1      1 MiB      -        6 KiB        0.59 %    6 KiB          0.59 %    demo_orch.cpp:41
  dep pool      0      64         -        0            0.00 %    0              0.00 %    (unknown):0
  dep pool      1      64         -        0            0.00 %    0              0.00 %    demo_orch.cpp:41
  tensormap     all    65536      -        0            0.00 %    0              0.00 %    demo_orch.cpp:41

What to do
  Ring 1 never had to take anything back: measure with a `ring_heap` near the 6 KiB it used, or scopes seem to do nothing.
"
        )
    );
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

#[test]
fn colours_are_for_terminals_alone_and_can_be_switched_off() {
    let run = |variable: &str| {
        let mut command = command();
        command
            .arg(corpus("wedged"))
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE");
        if !variable.is_empty() {
            command.env(variable, "1");
        }
        ended(command.output().unwrap()).stdout.contains('\u{1b}')
    };
    assert!(!run(""), "not a terminal");
    assert!(run("CLICOLOR_FORCE"));
    assert!(!run("NO_COLOR"));
}

#[test]
fn a_run_that_stopped_is_told_by_its_open_scopes() {
    let run = scope_stats(&[&corpus("wedged")]);
    assert_eq!(run.code, 1);
    for text in [
        "wedged.jsonl  stopped inside a scope",
        "  (unknown):0        depth 0   ring 0   line 2\n  demo_orch.cpp:41   depth 1   ring 1   line 3\n",
        "Start at `demo_orch.cpp:41` (line 3), the last scope that was opened: the run stopped inside it; ring 1 held 0 B \
         of 1 MiB when it was opened.",
    ] {
        assert!(run.stdout.contains(text), "{text}\nin\n{}", run.stdout);
    }
}

#[test]
fn a_file_that_was_cut_does_not_tell_where_the_run_stopped() {
    let run = scope_stats(&[&corpus("truncated")]);
    assert!(
        run.stdout.contains("truncated.jsonl  the file is damaged"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .contains("open where the file ends, but what follows is missing"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("Start at"), "{}", run.stdout);
}

#[test]
fn heaps_are_judged_by_demand_where_it_is_known() {
    let mut recording = Recording::new();
    recording.scope("a.rs:1", 0, (0, 0), 900);
    let text = recording.text(1000);
    let unknown = scope_stats(&[&file("unknown", &text)]);
    assert!(
        unknown.stdout.contains("demand is unknown"),
        "{}",
        unknown.stdout
    );
    assert!(
        unknown
            .stdout
            .contains("Ring 0 still held 900 B (90.00 %) when `a.rs:1` closed"),
        "{}",
        unknown.stdout
    );

    let small = scope_stats(&[&with_run(
        "small_demand",
        &text,
        &run_json(1000, 100, 1, None),
    )]);
    assert!(
        small
            .stdout
            .contains("run.json: entry `model`, serial; heaps are judged by demand"),
        "{}",
        small.stdout
    );
    assert!(
        small.stdout.contains("Ring 0 needs only 100 B of 1000 B"),
        "{}",
        small.stdout
    );
    assert!(!small.stdout.contains("still held"), "{}", small.stdout);

    let large = scope_stats(&[&with_run(
        "large_demand",
        &text,
        &run_json(1000, 880, 1, None),
    )]);
    assert!(
        large
            .stdout
            .contains("Ring 0 needs 880 B of 1000 B (88.00 %): shrink"),
        "{}",
        large.stdout
    );
    assert_eq!((small.code, large.code), (0, 0));
}

#[test]
fn advice_follows_what_is_seen() {
    let advice = |name: &str, recording: &Recording| {
        scope_stats(&[&file(name, recording.text(1000))]).stdout
    };
    let mut collapse = Recording::new();
    collapse
        .sample("a:1", "begin", 0, (0, 0))
        .sample("b:1", "begin", 1, (0, 0))
        .sample("c:1", "begin", 2, (0, 0));
    collapse.scope("d:1", 3, (0, 0), 900);
    collapse
        .sample("c:1", "end", 2, (0, 10))
        .sample("b:1", "end", 1, (0, 10))
        .sample("a:1", "end", 0, (0, 10));
    let text = advice("collapse", &collapse);
    assert!(
        text.contains("Ring 3 carries 90.00 % of its heap, the others less than 10.00 %"),
        "{text}"
    );

    let mut streams = Recording::new();
    streams
        .sample("a:1", "begin", 0, (0, 0))
        .sample("a:1", "end", 0, (4900, 5000));
    let text = advice("streams", &streams);
    assert!(
        text.contains("Ring 0 streams at `a:1`: up to 4.88 KiB pass through, 100 B stay"),
        "{text}"
    );

    let text = scope_stats(&[&corpus("no_scopes")]).stdout;
    assert!(
        text.contains("Nothing was recorded: run the program with `enable_scope_stats`."),
        "{text}"
    );
}

#[test]
fn json_has_every_figure() {
    let json = scope_stats(&[&corpus("good"), "--json"]).json();
    let keys: Vec<_> = json
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scope-stats.md"))
            .unwrap();
    for key in &keys {
        assert!(
            page.contains(&format!("`{key}`")),
            "docs/scope-stats.md does not explain `{key}`"
        );
    }
    assert_eq!(
        (&json["schema"], &json["status"], &json["records"]),
        (&1.into(), &"healthy".into(), &4.into())
    );
    let lanes = json["lanes"].as_array().unwrap();
    for key in lanes[0].as_object().unwrap().keys() {
        assert!(
            page.contains(&format!("`{key}`")),
            "docs/scope-stats.md does not explain `{key}`"
        );
    }
    let heap = lanes
        .iter()
        .find(|lane| lane["resource"] == "heap" && lane["ring"] == 1)
        .unwrap();
    assert_eq!(
        *heap,
        serde_json::json!({
            "resource": "heap", "ring": 1, "unit": "bytes", "capacity": 1_048_576, "demand": null, "scopes": 1,
            "high_water": {"value": 6144, "share": 0.005_859_375, "site": "demo_orch.cpp:41", "scope": 1, "line": 4},
            "live_at_exit": {"value": 6144, "share": 0.005_859_375, "site": "demo_orch.cpp:41", "scope": 1, "line": 4},
            "alloc_per_scope": {"value": 6144, "share": 0.005_859_375, "site": "demo_orch.cpp:41", "scope": 1, "line": 4},
            "alloc_in_all": 6144,
        })
    );
}

#[test]
fn kinds_of_findings_are_explained() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scope-stats.md"))
            .unwrap();
    let rows = pl_cli::scope_stats::Kind::ALL.iter().map(|kind| {
        let severity = format!("{:?}", kind.severity()).to_lowercase();
        format!(
            "| `{}` | {severity} | {} |",
            kind.name(),
            kind.doc().trim_end_matches('.')
        )
    });
    let rows: Vec<_> = rows.collect();
    assert!(
        page.contains(&rows.join("\n")),
        "the table should be\n{}",
        rows.join("\n")
    );
}

#[test]
fn the_page_needs_nothing_else() {
    let out = folder("alone").join("page.html");
    let run = scope_stats(&[&corpus("good"), "--html", out.to_str().unwrap()]);
    assert_eq!(run.code, 0);
    assert!(
        run.stdout
            .ends_with(&format!("\nwrote {}\n", out.display())),
        "{}",
        run.stdout
    );
    let page = fs::read_to_string(&out).unwrap();
    assert!(page.contains("default-src 'none'"));
    for outside in [
        "src=",
        "@import",
        "url(",
        "fetch(",
        "XMLHttpRequest",
        "import(",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
    let left = fs::read_dir(out.parent().unwrap()).unwrap().count();
    assert_eq!(left, 1, "no other file is left");
}

#[test]
fn stdin_is_read_for_a_dash() {
    let mut child = command()
        .args(["-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text = fs::read(corpus("good")).unwrap();
    child.stdin.take().unwrap().write_all(&text).unwrap();
    let run = ended(child.wait_with_output().unwrap());
    assert_eq!(run.json()["scopes"], 2);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = command()
        .arg(corpus("good"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let run = ended(child.wait_with_output().unwrap());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

#[test]
fn what_cannot_be_read_or_written_ends_with_2() {
    let good = corpus("good");
    let folder = folder("refused");
    let folder = folder.to_str().unwrap();
    let missing = format!("{folder}/missing/page.html");
    for (args, text) in [
        (
            &["/nowhere/x.jsonl"][..],
            "/nowhere/x.jsonl: cannot be read",
        ),
        (
            &[folder][..],
            "this is a folder; the file is `dfx_outputs/scope_stats/scope_stats.jsonl` below",
        ),
        (&[&good, "--html", &missing][..], "cannot be written"),
        (
            &[&good, &good, "--html", "x.html"][..],
            "cannot be used with",
        ),
        (&[&good, "--tolerance", "5%"][..], "required"),
        (&[&good, &good, "--tolerance", "-5%"][..], "-5"),
        (&[][..], "required"),
    ] {
        let run = scope_stats(args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.stderr.contains(text), "{args:?}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{args:?}");
    }
}
