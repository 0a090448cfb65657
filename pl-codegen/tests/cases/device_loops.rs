//! Shown: Cpp
//! Loops of device orchestration source: ranges, bounds, conditions, what leaves them.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn at_index(i: i32, x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

mod c153_a_descending_loop_ends_at_its_start {
    #[pl::jit(auto_scope = false)]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for i in (0..n).rev() {
            k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
        }
        for i in (2..n).rev() {
            k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
        }
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= for (uint64_t i = n; i-- > 0;) {
    //=     uint32_t x_part_offsets[1] = {static_cast<uint32_t>(i)};
    //=     uint32_t x_part_shapes[1] = {1};
    //=     ChipTensor x_part = ext_x.view(x_part_shapes, x_part_offsets);
    //=     uint32_t y_part_offsets[1] = {static_cast<uint32_t>(i)};
    //=     uint32_t y_part_shapes[1] = {1};
    //=     ChipTensor y_part = ext_y.view(y_part_shapes, y_part_offsets);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(x_part);
    //=     params_t0.add_inout(y_part);
    //=     rt_submit_aiv_task(0, params_t0);
    //= }
    //= for (uint64_t i_1 = n; i_1-- > 2;) {
    //=     uint32_t x_part_1_offsets[1] = {static_cast<uint32_t>(i_1)};
    //=     uint32_t x_part_1_shapes[1] = {1};
    //=     ChipTensor x_part_1 = ext_x.view(x_part_1_shapes, x_part_1_offsets);
    //=     uint32_t y_part_1_offsets[1] = {static_cast<uint32_t>(i_1)};
    //=     uint32_t y_part_1_shapes[1] = {1};
    //=     ChipTensor y_part_1 = ext_y.view(y_part_1_shapes, y_part_1_offsets);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(x_part_1);
    //=     params_t1.add_inout(y_part_1);
    //=     rt_submit_aiv_task(0, params_t1);
    //= }
}

mod c154_an_empty_loop_has_no_trips {
    #[pl::jit(auto_scope = false)]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for i in 0..0 {
            k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
        }
        for i in n..2 {
            k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
        }
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= for (uint64_t i = 0; i < 0; i += 1) {
    //=     uint32_t x_part_offsets[1] = {static_cast<uint32_t>(i)};
    //=     uint32_t x_part_shapes[1] = {1};
    //=     ChipTensor x_part = ext_x.view(x_part_shapes, x_part_offsets);
    //=     uint32_t y_part_offsets[1] = {static_cast<uint32_t>(i)};
    //=     uint32_t y_part_shapes[1] = {1};
    //=     ChipTensor y_part = ext_y.view(y_part_shapes, y_part_offsets);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(x_part);
    //=     params_t0.add_output(y_part);
    //=     rt_submit_aiv_task(0, params_t0);
    //= }
    //= for (uint64_t i_1 = n; i_1 < 2; i_1 += 1) {
    //=     uint32_t x_part_1_offsets[1] = {static_cast<uint32_t>(i_1)};
    //=     uint32_t x_part_1_shapes[1] = {1};
    //=     ChipTensor x_part_1 = ext_x.view(x_part_1_shapes, x_part_1_offsets);
    //=     uint32_t y_part_1_offsets[1] = {static_cast<uint32_t>(i_1)};
    //=     uint32_t y_part_1_shapes[1] = {1};
    //=     ChipTensor y_part_1 = ext_y.view(y_part_1_shapes, y_part_1_offsets);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(x_part_1);
    //=     params_t1.add_inout(y_part_1);
    //=     rt_submit_aiv_task(0, params_t1);
    //= }
}

mod adaptors_of_a_range_keep_their_order {
    #[pl::jit(auto_scope = false)]
    fn f(n: usize, s: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for i in (0..n).step_by(s) {
            k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
        }
        for i in (0..n).rev().step_by(3) {
            k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
        }
        for i in (1..n).step_by(s).rev() {
            k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
        }
        for _ in (0..n).step_by(2).rev() {
            k(x, y);
        }
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //= uint64_t s = from_u64<uint64_t>(orch_args.scalar(1));
    //=
    //= for (uint64_t i = 0; i < n; i += s) {
    //=     uint32_t x_part_offsets[1] = {static_cast<uint32_t>(i)};
    //=     uint32_t x_part_shapes[1] = {1};
    //=     ChipTensor x_part = ext_x.view(x_part_shapes, x_part_offsets);
    //=     uint32_t y_part_offsets[1] = {static_cast<uint32_t>(i)};
    //=     uint32_t y_part_shapes[1] = {1};
    //=     ChipTensor y_part = ext_y.view(y_part_shapes, y_part_offsets);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(x_part);
    //=     params_t0.add_inout(y_part);
    //=     rt_submit_aiv_task(0, params_t0);
    //= }
    //= uint64_t i_1_count = n;
    //= uint64_t i_1_last = (i_1_count - 1);
    //= uint64_t i_1_count_1 = div_ceil<uint64_t>(i_1_count, 3);
    //= for (uint64_t i_1_number = 0; i_1_number < i_1_count_1; i_1_number += 1) {
    //=     uint64_t i_1 = i_1_last - i_1_number * 3;
    //=     uint32_t x_part_1_offsets[1] = {static_cast<uint32_t>(i_1)};
    //=     uint32_t x_part_1_shapes[1] = {1};
    //=     ChipTensor x_part_1 = ext_x.view(x_part_1_shapes, x_part_1_offsets);
    //=     uint32_t y_part_1_offsets[1] = {static_cast<uint32_t>(i_1)};
    //=     uint32_t y_part_1_shapes[1] = {1};
    //=     ChipTensor y_part_1 = ext_y.view(y_part_1_shapes, y_part_1_offsets);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(x_part_1);
    //=     params_t1.add_inout(y_part_1);
    //=     rt_submit_aiv_task(0, params_t1);
    //= }
    //= uint64_t i_2_count = (1 < n ? n - 1 : 0);
    //= uint64_t i_2_count_1 = div_ceil<uint64_t>(i_2_count, s);
    //= uint64_t i_2_last = 1 + (i_2_count_1 - 1) * s;
    //= for (uint64_t i_2_number = 0; i_2_number < i_2_count_1; i_2_number += 1) {
    //=     uint64_t i_2 = i_2_last - i_2_number * s;
    //=     uint32_t x_part_2_offsets[1] = {static_cast<uint32_t>(i_2)};
    //=     uint32_t x_part_2_shapes[1] = {1};
    //=     ChipTensor x_part_2 = ext_x.view(x_part_2_shapes, x_part_2_offsets);
    //=     uint32_t y_part_2_offsets[1] = {static_cast<uint32_t>(i_2)};
    //=     uint32_t y_part_2_shapes[1] = {1};
    //=     ChipTensor y_part_2 = ext_y.view(y_part_2_shapes, y_part_2_offsets);
    //=
    //=     // Task 2: k
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_input(x_part_2);
    //=     params_t2.add_inout(y_part_2);
    //=     rt_submit_aiv_task(0, params_t2);
    //= }
    //= uint64_t i_count = n;
    //= uint64_t i_count_1 = div_ceil<uint64_t>(i_count, 2);
    //= for (uint64_t i_number = 0; i_number < i_count_1; i_number += 1) {
    //=
    //=     // Task 3: k
    //=     CoreTaskArgs params_t3;
    //=     params_t3.add_input(ext_x);
    //=     params_t3.add_inout(ext_y);
    //=     rt_submit_aiv_task(0, params_t3);
    //= }
}

mod a_loop_has_the_type_of_its_variable {
    #[pl::jit(auto_scope = false)]
    fn f(n: i32, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for i in -2..n {
            at_index(i, x, y);
        }
        for i in (0..n).step_by(7) {
            at_index(i, x, y);
        }
        for i in unroll(0..2) {
            at_index(i, x, y);
        }
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= int32_t n = from_u64<int32_t>(orch_args.scalar(0));
    //=
    //= for (int32_t i = -2; i < n; i += 1) {
    //=
    //=     // Task 0: at_index
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_inout(ext_y);
    //=     params_t0.add_scalar(i);
    //=     rt_submit_aiv_task(0, params_t0);
    //= }
    //= uint64_t i_1_count = (0 < n ? static_cast<uint64_t>(n) - 0 : 0);
    //= uint64_t i_1_count_1 = div_ceil<uint64_t>(i_1_count, 7);
    //= for (uint64_t i_1_number = 0; i_1_number < i_1_count_1; i_1_number += 1) {
    //=     int32_t i_1 = static_cast<int32_t>(i_1_number * 7);
    //=
    //=     // Task 1: at_index
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(ext_x);
    //=     params_t1.add_inout(ext_y);
    //=     params_t1.add_scalar(i_1);
    //=     rt_submit_aiv_task(0, params_t1);
    //= }
    //= for (int32_t i_2 = 0; i_2 < 2; i_2 += 1) {
    //=
    //=     // Task 2: at_index
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_input(ext_x);
    //=     params_t2.add_inout(ext_y);
    //=     params_t2.add_scalar(i_2);
    //=     rt_submit_aiv_task(0, params_t2);
    //= }
}

mod bounds_are_computed_once {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut n = 8;
        let mut c = x;
        for i in 0..n {
            n = i;
            k(x.slice(s![0..n]), y.slice(s![0..n]));
        }
        for _ in 0..c.dim(0) {
            c = c.slice(s![1..]);
            k(c, y);
        }
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= uint64_t n = 8;
    //= ChipTensor c = ext_x;
    //= uint64_t bound = n;
    //= for (uint64_t i = 0; i < bound; i += 1) {
    //=     n = i;
    //=     uint32_t x_part_offsets[1] = {0};
    //=     uint32_t x_part_shapes[1] = {static_cast<uint32_t>(n)};
    //=     ChipTensor x_part = ext_x.view(x_part_shapes, x_part_offsets);
    //=     uint32_t y_part_offsets[1] = {0};
    //=     uint32_t y_part_shapes[1] = {static_cast<uint32_t>(n)};
    //=     ChipTensor y_part = ext_y.view(y_part_shapes, y_part_offsets);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(x_part);
    //=     params_t0.add_inout(y_part);
    //=     rt_submit_aiv_task(0, params_t0);
    //= }
    //= uint64_t bound_1 = static_cast<uint64_t>(c.shapes[0]);
    //= for (uint64_t i_1 = 0; i_1 < bound_1; i_1 += 1) {
    //=     uint32_t c_offsets[1] = {1};
    //=     uint32_t c_shapes[1] = {c.shapes[0] - c_offsets[0]};
    //=     c = c.view(c_shapes, c_offsets);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(c);
    //=     params_t1.add_inout(ext_y);
    //=     rt_submit_aiv_task(0, params_t1);
    //= }
}

mod while_break_and_continue_are_those_of_cpp {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut i = 0;
        while i < n {
            i += 1;
            if i == 3 {
                continue;
            }
            k(x, y);
            if i > 8 {
                break;
            }
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
    //=     uint64_t i = 0;
    //=     while ((i < n)) {
    //=         PTO2_SCOPE() {
    //=             i += 1;
    //=             if ((i == 3)) {
    //=                 continue;
    //=             }
    //=
    //=             // Task 0: k
    //=             CoreTaskArgs params_t0;
    //=             params_t0.add_input(ext_x);
    //=             params_t0.add_inout(ext_y);
    //=             rt_submit_aiv_task(0, params_t0);
    //=             if ((i > 8)) {
    //=                 break;
    //=             }
    //=         }
    //=     }
    //= }
}

mod a_condition_that_reads_an_element_is_computed_in_the_loop {
    #[pl::jit(auto_scope = false)]
    fn f(n: Tensor<i32, 4>, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut i = 0;
        while i < 4 && n.get([i]) > 0 {
            k(x, y);
            i += 1;
        }
    }
    //= // External tensors
    //= const ChipTensor& ext_n = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_x = orch_args.tensor(1).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(2).ref();
    //=
    //= uint64_t i = 0;
    //= while (true) {
    //=     bool both = (i < 4);
    //=     if (both) {
    //=         uint32_t n_element_indices[1] = {static_cast<uint32_t>(i)};
    //=         int32_t n_element = get_tensor_data<int32_t>(ext_n, 1, n_element_indices);
    //=         both = (n_element > 0);
    //=     }
    //=     if ((!both)) {
    //=         break;
    //=     }
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_inout(ext_y);
    //=     rt_submit_aiv_task(0, params_t0);
    //=     i += 1;
    //= }
}
