//! Shown: Lowered
//! Calls, operations and arguments in the wrong place.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

mod a_call_in_a_loop_bound {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        for i in 0..half(x) { //~ PL0211 if `half` is a helper, name its result before, `let n = half(x);`
            k(x, y);
        }
    }
}

mod a_call_in_a_condition {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        if ready(x) { //~ PL0211 name its result before, `let n = ready(x);`
            k(x, y);
        }
    }
}

mod a_call_in_an_operand {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let n = half(x) + 1; //~ PL0211
        k(x, y);
    }
}

mod a_call_in_a_slice {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x.slice(s![0..half(x)]), y); //~ PL0211
    }
}

mod a_call_in_a_dimension {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let t = create_tensor::<f32>([half(x)]); //~ PL0211
        k(x, t);
        k(t, y);
    }
}

mod a_tile_operation_in_orchestration {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let t = load(x); //~ PL0212 `load` works on tiles and belongs into in-core code
        k(x, y);
    }
}

mod a_tile_operation_in_a_helper {
    #[pl::jit::inline]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        store(y, exp(x)); //~ PL0212 move it into a function marked `#[pl::jit::incore]`
    }
}

mod a_parallel_loop_in_core {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        for i in parallel(0..4) { //~ PL0212 a core runs one thing at a time
            store(y, load(x));
        }
    }
}

mod an_element_of_a_tensor_in_core {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let first = x.get([0]); //~ PL0212 through tiles, not by `get`
        store(y, load(x) + first);
    }
}

mod an_element_of_a_tensor_is_set_in_core {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        y.set([0], 1.0); //~ PL0212 through tiles, not by `set`
        store(y, load(x));
    }
}

mod c102_a_kernel_that_calls_itself {
    #[pl::jit::inline]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y);
        f(x, y); //~ PL0213 write the repetition as a loop
    }
}

mod c102_an_entry_that_calls_itself {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y);
        f(x, y); //~ PL0213 `f` calls itself
    }
}

mod an_unknown_operation_has_a_near_name {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        store(y, exq(load(x))); //~ PL0203 did you mean `exp`?
    }
}

mod in_core_code_calls_no_kernel {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x, y); //~ PL0212 `k` is a task of its own
        store(y, load(x));
    }
}

mod an_unknown_method_of_a_tensor {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        k(x.flatten(), y); //~ PL0203 no method `flatten`
    }
}

mod an_unknown_method_of_a_scalar {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let n = x.dim(0).leading_zeros(); //~ PL0203 no method `leading_zeros`
        k(x, y);
    }
}

mod tiles_are_compared_by_functions {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let a = load(x);
        let b = a > a; //~ PL0205 does not work on tiles
        store(y, a);
    }
}

mod init_stands_behind_a_create {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let t = x.init(0.0); //~ PL0205 directly behind
        k(x, y);
    }
}

mod a_tile_has_a_dimension {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let none = zeros::<f32>([]); //~ PL0205 1 to 5 dimensions, not 0
        store(y, load(x));
    }
}

mod a_tensor_has_five_dimensions_at_most {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let six = create_tensor::<f32>([1, 1, 1, 1, 1, 1]).init(0.0); //~ PL0205 not 6
        k(x, y);
    }
}

mod a_reshaped_tile_has_a_dimension {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        store(y, load(x).reshape([])); //~ PL0205 not 0
    }
}

mod nothing_fixes_the_element_type {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let t = zeros([4]); //~ PL0210 write it: `zeros::<f32>(..)`
        store(y, load(x));
    }
}

mod nothing_fixes_the_element_type_of_a_create {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let t = create_tensor([4]); //~ PL0210
        k(x, y);
    }
}
