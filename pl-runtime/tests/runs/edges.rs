//! The dependencies that a run reports.

use crate::common::{ENTRY, FILL, NOTHING, Outcome, alloc, nothings, serial, submit, submit_fill};
use ndarray::Array2;
use pl_runtime::{
    Dependencies, Edge, EdgeSource, EntryArg, ReclaimPolicy, RunConfig, Runtime, Scope, ScopeMode,
    TaskArg, Tensor, TensorCreateInfo,
};

fn edges(
    config: RunConfig,
    body: impl for<'r> FnOnce(&'r Scope<'r>, Tensor<'r>) -> Outcome,
) -> Vec<Edge> {
    let mut x = Array2::<u32>::zeros((4, 4));
    let args = [EntryArg::inout(&mut x).unwrap()];
    let config = RunConfig {
        executor: serial(),
        ..config
    };
    let report = Runtime::new(config)
        .unwrap()
        .run(&ENTRY, args, |root, [x]| body(root, x));
    report.unwrap().edges
}

fn enabled() -> RunConfig {
    RunConfig {
        enable_dep_gen: true,
        ..RunConfig::default()
    }
}

fn edge(from: (usize, u64), to: (usize, u64), argument: Option<usize>, source: EdgeSource) -> Edge {
    Edge {
        from,
        to,
        argument,
        source,
    }
}

#[test]
fn an_owner_that_is_waited_for_anyway_has_no_edge_of_its_own() {
    for dependencies in [Dependencies::Sound, Dependencies::Device] {
        let config = RunConfig {
            dependencies,
            ..enabled()
        };
        let found = edges(config, |root, _| {
            let info = TensorCreateInfo::new(pl_runtime::DType::U32, &[4, 4]);
            let outputs = root.alloc_tensors(site!(), &[info; 2])?;
            let (a, b) = (outputs.get_ref(0), outputs.get_ref(1));
            let both = [TaskArg::Input(a), TaskArg::InOut(b)];
            submit(root, site!(), &NOTHING, &both, 0, &[outputs.task_id()])?;
            submit(root, site!(), &NOTHING, &both, 0, &[]).map(|_| ())
        });
        let expected = [
            edge((0, 0), (0, 1), None, EdgeSource::Explicit),
            edge((0, 0), (0, 2), Some(0), EdgeSource::Creator),
            edge((0, 1), (0, 2), Some(1), EdgeSource::WriteAfterWrite),
        ];
        assert_eq!(found, expected, "{dependencies:?}");
    }
}

#[test]
fn retired_producers_have_edges_and_reading_an_element_loses_none() {
    for reclaim in [ReclaimPolicy::Lazy, ReclaimPolicy::Eager] {
        for reads in [false, true] {
            let config = RunConfig {
                reclaim,
                ..enabled()
            };
            let found = edges(config, |root, x| {
                {
                    let scope = root.enter(ScopeMode::Auto, site!())?;
                    let args = [TaskArg::OutputExisting(x)];
                    submit(&scope, site!(), &FILL, &args, 0, &[])?;
                }
                let scope = root.enter(ScopeMode::Auto, site!())?;
                nothings(&scope, 1)?;
                if reads {
                    scope.get::<u32>(site!(), x, &[0, 0])?;
                }
                submit(&scope, site!(), &NOTHING, &[TaskArg::Input(x)], 0, &[]).map(|_| ())
            });
            let expected = [edge((1, 0), (1, 2), Some(0), EdgeSource::ReadAfterWrite)];
            assert_eq!(found, expected, "{reclaim:?}, {reads}");
        }
    }
}

#[test]
fn a_retired_producer_is_not_taken_for_the_task_that_has_its_slot_now() {
    let config = RunConfig {
        ring_task_window: 4.into(),
        executor: serial(),
        ..enabled()
    };
    let mut x = Array2::<u32>::zeros((4, 4));
    let args = [EntryArg::inout(&mut x).unwrap()];
    let outcome = Runtime::new(config)
        .unwrap()
        .run(&ENTRY, args, |root, [x]| {
            {
                let scope = root.enter(ScopeMode::Auto, site!())?;
                submit_fill(&scope, site!(), x, 0)?;
            }
            nothings(&root.enter(ScopeMode::Auto, site!())?, 3)?;
            let y = alloc(root, site!(), 4, 4)?;
            let scope = root.enter(ScopeMode::Manual, site!())?;
            submit_fill(&scope, site!(), y, 0)?;
            // Waits for nobody, so it orders nothing in the scope.
            scope.get::<u32>(site!(), x, &[0, 0])?;
            submit(&scope, site!(), &NOTHING, &[TaskArg::Input(y)], 0, &[]).map(|_| ())
        });
    assert_eq!(outcome.unwrap_err().code(), Some(201));
}

#[test]
fn nothing_is_kept_unless_it_is_asked_for() {
    let found = edges(RunConfig::default(), |root, x| {
        (0..2).try_for_each(|_| {
            submit(root, site!(), &NOTHING, &[TaskArg::InOut(x)], 0, &[]).map(|_| ())
        })
    });
    assert_eq!(found, []);
}
