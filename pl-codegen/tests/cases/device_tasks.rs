//! Shown: Cpp
//! Tasks of device orchestration source: arguments, launches, results.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn scale(x: Tensor<f32, _>, by: f32, n: i32, y: InOut<Tensor<f32, _>>, on: bool) {
    store(y, load(x) * by);
}

#[pl::jit::incore]
fn rows(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    store(y.partition(0), load(x.partition(0)));
}

#[pl::jit::incore]
fn fresh(x: Tensor<f32, 64>) -> Tensor<f32, 64> {
    load(x) * 2.0
}

#[pl::jit::incore(dims(N))]
fn two(x: Tensor<f32, N>, y: InOut<Tensor<f32, N>>) -> (Tensor<f32, N>, Tensor<i32, 1, N>) {
    store(y, load(x));
    (load(x), full([1, x.dim(0)], 1))
}

mod c129_c130_a_plain_call_has_no_dependencies_and_no_name {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        k(x, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(ext_y);
    //=     rt_submit_aiv_task(0, params_t0);
    //= }
}

mod c131_a_region_is_a_task_of_its_own_kernel {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        at!("half", { store(y, load(x) * 0.5); });
        at!("some", { store(y.slice(s![0..n]), load(x.slice(s![0..n]))); });
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=
    //=     // Task 0: half
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_output(ext_y);
    //=     params_t0.add_input(ext_x);
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: some
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_inout(ext_y);
    //=     params_t1.add_input(ext_x);
    //=     params_t1.add_scalar(n);
    //=     rt_submit_aiv_task(1, params_t1);
    //= }
}

mod c146_what_a_kernel_returns_is_allocated_by_its_task {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
        let doubled = fresh(x);
        let ((same, ones), t) = submit!(two(doubled, y));
        submit!(k(same, y), deps = [t]);
        let (_, last) = submit!(two(x, y), deps = [t]);
        barrier([last]);
        two(x, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t params_t0_synth_out_1_shapes[1] = {64};
    //=     TensorCreateInfo params_t0_synth_out_1(params_t0_synth_out_1_shapes, 1, DataType::FLOAT32);
    //=
    //=     // Task 0: fresh
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(params_t0_synth_out_1);
    //=     TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);
    //=     const ChipTensor& doubled = task_0_outs.get_ref(0);
    //=     uint32_t params_t1_synth_out_2_shapes[1] = {doubled.shapes[0]};
    //=     TensorCreateInfo params_t1_synth_out_2(params_t1_synth_out_2_shapes, 1, DataType::FLOAT32);
    //=     uint32_t params_t1_synth_out_3_shapes[2] = {1, doubled.shapes[0]};
    //=     TensorCreateInfo params_t1_synth_out_3(params_t1_synth_out_3_shapes, 2, DataType::INT32);
    //=
    //=     // Task 1: two
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(doubled);
    //=     params_t1.add_inout(ext_y);
    //=     params_t1.add_output(params_t1_synth_out_2);
    //=     params_t1.add_output(params_t1_synth_out_3);
    //=     TaskOutputTensors task_1_outs = rt_submit_aiv_task(1, params_t1);
    //=     const ChipTensor& same = task_1_outs.get_ref(0);
    //=     PTO2TaskId t = task_1_outs.task_id();
    //=
    //=     // Task 2: k
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_input(same);
    //=     params_t2.add_inout(ext_y);
    //=     PTO2TaskId params_t2_deps[1];
    //=     uint32_t params_t2_deps_count = 0;
    //=     params_t2_deps[params_t2_deps_count++] = t;
    //=     params_t2.set_dependencies(params_t2_deps, params_t2_deps_count);
    //=     rt_submit_aiv_task(2, params_t2);
    //=     uint32_t params_t3_synth_out_2_shapes[1] = {ext_x.shapes[0]};
    //=     TensorCreateInfo params_t3_synth_out_2(params_t3_synth_out_2_shapes, 1, DataType::FLOAT32);
    //=     uint32_t params_t3_synth_out_3_shapes[2] = {1, ext_x.shapes[0]};
    //=     TensorCreateInfo params_t3_synth_out_3(params_t3_synth_out_3_shapes, 2, DataType::INT32);
    //=
    //=     // Task 3: two
    //=     CoreTaskArgs params_t3;
    //=     params_t3.add_input(ext_x);
    //=     params_t3.add_inout(ext_y);
    //=     params_t3.add_output(params_t3_synth_out_2);
    //=     params_t3.add_output(params_t3_synth_out_3);
    //=     PTO2TaskId params_t3_deps[1];
    //=     uint32_t params_t3_deps_count = 0;
    //=     params_t3_deps[params_t3_deps_count++] = t;
    //=     params_t3.set_dependencies(params_t3_deps, params_t3_deps_count);
    //=     TaskOutputTensors task_3_outs = rt_submit_aiv_task(1, params_t3);
    //=     PTO2TaskId last = task_3_outs.task_id();
    //=
    //=     // Task 4: barrier
    //=     CoreTaskArgs params_t4;
    //=     PTO2TaskId params_t4_deps[1];
    //=     uint32_t params_t4_deps_count = 0;
    //=     params_t4_deps[params_t4_deps_count++] = last;
    //=     params_t4.set_dependencies(params_t4_deps, params_t4_deps_count);
    //=     rt_submit_dummy_task(params_t4);
    //=     uint32_t params_t5_synth_out_2_shapes[1] = {ext_x.shapes[0]};
    //=     TensorCreateInfo params_t5_synth_out_2(params_t5_synth_out_2_shapes, 1, DataType::FLOAT32);
    //=     uint32_t params_t5_synth_out_3_shapes[2] = {1, ext_x.shapes[0]};
    //=     TensorCreateInfo params_t5_synth_out_3(params_t5_synth_out_3_shapes, 2, DataType::INT32);
    //=
    //=     // Task 5: two
    //=     CoreTaskArgs params_t5;
    //=     params_t5.add_input(ext_x);
    //=     params_t5.add_inout(ext_y);
    //=     params_t5.add_output(params_t5_synth_out_2);
    //=     params_t5.add_output(params_t5_synth_out_3);
    //=     rt_submit_aiv_task(1, params_t5);
    //= }
}

mod c159_c161_a_launch_says_what_is_not_usual {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64, 8>, y: Out<Tensor<f32, 64, 8>>) {
        submit!(rows(x, y));
        submit!(rows(x, y), blocks = 4, sync_start = true);
        submit!(rows(x, y), blocks = n, sync_start = false);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=
    //=     // Task 0: rows
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(ext_y);
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: rows
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(ext_x);
    //=     params_t1.add_inout(ext_y);
    //=     params_t1.launch_spec.set_block_num(4);
    //=     params_t1.launch_spec.set_require_sync_start(true);
    //=     rt_submit_aiv_task(0, params_t1);
    //=
    //=     // Task 2: rows
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_input(ext_x);
    //=     params_t2.add_inout(ext_y);
    //=     params_t2.launch_spec.set_block_num(n);
    //=     rt_submit_aiv_task(0, params_t2);
    //= }
}

mod c160_c162_c191_each_type_of_core_has_its_submission_and_ids {
    #[pl::jit]
    fn f(x: Tensor<f32, 64, 8>, y: Out<Tensor<f32, 64, 8>>) {
        submit!(rows(x, y), core_type = CoreType::Aiv);
        submit!(rows(x, y), core_type = CoreType::Aic);
        submit!(rows(x, y), core_type = CoreType::Mix, blocks = 2);
        submit!(rows(x, y), core_type = CoreType::Mix);
        rows(x, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=
    //=     // Task 0: rows
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(ext_y);
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: rows
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(ext_x);
    //=     params_t1.add_inout(ext_y);
    //=     rt_submit_aic_task(1, params_t1);
    //=
    //=     // Task 2: rows
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_input(ext_x);
    //=     params_t2.add_inout(ext_y);
    //=     params_t2.launch_spec.set_block_num(2);
    //=     MixedKernels mixed_2 = {2, 3, 3};
    //=     rt_submit_task(mixed_2, params_t2);
    //=
    //=     // Task 3: rows
    //=     CoreTaskArgs params_t3;
    //=     params_t3.add_input(ext_x);
    //=     params_t3.add_inout(ext_y);
    //=     MixedKernels mixed_3 = {2, 3, 3};
    //=     rt_submit_task(mixed_3, params_t3);
    //=
    //=     // Task 4: rows
    //=     CoreTaskArgs params_t4;
    //=     params_t4.add_input(ext_x);
    //=     params_t4.add_inout(ext_y);
    //=     rt_submit_aiv_task(0, params_t4);
    //= }
}

mod c163_a_number_of_blocks_may_be_computed {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64, 8>, y: Out<Tensor<f32, 64, 8>>) {
        let blocks = n.max(1);
        submit!(rows(x, y), blocks = blocks);
        submit!(rows(x, y), blocks = n.div_ceil(4));
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=     uint64_t blocks = std::max<uint64_t>(n, 1);
    //=
    //=     // Task 0: rows
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(ext_y);
    //=     params_t0.launch_spec.set_block_num(blocks);
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: rows
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(ext_x);
    //=     params_t1.add_inout(ext_y);
    //=     params_t1.launch_spec.set_block_num(div_ceil<uint64_t>(n, 4));
    //=     rt_submit_aiv_task(0, params_t1);
    //= }
}

mod scalars_stand_behind_tensors_in_the_bits_of_their_types {
    #[pl::jit]
    fn f(a: f32, n: i32, on: bool, x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
        scale(x, a, n, y, on);
        scale(x, 1e-8, -1, y, true);
        scale(x, -a * 2.0, n + 1, y, !on);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= float a = from_u64<float>(orch_args.scalar(0));
    //= int32_t n = from_u64<int32_t>(orch_args.scalar(1));
    //= bool on = from_u64<bool>(orch_args.scalar(2));
    //=
    //= PTO2_SCOPE() {
    //=
    //=     // Task 0: scale
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_inout(ext_y);
    //=     params_t0.add_scalar(to_u64(a));
    //=     params_t0.add_scalar(n);
    //=     params_t0.add_scalar(on);
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: scale
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(ext_x);
    //=     params_t1.add_inout(ext_y);
    //=     params_t1.add_scalar(to_u64(1e-8f));
    //=     params_t1.add_scalar(static_cast<int32_t>(-1));
    //=     params_t1.add_scalar(true);
    //=     rt_submit_aiv_task(0, params_t1);
    //=
    //=     // Task 2: scale
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_input(ext_x);
    //=     params_t2.add_inout(ext_y);
    //=     params_t2.add_scalar(to_u64(((-a) * 2.0f)));
    //=     params_t2.add_scalar((n + 1));
    //=     params_t2.add_scalar((!on));
    //=     rt_submit_aiv_task(0, params_t2);
    //= }
}

mod a_predicate_names_an_element_and_a_number {
    #[pl::jit]
    fn f(n: i64, c: Tensor<i32, 4, 4>, on: Tensor<bool, 2>, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        submit!(k(x, y), predicate = c.get([1, 2]) >= 3);
        submit!(k(x, y), predicate = on.get([n as usize]));
    }
    //= // External tensors
    //= const ChipTensor& ext_c = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_on = orch_args.tensor(1).ref();
    //= const ChipTensor& ext_x = orch_args.tensor(2).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(3).ref();
    //=
    //= // Scalar params
    //= int64_t n = from_u64<int64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(ext_y);
    //=     CoreTaskPredicate params_t0_predicate;
    //=     params_t0_predicate.operand.tensor = &ext_c;
    //=     params_t0_predicate.operand.ndims = 2;
    //=     params_t0_predicate.operand.indices[0] = 1;
    //=     params_t0_predicate.operand.indices[1] = 2;
    //=     params_t0_predicate.op = PredicateOp::GE;
    //=     params_t0_predicate.target = 3;
    //=     params_t0.set_predicate(params_t0_predicate);
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(ext_x);
    //=     params_t1.add_inout(ext_y);
    //=     CoreTaskPredicate params_t1_predicate;
    //=     params_t1_predicate.operand.tensor = &ext_on;
    //=     params_t1_predicate.operand.ndims = 1;
    //=     params_t1_predicate.operand.indices[0] = static_cast<uint32_t>(static_cast<uint64_t>(n));
    //=     params_t1_predicate.op = PredicateOp::EQ;
    //=     params_t1_predicate.target = 1;
    //=     params_t1.set_predicate(params_t1_predicate);
    //=     rt_submit_aiv_task(0, params_t1);
    //= }
}
