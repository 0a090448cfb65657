//! Rings and pools that are too small: codes 1 to 4, 11 and 207001.

use super::{Body, CALL, OLDEST, SCOPE, at_depth, bytes, config, fails, nothing};
use crate::common::{
    ENTRY, EXECUTORS, FILL, NOTHING, Outcome, UPDATE, info, run, says, submit, submit_fill,
};
use ndarray::Array2;
use pl_runtime::{
    DType, EntryArg, ReclaimPolicy, RunConfig, Runtime, Scope, ScopeMode, SliceItem, TaskArg,
    TaskId, TensorCreateInfo,
};

/// Follows the suggestion of each error until `body` completes.
#[track_caller]
fn follow(mut config: RunConfig, body: Body<'_>) -> RunConfig {
    for _ in 0..10 {
        config.validate().unwrap();
        let rt = Runtime::new(config.clone()).unwrap();
        match run(&rt, |root| body(root)) {
            Ok(_) => return config,
            Err(error) => apply(&mut config, &error.to_string()),
        }
    }
    panic!("the suggestions lead nowhere")
}

/// Sets what a message suggests: "`RunConfig::field` of ring R to N", at the end of a line.
#[track_caller]
fn apply(config: &mut RunConfig, text: &str) {
    let help = text.split_once("help: ").expect(text).1.lines().next();
    let hint = help
        .and_then(|line| line.rsplit_once("`RunConfig::"))
        .expect(text)
        .1;
    let (field, hint) = hint.split_once("` of ring ").expect(text);
    let (ring, value) = hint.split_once(" to ").expect(text);
    let (ring, value): (usize, u64) = (ring.parse().unwrap(), value.parse().expect(text));
    match field {
        "ring_heap" => config.ring_heap.0[ring] = value,
        "ring_task_window" => config.ring_task_window.0[ring] = value as u32,
        "ring_dep_pool" => config.ring_dep_pool.0[ring] = value as u32,
        _ => panic!("{text}"),
    }
}

#[test]
fn code_1_a_scope_with_as_many_tasks_as_its_window() {
    let small = RunConfig {
        ring_task_window: 8.into(),
        ..config()
    };
    let body: Body<'_> = &|root| {
        at_depth(root, 1, &|scope| {
            nothing(scope, OLDEST)?;
            (0..7).try_for_each(|_| nothing(scope, CALL))
        })
    };
    let error = fails(&small, 1, "SCOPE_DEADLOCK", body);
    says(
        &error,
        &[
            "the scope opened at model.rs:10 already holds 7 tasks",
            "task window of ring 1",
            "at model.rs:12, scope opened at model.rs:10",
            "requested 1, used 7, capacity 8 slots (one is kept free)",
            "oldest in use: 0 bytes by task `nothing` at model.rs:11",
            "split the scope: open one around parts of the loop, or set `RunConfig::ring_task_window`",
        ],
    );
    assert_eq!(follow(small, body).ring_task_window.0, [8, 16, 8, 8]);
}

#[test]
fn code_1_in_the_root_scope_does_not_name_a_place_that_nobody_wrote() {
    let small = RunConfig {
        ring_task_window: 8.into(),
        ..config()
    };
    let body: Body<'_> = &|root| (0..8).try_for_each(|_| nothing(root, CALL));
    let error = fails(&small, 1, "SCOPE_DEADLOCK", body);
    says(
        &error,
        &["the root scope, open around the whole run, already holds 7 tasks"],
    );
    follow(small, body);
}

#[test]
fn code_2_live_blocks_fill_a_heap() {
    let small = RunConfig {
        ring_heap: 4096.into(),
        ..config()
    };
    let body: Body<'_> = &|root| {
        at_depth(root, 2, &|scope| {
            bytes(scope, OLDEST, 3000)?;
            nothing(scope, CALL)?;
            bytes(scope, CALL, 1025)
        })
    };
    let error = fails(&small, 2, "HEAP_RING_DEADLOCK", body);
    says(
        &error,
        &[
            "a block of 2048 bytes does not fit now into the heap of ring 2",
            "at model.rs:12, scope opened at model.rs:10",
            "requested 2048, used 3072, capacity 4096 bytes",
            "oldest in use: 3072 bytes by `alloc_tensors` at model.rs:11",
            "scope the intermediates",
            "shrink them",
            "set `RunConfig::ring_heap` of ring 2 to 8192",
        ],
    );
    follow(small, body);
}

#[test]
fn code_2_a_block_larger_than_the_heap_has_its_own_text() {
    let small = RunConfig {
        ring_heap: 4096.into(),
        ..config()
    };
    let body: Body<'_> = &|root| at_depth(root, 1, &|scope| bytes(scope, CALL, 5000));
    let error = fails(&small, 2, "HEAP_RING_DEADLOCK", body);
    says(
        &error,
        &[
            "a block of 5120 bytes can never fit into the heap of ring 1",
            "at model.rs:12, scope opened at model.rs:10",
            "requested 5120, used 0, capacity 4096 bytes",
            "shrink the tensors, or set `RunConfig::ring_heap` of ring 1 to 5120",
        ],
    );
    let text = error.to_string();
    assert!(
        !text.contains("now") && !text.contains("scope the intermediates"),
        "{text}"
    );
    follow(small, body);
}

#[test]
fn code_3_an_ancestor_on_the_same_ring_holds_the_window() {
    let small = RunConfig {
        ring_task_window: 4.into(),
        ..config()
    };
    let body: Body<'_> = &|root| {
        at_depth(root, 3, &|outer| {
            nothing(outer, OLDEST)?;
            (0..2).try_for_each(|_| nothing(outer, CALL))?;
            at_depth(outer, 1, &|scope| nothing(scope, CALL))
        })
    };
    let error = fails(&small, 3, "FLOW_CONTROL_DEADLOCK", body);
    says(
        &error,
        &[
            "no task slot of ring 3 can become free",
            "at model.rs:12, scope opened at model.rs:10",
            "requested 1, used 3, capacity 4 slots (one is kept free)",
            "oldest in use: 0 bytes by task `nothing` at model.rs:11",
            "move the nested submission to another ring",
            "set `RunConfig::ring_task_window` of ring 3 to 8",
        ],
    );
    follow(small, body);
}

#[test]
fn code_4_a_task_waits_for_more_others_than_the_dep_pool_has_entries() {
    let small = RunConfig {
        ring_dep_pool: 4.into(),
        ..config()
    };
    let body: Body<'_> = &|root| {
        at_depth(root, 1, &|scope| {
            let mut tasks = vec![submit(scope, OLDEST, &NOTHING, &[], 0, &[])?.task_id()];
            for _ in 0..6 {
                tasks.push(submit(scope, CALL, &NOTHING, &[], 0, &[])?.task_id());
            }
            submit(scope, CALL, &NOTHING, &[], 0, &tasks).map(|_| ())
        })
    };
    let error = fails(&small, 4, "DEP_POOL_OVERFLOW", body);
    says(
        &error,
        &[
            "a task that waits for 7 others can never fit into the dep pool of ring 1",
            "at model.rs:12, scope opened at model.rs:10",
            "requested 7, used 0, capacity 4 entries",
            "oldest in use: 0 bytes by task `nothing` at model.rs:11",
            "cut the fan-in",
            "set `RunConfig::ring_dep_pool` of ring 1 to 7",
        ],
    );
    assert_eq!(follow(small, body).ring_dep_pool.0, [4, 7, 4, 4]);
}

#[test]
fn code_4_does_not_count_tasks_of_scopes_that_have_closed() {
    for executor in EXECUTORS {
        for reclaim in [ReclaimPolicy::Lazy, ReclaimPolicy::Eager] {
            let small = RunConfig {
                ring_dep_pool: 4.into(),
                executor,
                reclaim,
                ..config()
            };
            let rows = |in_scopes: usize, x: &mut Array2<u32>| {
                let args = [EntryArg::inout(x).unwrap()];
                let rt = Runtime::new(small.clone()).unwrap();
                rt.run(&ENTRY, args, |root, [x]| {
                    let scope = root.enter(ScopeMode::Auto, SCOPE)?;
                    for i in 0..8 {
                        let row = [SliceItem::Range(i, i + 1), SliceItem::Full];
                        let args = [TaskArg::OutputExisting(x.slice(&row, CALL)?)];
                        let inner = (i < in_scopes)
                            .then(|| scope.enter(ScopeMode::Auto, SCOPE))
                            .transpose()?;
                        let of = inner.as_ref().unwrap_or(&scope);
                        submit(of, CALL, &FILL, &args, 1, &[])?;
                    }
                    submit(
                        &scope,
                        CALL,
                        &UPDATE,
                        &[TaskArg::Input(x), TaskArg::InOut(x)],
                        1,
                        &[],
                    )
                    .map(|_| ())
                })
            };
            let mut x = Array2::<u32>::zeros((8, 4));
            rows(4, &mut x).unwrap();
            assert_eq!(x, Array2::from_elem((8, 4), 7));
            let error = rows(3, &mut x).unwrap_err();
            says(
                &error,
                &["orch_error_code=4", "waits for 5 others", "ring 1"],
            );
        }
    }
}

#[test]
fn code_11_open_scopes_hold_every_entry_of_the_tensormap() {
    const FULL: usize = 65536 / 32;
    let mut x = Array2::<u32>::zeros((4, 4));
    let rt = Runtime::new(config()).unwrap();
    let mut stream = |scopes: usize, in_each: usize| {
        let args = [EntryArg::inout(&mut x).unwrap()];
        rt.run(&ENTRY, args, |root, [x]| {
            let args = [TaskArg::OutputExisting(x); 32];
            for _ in 0..scopes {
                let scope = root.enter(ScopeMode::Auto, SCOPE)?;
                submit(&scope, OLDEST, &NOTHING, &args, 0, &[])?;
                for _ in 1..in_each {
                    submit(&scope, CALL, &NOTHING, &args, 0, &[])?;
                }
            }
            Ok(())
        })
    };
    stream(1, FULL).unwrap();
    // Tasks of scopes that have closed make room.
    stream(5, FULL / 2).unwrap();
    let error = stream(1, FULL + 1).unwrap_err();
    assert_eq!((error.code(), error.host_code()), (Some(11), Some(507_018)));
    says(
        &error,
        &[
            "orch_error_code=11 TENSORMAP_OVERFLOW: a task that writes 32 tensors does not fit now",
            "at model.rs:12, scope opened at model.rs:10",
            "requested 32, used 65536, capacity 65536 entries",
            "oldest in use: 0 bytes by task `nothing` at model.rs:11",
            "help: close the scopes of tasks that are done before this call",
        ],
    );
    stream(1, FULL).unwrap();
}

#[test]
fn code_11_names_the_oldest_task_that_holds_entries_on_whatever_ring() {
    let mut x = Array2::<u32>::zeros((4, 4));
    let args = [EntryArg::inout(&mut x).unwrap()];
    let rt = Runtime::new(config()).unwrap();
    let error = rt.run(&ENTRY, args, |root, [x]| {
        nothing(root, CALL)?;
        let args = [TaskArg::OutputExisting(x); 32];
        submit(root, OLDEST, &NOTHING, &args, 0, &[])?;
        let scope = root.enter(ScopeMode::Auto, SCOPE)?;
        nothing(&scope, CALL)?;
        (0..65536 / 32).try_for_each(|_| submit(&scope, CALL, &NOTHING, &args, 0, &[]).map(|_| ()))
    });
    let oldest = "oldest in use: 0 bytes by task `nothing` at model.rs:11";
    says(&error.unwrap_err(), &["orch_error_code=11", oldest]);
}

fn five<'s>(scope: &'s Scope<'_>) -> Outcome<Vec<TaskId<'s>>> {
    let task = |_| Ok(submit(scope, OLDEST, &NOTHING, &[], 0, &[])?.task_id());
    (0..5).map(task).collect()
}

#[test]
fn of_several_shortages_the_first_of_1_3_2_4_is_reported() {
    let small = |window: u32| RunConfig {
        ring_heap: 1024.into(),
        ring_task_window: window.into(),
        ring_dep_pool: 4.into(),
        ..config()
    };
    let full = |scope: &Scope<'_>| (0..3).try_for_each(|_| nothing(scope, OLDEST));
    // A task that is too large, and waits for too many.
    let greedy = |scope: &Scope<'_>, deps: &[TaskId<'_>]| {
        let large = [TaskArg::Output(TensorCreateInfo::new(DType::U8, &[5000]))];
        submit(scope, CALL, &NOTHING, &large, 0, deps).map(|_| ())
    };
    fails(&small(4), 1, "SCOPE_DEADLOCK", &|root| {
        full(root)?;
        greedy(root, &[])
    });
    fails(&small(4), 3, "FLOW_CONTROL_DEADLOCK", &|root| {
        at_depth(root, 3, &|outer| {
            full(outer)?;
            at_depth(outer, 1, &|scope| greedy(scope, &[]))
        })
    });
    fails(&small(64), 2, "HEAP_RING_DEADLOCK", &|root| {
        greedy(root, &five(root)?)
    });
    fails(&small(64), 4, "DEP_POOL_OVERFLOW", &|root| {
        let x = root.alloc_tensors(OLDEST, &[info(1, 1)])?.get_ref(0);
        let scope = root.enter(ScopeMode::Manual, SCOPE)?;
        submit_fill(&scope, OLDEST, x, 0)?;
        let undeclared = [TaskArg::Input(x)];
        submit(&scope, CALL, &NOTHING, &undeclared, 0, &five(&scope)?).map(|_| ())
    });
}

#[test]
fn code_207001_heaps_larger_than_any_memory() {
    let mut huge = RunConfig {
        ring_heap: [0, 0, 1 << 50, 0].into(),
        ..config()
    };
    let error = Runtime::new(huge.clone()).unwrap_err();
    assert_eq!(
        (error.code(), error.host_code()),
        (Some(207_001), Some(207_001))
    );
    let total = (1_u64 << 50) + 3 * (256 << 20);
    says(
        &error,
        &[
            "orch_error_code=207001 RESERVE_FAILED",
            &format!("{total} bytes together, ring 2 the most"),
            "help: set `RunConfig::ring_heap` to ",
        ],
    );
    let text = error.to_string();
    let value = text.rsplit_once("`RunConfig::ring_heap` to ").unwrap().1;
    let value: u64 = value.split(',').next().unwrap().parse().unwrap();
    huge.ring_heap = value.into();
    huge.validate().unwrap();
    let rt = Runtime::new(huge).unwrap();
    run(&rt, |root| bytes(root, CALL, 1)).unwrap();
}
