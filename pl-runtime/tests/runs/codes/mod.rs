//! Every error code that can arise, by the smallest program: what the message says, and that what it
//! suggests works.
//!
//! Code 7 is tested with what else `sync_start` does, in `launch/`. Codes of the device that cannot
//! arise here: 6 and 103 (retired or unreachable there), 10 (a scope holds no more tasks than its window), 101 and 102 (no asynchronous
//! completion), 104 (another runtime's).

mod calls;
mod clocks;
mod rings;

use crate::common::{ENTRY, EXECUTORS, NOTHING, Outcome, run, says, serial, submit};
use pl_runtime::{
    DType, Error, Executor, RunConfig, Runtime, Scope, ScopeMode, Site, TensorCreateInfo, Values,
};

const SCOPE: Site = Site::new("model.rs", 10);
const OLDEST: Site = Site::new("model.rs", 11);
const CALL: Site = Site::new("model.rs", 12);

type Body<'b> = &'b dyn Fn(&Scope<'_>) -> Outcome;

fn config() -> RunConfig {
    RunConfig {
        executor: serial(),
        ..RunConfig::default()
    }
}

/// The error that `body` ends with, the same on all executors, of this code and name.
#[track_caller]
fn fails(config: &RunConfig, code: u32, name: &str, body: Body<'_>) -> Error {
    let executors = EXECUTORS.into_iter().chain([Executor::Timing]);
    let errors = executors.map(|executor| {
        let config = RunConfig {
            executor,
            // What the kernels find that look.
            values: Values::default().at("kernels.rs:5", [0_u32]),
            ..config.clone()
        };
        let rt = Runtime::new(config).unwrap();
        let error = run(&rt, |root| body(root)).unwrap_err();
        run(&rt, |root| nothing(root, CALL)).expect("the runtime can be used again");
        error
    });
    let mut errors: Vec<_> = errors.collect();
    assert!(errors.windows(2).all(|pair| pair[0] == pair[1]));
    let error = errors.swap_remove(0);
    assert_eq!(
        (error.code(), error.host_code()),
        (Some(code), Some(507_018))
    );
    let begin = format!("orch_error_code={code} {name}: ");
    assert!(error.to_string().starts_with(&begin), "{error}");
    says(&error, &["\n  help: "]);
    error
}

fn nothing(scope: &Scope<'_>, site: Site) -> Outcome {
    submit(scope, site, &NOTHING, &[], 0, &[]).map(|_| ())
}

fn bytes(scope: &Scope<'_>, site: Site, count: usize) -> Outcome {
    scope
        .alloc_tensors(site, &[TensorCreateInfo::new(DType::U8, &[count])])
        .map(|_| ())
}

/// Runs `body` with a scope at depth `depth`, the last one opened at [`SCOPE`].
fn at_depth(root: &Scope<'_>, depth: usize, body: Body<'_>) -> Outcome {
    let scope = root.enter(ScopeMode::Auto, SCOPE)?;
    if depth == 1 {
        body(&scope)
    } else {
        at_depth(&scope, depth - 1, body)
    }
}
