//! The test vectors of the device runtime's specification (§17), through the API. Those of the heap
//! allocator alone stand beside it, in `src/ring/heap.rs`.
//!
//! Two rows end differently here, because nothing goes by a clock and no pool waits for more tasks
//! than a call needs: a healthy consumer that takes 0.6 s is waited for, and a dep pool is full only
//! for a task that waits for more others than it has entries.

use crate::common::{
    ENTRY, EXECUTORS, NOTHING, Outcome, nothings, run, runtime, serial, submit, threads,
};
use ndarray::Array2;
use pl_runtime::{
    DType, Dependencies, Edge, EdgeSource, EntryArg, OperationError, RunConfig, Runtime, Scope,
    ScopeMode, Scratch, SliceItem, TaskArg, TaskArgs, TaskSpec, Tensor, TensorCreateInfo,
};
use std::time::Duration;

fn block(scope: &Scope<'_>, bytes: usize) -> Outcome {
    scope
        .alloc_tensors(site!(), &[TensorCreateInfo::new(DType::U8, &[bytes])])
        .map(|_| ())
}

#[test]
fn outputs_start_at_multiples_of_1024_and_an_empty_one_where_the_next_one_does() {
    let rt = runtime(2048, 4, serial());
    let layout = [
        TensorCreateInfo::new(DType::F32, &[3, 5]),
        TensorCreateInfo::new(DType::I8, &[0]),
        TensorCreateInfo::new(DType::I8, &[1024]),
    ];
    for by_submit in [false, true] {
        let report = run(&rt, |root| {
            let outputs = if by_submit {
                submit(
                    root,
                    site!(),
                    &NOTHING,
                    &layout.map(TaskArg::Output),
                    0,
                    &[],
                )?
            } else {
                root.alloc_tensors(site!(), &layout)?
            };
            let offsets = [0, 1, 2].map(|i| root.heap_offset(outputs.get_ref(i)).unwrap());
            assert_eq!(offsets, [(0, 0), (0, 1024), (0, 1024)]);
            assert_eq!(outputs.get_ref(0).view().bytes(), 60);
            Ok(())
        });
        assert_eq!(report.unwrap().heap_demand, [2048, 0, 0, 0]);
    }
}

#[test]
fn a_window_of_four_takes_three_tasks_of_one_scope_or_any_number_of_threes() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 4, executor);
        let threes = |count, in_each| {
            run(&rt, |root| {
                (0..count)
                    .try_for_each(|_| nothings(&root.enter(ScopeMode::Auto, site!())?, in_each))
            })
        };
        threes(1, 3).unwrap();
        assert_eq!(threes(1, 4).unwrap_err().code(), Some(1));
        threes(2, 3).unwrap();
    }
}

#[test]
fn ring_3_blocks_a_scope_behind_its_ancestor_with_code_3() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 4, executor);
        let nested = |behind: usize| {
            run(&rt, |root| {
                let one = root.enter(ScopeMode::Auto, site!())?;
                let two = one.enter(ScopeMode::Auto, site!())?;
                let three = two.enter(ScopeMode::Auto, site!())?;
                nothings(&three, 3 - behind)?;
                nothings(&three.enter(ScopeMode::Auto, site!())?, 1)
            })
        };
        assert_eq!(nested(0).unwrap_err().code(), Some(3));
        nested(1).unwrap();
    }
}

#[test]
fn three_live_blocks_of_half_a_heap_are_code_2() {
    for executor in EXECUTORS {
        let rt = runtime(4096, 64, executor);
        let error = run(&rt, |root| {
            let scope = root.enter(ScopeMode::Auto, site!())?;
            (0..3).try_for_each(|_| block(&scope, 2048))
        });
        assert_eq!(error.unwrap_err().code(), Some(2));
    }
}

#[allow(clippy::unnecessary_wraps, reason = "a kernel")]
fn slow(_: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
    std::thread::sleep(Duration::from_millis(600));
    Ok(())
}

#[test]
fn blocks_whose_consumer_takes_longer_than_the_devices_clock_are_waited_for() {
    for executor in [serial(), threads(2)] {
        let rt = runtime(4096, 64, executor);
        run(&rt, |root| {
            {
                let scope = root.enter(ScopeMode::Auto, site!())?;
                let infos = [TensorCreateInfo::new(DType::U8, &[2048]); 2];
                let blocks = scope.alloc_tensors(site!(), &infos)?;
                let args = [0, 1].map(|i| TaskArg::Input(blocks.get_ref(i)));
                scope.submit(site!(), TaskSpec::new(&NOTHING, slow, &args, &[]))?;
            }
            block(&root.enter(ScopeMode::Auto, site!())?, 2048)
        })
        .unwrap();
    }
}

/// Submits a task that waits for the first `count` of these, all written by others.
fn gather(scope: &Scope<'_>, from: &[Tensor<'_>], count: usize) -> Outcome {
    let args: Vec<_> = from[..count].iter().map(|t| TaskArg::Input(*t)).collect();
    submit(scope, site!(), &NOTHING, &args, 0, &[]).map(|_| ())
}

#[test]
fn a_dep_pool_of_four_is_full_for_a_task_that_waits_for_five_others() {
    for executor in EXECUTORS {
        let config = RunConfig {
            ring_dep_pool: 4.into(),
            executor,
            ..RunConfig::default()
        };
        let rt = Runtime::new(config).unwrap();
        let fanins = |counts: &'static [usize]| {
            run(&rt, |root| {
                let scope = root.enter(ScopeMode::Auto, site!())?;
                let byte = [TaskArg::Output(TensorCreateInfo::new(DType::U8, &[1]))];
                let tensors = (0..5)
                    .map(|_| Ok(submit(&scope, site!(), &NOTHING, &byte, 0, &[])?.get_ref(0)))
                    .collect::<Outcome<Vec<_>>>()?;
                counts
                    .iter()
                    .try_for_each(|&count| gather(&scope, &tensors, count))
            })
        };
        // On the device the second task would wait until 64 tasks have retired.
        fanins(&[4, 2]).unwrap();
        fanins(&[4; 100]).unwrap();
        assert_eq!(fanins(&[4, 2, 5]).unwrap_err().code(), Some(4));
    }
}

/// What a program finds on an entry argument `[8, 64]`, as (from, to, argument, source).
fn edges(
    dependencies: Dependencies,
    body: impl for<'r> FnOnce(&'r Scope<'r>, Tensor<'r>) -> Outcome,
) -> Vec<(u64, u64, usize, EdgeSource)> {
    let config = RunConfig {
        executor: serial(),
        dependencies,
        enable_dep_gen: true,
        ..RunConfig::default()
    };
    let mut x = Array2::<f32>::zeros((8, 64));
    let args = [EntryArg::inout(&mut x).unwrap()];
    let report = Runtime::new(config)
        .unwrap()
        .run(&ENTRY, args, |root, [x]| body(root, x));
    let seen = |edge: &Edge| {
        let argument = edge.argument.expect("nothing is declared");
        (edge.from.1, edge.to.1, argument, edge.source)
    };
    report.unwrap().edges.iter().map(seen).collect()
}

fn task(scope: &Scope<'_>, arg: TaskArg<'_>) -> Outcome {
    submit(scope, site!(), &NOTHING, &[arg], 0, &[]).map(|_| ())
}

fn part(
    x: Tensor<'_>,
    rows: (usize, usize),
    columns: (usize, usize),
) -> Result<Tensor<'_>, OperationError> {
    let range = |(start, end)| SliceItem::Range(start, end);
    x.slice(&[range(rows), range(columns)], site!())
}

#[test]
fn row_blocks_of_an_external_tensor_overlap_as_the_device_says() {
    let overlap = |from, to| (from, to, 0, EdgeSource::ReadAfterWrite);
    let rewritten = |from, to| (from, to, 0, EdgeSource::WriteAfterWrite);
    for dependencies in [Dependencies::Device, Dependencies::Sound] {
        let found = edges(dependencies, |root, x| {
            let rows = |a, b| part(x, (a, b), (0, 64));
            task(root, TaskArg::InOut(rows(0, 4)?))?;
            task(root, TaskArg::Input(rows(4, 8)?))?;
            task(root, TaskArg::Input(x))?;
            task(root, TaskArg::Input(rows(2, 6)?))
        });
        assert_eq!(found, [overlap(0, 2), overlap(0, 3)], "{dependencies:?}");
    }
    // An INOUT of all of it stands for what it covers.
    let found = edges(Dependencies::Device, |root, x| {
        task(root, TaskArg::InOut(part(x, (0, 4), (0, 64))?))?;
        task(root, TaskArg::InOut(x))?;
        task(root, TaskArg::Input(x))
    });
    assert_eq!(found, [rewritten(0, 1), overlap(1, 2)]);
}

#[test]
fn column_blocks_of_a_padded_output_overlap_on_the_device_and_not_here() {
    let found = |dependencies, by_columns| {
        edges(dependencies, |root, _| {
            let info = [TensorCreateInfo::new(DType::F32, &[4, 100])];
            let x = root.alloc_tensors(site!(), &info)?.get_ref(0);
            for half in 0..2 {
                let view = if by_columns {
                    part(x, (0, 4), (50 * half, 50 * half + 50))?
                } else {
                    part(x, (2 * half, 2 * half + 2), (0, 100))?
                };
                task(root, TaskArg::InOut(view))?;
            }
            Ok(())
        })
        .into_iter()
        .filter(|edge| edge.3.is_conflict())
        .count()
    };
    assert_eq!(found(Dependencies::Device, false), 0);
    assert_eq!(found(Dependencies::Device, true), 1);
    assert_eq!(found(Dependencies::Sound, false), 0);
    assert_eq!(found(Dependencies::Sound, true), 0);
}

#[test]
fn a_write_after_a_read_is_ordered_by_complete_dependencies_only() {
    let found = |dependencies| {
        edges(dependencies, |root, x| {
            task(root, TaskArg::InOut(x))?;
            task(root, TaskArg::Input(x))?;
            task(root, TaskArg::OutputExisting(x))?;
            task(root, TaskArg::Input(x))
        })
        .into_iter()
        .map(|(from, to, ..)| (from, to))
        .collect::<Vec<_>>()
    };
    let mut device = found(Dependencies::Device);
    device.sort_unstable();
    assert_eq!(device, [(0, 1), (0, 3), (2, 3)]);
    let mut sound = found(Dependencies::Sound);
    sound.sort_unstable();
    assert_eq!(sound, [(0, 1), (0, 2), (1, 2), (2, 3)]);
}

/// One ring; sizes in KiB, `o` and `c` open and close a scope.
#[test]
fn a_larger_heap_can_fail_where_a_smaller_one_works() {
    fn calls(scope: &Scope<'_>, rest: &mut std::str::SplitWhitespace<'_>) -> Outcome {
        while let Some(call) = rest.next() {
            match call {
                "o" => calls(&scope.enter(ScopeMode::Auto, site!())?, rest)?,
                "c" => break,
                kib => block(scope, kib.parse::<usize>().unwrap() << 10)?,
            }
        }
        Ok(())
    }
    let outcome = |bytes| {
        let outcome = run(&runtime(bytes, 64, serial()), |root| {
            let one = root.enter(ScopeMode::Auto, site!())?;
            let two = one.enter(ScopeMode::Auto, site!())?;
            let three = two.enter(ScopeMode::Auto, site!())?;
            calls(&three, &mut "o o 1 5 c 6 4 c 4 5".split_whitespace())
        });
        outcome.map(|report| report.heap_demand)
    };
    for kib in 5..40 {
        let outcome = outcome(kib << 10);
        if kib < 10 || kib == 12 {
            let error = outcome.unwrap_err();
            assert_eq!(error.code(), Some(2), "{kib} KiB");
            crate::common::says(&error, &["ring 3"]);
        } else {
            outcome.unwrap_or_else(|error| panic!("{kib} KiB: {error}"));
        }
    }
    let error = outcome(12 << 10).unwrap_err();
    let pl_runtime::Error::HeapRingDeadlock(detail) = error else {
        panic!("{error}")
    };
    outcome(detail.suggestion).unwrap();
}
