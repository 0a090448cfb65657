//! Shown: Lowered
//! Shapes whose lengths are numbers.

mod tiles_that_are_added_have_lengths_that_broadcast {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64, 32>, b: Tensor<f32, 16>, y: Out<Tensor<f32, 64, 32>>) {
        store(y, load(x) + load(b)); //~ PL0214 `+` does not take the shapes [64, 32] and [16]
    }
}

mod lengths_of_1_broadcast {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64, 32>, b: Tensor<f32, 32>, c: Tensor<f32, 64, 1>, y: Out<Tensor<f32, 64, 32>>) {
        store(y, (load(x) + load(b)) * load(c) - row_max(load(x)) * 2.0);
    }
    //= incore f(x: in Tensor<f32, [64, 32]>, b: in Tensor<f32, [32]>, c: in Tensor<f32, [64, 1]>, y: out Tensor<f32, [64, 32]>) {
    //=     store(y, ((load(x) + load(b)) * load(c)) - (row_max(load(x)) * 2.0));
    //= }
}

mod a_larger_value_of_two_tiles_is_taken_of_tiles_that_broadcast {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let t = zeros([4]);
        store(y, maximum(load(x), t)); //~ PL0214 `maximum` does not take the shapes [8] and [4]
    }
}

mod the_inner_lengths_of_a_product_are_the_same {
    #[pl::jit::incore]
    fn f(a: Tensor<f32, 8, 16>, b: Tensor<f32, 8, 16>, y: Out<Tensor<f32, 8, 8>>) {
        store(y, dot(load(a), load(b))); //~ PL0214 `dot` does not take the shapes [8, 16] and [8, 16]
    }
}

mod a_transposed_tile_fits_a_product {
    #[pl::jit::incore]
    fn f(a: Tensor<f32, 8, 16>, b: Tensor<f32, 8, 16>, y: Out<Tensor<f32, 8, 8>>) {
        store(y, dot(load(a), transpose(load(b))));
    }
    //= incore f(a: in Tensor<f32, [8, 16]>, b: in Tensor<f32, [8, 16]>, y: out Tensor<f32, [8, 8]>) {
    //=     store(y, dot(load(a), transpose(load(b))));
    //= }
}

mod what_is_stored_has_the_shape_of_its_place {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64, 32>, y: Out<Tensor<f32, 32, 64>>) {
        store(y, load(x)); //~ PL0214 `store` does not take the shapes [32, 64] and [64, 32]
    }
}

mod what_is_stored_has_as_many_dimensions_as_its_place {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64, 32>, y: Out<Tensor<f32, 64>>) {
        store(y, row_sum(load(x))); //~ PL0214 `store` does not take the shapes [64] and [64, 1]
    }
}

mod a_tile_is_copied_to_one_of_its_shape {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 4>, y: Out<Tensor<f32, 8, 1>>) {
        let m = zeros([8, 1]);
        scratch_scope!({
            copy_to(m, load(x)); //~ PL0214 `copy_to` does not take the shapes [8, 1] and [8, 4]
        });
        store(y, m);
    }
}

mod a_part_has_the_length_of_its_range {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 4>, y: Out<Tensor<f32, 4>>) {
        store(y, load(x.slice(s![2, ..])) + load(x.slice(s![3, 0..4])));
    }
    //= incore f(x: in Tensor<f32, [8, 4]>, y: out Tensor<f32, [4]>) {
    //=     store(y, load(x.slice(s![2, ..])) + load(x.slice(s![3, 0..4])));
    //= }
}

mod a_slice_ends_inside_its_dimension {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        store(y, load(x.slice(s![4..12]))); //~ PL0214 end it at 8 or before
    }
}

mod an_index_lies_inside_its_dimension {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 4>, y: Out<Tensor<f32, 4>>) {
        store(y, load(x.slice(s![8, ..]))); //~ PL0214 use an index from 0 to 7
    }
}

mod lengths_that_are_no_numbers_are_left_to_the_run {
    const N: usize = 16;

    #[pl::jit::incore(dims(M))]
    fn f(x: Tensor<f32, M, N>, b: Tensor<f32, _>, y: Out<Tensor<f32, 64, N>>) {
        store(y, load(x) + load(b));
    }
    //= incore f(x: in Tensor<f32, [M, N]>, b: in Tensor<f32, [_]>, y: out Tensor<f32, [64, N]>) dims(M) {
    //=     store(y, load(x) + load(b));
    //= }
}

mod a_variable_with_several_values_may_have_several_shapes {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8>, n: usize, y: Out<Tensor<f32, 8>>) {
        let mut t = zeros([4]);
        if n > 4 {
            t = zeros([8]);
        }
        store(y, load(x) + t);
    }
    //= incore f(x: in Tensor<f32, [8]>, n: usize, y: out Tensor<f32, [8]>) {
    //=     let mut t: Tile<f32> = zeros([4]);
    //=     if n > 4 {
    //=         t = zeros([8]);
    //=     };
    //=     store(y, load(x) + t);
    //= }
}
