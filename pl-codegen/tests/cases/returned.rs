//! Shown: Lowered
//! Kernels that return tensors, and what they cannot return.

const N: usize = 4;

#[pl::jit::incore(dims(M))]
fn doubled(x: Tensor<f32, M>) -> Tensor<f32, M> {
    load(x) * 2.0
}

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

mod the_dimensions_of_a_result_are_known {
    #[pl::jit::incore]
    fn of_any_length(x: Tensor<f32, _>) -> Tensor<f32, _> { //~ PL0209 the dimensions of a tensor that a kernel returns are not known
        load(x)
    }
}

mod a_name_of_a_result_is_one_of_a_parameter {
    #[pl::jit::incore(dims(M, K))] //~ PL0209 `K` is not a dimension of any parameter
    fn of_a_new_name(x: Tensor<f32, M>) -> Tensor<f32, K> {
        load(x)
    }
}

mod a_kernel_returns_no_scalar {
    #[pl::jit::incore]
    fn scalar(x: Tensor<f32, _>) -> f32 { //~ PL0209 a kernel returns tensors
        1.0
    }
}

mod a_kernel_returns_no_tile {
    #[pl::jit::incore]
    fn tile(x: Tensor<f32, _>) -> Tile<f32> { //~ PL0209 marks no function of tiles
        load(x)
    }
}

mod a_result_has_no_direction {
    #[pl::jit::incore(dims(M))]
    fn out(x: Tensor<f32, M>) -> Out<Tensor<f32, M>> { //~ PL0209 a result has no direction
        load(x)
    }
}

mod one_tensor_is_no_tuple {
    #[pl::jit::incore(dims(M))]
    fn one_in_parentheses(x: Tensor<f32, M>) -> (Tensor<f32, M>,) { //~ PL0209 a kernel returns one tensor, or a tuple of several
        (load(x),)
    }
}

mod an_entry_returns_nothing {
    #[pl::jit(dims(M))]
    fn entry(x: Tensor<f32, M>) -> Tensor<f32, M> { //~ PL0209 an entry returns nothing
        doubled(x)
    }
}

mod a_result_is_not_what_a_scratch_scope_recycles {
    #[pl::jit::incore(dims(M))]
    fn recycled(x: Tensor<f32, M>) -> Tensor<f32, M> {
        scratch_scope!({ load(x) * 2.0 }) //~ PL0104 the value of this `scratch_scope!` is a tile
    }
}

mod a_result_is_not_kept_from_a_scratch_scope {
    #[pl::jit::incore(dims(M))]
    fn kept(x: Tensor<f32, M>) -> Tensor<f32, M> {
        let mut y = load(x);
        scratch_scope!({
            y = y * 2.0;
        });
        y //~ PL0104 `y` is used after
    }
}

mod a_result_belongs_to_the_scope_of_the_call {
    #[pl::jit(auto_scope = false)]
    fn after_its_scope(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let mut last = x;
        scope!({
            last = doubled(x);
            copy(last, y);
        });
        copy(last, y); //~ PL0101 `last` is used after its `scope!` closed
    }
}

mod a_result_is_not_carried_by_a_loop {
    #[pl::jit]
    fn carried(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let mut last = x;
        for i in 0..4 {
            last = doubled(last); //~ PL0103 `last` holds a tensor of an earlier iteration
        }
        copy(x, y);
    }
}

mod a_result_is_not_the_value_of_its_scope {
    #[pl::jit]
    fn as_value(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let t = manual_scope!({ doubled(x) }); //~ PL0102
        copy(t, y);
    }
}

mod a_result_has_the_declared_shape {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4, 8>) -> Tensor<f32, 4, 2> {
        row_sum(load(x)) //~ PL0214 the kernel gives [4, 1], and its signature says that it returns [4, 2]
    }
}
