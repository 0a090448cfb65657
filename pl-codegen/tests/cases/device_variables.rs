//! Shown: Cpp
//! Variables of device orchestration source: where they are declared, and the order of evaluation.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn pair(a: usize, x: Tensor<f32, _>) -> (usize, Tensor<f32, _>) {
    (a + 1, x.slice(s![a..]))
}

mod c178_c180_carries_of_a_manual_scope_are_declared_before_it {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut c = x;
        let kept = c;
        manual_scope!({
            for i in 0..n {
                let old = c;
                c = old.slice(s![i..]);
            }
        });
        k(c, y);
        k(kept, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=     ChipTensor c = ext_x;
    //=     ChipTensor kept = c;
    //=     PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
    //=         for (uint64_t i = 0; i < n; i += 1) {
    //=             ChipTensor old = c;
    //=             uint32_t c_offsets[1] = {static_cast<uint32_t>(i)};
    //=             uint32_t c_shapes[1] = {old.shapes[0] - c_offsets[0]};
    //=             c = old.view(c_shapes, c_offsets);
    //=         }
    //=     }
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(c);
    //=     params_t0.add_output(ext_y);
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(kept);
    //=     params_t1.add_inout(ext_y);
    //=     rt_submit_aiv_task(0, params_t1);
    //= }
}

mod c181_scalars_chosen_by_a_branch_are_declared_before_it {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let (a, b) = if n > 4 { (n, 2.0) } else { (4, 0.5) };
        let c = if b > 1.0 { k(x, y); a } else if n == 2 { 3 } else { a + 1 };
        k(x.slice(s![0..c]), y.slice(s![0..c]));
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=     uint64_t a = 0;
    //=     double b = 0.0;
    //=     if ((n > 4)) {
    //=         a = n;
    //=         b = 2.0;
    //=     } else {
    //=         a = 4;
    //=         b = 0.5;
    //=     }
    //=     uint64_t c = 0;
    //=     if ((b > 1.0)) {
    //=         PTO2_SCOPE() {
    //=
    //=             // Task 0: k
    //=             CoreTaskArgs params_t0;
    //=             params_t0.add_input(ext_x);
    //=             params_t0.add_output(ext_y);
    //=             rt_submit_aiv_task(0, params_t0);
    //=             c = a;
    //=         }
    //=     } else if ((n == 2)) {
    //=         c = 3;
    //=     } else {
    //=         c = (a + 1);
    //=     }
    //=     uint32_t x_part_offsets[1] = {0};
    //=     uint32_t x_part_shapes[1] = {static_cast<uint32_t>(c)};
    //=     ChipTensor x_part = ext_x.view(x_part_shapes, x_part_offsets);
    //=     uint32_t y_part_offsets[1] = {0};
    //=     uint32_t y_part_shapes[1] = {static_cast<uint32_t>(c)};
    //=     ChipTensor y_part = ext_y.view(y_part_shapes, y_part_offsets);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(x_part);
    //=     params_t1.add_inout(y_part);
    //=     rt_submit_aiv_task(0, params_t1);
    //= }
}

mod c192_results_of_helpers_are_variables_of_their_own {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let both = pair(1, x);
        let (n, part) = both;
        let (m, rest) = pair(n * 2, part);
        k(rest, y.slice(s![m..]));
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= uint64_t a = 1;
    //= uint64_t both_0 = (a + 1);
    //= uint32_t both_1_offsets[1] = {static_cast<uint32_t>(a)};
    //= uint32_t both_1_shapes[1] = {ext_x.shapes[0] - both_1_offsets[0]};
    //= ChipTensor both_1 = ext_x.view(both_1_shapes, both_1_offsets);
    //= uint64_t a_1 = (both_0 * 2);
    //= uint64_t m = (a_1 + 1);
    //= uint32_t rest_offsets[1] = {static_cast<uint32_t>(a_1)};
    //= uint32_t rest_shapes[1] = {both_1.shapes[0] - rest_offsets[0]};
    //= ChipTensor rest = both_1.view(rest_shapes, rest_offsets);
    //= uint32_t y_part_offsets[1] = {static_cast<uint32_t>(m)};
    //= uint32_t y_part_shapes[1] = {ext_y.shapes[0] - y_part_offsets[0]};
    //= ChipTensor y_part = ext_y.view(y_part_shapes, y_part_offsets);
    //=
    //= // Task 0: k
    //= CoreTaskArgs params_t0;
    //= params_t0.add_input(rest);
    //= params_t0.add_output(y_part);
    //= rt_submit_aiv_task(0, params_t0);
}

mod c193_a_carried_scalar_starts_with_a_number {
    #[pl::jit(auto_scope = false)]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut at = 0;
        let fixed = 4;
        for _ in 0..n {
            k(x.slice(s![at..at + fixed]), y.slice(s![at..at + fixed]));
            at += fixed;
        }
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= uint64_t at = 0;
    //= uint64_t fixed = 4;
    //= for (uint64_t i = 0; i < n; i += 1) {
    //=     uint32_t x_part_offsets[1] = {static_cast<uint32_t>(at)};
    //=     uint32_t x_part_shapes[1] = {static_cast<uint32_t>(fixed)};
    //=     ChipTensor x_part = ext_x.view(x_part_shapes, x_part_offsets);
    //=     uint32_t y_part_offsets[1] = {static_cast<uint32_t>(at)};
    //=     uint32_t y_part_shapes[1] = {static_cast<uint32_t>(fixed)};
    //=     ChipTensor y_part = ext_y.view(y_part_shapes, y_part_offsets);
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(x_part);
    //=     params_t0.add_inout(y_part);
    //=     rt_submit_aiv_task(0, params_t0);
    //=     at += fixed;
    //= }
}

mod operands_are_computed_in_the_order_of_rust {
    #[pl::jit(auto_scope = false)]
    fn f(n: usize, c: InOut<Tensor<i32, 4>>, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut a = n;
        let b = a + { a = 2; a } + if c.get([0]) > 1 { c.set([0], 0); 1 } else { a };
        let d = n > 1 && { k(x, y); a > b };
        if d || c.get([1]) == 0 {
            k(x.slice(s![0..b]), y.slice(s![0..b]));
        }
    }
    //= // External tensors
    //= const ChipTensor& ext_c = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_x = orch_args.tensor(1).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(2).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= uint64_t a = n;
    //= uint64_t value = a;
    //= a = 2;
    //= uint64_t value_1 = 0;
    //= uint32_t c_element_indices[1] = {0};
    //= int32_t c_element = get_tensor_data<int32_t>(ext_c, 1, c_element_indices);
    //= if ((c_element > 1)) {
    //=     {
    //=         uint32_t ext_c_indices[1] = {0};
    //=         set_tensor_data<int32_t>(ext_c, 1, ext_c_indices, 0);
    //=     }
    //=     value_1 = 1;
    //= } else {
    //=     value_1 = a;
    //= }
    //= uint64_t b = ((value + a) + value_1);
    //= bool both = (n > 1);
    //= if (both) {
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_output(ext_y);
    //=     rt_submit_aiv_task(0, params_t0);
    //=     both = (a > b);
    //= }
    //= bool d = both;
    //= bool both_1 = d;
    //= if ((!both_1)) {
    //=     uint32_t c_element_1_indices[1] = {1};
    //=     int32_t c_element_1 = get_tensor_data<int32_t>(ext_c, 1, c_element_1_indices);
    //=     both_1 = (c_element_1 == 0);
    //= }
    //= if (both_1) {
    //=     uint32_t x_part_offsets[1] = {0};
    //=     uint32_t x_part_shapes[1] = {static_cast<uint32_t>(b)};
    //=     ChipTensor x_part = ext_x.view(x_part_shapes, x_part_offsets);
    //=     uint32_t y_part_offsets[1] = {0};
    //=     uint32_t y_part_shapes[1] = {static_cast<uint32_t>(b)};
    //=     ChipTensor y_part = ext_y.view(y_part_shapes, y_part_offsets);
    //=
    //=     // Task 1: k
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_input(x_part);
    //=     params_t1.add_inout(y_part);
    //=     rt_submit_aiv_task(0, params_t1);
    //= }
}

mod variables_that_nobody_reads_are_not_printed {
    #[pl::jit(auto_scope = false)]
    fn f(n: usize, m: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>, z: Tensor<f32, 64>) {
        let mut i = n;
        let mut last = TaskId::NONE;
        while i > 0 {
            i -= 1;
            let mut unread = i;
            unread += 2;
            last = submit!(k(x, y));
        }
    }
    //= // External tensors
    //= const ChipTensor& ext_x = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(0));
    //=
    //= uint64_t i = n;
    //= while ((i > 0)) {
    //=     i -= 1;
    //=
    //=     // Task 0: k
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_input(ext_x);
    //=     params_t0.add_inout(ext_y);
    //=     rt_submit_aiv_task(0, params_t0);
    //= }
}
