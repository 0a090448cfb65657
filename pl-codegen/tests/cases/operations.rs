//! Shown: Lowered
//! Operations along rows and columns, and on rows that indices name.

mod several_tiles_are_taken_apart {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 64>, v: Out<Tensor<f32, 8, 4>>, i: Out<Tensor<i32, 8, 4>>) {
        let (values, indices) = top_k(load(x), 4);
        store(v, values);
        store(i, indices);
    }
    //= incore f(x: in Tensor<f32, [8, 64]>, v: out Tensor<f32, [8, 4]>, i: out Tensor<i32, [8, 4]>) {
    //=     let (values, indices): (Tile<f32>, Tile<i32>) = top_k(load(x), 4);
    //=     store(v, values);
    //=     store(i, indices);
    //= }
}

mod indices_have_any_integer_type {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, _, 64>, i: Tensor<u32, 8>, y: InOut<Tensor<f32, _, 64>>) {
        let i = load(i);
        let rows = gather_rows(x, i);
        let last = take_rows(rows, row_argmax(transpose(softmax(rows))));
        scatter_rows(y, i, concat(rows, last, 0).slice(s![..8, ..]));
    }
    //= incore f(x: in Tensor<f32, [_, 64]>, i: in Tensor<u32, [8]>, y: inout Tensor<f32, [_, 64]>) {
    //=     let i#2: Tile<u32> = load(i);
    //=     let rows: Tile<f32> = gather_rows(x, i#2);
    //=     let last: Tile<f32> = take_rows(rows, row_argmax(transpose(softmax(rows))));
    //=     scatter_rows(y, i#2, concat(rows, last, 0).slice(s![..8, ..]));
    //= }
}

mod floats_are_no_indices {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 64>, i: Tensor<f32, 8>, y: Out<Tensor<f32, 8, 64>>) {
        store(y, take_rows(load(x), load(i))); //~ PL0215 `take_rows` takes integers as indices, and this tile has `f32` elements
    }
}

mod truth_values_are_no_indices {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 64>, i: Tensor<bool, 8>, y: Out<Tensor<f32, 8, 64>>) {
        store(y, gather_rows(x, load(i))); //~ PL0215 `gather_rows` takes integers as indices, and this tile has `bool` elements
    }
}

mod a_mean_is_one_of_floats {
    #[pl::jit::incore]
    fn f(x: Tensor<i32, 8, 64>, y: Out<Tensor<i32, 1, 64>>) {
        store(y, col_mean(load(x))); //~ PL0215 `col_mean` works on floats, and this tile has `i32` elements
    }
}

mod indices_of_extremes_are_i32 {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 64>, y: Out<Tensor<f32, 8, 1>>) {
        store(y, exp(row_argmin(load(x)))); //~ PL0215 `exp` works on floats, and this tile has `i32` elements
    }
}

mod a_gathered_tensor_is_read {
    #[pl::jit::incore]
    fn f(i: Tensor<i32, 8>, y: Out<Tensor<f32, 8, 64>>, z: Out<Tensor<f32, 8, 64>>) { //~ PL0303 `y` is declared `Out`, and nothing writes it
        store(z, gather_rows(y, load(i)));
    }
}

mod a_scattered_tensor_is_written {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 64>, i: Tensor<i32, 8>, y: Tensor<f32, 32, 64>) {
        scatter_rows(y, load(i), load(x)); //~ PL0302 `y` is an input and is written
    }
}

mod a_region_that_scatters_reads_and_writes {
    #[pl::jit]
    fn f(x: Tensor<f32, 8, 64>, i: Tensor<i32, 8>, y: InOut<Tensor<f32, 32, 64>>) {
        at!("scatter", {
            scatter_rows(y, load(i), load(x));
        });
    }
    //= entry f(x: in Tensor<f32, [8, 64]>, i: in Tensor<i32, [8]>, y: inout Tensor<f32, [32, 64]>) auto_scope = true {
    //=     at "scatter"() {
    //=         scatter_rows(y, load(i), load(x));
    //=     };
    //= }
}

mod a_column_is_reduced_to_one_row {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 64>, y: Out<Tensor<f32, 8, 1>>) {
        store(y, col_sum(load(x))); //~ PL0214 `store` does not take the shapes [8, 1] and [1, 64]
    }
}

mod a_row_has_enough_elements {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 64>, y: Out<Tensor<f32, 8, 65>>) {
        let (v, i) = top_k(load(x), 65); //~ PL0214 `top_k` gives no 65 elements of rows of 64
        store(y, v);
    }
}

mod both_tiles_of_an_operation_have_its_shape {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 64>, y: Out<Tensor<i32, 8, 64>>) {
        let (_, i) = top_k(load(x), 3);
        store(y, i); //~ PL0214 `store` does not take the shapes [8, 64] and [8, 3]
    }
}

mod tiles_fit_where_they_are_concatenated {
    #[pl::jit::incore]
    fn f(a: Tensor<f32, 8, 64>, b: Tensor<f32, 8, 32>, y: Out<Tensor<f32, 16, 64>>) {
        store(y, concat(load(a), load(b), 0)); //~ PL0214 `concat` does not take the shapes [8, 64] and [8, 32]
    }
}

mod lengths_add_up_where_tiles_are_concatenated {
    #[pl::jit::incore]
    fn f(a: Tensor<f32, 8, 64>, b: Tensor<f32, 8, 32>, y: Out<Tensor<f32, 8, 64>>) {
        store(y, concat(load(a), load(b), 1)); //~ PL0214 `store` does not take the shapes [8, 64] and [8, 96]
    }
}

mod tiles_are_concatenated_along_a_dimension_that_they_have {
    #[pl::jit::incore]
    fn f(a: Tensor<f32, 8, 64>, y: Out<Tensor<f32, 8, 64>>) {
        store(y, concat(load(a), load(a), 2)); //~ PL0214 [8, 64] has no dimension 2
    }
}

mod there_are_as_many_rows_as_indices {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 32, 64>, i: Tensor<i32, 8>, y: Out<Tensor<f32, 32, 64>>) {
        store(y, gather_rows(x, load(i))); //~ PL0214 `store` does not take the shapes [32, 64] and [8, 64]
    }
}

mod each_index_has_a_row_to_scatter {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4, 64>, i: Tensor<i32, 8>, y: InOut<Tensor<f32, 32, 64>>) {
        scatter_rows(y, load(i), load(x)); //~ PL0214 `scatter_rows` does not take the shapes [8, 64] and [4, 64]
    }
}

mod tiles_of_a_scratch_scope_end_with_it {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 64>, y: Out<Tensor<f32, 8, 64>>) {
        let t = load(x);
        let v = zeros([8, 64]);
        scratch_scope!({
            let (sorted, _) = sort(t);
            v = sorted;
        });
        store(y, v); //~ PL0104
    }
}
