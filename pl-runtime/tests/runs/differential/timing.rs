//! A simulated run is as the others, and as long as its tasks allow.

use super::program::program;
use super::{determined, run};
use crate::common::serial;
use pl_runtime::{
    Edge, Error, Executor, MachineModel, OrchestratorCost, RunConfig, RunReport, Runtime, Timing,
    Values,
};
use proptest::prelude::*;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The longest chain of tasks.
fn critical_path(timing: &Timing, edges: &[Edge]) -> u64 {
    let mut before: HashMap<_, Vec<_>> = HashMap::new();
    for edge in edges {
        before.entry(edge.to).or_default().push(edge.from);
    }
    let mut ends: HashMap<(usize, u64), u64> = HashMap::new();
    for task in &timing.tasks {
        let from = before.get(&task.position).map_or(&[][..], |from| from);
        let start = from.iter().filter_map(|task| ends.get(task)).max();
        let end = start.unwrap_or(&0) + task.end_ns - task.start_ns;
        ends.insert(task.position, end);
    }
    ends.into_values().max().unwrap_or(0)
}

fn check_times(report: &RunReport) -> Result<(), TestCaseError> {
    let timing = report.timing.as_ref().unwrap();
    let work: u64 = timing.tasks.iter().map(|t| t.end_ns - t.start_ns).sum();
    let total = timing.total_ns;
    prop_assert_eq!(work, timing.aiv.busy_ns + timing.aic.busy_ns);
    prop_assert!(total >= critical_path(timing, &report.edges));
    prop_assert!(total >= work / u64::from(timing.aiv.cores));
    prop_assert!(total >= timing.orchestrator_ns);
    prop_assert!(total <= work + timing.orchestrator_ns);
    let ends: HashMap<_, _> = timing
        .tasks
        .iter()
        .map(|t| (t.position, t.end_ns))
        .collect();
    for task in &timing.tasks {
        prop_assert!(task.ready_ns <= task.start_ns && task.start_ns <= task.end_ns);
        for edge in report.edges.iter().filter(|edge| edge.to == task.position) {
            let end = ends.get(&edge.from).copied().unwrap_or(0);
            prop_assert!(end <= task.ready_ns, "{:?} {:?}", edge, task);
        }
    }
    let mut on_cores = timing.tasks.clone();
    on_cores.sort_by_key(|task| (task.core, task.start_ns, task.end_ns));
    for pair in on_cores.windows(2) {
        prop_assert!(pair[0].core != pair[1].core || pair[0].end_ns <= pair[1].start_ns);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_simulated_run_has_the_outcome_scratch_and_statistics_of_the_others(
        stmts in program(),
        heap in 2..40_u64,
        window in 2..7_u32,
        clusters in 1..4_u32,
        calls in 0..3_u32,
        enable_scope_stats in prop::bool::weighted(0.1),
    ) {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("differential_timing");
        let base = RunConfig {
            ring_heap: (heap * 1024).into(),
            ring_task_window: (1 << window).into(),
            executor: serial(),
            enable_dep_gen: true,
            enable_scope_stats,
            enable_scratch_stats: true,
            work_dir: Some(dir.clone()),
            clusters,
            ..RunConfig::default()
        };
        let file = dir.join("dfx_outputs/scope_stats/scope_stats.jsonl");
        let expected = run(&Runtime::new(base.clone()).unwrap(), &stmts);
        let read = || enable_scope_stats.then(|| fs::read(&file).unwrap());
        let statistics = read();
        // Where nothing is computed, nobody is unlucky.
        if matches!(expected.outcome, Err(Error::KernelFailed(_))) {
            return Ok(());
        }
        let call = 700 * calls;
        let orchestrator = OrchestratorCost {
            submit_ns: call,
            alloc_ns: call / 2,
            scope_begin_ns: call / 7,
            scope_end_ns: call / 9,
            get_ns: call / 5,
        };
        let config = RunConfig {
            executor: Executor::Timing,
            machine: MachineModel { orchestrator, ..MachineModel::a2a3() },
            values: Values::default().at("program.rs:1", [3_u32]).at("kernels.rs:5", [1_u32]),
            enable_task_times: true,
            ..base.clone()
        };
        let rt = Runtime::new(config.clone()).unwrap();
        let simulated = run(&rt, &stmts);
        prop_assert_eq!(&run(&rt, &stmts), &simulated, "two runs are alike");
        prop_assert!(read() == statistics);
        let told = |run| {
            determined(run, &config).map(|report| { let mut report = report; report.timing = None; report })
        };
        prop_assert_eq!(told(&expected), told(&simulated));
        if let Ok(report) = &simulated.outcome {
            check_times(report)?;
        }
    }
}
