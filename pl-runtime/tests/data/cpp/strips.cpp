#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <algorithm>

#include "pto_orchestration_api.h"

extern "C" {

__attribute__((visibility("default")))
PTO2OrchestrationConfig aicpu_orchestration_config(const ChipTaskArgs& orch_args) {
    (void)orch_args;
    return PTO2OrchestrationConfig{
        .expected_arg_count = 2,
    };
}

__attribute__((visibility("default")))
void aicpu_orchestration_entry(const ChipTaskArgs& orch_args) {
    // External tensors
    const ChipTensor& ext_x = orch_args.tensor(0).ref();
    const ChipTensor& ext_y = orch_args.tensor(1).ref();

    for (int64_t i = 0; i < 16; i += 1) {
        PTO2_SCOPE() {
            uint32_t u_ci_shapes[2] = {16, 64};
            TensorCreateInfo u_ci(u_ci_shapes, 2, DataType::FLOAT16);
            uint32_t v_ci_shapes[2] = {16, 64};
            TensorCreateInfo v_ci(v_ci_shapes, 2, DataType::FLOAT32);
            TaskOutputTensors alloc_0 = alloc_tensors(u_ci, v_ci);
            const ChipTensor& u = alloc_0.get_ref(0);
            const ChipTensor& v = alloc_0.get_ref(1);
            uint32_t strip_offsets[2] = {static_cast<uint32_t>((i * 16)), 0};
            uint32_t strip_shapes[2] = {(strip_offsets[0] >= ext_x.shapes[0] ? 0u : std::min<uint32_t>(16, ext_x.shapes[0] - strip_offsets[0])), (strip_offsets[1] >= ext_x.shapes[1] ? 0u : std::min<uint32_t>(64, ext_x.shapes[1] - strip_offsets[1]))};
            ChipTensor strip = ext_x.view(strip_shapes, strip_offsets);

            // Task 0: stage_one
            CoreTaskArgs params_t0;
            params_t0.add_input(strip);
            params_t0.add_inout(u);
            rt_submit_aiv_task(0, params_t0);

            // Task 1: stage_two
            CoreTaskArgs params_t1;
            params_t1.add_input(u);
            params_t1.add_inout(v);
            rt_submit_aiv_task(1, params_t1);
            PTO2_SCOPE() {
                uint32_t w_ci_shapes[2] = {16, 1};
                TensorCreateInfo w_ci(w_ci_shapes, 2, DataType::FLOAT32);
                TaskOutputTensors alloc_1 = alloc_tensors(w_ci);
                const ChipTensor& w = alloc_1.get_ref(0);

                // Task 2: reduce
                CoreTaskArgs params_t2;
                params_t2.add_input(v);
                params_t2.add_inout(w);
                rt_submit_aiv_task(2, params_t2);

                // Task 3: fold
                CoreTaskArgs params_t3;
                params_t3.add_input(w);
                params_t3.add_inout(ext_y);
                rt_submit_aiv_task(3, params_t3);
            }
        }
    }
}

}  // extern "C"
