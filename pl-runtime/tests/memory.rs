//! Memory that runs and runtimes take.

#[path = "runs/common.rs"]
mod common;

use common::{expected, little, run, runtime, serial, threads};
use pl_runtime::{RunConfig, Runtime, ScopeMode, Site};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The figures are those of the process: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Resident memory in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn ten_thousand_runs_leave_memory_flat() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let rt = runtime(1 << 20, 64, threads(2));
    let mut after_warm_up = 0;
    for i in 0..10_000 {
        assert_eq!(little(&rt, 3), expected(3));
        if i == 1000 {
            after_warm_up = resident();
        }
    }
    let grown = resident().saturating_sub(after_warm_up);
    assert!(grown < 8 << 10, "{grown} KiB more");
}

#[test]
fn default_rings_cost_no_memory_until_they_are_used() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let before = resident();
    let runtimes: Vec<_> = (0..8)
        .map(|_| {
            Runtime::new(RunConfig {
                executor: serial(),
                ..RunConfig::default()
            })
            .unwrap()
        })
        .collect();
    for rt in &runtimes {
        assert_eq!(little(rt, 2), expected(2));
    }
    assert!(
        resident() - before < 64 << 10,
        "eight gigabytes are reserved, none of them used"
    );
}

#[test]
fn statistics_of_many_scopes_take_no_more_memory_than_those_of_few() {
    const MANY: u32 = 100_000;
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let work_dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("memory_of_statistics");
    let rt = Runtime::new(RunConfig {
        executor: serial(),
        work_dir: Some(work_dir.clone()),
        enable_scope_stats: true,
        ..RunConfig::default()
    })
    .unwrap();
    let open = |scopes: u32| {
        run(&rt, |root| {
            (0..scopes).try_for_each(|_| {
                root.enter(ScopeMode::Auto, Site::new("many.rs", 1))
                    .map(drop)
            })
        })
        .unwrap()
    };
    open(5000);
    let before = resident();
    let report = open(MANY);
    let grown = resident().saturating_sub(before);
    assert!(grown < 4 << 10, "{grown} KiB more");
    let file = report
        .reports
        .unwrap()
        .join("scope_stats/scope_stats.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(text.lines().count() as u32, 1 + 2 * (MANY + 1));
    drop(std::fs::remove_dir_all(work_dir));
}
