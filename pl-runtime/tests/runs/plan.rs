//! Plans of small programs.

use crate::common::{AFFINE, ENTRY, UPDATE, alloc, info, run, serial, submit, submit_fill};
use pl_runtime::plan::{Advice, Change, Plan, TopologyNode};
use pl_runtime::{
    EntryArg, Error, Executor, RINGS, RunConfig, Scope, ScopeMode, Site, TaskArg, shape,
};

type Outcome = Result<(), Error>;

const fn line(line: u32) -> Site {
    Site::new("program.rs", line)
}

fn plan(config: &RunConfig, body: impl for<'r> Fn(&'r Scope<'r>) -> Outcome) -> Plan {
    Plan::new(config, |runtime| run(runtime, &body)).unwrap()
}

/// Allocates, fills and reads a tensor of 4 KiB.
fn step(scope: &Scope<'_>, at: u32) -> Outcome {
    let x = alloc(scope, line(at), 32, 32)?;
    submit_fill(scope, line(at + 1), x, 1)?;
    submit(
        scope,
        line(at + 2),
        &AFFINE,
        &[TaskArg::Input(x), TaskArg::Output(info(4, 4))],
        1,
        &[],
    )?;
    Ok(())
}

#[test]
fn a_peak_names_the_call_its_scope_the_oldest_and_what_is_held() {
    let plan = plan(&RunConfig::default(), |root| {
        let scope = root.enter(ScopeMode::Auto, line(10))?;
        alloc(&scope, line(11), 32, 32)?;
        for _ in 0..3 {
            let inner = scope.enter(ScopeMode::Auto, line(20))?;
            step(&inner, 21)?;
        }
        alloc(&scope, line(30), 64, 32).map(drop)
    });
    let heap = &plan.rings[1].heap;
    assert_eq!(
        (heap.live, heap.minimum, heap.safe),
        (12 << 10, 12 << 10, 20 << 10)
    );
    let peak = heap.peak.as_ref().unwrap();
    assert_eq!((peak.site, peak.scope), (line(30), line(10)));
    assert_eq!(peak.oldest, Some((line(11), line(10))));
    let held: Vec<_> = peak
        .held
        .iter()
        .map(|h| (h.site, h.tasks, h.bytes))
        .collect();
    assert_eq!(held, [(line(30), 1, 8 << 10), (line(11), 1, 4 << 10)]);
    assert_eq!(plan.rings[2].heap.live, 5 << 10);
    assert_eq!(
        (plan.rings[2].kernel_tasks, plan.rings[2].alloc_tasks),
        (6, 3)
    );
    assert_eq!(plan.rings[0].heap.peak, None);
}

#[test]
fn a_plan_needs_shapes_and_no_elements_and_touches_no_array() {
    let mut y = ndarray::Array2::<u32>::from_elem((8, 8), 7);
    let plan = Plan::new(&RunConfig::default(), |runtime| {
        let args = [
            EntryArg::input::<u32, 2>(shape([8, 8]))?,
            EntryArg::output(&mut y)?,
        ];
        runtime.run(&ENTRY, args, |scope, [x, y]| {
            submit(
                scope,
                line(1),
                &AFFINE,
                &[TaskArg::Input(x), TaskArg::OutputExisting(y)],
                1,
                &[],
            )?;
            assert_eq!(
                scope.get::<u32>(line(2), x, &[0, 0]).unwrap_err().code(),
                Some(5)
            );
            Ok(())
        })
    });
    assert_eq!(
        plan.unwrap_err().code(),
        Some(5),
        "an element of a shape is not known"
    );
    assert_eq!(y[[0, 0]], 7);
}

#[test]
fn rings_that_cannot_be_reserved_are_the_predicted_failure() {
    let config = RunConfig {
        ring_heap: [0, 1 << 50, 0, 0].into(),
        ..RunConfig::default()
    };
    let plan = plan(&config, |root| step(root, 1));
    assert_eq!(plan.failure.as_ref().and_then(Error::code), Some(207_001));
    assert!(plan.reserved > 1 << 50);
    assert_eq!(plan.report, None);
    pl_runtime::Runtime::new(config.fit(&plan)).unwrap();
}

#[test]
fn more_tasks_than_any_window_that_is_tried_first_are_planned() {
    const N: usize = 100_000;
    let plan = plan(&RunConfig::default(), |root| {
        crate::common::nothings(root, N)
    });
    assert_eq!(plan.tasks(), N as u64);
    assert_eq!(plan.rings[0].window.minimum, 1 << 17);
    assert_eq!(plan.failure.as_ref().and_then(Error::code), Some(1));
}

#[test]
fn a_program_that_is_wrong_in_any_rings_has_no_plan() {
    let wrong = Plan::new(&RunConfig::default(), |runtime| {
        run(runtime, |root| {
            let manual = root.enter(ScopeMode::Manual, line(1))?;
            manual.enter(ScopeMode::Auto, line(2)).map(drop)
        })
    });
    assert_eq!(wrong.unwrap_err().code(), Some(5));
    let config = RunConfig {
        ring_task_window: 12.into(),
        ..RunConfig::default()
    };
    let refused = Plan::new(&config, |runtime| run(runtime, |_| Ok(())));
    assert!(matches!(refused, Err(Error::Config(_))));
}

#[test]
fn a_plan_sees_the_clusters_of_the_run_that_it_is_for() {
    for (executor, clusters, seen) in [
        (serial(), 0, 8),
        (serial(), 5, 5),
        (Executor::Timing, 0, 24),
        (Executor::Timing, 5, 5),
    ] {
        let config = RunConfig {
            executor,
            clusters,
            ..RunConfig::default()
        };
        plan(&config, move |root| {
            assert_eq!(root.available_clusters(), seen);
            Ok(())
        });
    }
}

#[test]
fn several_runs_are_planned_for_the_one_that_needs_most() {
    let plan = Plan::new(&RunConfig::default(), |runtime| {
        for kib in [4, 16, 8] {
            run(runtime, |root| {
                alloc(root, line(kib as u32), kib, 256).map(drop)
            })?;
        }
        Ok(())
    })
    .unwrap();
    let heap = &plan.rings[0].heap;
    assert_eq!((heap.live, heap.minimum), (16 << 10, 16 << 10));
    assert_eq!(heap.peak.as_ref().unwrap().site, line(16));
}

#[test]
fn unused_rings_are_fitted_with_the_smallest_sizes() {
    let plan = plan(&RunConfig::default(), |root| step(root, 1));
    let config = RunConfig::default().fit_exact(&plan);
    assert_eq!(config.ring_heap.0, [5 << 10, 1024, 1024, 1024]);
    assert_eq!(config.ring_task_window.0, [4; RINGS]);
    assert_eq!(config.ring_dep_pool.0, [4; RINGS]);
}

fn changes(advice: &[Advice]) -> Vec<(usize, Change, [u64; RINGS])> {
    advice
        .iter()
        .map(|a| (a.ring, a.change, a.live[1]))
        .collect()
}

#[test]
fn a_loop_without_a_scope_is_advised_to_open_one() {
    let plan = plan(&RunConfig::default(), |root| {
        (0..10).try_for_each(|_| step(root, 1))
    });
    assert_eq!(plan.rings[0].heap.live, 50 << 10);
    let advice = plan.advice();
    let change = Change::Scope {
        first: line(1),
        last: line(3),
        inside: Site::ROOT,
    };
    assert_eq!(changes(&advice)[0], (0, change, [0, 5 << 10, 0, 0]));
    assert_eq!(advice[0].times, 10);
    let text = plan.to_string();
    assert!(
        text.contains("open a scope before program.rs:1 and close it behind program.rs:3"),
        "{text}"
    );
    assert!(
        text.contains(
            "ring 0: 0 bytes live instead of 51200; ring 1: 5120 bytes live instead of 0"
        ),
        "{text}"
    );
    // What was advised is what it gives.
    let changed = self::plan(&RunConfig::default(), |root| {
        (0..10).try_for_each(|_| step(&root.enter(ScopeMode::Auto, line(1))?, 1))
    });
    let live: Vec<u64> = changed.rings.iter().map(|ring| ring.heap.live).collect();
    assert_eq!(live, advice[0].live[1]);
}

#[test]
fn a_tensor_that_is_used_in_the_next_iteration_is_not_advised_to_be_scoped() {
    let plan = plan(&RunConfig::default(), |root| {
        let mut last = alloc(root, line(1), 32, 32)?;
        for _ in 0..4 {
            let next = alloc(root, line(2), 32, 32)?;
            submit(
                root,
                line(3),
                &UPDATE,
                &[TaskArg::Input(last), TaskArg::InOut(next)],
                1,
                &[],
            )?;
            last = next;
        }
        Ok(())
    });
    assert_eq!(plan.rings[0].heap.live, 20 << 10);
    assert_eq!(changes(&plan.advice()), []);
}

#[test]
fn a_tensor_that_each_iteration_makes_beside_one_that_stays_is_advised_to_be_made_once() {
    let plan = plan(&RunConfig::default(), |root| {
        let mut kept = Vec::new();
        for _ in 0..4 {
            let passing = alloc(root, line(2), 32, 32)?;
            let staying = alloc(root, line(3), 4, 4)?;
            submit(
                root,
                line(4),
                &AFFINE,
                &[TaskArg::Input(passing), TaskArg::OutputExisting(staying)],
                1,
                &[],
            )?;
            kept.push(staying);
        }
        for kept in kept {
            let args = [TaskArg::Input(kept), TaskArg::Output(info(4, 4))];
            submit(root, line(5), &AFFINE, &args, 1, &[])?;
        }
        Ok(())
    });
    let advice = plan.advice();
    let change = Change::Hoist {
        site: line(2),
        inside: Site::ROOT,
    };
    assert!(
        changes(&advice).contains(&(0, change, [12 << 10, 0, 0, 0])),
        "{advice:?}"
    );
}

#[test]
fn a_manual_scope_is_not_advised_to_hold_another_one() {
    let plan = plan(&RunConfig::default(), |root| {
        let manual = root.enter(ScopeMode::Manual, line(9))?;
        for _ in 0..3 {
            alloc(&manual, line(1), 32, 32)?;
        }
        Ok(())
    });
    let scopes = plan.advice();
    assert!(
        scopes
            .iter()
            .all(|a| matches!(a.change, Change::Hoist { .. })),
        "{scopes:?}"
    );
}

#[test]
fn the_json_has_the_figures_of_the_plan() {
    let config = RunConfig {
        ring_heap: 4096.into(),
        ..RunConfig::default()
    };
    let plan = plan(&config, |root| (0..2).try_for_each(|_| step(root, 1)));
    let json: serde_json::Value = serde_json::from_str(&plan.to_json()).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["failure"]["code"], 2);
    let heap = &json["rings"][0]["heap"];
    assert_eq!(
        (heap["given"].as_u64(), heap["minimum"].as_u64()),
        (Some(4096), Some(10 << 10))
    );
    assert_eq!(heap["peak"]["site"], "program.rs:3");
    assert_eq!(heap["peak"]["held"][0]["bytes"], 8192);
}

#[test]
fn scopes_and_calls_at_one_place_of_the_same_parent_are_one_node() {
    let plan = plan(&RunConfig::default(), |root| {
        for at in [10, 10, 12] {
            let outer = root.enter(ScopeMode::Auto, line(at))?;
            for rows in [32, 64] {
                let inner = outer.enter(ScopeMode::Auto, line(20))?;
                alloc(&inner, line(21), rows, 32)?;
                alloc(&inner, line(21), rows, 32)?;
            }
            outer.enter(ScopeMode::Manual, line(20)).map(drop)?;
        }
        alloc(root, line(30), 32, 32).map(drop)
    });
    let expected = [
        "1 run, ring 0, 4096 bytes",
        "  2 x AUTO scope at program.rs:10, ring 1",
        "    4 x AUTO scope at program.rs:20, ring 2, 16384 bytes",
        "      8 x `alloc_tensors` at program.rs:21, 8192 bytes",
        "    2 x MANUAL scope at program.rs:20, ring 2",
        "  1 x AUTO scope at program.rs:12, ring 1",
        "    2 x AUTO scope at program.rs:20, ring 2, 16384 bytes",
        "      4 x `alloc_tensors` at program.rs:21, 8192 bytes",
        "    1 x MANUAL scope at program.rs:20, ring 2",
        "  1 x `alloc_tensors` at program.rs:30, 4096 bytes",
    ];
    let text = plan.topology().to_string();
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn the_runs_of_a_plan_have_one_tree_whose_scopes_know_their_depth() {
    let config = RunConfig::default();
    let plan = Plan::new(&config, |runtime| {
        for _ in 0..3 {
            run(runtime, |root: &Scope<'_>| {
                let scopes = [1, 2, 3, 4].map(line);
                let one = root.enter(ScopeMode::Auto, scopes[0])?;
                let two = one.enter(ScopeMode::Auto, scopes[1])?;
                let three = two.enter(ScopeMode::Auto, scopes[2])?;
                three.enter(ScopeMode::Auto, scopes[3]).map(drop)
            })?;
        }
        Ok(())
    });
    let mut scope = plan.unwrap().topology();
    for (depth, ring) in [0, 1, 2, 3, 3].into_iter().enumerate() {
        assert_eq!((scope.depth, scope.ring(), scope.times), (depth, ring, 3));
        match scope.nodes.pop() {
            Some(TopologyNode::Scope(inner)) => scope = inner,
            other => assert!(other.is_none() && depth == 4, "{other:?}"),
        }
    }
}
