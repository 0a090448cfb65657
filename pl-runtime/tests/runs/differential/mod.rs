//! Random programs: every executor computes what plain sequential execution computes, or fails with
//! the same error at the same place.
//!
//! Each run ends by finding all rings, access lists and counters empty: the runtime asserts it before
//! it forgets a run.

mod audit;
mod device;
mod plain;
mod plan;
mod program;
mod timing;

use crate::common::{AFFINE, ENTRY, EXECUTORS, UPDATE, alloc, random, serial, submit, threads};
use device::{Run, arrays, run};
use ndarray::Array2;
use pl_runtime::error::{Exhausted, Resource};
use pl_runtime::{
    Dependencies, EntryArg, Error, RINGS, ReclaimPolicy, RunConfig, RunReport, Runtime, ScopeMode,
    Site, SliceItem, TaskArg,
};
use plain::Plain;
use program::{COLUMNS, ROWS, Stmt, program};
use proptest::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

const SITE: Site = Site::new("program.rs", 1);

/// What plain execution gives.
struct Expected {
    plain: Plain,
    arrays: [Vec<u32>; 2],
}

impl Expected {
    fn of(stmts: &[Stmt]) -> Self {
        let mut plain = Plain::default();
        let buffers =
            arrays().map(|array| Rc::new(RefCell::new(array.into_raw_vec_and_offset().0)));
        plain.run(&buffers, stmts);
        let arrays = [2, 3].map(|i| buffers[i].borrow().clone());
        Self { plain, arrays }
    }

    /// A run that succeeds has these results, and one whose kernel fails fails here.
    fn check(&self, run: &Run) -> Result<(), TestCaseError> {
        match &run.outcome {
            Ok(_) => {
                prop_assert_eq!(self.plain.failed, None);
                prop_assert_eq!(&run.log, &self.plain.log);
                for (array, expected) in run.arrays.iter().zip(&self.arrays) {
                    prop_assert_eq!(array.as_slice().unwrap(), expected);
                }
            }
            Err(Error::KernelFailed(failure)) => {
                prop_assert_eq!(Some(failure.sequence), self.plain.failed);
            }
            Err(_) => {}
        }
        Ok(())
    }
}

/// What of a run's outcome does not depend on the executor, the policy and the dependencies.
fn determined(run: &Run, config: &RunConfig) -> Result<RunReport, Error> {
    let mut report = run.outcome.clone()?;
    report.executor.clear();
    let sound = config.dependencies == Dependencies::Sound;
    // Where a dep pool is short, tasks are retired, more or fewer by the number of edges.
    if config.reclaim == ReclaimPolicy::Eager || !sound {
        report.heap_high_water = [0; RINGS];
        report.tensormap_high_water = 0;
    }
    if !sound {
        report.edges.clear();
    }
    Ok(report)
}

/// Whether a task waits for more others than its dep pool has entries.
fn is_full_dep_pool(run: &Run) -> bool {
    matches!(run.outcome, Err(Error::DepPoolOverflow(_)))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_executor_gives_the_sequential_result_or_the_same_error(
        stmts in program(),
        heap in 2..40_u64,
        window in 2..7_u32,
        dep_pool in prop_oneof![1 => 4..12_u32, 1 => Just(0)],
        enable_dep_gen in any::<bool>(),
        seed in 0..1_000_000_u64,
    ) {
        let expected = Expected::of(&stmts);
        let base = RunConfig {
            ring_heap: (heap * 1024).into(),
            ring_task_window: (1 << window).into(),
            ring_dep_pool: dep_pool.into(),
            enable_dep_gen,
            executor: serial(),
            ..RunConfig::default()
        };
        let orders = [random(seed), random(seed + 1)];
        let lazy = orders.into_iter().chain([1, 2, 4].map(threads)).map(|executor| RunConfig { executor, ..base.clone() });
        let eager = [serial(), random(seed), threads(2)].map(|executor| RunConfig {
            executor,
            reclaim: ReclaimPolicy::Eager,
            ..base.clone()
        });
        let device = [ReclaimPolicy::Lazy, ReclaimPolicy::Eager].map(|reclaim| RunConfig {
            dependencies: Dependencies::Device,
            reclaim,
            ..base.clone()
        });
        let pool = Runtime::new(base.clone()).unwrap();
        let first = run(&pool, &stmts);
        prop_assert_eq!(&run(&pool, &stmts), &first, "a run leaves nothing behind");
        for config in lazy.chain(eager).chain(device) {
            let run = run(&pool.with_config(config.clone()).unwrap(), &stmts);
            expected.check(&run)?;
            // The device finds other edges: fewer, or more than its dep pool holds.
            let device = config.dependencies == Dependencies::Device;
            if device && (is_full_dep_pool(&first) || is_full_dep_pool(&run)) {
                continue;
            }
            prop_assert_eq!(determined(&first, &config), determined(&run, &config), "{:?}", config);
        }
    }
}

/// Sets what an error suggests; `None` if it is none of a ring.
fn follow(error: &Error, config: &mut RunConfig) -> Option<()> {
    let (detail, of_window) = match error {
        Error::ScopeDeadlock(detail) | Error::FlowControlDeadlock(detail) => (detail, true),
        Error::HeapRingDeadlock(detail) | Error::DepPoolOverflow(detail) => (detail, false),
        _ => return None,
    };
    let Exhausted {
        ring, suggestion, ..
    } = **detail;
    if of_window {
        config.ring_task_window.0[ring] = suggestion as u32;
    } else if detail.resource == Resource::Heap {
        config.ring_heap.0[ring] = suggestion;
    } else {
        config.ring_dep_pool.0[ring] = suggestion as u32;
    }
    assert!(suggestion > detail.capacity, "{error}");
    Some(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn following_the_suggestions_leads_to_a_run_that_succeeds(stmts in program()) {
        let mut config = RunConfig {
            ring_heap: 1024.into(),
            ring_task_window: 4.into(),
            ring_dep_pool: 4.into(),
            executor: serial(),
            ..RunConfig::default()
        };
        let mut runs = 0;
        loop {
            config.validate().unwrap();
            match run(&Runtime::new(config.clone()).unwrap(), &stmts).outcome {
                Err(error) if follow(&error, &mut config).is_some() => {}
                Err(error) => {
                    prop_assert!(matches!(error.code(), Some(200 | 201)), "{}", error);
                    break;
                }
                Ok(_) => break,
            }
            runs += 1;
            prop_assert!(runs < 200, "{:?}", config);
        }
    }
}

#[test]
fn a_larger_program_gives_the_same_on_all_executors() {
    const N: usize = 400;
    let mut results = Vec::new();
    for executor in EXECUTORS {
        let runtime = crate::common::runtime(64 << 10, 16, executor);
        let mut x = Array2::<u32>::ones((ROWS, COLUMNS));
        let report = runtime
            .run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
                for i in 0..N as u32 {
                    let scope = root.enter(ScopeMode::Auto, SITE)?;
                    let t = alloc(&scope, SITE, ROWS, COLUMNS)?;
                    let args = [TaskArg::Input(x), TaskArg::OutputExisting(t)];
                    submit(&scope, SITE, &AFFINE, &args, i, &[])?;
                    for half in [SliceItem::Range(0, 12), SliceItem::From(12)] {
                        let half = [half, SliceItem::Full];
                        let (a, x) = (t.slice(&half, SITE)?, x.slice(&half, SITE)?);
                        let args = [TaskArg::Input(a), TaskArg::InOut(x)];
                        submit(&scope, SITE, &UPDATE, &args, i, &[])?;
                    }
                }
                Ok(())
            })
            .unwrap();
        assert_eq!(report.kernel_tasks, [0, 3 * N as u64, 0, 0]);
        assert_eq!(report.alloc_tasks, [0, N as u64, 0, 0]);
        assert_eq!(report.scopes, N as u64 + 1);
        results.push((x, report.heap_high_water, report.heap_demand));
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
}
