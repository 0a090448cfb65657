//! Elements that are read although nothing is computed.

use super::*;
use ndarray::{Array2, array};
use pl_runtime::{Error, PredicateOp, Values};

const GET: Site = Site::new("src/program.rs", 40);
const TILE: Site = Site::new("src/kernels.rs", 50);

fn with(values: Values) -> RunConfig {
    RunConfig {
        values,
        ..simulate(SIMPLE)
    }
}

/// Runs with an input and an output.
fn run(
    values: Values,
    body: impl for<'r> FnOnce(&'r Scope<'r>, [Tensor<'r>; 2]) -> Outcome,
) -> (Outcome<RunReport>, Array2<i32>) {
    let rt = Runtime::new(with(values)).unwrap();
    let x = array![[1, 2], [3, 4]];
    let mut y = array![[5, 6], [7, 8]];
    let args = [
        EntryArg::input::<i32, 2>(&x).unwrap(),
        EntryArg::inout::<i32, 2>(&mut y).unwrap(),
    ];
    let outcome = rt.run(&ENTRY, args, body);
    (outcome, y)
}

#[track_caller]
fn refused(outcome: Outcome<RunReport>, parts: &[&str]) -> Error {
    let error = outcome.unwrap_err();
    assert_eq!(error.code(), Some(5), "{error}");
    crate::common::says(&error, parts);
    error
}

#[test]
fn elements_of_arrays_that_no_task_has_written_are_real() {
    let (outcome, y) = run(Values::default(), |scope, [x, y]| {
        assert_eq!(scope.get::<i32>(GET, x, &[1, 0])?, 3);
        assert_eq!(scope.get::<i32>(GET, y, &[1, 1])?, 8);
        scope.set(GET, y, &[0, 0], 50_i32)?;
        assert_eq!(scope.get::<i32>(GET, y, &[0, 0])?, 50);
        submit(scope, &[TaskArg::Input(y)], 1)?;
        assert_eq!(
            scope.get::<i32>(GET, y, &[0, 0])?,
            50,
            "a reader changes nothing"
        );
        submit(scope, &[TaskArg::InOut(y)], 1)?;
        assert_eq!(scope.get::<i32>(GET, x, &[1, 0])?, 3);
        Ok(())
    });
    outcome.unwrap();
    assert_eq!(y, array![[50, 6], [7, 8]], "tasks write nothing");
}

#[test]
fn an_element_that_a_task_would_compute_is_supplied_or_an_error_says_how() {
    fn body(scope: &Scope<'_>, [_, y]: [Tensor<'_>; 2]) -> Outcome<Vec<i32>> {
        submit(scope, &[TaskArg::InOut(y)], 1)?;
        (0..3).map(|_| scope.get::<i32>(GET, y, &[0, 0])).collect()
    }
    let (outcome, _) = run(Values::default(), |scope, args| {
        body(scope, args).map(|_| ())
    });
    refused(
        outcome,
        &[
            "the element that a `get` of [2, 2] i32 reads is not known",
            "simulated runs, plans and audits compute nothing",
            "src/program.rs:40",
            "`values: Values::default().at(\"program.rs:40\", [1])`",
        ],
    );
    let (outcome, _) = run(
        Values::default().at("program.rs:40", [3, 1]),
        |scope, args| {
            assert_eq!(body(scope, args)?, [3, 1, 1]);
            Ok(())
        },
    );
    outcome.unwrap();
    let (outcome, _) = run(
        Values::default().at("program.rs:40", [0.5]),
        |scope, args| body(scope, args).map(|_| ()),
    );
    refused(outcome, &["is 0.5 in `RunConfig::values`, which is no i32"]);
}

#[test]
fn new_tensors_and_shapes_have_no_elements() {
    let (outcome, _) = run(Values::default(), |scope, _| {
        let info = crate::common::info(1, 1).init(9_u32.to_value());
        let t = scope.alloc_tensors(SITE, &[info])?.get_ref(0);
        scope.get::<u32>(GET, t, &[0, 0]).map(|_| ())
    });
    refused(outcome, &["is not known"]);
    let outcome = run_with(with(Values::default()), 4, |scope, x| {
        scope.set(GET, x, &[0, 1], 1.0_f32)?;
        scope.get::<f32>(GET, x, &[0, 1]).map(|_| ())
    });
    refused(outcome, &["[1, 4] f32", ".at(\"program.rs:40\", [1.0])"]);
}

#[test]
fn a_predicate_is_decided_by_what_is_known_when_it_is_submitted() {
    static PLAIN: KernelInfo = kernel("plain", 60, &[]);
    fn guarded(scope: &Scope<'_>, of: Tensor<'_>, target: i64) -> Outcome {
        let ns = [10_u32.to_value()];
        let task = TaskSpec::new(&PLAIN, work, &[], &ns);
        scope.submit(GET, task.predicate(&of, &[0, 1], PredicateOp::Eq, target))?;
        Ok(())
    }
    let (outcome, _) = run(Values::default(), |scope, [x, _]| {
        guarded(scope, x, 2)?;
        guarded(scope, x, 3)
    });
    let report = outcome.unwrap();
    assert_eq!(report.kernel_tasks[0], 2);
    let timing = report.timing.unwrap();
    assert_eq!(
        (timing.tasks.len(), timing.total_ns),
        (1, 10),
        "one ends without its kernel"
    );
    let written = |scope: &Scope<'_>, [_, y]: [Tensor<'_>; 2]| {
        submit(scope, &[TaskArg::InOut(y)], 1)?;
        guarded(scope, y, 6)
    };
    let (outcome, _) = run(Values::default(), written);
    refused(
        outcome,
        &["the element that a `predicate` of [2, 2] i32 reads is not known"],
    );
    let (outcome, _) = run(Values::default().at("src/program.rs:40", [6]), written);
    assert_eq!(outcome.unwrap().timing.unwrap().total_ns, 11);
}

/// Does as many vectors of work as element 0 of its tile says.
fn by_value(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let x = tile::load(core, TILE, args.tensor(0))?;
    let n: i32 = x.get(TILE, &[0, 0])?;
    tile::zeros(core, TILE, DType::F32, &[n as usize, 64])?;
    Ok(())
}

#[test]
fn a_tile_has_no_elements_either_and_a_kernel_that_reads_one_is_not_remembered() {
    let body = |scope: &Scope<'_>, [x, _]: [Tensor<'_>; 2]| {
        for _ in 0..2 {
            let args = [TaskArg::Input(x)];
            scope.submit(SITE, TaskSpec::new(&WORK, by_value, &args, &[]))?;
        }
        Ok(())
    };
    let (outcome, _) = run(Values::default(), body);
    let error = outcome.unwrap_err();
    assert_eq!(error.code(), Some(200));
    let parts = [
        "an element of [2, 2] i32 is not known",
        "src/kernels.rs:50",
        "`values: Values::default().at(\"kernels.rs:50\", [1])`",
    ];
    crate::common::says(&error, &parts);
    let (outcome, _) = run(Values::default().at("kernels.rs:50", [20, 30]), body);
    let timing = outcome.unwrap().timing.unwrap();
    let ns: Vec<_> = timing.tasks.iter().map(|t| t.end_ns - t.start_ns).collect();
    assert_eq!(ns, [1 + 20, 1 + 30]);
}

#[test]
fn settings_that_mean_nothing_are_refused() {
    let refused = |config: RunConfig, part: &str| {
        let error = config.validate().unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    };
    let watchdog = Some(std::time::Duration::from_secs(1));
    refused(
        RunConfig {
            kernel_watchdog: watchdog,
            ..simulate(SIMPLE)
        },
        "kernel_watchdog",
    );
    refused(
        RunConfig {
            executor: Executor::default(),
            ..simulate(SIMPLE)
        },
        "enable_task_times",
    );
    refused(with(Values::default().at("program.rs", [1])), "file:line");
    let machine = MachineModel {
        clock_mhz: 0,
        ..SIMPLE
    };
    refused(simulate(machine), "machine.clock_mhz");
}
