#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "pto_orchestration_api.h"

extern "C" {

__attribute__((visibility("default")))
PTO2OrchestrationConfig aicpu_orchestration_config(const ChipTaskArgs& orch_args) {
    (void)orch_args;
    return PTO2OrchestrationConfig{
        .expected_arg_count = 3,
    };
}

__attribute__((visibility("default")))
void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {
    // External tensors
    const ChipTensor& ext_x = orch_args.tensor(0).ref();
    const ChipTensor& ext_y = orch_args.tensor(1).ref();

    // Scalar params
    int64_t mode = from_u64<int64_t>(orch_args.scalar(0));

    PTO2_SCOPE() {
        uint32_t acc_ci_shapes[1] = {256};
        TensorCreateInfo acc_ci(acc_ci_shapes, 1, DataType::FLOAT32);
        acc_ci.set_initial_value(0);
        TaskOutputTensors alloc_0 = alloc_tensors(acc_ci);
        const ChipTensor& acc = alloc_0.get_ref(0);
        PTO2_SCOPE(PTO2ScopeMode::MANUAL) {

            // Task 0: left_half
            CoreTaskArgs params_t0;
            params_t0.add_input(ext_x);
            params_t0.add_output(acc);
            TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);
            PTO2TaskId left = task_0_outs.task_id();

            // Task 1: right_half
            CoreTaskArgs params_t1;
            params_t1.add_input(ext_x);
            params_t1.add_inout(ext_y);
            TaskOutputTensors task_1_outs = rt_submit_aiv_task(1, params_t1);
            PTO2TaskId right = task_1_outs.task_id();

            // Task 2: combine
            CoreTaskArgs params_t2;
            params_t2.add_input(acc);
            params_t2.add_inout(ext_y);
            PTO2TaskId params_t2_deps[2];
            uint32_t params_t2_deps_count = 0;
            params_t2_deps[params_t2_deps_count++] = left;
            params_t2_deps[params_t2_deps_count++] = right;
            params_t2.set_dependencies(params_t2_deps, params_t2_deps_count);
            TaskOutputTensors task_2_outs = rt_submit_aiv_task(2, params_t2);
        }
        if ((mode == 0)) {
            PTO2_SCOPE() {

                // Task 3: bump
                CoreTaskArgs params_t3;
                params_t3.add_inout(ext_y);
                params_t3.add_scalar((uint64_t)1);
                rt_submit_aiv_task(3, params_t3);
            }
        } else {
            PTO2_SCOPE() {

                // Task 4: bump
                CoreTaskArgs params_t4;
                params_t4.add_inout(ext_y);
                params_t4.add_scalar((uint64_t)2);
                rt_submit_aiv_task(3, params_t4);
            }
        }
    }
}

}  // extern "C"
