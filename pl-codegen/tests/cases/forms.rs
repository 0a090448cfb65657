//! Shown: Lowered
//! Rust that kernels do not have.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

mod kernels_have_no_closures {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y);
        let z = |a| a; //~ PL0201 closures
    }
}

mod kernels_have_no_match {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        match x.dim(0) { //~ PL0201 `match`
            4 => k(x, y),
            _ => {}
        }
    }
}

mod kernels_have_no_loop {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        loop { //~ PL0201 `loop`
            k(x, y);
        }
    }
}

mod kernels_have_no_references {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, &y); //~ PL0201 references
    }
}

mod kernels_have_no_brackets_behind_a_tensor {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x[0], y); //~ PL0201 `x[..]`
    }
}

mod c17_kernels_have_no_return {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        if n == 0 {
            return; //~ PL0201 `return`
        }
        k(x, y);
    }
}

mod kernels_have_no_question_mark {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y)?; //~ PL0201 `?`
    }
}

mod kernels_have_no_await {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y).await; //~ PL0201
    }
}

mod kernels_have_no_unsafe_blocks {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        unsafe { //~ PL0201
            k(x, y);
        }
    }
}

mod kernels_have_no_struct_values {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let p = Pair { a: x, b: y }; //~ PL0201
        k(x, y);
    }
}

mod kernels_have_no_if_let {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        if let n = x.dim(0) { //~ PL0201
            k(x, y);
        }
    }
}

mod kernels_have_no_let_else {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let n = x.dim(0) else { //~ PL0201 `let .. else`
            k(x, y);
        };
    }
}

mod kernels_have_no_items {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        const N: usize = 4; //~ PL0201 move it above the kernel
        k(x, y);
    }
}

mod kernels_have_no_use_declarations {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        use other::Name; //~ PL0201 item
        k(x, y);
    }
}

mod kernels_have_no_labels {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        'outer: for i in 0..4 { //~ PL0201 kernels have no labels
            k(x, y);
        }
    }
}

mod a_break_carries_no_value {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        for i in 0..4 {
            k(x, y);
            break i; //~ PL0201 `break` carries no value
        }
    }
}

mod a_loop_runs_over_a_range {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        for i in x { //~ PL0201 a loop in a kernel runs over a range
            k(x, y);
        }
    }
}

mod a_loop_runs_over_no_array {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        for i in [0, 1, 2] { //~ PL0201 write `for i in a..b`
            k(x, y);
        }
    }
}

mod a_loop_ends_before_its_bound {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        for i in 0..=4 { //~ PL0201 write `a..b + 1` for `a..=b`
            k(x, y);
        }
    }
}

mod a_loop_needs_both_bounds {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        for i in 0.. { //~ PL0201 a loop needs both of its bounds
            k(x, y);
        }
    }
}

mod a_loop_has_one_variable {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        for (i, j) in 0..4 { //~ PL0201 a loop over a range has one variable
            k(x, y);
        }
    }
}

mod a_part_ends_before_its_bound {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x.slice(s![0..=3]), y); //~ PL0201 a part of a dimension ends before its bound
    }
}

mod a_slice_is_written_in_place {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x.slice(0..4), y); //~ PL0201 `slice` takes `s![..]`
    }
}

mod dimensions_are_written_out {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x.reshape(SHAPE), y); //~ PL0201 write them as an array
    }
}

mod break_in_a_parallel_loop {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        for i in parallel(0..4) {
            k(x, y.slice(s![i..i + 1]));
            break; //~ PL0201 parallel
        }
    }
}

mod c18_break_in_an_unrolled_loop {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        for i in unroll(0..4) {
            k(x, y);
            break; //~ PL0201 unrolled
        }
    }
}

mod continue_in_an_unrolled_loop {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        for i in unroll(0..4) {
            if i == 2 {
                continue; //~ PL0201 unrolled
            }
            k(x, y);
        }
    }
}

mod an_unrolled_loop_has_constant_bounds {
    #[pl::jit]
    fn f(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        for i in unroll(0..x.dim(0)) { //~ PL0205 the bounds of an unrolled loop are not constant
            k(x, y);
        }
    }
}

mod only_variables_are_assigned {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y);
        y.dim(0) = 4; //~ PL0201 only variables can be assigned
    }
}

mod what_is_assigned_was_declared {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y);
        undefined = x; //~ PL0201 declare it with `let mut undefined = ..`
    }
}

mod a_pattern_is_a_name_or_a_tuple_of_names {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let [a, b] = x; //~ PL0201 bind one name, `_`, or a tuple of names
        k(x, y);
    }
}

mod the_type_of_a_tensor_is_not_written {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let t: Tensor<f32, _> = create_tensor([4]); //~ PL0201 the type of a tensor
        k(x, t);
        k(t, y);
    }
}

mod a_cfg_on_a_statement {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        #[cfg(test)] //~ PL0201
        let q = x;
        k(x, y);
    }
}

mod a_cfg_on_a_parameter {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, #[cfg(any())] n: usize, y: Out<Tensor<f32, 4>>) { //~ PL0201 `#[cfg]`
        store(y, load(x));
    }
}

mod a_cfg_inside_a_scope {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        scratch_scope!({
            #[cfg(any())] //~ PL0201
            store(y, load(x) + 2.0);
        });
        store(y, load(x));
    }
}

mod a_macro_that_is_not_ours {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        println!("{}", 1); //~ PL0208 `println!`
        store(y, load(x));
    }
}

mod e2_a_macro_that_allocates {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let v = vec![1, 2]; //~ PL0208 `vec!` hides its contents
        k(x, y);
    }
}

mod e4_a_call_through_a_field {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        (x.field)(x, y); //~ PL0201 calls of values
        k(x, y);
    }
}

mod e4_a_call_of_a_variable {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        x(y); //~ PL0201 calls of variables
        k(x, y);
    }
}

mod e4_a_field {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let s = x.shape; //~ PL0201
        k(x, y);
    }
}

mod a_string_is_no_value {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let name = "softmax"; //~ PL0201
        k(x, y);
    }
}

mod an_array_is_no_value {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let sizes = [1, 2]; //~ PL0201
        k(x, y);
    }
}

mod a_range_is_no_value {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let rows = 0..4; //~ PL0201
        k(x, y);
    }
}
