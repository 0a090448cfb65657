//! Shown: Lowered
//! Attributes, names and signatures that kernels cannot have, and those that they can.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

mod e8_an_unknown_option {
    #[pl::jit(auto_scop = false)] //~ PL0202 options are `auto_scope = true` or `false`
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y);
    }
}

mod c065_e8_a_keyword_of_another_attribute {
    #[pl::jit::incore(level = 2)] //~ PL0202 has no option `level`
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        store(y, load(x));
    }
}

mod only_in_core_code_is_fused {
    #[pl::jit(fuse = false)] //~ PL0202 `#[pl::jit]` takes no `fuse`: it is no in-core code
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        k(x, y);
    }
}

mod an_option_given_twice {
    #[pl::jit(auto_scope = false, auto_scope = true)] //~ PL0202 is given twice
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y);
    }
}

mod auto_scope_is_a_literal {
    #[pl::jit(auto_scope = FLAG)] //~ PL0202 the attribute cannot be read
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y);
    }
}

mod a_function_is_marked_once {
    #[pl::jit]
    #[pl::jit::incore] //~ PL0209 is marked as a kernel twice
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y);
    }
}

mod a_dimension_that_no_parameter_has {
    #[pl::jit::incore(dims(R, C))] //~ PL0209 `C` is not a dimension
    fn f(x: Tensor<f32, R>, y: Out<Tensor<f32, R>>) {
        store(y, load(x));
    }
}

mod a_kernel_is_not_async {
    #[pl::jit]
    async fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) { //~ PL0209 `async`
        k(x, y);
    }
}

mod a_kernel_is_not_const {
    #[pl::jit]
    const fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) { //~ PL0209 `const`
        k(x, y);
    }
}

mod a_kernel_is_not_unsafe {
    #[pl::jit]
    unsafe fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) { //~ PL0209 `unsafe`
        k(x, y);
    }
}

mod a_kernel_is_not_extern {
    #[pl::jit]
    extern "C" fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) { //~ PL0209 `extern`
        k(x, y);
    }
}

mod a_kernel_has_no_where_clause {
    #[pl::jit::incore]
    fn f<T>(x: Tensor<T, 4>, y: Out<Tensor<T, 4>>)
    where //~ PL0209 write the bound at the parameter
        T: Element,
    {
        store(y, load(x));
    }
}

mod a_kernel_has_no_lifetimes {
    #[pl::jit]
    fn f<'a>(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) { //~ PL0209 lifetime
        k(x, y);
    }
}

mod c089_a_tensor_states_its_dimensions {
    #[pl::jit]
    fn f(x: Tensor<f32>, y: Out<Tensor<f32, 4>>) { //~ PL0209 1 to 5
        k(x, y);
    }
}

mod a_tensor_parameter_has_five_dimensions_at_most {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 1, 1, 1, 1, 1, 1>, y: Out<Tensor<f32, 4>>) { //~ PL0209 1 to 5
        store(y, load(x));
    }
}

mod a_parameter_is_no_reference {
    #[pl::jit]
    fn f(x: &Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) { //~ PL0209
        k(x, y);
    }
}

mod a_parameter_has_one_name {
    #[pl::jit]
    fn f((a, b): (f32, f32), x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) { //~ PL0209 one name
        k(x, y);
    }
}

mod a_parameter_is_no_vector {
    #[pl::jit]
    fn f(v: Vec<f32>, x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) { //~ PL0209
        k(x, y);
    }
}

mod a_scalar_is_no_output {
    #[pl::jit]
    fn f(n: Out<usize>, x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) { //~ PL0209
        k(x, y);
    }
}

mod an_entry_returns_nothing {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) -> f32 { //~ PL0209 returns nothing
        k(x, y);
        1.0
    }
}

mod c086_a_result_has_no_direction {
    #[pl::jit::inline]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) -> Out<Tensor<f32, 4>> { //~ PL0209 a result has no direction
        k(x, y);
        y
    }
}

mod a_name_of_an_operation {
    #[pl::jit::incore]
    fn exp(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) { //~ PL0207 call it `exp_kernel`
        store(y, load(x));
    }
}

mod a_name_of_a_primitive {
    #[pl::jit::incore]
    fn f32(x: Tensor<i32, 4>, y: Out<Tensor<i32, 4>>) { //~ PL0207 the language has that name
        store(y, load(x));
    }
}

mod a_type_parameter_of_the_name_of_a_primitive {
    #[pl::jit::inline]
    fn f<usize: Scalar>(x: usize, y: Out<Tensor<f32, 4>>) { //~ PL0207 a type parameter cannot be called `usize`
        k(x, y);
    }
}

mod e5_a_helper_that_nobody_calls_is_checked_at_its_definition {
    #[pl::jit::inline]
    fn f(v: Vec<f32>, y: Out<Tensor<f32, 4>>) { //~ PL0209
        k(y, y);
    }
}

mod e8_what_is_not_built_yet_says_so {
    #[pl::jit::host]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) { //~ PL0206 `#[pl::jit::host]` is not available yet
        k(x, y);
    }
}

mod c057_an_attribute_may_have_empty_parentheses {
    #[pl::jit()]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y);
    }
    //= entry f(x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>) auto_scope = true {
    //=     call k(x, y);
    //= }
}

mod c058_the_flag_of_an_entry_is_kept {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y);
    }
    //= entry f(x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>) auto_scope = false {
    //=     call k(x, y);
    //= }
}

mod c087_a_scalar_is_a_parameter_not_a_constant {
    #[pl::jit]
    fn f(n: usize, a: f32, on: bool, x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y);
    }
    //= entry f(n: usize, a: f32, on: bool, x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>) auto_scope = true {
    //=     call k(x, y);
    //= }
}

mod c088_a_signature_needs_no_samples {
    #[pl::jit(dims(M, N))]
    fn f(x: Tensor<f32, M, N>, y: Out<Tensor<f32, N, M>>) {
        k(x.reshape([M * N]), y.reshape([M * N]));
    }
    //= entry f(x: in Tensor<f32, [M, N]>, y: out Tensor<f32, [N, M]>) dims(M, N) auto_scope = true {
    //=     call k(x.reshape([M * N]), y.reshape([M * N]));
    //= }
}

mod c186_parameters_of_like_names_stay_distinct {
    #[pl::jit]
    fn f(out_0: Tensor<f32, 4>, out_1: Out<Tensor<f32, 4>>) {
        k(out_0, out_1);
    }
    //= entry f(out_0: in Tensor<f32, [4]>, out_1: out Tensor<f32, [4]>) auto_scope = true {
    //=     call k(out_0, out_1);
    //= }
}

mod c189_scalars_and_tensors_may_stand_in_any_order {
    #[pl::jit]
    fn f(a: f32, x: Tensor<f32, 4>, n: usize, y: Out<Tensor<f32, 4>>) {
        k(x, y);
    }
    //= entry f(a: f32, x: in Tensor<f32, [4]>, n: usize, y: out Tensor<f32, [4]>) auto_scope = true {
    //=     call k(x, y);
    //= }
}

mod c190_a_named_dimension_is_a_length_in_the_body {
    #[pl::jit(dims(M))]
    fn f(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
        for i in 0..M {
            k(x.slice(s![i..M]), y.slice(s![i..M]));
        }
    }
    //= entry f(x: in Tensor<f32, [M]>, y: out Tensor<f32, [M]>) dims(M) auto_scope = true {
    //=     for i in 0..M {
    //=         call k(x.slice(s![i..M]), y.slice(s![i..M]));
    //=     }
    //= }
}

mod a_kernel_may_be_generic {
    #[pl::jit::incore(dims(M))]
    fn f<T: Element, const N: usize>(x: Tensor<T, M, N>, y: Out<Tensor<T, M, N>>) {
        store(y, load(x));
    }
    //= incore f<T, const N>(x: in Tensor<T, [M, N]>, y: out Tensor<T, [M, N]>) dims(M) {
    //=     store(y, load(x));
    //= }
}

mod a_parameter_may_have_the_name_of_its_function {
    #[pl::jit::incore]
    fn scale(x: Tensor<f32, _>, scale: f32, y: Out<Tensor<f32, _>>) {
        store(y, load(x) * scale);
    }

    #[pl::jit]
    fn f(f: Tensor<f32, 4>, by: f32, y: Out<Tensor<f32, 4>>) {
        scale(f, by, y);
    }
    //= incore scale(x: in Tensor<f32, [_]>, scale: f32, y: out Tensor<f32, [_]>) {
    //=     store(y, load(x) * scale);
    //= }
    //= entry f(f: in Tensor<f32, [4]>, by: f32, y: out Tensor<f32, [4]>) auto_scope = true {
    //=     call scale(f, by, y);
    //= }
}

mod every_element_type_is_known {
    #[pl::jit]
    fn f(
        a: Tensor<f16, 1>,
        b: Tensor<bf16, 1>,
        c: Tensor<i8, 1>,
        d: Tensor<i16, 1>,
        e: Tensor<i64, 1>,
        f: Tensor<u8, 1>,
        g: Tensor<u16, 1>,
        h: Tensor<u32, 1>,
        i: Tensor<u64, 1>,
        j: Tensor<bool, 1>,
    ) {
    }
    //= entry f(a: in Tensor<f16, [1]>, b: in Tensor<bf16, [1]>, c: in Tensor<i8, [1]>, d: in Tensor<i16, [1]>, e: in Tensor<i64, [1]>, f: in Tensor<u8, [1]>, g: in Tensor<u16, [1]>, h: in Tensor<u32, [1]>, i: in Tensor<u64, [1]>, j: in Tensor<bool, [1]>) auto_scope = true {}
}

mod a_dimension_may_be_an_expression {
    #[pl::jit]
    fn f(x: Tensor<f32, { 2 * 8 }>, y: Out<Tensor<f32, 16>>) {
        k(x, y);
    }
    //= entry f(x: in Tensor<f32, [2 * 8]>, y: out Tensor<f32, [16]>) auto_scope = true {
    //=     call k(x, y);
    //= }
}

mod the_facade_may_have_another_name {
    #[pl::jit(crate = ::pl)]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y);
    }
    //= entry f(x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>) auto_scope = true {
    //=     call k(x, y);
    //= }
}
