//! Shown: Cpp
//! Allocations of device orchestration source: which creates share a call, where it stands, what they are named.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn create(n: usize) -> Tensor<f32, _> {
    create_tensor::<f32>([n])
}

mod c165_a_create_and_two_calls_in_cpp {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        k(x, t);
        k(t, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t t_ci_shapes[1] = {64};
    //=     TensorCreateInfo t_ci(t_ci_shapes, 1, DataType::FLOAT32);
    //=     TaskOutputTensors alloc_0 = alloc_tensors(t_ci);
    //=     const ChipTensor& t = alloc_0.get_ref(0);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(t);
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(t);
    //=     params_t1.add_output(ext_y);
    //=     rt_submit_aiv_task(0, params_t1);
    //= }
}

mod c166_initial_values_have_the_type_of_the_elements {
    #[pl::jit]
    fn f(n: i32, a: f32, h: f16, b: bf16, on: bool, x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let zero = create_tensor::<f32>([4]).init(0.0);
        let half = create_tensor::<f32>([4]).init(0.5);
        let three = create_tensor::<f32>([4]).init(3.0);
        let least = create_tensor::<f32>([4]).init(-1e30);
        let count = create_tensor::<i64>([4]).init(-7);
        let bits = create_tensor::<u8>([4]).init(200);
        let half_given = create_tensor::<f16>([4]).init(h);
        let brain_given = create_tensor::<bf16>([4]).init(b);
        let truth = create_tensor::<bool>([4]).init(true);
        let given = create_tensor::<f32>([4]).init(n as f32);
        let cut = create_tensor::<i32>([4]).init(a as i32);
        let flag = create_tensor::<bool>([4]).init(on);
        k(x, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= int32_t n = from_u64<int32_t>(orch_args.scalar(0));
    //= float a = from_u64<float>(orch_args.scalar(1));
    //= uint16_t h = from_u64<uint16_t>(orch_args.scalar(2));
    //= uint16_t b = from_u64<uint16_t>(orch_args.scalar(3));
    //= bool on = from_u64<bool>(orch_args.scalar(4));
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t zero_ci_shapes[1] = {4};
    //=     TensorCreateInfo zero_ci(zero_ci_shapes, 1, DataType::FLOAT32);
    //=     zero_ci.set_initial_value(0);
    //=     uint32_t half_ci_shapes[1] = {4};
    //=     TensorCreateInfo half_ci(half_ci_shapes, 1, DataType::FLOAT32);
    //=     half_ci.set_initial_value(0.5f);
    //=     uint32_t three_ci_shapes[1] = {4};
    //=     TensorCreateInfo three_ci(three_ci_shapes, 1, DataType::FLOAT32);
    //=     three_ci.set_initial_value(3.0f);
    //=     uint32_t least_ci_shapes[1] = {4};
    //=     TensorCreateInfo least_ci(least_ci_shapes, 1, DataType::FLOAT32);
    //=     least_ci.set_initial_value(-1e30f);
    //=     uint32_t count_ci_shapes[1] = {4};
    //=     TensorCreateInfo count_ci(count_ci_shapes, 1, DataType::INT64);
    //=     count_ci.set_initial_value(static_cast<int64_t>(-7));
    //=     uint32_t bits_ci_shapes[1] = {4};
    //=     TensorCreateInfo bits_ci(bits_ci_shapes, 1, DataType::UINT8);
    //=     bits_ci.set_initial_value(static_cast<uint8_t>(200));
    //=     uint32_t half_given_ci_shapes[1] = {4};
    //=     TensorCreateInfo half_given_ci(half_given_ci_shapes, 1, DataType::FLOAT16);
    //=     half_given_ci.set_initial_value(h);
    //=     uint32_t brain_given_ci_shapes[1] = {4};
    //=     TensorCreateInfo brain_given_ci(brain_given_ci_shapes, 1, DataType::BFLOAT16);
    //=     brain_given_ci.set_initial_value(b);
    //=     uint32_t truth_ci_shapes[1] = {4};
    //=     TensorCreateInfo truth_ci(truth_ci_shapes, 1, DataType::BOOL);
    //=     truth_ci.set_initial_value(static_cast<uint8_t>(1));
    //=     uint32_t given_ci_shapes[1] = {4};
    //=     TensorCreateInfo given_ci(given_ci_shapes, 1, DataType::FLOAT32);
    //=     given_ci.set_initial_value(static_cast<float>(n));
    //=     uint32_t cut_ci_shapes[1] = {4};
    //=     TensorCreateInfo cut_ci(cut_ci_shapes, 1, DataType::INT32);
    //=     cut_ci.set_initial_value(float_to_int<int32_t>(a));
    //=     uint32_t flag_ci_shapes[1] = {4};
    //=     TensorCreateInfo flag_ci(flag_ci_shapes, 1, DataType::BOOL);
    //=     flag_ci.set_initial_value(static_cast<uint8_t>(on));
    //=     alloc_tensors(zero_ci, half_ci, three_ci, least_ci, count_ci, bits_ci, half_given_ci, brain_given_ci, truth_ci, given_ci, cut_ci, flag_ci);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(ext_y);
    //=     rt_submit_aiv_task(0, params_t0);
    //= }
}

mod c170_c171_creates_of_a_scope_share_a_call_and_loop_bodies_have_their_own {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let a = create_tensor::<f32>([64]);
        let b = create_tensor::<f32>([64]);
        k(x, a);
        k(a, b);
        for _ in 0..4 {
            let c = create_tensor::<f32>([64]);
            k(b, c);
            k(c, y);
        }
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t a_ci_shapes[1] = {64};
    //=     TensorCreateInfo a_ci(a_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t b_ci_shapes[1] = {64};
    //=     TensorCreateInfo b_ci(b_ci_shapes, 1, DataType::FLOAT32);
    //=     TaskOutputTensors alloc_0 = alloc_tensors(a_ci, b_ci);
    //=     const ChipTensor& a = alloc_0.get_ref(0);
    //=     const ChipTensor& b = alloc_0.get_ref(1);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(a);
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(a);
    //=     params_t1.add_output(b);
    //=     rt_submit_aiv_task(0, params_t1);
    //=     for (int32_t i = 0; i < 4; i += 1) {
    //=         PTO2_SCOPE() {
    //=             uint32_t c_ci_shapes[1] = {64};
    //=             TensorCreateInfo c_ci(c_ci_shapes, 1, DataType::FLOAT32);
    //=             TaskOutputTensors alloc_1 = alloc_tensors(c_ci);
    //=             const ChipTensor& c = alloc_1.get_ref(0);
    //=
    //=             // Task 2: k
    //=             CoreTaskArgs params_t2;
    //=             params_t2.add_input(b);
    //=             params_t2.add_inout(c);
    //=             rt_submit_aiv_task(0, params_t2);
    //=
    //=             // Task 3: k
    //=             CoreTaskArgs params_t3;
    //=             params_t3.add_input(c);
    //=             params_t3.add_inout(ext_y);
    //=             rt_submit_aiv_task(0, params_t3);
    //=         }
    //=     }
    //= }
}

mod c172_more_than_sixteen_creates_are_two_calls {
    #[pl::jit]
    fn f(x: Tensor<f32, 1>, y: Out<Tensor<f32, 1>>) {
        let a0 = create_tensor::<f32>([1]); let a1 = create_tensor::<f32>([1]);
        let a2 = create_tensor::<f32>([1]); let a3 = create_tensor::<f32>([1]);
        let a4 = create_tensor::<f32>([1]); let a5 = create_tensor::<f32>([1]);
        let a6 = create_tensor::<f32>([1]); let a7 = create_tensor::<f32>([1]);
        let a8 = create_tensor::<f32>([1]); let a9 = create_tensor::<f32>([1]);
        let b0 = create_tensor::<f32>([1]); let b1 = create_tensor::<f32>([1]);
        let b2 = create_tensor::<f32>([1]); let b3 = create_tensor::<f32>([1]);
        let b4 = create_tensor::<f32>([1]); let b5 = create_tensor::<f32>([1]);
        let last = create_tensor::<f32>([1]);
        k(x, b5);
        k(b5, last);
        k(last, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t a0_ci_shapes[1] = {1};
    //=     TensorCreateInfo a0_ci(a0_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t a1_ci_shapes[1] = {1};
    //=     TensorCreateInfo a1_ci(a1_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t a2_ci_shapes[1] = {1};
    //=     TensorCreateInfo a2_ci(a2_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t a3_ci_shapes[1] = {1};
    //=     TensorCreateInfo a3_ci(a3_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t a4_ci_shapes[1] = {1};
    //=     TensorCreateInfo a4_ci(a4_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t a5_ci_shapes[1] = {1};
    //=     TensorCreateInfo a5_ci(a5_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t a6_ci_shapes[1] = {1};
    //=     TensorCreateInfo a6_ci(a6_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t a7_ci_shapes[1] = {1};
    //=     TensorCreateInfo a7_ci(a7_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t a8_ci_shapes[1] = {1};
    //=     TensorCreateInfo a8_ci(a8_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t a9_ci_shapes[1] = {1};
    //=     TensorCreateInfo a9_ci(a9_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t b0_ci_shapes[1] = {1};
    //=     TensorCreateInfo b0_ci(b0_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t b1_ci_shapes[1] = {1};
    //=     TensorCreateInfo b1_ci(b1_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t b2_ci_shapes[1] = {1};
    //=     TensorCreateInfo b2_ci(b2_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t b3_ci_shapes[1] = {1};
    //=     TensorCreateInfo b3_ci(b3_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t b4_ci_shapes[1] = {1};
    //=     TensorCreateInfo b4_ci(b4_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t b5_ci_shapes[1] = {1};
    //=     TensorCreateInfo b5_ci(b5_ci_shapes, 1, DataType::FLOAT32);
    //=     TaskOutputTensors alloc_0 = alloc_tensors(a0_ci, a1_ci, a2_ci, a3_ci, a4_ci, a5_ci, a6_ci, a7_ci, a8_ci, a9_ci, b0_ci, b1_ci, b2_ci, b3_ci, b4_ci, b5_ci);
    //=     const ChipTensor& b5 = alloc_0.get_ref(15);
    //=     uint32_t last_ci_shapes[1] = {1};
    //=     TensorCreateInfo last_ci(last_ci_shapes, 1, DataType::FLOAT32);
    //=     TaskOutputTensors alloc_1 = alloc_tensors(last_ci);
    //=     const ChipTensor& last = alloc_1.get_ref(0);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(b5);
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(b5);
    //=     params_t1.add_output(last);
    //=     rt_submit_aiv_task(0, params_t1);
    //=
    //=     // Task 2: k
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_input(last);
    //=     params_t2.add_output(ext_y);
    //=     rt_submit_aiv_task(0, params_t2);
    //= }
}

mod c173_a_create_stays_behind_the_value_that_its_shape_needs {
    #[pl::jit]
    fn f(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        let a = create_tensor::<f32>([4]);
        let n = x.dim(0) * 2;
        let b = create_tensor::<f32>([n]);
        k(x, a);
        k(a, b);
        k(b, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t a_ci_shapes[1] = {4};
    //=     TensorCreateInfo a_ci(a_ci_shapes, 1, DataType::FLOAT32);
    //=     TaskOutputTensors alloc_0 = alloc_tensors(a_ci);
    //=     const ChipTensor& a = alloc_0.get_ref(0);
    //=     uint64_t n = (static_cast<uint64_t>(ext_x.shapes[0]) * 2);
    //=     uint32_t b_ci_shapes[1] = {static_cast<uint32_t>(n)};
    //=     TensorCreateInfo b_ci(b_ci_shapes, 1, DataType::FLOAT32);
    //=     TaskOutputTensors alloc_1 = alloc_tensors(b_ci);
    //=     const ChipTensor& b = alloc_1.get_ref(0);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(a);
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(a);
    //=     params_t1.add_output(b);
    //=     rt_submit_aiv_task(0, params_t1);
    //=
    //=     // Task 2: k
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_input(b);
    //=     params_t2.add_output(ext_y);
    //=     rt_submit_aiv_task(0, params_t2);
    //= }
}

mod c174_manual_dep_is_an_argument {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]).init(1.0).manual_dep();
        k(x, t);
        k(t, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t t_ci_shapes[1] = {64};
    //=     TensorCreateInfo t_ci(t_ci_shapes, 1, DataType::FLOAT32, /*manual_dep=*/true);
    //=     t_ci.set_initial_value(1.0f);
    //=     TaskOutputTensors alloc_0 = alloc_tensors(t_ci);
    //=     const ChipTensor& t = alloc_0.get_ref(0);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(t);
    //=     TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);
    //=     PTO2TaskId k_id = task_0_outs.task_id();
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(t);
    //=     params_t1.add_output(ext_y);
    //=     PTO2TaskId params_t1_deps[1];
    //=     uint32_t params_t1_deps_count = 0;
    //=     params_t1_deps[params_t1_deps_count++] = k_id;
    //=     params_t1.set_dependencies(params_t1_deps, params_t1_deps_count);
    //=     rt_submit_aiv_task(0, params_t1);
    //= }
}

mod c177_a_create_in_a_manual_scope_is_made_in_it {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let before = create_tensor::<f32>([64]);
        manual_scope!({
            let inside = create_tensor::<f32>([64]);
            let t = submit!(k(x, inside));
            submit!(k(inside, before), deps = [t]);
        });
        k(before, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t before_ci_shapes[1] = {64};
    //=     TensorCreateInfo before_ci(before_ci_shapes, 1, DataType::FLOAT32);
    //=     TaskOutputTensors alloc_0 = alloc_tensors(before_ci);
    //=     const ChipTensor& before = alloc_0.get_ref(0);
    //=     PTO2TaskId k_id = PTO2TaskId::invalid();
    //=     PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
    //=         uint32_t inside_ci_shapes[1] = {64};
    //=         TensorCreateInfo inside_ci(inside_ci_shapes, 1, DataType::FLOAT32);
    //=         TaskOutputTensors alloc_1 = alloc_tensors(inside_ci);
    //=         const ChipTensor& inside = alloc_1.get_ref(0);
    //=
    //=         // Task 0: k
    //=         CoreTaskArgs params_t0;
    //=         params_t0.add_input(ext_x);
    //=         params_t0.add_output(inside);
    //=         TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);
    //=         PTO2TaskId t = task_0_outs.task_id();
    //=
    //=         // Task 1: k
    //=         CoreTaskArgs params_t1;
    //=         params_t1.add_input(inside);
    //=         params_t1.add_output(before);
    //=         PTO2TaskId params_t1_deps[1];
    //=         uint32_t params_t1_deps_count = 0;
    //=         params_t1_deps[params_t1_deps_count++] = t;
    //=         params_t1.set_dependencies(params_t1_deps, params_t1_deps_count);
    //=         TaskOutputTensors task_1_outs = rt_submit_aiv_task(0, params_t1);
    //=         k_id = task_1_outs.task_id();
    //=     }
    //=
    //=     // Task 2: k
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_input(before);
    //=     params_t2.add_output(ext_y);
    //=     PTO2TaskId params_t2_deps[1];
    //=     uint32_t params_t2_deps_count = 0;
    //=     if (k_id.is_valid()) params_t2_deps[params_t2_deps_count++] = k_id;
    //=     params_t2.set_dependencies(params_t2_deps, params_t2_deps_count);
    //=     rt_submit_aiv_task(0, params_t2);
    //= }
}

mod c187_creates_of_one_name_get_numbers {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let out = create(64);
        k(x, out);
        let out = create(32);
        let out_1 = create(16);
        k(x, out);
        k(out, out_1);
        k(out_1, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=     uint64_t n = 64;
    //=     uint32_t out_ci_shapes[1] = {static_cast<uint32_t>(n)};
    //=     TensorCreateInfo out_ci(out_ci_shapes, 1, DataType::FLOAT32);
    //=     TaskOutputTensors alloc_0 = alloc_tensors(out_ci);
    //=     const ChipTensor& out = alloc_0.get_ref(0);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(out);
    //=     rt_submit_aiv_task(0, params_t0);
    //=     uint64_t n_1 = 32;
    //=     uint32_t out_1_ci_shapes[1] = {static_cast<uint32_t>(n_1)};
    //=     TensorCreateInfo out_1_ci(out_1_ci_shapes, 1, DataType::FLOAT32);
    //=     TaskOutputTensors alloc_1 = alloc_tensors(out_1_ci);
    //=     const ChipTensor& out_1 = alloc_1.get_ref(0);
    //=     uint64_t n_2 = 16;
    //=     uint32_t out_1_1_ci_shapes[1] = {static_cast<uint32_t>(n_2)};
    //=     TensorCreateInfo out_1_1_ci(out_1_1_ci_shapes, 1, DataType::FLOAT32);
    //=     TaskOutputTensors alloc_2 = alloc_tensors(out_1_1_ci);
    //=     const ChipTensor& out_1_1 = alloc_2.get_ref(0);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(ext_x);
    //=     params_t1.add_output(out_1);
    //=     rt_submit_aiv_task(0, params_t1);
    //=
    //=     // Task 2: k
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_input(out_1);
    //=     params_t2.add_output(out_1_1);
    //=     rt_submit_aiv_task(0, params_t2);
    //=
    //=     // Task 3: k
    //=     CoreTaskArgs params_t3;
    //=     params_t3.add_input(out_1_1);
    //=     params_t3.add_output(ext_y);
    //=     rt_submit_aiv_task(0, params_t3);
    //= }
}

mod calls_are_numbered_as_they_are_printed {
    #[pl::jit::inline]
    fn filled(x: Tensor<f32, 64>) -> Tensor<f32, _> {
        let t = create_tensor::<f32>([64]);
        k(x, t);
        t
    }

    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, n: usize, y: Out<Tensor<f32, 64>>) {
        for _ in 0..n {
            scope!({
                k(filled(x), y);
            });
        }
        let later = create_tensor::<f32>([64]);
        k(x, later);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= for (uint64_t i = 0; i < n; i += 1) {
    //=     PTO2_SCOPE() {
    //=         uint32_t t_ci_shapes[1] = {64};
    //=         TensorCreateInfo t_ci(t_ci_shapes, 1, DataType::FLOAT32);
    //=         TaskOutputTensors alloc_0 = alloc_tensors(t_ci);
    //=         const ChipTensor& t = alloc_0.get_ref(0);
    //=
    //=         // Task 0: k
    //=         CoreTaskArgs params_t0;
    //=         params_t0.add_input(ext_x);
    //=         params_t0.add_inout(t);
    //=         rt_submit_aiv_task(0, params_t0);
    //=
    //=         // Task 1: k
    //=         CoreTaskArgs params_t1;
    //=         params_t1.add_input(t);
    //=         params_t1.add_inout(ext_y);
    //=         rt_submit_aiv_task(0, params_t1);
    //=     }
    //= }
    //= uint32_t later_ci_shapes[1] = {64};
    //= TensorCreateInfo later_ci(later_ci_shapes, 1, DataType::FLOAT32);
    //= TaskOutputTensors alloc_1 = alloc_tensors(later_ci);
    //= const ChipTensor& later = alloc_1.get_ref(0);
    //=
    //= // Task 2: k
    //= CoreTaskArgs params_t2;
    //= params_t2.add_input(ext_x);
    //= params_t2.add_output(later);
    //= rt_submit_aiv_task(0, params_t2);
}
