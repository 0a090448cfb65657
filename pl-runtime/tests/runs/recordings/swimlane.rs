//! `chip_swimlane/merged_swimlane.json`, read as the Trace Event Format describes it.

use super::*;

const FILE: &str = "chip_swimlane/merged_swimlane.json";

fn config(dir: &WorkDir, executor: Executor) -> RunConfig {
    RunConfig {
        enable_chip_swimlane: true,
        ..dir.config(executor)
    }
}

/// A complete event.
#[derive(Debug)]
struct Slice {
    name: String,
    cat: String,
    track: String,
    /// In nanoseconds.
    start: u64,
    end: u64,
    args: Value,
}

/// Reads a trace in the JSON object format: complete events with whole nanoseconds, on tracks that
/// metadata events name. On each track they are disjoint or one lies in the other.
fn read(text: &str) -> Vec<Slice> {
    let trace: Value = serde_json::from_str(text).unwrap();
    assert_eq!(trace["displayTimeUnit"], "ns");
    let events = trace["traceEvents"].as_array().unwrap();
    let mut tracks = BTreeMap::new();
    let mut slices = Vec::new();
    for event in events {
        let key = (
            event["pid"].as_u64().unwrap(),
            event["tid"].as_u64().unwrap(),
        );
        let name = event["name"].as_str().unwrap();
        match event["ph"].as_str().unwrap() {
            "M" => match name {
                "thread_name" => {
                    let name = event["args"]["name"].as_str().unwrap().to_owned();
                    assert_eq!(tracks.insert(key, name), None, "one name");
                }
                "process_name" => assert!(event["args"]["name"].is_string()),
                "thread_sort_index" => assert!(event["args"]["sort_index"].is_u64()),
                other => panic!("metadata {other}"),
            },
            "X" => {
                let ns = |key: &str| {
                    let ns = event[key].as_f64().unwrap() * 1000.0;
                    assert!((ns - ns.round()).abs() < 1e-3 && ns >= 0.0, "{event}");
                    ns.round() as u64
                };
                slices.push((
                    key,
                    Slice {
                        name: name.to_owned(),
                        cat: event["cat"].as_str().unwrap().to_owned(),
                        track: String::new(),
                        start: ns("ts"),
                        end: ns("ts") + ns("dur"),
                        args: event["args"].clone(),
                    },
                ));
            }
            other => panic!("phase {other}"),
        }
    }
    let mut slices: Vec<Slice> = slices
        .into_iter()
        .map(|(key, slice)| Slice {
            track: tracks[&key].clone(),
            ..slice
        })
        .collect();
    slices.sort_by_key(|slice| {
        (
            slice.track.clone(),
            slice.start,
            std::cmp::Reverse(slice.end),
        )
    });
    for track in slices.chunk_by(|a, b| a.track == b.track) {
        let mut open: Vec<u64> = Vec::new();
        for slice in track {
            open.retain(|&end| end > slice.start);
            assert!(
                open.iter().all(|&end| slice.end <= end),
                "{slice:?} crosses another"
            );
            open.push(slice.end);
        }
    }
    slices
}

fn kernels(slices: &[Slice]) -> Vec<&Slice> {
    slices
        .iter()
        .filter(|slice| slice.cat == "kernel")
        .collect()
}

#[test]
fn kernels_stand_on_cores_and_calls_on_the_orchestrator_on_each_executor() {
    for executor in KINDS {
        let dir = WorkDir::new(&format!("lanes_{executor:?}").replace(' ', ""));
        run_program(config(&dir, executor));
        let slices = read(&dir.text(FILE));
        let mut kernels = kernels(&slices);
        kernels.sort_by_key(|slice| slice.args["task"].as_u64());
        let names: Vec<_> = kernels.iter().map(|slice| slice.name.as_str()).collect();
        assert_eq!(names, ["fill", "affine", "update"]);
        assert!(
            kernels.is_sorted_by(|a, b| a.end <= b.start),
            "each waits for the one before"
        );
        let expected = json!({
            "kernel": "affine", "task": 2, "ring": 1, "number": 2, "site": "src/demo.rs:44",
            "block": 0, "blocks": 1,
        });
        assert_eq!(kernels[1].args, expected);
        let core = if executor == TIMING {
            "AIV "
        } else {
            "thread "
        };
        assert!(
            kernels.iter().all(|slice| slice.track.starts_with(core)),
            "{kernels:?}"
        );

        let calls: Vec<_> = slices
            .iter()
            .filter(|slice| slice.track == "orchestrator")
            .collect();
        let of = |cat: &str| -> Vec<&str> {
            let of = calls.iter().filter(|slice| slice.cat == cat);
            of.map(|slice| slice.name.as_str()).collect()
        };
        assert_eq!(of("scope"), ["run", "scope demo.rs:41"]);
        assert_eq!(
            of("call"),
            [
                "alloc_tensors",
                "submit fill",
                "submit affine",
                "submit update"
            ]
        );
        let submit = calls
            .iter()
            .find(|slice| slice.name == "submit update")
            .unwrap();
        assert_eq!(submit.args["waits_for"], json!(["1:0", "1:1", "1:2"]));
        assert_eq!(submit.args["site"], "src/demo.rs:45");
        let kernel = kernels[2];
        assert!(submit.start <= kernel.start);
    }
}

#[test]
fn a_simulated_run_gives_the_same_file_each_time_with_its_own_times() {
    let dir = WorkDir::new("lanes_same");
    let mut files = Vec::new();
    for _ in 0..2 {
        let report = run_program(RunConfig {
            enable_task_times: true,
            ..config(&dir, TIMING)
        });
        let text = dir.text(FILE);
        let slices = read(&text);
        let timing = report.timing.unwrap();
        let shown: Vec<_> = kernels(&slices)
            .iter()
            .map(|s| (s.args["task"].as_u64().unwrap(), s.start, s.end))
            .collect();
        for time in &timing.tasks {
            assert!(
                shown.contains(&(time.task, time.start_ns, time.end_ns)),
                "{time:?}"
            );
        }
        let root = slices.iter().find(|slice| slice.name == "run").unwrap();
        assert!(root.end <= timing.total_ns);
        files.push(text);
    }
    assert_eq!(files[0], files[1]);
}

#[test]
fn a_block_on_a_cluster_holds_all_three_of_its_cores() {
    use pl_runtime::{CoreType, OperationError, Scratch, TaskArgs, TaskSpec, tile};
    fn sixteen(core: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
        tile::zeros(core, DEMO, pl_runtime::DType::F32, &[16, 16]).map(|_| ())
    }
    let dir = WorkDir::new("lanes_cluster");
    let rt = Runtime::new(config(&dir, TIMING)).unwrap();
    let task = TaskSpec::new(&NOTHING, sixteen, &[], &[])
        .core_type(CoreType::Mix)
        .blocks(2);
    run(&rt, |root| root.submit(DEMO, task).map(|_| ())).unwrap();
    let slices = read(&dir.text(FILE));
    let mut shown: Vec<_> = kernels(&slices)
        .iter()
        .map(|slice| format!("{} {}", slice.args["block"], slice.track))
        .collect();
    shown.sort();
    let expected = [
        "0 AIC 0", "0 AIV 0", "0 AIV 1", "1 AIC 1", "1 AIV 2", "1 AIV 3",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn waits_for_room_and_for_elements_are_shown() {
    for executor in [threads(2), TIMING] {
        let dir = WorkDir::new(&format!("lanes_waits_{executor:?}").replace(' ', ""));
        let rt = Runtime::new(RunConfig {
            ring_task_window: 8.into(),
            machine: pl_runtime::MachineModel {
                orchestrator: pl_runtime::OrchestratorCost::FREE,
                ..pl_runtime::MachineModel::a2a3()
            },
            values: pl_runtime::Values::default().at("demo.rs:41", [7_u32]),
            ..config(&dir, executor)
        })
        .unwrap();
        let mut x = Array2::<u32>::zeros((4, 4));
        rt.run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
            for _ in 0..8 {
                program(root, x)?;
            }
            root.get::<u32>(DEMO, x, &[0, 0]).map(|_| ())
        })
        .unwrap();
        let slices = read(&dir.text(FILE));
        let any = |name: &str| slices.iter().any(|slice| slice.name == name);
        assert!(any("get"), "{executor:?}");
        // Real tasks may be over before there is no room.
        assert!(any("wait") || executor != TIMING);
    }
}

#[test]
fn names_with_quotes_and_markup_stay_names() {
    let dir = WorkDir::new("lanes_odd");
    let rt = Runtime::new(config(&dir, serial())).unwrap();
    run(&rt, |root| {
        submit(root, ODD_SITE, &ODD, &[], 0, &[]).map(|_| ())
    })
    .unwrap();
    let slices = read(&dir.text(FILE));
    assert_eq!(kernels(&slices)[0].name, ODD.name);
    assert_eq!(kernels(&slices)[0].args["site"], ODD_SITE.to_string());
}

#[test]
fn a_failing_run_and_a_panicking_orchestration_leave_what_has_happened() {
    for executor in KINDS {
        let dir = WorkDir::new(&format!("lanes_failed_{executor:?}").replace(' ', ""));
        let rt = Runtime::new(config(&dir, executor)).unwrap();
        let fails = |panics: bool| {
            let mut x = Array2::<u32>::zeros((4, 4));
            let args = [EntryArg::inout(&mut x).unwrap()];
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                rt.run(&ENTRY, args, |root, [x]| {
                    program(root, x)?;
                    let _inner = root.enter(ScopeMode::Auto, DEMO)?;
                    assert!(!panics, "in the orchestration");
                    Err(root.report_fatal(DEMO, 77, "its own"))
                })
            }));
            assert!(outcome.is_err() == panics && !matches!(outcome, Ok(Ok(_))));
            let text = dir.text(FILE);
            let other = serde_json::from_str::<Value>(&text).unwrap()["otherData"].clone();
            (other["outcome"].as_str().unwrap().to_owned(), read(&text))
        };
        for (panics, outcome) in [(false, "failed"), (true, "panicked")] {
            let (said, slices) = fails(panics);
            assert_eq!(said, outcome);
            assert_eq!(kernels(&slices).len(), 3, "what was submitted has run");
            let scopes = slices.iter().filter(|slice| slice.cat == "scope").count();
            assert_eq!(scopes, 3, "each is closed");
        }
    }
}

#[test]
fn a_kernel_that_fails_is_marked() {
    for executor in [serial(), threads(2)] {
        let dir = WorkDir::new(&format!("lanes_kernel_{executor:?}").replace(' ', ""));
        let rt = Runtime::new(config(&dir, executor)).unwrap();
        run(&rt, |root| {
            let t = alloc(root, DEMO, 4, 4)?;
            submit(root, DEMO, &FILL, &[TaskArg::OutputExisting(t)], 4, &[])?;
            submit(root, DEMO, &UNLUCKY, &[TaskArg::Input(t)], 2, &[]).map(|_| ())
        })
        .unwrap_err();
        let slices = read(&dir.text(FILE));
        let failed: Vec<_> = kernels(&slices)
            .into_iter()
            .filter(|slice| slice.args["failed"] == true)
            .collect();
        assert_eq!(failed.len(), 1);
        assert_eq!(failed[0].name, "unlucky");
    }
}
