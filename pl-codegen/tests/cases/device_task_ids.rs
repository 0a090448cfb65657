//! Shown: Cpp
//! Task ids of device orchestration source: variables, arrays, what a task waits for.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

mod c137_c138_an_id_of_an_array_is_read_once_and_asked_whether_it_is_a_task {
    #[pl::jit]
    fn f(x: Tensor<f32, 4, 64>, y: Out<Tensor<f32, 4, 64>>) {
        manual_scope!({
            let mut ids = TaskIds::<4>::new();
            for i in 0..4 {
                ids[i] = submit!(k(x.slice(s![i, ..]), y.slice(s![i, ..])));
            }
            for i in 0..4 {
                let before = ids[i];
                submit!(k(x.slice(s![i, ..]), y.slice(s![i, ..])), deps = [before]);
            }
        });
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=     PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
    //=         PTO2TaskId ids[4];
    //=         for (uint32_t k = 0; k < 4; k += 1) ids[k] = PTO2TaskId::invalid();
    //=         for (uint64_t i = 0; i < 4; i += 1) {
    //=             uint32_t x_part_offsets[2] = {static_cast<uint32_t>(i), 0};
    //=             uint32_t x_part_shapes[2] = {1, ext_x.shapes[1]};
    //=             ChipTensor x_part = drop_dims(ext_x.view(x_part_shapes, x_part_offsets), 1);
    //=             uint32_t y_part_offsets[2] = {static_cast<uint32_t>(i), 0};
    //=             uint32_t y_part_shapes[2] = {1, ext_y.shapes[1]};
    //=             ChipTensor y_part = drop_dims(ext_y.view(y_part_shapes, y_part_offsets), 1);
    //=
    //=             // Task 0: k
    //=             CoreTaskArgs params_t0;
    //=             params_t0.add_input(x_part);
    //=             params_t0.add_inout(y_part);
    //=             TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);
    //=             PTO2TaskId task = task_0_outs.task_id();
    //=             ids[i] = task;
    //=         }
    //=         for (uint64_t i_1 = 0; i_1 < 4; i_1 += 1) {
    //=             PTO2TaskId before = ids[i_1];
    //=             uint32_t x_part_1_offsets[2] = {static_cast<uint32_t>(i_1), 0};
    //=             uint32_t x_part_1_shapes[2] = {1, ext_x.shapes[1]};
    //=             ChipTensor x_part_1 = drop_dims(ext_x.view(x_part_1_shapes, x_part_1_offsets), 1);
    //=             uint32_t y_part_1_offsets[2] = {static_cast<uint32_t>(i_1), 0};
    //=             uint32_t y_part_1_shapes[2] = {1, ext_y.shapes[1]};
    //=             ChipTensor y_part_1 = drop_dims(ext_y.view(y_part_1_shapes, y_part_1_offsets), 1);
    //=
    //=             // Task 1: k
    //=             CoreTaskArgs params_t1;
    //=             params_t1.add_input(x_part_1);
    //=             params_t1.add_inout(y_part_1);
    //=             PTO2TaskId params_t1_deps[1];
    //=             uint32_t params_t1_deps_count = 0;
    //=             if (before.is_valid()) params_t1_deps[params_t1_deps_count++] = before;
    //=             params_t1.set_dependencies(params_t1_deps, params_t1_deps_count);
    //=             rt_submit_aiv_task(0, params_t1);
    //=         }
    //=     }
    //= }
}

mod c139_c140_an_array_is_one_variable_whatever_the_trips {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 8, 64>, y: Out<Tensor<f32, 8, 64>>) {
        manual_scope!({
            let mut ids = TaskIds::<8>::new();
            for _ in 0..n {
                for i in parallel(0..8) {
                    let t = submit!(k(x.slice(s![i, ..]), y.slice(s![i, ..])), deps = [ids[i]]);
                    ids[i] = t;
                }
            }
            let mut copy = ids;
            copy[0] = TaskId::NONE;
            barrier([ids, copy]);
        });
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=     PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
    //=         PTO2TaskId ids[8];
    //=         for (uint32_t k = 0; k < 8; k += 1) ids[k] = PTO2TaskId::invalid();
    //=         for (uint64_t i_1 = 0; i_1 < n; i_1 += 1) {
    //=             for (uint64_t i = 0; i < 8; i += 1) {
    //=                 uint32_t x_part_offsets[2] = {static_cast<uint32_t>(i), 0};
    //=                 uint32_t x_part_shapes[2] = {1, ext_x.shapes[1]};
    //=                 ChipTensor x_part = drop_dims(ext_x.view(x_part_shapes, x_part_offsets), 1);
    //=                 uint32_t y_part_offsets[2] = {static_cast<uint32_t>(i), 0};
    //=                 uint32_t y_part_shapes[2] = {1, ext_y.shapes[1]};
    //=                 ChipTensor y_part = drop_dims(ext_y.view(y_part_shapes, y_part_offsets), 1);
    //=                 PTO2TaskId ids_at = ids[i];
    //=
    //=                 // Task 0: k
    //=                 CoreTaskArgs params_t0;
    //=                 params_t0.add_input(x_part);
    //=                 params_t0.add_inout(y_part);
    //=                 PTO2TaskId params_t0_deps[1];
    //=                 uint32_t params_t0_deps_count = 0;
    //=                 if (ids_at.is_valid()) params_t0_deps[params_t0_deps_count++] = ids_at;
    //=                 params_t0.set_dependencies(params_t0_deps, params_t0_deps_count);
    //=                 TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);
    //=                 PTO2TaskId t = task_0_outs.task_id();
    //=                 ids[i] = t;
    //=             }
    //=         }
    //=         PTO2TaskId copy[8];
    //=         for (uint32_t k_1 = 0; k_1 < 8; k_1 += 1) copy[k_1] = ids[k_1];
    //=         copy[0] = PTO2TaskId::invalid();
    //=
    //=         // Task 1: barrier
    //=         CoreTaskArgs params_t1;
    //=         PTO2TaskId params_t1_deps[16];
    //=         uint32_t params_t1_deps_count = 0;
    //=         for (uint32_t k_2 = 0; k_2 < 8; k_2 += 1) {
    //=             if (ids[k_2].is_valid()) params_t1_deps[params_t1_deps_count++] = ids[k_2];
    //=         }
    //=         for (uint32_t k_3 = 0; k_3 < 8; k_3 += 1) {
    //=             if (copy[k_3].is_valid()) params_t1_deps[params_t1_deps_count++] = copy[k_3];
    //=         }
    //=         params_t1.set_dependencies(params_t1_deps, params_t1_deps_count);
    //=         rt_submit_dummy_task(params_t1);
    //=     }
    //= }
}

mod c142_single_ids_and_arrays_are_waited_for_together {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut ids = TaskIds::<3>::new();
        ids[1] = submit!(k(x, y));
        let last = submit!(k(x, y), deps = [ids]);
        submit!(k(x, y), deps = [last, ids, TaskId::NONE]);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=     PTO2TaskId ids[3];
    //=     for (uint32_t k = 0; k < 3; k += 1) ids[k] = PTO2TaskId::invalid();
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(ext_y);
    //=     TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);
    //=     PTO2TaskId task = task_0_outs.task_id();
    //=     ids[1] = task;
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(ext_x);
    //=     params_t1.add_inout(ext_y);
    //=     PTO2TaskId params_t1_deps[3];
    //=     uint32_t params_t1_deps_count = 0;
    //=     for (uint32_t k_1 = 0; k_1 < 3; k_1 += 1) {
    //=         if (ids[k_1].is_valid()) params_t1_deps[params_t1_deps_count++] = ids[k_1];
    //=     }
    //=     params_t1.set_dependencies(params_t1_deps, params_t1_deps_count);
    //=     TaskOutputTensors task_1_outs = rt_submit_aiv_task(0, params_t1);
    //=     PTO2TaskId last = task_1_outs.task_id();
    //=
    //=     // Task 2: k
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_input(ext_x);
    //=     params_t2.add_inout(ext_y);
    //=     PTO2TaskId params_t2_deps[4];
    //=     uint32_t params_t2_deps_count = 0;
    //=     params_t2_deps[params_t2_deps_count++] = last;
    //=     for (uint32_t k_2 = 0; k_2 < 3; k_2 += 1) {
    //=         if (ids[k_2].is_valid()) params_t2_deps[params_t2_deps_count++] = ids[k_2];
    //=     }
    //=     params_t2.set_dependencies(params_t2_deps, params_t2_deps_count);
    //=     rt_submit_aiv_task(0, params_t2);
    //= }
}

mod c143_a_carried_id_starts_as_no_task {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        manual_scope!({
            let mut prev = TaskId::NONE;
            for _ in 0..4 {
                prev = submit!(k(x, y), deps = [prev]);
            }
        });
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=     PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
    //=         PTO2TaskId prev = PTO2TaskId::invalid();
    //=         for (int32_t i = 0; i < 4; i += 1) {
    //=
    //=             // Task 0: k
    //=             CoreTaskArgs params_t0;
    //=             params_t0.add_input(ext_x);
    //=             params_t0.add_inout(ext_y);
    //=             PTO2TaskId params_t0_deps[1];
    //=             uint32_t params_t0_deps_count = 0;
    //=             if (prev.is_valid()) params_t0_deps[params_t0_deps_count++] = prev;
    //=             params_t0.set_dependencies(params_t0_deps, params_t0_deps_count);
    //=             TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);
    //=             prev = task_0_outs.task_id();
    //=         }
    //=     }
    //= }
}

mod c144_c147_an_id_that_comes_from_its_task_is_not_asked {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let first = submit!(k(x, y));
        manual_scope!({
            let second = submit!(k(x, y), deps = [first]);
            submit!(k(x, y), deps = [first, second]);
        });
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
    //=     TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);
    //=     PTO2TaskId first = task_0_outs.task_id();
    //=     PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
    //=
    //=         // Task 1: k
    //=         CoreTaskArgs params_t1;
    //=         params_t1.add_input(ext_x);
    //=         params_t1.add_inout(ext_y);
    //=         PTO2TaskId params_t1_deps[1];
    //=         uint32_t params_t1_deps_count = 0;
    //=         params_t1_deps[params_t1_deps_count++] = first;
    //=         params_t1.set_dependencies(params_t1_deps, params_t1_deps_count);
    //=         TaskOutputTensors task_1_outs = rt_submit_aiv_task(0, params_t1);
    //=         PTO2TaskId second = task_1_outs.task_id();
    //=
    //=         // Task 2: k
    //=         CoreTaskArgs params_t2;
    //=         params_t2.add_input(ext_x);
    //=         params_t2.add_inout(ext_y);
    //=         PTO2TaskId params_t2_deps[2];
    //=         uint32_t params_t2_deps_count = 0;
    //=         params_t2_deps[params_t2_deps_count++] = first;
    //=         params_t2_deps[params_t2_deps_count++] = second;
    //=         params_t2.set_dependencies(params_t2_deps, params_t2_deps_count);
    //=         rt_submit_aiv_task(0, params_t2);
    //=     }
    //= }
}

mod a_dependency_that_is_only_waited_for_has_a_kind {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        manual_scope!({
            let mut ids = TaskIds::<2>::new();
            let first = submit!(k(x, y));
            ids[0] = submit!(k(x, y), deps = [first]);
            submit!(k(x, y), deps = [ids], deps_wait = [first]);
            submit!(k(x, y), deps_wait = [ids]);
        });
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=     PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
    //=         PTO2TaskId ids[2];
    //=         for (uint32_t k = 0; k < 2; k += 1) ids[k] = PTO2TaskId::invalid();
    //=
    //=         // Task 0: k
    //=         CoreTaskArgs params_t0;
    //=         params_t0.add_input(ext_x);
    //=         params_t0.add_output(ext_y);
    //=         TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);
    //=         PTO2TaskId first = task_0_outs.task_id();
    //=
    //=         // Task 1: k
    //=         CoreTaskArgs params_t1;
    //=         params_t1.add_input(ext_x);
    //=         params_t1.add_inout(ext_y);
    //=         PTO2TaskId params_t1_deps[1];
    //=         uint32_t params_t1_deps_count = 0;
    //=         params_t1_deps[params_t1_deps_count++] = first;
    //=         params_t1.set_dependencies(params_t1_deps, params_t1_deps_count);
    //=         TaskOutputTensors task_1_outs = rt_submit_aiv_task(0, params_t1);
    //=         PTO2TaskId task = task_1_outs.task_id();
    //=         ids[0] = task;
    //=
    //=         // Task 2: k
    //=         CoreTaskArgs params_t2;
    //=         params_t2.add_input(ext_x);
    //=         params_t2.add_inout(ext_y);
    //=         PTO2TaskId params_t2_deps[3];
    //=         PTO2DepKind params_t2_dep_kinds[3];
    //=         uint32_t params_t2_deps_count = 0;
    //=         for (uint32_t k_1 = 0; k_1 < 2; k_1 += 1) {
    //=             if (ids[k_1].is_valid()) {
    //=                 params_t2_dep_kinds[params_t2_deps_count] = PTO2DepKind::WAIT | PTO2DepKind::RETAIN;
    //=                 params_t2_deps[params_t2_deps_count++] = ids[k_1];
    //=             }
    //=         }
    //=         params_t2_dep_kinds[params_t2_deps_count] = PTO2DepKind::WAIT;
    //=         params_t2_deps[params_t2_deps_count++] = first;
    //=         params_t2.set_dependencies_with_kinds(params_t2_deps, params_t2_dep_kinds, params_t2_deps_count);
    //=         rt_submit_aiv_task(0, params_t2);
    //=
    //=         // Task 3: k
    //=         CoreTaskArgs params_t3;
    //=         params_t3.add_input(ext_x);
    //=         params_t3.add_inout(ext_y);
    //=         PTO2TaskId params_t3_deps[2];
    //=         PTO2DepKind params_t3_dep_kinds[2];
    //=         uint32_t params_t3_deps_count = 0;
    //=         for (uint32_t k_2 = 0; k_2 < 2; k_2 += 1) {
    //=             if (ids[k_2].is_valid()) {
    //=                 params_t3_dep_kinds[params_t3_deps_count] = PTO2DepKind::WAIT;
    //=                 params_t3_deps[params_t3_deps_count++] = ids[k_2];
    //=             }
    //=         }
    //=         params_t3.set_dependencies_with_kinds(params_t3_deps, params_t3_dep_kinds, params_t3_deps_count);
    //=         rt_submit_aiv_task(0, params_t3);
    //=     }
    //= }
}

mod a_barrier_of_nothing_is_a_task_all_the_same {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let nothing = barrier([]);
        submit!(k(x, y), deps = [nothing]);
        barrier([TaskId::NONE]);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= PTO2_SCOPE() {
    //=
    //=     // Task 0: barrier
    //=     CoreTaskArgs params_t0;
    //=     TaskOutputTensors task_0_outs = rt_submit_dummy_task(params_t0);
    //=     PTO2TaskId nothing = task_0_outs.task_id();
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(ext_x);
    //=     params_t1.add_output(ext_y);
    //=     PTO2TaskId params_t1_deps[1];
    //=     uint32_t params_t1_deps_count = 0;
    //=     params_t1_deps[params_t1_deps_count++] = nothing;
    //=     params_t1.set_dependencies(params_t1_deps, params_t1_deps_count);
    //=     rt_submit_aiv_task(0, params_t1);
    //=
    //=     // Task 2: barrier
    //=     CoreTaskArgs params_t2;
    //=     rt_submit_dummy_task(params_t2);
    //= }
}

mod an_id_is_chosen_by_a_branch_and_asked_for {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        manual_scope!({
            let t = if n > 2 { submit!(k(x, y)) } else { TaskId::NONE };
            if t.is_valid() {
                submit!(k(x, y), deps = [t]);
            }
        });
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=     PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
    //=         PTO2TaskId t = PTO2TaskId::invalid();
    //=         if ((n > 2)) {
    //=
    //=             // Task 0: k
    //=             CoreTaskArgs params_t0;
    //=             params_t0.add_input(ext_x);
    //=             params_t0.add_output(ext_y);
    //=             TaskOutputTensors task_0_outs = rt_submit_aiv_task(0, params_t0);
    //=             t = task_0_outs.task_id();
    //=         } else {
    //=             t = PTO2TaskId::invalid();
    //=         }
    //=         if (t.is_valid()) {
    //=
    //=             // Task 1: k
    //=             CoreTaskArgs params_t1;
    //=             params_t1.add_input(ext_x);
    //=             params_t1.add_inout(ext_y);
    //=             PTO2TaskId params_t1_deps[1];
    //=             uint32_t params_t1_deps_count = 0;
    //=             if (t.is_valid()) params_t1_deps[params_t1_deps_count++] = t;
    //=             params_t1.set_dependencies(params_t1_deps, params_t1_deps_count);
    //=             rt_submit_aiv_task(0, params_t1);
    //=         }
    //=     }
    //= }
}
