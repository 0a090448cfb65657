//! Small programs whose times are computed by hand.

use super::*;
use pl_runtime::{CoreType, Critical, MixedKernels, ScopeMode, SliceItem, TaskKernel};

/// Core, start and end of each block, in the order of the program.
fn spans(timing: &Timing) -> Vec<(CoreType, u32, u64, u64)> {
    let tasks = timing.tasks.iter();
    tasks
        .map(|t| (t.cores, t.core, t.start_ns, t.end_ns))
        .collect()
}

use CoreType::{Aic, Aiv, Mix};

#[test]
fn two_cores_run_four_tasks_in_the_order_of_their_submits() {
    let timing = time(simulate(SIMPLE), |scope, _| {
        [10, 3, 4, 5]
            .into_iter()
            .try_for_each(|ns| submit(scope, &[], ns))
    });
    let expected = [
        (Aiv, 0, 0, 10),
        (Aiv, 1, 0, 3),
        (Aiv, 1, 3, 7),
        (Aiv, 1, 7, 12),
    ];
    assert_eq!(spans(&timing), expected);
    assert_eq!(timing.total_ns, 12);
    assert_eq!((timing.aiv.cores, timing.aiv.busy_ns), (2, 22));
    assert_eq!((timing.aic.cores, timing.aic.busy_ns), (1, 0));
    assert_eq!(timing.critical, Critical::Aiv);
}

#[test]
fn a_chain_takes_the_sum_of_its_tasks_whatever_cores_there_are() {
    let machine = MachineModel {
        clusters: 8,
        ..SIMPLE
    };
    let timing = time(simulate(machine), |scope, x| {
        (1..=5).try_for_each(|ns| submit(scope, &[TaskArg::InOut(x)], ns))
    });
    assert_eq!(timing.total_ns, 15);
    assert_eq!(spans(&timing)[4], (Aiv, 0, 10, 15));
    assert_eq!(timing.critical, Critical::Dependencies);
}

#[test]
fn a_fork_joins_when_its_last_task_has_ended() {
    let timing = time(simulate(SIMPLE), |scope, x| {
        let part = |i: usize| {
            x.slice(
                &[SliceItem::Full, SliceItem::Range(20 * i, 20 * i + 20)],
                SITE,
            )
        };
        submit(scope, &[TaskArg::InOut(x)], 2)?;
        for (i, ns) in [5, 9, 1].into_iter().enumerate() {
            submit(scope, &[TaskArg::InOut(part(i)?)], ns)?;
        }
        submit(scope, &[TaskArg::Input(x)], 4)
    });
    let expected = [
        (Aiv, 0, 0, 2),
        (Aiv, 0, 2, 7),
        (Aiv, 1, 2, 11),
        (Aiv, 0, 7, 8),
        (Aiv, 0, 11, 15),
    ];
    assert_eq!(spans(&timing), expected);
    assert_eq!(timing.tasks[3].ready_ns, 2, "and then it waits for a core");
}

#[test]
fn a_run_is_as_long_as_its_orchestration_if_that_takes_longer() {
    let machine = MachineModel {
        orchestrator: OrchestratorCost {
            submit_ns: 100,
            alloc_ns: 30,
            scope_begin_ns: 7,
            scope_end_ns: 5,
            get_ns: 0,
        },
        ..SIMPLE
    };
    let timing = time(simulate(machine), |root, _| {
        for _ in 0..3 {
            let scope = root.enter(ScopeMode::Auto, SITE)?;
            crate::common::alloc(&scope, SITE, 4, 4)?;
            submit(&scope, &[], 10)?;
        }
        Ok(())
    });
    let turn = 7 + 30 + 100 + 5;
    let submitted = |i: u64| i * turn + 137;
    let starts: Vec<_> = timing.tasks.iter().map(|task| task.start_ns).collect();
    assert_eq!(starts, [0, 1, 2].map(submitted));
    assert_eq!(timing.total_ns, submitted(2) + 10);
    assert_eq!(timing.orchestrator_ns, 3 * turn);
    assert_eq!(timing.critical, Critical::Orchestrator);
}

#[test]
fn a_get_takes_its_time_and_waits_for_the_writer() {
    let machine = MachineModel {
        orchestrator: OrchestratorCost {
            get_ns: 3,
            ..OrchestratorCost::FREE
        },
        ..SIMPLE
    };
    let config = RunConfig {
        values: pl_runtime::Values::default().at("program.rs:7", [1.0_f32]),
        ..simulate(machine)
    };
    let timing = time(config, |scope, x| {
        submit(scope, &[TaskArg::InOut(x)], 50)?;
        scope.get::<f32>(SITE, x, &[0, 0])?;
        submit(scope, &[], 1)?;
        scope.set(SITE, x, &[0, 0], 1.0_f32)?;
        submit(scope, &[], 1)
    });
    let starts: Vec<_> = timing.tasks.iter().map(|task| task.start_ns).collect();
    assert_eq!(starts, [0, 50, 53]);
    assert_eq!(timing.orchestrator_ns, 6, "waits are no work");
}

#[test]
fn a_full_ring_holds_the_orchestration_until_its_oldest_task_has_ended() {
    // Windows of four slots hold three tasks.
    let config = RunConfig {
        ring_task_window: 4.into(),
        ..simulate(SIMPLE)
    };
    let timing = time(config, |root, _| {
        for ns in [10, 1, 1, 1, 1] {
            submit(&root.enter(ScopeMode::Auto, SITE)?, &[], ns)?;
        }
        Ok(())
    });
    let expected = [
        (Aiv, 0, 0, 10),
        (Aiv, 1, 0, 1),
        (Aiv, 1, 1, 2),
        // The first task holds the window.
        (Aiv, 0, 10, 11),
        (Aiv, 1, 10, 11),
    ];
    assert_eq!(spans(&timing), expected);
}

#[test]
fn blocks_spread_over_the_cores_and_the_task_ends_with_the_last() {
    let timing = time(simulate(SIMPLE), |scope, x| {
        let args = [TaskArg::Input(x)];
        let scalars = [10_u32.to_value()];
        scope.submit(
            SITE,
            TaskSpec::new(&WORK, block_work, &args, &scalars).blocks(5),
        )?;
        submit(scope, &[TaskArg::OutputExisting(x)], 1)
    });
    let expected = [
        (Aiv, 0, 0, 10),
        (Aiv, 1, 0, 11),
        (Aiv, 0, 10, 22),
        (Aiv, 1, 11, 24),
        (Aiv, 0, 22, 36),
        (Aiv, 0, 36, 37),
    ];
    assert_eq!(spans(&timing), expected);
    let work = timing.kernels[0];
    assert_eq!(
        (work.kernel, work.tasks, work.blocks, work.ns),
        ("work", 2, 6, 61)
    );
}

#[test]
fn a_common_start_waits_for_all_cores_and_nobody_overtakes_it() {
    let together = |scope: &Scope<'_>| {
        let scalars = [4_u32.to_value()];
        let task = TaskSpec::new(&WORK, work, &[], &scalars)
            .blocks(2)
            .sync_start();
        scope.submit(SITE, task).map(|_| ())
    };
    let timing = time(simulate(SIMPLE), |scope, _| {
        submit(scope, &[], 10)?;
        together(scope)?;
        submit(scope, &[], 1)
    });
    let expected = [
        (Aiv, 0, 0, 10),
        (Aiv, 0, 10, 14),
        (Aiv, 1, 10, 14),
        (Aiv, 0, 14, 15),
    ];
    assert_eq!(spans(&timing), expected);
}

#[test]
fn a_kernel_takes_the_cores_that_its_work_needs_unless_it_says_others() {
    let timing = time(simulate(SIMPLE), |scope, x| {
        let args = [TaskArg::Input(x)];
        let (ns, none) = ([7_u32.to_value()], []);
        scope.submit(SITE, TaskSpec::new(&WORK, work, &args, &ns))?;
        scope.submit(SITE, TaskSpec::new(&PRODUCT, product, &args, &none))?;
        scope.submit(SITE, TaskSpec::new(&BOTH, both, &args, &ns))?;
        scope.submit(SITE, TaskSpec::new(&BOTH, both, &args, &ns).core_type(Aic))?;
        Ok(())
    });
    let expected = [
        (Aiv, 0, 0, 7),
        (Aic, 0, 0, 101),
        (Mix, 0, 101, 209),
        (Aic, 0, 209, 317),
    ];
    assert_eq!(spans(&timing), expected);
    assert_eq!(
        timing.aic.busy_ns,
        101 + 100 + 108,
        "products in a cluster are its matrix core's"
    );
    assert_eq!(timing.aiv.busy_ns, 7 + 8);
    let held = (timing.aic.held_ns, timing.aiv.held_ns);
    assert_eq!(held, (101 + 108 + 108, 7 + 2 * 108));
    assert_eq!(timing.critical, Critical::Aic);
}

#[test]
fn clusters_limit_a_run_whose_tasks_need_all_of_their_cores() {
    let timing = time(simulate(SIMPLE), |scope, x| {
        let (args, ns) = ([TaskArg::Input(x)], [7_u32.to_value()]);
        for _ in 0..3 {
            scope.submit(SITE, TaskSpec::new(&BOTH, both, &args, &ns))?;
        }
        Ok(())
    });
    assert_eq!(
        (timing.total_ns, timing.critical),
        (324, Critical::Clusters)
    );
    let text = timing.to_string();
    let line = "1 AIC 92.5 % (held 100.0 %), 2 AIV 3.7 % (held 100.0 %)";
    assert!(text.contains(line), "{text}");
}

#[test]
fn the_kernels_of_a_mixed_task_run_at_one_time_on_the_cores_of_a_cluster() {
    let timing = time(simulate(SIMPLE), |scope, x| {
        let task = |info, run| TaskKernel { info, run };
        let kernels = MixedKernels {
            aic: Some(task(&PRODUCT, product)),
            aiv0: Some(task(&WORK, work)),
            aiv1: Some(task(&WORK, work)),
        };
        let (args, ns) = ([TaskArg::Input(x)], [150_u32.to_value()]);
        scope.submit(SITE, TaskSpec::mixed(&kernels, &args, &ns))?;
        submit(scope, &[], 1)
    });
    assert_eq!(spans(&timing), [(Mix, 0, 0, 150), (Aiv, 0, 150, 151)]);
    assert_eq!((timing.aic.busy_ns, timing.aiv.busy_ns), (101, 301));
}

#[test]
fn what_runs_nothing_takes_no_core_and_no_time() {
    let timing = time(simulate(SIMPLE), |scope, x| {
        submit(scope, &[TaskArg::InOut(x)], 10)?;
        scope.submit(SITE, TaskSpec::dummy(&[TaskArg::InOut(x)]))?;
        submit(scope, &[TaskArg::Input(x)], 5)
    });
    assert_eq!(spans(&timing), [(Aiv, 0, 0, 10), (Aiv, 0, 10, 15)]);
    assert_eq!(timing.kernels.len(), 1);
}

#[test]
fn copies_take_a_share_of_the_memory() {
    let machine = MachineModel {
        clusters: 2,
        dma_latency_ns: 5,
        core_bandwidth: 1000,
        memory_bandwidth: 2000,
        ..SIMPLE
    };
    let timing = time(simulate(machine), |scope, x| {
        let args = [TaskArg::Input(x)];
        let load = |core: &Scratch<'_>, args: &TaskArgs<'_>| {
            tile::load(core, SITE, args.tensor(0)).map(|_| ())
        };
        for cores in [Aiv, Aic] {
            scope.submit(
                SITE,
                TaskSpec::new(&WORK, load, &args, &[]).core_type(cores),
            )?;
        }
        Ok(())
    });
    // 400 bytes at a quarter and at half of 2000 bytes a microsecond.
    assert_eq!(spans(&timing), [(Aiv, 0, 0, 805), (Aic, 0, 0, 405)]);
    assert_eq!(timing.memory_ns, 400);
}

#[test]
fn two_runs_give_the_same_report() {
    let config = RunConfig {
        ring_task_window: 8.into(),
        enable_op_log: true,
        enable_scratch_stats: true,
        enable_dep_gen: true,
        ..simulate(MachineModel::a2a3())
    };
    let rt = Runtime::new(config).unwrap();
    let run = || {
        let x = EntryArg::inout::<f32, 2>(pl_runtime::shape([1, 64])).unwrap();
        rt.run(&ENTRY, [x], |root, [x]| {
            for i in 0..200 {
                let scope = root.enter(ScopeMode::Auto, SITE)?;
                let args = [TaskArg::Input(x), TaskArg::InOut(x)];
                submit(&scope, &args[i % 2..][..1], 1 + i as u32 % 7)?;
            }
            Ok(())
        })
        .unwrap()
    };
    let first = run();
    assert_eq!(first, run());
    assert_eq!(first.op_log.len(), 200);
    let text = first.to_string();
    for part in [
        "timing(24 clusters)",
        "\nsimulated ",
        " ns, limited by the orchestrator",
        "\nkernel work: 200 tasks",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
