//! Kernels and shorthands for the tests.
#![allow(dead_code, reason = "each test binary uses its part")]

use pl_runtime::{
    Access, DType, EntryArg, Error, Executor, KernelInfo, OperationError, ParamInfo, RunConfig,
    Runtime, Scope, ScopeMode, Scratch, SerialOrder, Site, TaskArg, TaskArgs, TaskId,
    TaskOutputTensors, TaskSpec, Tensor, TensorCreateInfo, tile,
};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) type Outcome<T = ()> = Result<T, Error>;

#[allow(unused_macros, reason = "each test binary uses its part")]
macro_rules! site {
    () => {
        pl_runtime::Site::new(file!(), line!())
    };
}

pub(crate) const fn kernel(
    name: &'static str,
    line: u32,
    params: &'static [ParamInfo],
) -> KernelInfo {
    KernelInfo {
        name,
        file: "kernels.rs",
        line,
        params,
    }
}

const A: ParamInfo = ParamInfo {
    name: "a",
    access: Access::Read,
};
const X: ParamInfo = ParamInfo {
    name: "x",
    access: Access::ReadWrite,
};
const O: ParamInfo = ParamInfo {
    name: "o",
    access: Access::Write,
};

pub(crate) static ENTRY: KernelInfo = kernel("entry", 1, &[]);
pub(crate) static FILL: KernelInfo = kernel("fill", 10, &[O]);
pub(crate) static AFFINE: KernelInfo = kernel("affine", 20, &[A, O]);
pub(crate) static UPDATE: KernelInfo = kernel("update", 30, &[A, X]);
pub(crate) static UNLUCKY: KernelInfo = kernel("unlucky", 40, &[A]);
pub(crate) static REFUSES: KernelInfo = kernel("refuses", 50, &[A]);
pub(crate) static NOTHING: KernelInfo = kernel("nothing", 60, &[]);
pub(crate) static GATED: KernelInfo = kernel("gated", 70, &[X]);
const K: Site = Site::new("kernels.rs", 5);

/// `o = k`
pub(crate) fn fill(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let o = args.tensor(0);
    tile::store(
        core,
        K,
        o,
        tile::full(core, K, DType::U32, o.dims(), args.scalar::<u32>(0))?,
    )
}

/// `o = 3 * a + k`
pub(crate) fn affine(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let a = tile::mul(core, K, tile::load(core, K, args.tensor(0))?, 3_u32)?;
    tile::store(
        core,
        K,
        args.tensor(1),
        tile::add(core, K, a, args.scalar::<u32>(0))?,
    )
}

/// `x = 5 * x + a + k`
pub(crate) fn update(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let x = tile::mul(core, K, tile::load(core, K, args.tensor(1))?, 5_u32)?;
    let x = tile::add(core, K, x, tile::load(core, K, args.tensor(0))?)?;
    tile::store(
        core,
        K,
        args.tensor(1),
        tile::add(core, K, x, args.scalar::<u32>(0))?,
    )
}

/// Panics if the first element of `a` is a multiple of the scalar.
pub(crate) fn unlucky(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let value: u32 = tile::load(core, K, args.tensor(0))?.get(K, &[0, 0])?;
    assert!(
        !value.is_multiple_of(args.scalar::<u32>(0)),
        "unlucky {value}"
    );
    Ok(())
}

/// Stores into its input.
pub(crate) fn refuses(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let a = tile::load(core, K, args.tensor(0))?;
    tile::store(core, Site::new("kernels.rs", 51), args.tensor(0), a)
}

#[allow(clippy::unnecessary_wraps, reason = "a kernel")]
pub(crate) fn nothing(_: &Scratch<'_>, _: &TaskArgs<'_>) -> Result<(), OperationError> {
    Ok(())
}

/// Set while a [`gated`] task may go on.
pub(crate) static GATE: AtomicU32 = AtomicU32::new(0);
/// Number of [`gated`] tasks that have ended.
pub(crate) static PASSED: AtomicU32 = AtomicU32::new(0);

/// Waits for the gate; then `x = x + 1`.
pub(crate) fn gated(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    while GATE.load(Ordering::Acquire) == 0 {
        std::thread::yield_now();
    }
    let x = tile::load(core, K, args.tensor(0))?;
    tile::store(core, K, args.tensor(0), tile::add(core, K, x, 1_u32)?)?;
    PASSED.fetch_add(1, Ordering::AcqRel);
    Ok(())
}

pub(crate) fn info(rows: usize, columns: usize) -> TensorCreateInfo {
    TensorCreateInfo::new(DType::U32, &[rows, columns])
}

pub(crate) fn alloc<'s>(
    scope: &'s Scope<'_>,
    site: Site,
    rows: usize,
    columns: usize,
) -> Outcome<Tensor<'s>> {
    Ok(scope
        .alloc_tensors(site, &[info(rows, columns)])?
        .get_ref(0))
}

/// Submits a task with one scalar.
pub(crate) fn submit<'s>(
    scope: &'s Scope<'_>,
    site: Site,
    kernel: &'static KernelInfo,
    args: &[TaskArg<'_>],
    scalar: u32,
    deps: &[TaskId<'_>],
) -> Outcome<TaskOutputTensors<'s>> {
    use pl_runtime::Scalar;
    let run = match kernel.name {
        "fill" => fill,
        "affine" => affine,
        "update" => update,
        "unlucky" => unlucky,
        "refuses" => refuses,
        "gated" => gated,
        _ => nothing,
    };
    scope.submit(
        site,
        TaskSpec::new(kernel, run, args, &[scalar.to_value()]).deps(deps),
    )
}

/// Submits `x = k`.
pub(crate) fn submit_fill<'s>(
    scope: &'s Scope<'_>,
    site: Site,
    x: Tensor<'_>,
    k: u32,
) -> Outcome<TaskOutputTensors<'s>> {
    submit(scope, site, &FILL, &[TaskArg::OutputExisting(x)], k, &[])
}

pub(crate) fn serial() -> Executor {
    Executor::Serial {
        order: SerialOrder::ProgramOrder,
    }
}

pub(crate) fn random(seed: u64) -> Executor {
    Executor::Serial {
        order: SerialOrder::Random(seed),
    }
}

pub(crate) fn threads(threads: usize) -> Executor {
    Executor::Threads { threads }
}

pub(crate) const EXECUTORS: [Executor; 6] = [
    Executor::Serial {
        order: SerialOrder::ProgramOrder,
    },
    Executor::Serial {
        order: SerialOrder::Random(1),
    },
    Executor::Serial {
        order: SerialOrder::Random(2),
    },
    Executor::Threads { threads: 1 },
    Executor::Threads { threads: 2 },
    Executor::Threads { threads: 4 },
];

pub(crate) fn runtime(heap: u64, window: u32, executor: Executor) -> Runtime {
    let config = RunConfig {
        ring_heap: heap.into(),
        ring_task_window: window.into(),
        executor,
        ..RunConfig::default()
    };
    Runtime::new(config).unwrap()
}

/// Runs an orchestration without arguments.
pub(crate) fn run(
    runtime: &Runtime,
    body: impl for<'r> FnOnce(&'r Scope<'r>) -> Outcome,
) -> Outcome<pl_runtime::RunReport> {
    runtime.run(&ENTRY, [], |scope, []| body(scope))
}

/// Runs `n` pairs of dependent tasks.
pub(crate) fn little(rt: &Runtime, n: u32) -> u32 {
    let mut x = ndarray::Array2::<u32>::zeros((4, 4));
    rt.run(&ENTRY, [EntryArg::inout(&mut x).unwrap()], |root, [x]| {
        for i in 0..n {
            let scope = root.enter(ScopeMode::Auto, site!())?;
            let t = alloc(&scope, site!(), 4, 4)?;
            submit(
                &scope,
                site!(),
                &AFFINE,
                &[TaskArg::Input(x), TaskArg::OutputExisting(t)],
                i,
                &[],
            )?;
            submit(
                &scope,
                site!(),
                &AFFINE,
                &[TaskArg::Input(t), TaskArg::OutputExisting(x)],
                1,
                &[],
            )?;
        }
        Ok(())
    })
    .unwrap();
    x[[3, 3]]
}

/// What [`little`] computes.
pub(crate) fn expected(n: u32) -> u32 {
    (0..n).fold(0_u32, |x, i| {
        x.wrapping_mul(3)
            .wrapping_add(i)
            .wrapping_mul(3)
            .wrapping_add(1)
    })
}

/// Fails unless the message holds all parts.
#[track_caller]
pub(crate) fn says(error: &Error, parts: &[&str]) {
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

/// Submits `n` tasks that do nothing.
pub(crate) fn nothings(scope: &Scope<'_>, n: usize) -> Outcome {
    (0..n).try_for_each(|_| submit(scope, site!(), &NOTHING, &[], 0, &[]).map(|_| ()))
}

pub(crate) fn zero() -> pl_runtime::ScalarValue {
    pl_runtime::Scalar::to_value(0_u32)
}

const ALONE: &str = "PL_TEST_ALONE";

/// Runs a test of this binary, `module::test`, in a process of its own that a shell `setup` came before.
pub(crate) fn in_a_process(test: &str, setup: &str) -> Output {
    Command::new("sh")
        .args([
            "-c",
            &format!("{setup} exec \"$0\" --exact {test} --nocapture"),
        ])
        .arg(std::env::current_exe().unwrap())
        .env(ALONE, "1")
        .output()
        .unwrap()
}

/// Whether this is the process that [`in_a_process`] started.
pub(crate) fn is_the_process() -> bool {
    std::env::var_os(ALONE).is_some()
}
