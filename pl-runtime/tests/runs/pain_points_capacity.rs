//! What users of ring heaps run into (A10–A25): pools, windows and what reports say of them. The
//! numbers are those of `docs/pain-points.md`.

use crate::common::{
    ENTRY, EXECUTORS, FILL, NOTHING, Outcome, UPDATE, alloc, nothings, run, runtime, says, serial,
    submit, threads,
};
use ndarray::Array2;
use pl_runtime::{
    DType, EntryArg, Error, Executor, RunConfig, RunReport, Runtime, Scope, ScopeMode, TaskArg,
    TensorCreateInfo,
};
use serde_json::Value;
use std::path::PathBuf;

fn bytes(scope: &Scope<'_>, count: usize) -> Outcome {
    let info = TensorCreateInfo::new(DType::U8, &[count]);
    scope.alloc_tensors(site!(), &[info]).map(|_| ())
}

fn full_heap(error: Error) -> pl_runtime::error::Exhausted {
    match error {
        Error::HeapRingDeadlock(detail) => *detail,
        other => panic!("{other}"),
    }
}

#[test]
fn a10_a_dep_pool_is_recycled_by_a_long_chain() {
    const TASKS: usize = 2000;
    let expected = (0..TASKS).fold([1_u32, 1], |[x, y], i| {
        let next = x.wrapping_mul(5).wrapping_add(y).wrapping_add(i as u32);
        [y, next]
    });
    for executor in EXECUTORS {
        let config = RunConfig {
            ring_dep_pool: 64.into(),
            executor,
            ..RunConfig::default()
        };
        let rt = Runtime::new(config).unwrap();
        let [mut x, mut y] = [Array2::<u32>::ones((2, 2)), Array2::<u32>::ones((2, 2))];
        let args = [
            EntryArg::inout(&mut x).unwrap(),
            EntryArg::inout(&mut y).unwrap(),
        ];
        rt.run(&ENTRY, args, |root, [x, y]| {
            (0..TASKS).try_for_each(|i| {
                let (old, new) = if i % 2 == 0 { (x, y) } else { (y, x) };
                let args = [TaskArg::Input(new), TaskArg::InOut(old)];
                submit(root, site!(), &UPDATE, &args, i as u32, &[]).map(|_| ())
            })
        })
        .unwrap();
        assert_eq!([x[[1, 1]], y[[1, 1]]], expected);
    }
}

#[test]
fn a11_a_manual_scope_holds_no_more_tasks_than_its_window() {
    let stream = |window, executor| {
        run(&runtime(1 << 20, window, executor), |root| {
            let o = alloc(root, site!(), 1, 1)?;
            let scope = root.enter(ScopeMode::Manual, site!())?;
            let mut last = pl_runtime::TaskId::NONE;
            for i in 0..100 {
                let args = [TaskArg::OutputExisting(o)];
                last = submit(&scope, site!(), &FILL, &args, i, &[last])?.task_id();
            }
            Ok(())
        })
    };
    for executor in EXECUTORS {
        let error = stream(64, executor).unwrap_err();
        assert_eq!(error.code(), Some(1));
        says(&error, &["used 63, capacity 64", "of ring 1 to 128"]);
        stream(128, executor).unwrap();
    }
}

#[test]
fn a12_a_scope_of_too_many_tasks_is_refused_at_once_with_counts_and_remedies() {
    let rt = runtime(1 << 20, 16, threads(2));
    let error = run(&rt, |root| {
        nothings(&root.enter(ScopeMode::Auto, site!())?, 40)
    });
    let error = error.unwrap_err();
    says(
        &error,
        &[
            "SCOPE_DEADLOCK",
            "the scope opened at",
            "pain_points_capacity.rs:",
            "already holds 15 tasks",
            "capacity 16 slots",
            "split the scope",
            "`RunConfig::ring_task_window` of ring 1 to 32",
        ],
    );
}

#[test]
fn a13_a_larger_window_is_the_only_cap_on_the_tasks_of_a_scope() {
    for executor in [serial(), threads(2)] {
        let rt = runtime(1 << 20, 8 * 16384, executor);
        run(&rt, |root| nothings(root, 20_000)).unwrap();
    }
}

#[test]
fn a14_every_overflow_ends_the_run() {
    for executor in EXECUTORS {
        let config = RunConfig {
            ring_heap: 4096.into(),
            ring_task_window: 8.into(),
            ring_dep_pool: 4.into(),
            executor,
            ..RunConfig::default()
        };
        let rt = Runtime::new(config).unwrap();
        let code = |body: &dyn Fn(&Scope<'_>) -> Outcome| {
            run(&rt, |root| body(root)).unwrap_err().code().unwrap()
        };
        let full_window = code(&|root| nothings(root, 8));
        let full_heap = code(&|root| (0..5).try_for_each(|_| bytes(root, 1024)));
        let never = code(&|root| bytes(root, 5000));
        let full_pool = code(&|root| {
            let tasks = (0..5)
                .map(|_| Ok(submit(root, site!(), &NOTHING, &[], 0, &[])?.task_id()))
                .collect::<Outcome<Vec<_>>>()?;
            submit(root, site!(), &NOTHING, &[], 0, &tasks).map(|_| ())
        });
        assert_eq!([full_window, full_heap, never, full_pool], [1, 2, 2, 4]);
    }
}

#[test]
fn a15_streaming_writers_take_tensormap_entries_back() {
    for executor in [serial(), threads(2)] {
        let rt = runtime(1 << 20, 0, executor);
        let mut x = Array2::<u32>::zeros((1, 1));
        let args = [EntryArg::inout(&mut x).unwrap()];
        rt.run(&ENTRY, args, |root, [x]| {
            for _ in 0..30 {
                let scope = root.enter(ScopeMode::Auto, site!())?;
                for _ in 0..100 {
                    let args = [TaskArg::OutputExisting(x); 32];
                    submit(&scope, site!(), &NOTHING, &args, 0, &[])?;
                }
            }
            Ok(())
        })
        .unwrap();
    }
}

#[test]
fn a16_slots_that_are_used_again_lose_no_dependency() {
    let results = EXECUTORS.map(|executor| {
        let rt = runtime(1 << 20, 4, executor);
        let mut x = Array2::<u32>::ones((4, 4));
        rt.run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
            for i in 0..64 {
                let scope = root.enter(ScopeMode::Auto, site!())?;
                let y = alloc(&scope, site!(), 4, 4)?;
                let copy = [TaskArg::Input(x), TaskArg::OutputExisting(y)];
                submit(&scope, site!(), &crate::common::AFFINE, &copy, i, &[])?;
                let args = [TaskArg::Input(y), TaskArg::InOut(x)];
                submit(&scope, site!(), &UPDATE, &args, i, &[])?;
            }
            Ok(())
        })
        .unwrap();
        x[[3, 3]]
    });
    let expected = (0..64_u32).fold(1_u32, |x, i| {
        let y = x.wrapping_mul(3).wrapping_add(i);
        x.wrapping_mul(5).wrapping_add(y).wrapping_add(i)
    });
    assert_eq!(results, [expected; 6]);
}

/// Fills a heap of 4 KiB, wrapped, so that a further block would end where the oldest one begins.
fn wrapped(root: &Scope<'_>) -> Outcome {
    {
        let scope = root.enter(ScopeMode::Auto, site!())?;
        bytes(&scope, 1024)?;
        bytes(&scope, 2048)?;
    }
    let scope = root.enter(ScopeMode::Auto, site!())?;
    bytes(&scope, 1024)?;
    bytes(&scope, 2048)?;
    bytes(&scope, 1024)
}

#[test]
fn a17_a_wrapped_ring_is_never_filled_to_the_last_byte() {
    let error = run(&runtime(4096, 64, serial()), wrapped).unwrap_err();
    let detail = full_heap(error);
    assert_eq!(
        (detail.requested, detail.used, detail.capacity),
        (1024, 3072, 4096)
    );
    run(&runtime(detail.suggestion, 64, serial()), wrapped).unwrap();
}

#[test]
fn a18_the_report_of_a_full_ring_names_the_ring_and_the_bytes_in_use() {
    let error = run(&runtime(4096, 64, serial()), wrapped).unwrap_err();
    says(
        &error,
        &[
            "heap of ring 1",
            "requested 1024, used 3072, capacity 4096 bytes",
            "oldest in use: 1024 bytes by `alloc_tensors` at",
        ],
    );
}

#[test]
fn a19_a_ring_that_is_completely_full_says_so() {
    let body = |root: &Scope<'_>| (0..5).try_for_each(|_| bytes(root, 1024));
    let error = run(&runtime(4096, 64, serial()), body).unwrap_err();
    says(&error, &["ring 0", "used 4096, capacity 4096 bytes"]);
}

#[test]
fn a20_sizes_above_two_gigabytes_are_counted_in_full() {
    let rt = runtime(256 << 20, 64, serial());
    let large = TensorCreateInfo::new(DType::F32, &[32768, 32768]);
    let small = TensorCreateInfo::new(DType::U8, &[1]);
    for (infos, bytes) in [
        (&[large][..], 4_u64 << 30),
        (&[large, small], (4 << 30) + 1024),
    ] {
        for by_submit in [false, true] {
            let error = run(&rt, |root| {
                let args: Vec<_> = infos.iter().copied().map(TaskArg::Output).collect();
                if by_submit {
                    submit(root, site!(), &NOTHING, &args, 0, &[]).map(|_| ())
                } else {
                    root.alloc_tensors(site!(), infos).map(|_| ())
                }
            });
            let error = error.unwrap_err();
            says(&error, &["can never fit", &format!("{bytes} bytes")]);
            assert_eq!(full_heap(error).requested, bytes);
        }
    }
}

#[test]
fn a21_the_suggested_window_is_one_that_the_configuration_takes() {
    let outcome = |window| {
        run(&runtime(1 << 20, window, serial()), |root| {
            nothings(root, 4)
        })
    };
    let Error::ScopeDeadlock(detail) = outcome(4).unwrap_err() else {
        panic!()
    };
    outcome(detail.suggestion as u32).unwrap();
}

/// Runs `body` with statistics; gives them too.
fn statistics(
    name: &str,
    body: impl for<'r> FnOnce(&'r Scope<'r>) -> Outcome,
) -> (Outcome<RunReport>, Vec<Value>) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let config = RunConfig {
        ring_heap: 8192.into(),
        enable_scope_stats: true,
        work_dir: Some(folder.clone()),
        executor: Executor::Threads { threads: 2 },
        ..RunConfig::default()
    };
    let outcome = run(&Runtime::new(config).unwrap(), body);
    let file = folder.join("dfx_outputs/scope_stats/scope_stats.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    (outcome, lines.collect())
}

#[test]
fn a22_statistics_of_a_scope_that_streams_are_totals() {
    let (report, lines) = statistics("a22", |root| {
        let outer = root.enter(ScopeMode::Auto, site!())?;
        (0..20).try_for_each(|_| bytes(&outer.enter(ScopeMode::Auto, site!())?, 2048))
    });
    let report = report.unwrap();
    assert_eq!(report.heap_demand, [0, 0, 2048, 0]);
    assert_eq!(report.heap_high_water, [0, 0, 8192, 0]);
    let samples = &lines[1..];
    let of_ring: Vec<_> = samples.iter().filter(|s| s["ring"] == 2).collect();
    let ends = of_ring.iter().map(|s| s["heap_end"].as_u64().unwrap());
    let ends: Vec<_> = ends.collect();
    assert!(ends.is_sorted(), "{ends:?}");
    assert_eq!(ends.last(), Some(&(20 * 2048)));
}

#[test]
fn a23_a_run_that_fails_leaves_its_statistics_up_to_the_failing_call() {
    let (outcome, lines) = statistics("a23", |root| {
        let outer = root.enter(ScopeMode::Auto, site!())?;
        bytes(&outer.enter(ScopeMode::Auto, site!())?, 1024)?;
        bytes(&outer.enter(ScopeMode::Auto, site!())?, 10_000)
    });
    assert_eq!(outcome.unwrap_err().code(), Some(2));
    assert_eq!(lines[0]["fatal"], true);
    let samples = lines[1..]
        .iter()
        .map(|s| (s["phase"].as_str().unwrap(), s["depth"].as_u64().unwrap()));
    let expected = [
        ("begin", 0),
        ("begin", 1),
        ("begin", 2),
        ("end", 2),
        ("begin", 2),
    ];
    assert!(samples.eq(expected), "{lines:?}");
}

#[test]
fn a24_rings_that_no_machine_holds_are_refused_with_their_bytes() {
    let config = RunConfig {
        ring_heap: (1 << 46).into(),
        ..RunConfig::default()
    };
    let error = Runtime::new(config).unwrap_err();
    assert_eq!(error.code(), Some(207_001));
    says(&error, &["281474976710656 bytes together", "ring_heap"]);
}

#[test]
fn a25_scopes_show_in_the_demand_whatever_the_size_of_the_ring() {
    let report = |heap| {
        run(&runtime(heap, 256, serial()), |root| {
            (0..200).try_for_each(|_| bytes(&root.enter(ScopeMode::Auto, site!())?, 4096))
        })
        .unwrap()
    };
    let (large, small) = (report(16 << 20), report(64 << 10));
    assert_eq!(large.heap_demand, small.heap_demand);
    assert_eq!(large.heap_demand[1], 4096);
    assert_eq!(large.heap_high_water[1], 200 * 4096);
    assert_eq!(small.heap_high_water[1], 64 << 10);
}
