//! Runs that fail or panic: recorded up to the failing call.

use super::*;

/// Runs a body that fails, in rings of this size; gives the error and what was recorded.
fn failing(
    name: &str,
    heap: u64,
    window: u32,
    executor: Executor,
    body: impl for<'r> FnOnce(&'r Scope<'r>) -> Outcome,
) -> (Error, Vec<String>) {
    let dir = WorkDir::new(name);
    let error = run(&dir.runtime(heap, window, executor), body).unwrap_err();
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

/// A scope that was closed, and one that was not.
const SECOND_OPEN: [&str; 4] = [
    "(root):0 begin",
    "demo.rs:57 begin",
    "demo.rs:57 end",
    "demo.rs:41 begin",
];

#[test]
fn a_run_that_fails_with_code_1_is_recorded_up_to_the_failing_call() {
    let (error, records) = failing("code_1", 1 << 20, 4, serial(), |root| {
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        nothings(&scope, 4)
    });
    assert_eq!(error.code(), Some(1));
    assert_eq!(records, OPEN);
}

#[test]
fn a_run_that_fails_with_code_2_is_recorded_up_to_the_failing_call() {
    let (error, records) = failing("code_2", 4096, 16, threads(2), |root| {
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
    let (error, records) = failing("code_3", 1 << 20, 4, serial(), |root| {
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
    let (error, records) = failing("code_5", 1 << 20, 16, serial(), |root| {
        let scope = root.enter(ScopeMode::Manual, DEMO)?;
        scope.enter(ScopeMode::Auto, INNER).map(|_| ())
    });
    assert_eq!(error.code(), Some(5));
    assert_eq!(records, OPEN);
}

#[test]
fn what_follows_a_reported_fatal_is_not_recorded_though_the_orchestration_goes_on() {
    let (error, records) = failing("code_9", 1 << 20, 16, serial(), |root| {
        drop(root.enter(ScopeMode::Auto, INNER)?);
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        drop(scope.report_fatal(DEMO, 9, "enough"));
        assert!(scope.enter(ScopeMode::Auto, INNER).is_err());
        Ok(())
    });
    assert_eq!(error.code(), Some(9));
    assert_eq!(records, SECOND_OPEN);
}

#[test]
fn a_run_whose_kernel_fails_is_fatal() {
    let (error, records) = failing("code_200", 1 << 20, 16, serial(), |root| {
        let scope = root.enter(ScopeMode::Auto, DEMO)?;
        let x = scope
            .alloc_tensors(DEMO, &[info(1, 1).init(crate::common::zero())])?
            .get_ref(0);
        submit(&scope, DEMO, &UNLUCKY, &[TaskArg::Input(x)], 1, &[]).map(|_| ())
    });
    assert_eq!(error.code(), Some(200));
    assert_eq!(records, OPEN);
}

#[test]
fn an_error_that_only_the_orchestration_knows_leaves_its_inner_scopes_complete() {
    let (error, records) = failing("early_return", 1 << 20, 16, serial(), |root| {
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
    assert_eq!(records, SECOND_OPEN);
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
