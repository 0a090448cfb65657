//! Plans: what they predict is what happens.

use super::program::{Stmt, program};
use super::run;
use crate::common::serial;
use pl_runtime::error::Exhausted;
use pl_runtime::plan::{Plan, Prediction};
use pl_runtime::{Error, RINGS, RunConfig, RunReport, Runtime, Values};
use proptest::prelude::*;

fn base() -> RunConfig {
    RunConfig {
        executor: serial(),
        values: Values::default().at("program.rs:1", [3_u32]),
        ..RunConfig::default()
    }
}

fn outcome(config: &RunConfig, stmts: &[Stmt]) -> Result<RunReport, Error> {
    run(&Runtime::new(config.clone()).unwrap(), stmts).outcome
}

fn plan(config: &RunConfig, stmts: &[Stmt]) -> Result<Plan, Error> {
    Plan::new(config, |runtime| run(runtime, stmts).outcome)
}

/// What a plan can know of an error.
fn told(error: &Error) -> Option<Prediction> {
    match error {
        Error::ScopeDeadlock(detail)
        | Error::HeapRingDeadlock(detail)
        | Error::FlowControlDeadlock(detail)
        | Error::DepPoolOverflow(detail) => {
            let Exhausted {
                resource,
                ring,
                site,
                scope,
                ..
            } = **detail;
            Some(Prediction {
                resource,
                ring,
                site,
                scope,
            })
        }
        _ => None,
    }
}

/// Whether the run ends before the rings decide.
fn is_kernel_failure(outcome: &Result<RunReport, Error>) -> bool {
    matches!(outcome, Err(Error::KernelFailed(_)))
}

/// Rings with one step less than they need of one thing.
fn one_step_less(plan: &Plan, fitting: &RunConfig) -> Vec<RunConfig> {
    let mut configs = Vec::new();
    for ring in 0..RINGS {
        let needs = &plan.rings[ring];
        let mut less = |change: &dyn Fn(&mut RunConfig)| {
            let mut config = fitting.clone();
            change(&mut config);
            configs.push(config);
        };
        if needs.heap.minimum > 1024 {
            less(&|c| c.ring_heap.0[ring] = needs.heap.minimum - 1024);
        }
        if needs.window.minimum > 4 {
            less(&|c| c.ring_task_window.0[ring] = needs.window.minimum as u32 / 2);
        }
        if needs.dep_pool.minimum > 4 {
            less(&|c| c.ring_dep_pool.0[ring] = needs.dep_pool.minimum as u32 - 1);
        }
    }
    configs
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_minimum_completes_and_one_step_less_fails_as_predicted(stmts in program()) {
        let plan = match plan(&base(), &stmts) {
            Ok(plan) => plan,
            Err(error) => {
                let run = outcome(&base(), &stmts);
                prop_assert!(is_kernel_failure(&run) || run.as_ref().unwrap_err().code() == error.code());
                return Ok(());
            }
        };
        let exact = base().fit_exact(&plan);
        prop_assert_eq!(plan.predict(&exact), None);
        let run = outcome(&exact, &stmts);
        if is_kernel_failure(&run) {
            return Ok(());
        }
        prop_assert!(run.is_ok(), "{:?}", run);
        for less in one_step_less(&plan, &exact) {
            let predicted = plan.predict(&less);
            prop_assert!(predicted.is_some(), "{:?}", less);
            prop_assert_eq!(told(&outcome(&less, &stmts).unwrap_err()), predicted);
        }
    }

    #[test]
    fn the_safe_size_and_every_larger_one_complete(stmts in program(), more in prop::array::uniform4(0..64_u64)) {
        let Ok(plan) = plan(&base(), &stmts) else { return Ok(()) };
        let mut safe = base().fit(&plan);
        for (heap, more) in safe.ring_heap.0.iter_mut().zip(more) {
            *heap += more * 1024;
        }
        let run = outcome(&safe, &stmts);
        prop_assert!(run.is_ok() || is_kernel_failure(&run), "{:?}", run);
        // A thousand sizes without running.
        for _ in 0..1000 {
            prop_assert_eq!(plan.predict(&safe), None);
            for heap in &mut safe.ring_heap.0 {
                *heap += 1024;
            }
        }
    }

    #[test]
    fn a_plan_has_the_figures_and_the_failure_of_a_run_with_the_same_rings(
        stmts in program(),
        heap in 2..40_u64,
        window in 2..7_u32,
        dep_pool in prop_oneof![1 => 4..12_u32, 1 => Just(0)],
    ) {
        let given = RunConfig {
            ring_heap: (heap * 1024).into(),
            ring_task_window: (1 << window).into(),
            ring_dep_pool: dep_pool.into(),
            ..base()
        };
        let run = outcome(&given, &stmts);
        let Ok(plan) = plan(&given, &stmts) else { return Ok(()) };
        if is_kernel_failure(&run) {
            return Ok(());
        }
        prop_assert_eq!(plan.failure.as_ref(), run.as_ref().err());
        prop_assert_eq!(plan.failure.as_ref().and_then(told), plan.predict(&given));
        if let Ok(run) = run {
            let planned = plan.report.unwrap();
            prop_assert_eq!(run.heap_high_water, planned.heap_high_water);
            prop_assert_eq!(run.heap_demand, planned.heap_demand);
            prop_assert_eq!(run.kernel_tasks, planned.kernel_tasks);
            prop_assert_eq!(run.scopes, planned.scopes);
        }
    }
}
