//! Programs of the device runtime's simulator, replayed: what it recorded is what happens here.
//!
//! `tests/data/conformance` holds the programs and the recordings; `PL_CONFORMANCE_DIR` names another
//! folder of the same format.

mod case;
mod cpp;
mod replay;

use case::{Case, list};
use cpp::Cases;
use pl_runtime::{
    Dependencies, Edge, EdgeSource, Executor, ManualAudit, ReclaimPolicy, RunConfig, RunReport,
    Runtime, SerialOrder, Vouched,
};
use replay::{Replayed, replay};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const SERIAL: Executor = Executor::Serial {
    order: SerialOrder::ProgramOrder,
};

/// All cases, and whether they are those of this folder.
fn cases() -> (Vec<Case>, bool) {
    let other = std::env::var_os("PL_CONFORMANCE_DIR").map(PathBuf::from);
    let own = || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/conformance");
    let folder = other.clone().unwrap_or_else(own);
    let files = case::files(&folder);
    assert!(!files.is_empty(), "no cases in {}", folder.display());
    let cases = files.iter().map(|file| Case::read(file)).collect();
    (cases, other.is_none())
}

/// What differs from the recording.
struct Differences(Vec<String>);

impl Differences {
    fn compare(&mut self, place: &str, recorded: &Value, here: &Value) {
        if recorded != here {
            let text = format!("{place}: recorded {recorded}, here {here}");
            self.0.push(text);
        }
    }

    #[track_caller]
    fn none(self) {
        assert!(self.0.is_empty(), "{}", self.0.join("\n"));
    }
}

fn code(replayed: &Replayed) -> u32 {
    match &replayed.result {
        Ok(_) => 0,
        Err(error) => error.code().expect("no case has a configuration error"),
    }
}

fn outcome(case: &Case, place: &str, replayed: &Replayed, differences: &mut Differences) {
    let recorded = &case.recorded;
    let mut compare = |what, recorded: &Value, here: Value| {
        differences.compare(&format!("{place}, {what}"), recorded, &here);
    };
    compare("code", &recorded["outcome"]["code"], code(replayed).into());
    compare("at", &recorded["outcome"]["at"], replayed.at.clone());
    compare(
        "outputs",
        &recorded["outputs"],
        replayed.outputs.clone().into(),
    );
    compare("tasks", &recorded["tasks"], replayed.tasks.clone().into());
}

fn edge((from, to, arg, source): (&str, &str, i64, &str)) -> String {
    format!("{from} -> {to} by {arg} ({source})")
}

fn recorded_edges(recorded: &Value) -> Vec<String> {
    let text = |e: &Value| {
        let text = |key: &str| e[key].as_str().unwrap().to_owned();
        edge((
            &text("from"),
            &text("to"),
            e["arg"].as_i64().unwrap(),
            &text("source"),
        ))
    };
    list(recorded).iter().map(text).collect()
}

fn found_edges(edges: &[Edge]) -> Vec<String> {
    let task = |(ring, local): (usize, u64)| format!("{ring}:{local}");
    let text = |e: &Edge| {
        let source = match e.source {
            EdgeSource::Explicit => "explicit",
            EdgeSource::Creator => "creator",
            _ => "tensormap",
        };
        let arg = e.argument.map_or(-1, |argument| argument as i64);
        edge((&task(e.from), &task(e.to), arg, source))
    };
    edges.iter().map(text).collect()
}

/// What is in `a` more often than in `b`.
fn more(a: &[String], b: &[String]) -> Value {
    let mut rest = b.to_vec();
    let mut more = a.to_vec();
    more.retain(|edge| {
        let at = rest.iter().position(|other| other == edge);
        at.map(|at| rest.swap_remove(at)).is_none()
    });
    more.into()
}

/// What the device reports of a run that succeeds.
fn report(
    case: &Case,
    place: &str,
    report: &RunReport,
    config: &RunConfig,
    differences: &mut Differences,
) {
    let recorded = &case.recorded;
    let meta = &recorded["meta"];
    let mut compare = |what: &str, recorded: &Value, here: Value| {
        differences.compare(&format!("{place}, {what}"), recorded, &here);
    };
    compare("heap_max", &meta["heap_max"], json!(report.ring_heap));
    let windows = json!(report.ring_task_window);
    compare("task_window_max", &meta["task_window_max"], windows);
    if config.enable_dep_gen {
        let (there, here) = (
            recorded_edges(&recorded["edges"]),
            found_edges(&report.edges),
        );
        compare("edges", &more(&there, &here), more(&here, &there));
    } else {
        assert!(report.edges.is_empty(), "{place}: nobody asked for edges");
    }
    let folder = config.work_dir.as_ref().unwrap();
    let text = std::fs::read_to_string(folder.join(STATISTICS)).unwrap();
    let mut lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let first = lines.next().unwrap();
    for key in [
        "task_window_max",
        "heap_max",
        "dep_pool_max",
        "tensormap_max",
    ] {
        compare(key, &meta[key], first[key].clone());
    }
    let samples: Vec<_> = lines.map(|line| sample(&line)).collect();
    let expected: Vec<_> = list(&recorded["scopes"]).iter().map(sample).collect();
    compare("scopes", &expected.into(), samples.into());
}

const STATISTICS: &str = "dfx_outputs/scope_stats/scope_stats.jsonl";

/// The part of a sample that the program alone determines.
fn sample(line: &Value) -> Value {
    let keys = ["phase", "depth", "ring", "task_window_end", "heap_end"];
    keys.map(|key| line[key].clone()).to_vec().into()
}

fn work_dir(test: &str, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn the_devices_rules_give_what_the_device_recorded() {
    let (cases, _) = cases();
    by_the_devices_rules("conformance", &cases, |index, runtime| {
        replay(runtime, &cases[index].program)
    });
}

/// The same programs as C++ sources.
#[test]
fn sources_of_cpp_give_what_the_device_recorded() {
    let (cases, _) = cases();
    let compiled = Cases::compile(&cases);
    by_the_devices_rules("conformance_cpp", &cases, |index, runtime| {
        compiled.replay(index, runtime)
    });
}

fn by_the_devices_rules(test: &str, cases: &[Case], replay: impl Fn(usize, &Runtime) -> Replayed) {
    let mut differences = Differences(Vec::new());
    for (index, case) in cases.iter().enumerate() {
        for reclaim in [ReclaimPolicy::Eager, ReclaimPolicy::Lazy] {
            for enable_dep_gen in [false, true] {
                // SAFETY: on `Serial` in program order, tasks cannot race.
                let vouched = unsafe { Vouched::new() };
                let place = format!("{}, {reclaim:?}, edges {enable_dep_gen}", case.name);
                let config = case.config(RunConfig {
                    executor: SERIAL,
                    dependencies: Dependencies::Device,
                    manual_audit: ManualAudit::Off(vouched),
                    reclaim,
                    enable_dep_gen,
                    enable_scope_stats: true,
                    work_dir: Some(work_dir(test, &case.name)),
                    ..RunConfig::default()
                });
                let runtime = Runtime::new(config).unwrap();
                let replayed = replay(index, &runtime);
                outcome(case, &place, &replayed, &mut differences);
                if let Ok(of_run) = &replayed.result {
                    report(case, &place, of_run, runtime.config(), &mut differences);
                }
            }
        }
    }
    println!("{} cases replayed by the device's rules", cases.len());
    differences.none();
}

/// With the default rules a case can only differ by code 201, in place of what comes later.
#[test]
fn complete_dependencies_and_the_audit_change_no_outcome_but_that_of_undeclared_hazards() {
    let (cases, own) = cases();
    let mut differences = Differences(Vec::new());
    let mut hazards = Vec::new();
    for case in &cases {
        for executor in [SERIAL, Executor::Threads { threads: 2 }] {
            let config = case.config(RunConfig {
                executor,
                ..RunConfig::default()
            });
            let replayed = replay(&Runtime::new(config).unwrap(), &case.program);
            let place = format!("{}, {executor:?}", case.name);
            if code(&replayed) != 201 {
                outcome(case, &place, &replayed, &mut differences);
                continue;
            }
            let begins = |what: &str, here: &[Value]| {
                assert!(
                    list(&case.recorded[what]).starts_with(here),
                    "{place}, {what}"
                );
            };
            begins("outputs", &replayed.outputs);
            begins("tasks", &replayed.tasks);
            hazards.push(case.name.as_str());
        }
    }
    println!("{} cases replayed by the default rules", cases.len());
    differences.none();
    if own {
        assert!(hazards.is_empty(), "undeclared hazards: {hazards:?}");
    }
}
