//! `scope_stats.jsonl` and `run.json`: what stands in them, byte by byte, however a run ends.

#[macro_use]
mod common;

use common::{
    AFFINE, ENTRY, FILL, NOTHING, Outcome, UNLUCKY, UPDATE, alloc, info, nothings, random, run,
    says, serial, submit, threads,
};
use ndarray::Array2;
use pl_runtime::{
    EntryArg, Error, Executor, RunConfig, Runtime, Scope, ScopeMode, Site, SliceItem, TaskArg,
};
use serde_json::{Value, json};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const DEMO: Site = Site::new("src/demo.rs", 41);
const INNER: Site = Site::new("src/demo.rs", 57);

/// A work folder, removed at the end of its test.
struct WorkDir(PathBuf);

impl WorkDir {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scope_stats_{name}"));
        drop(fs::remove_dir_all(&path));
        Self(path)
    }

    fn folder(&self) -> PathBuf {
        self.0.join("dfx_outputs").join("scope_stats")
    }

    fn file(&self) -> PathBuf {
        self.folder().join("scope_stats.jsonl")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    /// The first line, and the others as `site phase`.
    fn lines(&self) -> (Value, Vec<String>) {
        let text = self.text();
        assert!(text.ends_with('\n'));
        let mut lines = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let meta = lines.next().unwrap();
        let records: Vec<_> = lines
            .map(|r| {
                format!(
                    "{} {}",
                    r["site"].as_str().unwrap(),
                    r["phase"].as_str().unwrap()
                )
            })
            .collect();
        assert_eq!(meta["total"], records.len());
        (meta, records)
    }

    fn run_json(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(self.folder().join("run.json")).unwrap()).unwrap()
    }

    fn config(&self, heap: u64, window: u32, executor: Executor) -> RunConfig {
        RunConfig {
            ring_heap: heap.into(),
            ring_task_window: window.into(),
            ring_dep_pool: 64.into(),
            executor,
            work_dir: Some(self.0.clone()),
            enable_scope_stats: true,
            ..RunConfig::default()
        }
    }

    fn runtime(&self, heap: u64, window: u32, executor: Executor) -> Runtime {
        Runtime::new(self.config(heap, window, executor)).unwrap()
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

const META: &str = "{\"version\": 6, \"fatal\": false, \"dropped\": 0, \"total\": 4, \
     \"task_window_max\": [16, 16, 16, 16], \
     \"heap_max\": [1048576, 1048576, 1048576, 1048576], \
     \"dep_pool_max\": [64, 64, 64, 64], \"tensormap_max\": 65536}\n";

#[test]
fn the_example_of_the_schema_gives_these_bytes() {
    let dir = WorkDir::new("example");
    let rt = dir.runtime(1 << 20, 16, serial());
    let report = run(&rt, |root| {
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        alloc(&scope, DEMO, 64, 16)?;
        alloc(&scope, DEMO, 32, 16)?;
        Ok(())
    })
    .unwrap();
    let records = r#"{"site": "(root):0", "phase": "begin", "depth": 0, "ring": 0, "task_window_start": 0, "task_window_end": 0, "heap_start": 0, "heap_end": 0, "dep_pool_start": 1, "dep_pool_end": 1, "tensormap": 0}
{"site": "demo.rs:41", "phase": "begin", "depth": 1, "ring": 1, "task_window_start": 0, "task_window_end": 0, "heap_start": 0, "heap_end": 0, "dep_pool_start": 1, "dep_pool_end": 1, "tensormap": 0}
{"site": "demo.rs:41", "phase": "end", "depth": 1, "ring": 1, "task_window_start": 0, "task_window_end": 2, "heap_start": 0, "heap_end": 6144, "dep_pool_start": 1, "dep_pool_end": 1, "tensormap": 0}
{"site": "(root):0", "phase": "end", "depth": 0, "ring": 0, "task_window_start": 0, "task_window_end": 0, "heap_start": 0, "heap_end": 0, "dep_pool_start": 1, "dep_pool_end": 1, "tensormap": 0}
"#;
    assert_eq!(dir.text(), format!("{META}{records}"));
    assert_eq!(report.reports, Some(dir.0.join("dfx_outputs")));
    assert_eq!((report.ring_dep_pool, report.clusters), ([64; 4], 8));
}

#[test]
fn run_json_says_how_the_run_was_set_up_and_what_it_needed() {
    let dir = WorkDir::new("run_json");
    let mut config = dir.config(1 << 20, 16, random(7));
    config.ring_heap = [4096, 1 << 20, 2048, 8192].into();
    config.clusters = 3;
    run(&Runtime::new(config).unwrap(), |root| {
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        alloc(&scope, DEMO, 64, 16)?;
        nothings(&scope, 3)
    })
    .unwrap();
    let idle = |heap: u32| {
        format!(
            r#"    {{
      "ring_heap": {heap},
      "ring_task_window": 16,
      "ring_dep_pool": 64,
      "kernel_tasks": 0,
      "alloc_tasks": 0,
      "heap_high_water": 0,
      "heap_demand": 0
    }}"#
        )
    };
    let expected = format!(
        r#"{{
  "version": 1,
  "entry": "entry",
  "outcome": {{
    "ok": true
  }},
  "executor": "serial-random(7)",
  "reclaim": "lazy",
  "dependencies": "sound",
  "manual_audit": "on",
  "clusters": 3,
  "tensormap_high_water": 0,
  "scopes": 2,
  "rings": [
{},
    {{
      "ring_heap": 1048576,
      "ring_task_window": 16,
      "ring_dep_pool": 64,
      "kernel_tasks": 3,
      "alloc_tasks": 1,
      "heap_high_water": 4096,
      "heap_demand": 4096
    }},
{},
{}
  ]
}}
"#,
        idle(4096),
        idle(2048),
        idle(8192)
    );
    assert_eq!(
        fs::read_to_string(dir.folder().join("run.json")).unwrap(),
        expected
    );
}

#[test]
fn the_rings_of_scopes_deeper_than_3_are_ring_3() {
    fn nest(scope: &Scope<'_>, depth: u32) -> Outcome {
        if depth == 0 {
            return Ok(());
        }
        nest(
            &scope.enter(ScopeMode::Auto, Site::new("nest.rs", depth))?,
            depth - 1,
        )
    }
    let dir = WorkDir::new("nested");
    run(&dir.runtime(1 << 20, 16, serial()), |root| nest(root, 10)).unwrap();
    let text = dir.text();
    let places: Vec<_> = text
        .lines()
        .skip(1)
        .map(|line| {
            let record: Value = serde_json::from_str(line).unwrap();
            (
                record["depth"].as_u64().unwrap(),
                record["ring"].as_u64().unwrap(),
            )
        })
        .collect();
    let down = (0..=10).map(|depth| (depth, depth.min(3)));
    assert_eq!(places, down.clone().chain(down.rev()).collect::<Vec<_>>());
}

#[test]
fn names_are_escaped_and_never_cut() {
    const LONG: &str = "a_module_whose_name_is_longer_than_thirty_one_bytes.rs";
    let dir = WorkDir::new("names");
    run(&dir.runtime(1 << 20, 16, serial()), |root| {
        for file in [
            "src/say \"hi\".rs",
            "src\\win.rs",
            "src/\t\u{1}.rs",
            "src/größe.rs",
            LONG,
        ] {
            drop(root.enter(ScopeMode::Auto, Site::new(file, 1))?);
        }
        Ok(())
    })
    .unwrap();
    let text = dir.text();
    for name in [
        r#"say \"hi\".rs"#,
        "win.rs",
        "\\t\\u0001.rs",
        "größe.rs",
        LONG,
    ] {
        let count = text.matches(&format!("{{\"site\": \"{name}:1\", ")).count();
        assert_eq!(count, 2, "{name}");
    }
    assert_eq!(dir.lines().1.len(), 12);
}

/// Runs a body that fails; gives the error and what was recorded.
fn failing(
    dir: &WorkDir,
    rt: &Runtime,
    body: impl for<'r> FnOnce(&'r Scope<'r>) -> Outcome,
) -> (Error, Vec<String>) {
    let error = run(rt, body).unwrap_err();
    let (meta, records) = dir.lines();
    assert_eq!(meta["fatal"], true);
    if let (Some(code), Some(name)) = (error.code(), error.name()) {
        says(&error, &[&format!("orch_error_code={code} {name}: ")]);
    }
    let outcome = json!({
        "ok": false,
        "code": error.code(),
        "name": error.name(),
        "text": error.to_string(),
    });
    assert_eq!(dir.run_json()["outcome"], outcome);
    (error, records)
}

const OPEN: [&str; 2] = ["(root):0 begin", "demo.rs:41 begin"];

#[test]
fn a_run_that_fails_with_code_1_is_recorded_up_to_the_failing_call() {
    let dir = WorkDir::new("code_1");
    let rt = dir.runtime(1 << 20, 4, serial());
    let (error, records) = failing(&dir, &rt, |root| {
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        nothings(&scope, 4)
    });
    assert_eq!(error.code(), Some(1));
    assert_eq!(records, OPEN);
}

#[test]
fn a_run_that_fails_with_code_2_is_recorded_up_to_the_failing_call() {
    let dir = WorkDir::new("code_2");
    let rt = dir.runtime(4096, 16, threads(2));
    let (error, records) = failing(&dir, &rt, |root| {
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        alloc(&scope.enter(ScopeMode::Auto, INNER)?, INNER, 64, 16)?;
        (0..5).try_for_each(|_| alloc(&scope, DEMO, 16, 16).map(|_| ()))
    });
    assert_eq!(error.code(), Some(2));
    assert_eq!(records[..2], OPEN);
    assert_eq!(records[2..], ["demo.rs:57 begin", "demo.rs:57 end"]);
}

#[test]
fn a_run_that_fails_with_code_3_is_recorded_up_to_the_failing_call() {
    let dir = WorkDir::new("code_3");
    let rt = dir.runtime(1 << 20, 4, serial());
    let (error, records) = failing(&dir, &rt, |root| {
        let one = root.enter(ScopeMode::Auto, DEMO)?;
        let two = one.enter(ScopeMode::Auto, DEMO)?;
        let three = two.enter(ScopeMode::Auto, DEMO)?;
        nothings(&three, 3)?;
        nothings(&three.enter(ScopeMode::Auto, INNER)?, 1)
    });
    assert_eq!(error.code(), Some(3));
    assert_eq!(records.len(), 5);
    assert!(records.iter().all(|record| record.ends_with(" begin")));
}

#[test]
fn an_auto_scope_in_a_manual_one_never_opens_and_leaves_no_record() {
    let dir = WorkDir::new("code_5");
    let rt = dir.runtime(1 << 20, 16, serial());
    let (error, records) = failing(&dir, &rt, |root| {
        let scope = root.enter(ScopeMode::Manual, DEMO)?;
        scope.enter(ScopeMode::Auto, INNER).map(|_| ())
    });
    assert_eq!(error.code(), Some(5));
    assert_eq!(records, OPEN);
}

#[test]
fn what_follows_a_reported_fatal_is_not_recorded_though_the_orchestration_goes_on() {
    let dir = WorkDir::new("code_9");
    let rt = dir.runtime(1 << 20, 16, serial());
    let (error, records) = failing(&dir, &rt, |root| {
        drop(root.enter(ScopeMode::Auto, INNER)?);
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        drop(scope.report_fatal(DEMO, 9, "enough"));
        assert!(scope.enter(ScopeMode::Auto, INNER).is_err());
        Ok(())
    });
    assert_eq!(error.code(), Some(9));
    assert_eq!(
        records,
        [
            "(root):0 begin",
            "demo.rs:57 begin",
            "demo.rs:57 end",
            "demo.rs:41 begin"
        ]
    );
}

#[test]
fn a_run_whose_kernel_fails_is_fatal() {
    let dir = WorkDir::new("code_200");
    let rt = dir.runtime(1 << 20, 16, serial());
    let (error, records) = failing(&dir, &rt, |root| {
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        let x = scope
            .alloc_tensors(DEMO, &[info(1, 1).init(common::zero())])?
            .get_ref(0);
        submit(&scope, DEMO, &UNLUCKY, &[TaskArg::Input(x)], 1, &[]).map(|_| ())
    });
    assert_eq!(error.code(), Some(200));
    assert_eq!(records, OPEN);
}

#[test]
fn an_error_that_only_the_orchestration_knows_leaves_its_inner_scopes_complete() {
    let dir = WorkDir::new("early_return");
    let rt = dir.runtime(1 << 20, 16, serial());
    let (error, records) = failing(&dir, &rt, |root| {
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        let x = alloc(&scope, DEMO, 4, 4)?;
        x.slice(&[SliceItem::Range(2, 5), SliceItem::Full], DEMO)?;
        drop(scope);
        drop(root.enter(ScopeMode::Auto, INNER)?);
        Ok(())
    });
    assert_eq!(
        (error.code(), error.name()),
        (Some(5), Some("INVALID_ARGS"))
    );
    assert_eq!(
        records,
        ["(root):0 begin", "demo.rs:41 begin", "demo.rs:41 end"]
    );
}

#[test]
fn scopes_that_a_panic_closes_have_no_end() {
    let dir = WorkDir::new("panic");
    let rt = dir.runtime(1 << 20, 16, threads(2));
    let panic = catch_unwind(AssertUnwindSafe(|| {
        run(&rt, |root| {
            drop(root.enter(ScopeMode::Auto, INNER)?);
            let _scope = root.enter(ScopeMode::Auto, DEMO)?;
            panic!("on purpose");
        })
    }));
    assert!(panic.is_err());
    let (meta, records) = dir.lines();
    assert_eq!(meta["fatal"], true);
    assert_eq!(
        records,
        [
            "(root):0 begin",
            "demo.rs:57 begin",
            "demo.rs:57 end",
            "demo.rs:41 begin"
        ]
    );
    let outcome = json!({
        "ok": false, "code": null, "name": "PANIC", "text": "the orchestration panicked",
    });
    assert_eq!(dir.run_json()["outcome"], outcome);
    run(&rt, |_| Ok(())).unwrap();
    assert_eq!(dir.lines().1, ["(root):0 begin", "(root):0 end"]);
}

#[test]
fn a_panic_over_an_error_is_reported_as_the_error() {
    let dir = WorkDir::new("unwrap");
    let rt = dir.runtime(4096, 16, serial());
    let panic = catch_unwind(AssertUnwindSafe(|| {
        run(&rt, |root| {
            let scope = root.enter(ScopeMode::Auto, DEMO).unwrap();
            alloc(&scope, DEMO, 64, 64).unwrap();
            Ok(())
        })
    }));
    assert!(panic.is_err());
    assert_eq!(dir.lines().1, OPEN);
    assert_eq!(dir.run_json()["outcome"]["code"], 2);
}

#[test]
fn a_panic_that_the_orchestration_catches_leaves_no_gap() {
    let dir = WorkDir::new("caught");
    let rt = dir.runtime(1 << 20, 16, serial());
    run(&rt, |root| {
        for _ in 0..2 {
            let panic = catch_unwind(AssertUnwindSafe(|| {
                let _scope = root.enter(ScopeMode::Auto, DEMO).unwrap();
                panic!("on purpose");
            }));
            assert!(panic.is_err());
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(
        dir.lines().1,
        [
            "(root):0 begin",
            "demo.rs:41 begin",
            "demo.rs:41 end",
            "demo.rs:41 begin",
            "demo.rs:41 end",
            "(root):0 end"
        ]
    );
}

#[test]
fn a_forgotten_guard_ends_with_the_scope_around_it() {
    let dir = WorkDir::new("forgotten");
    run(&dir.runtime(1 << 20, 16, serial()), |root| {
        std::mem::forget(root.enter(ScopeMode::Auto, DEMO)?);
        Ok(())
    })
    .unwrap();
    assert_eq!(
        dir.lines().1,
        [
            "(root):0 begin",
            "demo.rs:41 begin",
            "demo.rs:41 end",
            "(root):0 end"
        ]
    );
}

#[test]
fn an_error_of_capacity_ends_with_the_way_to_the_statistics() {
    let body = |root: &Scope<'_>| {
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        (0..5).try_for_each(|_| alloc(&scope, DEMO, 16, 16).map(|_| ()))
    };
    let nested = |root: &Scope<'_>| {
        let one = root.enter(ScopeMode::Auto, DEMO)?;
        let two = one.enter(ScopeMode::Auto, DEMO)?;
        let three = two.enter(ScopeMode::Auto, DEMO)?;
        nothings(&three, 3)?;
        nothings(&three.enter(ScopeMode::Auto, INNER)?, 1)
    };
    let dir = WorkDir::new("help");
    for (code, heap, window) in [(1, 1 << 20, 4), (2, 4096, 16), (3, 1 << 20, 4)] {
        let mut config = dir.config(heap, window, serial());
        let on = Runtime::new(config.clone()).unwrap();
        config.enable_scope_stats = false;
        let off = Runtime::new(config).unwrap();
        for (rt, end) in [
            (
                on,
                format!("\n  which scope fills it: see {}", dir.file().display()),
            ),
            (
                off,
                "\n  which scope fills it: set `RunConfig::enable_scope_stats` and `work_dir`"
                    .into(),
            ),
        ] {
            let error = if code == 3 {
                run(&rt, nested)
            } else {
                run(&rt, body)
            }
            .unwrap_err();
            assert_eq!(error.code(), Some(code));
            assert!(error.to_string().ends_with(&end), "{error}");
        }
    }
    let rt = dir.runtime(1024, 16, serial());
    let error = run(&rt, |root| alloc(root, DEMO, 64, 64).map(|_| ())).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("`RunConfig::ring_heap` of ring 0 to 16384"),
        "{error}"
    );
}

/// Rows are appended to one array, and after each one the whole of it is read.
fn append_and_read(rt: &Runtime, rows: usize) {
    let mut x = Array2::<u32>::zeros((rows, 1));
    rt.run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
        for i in 0..rows {
            let scope = root.enter(ScopeMode::Auto, DEMO)?;
            let row = [SliceItem::Range(i, i + 1), SliceItem::Full];
            let args = [TaskArg::OutputExisting(x.slice(&row, DEMO)?)];
            submit(&scope, DEMO, &FILL, &args, 1, &[])?;
            submit(&scope, DEMO, &NOTHING, &[TaskArg::Input(x)], 0, &[])?;
        }
        Ok(())
    })
    .unwrap();
    assert!(x.iter().all(|&value| value == 1));
}

#[test]
fn tasks_that_wait_for_very_many_others_take_back_what_is_over() {
    let dir = WorkDir::new("append");
    let run = |executor, rows| {
        let config = RunConfig {
            ring_dep_pool: 0.into(),
            ..dir.config(1 << 20, 16384, executor)
        };
        append_and_read(&Runtime::new(config).unwrap(), rows);
        dir.text()
    };
    let starts = |text: &str| {
        let lines = text.lines().skip(1);
        let starts = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
        let starts = starts.map(|line| line["task_window_start"].as_u64().unwrap());
        starts.max().unwrap()
    };
    assert_eq!(starts(&run(serial(), 1000)), 0, "the window is not full");
    let expected = run(serial(), 1500);
    assert_eq!(starts(&expected), 2 * 1024, "two tasks for each row");
    assert!(run(threads(3), 1500) == expected);
    assert!(run(random(5), 1500) == expected);
}

/// A program that goes around its rings many times, at all depths.
fn laps(rt: &Runtime) {
    let mut x = Array2::<u32>::zeros((8, 8));
    rt.run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
        for i in 0..40_u32 {
            let outer = root.enter(ScopeMode::Auto, DEMO)?;
            let a = alloc(&outer, DEMO, 8, 8 * (i as usize % 5 + 1))?;
            let a = a.slice(&[SliceItem::Full, SliceItem::Range(0, 8)], DEMO)?;
            submit(
                &outer,
                DEMO,
                &AFFINE,
                &[TaskArg::Input(x), TaskArg::OutputExisting(a)],
                i,
                &[],
            )?;
            for j in 0..3 {
                let inner = outer.enter(ScopeMode::Auto, INNER)?;
                let b = alloc(&inner, INNER, 8, 8)?;
                let args = [TaskArg::Input(a), TaskArg::OutputExisting(b)];
                submit(&inner, INNER, &AFFINE, &args, j, &[])?;
                submit(
                    &inner,
                    INNER,
                    &UPDATE,
                    &[TaskArg::Input(b), TaskArg::InOut(x)],
                    j,
                    &[],
                )?;
                if j == 1 {
                    inner.get::<u32>(INNER, x, &[0, 0])?;
                }
                let manual = inner.enter(ScopeMode::Manual, INNER)?;
                let c = alloc(&manual, INNER, 8, 8)?;
                let args = [TaskArg::Input(b), TaskArg::OutputExisting(c)];
                let done = submit(&manual, INNER, &AFFINE, &args, j, &[])?.task_id();
                submit(
                    &manual,
                    INNER,
                    &UPDATE,
                    &[TaskArg::Input(c), TaskArg::InOut(x)],
                    j,
                    &[done],
                )?;
            }
        }
        Ok(())
    })
    .unwrap();
}

#[test]
fn the_file_is_the_same_on_all_executors_and_however_threads_are_scheduled() {
    let dir = WorkDir::new("identical");
    laps(&dir.runtime(4096, 16, serial()));
    let expected = dir.text();
    let start = "\"task_window_start\": ";
    let retired = expected.matches(start).count() - expected.matches(&format!("{start}0,")).count();
    assert!(retired > 100, "{retired}");
    for seed in 0..10 {
        laps(&dir.runtime(4096, 16, random(seed)));
        assert!(dir.text() == expected, "seed {seed}");
    }
    let rt = dir.runtime(4096, 16, threads(4));
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            // Busy and idle in turns, so that the threads are now many, now few.
            let mut turn = 0_u32;
            while !over.load(Ordering::Relaxed) {
                turn = turn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (0..turn >> 14).for_each(|_| std::hint::spin_loop());
                thread::sleep(std::time::Duration::from_micros(u64::from(turn >> 22)));
            }
        });
        for repetition in 0..50 {
            laps(&rt);
            let same = dir.text() == expected;
            if !same || repetition == 49 {
                over.store(true, Ordering::Relaxed);
            }
            assert!(same, "run {repetition}");
        }
    });
}

#[test]
fn a_run_replaces_the_file_of_the_one_before() {
    let dir = WorkDir::new("overwrite");
    let rt = dir.runtime(1 << 20, 16, serial());
    let scopes = |n: u32| {
        run(&rt, |root| {
            (0..n).try_for_each(|_| root.enter(ScopeMode::Auto, DEMO).map(drop))
        })
        .unwrap();
        assert_eq!(dir.lines().1.len() as u32, 2 * n + 2);
    };
    scopes(3);
    scopes(10_000);
    scopes(0);
    assert_eq!(
        fs::read_dir(dir.folder()).unwrap().count(),
        2,
        "no other file is left"
    );
}

#[test]
fn two_runtimes_with_one_folder_write_whole_files() {
    let dir = WorkDir::new("two");
    let lengths = [(Site::new("a.rs", 1), 20_u32), (Site::new("b.rs", 2), 2100)];
    let check = || {
        let (meta, records) = dir.lines();
        let n = lengths
            .iter()
            .find(|(site, _)| records[1].starts_with(site.file))
            .unwrap()
            .1;
        assert_eq!(
            (meta["fatal"].as_bool(), records.len() as u32),
            (Some(false), 2 * n + 2)
        );
        assert!(
            records[1..records.len() - 1]
                .iter()
                .all(|r| r[..4] == records[1][..4])
        );
    };
    thread::scope(|scope| {
        for (site, n) in lengths {
            let dir = &dir;
            scope.spawn(move || {
                let rt = dir.runtime(1 << 20, 16, serial());
                for _ in 0..10 {
                    run(&rt, |root| {
                        (0..n).try_for_each(|_| root.enter(ScopeMode::Auto, site).map(drop))
                    })
                    .unwrap();
                    check();
                }
            });
        }
    });
    check();
    assert_eq!(
        fs::read_dir(dir.folder()).unwrap().count(),
        2,
        "no other file is left"
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_before_the_run_starts() {
    let dir = WorkDir::new("unwritable");
    fs::write(&dir.0, "a file").unwrap();
    let rt = dir.runtime(1 << 20, 16, serial());
    let mut began = false;
    let error = run(&rt, |_| {
        began = true;
        Ok(())
    })
    .unwrap_err();
    assert!(!began && matches!(error, Error::Report(_)));
    let folder = dir.folder();
    says(
        &error,
        &[
            folder.to_str().unwrap(),
            "ot a directory",
            "help:",
            "`RunConfig::work_dir`",
        ],
    );
    fs::remove_file(&dir.0).unwrap();
    fs::create_dir_all(dir.file()).unwrap();
    let error = run(&rt, |_| unreachable!()).unwrap_err();
    says(&error, &["is a directory"]);
    fs::remove_dir(dir.file()).unwrap();
    run(&rt, |_| Ok(())).unwrap();
    assert_eq!(dir.lines().1.len(), 2);
}

#[test]
fn a_file_that_cannot_be_written_fails_a_run_that_succeeded_and_no_other() {
    let dir = WorkDir::new("lost");
    let rt = dir.runtime(1 << 20, 16, serial());
    // Within what is held in memory, and beyond.
    for scopes in [1, 10_000] {
        let mut x = Array2::<u32>::zeros((1, 1));
        let error = rt
            .run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
                fs::remove_dir_all(&dir.0).unwrap();
                (0..scopes).try_for_each(|_| root.enter(ScopeMode::Auto, DEMO).map(drop))?;
                root.set(DEMO, x, &[0, 0], 5_u32)
            })
            .unwrap_err();
        assert!(matches!(error, Error::Report(_)));
        says(
            &error,
            &[dir.folder().to_str().unwrap(), "the run succeeded"],
        );
        assert_eq!(x[[0, 0]], 5);
        let error = run(&rt, |root| {
            fs::remove_dir_all(&dir.0).unwrap();
            Err(root.report_fatal(DEMO, 77, "its own"))
        });
        assert_eq!(error.unwrap_err().code(), Some(77));
    }
    run(&rt, |_| Ok(())).unwrap();
    assert_eq!(dir.lines().1.len(), 2);
}

#[test]
fn nothing_is_written_unless_it_is_turned_on() {
    let dir = WorkDir::new("off");
    let mut config = dir.config(1 << 20, 16, serial());
    config.enable_scope_stats = false;
    let report = run(&Runtime::new(config).unwrap(), |_| Ok(())).unwrap();
    assert_eq!(report.reports, None);
    assert!(!dir.0.exists());
}

/// Runs a test of this file alone, in a process of its own that a shell `setup` came before.
fn in_a_process(test: &str, setup: &str) -> std::process::Output {
    Command::new("sh")
        .args([
            "-c",
            &format!("{setup} exec \"$0\" --exact {test} --nocapture"),
        ])
        .arg(std::env::current_exe().unwrap())
        .env(CHILD, "1")
        .output()
        .unwrap()
}

const CHILD: &str = "PL_TEST_SCOPE_STATS_CHILD";

#[test]
fn the_folder_of_reports_is_printed_once_for_a_runtime() {
    if std::env::var_os(CHILD).is_some() {
        let dir = WorkDir::new("printed");
        let rt = dir.runtime(1 << 20, 16, serial());
        (0..3).for_each(|_| drop(run(&rt, |_| Ok(())).unwrap()));
        return;
    }
    let output = in_a_process("the_folder_of_reports_is_printed_once_for_a_runtime", "");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{text}");
    let folder = WorkDir::new("printed").0.join("dfx_outputs");
    let expected = format!("reports: {}\n", folder.display());
    assert_eq!(text.matches(&expected).count(), 1, "{text}");
    assert_eq!(text.matches("reports:").count(), 1, "{text}");
}

#[test]
fn a_disk_that_fills_up_is_an_error_and_leaves_the_files_of_the_run_before() {
    if std::env::var_os(CHILD).is_some() {
        let dir = WorkDir::new("full");
        let rt = dir.runtime(1 << 20, 16, serial());
        let scopes = |n: u32| {
            run(&rt, |root| {
                (0..n).try_for_each(|_| root.enter(ScopeMode::Auto, DEMO).map(drop))
            })
        };
        scopes(3).unwrap();
        // At the end of the run, and on the way.
        for n in [1000, 10_000] {
            let error = scopes(n).unwrap_err();
            assert!(matches!(error, Error::Report(_)));
            says(&error, &["too large", "the run succeeded", "help:"]);
            assert_eq!(dir.lines().1.len(), 8);
            assert_eq!(fs::read_dir(dir.folder()).unwrap().count(), 2);
        }
        return;
    }
    let output = in_a_process(
        "a_disk_that_fills_up_is_an_error_and_leaves_the_files_of_the_run_before",
        "trap '' XFSZ && ulimit -f 100 &&",
    );
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{text}");
}

/// All keys in a value.
fn keys(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            found.push(key.clone());
            keys(value, found);
        }),
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn every_key_is_in_the_documentation() {
    let dir = WorkDir::new("keys");
    let rt = dir.runtime(1 << 20, 16, serial());
    run(&rt, |root| Err(root.report_fatal(DEMO, 9, "enough"))).unwrap_err();
    let mut found = Vec::new();
    keys(&dir.run_json(), &mut found);
    for line in dir.text().lines() {
        keys(&serde_json::from_str(line).unwrap(), &mut found);
    }
    assert!(found.len() > 40);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scope-stats.md");
    let page = fs::read_to_string(page).unwrap();
    for key in found {
        assert!(page.contains(&format!("`{key}`")), "{key}");
    }
}

/// Runs when it is dropped.
struct RunsInDrop<'r>(&'r Runtime);

impl Drop for RunsInDrop<'_> {
    fn drop(&mut self) {
        run(self.0, |root| root.enter(ScopeMode::Auto, DEMO).map(drop)).unwrap();
    }
}

#[test]
fn a_run_inside_a_panic_that_is_not_its_own_is_recorded_as_any_other() {
    let dir = WorkDir::new("in_drop");
    let rt = dir.runtime(1 << 20, 16, serial());
    let panic = catch_unwind(AssertUnwindSafe(|| {
        let _run = RunsInDrop(&rt);
        panic!("on purpose");
    }));
    assert!(panic.is_err());
    let (meta, records) = dir.lines();
    assert_eq!((&meta["fatal"], records.len()), (&json!(false), 4));
}
