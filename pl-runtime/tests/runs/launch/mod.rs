//! What a task asks for beside its arguments: declared dependencies of both kinds, blocks, cores,
//! a predicate.

mod blocks;
mod dependencies;
mod mixed;
mod predicate;
mod sync_start;

use crate::common::{Outcome, alloc, kernel, run, runtime, submit_fill};
use pl_runtime::{
    Error, Executor, KernelFn, KernelInfo, OperationError, Scope, Scratch, Site, TaskArg, TaskArgs,
    TaskSpec, Tensor,
};

const K: Site = Site::new("kernels.rs", 100);

static BLOCK: KernelInfo = kernel("block", 100, &[]);

/// Fails in block 2.
fn fails_in_2(_: &Scratch<'_>, args: &TaskArgs<'_>) -> Result<(), OperationError> {
    assert!(args.block_idx() <= 2, "a block that failed is the last");
    if args.block_idx() == 2 {
        return Err(OperationError::new("load", K, "no"));
    }
    Ok(())
}

/// The error of one task on an allocated 8x8 tensor filled with 5, on one executor.
fn refused<'a>(
    executor: Executor,
    task: impl for<'s> FnOnce(&'s Scope<'s>, Tensor<'s>) -> Outcome + 'a,
) -> Error {
    let rt = runtime(1 << 20, 64, executor);
    let error = run(&rt, |root| {
        let x = alloc(root, site!(), 8, 8)?;
        submit_fill(root, site!(), x, 5)?;
        task(root, x)
    });
    run(&rt, |root| crate::common::nothings(root, 1)).unwrap();
    error.unwrap_err()
}

fn spec<'a>(run: KernelFn, args: &'a [TaskArg<'a>]) -> TaskSpec<'a> {
    TaskSpec::new(&BLOCK, run, args, &[])
}
