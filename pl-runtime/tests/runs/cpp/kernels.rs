//! Kernels of C++.

use super::*;
use ndarray::array;

/// Runs `probe.cpp` on a tensor of 2 by 2, for each block and sub-block an element.
fn probe(submit: &str, scalar: i32) -> Result<Array2<i32>, CppError> {
    let source = orchestration(&format!(
        "const ChipTensor& y = args.tensor(0).ref(); CoreTaskArgs p; p.add_inout(y);
         p.add_scalar(from_u64<int32_t>(args.scalar(0))); {submit}"
    ));
    let mut kernels = Kernels::none();
    let library = kernel("probe.cpp");
    kernels.insert_cpp(3, &library);
    kernels.insert_cpp(4, &library);
    let runtime = Runtime::new(RunConfig::default()).unwrap();
    let mut y = Array2::<i32>::zeros((2, 2));
    let mut args = [EntryArg::inout::<i32, 2>(&mut y).unwrap()];
    let bits = u64::from(scalar as u32);
    source.run(&runtime, &kernels, &mut args, &[bits])?;
    Ok(y)
}

#[test]
fn a_kernel_gets_its_tensors_its_scalars_and_its_block() {
    let y = probe("rt_submit_aiv_task(3, p);", -7).unwrap();
    assert_eq!(y, array![[993, 0], [0, 0]]);
    let blocks = "p.launch_spec.set_block_num(2); rt_submit_aic_task(3, p);";
    let y = probe(blocks, 1).unwrap();
    assert_eq!(y, array![[2001, 0], [2101, 0]]);
}

#[test]
fn the_kernels_of_a_mixed_task_get_the_same_arguments_and_their_sub_block() {
    let mixed = "MixedKernels m = {INVALID_KERNEL_ID, 3, 4}; rt_submit_task(m, p);";
    assert_eq!(probe(mixed, 1).unwrap(), array![[1001, 1011], [0, 0]]);
    // AIC has sub-block 0, as AIV0.
    let mixed = "MixedKernels m = {3, 4, 4}; rt_submit_task(m, p);";
    assert_eq!(probe(mixed, 1).unwrap(), array![[2002, 1011], [0, 0]]);
    let alone = "MixedKernels m = {INVALID_KERNEL_ID, INVALID_KERNEL_ID, 3}; rt_submit_task(m, p);";
    assert_eq!(probe(alone, 1).unwrap(), array![[1001, 0], [0, 0]]);
}

#[test]
fn what_a_kernel_throws_fails_its_task() {
    for (scalar, part) in [(13, "transpose"), (14, "no std::exception")] {
        let error = probe("rt_submit_aiv_task(3, p);", scalar)
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("orch_error_code=200 "), "{error}");
        for part in [part, "probe", "kernel_entry"] {
            assert!(error.contains(part), "{part}: {error}");
        }
    }
}

#[test]
fn a_number_without_a_kernel_is_a_task_that_does_nothing() {
    let y = probe("rt_submit_aiv_task(9, p);", 1).unwrap();
    assert_eq!(y, Array2::<i32>::zeros((2, 2)));
}

#[test]
fn under_timing_kernels_of_cpp_do_nothing() {
    let source = orchestration(
        "const ChipTensor& y = args.tensor(0).ref(); CoreTaskArgs p; p.add_inout(y); p.add_scalar(1);
         rt_submit_aiv_task(3, p);",
    );
    let mut kernels = Kernels::none();
    kernels.insert_cpp(3, &kernel("probe.cpp"));
    let config = RunConfig {
        executor: pl_runtime::Executor::Timing,
        ..RunConfig::default()
    };
    let runtime = Runtime::new(config).unwrap();
    let shape = pl_runtime::shape::<i32>([1 << 20, 1 << 10]);
    let mut args = [EntryArg::inout::<i32, 2>(shape).unwrap()];
    let report = source.run(&runtime, &kernels, &mut args, &[]).unwrap();
    assert_eq!(report.kernel_tasks, [1, 0, 0, 0]);
}
