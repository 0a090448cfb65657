//! A program with a panic hook of its own. In a file of its own: hooks are for all threads.

#[macro_use]
#[path = "runs/common.rs"]
mod common;

use common::{EXECUTORS, UNLUCKY, alloc, nothings, run, runtime, says, submit, submit_fill};
use pl_runtime::TaskArg;
use std::panic;

#[test]
fn a_panic_in_a_kernel_names_its_last_operation_whatever_hook_the_program_sets() {
    for executor in EXECUTORS {
        let rt = runtime(1 << 20, 64, executor);
        panic::set_hook(Box::new(|_| {}));
        let error = run(&rt, |root| {
            let x = alloc(root, site!(), 4, 4)?;
            submit_fill(root, site!(), x, 12)?;
            submit(root, site!(), &UNLUCKY, &[TaskArg::Input(x)], 4, &[]).map(|_| ())
        })
        .unwrap_err();
        says(
            &error,
            &[
                "`unlucky` panicked",
                "unlucky 12",
                "last operation: `load` at kernels.rs:5",
                "submitted at",
            ],
        );
        run(&rt, |root| nothings(root, 5)).unwrap();
    }
}
