//! `Executor::Timing`: when tasks run, to the nanosecond; what is known without arithmetic; and that
//! everything else is as on the executors that compute.

mod attention;
mod operations;
mod schedule;
mod shapes;
mod values;

use crate::common::{ENTRY, Outcome, kernel};
use pl_runtime::{
    DType, EntryArg, Executor, KernelInfo, MachineModel, MatrixRate, OperationError,
    OrchestratorCost, RunConfig, RunReport, Runtime, Scalar, Scope, Scratch, Site, TaskArg,
    TaskArgs, TaskSpec, Tensor, Timing, tile,
};

const SITE: Site = Site::new("src/program.rs", 7);

/// One vector of 64 `f32` in a nanosecond, one multiply-add in a nanosecond, calls take nothing. A copy of a
/// few bytes takes one nanosecond.
const SIMPLE: MachineModel = MachineModel {
    clusters: 1,
    clock_mhz: 1000,
    vector_bytes: 256,
    matrix: MatrixRate {
        f32: 1,
        ..MachineModel::a2a3().matrix
    },
    operation_cycles: 0,
    dma_latency_ns: 0,
    core_bandwidth: u32::MAX,
    memory_bandwidth: u32::MAX,
    orchestrator: OrchestratorCost::FREE,
};

static WORK: KernelInfo = kernel("work", 10, &[]);
static PRODUCT: KernelInfo = kernel("product", 20, &[]);
static BOTH: KernelInfo = kernel("both", 30, &[]);

/// Takes as many nanoseconds of vector work as the scalar says.
fn work(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let ns = args.scalar::<u32>(0) as usize;
    tile::zeros(core, SITE, DType::F32, &[ns, 64])?;
    Ok(())
}

/// As many nanoseconds as the scalar and the number of the block say.
fn block_work(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let ns = (args.scalar::<u32>(0) + args.block_idx()) as usize;
    tile::zeros(core, SITE, DType::F32, &[ns, 64])?;
    Ok(())
}

/// As many nanoseconds of matrix products as tensor 0, a row, has elements, and one for its copy.
fn product(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    let x = tile::load(core, SITE, args.tensor(0))?;
    tile::dot(core, SITE, x, tile::transpose(core, SITE, x)?)?;
    Ok(())
}

/// Both.
fn both(core: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    product(core, args)?;
    work(core, args)
}

fn simulate(machine: MachineModel) -> RunConfig {
    RunConfig {
        executor: Executor::Timing,
        machine,
        enable_task_times: true,
        ..RunConfig::default()
    }
}

/// Runs an orchestration that gets a row of `n` elements that it may write.
fn run_with(
    config: RunConfig,
    n: usize,
    body: impl for<'r> FnOnce(&'r Scope<'r>, Tensor<'r>) -> Outcome,
) -> Outcome<RunReport> {
    let rt = Runtime::new(config).unwrap();
    let x = EntryArg::inout::<f32, 2>(pl_runtime::shape([1, n])).unwrap();
    rt.run(&ENTRY, [x], |scope, [x]| body(scope, x))
}

/// The times of such a run.
fn time(
    config: RunConfig,
    body: impl for<'r> FnOnce(&'r Scope<'r>, Tensor<'r>) -> Outcome,
) -> Timing {
    run_with(config, 100, body).unwrap().timing.unwrap()
}

/// Submits vector work.
fn submit(scope: &Scope<'_>, args: &[TaskArg<'_>], ns: u32) -> Outcome {
    scope.submit(SITE, TaskSpec::new(&WORK, work, args, &[ns.to_value()]))?;
    Ok(())
}
