//! Shown: ScopeValues
//! Who writes what: nothing is read that nobody writes, no input is written, every output is.

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn update(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
    store(y, load(x) + load(y));
}

#[pl::jit::inline]
fn whole(x: Tensor<f32, _>) -> Tensor<f32, _> {
    x.slice(s![..])
}

mod an_input_is_stored_in_core {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        store(x, load(y)); //~ PL0302 `x` is an input
    }
}

mod a_part_of_an_input_is_stored_in_core {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        let part = x.slice(s![0..4]);
        store(part, load(x)); //~ PL0302 `x` is an input
        store(y, load(x));
    }
}

mod an_output_is_forgotten_in_core {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) { //~ PL0303 `y` is declared `Out`
        let t = load(x);
        let u = t + t;
    }
}

mod one_of_two_outputs_is_forgotten {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>, z: Out<Tensor<f32, _>>) { //~ PL0303 `z` is declared `Out`
        store(y, load(x));
    }
}

mod nobody_wrote_what_is_passed {
    #[pl::jit]
    fn f(y: Out<Tensor<f32, 4>>) {
        let t = create_tensor::<f32>([4]);
        copy(t, y); //~ PL0301 `t` is read
    }
}

mod nobody_wrote_what_is_passed_in_part {
    #[pl::jit]
    fn f(y: Out<Tensor<f32, 4>>) {
        let t = create_tensor::<f32>([8]);
        let u = t.slice(s![0..4]);
        copy(u, y); //~ PL0301 `t` is read
    }
}

mod nobody_wrote_what_is_read_and_written {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let n = create_tensor::<i32>([1]);
        let m = n.get([0]); //~ PL0301 `n` is read
        copy(x, y);
    }
}

mod nobody_wrote_what_is_loaded_in_core {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let t = create_tensor::<f32>([4]);
        for _ in 0..4 {
            copy(t, y); //~ PL0301 `t` is read
        }
    }
}

mod an_input_is_set {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        copy(x, y);
        x.set([0], 1.0); //~ PL0302 `x` is an input
    }
}

mod an_input_is_passed_to_be_written {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        copy(y, x); //~ PL0302 `x` is an input
        copy(x, y);
    }
}

mod an_input_is_passed_to_be_updated {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        copy(x, y);
        update(y, x); //~ PL0302 `x` is an input
    }
}

mod a_view_of_an_input_is_passed_to_be_written {
    #[pl::jit]
    fn f(x: Tensor<f32, 2, 2>, y: Out<Tensor<f32, 4>>) {
        let flat = x.reshape([4]);
        copy(y, flat); //~ PL0302 `x` is an input
    }
}

mod what_may_be_an_input_or_an_output_is_left_to_the_run {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let either = if on { x } else { y };
        copy(x, either);
        copy(x, y);
    }
    //= entry f(on: bool, x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let either: Tensor<f32> = if on {
    //=             x
    //=         } else {
    //=             y
    //=         };
    //=         call copy(x, either);
    //=         call copy(x, y);
    //=     };
    //= }
}

mod input_and_output_are_swapped {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        copy(y, x); //~ PL0302 `x` is an input
    }
}

mod an_output_is_passed_as_an_input_only {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) { //~ PL0303 `y`
        let t = create_tensor::<f32>([4]);
        copy(x, t);
        copy(y, t);
    }
}

mod an_output_is_forgotten_beside_calls {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) { //~ PL0303 `y`
        let t = create_tensor::<f32>([4]);
        copy(x, t);
    }
}

mod an_output_is_forgotten_by_a_helper {
    #[pl::jit::inline]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) { //~ PL0303 `y`
        let v = x.get([0]);
    }
}

mod an_output_is_only_rebound {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, mut y: Out<Tensor<f32, 4>>) { //~ PL0303 assigning the name
        y = x;
    }
}

mod a_create_in_a_tuple_takes_the_name_of_an_output {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, mut y: Out<Tensor<f32, 4>>) {
        let mut z = y;
        copy(x, y);
        (z, y) = (x, create_tensor::<f32>([4])); //~ PL0303 the output is declared here
    }
}

mod an_inout_need_not_be_written {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: InOut<Tensor<f32, 4>>, z: Out<Tensor<f32, 4>>) {
        store(z, load(x) + load(y));
    }
    //= incore f(x: in Tensor<f32, [4]>, y: inout Tensor<f32, [4]>, z: out Tensor<f32, [4]>) {
    //=     store(z, load(x) + load(y));
    //= }
}

mod every_iteration_writes_one_buffer {
    #[pl::jit]
    fn f(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
        let t = create_tensor::<f32>([4]);
        for i in parallel(0..4) {
            copy(x.slice(s![i * 4..i * 4 + 4]), t); //~ PL0304 every iteration
            copy(t, y.slice(s![i * 4..i * 4 + 4]));
        }
    }
}

mod every_iteration_of_the_outer_loop_writes_one_buffer {
    #[pl::jit]
    fn f(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
        let t = create_tensor::<f32>([4]);
        for i in parallel(0..4) {
            for _ in 0..2 {
                copy(x.slice(s![i * 4..i * 4 + 4]), t); //~ PL0304
            }
            copy(t, y.slice(s![i * 4..i * 4 + 4]));
        }
    }
}

mod a_create_with_a_value_is_written {
    #[pl::jit]
    fn f(y: Out<Tensor<f32, 4>>) {
        let t = create_tensor::<f32>([4]).init(0.0);
        copy(t, y);
    }
    //= entry f(y: out Tensor<f32, [4]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [4] init 0.0]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(t, y);
    //=     };
    //= }
}

mod set_writes {
    #[pl::jit]
    fn f(y: Out<Tensor<f32, 4>>) {
        let t = create_tensor::<f32>([4]);
        t.set([0], 1.0);
        copy(t, y);
    }
    //= entry f(y: out Tensor<f32, [4]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [4]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         t.set([0], 1.0);
    //=         call copy(t, y);
    //=     };
    //= }
}

mod a_write_further_down_counts {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let t = create_tensor::<f32>([4]);
        for i in 0..4 {
            if i > 0 {
                copy(t, y);
            }
            copy(x, t);
        }
    }
    //= entry f(x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [4]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         for i in 0..4 {
    //=             scope AUTO implicit {
    //=                 if i > 0 {
    //=                     scope AUTO implicit {
    //=                         call copy(t, y);
    //=                     };
    //=                 };
    //=                 call copy(x, t);
    //=             };
    //=         }
    //=     };
    //= }
}

mod a_write_in_a_branch_counts {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        if on {
            copy(x, y);
        }
    }
    //= entry f(on: bool, x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         if on {
    //=             scope AUTO implicit {
    //=                 call copy(x, y);
    //=             };
    //=         };
    //=     };
    //= }
}

mod a_write_of_a_part_counts {
    #[pl::jit]
    fn f(x: Tensor<f32, 2>, y: Out<Tensor<f32, 4>>) {
        copy(x, y.slice(s![0..2]));
    }
    //= entry f(x: in Tensor<f32, [2]>, y: out Tensor<f32, [4]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         call copy(x, y.slice(s![0..2]));
    //=     };
    //= }
}

mod a_helper_that_gives_a_view_passes_the_write_on {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let t = create_tensor::<f32>([4]);
        copy(x, whole(t));
        copy(t, whole(y));
    }
    //= entry f(x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [4]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x, call whole(t));
    //=         call copy(t, call whole(y));
    //=     };
    //= }
}

mod an_update_writes_and_reads {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: InOut<Tensor<f32, 4>>) {
        update(x, y);
        update(y, y);
    }
    //= entry f(x: in Tensor<f32, [4]>, y: inout Tensor<f32, [4]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         call update(x, y);
    //=         call update(y, y);
    //=     };
    //= }
}

mod a_write_through_either_of_two_names_counts_for_both {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>, z: Out<Tensor<f32, 4>>) {
        let either = if on { y } else { z };
        copy(x, either);
    }
    //= entry f(on: bool, x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>, z: out Tensor<f32, [4]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let either: Tensor<f32> = if on {
    //=             y
    //=         } else {
    //=             z
    //=         };
    //=         call copy(x, either);
    //=     };
    //= }
}

mod an_iteration_may_write_its_own_buffer {
    #[pl::jit]
    fn f(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
        for i in parallel(0..4) {
            let t = create_tensor::<f32>([4]);
            copy(x.slice(s![i * 4..i * 4 + 4]), t);
            copy(t, y.slice(s![i * 4..i * 4 + 4]));
        }
    }
    //= entry f(x: in Tensor<f32, [16]>, y: out Tensor<f32, [16]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for i in parallel(0..4) {
    //=             scope AUTO implicit {
    //=                 alloc 0 = alloc_tensors([create f32 [4]]);
    //=                 let t: Tensor<f32> = alloc 0.get_ref(0);
    //=                 call copy(x.slice(s![i * 4..(i * 4) + 4]), t);
    //=                 call copy(t, y.slice(s![i * 4..(i * 4) + 4]));
    //=             };
    //=         }
    //=     };
    //= }
}

mod an_iteration_may_write_its_part_of_a_buffer {
    #[pl::jit]
    fn f(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
        let t = create_tensor::<f32>([16]);
        for i in parallel(0..4) {
            copy(x.slice(s![i * 4..i * 4 + 4]), t.slice(s![i * 4..i * 4 + 4]));
        }
        copy(t, y);
    }
    //= entry f(x: in Tensor<f32, [16]>, y: out Tensor<f32, [16]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [16]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         for i in parallel(0..4) {
    //=             scope AUTO implicit {
    //=                 call copy(x.slice(s![i * 4..(i * 4) + 4]), t.slice(s![i * 4..(i * 4) + 4]));
    //=             };
    //=         }
    //=         call copy(t, y);
    //=     };
    //= }
}

mod a_sequential_loop_may_use_one_buffer {
    #[pl::jit]
    fn f(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
        let t = create_tensor::<f32>([4]);
        for i in 0..4 {
            copy(x.slice(s![i * 4..i * 4 + 4]), t);
            copy(t, y.slice(s![i * 4..i * 4 + 4]));
        }
    }
    //= entry f(x: in Tensor<f32, [16]>, y: out Tensor<f32, [16]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [4]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         for i in 0..4 {
    //=             scope AUTO implicit {
    //=                 call copy(x.slice(s![i * 4..(i * 4) + 4]), t);
    //=                 call copy(t, y.slice(s![i * 4..(i * 4) + 4]));
    //=             };
    //=         }
    //=     };
    //= }
}

mod every_iteration_may_read_one_buffer {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 16>>) {
        let t = create_tensor::<f32>([4]);
        copy(x, t);
        for i in parallel(0..4) {
            copy(t, y.slice(s![i * 4..i * 4 + 4]));
        }
    }
    //= entry f(x: in Tensor<f32, [4]>, y: out Tensor<f32, [16]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [4]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=         for i in parallel(0..4) {
    //=             scope AUTO implicit {
    //=                 call copy(t, y.slice(s![i * 4..(i * 4) + 4]));
    //=             };
    //=         }
    //=     };
    //= }
}

mod c195_a_function_without_an_output_is_accepted {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>) {
        let t = create_tensor::<f32>([4]);
        copy(x, t);
    }
    //= entry f(x: in Tensor<f32, [4]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [4]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=     };
    //= }
}

mod the_last_call_needs_no_semicolon {
    #[pl::jit]
    fn f(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>, z: Out<Tensor<f32, _>>) { //~ PL0303 `z` is declared `Out`
        let t = create_tensor::<f32>([4]);
        copy(x, y);
        two_inputs(t, z) //~ PL0301 `t` is read
    }

    #[pl::jit::incore]
    fn two_inputs(x: Tensor<f32, _>, z: Tensor<f32, _>) {
        let sum = load(x) + load(z);
    }
}
