//! `dep_gen/deps.json` and `deps.dot`.

use super::*;
use std::collections::BTreeSet;

fn config(dir: &WorkDir, executor: Executor) -> RunConfig {
    RunConfig {
        enable_dep_gen: true,
        ..dir.config(executor)
    }
}

/// The edges as `from > to: reason parameter bytes`.
fn edges(graph: &Value) -> Vec<String> {
    let text = |edge: &Value| {
        format!(
            "{} > {}: {} {} {}",
            edge["from"].as_str().unwrap(),
            edge["to"].as_str().unwrap(),
            edge["reason"].as_str().unwrap(),
            edge["parameter"],
            edge["bytes"],
        )
    };
    graph["edges"]
        .as_array()
        .unwrap()
        .iter()
        .map(text)
        .collect()
}

#[test]
fn each_edge_has_its_reason_its_parameter_and_the_bytes_of_a_conflict() {
    for executor in KINDS {
        let dir = WorkDir::new(&format!("reasons_{executor:?}").replace(' ', ""));
        let report = run_program(config(&dir, executor));
        let graph = dir.json("dep_gen/deps.json");
        assert_eq!(
            edges(&graph),
            [
                r#"1:0 > 1:1: allocated "o" null"#,
                r#"1:0 > 1:2: allocated "a" null"#,
                r#"1:1 > 1:2: read_after_write "a" ["0","64"]"#,
                r#"1:0 > 1:3: allocated "a" null"#,
                r#"1:1 > 1:3: read_after_write "a" ["0","64"]"#,
                r#"1:2 > 1:3: write_after_write "x" ["0","64"]"#,
            ],
        );
        assert_eq!(report.edges.len(), 6);
        let about = ["version", "entry", "outcome", "dependencies"].map(|key| graph[key].clone());
        assert_eq!(json!(about), json!([1, "entry", "ok", "sound"]));
    }
}

#[test]
fn tasks_and_allocations_are_named_with_scope_and_fans() {
    let dir = WorkDir::new("nodes");
    run_program(config(&dir, serial()));
    let graph = dir.json("dep_gen/deps.json");
    let expected = json!({
        "id": "1:2", "task": 2, "ring": 1, "number": "2", "kind": "kernel", "kernel": "affine",
        "site": "src/demo.rs:44", "scope": 1, "scope_mode": "auto", "blocks": 1,
        "fan_in": 2, "fan_out": 1, "above_16": [],
    });
    assert_eq!(graph["tasks"][2], expected);
    let alloc = &graph["tasks"][0];
    assert_eq!(alloc["kernel"], Value::Null);
    assert_eq!(
        (&alloc["kind"], &alloc["fan_out"]),
        (&json!("alloc_tensors"), &json!(3))
    );
    let scopes = json!([
        {"scope": 0, "site": "(root):0", "mode": "auto", "ring": 0, "outer": null},
        {"scope": 1, "site": "src/demo.rs:41", "mode": "auto", "ring": 1, "outer": 0},
    ]);
    assert_eq!(graph["scopes"], scopes);
}

#[test]
fn a_write_after_a_read_and_a_declared_dependency_say_so() {
    let dir = WorkDir::new("war");
    let rt = Runtime::new(config(&dir, threads(2))).unwrap();
    run(&rt, |root| {
        let scope = root.enter(ScopeMode::Manual, DEMO)?;
        let t = alloc(root_of(&scope), DEMO, 8, 4)?;
        let read = submit(&scope, DEMO, &READS, &[TaskArg::Input(t)], 9, &[])?;
        let write = [TaskArg::OutputExisting(t)];
        submit(&scope, DEMO, &FILL, &write, 1, &[read.task_id()]).map(|_| ())
    })
    .unwrap();
    let graph = dir.json("dep_gen/deps.json");
    assert_eq!(edges(&graph), ["1:1 > 1:2: declared null null"]);
    assert_eq!(graph["scopes"][1]["mode"], "manual");

    run(&rt, |root| {
        let t = alloc(root, DEMO, 8, 4)?;
        let rows = |a, b| {
            let range = pl_runtime::SliceItem::Range(a, b);
            t.slice(&[range, pl_runtime::SliceItem::Full], DEMO)
        };
        submit(root, DEMO, &READS, &[TaskArg::Input(rows(0, 6)?)], 9, &[])?;
        let write = [TaskArg::OutputExisting(rows(4, 8)?)];
        submit(root, DEMO, &FILL, &write, 1, &[]).map(|_| ())
    })
    .unwrap();
    assert_eq!(
        edges(&dir.json("dep_gen/deps.json")),
        [
            "0:0 > 0:1: allocated null null",
            "0:0 > 0:2: allocated \"o\" null",
            "0:1 > 0:2: write_after_read \"o\" [\"64\",\"96\"]",
        ],
        "the files of the run before are replaced",
    );
}

/// Runs as [`NOTHING`] does.
static READS: KernelInfo = kernel("reads", 90, &[]);

fn root_of<'s, 'r>(scope: &'s Scope<'r>) -> &'s Scope<'r> {
    scope
}

#[test]
fn more_than_16_of_either_kind_are_marked_in_both_files() {
    let dir = WorkDir::new("fans");
    let rt = Runtime::new(config(&dir, serial())).unwrap();
    run(&rt, |root| {
        let t = alloc(root, DEMO, 4, 4)?;
        for _ in 0..17 {
            submit(root, DEMO, &READS, &[TaskArg::Input(t)], 9, &[])?;
        }
        submit(root, DEMO, &FILL, &[TaskArg::OutputExisting(t)], 9, &[]).map(|_| ())
    })
    .unwrap();
    let graph = dir.json("dep_gen/deps.json");
    let of = |task: usize| {
        (
            &graph["tasks"][task]["fan_out"],
            &graph["tasks"][task]["above_16"],
        )
    };
    assert_eq!(of(0), (&json!(18), &json!(["fan_out"])));
    assert_eq!(of(1).1, &json!([]));
    assert_eq!(
        graph["tasks"][18]["fan_in"], 18,
        "readers and the allocation"
    );
    assert_eq!(of(18).1, &json!(["fan_in"]));
    let dot = dir.text("dep_gen/deps.dot");
    assert!(
        dot.contains("waited for by 18 tasks\", style=dashed, color=red"),
        "{dot}"
    );
    assert!(dot.contains("waits for 18 tasks\", color=red"), "{dot}");
}

/// Reads a graph as Graphviz would, as far as ours go: quoted texts, braces, arrows. Gives the nodes in
/// clusters and the arrows.
fn read_dot(text: &str) -> (BTreeMap<String, usize>, BTreeSet<(String, String)>) {
    let (mut tokens, mut chars) = (Vec::new(), text.chars().peekable());
    while let Some(c) = chars.next() {
        if c == '"' {
            let mut quoted = String::from("\"");
            loop {
                match chars.next().expect("a quoted text ends") {
                    '"' => break,
                    '\\' => quoted.extend(['\\', chars.next().unwrap()]),
                    c => quoted.push(c),
                }
            }
            tokens.push(quoted);
        } else if c.is_alphanumeric() || c == '_' {
            let mut word = String::from(c);
            while let Some(&c) = chars
                .peek()
                .filter(|c| c.is_alphanumeric() || "_-.".contains(**c))
            {
                word.push(c);
                chars.next();
            }
            tokens.push(word);
        } else if c == '-' {
            assert_eq!(chars.next(), Some('>'));
            tokens.push("->".into());
        } else if !c.is_whitespace() {
            assert!("{}[]=;,".contains(c), "{c:?} outside of quotes");
            tokens.push(c.into());
        }
    }
    let depth = tokens.iter().fold(0_i32, |depth, token| {
        let depth = depth + i32::from(token == "{") - i32::from(token == "}");
        assert!(depth >= 0);
        depth
    });
    assert_eq!(depth, 0);
    let (mut nodes, mut arrows, mut cluster) = (BTreeMap::new(), BTreeSet::new(), 0);
    for window in tokens.windows(3) {
        let is_task = |token: &str| token.starts_with('t') && token[1..].parse::<u32>().is_ok();
        if window[0] == "subgraph" {
            cluster = window[1].strip_prefix("cluster_").unwrap().parse().unwrap();
        } else if window[1] == "->" {
            arrows.insert((window[0].clone(), window[2].clone()));
        } else if is_task(&window[1]) && window[2] == "[" && window[0] != "->" {
            nodes.insert(window[1].clone(), cluster);
        }
    }
    (nodes, arrows)
}

#[test]
fn the_picture_has_a_node_for_each_task_and_one_arrow_for_each_pair() {
    let dir = WorkDir::new("dot");
    run_program(config(&dir, serial()));
    let (nodes, arrows) = read_dot(&dir.text("dep_gen/deps.dot"));
    let expected = (0..4).map(|task| (format!("t{task}"), 1));
    assert_eq!(nodes, expected.collect());
    let arrow = |(from, to)| (format!("t{from}"), format!("t{to}"));
    let expected = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)].map(arrow);
    assert_eq!(arrows, expected.into());
}

#[test]
fn what_the_device_finds_has_the_bytes_where_they_overlap() {
    let dir = WorkDir::new("device");
    let rt = Runtime::new(RunConfig {
        dependencies: pl_runtime::Dependencies::Device,
        ..config(&dir, serial())
    })
    .unwrap();
    run(&rt, |root| {
        let t = alloc(root, DEMO, 8, 4)?;
        let rows = |a, b| {
            let range = pl_runtime::SliceItem::Range(a, b);
            t.slice(&[range, pl_runtime::SliceItem::Full], DEMO)
        };
        for (a, b) in [(0, 2), (2, 4), (4, 8)] {
            let write = [TaskArg::InOut(rows(a, b)?)];
            submit(root, DEMO, &NOTHING, &write, 0, &[])?;
        }
        submit(root, DEMO, &READS, &[TaskArg::Input(rows(1, 5)?)], 0, &[]).map(|_| ())
    })
    .unwrap();
    let graph = dir.json("dep_gen/deps.json");
    assert_eq!(graph["dependencies"], "device");
    let mut last: Vec<_> = edges(&graph)
        .into_iter()
        .filter(|edge| edge.contains("> 0:4"))
        .collect();
    last.sort();
    let expected = [
        "0:0 > 0:4: allocated null null",
        r#"0:1 > 0:4: read_after_write null ["16","32"]"#,
        r#"0:2 > 0:4: read_after_write null ["32","64"]"#,
        r#"0:3 > 0:4: read_after_write null ["64","80"]"#,
    ];
    assert_eq!(last, expected);
}

#[test]
fn many_tasks_are_written_with_an_edge_for_each_reason() {
    let dir = WorkDir::new("graph_many");
    let rt = Runtime::new(config(&dir, serial())).unwrap();
    crate::common::little(&rt, 20_000);
    let graph = dir.json("dep_gen/deps.json");
    assert_eq!(graph["tasks"].as_array().unwrap().len(), 3 * 20_000);
    let edges = graph["edges"].as_array().unwrap().len();
    // Allocated, read, and of the task before: the write of `x`, and its use.
    assert!(edges >= 4 * 20_000 - 2, "{edges}");
    let dot = fs::metadata(dir.path("dep_gen/deps.dot")).unwrap();
    assert!(dot.len() < 64 << 20, "{}", dot.len());
}

#[test]
fn names_with_quotes_and_markup_stay_names() {
    let dir = WorkDir::new("odd");
    let rt = Runtime::new(config(&dir, serial())).unwrap();
    run(&rt, |root| {
        submit(root, ODD_SITE, &ODD, &[], 0, &[]).map(|_| ())
    })
    .unwrap();
    let graph = dir.json("dep_gen/deps.json");
    assert_eq!(graph["tasks"][0]["kernel"], ODD.name);
    assert_eq!(graph["tasks"][0]["site"], ODD_SITE.to_string());
    let (nodes, _) = read_dot(&dir.text("dep_gen/deps.dot"));
    assert_eq!(nodes.len(), 1);
}

#[test]
fn without_a_work_folder_the_report_alone_has_the_edges() {
    let dir = WorkDir::new("report");
    let config = RunConfig {
        work_dir: None,
        ..config(&dir, serial())
    };
    let report = run_program(config);
    assert_eq!((report.edges.len(), report.reports), (6, None));
    assert!(!dir.0.exists());
}

#[test]
fn a_failed_run_has_the_tasks_up_to_the_failure_and_says_so() {
    let dir = WorkDir::new("failed");
    let rt = Runtime::new(RunConfig {
        ring_task_window: 4.into(),
        ..config(&dir, serial())
    })
    .unwrap();
    let error = run(&rt, |root| nothings(root, 5)).unwrap_err();
    assert_eq!(error.code(), Some(1));
    let graph = dir.json("dep_gen/deps.json");
    assert_eq!(graph["outcome"], "failed");
    assert_eq!(graph["tasks"].as_array().unwrap().len(), 3);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        run(&rt, |root| {
            nothings(root, 2)?;
            panic!("in the orchestration")
        })
    }));
    assert!(panicked.is_err());
    let graph = dir.json("dep_gen/deps.json");
    assert_eq!(
        (&graph["outcome"], graph["tasks"].as_array().unwrap().len()),
        (&json!("panicked"), 2)
    );
}
