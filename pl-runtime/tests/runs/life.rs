//! Runs one after another, at the same time, inside each other, and interrupted.

use crate::common::{
    AFFINE, ENTRY, EXECUTORS, FILL, GATE, GATED, NOTHING, PASSED, UPDATE, alloc, expected, info,
    kernel, little, run, runtime, serial, submit, submit_fill, threads,
};
use ndarray::{Array1, Array2};
use pl_runtime::{
    EntryArg, Error, KernelInfo, OperationError, ReclaimPolicy, RunConfig, Runtime, Scalar,
    ScopeMode, Scratch, SliceItem, TaskArg, TaskArgs, TaskSpec,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, OnceLock, PoisonError};

#[test]
fn a_panic_of_the_orchestration_unwinds_after_every_running_task() {
    static ORDER: Mutex<()> = Mutex::new(());
    let _one_at_a_time = ORDER.lock().unwrap_or_else(PoisonError::into_inner);
    for executor in [threads(1), threads(2), threads(4)] {
        let rt = runtime(1 << 20, 64, executor);
        GATE.store(0, Ordering::SeqCst);
        PASSED.store(0, Ordering::SeqCst);
        let mut x = Array2::<u32>::zeros((4, 4));
        let args = [EntryArg::inout(&mut x).unwrap()];
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            rt.run(&ENTRY, args, |root, [x]| {
                let scope = root.enter(ScopeMode::Auto, site!())?;
                for _ in 0..10 {
                    submit(&scope, site!(), &GATED, &[TaskArg::InOut(x)], 0, &[])?;
                }
                std::thread::spawn(|| {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    GATE.store(1, Ordering::SeqCst);
                });
                std::panic::resume_unwind(Box::new("stop"));
            })
        }));
        assert_eq!(*outcome.unwrap_err().downcast::<&str>().unwrap(), "stop");
        assert_eq!(PASSED.load(Ordering::SeqCst), 10);
        assert_eq!(x, Array2::from_elem((4, 4), 10));
        assert_eq!(little(&rt, 4), expected(4));
    }
}

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        std::panic::resume_unwind(Box::new("boom"));
    }
}

static EXPLODES: KernelInfo = kernel("explodes", 2, &[]);

fn explodes(_: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
    std::panic::panic_any(Bomb)
}

#[test]
fn values_that_panic_when_they_are_dropped_hang_nothing() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        let error = run(&rt, |root| {
            for _ in 0..20 {
                root.submit(site!(), TaskSpec::new(&EXPLODES, explodes, &[], &[]))?;
            }
            Ok(())
        })
        .unwrap_err();
        assert!(error.to_string().contains("`explodes` panicked"), "{error}");

        let bomb = Bomb;
        let mut x = Array2::<u32>::zeros((4, 4));
        let args = [EntryArg::inout(&mut x).unwrap()];
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            rt.run(&ENTRY, args, move |root, [x]| {
                let _bomb = bomb;
                let scope = root.enter(ScopeMode::Auto, site!())?;
                for _ in 0..10 {
                    submit(&scope, site!(), &FILL, &[TaskArg::InOut(x)], 7, &[])?;
                }
                Ok(())
            })
        }));
        assert_eq!(*outcome.unwrap_err().downcast::<&str>().unwrap(), "boom");
        assert_eq!(x, Array2::from_elem((4, 4), 7), "its tasks have ended");
        assert_eq!(little(&rt, 4), expected(4));
    }
}

static INNER: OnceLock<Runtime> = OnceLock::new();
static REENTERS: KernelInfo = kernel("reenters", 1, &[]);

fn reenters(_: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
    let error = run(INNER.get().unwrap(), |_| Ok(())).unwrap_err();
    assert!(matches!(error, Error::Nested(_)));
    panic!("{error}");
}

#[test]
fn a_run_inside_a_kernel_or_an_orchestration_is_refused() {
    INNER.get_or_init(|| runtime(4096, 8, threads(2)));
    for executor in EXECUTORS {
        let rt = INNER.get().unwrap().with_config(RunConfig {
            executor,
            ..RunConfig::default()
        });
        let rt = rt.unwrap();
        let error = run(&rt, |root| {
            let task = TaskSpec::new(&REENTERS, reenters, &[], &[]);
            root.submit(site!(), task).map(|_| ())
        })
        .unwrap_err();
        assert!(error.to_string().contains("inside a kernel"), "{error}");
        let error = run(&rt, |_| run(INNER.get().unwrap(), |_| Ok(())).map(|_| ())).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("inside the orchestration of another"),
            "{error}"
        );
        assert_eq!(error.code(), None);
        run(&rt, |_| Ok(())).unwrap();
    }
}

#[test]
fn threads_that_share_a_runtime_take_turns() {
    let rt = runtime(16 << 10, 8, threads(3));
    let other = rt
        .with_config(RunConfig {
            executor: threads(2),
            ..rt.config().clone()
        })
        .unwrap();
    std::thread::scope(|scope| {
        let threads = [&rt, &rt, &other, &other].map(|rt| {
            scope.spawn(move || {
                (0..200).for_each(|n| assert_eq!(little(rt, n % 20), expected(n % 20)));
            })
        });
        // Joined one by one: ThreadSanitizer does not see the end of a scope.
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

#[test]
fn a_forgotten_guard_is_closed_with_its_outer_scope() {
    for executor in EXECUTORS {
        let rt = runtime(8192, 8, executor);
        let report = run(&rt, |root| {
            for _ in 0..50 {
                let outer = root.enter(ScopeMode::Auto, site!())?;
                let inner = outer.enter(ScopeMode::Auto, site!())?;
                let x = alloc(&inner, site!(), 32, 16)?;
                submit_fill(&inner, site!(), x, 1)?;
                std::mem::forget(inner);
            }
            alloc(root, site!(), 1, 1).map(|_| ())
        })
        .unwrap();
        assert_eq!(report.scopes, 101);
    }
}

#[test]
fn a_forgotten_manual_guard_does_not_outlive_its_outer_scope() {
    let rt = runtime(8192, 8, serial());
    run(&rt, |root| {
        let outer = root.enter(ScopeMode::Auto, site!())?;
        std::mem::forget(outer.enter(ScopeMode::Manual, site!())?);
        drop(outer);
        root.enter(ScopeMode::Auto, site!()).map(|_| ())
    })
    .unwrap();
}

#[test]
fn implicit_scopes_vanish_below_manual_ones() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        let report = run(&rt, |root| {
            let auto = root.enter_implicit(site!())?;
            let manual = auto.enter(ScopeMode::Manual, site!())?;
            let none = manual.enter_implicit(site!())?;
            let x = alloc(&none, site!(), 4, 4)?;
            let fill = submit_fill(&none, site!(), x, 3)?;
            let args = [TaskArg::Input(x), TaskArg::InOut(x)];
            submit(&none, site!(), &UPDATE, &args, 0, &[fill.task_id()])?;
            assert_eq!(none.get::<u32>(site!(), x, &[0, 0])?, 18);
            Ok(())
        })
        .unwrap();
        assert_eq!(report.scopes, 3);
        assert_eq!(report.alloc_tasks, [0, 0, 1, 0]);
        assert_eq!(report.kernel_tasks, [0, 0, 2, 0]);
    }
}

#[test]
fn a_block_outlives_its_scope_until_its_last_user_has_ended() {
    // Ring 1 has room for four blocks, and its tasks have no kernels; their users are on ring 2.
    for executor in EXECUTORS {
        let rt = runtime(4096, 64, executor);
        let mut cells = Array1::<u32>::zeros(64);
        rt.run(
            &ENTRY,
            [EntryArg::inout(&mut cells).unwrap()],
            |root, [cells]| {
                for i in 0..64 {
                    let outer = root.enter(ScopeMode::Auto, site!())?;
                    let x =
                        outer.alloc_tensors(site!(), &[info(4, 4).init((i as u32).to_value())])?;
                    let corner = [SliceItem::Range(3, 4), SliceItem::Range(3, 4)];
                    let corner = x.get_ref(0).slice(&corner, site!())?;
                    let cell = cells.slice(&[SliceItem::Range(i, i + 1)], site!())?;
                    let args = [
                        TaskArg::NoDep(corner),
                        TaskArg::OutputExisting(cell.reshape(&[1, 1], site!())?),
                    ];
                    let inner = outer.enter(ScopeMode::Manual, site!())?;
                    submit(&inner, site!(), &AFFINE, &args, 0, &[])?;
                }
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(cells, Array1::from_iter((0..64).map(|i| 3 * i)));
    }
}

#[test]
fn outputs_are_padded_and_zero_size_outputs_take_no_bytes() {
    let rt = runtime(2048, 8, serial());
    let dims = |dtype, dims: &[usize]| pl_runtime::TensorCreateInfo::new(dtype, dims);
    let report = run(&rt, |root| {
        use pl_runtime::DType::{F32, I8};
        let infos = [dims(F32, &[3, 5]), dims(I8, &[0]), dims(I8, &[1024])];
        let outputs = root.alloc_tensors(site!(), &infos)?;
        assert_eq!(outputs.len(), 3);
        assert_eq!(outputs.get_ref(1).view().elements(), 0);
        assert_eq!(outputs.task_id().position(), Some((0, 0)));
        let empty = [TaskArg::OutputExisting(outputs.get_ref(1))];
        submit(root, site!(), &NOTHING, &empty, 0, &[])?;
        Ok(())
    })
    .unwrap();
    assert_eq!(
        (report.heap_high_water[0], report.heap_demand[0]),
        (2048, 2048)
    );
}

#[test]
fn initial_values_are_there_before_any_task() {
    let rt = runtime(1 << 20, 8, serial());
    run(&rt, |root| {
        use pl_runtime::{DType, TensorCreateInfo, bf16};
        let info = |dtype| TensorCreateInfo::new(dtype, &[3, 7]);
        let infos = [
            info(DType::Bf16).init(1.5_f64.to_value()),
            info(DType::Bool).init(true.to_value()),
            info(DType::I64).init((-2_i32).to_value()),
        ];
        let outputs = root.alloc_tensors(site!(), &infos)?;
        let last = [2, 6];
        assert_eq!(
            root.get::<bf16>(site!(), outputs.get_ref(0), &last)?,
            bf16::from_f32(1.5)
        );
        assert!(root.get::<bool>(site!(), outputs.get_ref(1), &last)?);
        assert_eq!(root.get::<i64>(site!(), outputs.get_ref(2), &last)?, -2);
        Ok(())
    })
    .unwrap();
}

#[test]
fn the_lazy_policy_keeps_blocks_and_the_eager_one_does_not() {
    let high_water = |reclaim| {
        let config = RunConfig {
            reclaim,
            executor: serial(),
            ..RunConfig::default()
        };
        let rt = Runtime::new(config).unwrap();
        let report = run(&rt, |root| {
            for _ in 0..50 {
                let scope = root.enter(ScopeMode::Auto, site!())?;
                alloc(&scope, site!(), 32, 16)?;
            }
            Ok(())
        });
        let report = report.unwrap();
        assert_eq!(report.heap_demand[1], 2048);
        report.heap_high_water[1]
    };
    assert_eq!(high_water(ReclaimPolicy::Lazy), 50 * 2048);
    assert_eq!(high_water(ReclaimPolicy::Eager), 2048);
}

#[test]
fn set_waits_for_readers_and_get_for_writers() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        let mut y = Array2::<u32>::zeros((4, 4));
        rt.run(&ENTRY, [EntryArg::output(&mut y).unwrap()], |root, [y]| {
            let x = alloc(root, site!(), 4, 4)?;
            for i in 1..20 {
                submit_fill(root, site!(), x, i)?;
                let args = [TaskArg::Input(x), TaskArg::OutputExisting(y)];
                submit(root, site!(), &AFFINE, &args, 0, &[])?;
                root.set(site!(), x, &[1, 1], 1000_u32)?;
                assert_eq!(root.get::<u32>(site!(), y, &[1, 1])?, 3 * i);
                assert_eq!(root.get::<u32>(site!(), x, &[1, 1])?, 1000);
                assert_eq!(root.get::<u32>(site!(), x, &[1, 2])?, i);
            }
            Ok(())
        })
        .unwrap();
    }
}
