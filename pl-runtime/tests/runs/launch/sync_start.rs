//! Blocks that are to start together.

use super::spec;
use crate::common::{EXECUTORS, kernel, nothing, run, says, serial, threads};
use pl_runtime::error::SyncStart;
use pl_runtime::{
    CoreType, Error, Executor, KernelInfo, MixedKernels, RunConfig, Runtime, TaskSpec,
};

static CUBE: KernelInfo = kernel("cube", 110, &[]);

fn clusters(clusters: u32, executor: Executor) -> Runtime {
    let config = RunConfig {
        ring_heap: (1 << 20).into(),
        clusters,
        executor,
        ..RunConfig::default()
    };
    Runtime::new(config).unwrap()
}

/// The refusal of a task, if it is refused.
fn refusal(rt: &Runtime, task: TaskSpec<'_>) -> Option<(SyncStart, String)> {
    let error = run(rt, |root| root.submit(site!(), task).map(|_| ())).err()?;
    assert_eq!((error.code(), error.host_code()), (Some(7), Some(507_018)));
    says(&error, &["orch_error_code=7 REQUIRE_SYNC_START_INVALID: "]);
    let text = error.to_string();
    match error {
        Error::SyncStartInvalid(detail) => Some((*detail, text)),
        other => panic!("{other}"),
    }
}

#[test]
fn as_many_blocks_start_together_as_there_are_cores_of_the_type() {
    let mix = MixedKernels::NONE.aic(&CUBE, nothing).aiv1(&CUBE, nothing);
    let aic = MixedKernels::NONE.aic(&CUBE, nothing);
    for executor in EXECUTORS {
        let rt = clusters(3, executor);
        for (task, cores, limit) in [
            (spec(nothing, &[]), CoreType::Aiv, 6),
            (
                spec(nothing, &[]).core_type(CoreType::Aic),
                CoreType::Aic,
                3,
            ),
            (
                spec(nothing, &[]).core_type(CoreType::Mix),
                CoreType::Mix,
                3,
            ),
            (TaskSpec::mixed(&aic, &[], &[]), CoreType::Aic, 3),
            (TaskSpec::mixed(&mix, &[], &[]), CoreType::Mix, 3),
        ] {
            assert_eq!(
                refusal(&rt, task.sync_start().blocks(limit)),
                None,
                "{cores}"
            );
            let (detail, _) = refusal(&rt, task.sync_start().blocks(limit + 1)).unwrap();
            assert_eq!(
                (detail.cores, detail.limit, detail.blocks),
                (cores, limit, limit + 1)
            );
            assert_eq!(refusal(&rt, task.blocks(100)), None, "only if asked for");
        }
    }
}

#[test]
fn one_block_starts_together_with_itself() {
    let mix = MixedKernels::NONE.aic(&CUBE, nothing).aiv1(&CUBE, nothing);
    for executor in EXECUTORS {
        let rt = clusters(1, executor);
        for task in [
            spec(nothing, &[]),
            TaskSpec::mixed(&mix, &[], &[]),
            TaskSpec::dummy(&[]),
        ] {
            assert_eq!(refusal(&rt, task.sync_start()), None);
        }
        let dummy = TaskSpec::dummy(&[]).blocks(100).sync_start();
        assert_eq!(refusal(&rt, dummy), None, "a dummy takes no cores");
    }
}

#[test]
fn too_many_blocks_are_code_7_with_values_that_work() {
    for cores in [CoreType::Aiv, CoreType::Aic] {
        let task = spec(nothing, &[]).core_type(cores).blocks(17).sync_start();
        let (detail, text) = refusal(&clusters(4, serial()), task).unwrap();
        let raised = detail.clusters().unwrap();
        for part in [
            format!(
                "the 17 blocks of task `block` cannot start together: {} {cores}",
                detail.limit
            ),
            "sync_start.rs:".into(),
            "ring 0, scope opened at".into(),
            format!("lower the blocks to {}, or raise", detail.limit),
            format!("`RunConfig::clusters` to {raised}, or drop `sync_start`"),
        ] {
            assert!(text.contains(&part), "{part:?} is not in: {text}");
        }
        assert_eq!(
            refusal(&clusters(4, serial()), task.blocks(detail.limit)),
            None
        );
        assert_eq!(refusal(&clusters(raised, serial()), task), None);
        assert!(
            refusal(&clusters(raised - 1, serial()), task).is_some(),
            "no more than needed"
        );
    }
}

#[test]
fn no_number_of_clusters_is_named_that_the_configuration_refuses() {
    let task = spec(nothing, &[]).sync_start();
    let rt = clusters(65_536, serial());
    let (_, text) = refusal(&rt, task.blocks(131_073)).unwrap();
    assert!(
        text.ends_with("help: lower the blocks to 131072, or drop `sync_start`"),
        "{text}"
    );
    let (detail, _) = refusal(&clusters(1, serial()), task.blocks(131_072)).unwrap();
    assert_eq!(detail.clusters(), Some(65_536));
    let (detail, _) = refusal(&clusters(1, serial()), task.blocks(u32::MAX)).unwrap();
    assert_eq!(detail.clusters(), None);
}

#[test]
fn blocks_that_start_together_need_no_more_threads_than_there_are() {
    for count in [1, 2] {
        let rt = clusters(0, threads(count));
        assert_eq!(
            refusal(&rt, spec(nothing, &[]).blocks(16).sync_start()),
            None
        );
    }
}

#[test]
fn available_cores_are_those_of_the_configuration_also_after_a_fatal() {
    for (configured, expected) in [(0, 8), (3, 3), (65_536, 65_536)] {
        run(&clusters(configured, serial()), |root| {
            let scope = root.enter(pl_runtime::ScopeMode::Auto, site!())?;
            assert_eq!(
                (scope.available_clusters(), scope.available_aiv()),
                (expected, 2 * expected)
            );
            let error = scope.report_fatal(site!(), 9, "over");
            assert_eq!(scope.available_clusters(), expected);
            Err(error)
        })
        .unwrap_err();
    }
}
