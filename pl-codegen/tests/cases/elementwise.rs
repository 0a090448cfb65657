//! Shown: Lowered
//! Comparison, selection, counting tiles, casts with a rounding, and ragged edges.

mod a_causal_mask_is_a_comparison_of_two_counts {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 16>, start: usize, y: Out<Tensor<f32, 8, 16>>) {
        let row = iota::<i32>([8, 1], 0) + start;
        let column = iota([1, 16], 1);
        let seen = le(column, row);
        store(y, select(seen, load(x), f32::NEG_INFINITY));
    }
    //= incore f(x: in Tensor<f32, [8, 16]>, start: usize, y: out Tensor<f32, [8, 16]>) {
    //=     let row: Tile<i32> = iota([8, 1], 0) + start;
    //=     let column: Tile<i32> = iota([1, 16], 1);
    //=     let seen: Tile<bool> = le(column, row);
    //=     store(y, select(seen, load(x), f32::NEG_INFINITY));
    //= }
}

mod a_mask_is_combined_and_inverted {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8>, m: Tensor<bool, 8>, y: Out<Tensor<f32, 8>>) {
        let x = load(x);
        let inside = and(gt(x, -1.0), lt(x, 1.0));
        store(y, select(or(not(inside), load(m)), 0.0, x));
    }
    //= incore f(x: in Tensor<f32, [8]>, m: in Tensor<bool, [8]>, y: out Tensor<f32, [8]>) {
    //=     let x#2: Tile<f32> = load(x);
    //=     let inside: Tile<bool> = and(gt(x#2, -1.0), lt(x#2, 1.0));
    //=     store(y, select(or(not(inside), load(m)), 0.0, x#2));
    //= }
}

mod a_comparison_gives_truth_values {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        store(y, gt(load(x), 0.0) * 2.0); //~ PL0215 `*` works on numbers, and this tile has `bool` elements
    }
}

mod logic_takes_truth_values {
    #[pl::jit::incore]
    fn f(x: Tensor<u8, 8>, y: Out<Tensor<u8, 8>>) {
        store(y, and(load(x), load(x))); //~ PL0215 `and` works on `bool`, and this tile has `u8` elements
    }
}

mod a_selection_is_of_tiles {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        store(y, select(gt(load(x), 0.0), 1.0, 0.0)); //~ PL0205 `select` works on tiles, and these are scalars
    }
}

mod all_three_operands_of_a_selection_broadcast {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 16>, m: Tensor<bool, 16>, b: Tensor<f32, 8, 1>, y: Out<Tensor<f32, 8, 16>>) {
        store(y, select(load(m), load(b), load(x)));
    }
    //= incore f(x: in Tensor<f32, [8, 16]>, m: in Tensor<bool, [16]>, b: in Tensor<f32, [8, 1]>, y: out Tensor<f32, [8, 16]>) {
    //=     store(y, select(load(m), load(b), load(x)));
    //= }
}

mod a_mask_of_another_length_is_refused {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 16>, m: Tensor<bool, 8>, y: Out<Tensor<f32, 8, 16>>) {
        store(y, select(load(m), load(x), 0.0)); //~ PL0214 `select` does not take the shapes [8] and [8, 16]
    }
}

mod the_shape_of_a_comparison_goes_on {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 16>, y: Out<Tensor<bool, 8, 8>>) {
        store(y, eq(load(x), 1.0)); //~ PL0214 `store` does not take the shapes [8, 8] and [8, 16]
    }
}

mod comparisons_of_tiles_are_functions {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8>, y: Out<Tensor<bool, 8>>) {
        let x = load(x);
        store(y, x < 0.0); //~ PL0205 write `lt(x, 0.0)`
    }
}

mod logic_of_tiles_is_functions {
    #[pl::jit::incore]
    fn f(m: Tensor<bool, 8>, y: Out<Tensor<bool, 8>>) {
        let m = load(m);
        store(y, m & m); //~ PL0205 write `and(m, m)`
        store(y, m || m); //~ PL0205 write `or(m, m)`
        store(y, !m); //~ PL0205 write `not(m)`
    }
}

mod truth_values_are_not_counted {
    #[pl::jit::incore]
    fn f(y: Out<Tensor<bool, 8>>) {
        store(y, iota([8], 0)); //~ PL0215 `iota` makes tiles of numbers, not of `bool`
    }
}

mod the_element_type_of_a_count_is_known {
    #[pl::jit::incore]
    fn f(n: usize, y: Out<Tensor<f32, 8>>) {
        let t = iota([8], 0); //~ PL0210
        store(y, zeros([8]));
    }
}

mod floats_are_converted_with_a_rounding {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8>, y: Out<Tensor<i8, 8>>, z: Out<Tensor<bf16, 8>>) {
        store(y, cast_round(load(x) * 127.0));
        store(z, cast_floor::<bf16>(load(x)));
    }
    //= incore f(x: in Tensor<f32, [8]>, y: out Tensor<i8, [8]>, z: out Tensor<bf16, [8]>) {
    //=     store(y, cast_round(load(x) * 127.0));
    //=     store(z, cast_floor(load(x)));
    //= }
}

mod integers_have_nothing_to_round {
    #[pl::jit::incore]
    fn f(x: Tensor<i32, 8>, y: Out<Tensor<i8, 8>>) {
        store(y, cast_rint(load(x))); //~ PL0215 `cast_rint` rounds floats, and this tile has `i32` elements
    }
}

mod a_ragged_edge_is_padded_and_clipped {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, _, 100>, y: Out<Tensor<f32, _, 100>>) {
        let t = load_padded(x, [64, 128], 0.0);
        store_clipped(y, gelu(t));
    }
    //= incore f(x: in Tensor<f32, [_, 100]>, y: out Tensor<f32, [_, 100]>) {
    //=     let t: Tile<f32> = load_padded(x, [64, 128], 0.0);
    //=     store_clipped(y, gelu(t));
    //= }
}

mod a_padded_tile_is_as_large_as_its_tensor {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 16>, y: Out<Tensor<f32, 8, 8>>) {
        store(y, load_padded(x, [8, 8], 0.0)); //~ PL0214 `load_padded` does not take the shapes [8, 16] and [8, 8]
    }
}

mod a_padded_tile_has_as_many_dimensions_as_its_tensor {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 16>, y: Out<Tensor<f32, 8, 16>>) {
        store(y, load_padded(x, [8, 16], 0.0)); //~ PL0214 `load_padded` does not take the shapes [16] and [8, 16]
    }
}

mod a_clipped_tile_covers_its_tensor {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 8>, y: Out<Tensor<f32, 8, 16>>) {
        store_clipped(y, load(x)); //~ PL0214 `store_clipped` does not take the shapes [8, 16] and [8, 8]
    }
}

mod what_is_padded_is_read_and_what_is_clipped_is_written {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let t = load_padded(x, [16], 0.0);
        store_clipped(x, t); //~ PL0302 `x` is an input and is written
        store_clipped(y, t);
    }
}

mod what_is_only_padded_is_not_written {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) { //~ PL0303 `y` is declared `Out`, and nothing writes it
        let t = load_padded(x, [16], 0.0);
        let u = load_padded(y, [16], 0.0);
    }
}

mod a_region_reads_what_it_pads_and_writes_what_it_clips {
    #[pl::jit]
    fn f(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        at!("edge", {
            store_clipped(y, load_padded(x, [16], 0.0));
        });
    }
    //= entry f(x: in Tensor<f32, [8]>, y: out Tensor<f32, [8]>) auto_scope = true {
    //=     at "edge"() {
    //=         store_clipped(y, load_padded(x, [16], 0.0));
    //=     };
    //= }
}

mod exponents_and_bounds_are_scalars {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8>, n: i32, y: Out<Tensor<f32, 8>>) {
        store(y, clamp(powi(load(x), n) + powi(load(x), -2), -1.0, 1));
    }
    //= incore f(x: in Tensor<f32, [8]>, n: i32, y: out Tensor<f32, [8]>) {
    //=     store(y, clamp(powi(load(x), n) + powi(load(x), -2), -1.0, 1));
    //= }
}

mod activations_are_of_floats {
    #[pl::jit::incore]
    fn f(x: Tensor<bf16, 8>, i: Tensor<i32, 8>, u: Tensor<u32, 8>, y: Out<Tensor<bf16, 8>>) {
        let x = load(x);
        store(y, relu(sigmoid(x)) + silu(x) + gelu(x) + gelu_tanh(x));
        let a = relu(load(i));
        let b = relu(load(u)); //~ PL0215 `relu` works on floats and signed integers, and this tile has `u32` elements
        let c = silu(load(i)); //~ PL0215 `silu` works on floats, and this tile has `i32` elements
    }
}
