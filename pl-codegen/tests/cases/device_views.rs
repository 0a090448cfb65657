//! Shown: Cpp
//! Tensors of device orchestration source by another name: views, single elements, bindings, dimensions.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn k2(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    store(y, load(x));
}

mod c168_c169_elements_are_read_and_written_in_their_type {
    #[pl::jit]
    fn f(i: usize, a: Tensor<f32, 4>, b: InOut<Tensor<bool, 2, 3>>, c: InOut<Tensor<i32, 4>>) {
        let v = a.get([i + 1]);
        if v > 0.5 {
            c.set([0], v as i32);
        }
        let on = b.get([1, i]);
        b.set([0, 0], !on);
        c.set([1], c.get([2]) + 1);
        a.get([0]);
    }
    //= // External tensors
    //= const ChipTensor& ext_a = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_b = orch_args.tensor(1).ref();
    //= const ChipTensor& ext_c = orch_args.tensor(2).ref();
    //=
    //= // Scalar params
    //= uint64_t i = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t v_indices[1] = {static_cast<uint32_t>((i + 1))};
    //=     float v = get_tensor_data<float>(ext_a, 1, v_indices);
    //=     if ((v > 0.5f)) {
    //=         PTO2_SCOPE() {
    //=             {
    //=                 uint32_t ext_c_indices[1] = {0};
    //=                 set_tensor_data<int32_t>(ext_c, 1, ext_c_indices, float_to_int<int32_t>(v));
    //=             }
    //=         }
    //=     }
    //=     uint32_t on_indices[2] = {1, static_cast<uint32_t>(i)};
    //=     bool on = get_tensor_data<uint8_t>(ext_b, 2, on_indices) != 0;
    //=     {
    //=         uint32_t ext_b_indices[2] = {0, 0};
    //=         set_tensor_data<uint8_t>(ext_b, 2, ext_b_indices, (!on));
    //=     }
    //=     uint32_t c_element_indices[1] = {2};
    //=     int32_t c_element = get_tensor_data<int32_t>(ext_c, 1, c_element_indices);
    //=     {
    //=         uint32_t ext_c_indices_1[1] = {1};
    //=         set_tensor_data<int32_t>(ext_c, 1, ext_c_indices_1, (c_element + 1));
    //=     }
    //=     uint32_t ext_a_indices[1] = {0};
    //=     (void)get_tensor_data<float>(ext_a, 1, ext_a_indices);
    //= }
}

mod c182_a_bound_is_read_and_a_slice_is_not_clamped {
    #[pl::jit]
    fn f(n: Tensor<i32, 1>, x: Tensor<f32, 256, 64>, y: Out<Tensor<f32, 256, 64>>) {
        for i in 0..n.get([0]) as usize {
            k2(x.slice(s![i * 16..i * 16 + 16, ..]), y.slice(s![i * 16..(i + 1) * 16, 0..]));
        }
    }
    //= // External tensors
    //= const ChipTensor& ext_n = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_x = orch_args.tensor(1).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(2).ref();
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t n_element_indices[1] = {0};
    //=     int32_t n_element = get_tensor_data<int32_t>(ext_n, 1, n_element_indices);
    //=     for (uint64_t i = 0; i < static_cast<uint64_t>(n_element); i += 1) {
    //=         PTO2_SCOPE() {
    //=             uint32_t x_part_offsets[2] = {static_cast<uint32_t>((i * 16)), 0};
    //=             uint32_t x_part_shapes[2] = {16, ext_x.shapes[1]};
    //=             ChipTensor x_part = ext_x.view(x_part_shapes, x_part_offsets);
    //=             uint32_t y_part_offsets[2] = {static_cast<uint32_t>((i * 16)), 0};
    //=             uint32_t y_part_shapes[2] = {static_cast<uint32_t>((((i + 1) * 16) - (i * 16))), ext_y.shapes[1] - y_part_offsets[1]};
    //=             ChipTensor y_part = ext_y.view(y_part_shapes, y_part_offsets);
    //=
    //=             // Task 0: k2
    //=             CoreTaskArgs params_t0;
    //=             params_t0.add_input(x_part);
    //=             params_t0.add_inout(y_part);
    //=             rt_submit_aiv_task(0, params_t0);
    //=         }
    //=     }
    //= }
}

mod c183_an_index_drops_its_dimension {
    #[pl::jit]
    fn f(i: usize, x: Tensor<f32, 4, 8, 16>, y: Out<Tensor<f32, 4, 8, 16>>) {
        k(x.slice(s![1, i, ..]), y.slice(s![.., 0, i]));
        k(x.slice(s![1, 0..0, 2]), y.slice(s![0, 3..3, 2]));
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t i = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t x_part_offsets[3] = {1, static_cast<uint32_t>(i), 0};
    //=     uint32_t x_part_shapes[3] = {1, 1, ext_x.shapes[2]};
    //=     ChipTensor x_part = drop_dims(ext_x.view(x_part_shapes, x_part_offsets), 3);
    //=     uint32_t y_part_offsets[3] = {0, 0, static_cast<uint32_t>(i)};
    //=     uint32_t y_part_shapes[3] = {ext_y.shapes[0], 1, 1};
    //=     ChipTensor y_part = drop_dims(ext_y.view(y_part_shapes, y_part_offsets), 6);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(x_part);
    //=     params_t0.add_output(y_part);
    //=     rt_submit_aiv_task(0, params_t0);
    //=     uint32_t x_part_1_offsets[3] = {1, 0, 2};
    //=     uint32_t x_part_1_shapes[3] = {1, 0, 1};
    //=     ChipTensor x_part_1 = drop_dims(ext_x.view(x_part_1_shapes, x_part_1_offsets), 5);
    //=     uint32_t y_part_1_offsets[3] = {0, 3, 2};
    //=     uint32_t y_part_1_shapes[3] = {1, 0, 1};
    //=     ChipTensor y_part_1 = drop_dims(ext_y.view(y_part_1_shapes, y_part_1_offsets), 5);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(x_part_1);
    //=     params_t1.add_inout(y_part_1);
    //=     rt_submit_aiv_task(0, params_t1);
    //= }
}

mod c184_views_are_methods {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 4, 8>, y: Out<Tensor<f32, 4, 8>>) {
        k(x.reshape([32]), y.reshape([n * 4]));
        k2(x.transpose(0, 1).slice(s![..2, ..]), y.slice(s![.., ..2]).transpose(1, 0));
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t x_reshaped_shapes[1] = {32};
    //=     ChipTensor x_reshaped = ext_x.reshape(x_reshaped_shapes, 1);
    //=     uint32_t y_reshaped_shapes[1] = {static_cast<uint32_t>((n * 4))};
    //=     ChipTensor y_reshaped = ext_y.reshape(y_reshaped_shapes, 1);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(x_reshaped);
    //=     params_t0.add_output(y_reshaped);
    //=     rt_submit_aiv_task(0, params_t0);
    //=     ChipTensor x_transposed = ext_x.transpose(0, 1);
    //=     uint32_t x_transposed_part_offsets[2] = {0, 0};
    //=     uint32_t x_transposed_part_shapes[2] = {2, x_transposed.shapes[1]};
    //=     ChipTensor x_transposed_part = x_transposed.view(x_transposed_part_shapes, x_transposed_part_offsets);
    //=     uint32_t y_part_offsets[2] = {0, 0};
    //=     uint32_t y_part_shapes[2] = {ext_y.shapes[0], 2};
    //=     ChipTensor y_part = ext_y.view(y_part_shapes, y_part_offsets);
    //=     ChipTensor y_part_transposed = y_part.transpose(1, 0);
    //=
    //=     // Task 1: k2
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(x_transposed_part);
    //=     params_t1.add_inout(y_part_transposed);
    //=     rt_submit_aiv_task(1, params_t1);
    //= }
}

mod c188_second_names_are_not_printed {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let a = x;
        let b = a;
        let unused = b;
        let m = n * 2;
        k(b, y);
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

mod c190_a_named_dimension_is_defined_once_if_it_is_used {
    #[pl::jit(dims(M, N))]
    fn f(x: Tensor<f32, M, N>, y: Out<Tensor<f32, M, N>>) {
        for i in 0..M {
            k(x.slice(s![i, ..]), y.slice(s![i, ..]));
        }
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Named dimensions
    //= uint64_t M = ext_x.shapes[0];
    //=
    //= PTO2_SCOPE() {
    //=     for (uint64_t i = 0; i < M; i += 1) {
    //=         PTO2_SCOPE() {
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
    //=             rt_submit_aiv_task(0, params_t0);
    //=         }
    //=     }
    //= }
}

mod tensors_are_swapped_and_rebound {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut a = create_tensor::<f32>([64]);
        let mut b = create_tensor::<f32>([64]);
        k(x, a);
        for _ in 0..n {
            k(a, b);
            (a, b) = (b, a);
        }
        let mut c = x;
        if n > 3 {
            c = a.slice(s![0..32]);
        }
        k(c, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t a_ci_shapes[1] = {64};
    //=     TensorCreateInfo a_ci(a_ci_shapes, 1, DataType::FLOAT32);
    //=     uint32_t b_ci_shapes[1] = {64};
    //=     TensorCreateInfo b_ci(b_ci_shapes, 1, DataType::FLOAT32);
    //=     TaskOutputTensors alloc_0 = alloc_tensors(a_ci, b_ci);
    //=     ChipTensor a = alloc_0.get_ref(0);
    //=     ChipTensor b = alloc_0.get_ref(1);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(a);
    //=     rt_submit_aiv_task(0, params_t0);
    //=     for (uint64_t i = 0; i < n; i += 1) {
    //=         PTO2_SCOPE() {
    //=
    //=             // Task 1: k
    //=             CoreTaskArgs params_t1;
    //=             params_t1.add_input(a);
    //=             params_t1.add_inout(b);
    //=             rt_submit_aiv_task(0, params_t1);
    //=             ChipTensor value = a;
    //=             a = b;
    //=             b = value;
    //=         }
    //=     }
    //=     ChipTensor c = ext_x;
    //=     if ((n > 3)) {
    //=         uint32_t c_offsets[1] = {0};
    //=         uint32_t c_shapes[1] = {32};
    //=         c = a.view(c_shapes, c_offsets);
    //=     }
    //=
    //=     // Task 2: k
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_input(c);
    //=     params_t2.add_output(ext_y);
    //=     rt_submit_aiv_task(0, params_t2);
    //= }
}

mod a_tensor_is_chosen_by_a_branch {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = if n > 2 { x } else { x.slice(s![0..n]) };
        let late;
        if n > 1 { late = t; } else { late = x; }
        k(late, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=     ChipTensor t = ext_x;
    //=     if ((n > 2)) {
    //=         t = ext_x;
    //=     } else {
    //=         uint32_t t_offsets[1] = {0};
    //=         uint32_t t_shapes[1] = {static_cast<uint32_t>(n)};
    //=         t = ext_x.view(t_shapes, t_offsets);
    //=     }
    //=     ChipTensor late = ext_x;
    //=     if ((n > 1)) {
    //=         late = t;
    //=     } else {
    //=         late = ext_x;
    //=     }
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(late);
    //=     params_t0.add_output(ext_y);
    //=     rt_submit_aiv_task(0, params_t0);
    //= }
}

mod a_view_that_nobody_uses_is_still_checked {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let _rest = x.slice(s![n..]);
        k(x, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t ext_x_offsets[1] = {static_cast<uint32_t>(n)};
    //=     uint32_t ext_x_shapes[1] = {ext_x.shapes[0] - ext_x_offsets[0]};
    //=     (void)ext_x.view(ext_x_shapes, ext_x_offsets);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(ext_y);
    //=     rt_submit_aiv_task(0, params_t0);
    //= }
}
