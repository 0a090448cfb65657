//! What users of ring heaps run into (A1–A9): bytes that live longer than needed. The numbers are
//! those of `docs/pain-points.md`.

use crate::common::{
    AFFINE, ENTRY, EXECUTORS, FILL, NOTHING, Outcome, UPDATE, alloc, random, run, runtime, says,
    serial, submit, submit_fill, threads,
};
use ndarray::Array2;
use pl_runtime::{
    DType, EntryArg, OperationError, RunReport, Scope, ScopeMode, Scratch, SliceItem, TaskArg,
    TaskArgs, TaskSpec, TensorCreateInfo,
};
use std::time::Duration;

/// Bytes of a tensor of `f32`.
const fn f32s(rows: u64, columns: u64) -> u64 {
    rows * columns * 4
}

/// A kernel that takes long enough for the orchestration to run into it.
#[allow(clippy::unnecessary_wraps, reason = "a kernel")]
fn slow(_: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
    std::thread::sleep(Duration::from_millis(5));
    Ok(())
}

fn submit_slow(scope: &Scope<'_>, args: &[TaskArg<'_>]) -> Outcome {
    let task = TaskSpec::new(&NOTHING, slow, args, &[]);
    scope.submit(site!(), task).map(|_| ())
}

/// Opens `depth` scopes around `body`, each repeated `times` times.
fn nested(
    scope: &Scope<'_>,
    depth: usize,
    times: usize,
    body: &dyn Fn(&Scope<'_>) -> Outcome,
) -> Outcome {
    if depth == 0 {
        return body(scope);
    }
    (0..times).try_for_each(|_| {
        nested(
            &scope.enter(ScopeMode::Auto, site!())?,
            depth - 1,
            times,
            body,
        )
    })
}

#[test]
fn a1_deep_loops_share_ring_3_and_recycle_it() {
    for executor in EXECUTORS {
        let rt = runtime(f32s(64, 64), 64, executor);
        let report = run(&rt, |root| {
            nested(root, 5, 2, &|scope| {
                alloc(scope, site!(), 64, 64).map(|_| ())
            })
        })
        .unwrap();
        assert_eq!(report.heap_demand, [0, 0, 0, f32s(64, 64)]);
        assert_eq!(report.alloc_tasks, [0, 0, 0, 32]);
    }
}

/// `layers` layers, each with a hidden tensor of `tokens` rows, in a scope of its own or not.
fn layers(scope: &Scope<'_>, layers: usize, tokens: usize, scoped: bool) -> Outcome {
    (0..layers).try_for_each(|_| {
        let inner = scoped
            .then(|| scope.enter(ScopeMode::Auto, site!()))
            .transpose()?;
        let hidden = alloc(inner.as_ref().unwrap_or(scope), site!(), tokens, 512)?;
        let args = [TaskArg::OutputExisting(hidden)];
        submit(
            inner.as_ref().unwrap_or(scope),
            site!(),
            &FILL,
            &args,
            1,
            &[],
        )
        .map(|_| ())
    })
}

#[test]
fn a2_layers_without_a_scope_work_for_short_prompts_only_and_the_error_says_what_to_do() {
    for executor in EXECUTORS {
        let rt = runtime(4 << 20, 64, executor);
        let prompt = |tokens, scoped| {
            run(&rt, |root| {
                let scope = root.enter(ScopeMode::Auto, site!())?;
                layers(&scope, 8, tokens, scoped)
            })
        };
        assert_eq!(
            prompt(128, false).unwrap().heap_demand[1],
            8 * f32s(128, 512)
        );
        let error = prompt(512, false).unwrap_err();
        assert_eq!(error.code(), Some(2));
        says(
            &error,
            &["ring 1", "scope the intermediates", "oldest in use"],
        );
        let report = prompt(512, true).unwrap();
        assert_eq!(report.heap_demand, [0, 0, f32s(512, 512), 0]);
    }
}

#[test]
fn a3_a_scope_that_vanishes_shows_in_the_report_although_results_do_not_change() {
    let topology = |scoped| -> RunReport {
        let rt = runtime(1 << 20, 64, serial());
        run(&rt, |root| {
            let scope = root.enter(ScopeMode::Auto, site!())?;
            layers(&scope, 4, 16, scoped)
        })
        .unwrap()
    };
    let (with, without) = (topology(true), topology(false));
    assert_eq!((with.scopes, without.scopes), (6, 2));
    assert_eq!(with.kernel_tasks, [0, 0, 4, 0]);
    assert_eq!(without.kernel_tasks, [0, 4, 0, 0]);
    assert_eq!(with.heap_demand, [0, 0, f32s(16, 512), 0]);
    assert_eq!(without.heap_demand, [0, 4 * f32s(16, 512), 0, 0]);
}

#[test]
fn a4_a_scope_for_each_stage_fits_where_one_for_all_does_not() {
    for executor in EXECUTORS {
        let rt = runtime(300 << 10, 64, executor);
        let stage = |scope: &Scope<'_>| alloc(scope, site!(), 256, 256).map(|_| ());
        let error = run(&rt, |root| {
            let scope = root.enter(ScopeMode::Auto, site!())?;
            (0..3).try_for_each(|_| stage(&scope))
        })
        .unwrap_err();
        assert_eq!(error.code(), Some(2));
        let report = run(&rt, |root| {
            (0..3).try_for_each(|_| stage(&root.enter(ScopeMode::Auto, site!())?))
        })
        .unwrap();
        assert_eq!(report.heap_demand[1], f32s(256, 256));
    }
}

#[test]
fn a5_tiles_queue_behind_a_payload_on_their_ring_and_not_behind_one_on_another() {
    const TILES: u64 = 16;
    let demand = |payload_depth: usize, payload_rows: usize| {
        let rt = runtime(4 << 20, 64, serial());
        run(&rt, |root| {
            nested(root, payload_depth, 1, &|outer| {
                alloc(outer, site!(), payload_rows, 256)?;
                nested(outer, 4 - payload_depth, 1, &|scope| {
                    (0..TILES).try_for_each(|_| {
                        alloc(scope, site!(), 16, 16)?;
                        Ok(())
                    })
                })
            })
        })
        .unwrap()
        .heap_demand
    };
    // Depths 3 and 4 are both ring 3.
    assert_eq!(demand(3, 1024), [0, 0, 0, f32s(1024, 256) + TILES * 1024]);
    assert_eq!(demand(3, 256), [0, 0, 0, f32s(256, 256) + TILES * 1024]);
    assert_eq!(demand(2, 1024), [0, 0, f32s(1024, 256), TILES * 1024]);
    // A scope for each tile frees nothing either, while the payload is in front of it.
    let rt = runtime(4 << 20, 64, serial());
    let report = run(&rt, |root| {
        nested(root, 3, 1, &|outer| {
            alloc(outer, site!(), 1024, 256)?;
            (0..TILES).try_for_each(|_| {
                alloc(&outer.enter(ScopeMode::Auto, site!())?, site!(), 16, 16).map(|_| ())
            })
        })
    });
    assert_eq!(
        report.unwrap().heap_demand[3],
        f32s(1024, 256) + TILES * 1024
    );
}

#[test]
fn a6_an_empty_ring_takes_a_block_larger_than_what_is_left_behind_its_position() {
    for executor in EXECUTORS {
        let rt = runtime(40 << 10, 64, executor);
        run(&rt, |root| {
            (0..20).try_for_each(|_| {
                alloc(&root.enter(ScopeMode::Auto, site!())?, site!(), 96, 64).map(|_| ())
            })
        })
        .unwrap();
    }
}

#[test]
fn a7_bytes_behind_a_slow_task_without_bytes_come_back_when_it_has_ended() {
    for executor in EXECUTORS {
        let rt = runtime(4096, 64, executor);
        run(&rt, |root| {
            for _ in 0..3 {
                submit_slow(&root.enter(ScopeMode::Auto, site!())?, &[])?;
                for _ in 0..10 {
                    let scope = root.enter(ScopeMode::Auto, site!())?;
                    let x = alloc(&scope, site!(), 32, 16)?;
                    submit_fill(&scope, site!(), x, 1)?;
                }
            }
            Ok(())
        })
        .unwrap();
    }
}

/// The direct form does not compile (`Scope`'s documentation); what is left is a reader of what an
/// inner scope's task wrote into a tensor from outside, after that task has been retired.
#[test]
fn a8_a_reader_outside_the_scope_of_a_retired_producer_is_not_counted_against_it() {
    for executor in EXECUTORS {
        let rt = runtime(8192, 4, executor);
        let mut x = Array2::<u32>::zeros((4, 4));
        rt.run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
            for i in 0..200 {
                let outer = root.enter(ScopeMode::Auto, site!())?;
                {
                    let inner = outer.enter(ScopeMode::Auto, site!())?;
                    let t = alloc(&inner, site!(), 4, 4)?;
                    let (read, write) = (TaskArg::Input(x), TaskArg::OutputExisting(t));
                    submit(&inner, site!(), &AFFINE, &[read, write], i, &[])?;
                    let args = [TaskArg::Input(t), TaskArg::InOut(x)];
                    submit(&inner, site!(), &UPDATE, &args, 0, &[])?;
                }
                let t = alloc(&outer, site!(), 4, 4)?;
                let args = [TaskArg::Input(x), TaskArg::OutputExisting(t)];
                submit(&outer, site!(), &AFFINE, &args, 0, &[])?;
            }
            Ok(())
        })
        .unwrap();
        let expected = (0..200_u32).fold(0_u32, |x, i| {
            x.wrapping_mul(5)
                .wrapping_add(x.wrapping_mul(3).wrapping_add(i))
        });
        assert_eq!(x[[3, 3]], expected);
    }
}

#[test]
fn a9_a_slow_consumer_and_a_full_ring_are_no_deadlock() {
    for executor in [serial(), random(3), threads(1), threads(2)] {
        let rt = runtime(4096, 64, executor);
        let info = TensorCreateInfo::new(DType::U32, &[32, 16]);
        let mut corner = Array2::<u32>::zeros((1, 1));
        let args = [EntryArg::inout(&mut corner).unwrap()];
        let report = rt.run(&ENTRY, args, |root, [corner]| {
            for i in 0..10 {
                let scope = root.enter(ScopeMode::Auto, site!())?;
                let x = scope.alloc_tensors(site!(), &[info])?.get_ref(0);
                submit_fill(&scope, site!(), x, i)?;
                submit_slow(&scope, &[TaskArg::Input(x)])?;
                let cell = [SliceItem::Range(31, 32), SliceItem::Range(15, 16)];
                let args = [
                    TaskArg::Input(x.slice(&cell, site!())?),
                    TaskArg::InOut(corner),
                ];
                submit(&scope, site!(), &UPDATE, &args, 0, &[])?;
            }
            Ok(())
        });
        assert_eq!(report.unwrap().heap_demand[1], 2048);
        let expected = (0..10_u32).fold(0_u32, |x, i| x.wrapping_mul(5).wrapping_add(i));
        assert_eq!(corner[[0, 0]], expected);
    }
}
