//! What is refused, with which code, and what the message says.

#[macro_use]
mod common;

use common::{
    ENTRY, EXECUTORS, FILL, NOTHING, Outcome, alloc, info, nothings, run, runtime, says, serial,
    submit, zero,
};
use ndarray::Array2;
use pl_runtime::{
    DType, EntryArg, Error, RunConfig, Runtime, Scope, ScopeMode, SliceItem, TaskArg,
    TensorCreateInfo,
};

#[test]
fn the_task_that_fills_a_scopes_window_is_code_1_at_once() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 4, executor);
        let error = run(&rt, |root| {
            let scope = root.enter(ScopeMode::Auto, site!())?;
            nothings(&scope, 3)?;
            let error = nothings(&scope, 1).unwrap_err();
            assert!(matches!(error, Error::ScopeDeadlock(_)));
            Err(error)
        })
        .unwrap_err();
        assert_eq!((error.code(), error.host_code()), (Some(1), Some(507_018)));
        says(
            &error,
            &[
                "orch_error_code=1 SCOPE_DEADLOCK",
                "ring 1",
                "errors.rs:",
                "used 3, capacity 4",
                "help:",
                "`RunConfig::ring_task_window` of ring 1 to 8",
            ],
        );
    }
}

#[test]
fn sequential_scopes_of_a_full_window_succeed() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 4, executor);
        run(&rt, |root| {
            (0..20).try_for_each(|_| nothings(&root.enter(ScopeMode::Auto, site!())?, 3))
        })
        .unwrap();
    }
}

#[test]
fn a_window_full_of_an_ancestors_tasks_is_code_3_on_ring_3() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 4, executor);
        let error = run(&rt, |root| {
            let one = root.enter(ScopeMode::Auto, site!())?;
            let two = one.enter(ScopeMode::Auto, site!())?;
            let three = two.enter(ScopeMode::Auto, site!())?;
            nothings(&three, 3)?;
            nothings(&three.enter(ScopeMode::Auto, site!())?, 1)
        })
        .unwrap_err();
        assert_eq!(error.code(), Some(3));
        says(
            &error,
            &[
                "FLOW_CONTROL_DEADLOCK",
                "ring 3",
                "task `nothing`",
                "of ring 3 to 8",
            ],
        );
    }
}

#[test]
fn live_blocks_that_fill_the_heap_are_code_2_and_the_suggested_size_works() {
    let body = |root: &Scope<'_>| {
        let scope = root.enter(ScopeMode::Auto, site!())?;
        for _ in 0..3 {
            alloc(&scope, site!(), 32, 16)?;
        }
        Ok(())
    };
    for executor in EXECUTORS {
        let rt = runtime(4096, 64, executor);
        let error = run(&rt, body).unwrap_err();
        assert_eq!(error.code(), Some(2));
        says(
            &error,
            &[
                "HEAP_RING_DEADLOCK",
                "does not fit now",
                "ring 1",
                "requested 2048, used 4096, capacity 4096 bytes",
                "oldest in use: 2048 bytes by `alloc_tensors` at",
                "help:",
            ],
        );
        let Error::HeapRingDeadlock(detail) = error else {
            unreachable!()
        };
        run(&runtime(detail.suggestion, 64, executor), body).unwrap();
    }
}

#[test]
fn a_closed_inner_scope_on_ring_3_frees_nothing_of_the_open_one_around_it() {
    for executor in EXECUTORS {
        let rt = runtime(4096, 64, executor);
        let error = run(&rt, |root| {
            let one = root.enter(ScopeMode::Auto, site!())?;
            let two = one.enter(ScopeMode::Auto, site!())?;
            let three = two.enter(ScopeMode::Auto, site!())?;
            let kept = three
                .alloc_tensors(site!(), &[info(32, 16).init(zero())])?
                .get_ref(0);
            alloc(&three.enter(ScopeMode::Auto, site!())?, site!(), 16, 16)?;
            let error = alloc(&three, site!(), 32, 16).unwrap_err();
            says(
                &error,
                &["ring 3", "requested 2048, used 3072, capacity 4096"],
            );
            assert_eq!(kept.dims(), [32, 16]);
            Err(error)
        });
        assert_eq!(error.unwrap_err().code(), Some(2));
    }
}

#[test]
fn a_block_larger_than_the_heap_is_code_2_with_its_own_text() {
    let rt = runtime(1024, 64, serial());
    let body = |root: &Scope<'_>| alloc(root, site!(), 64, 128).map(|_| ());
    let error = run(&rt, body).unwrap_err();
    says(
        &error,
        &["can never fit", "requested 32768", "capacity 1024"],
    );
    let Error::HeapRingDeadlock(detail) = error else {
        panic!("{error}")
    };
    assert_eq!(detail.suggestion, 32768);
    run(&runtime(detail.suggestion, 64, serial()), body).unwrap();
}

#[test]
fn a_block_larger_than_the_address_space_is_refused() {
    let rt = runtime(1 << 20, 64, serial());
    let huge = |n| vec![TensorCreateInfo::new(DType::F32, &[1 << 31, 1 << 29]); n];
    let error = run(&rt, |root| {
        root.alloc_tensors(site!(), &huge(1)).map(|_| ())
    })
    .unwrap_err();
    says(&error, &["can never fit", "allocate smaller tensors"]);
    let error = run(&rt, |root| {
        root.alloc_tensors(site!(), &huge(32)).map(|_| ())
    })
    .unwrap_err();
    assert_eq!(error.code(), Some(5));
}

#[test]
fn calls_with_wrong_arguments_are_code_5() {
    let rt = runtime(1 << 20, 64, serial());
    let refused = |body: &dyn Fn(&Scope<'_>) -> Outcome, parts: &[&str]| {
        let error = run(&rt, |root| body(root)).unwrap_err();
        assert_eq!(error.code(), Some(5), "{error}");
        says(&error, &["INVALID_ARGS", "errors.rs:", "help:"]);
        says(&error, parts);
    };
    refused(
        &|root| root.alloc_tensors(site!(), &[]).map(|_| ()),
        &["1 to 32"],
    );
    refused(
        &|root| root.alloc_tensors(site!(), &[info(1, 1); 33]).map(|_| ()),
        &["1 to 32"],
    );
    refused(
        &|root| {
            let info = TensorCreateInfo::new(DType::F32, &[1; 6]);
            root.alloc_tensors(site!(), &[info]).map(|_| ())
        },
        &["rank 6"],
    );
    refused(
        &|root| {
            let t = alloc(root, site!(), 1, 1)?;
            submit(root, site!(), &NOTHING, &[TaskArg::Input(t); 33], 0, &[]).map(|_| ())
        },
        &["33 tensors", "`nothing`"],
    );
    refused(
        &|root| {
            let t = alloc(root, site!(), 2, 2)?;
            root.get::<f32>(site!(), t, &[0, 0]).map(|_| ())
        },
        &["f32", "u32"],
    );
    refused(
        &|root| {
            let t = alloc(root, site!(), 2, 2)?;
            root.set(site!(), t, &[0, 2], 1_u32)
        },
        &["[0, 2]", "[2, 2]"],
    );
    refused(
        &|root| {
            let manual = root.enter(ScopeMode::Manual, site!())?;
            manual.enter(ScopeMode::Auto, site!()).map(|_| ())
        },
        &["AUTO", "MANUAL"],
    );
    refused(
        &|root| {
            let inner = root.enter(ScopeMode::Auto, site!())?;
            let outcome = nothings(root, 1);
            drop(inner);
            outcome
        },
        &["outer scope"],
    );
}

#[test]
fn an_input_of_the_entry_cannot_be_written() {
    let rt = runtime(1 << 20, 64, serial());
    let x = Array2::<u32>::zeros((4, 4));
    for inout in [false, true] {
        let args = [EntryArg::input(&x).unwrap()];
        let error = rt
            .run(&ENTRY, args, |root, [x]| {
                let arg = if inout {
                    TaskArg::InOut(x)
                } else {
                    TaskArg::OutputExisting(x)
                };
                submit(root, site!(), &FILL, &[arg], 1, &[]).map(|_| ())
            })
            .unwrap_err();
        says(
            &error,
            &[
                "orch_error_code=5",
                "`fill` writes `o`",
                "input of the entry",
            ],
        );
    }
    let error = rt
        .run(&ENTRY, [EntryArg::input(&x).unwrap()], |root, [x]| {
            root.set(site!(), x, &[0, 0], 1_u32)
        })
        .unwrap_err();
    assert_eq!(error.code(), Some(5));
}

fn nest(scope: &Scope<'_>, depth: usize) -> Outcome {
    if depth == 0 {
        Ok(())
    } else {
        nest(&scope.enter(ScopeMode::Auto, site!())?, depth - 1)
    }
}

#[test]
fn sixty_four_scopes_nest_and_the_next_is_code_5() {
    let rt = runtime(1 << 20, 64, serial());
    let report = run(&rt, |root| nest(root, 63)).unwrap();
    assert_eq!(report.scopes, 64);
    let error = run(&rt, |root| nest(root, 64)).unwrap_err();
    says(&error, &["orch_error_code=5", "64 scopes"]);
}

#[test]
fn an_error_that_the_orchestration_swallows_still_ends_the_run() {
    let rt = runtime(4096, 64, serial());
    let error = run(&rt, |root| {
        let _ = alloc(root, site!(), 100, 100);
        let _ = alloc(root, site!(), 1, 1);
        Ok(())
    })
    .unwrap_err();
    assert_eq!(error.code(), Some(2));
}

#[test]
fn a_slice_past_its_dimension_is_an_error_with_its_place() {
    let rt = runtime(1 << 20, 64, serial());
    let error = run(&rt, |root| {
        let x = alloc(root, site!(), 4, 4)?;
        x.slice(&[SliceItem::Range(2, 5), SliceItem::Full], site!())?;
        Ok(())
    })
    .unwrap_err();
    says(
        &error,
        &["orch_error_code=5", "`slice` at", "errors.rs:", "2..5"],
    );
    assert_eq!(error.code(), Some(5));
}

#[test]
fn memory_that_does_not_exist_is_refused_with_code_207001() {
    let config = RunConfig {
        ring_heap: [0, 1 << 50, 0, 0].into(),
        ..RunConfig::default()
    };
    let error = Runtime::new(config).unwrap_err();
    assert_eq!(
        (error.code(), error.host_code()),
        (Some(207_001), Some(207_001))
    );
    says(&error, &["ring 1", "help:"]);
}
