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
    const ChipTensor& ext_a = orch_args.tensor(0).ref();
    const ChipTensor& ext_b = orch_args.tensor(1).ref();
    const ChipTensor& ext_y = orch_args.tensor(2).ref();

    PTO2_SCOPE() {
        uint32_t mix_ci_shapes[2] = {64, 128};
        TensorCreateInfo mix_ci(mix_ci_shapes, 2, DataType::FLOAT32);
        TaskOutputTensors alloc_0 = alloc_tensors(mix_ci);
        const ChipTensor& mix = alloc_0.get_ref(0);

        // Task 0: add_rows
        CoreTaskArgs params_t0;
        params_t0.add_input(ext_a);
        params_t0.add_input(ext_b);
        params_t0.add_output(mix);
        rt_submit_aiv_task(0, params_t0);

        // Task 1: damp
        CoreTaskArgs params_t1;
        params_t1.add_input(mix);
        params_t1.add_output(ext_y);
        params_t1.add_scalar(to_u64(0.500000f));
        rt_submit_aiv_task(1, params_t1);
    }
}

}  // extern "C"
