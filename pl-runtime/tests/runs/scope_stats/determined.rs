//! What is recorded depends on the program alone.

use super::*;

/// Rows are appended to one array, and after each one the whole of it is read.
fn append_and_read(rt: &Runtime, rows: usize) {
    let mut x = Array2::<u32>::zeros((rows, 1));
    rt.run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
        appends(root, x, rows)
    })
    .unwrap();
    assert!(x.iter().all(|&value| value == 1));
}

fn appends(root: &Scope<'_>, x: Tensor<'_>, rows: usize) -> Outcome {
    for i in 0..rows {
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        let row = [SliceItem::Range(i, i + 1), SliceItem::Full];
        let args = [TaskArg::OutputExisting(x.slice(&row, DEMO)?)];
        submit(&scope, DEMO, &FILL, &args, 1, &[])?;
        submit(&scope, DEMO, &NOTHING, &[TaskArg::Input(x)], 0, &[])?;
    }
    Ok(())
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

/// How a simulated run of [`laps`] may be timed: which tasks have ended when differs.
fn simulated(dir: &WorkDir, heap: u64, window: u32, call_ns: u32) -> Runtime {
    let orchestrator = OrchestratorCost {
        submit_ns: call_ns,
        get_ns: call_ns / 3,
        ..OrchestratorCost::FREE
    };
    let config = RunConfig {
        machine: MachineModel {
            orchestrator,
            ..MachineModel::a2a3()
        },
        values: Values::default().at("demo.rs:57", [1_u32]),
        ..dir.config(heap, window, Executor::Timing)
    };
    Runtime::new(config).unwrap()
}

#[test]
fn a_simulated_run_writes_the_same_file_however_long_things_take() {
    let dir = WorkDir::new("simulated");
    laps(&dir.runtime(4096, 16, threads(2)));
    let expected = dir.text();
    for call_ns in [0, 1, 500, 2000, 1_000_000] {
        laps(&simulated(&dir, 4096, 16, call_ns));
        assert!(dir.text() == expected, "{call_ns} ns");
    }
    for rows in [1000, 1500] {
        let config = |executor| RunConfig {
            ring_dep_pool: 0.into(),
            ..dir.config(1 << 20, 16384, executor)
        };
        let rt = Runtime::new(config(serial())).unwrap();
        append_and_read(&rt, rows);
        let expected = dir.text();
        let rt = Runtime::new(config(Executor::Timing)).unwrap();
        let x = EntryArg::inout::<u32, 2>(shape([rows, 1])).unwrap();
        rt.run(&ENTRY, [x], |root, [x]| appends(root, x, rows))
            .unwrap();
        assert!(dir.text() == expected, "{rows} rows");
    }
}

type Body = fn(&Scope<'_>) -> Outcome;

/// Programs that fail, after some tasks: their code, and heap and window.
const FAILING: [(u32, u64, u32, Body); 6] = [
    (1, 1 << 20, 4, |root| {
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        nothings(&scope, 4)
    }),
    (2, 4096, 16, |root| {
        for _ in 0..9 {
            let scope = root.enter(ScopeMode::Auto, DEMO)?;
            let t = alloc(&scope, DEMO, 16, 16)?;
            submit(&scope, DEMO, &FILL, &[TaskArg::OutputExisting(t)], 1, &[])?;
        }
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        (0..5).try_for_each(|_| alloc(&scope, INNER, 16, 16).map(|_| ()))
    }),
    (3, 1 << 20, 4, |root| {
        let one = root.enter(ScopeMode::Auto, DEMO)?;
        let two = one.enter(ScopeMode::Auto, DEMO)?;
        let three = two.enter(ScopeMode::Auto, DEMO)?;
        nothings(&three, 3)?;
        nothings(&three.enter(ScopeMode::Auto, INNER)?, 1)
    }),
    (5, 4096, 16, |root| {
        let scope = root.enter(ScopeMode::Manual, DEMO)?;
        nothings(&scope, 3)?;
        scope.enter(ScopeMode::Auto, INNER).map(|_| ())
    }),
    (9, 4096, 4, |root| {
        for _ in 0..9 {
            nothings(&root.enter(ScopeMode::Auto, DEMO)?, 2)?;
        }
        Err(root.report_fatal(INNER, 9, "enough"))
    }),
    (201, 1 << 20, 16, |root| {
        let scope = root.enter(ScopeMode::Manual, DEMO)?;
        let t = alloc(&scope, DEMO, 4, 4)?;
        let write = [TaskArg::OutputExisting(t)];
        submit(&scope, DEMO, &FILL, &write, 1, &[])?;
        submit(&scope, INNER, &FILL, &write, 1, &[]).map(|_| ())
    }),
];

#[test]
fn failing_runs_write_the_same_file_on_all_executors() {
    let dir = WorkDir::new("failing_executors");
    for (code, heap, window, body) in FAILING {
        let record = |executor| {
            let error = run(&dir.runtime(heap, window, executor), body).unwrap_err();
            assert_eq!(error.code(), Some(code));
            (error, dir.text())
        };
        let expected = record(serial());
        for executor in [threads(2), random(3), Executor::Timing] {
            assert!(record(executor) == expected, "{code} {executor:?}");
        }
    }
}
