//! Shown: Cpp
//! Names of device orchestration source.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, n: usize, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

mod c186_parameters_of_like_names_stay_distinct {
    #[pl::jit]
    fn f(out_0: Tensor<f32, 64>, out_1: Out<Tensor<f32, 64>>, ext_out_0: usize) {
        k(out_0, ext_out_0, out_1);
    }
    //= // External tensors
    //= const ChipTensor& ext_out_0 = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_out_1 = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t ext_out_0_1 = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_out_0);
    //=     params_t0.add_output(ext_out_1);
    //=     params_t0.add_scalar(ext_out_0_1);
    //=     rt_submit_aiv_task(0, params_t0);
    //= }
}

mod words_of_cpp_and_of_the_interface_get_numbers {
    #[pl::jit]
    fn f(int: usize, and: usize, ext_x: usize, x: Tensor<f32, 64>, r#struct: Out<Tensor<f32, 64>>) {
        let orch_args = int + 1;
        let params_t0 = and + orch_args;
        let alloc_0 = create_tensor::<f32>([64]);
        let double = params_t0 + ext_x;
        k(x, double, alloc_0);
        k(alloc_0, double, r#struct);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_struct = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t int_1 = from_u64<uint64_t>(orch_args.scalar(0));
    //= uint64_t and_1 = from_u64<uint64_t>(orch_args.scalar(1));
    //= uint64_t ext_x_1 = from_u64<uint64_t>(orch_args.scalar(2));
    //=
    //= PTO2_SCOPE() {
    //=     uint64_t orch_args_1 = (int_1 + 1);
    //=     uint64_t v_params_t0 = (and_1 + orch_args_1);
    //=     uint32_t alloc_0_1_ci_shapes[1] = {64};
    //=     TensorCreateInfo alloc_0_1_ci(alloc_0_1_ci_shapes, 1, DataType::FLOAT32);
    //=     TaskOutputTensors alloc_0 = alloc_tensors(alloc_0_1_ci);
    //=     const ChipTensor& alloc_0_1 = alloc_0.get_ref(0);
    //=     uint64_t double_1 = (v_params_t0 + ext_x_1);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(alloc_0_1);
    //=     params_t0.add_scalar(double_1);
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(alloc_0_1);
    //=     params_t1.add_output(ext_struct);
    //=     params_t1.add_scalar(double_1);
    //=     rt_submit_aiv_task(0, params_t1);
    //= }
}

mod letters_that_are_not_ascii_are_spelled {
    #[pl::jit]
    fn f(größe: usize, __x: Tensor<f32, 64>, _Y: Out<Tensor<f32, 64>>) {
        let __twice__ = größe * 2;
        k(__x, __twice__, _Y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_Y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t gruf6udfe = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=     uint64_t _twice_ = (gruf6udfe * 2);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(ext_Y);
    //=     params_t0.add_scalar(_twice_);
    //=     rt_submit_aiv_task(0, params_t0);
    //= }
}

mod a_name_is_met_once_in_a_source {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let n = n + 1;
        for i in 0..n {
            let n = i;
            k(x, n, y);
        }
        for i in 0..n {
            k(x, i, y);
        }
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=     uint64_t n_1 = (n + 1);
    //=     for (uint64_t i = 0; i < n_1; i += 1) {
    //=         PTO2_SCOPE() {
    //=
    //=             // Task 0: k
    //=             CoreTaskArgs params_t0;
    //=             params_t0.add_input(ext_x);
    //=             params_t0.add_inout(ext_y);
    //=             params_t0.add_scalar(i);
    //=             rt_submit_aiv_task(0, params_t0);
    //=         }
    //=     }
    //=     for (uint64_t i_1 = 0; i_1 < n_1; i_1 += 1) {
    //=         PTO2_SCOPE() {
    //=
    //=             // Task 1: k
    //=             CoreTaskArgs params_t1;
    //=             params_t1.add_input(ext_x);
    //=             params_t1.add_inout(ext_y);
    //=             params_t1.add_scalar(i_1);
    //=             rt_submit_aiv_task(0, params_t1);
    //=         }
    //=     }
    //= }
}
