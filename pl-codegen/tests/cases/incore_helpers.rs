//! Shown: Lowered
//! Helpers of in-core code: `#[pl::jit::inline]` with tiles in the signature.

#[pl::jit::inline]
fn doubled(x: Tile<f32>) -> Tile<f32> {
    x * 2.0
}

#[pl::jit::inline]
fn store_to(x: Tile<f32>, y: Out<Tensor<f32, _>>) {
    store(y, x);
}

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, doubled(load(x)));
}

#[pl::jit::inline]
fn length(x: Tile<f32>) -> usize {
    x.dim(0)
}

mod auto_scope_true_is_refused {
    #[pl::jit::inline(auto_scope = true)] //~ PL0006 a helper with tiles is in-core code and takes no `auto_scope`
    fn rectified(x: Tile<f32>) -> Tile<f32> {
        maximum(x, 0.0)
    }
}

mod auto_scope_false_is_refused {
    #[pl::jit::inline(auto_scope = false)] //~ PL0006
    fn relu_too(x: Tile<f32>) -> Tile<f32> {
        maximum(x, 0.0)
    }
}

mod orchestration_helpers_call_none {
    #[pl::jit::inline]
    fn other(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        k(x, y);
        let t = doubled(x); //~ PL0212 `doubled` works on tiles, and orchestration code has none
    }
}

mod in_core_code_calls_no_orchestration {
    #[pl::jit::inline]
    fn helper(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        k(x, y);
    }

    #[pl::jit]
    fn entry(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        k(x, y);
    }

    #[pl::jit::incore]
    fn calls_orchestration(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        helper(x, y); //~ PL0212 `helper` is orchestration code
        k(x, y); //~ PL0212 `k` is a task of its own
        entry(x, y); //~ PL0212 `entry` is an entry
    }
}

mod entries_call_none {
    #[pl::jit]
    fn entry(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        k(x, y);
        store_to(x, y); //~ PL0212 `store_to` works on tiles
    }
}

mod a_helper_does_not_call_itself {
    #[pl::jit::inline]
    fn again(x: Tile<f32>) -> Tile<f32> {
        again(x) //~ PL0213 `again` calls itself
    }
}

mod a_tile_of_a_helper_belongs_to_the_scope_of_the_call {
    #[pl::jit::incore]
    fn kept(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        let mut t = zeros::<f32>([4]);
        scratch_scope!({
            t = doubled(load(x));
        });
        store(y, t); //~ PL0104 `t` is used after its `scratch_scope!` closed
    }
}

mod an_operator_on_what_a_helper_gave_makes_a_tile {
    #[pl::jit::incore]
    fn kept_by_an_operator(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        let t = doubled(load(x));
        let mut u = t;
        scratch_scope!({
            u = -t;
        });
        store(y, u); //~ PL0104 `u` is used after its `scratch_scope!` closed
    }
}

mod a_helper_does_not_return_what_it_recycles {
    #[pl::jit::inline]
    fn gives_what_it_recycles(x: Tile<f32>) -> Tile<f32> {
        scratch_scope!({ doubled(x) }) //~ PL0104 recycles
    }
}

mod a_scalar_that_leaves_a_scratch_scope_is_declared {
    #[pl::jit::incore]
    fn scalar_kept(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        let mut n = length(load(x));
        scratch_scope!({
            n = length(load(x));
        });
        store(y, load(x) * n); //~ PL0104 if it is a scalar, say so: `let n: f32 = ..`
    }
}

mod a_kernel_takes_no_tiles {
    #[pl::jit::incore]
    fn takes_tiles(x: Tile<f32>, y: Out<Tensor<f32, _>>) { //~ PL0209 `#[pl::jit::incore]` marks no function of tiles
        store(y, x);
    }
}

mod an_entry_takes_no_tiles {
    #[pl::jit]
    fn entry_of_tiles(x: Tile<f32>, y: Out<Tensor<f32, _>>) {} //~ PL0209
}

mod a_tile_has_an_element_type {
    #[pl::jit::inline]
    fn bare(x: Tile) {} //~ PL0209 `Tile` needs its element type
}

mod a_tile_has_no_dimensions_in_its_type {
    #[pl::jit::inline]
    fn of_a_shape(x: Tile<f32, 4>) {} //~ PL0209 `Tile` takes its element type alone
}

mod a_tile_has_one_of_the_element_types {
    #[pl::jit::inline]
    fn of_no_element(x: Tile<usize>) {} //~ PL0205 `usize` is not an element type
}

mod a_helper_with_tiles_returns_no_tensor {
    #[pl::jit::inline]
    fn gives_a_tensor(x: Tile<f32>, y: Tensor<f32, _>) -> Tensor<f32, _> { //~ PL0209 a helper of in-core code returns tiles and scalars
        y
    }
}

mod out_wraps_no_tile {
    #[pl::jit::inline]
    fn wrapped(x: Out<Tile<f32>>) {} //~ PL0209 `Out` wraps a tensor
}

mod a_helper_with_tiles_opens_no_scope {
    #[pl::jit::inline]
    fn opens_a_scope(x: Tile<f32>) {
        scope!({}); //~ PL0004
        for i in parallel(0..4) {} //~ PL0212 one thing at a time
    }
}

mod a_name_close_to_an_operation {
    #[pl::jit::incore]
    fn misspelt(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
        store(y, row_maks(load(x))); //~ PL0203 did you mean `row_max`?
    }
}

mod a_call_is_no_bound {
    #[pl::jit::incore]
    fn bounds(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        for i in 0..length(load(x)) { //~ PL0211
            store(y, load(x));
        }
    }
}

mod a_helper_writes_its_outputs {
    #[pl::jit::inline]
    fn never_writes(x: Tile<f32>, y: Out<Tensor<f32, _>>) {} //~ PL0303 `y` is declared `Out`
}

mod an_input_is_not_passed_to_an_output {
    #[pl::jit::incore]
    fn writes_its_input(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
        store_to(load(x), x); //~ PL0302
        store_to(load(x), y);
    }
}
