//! Shown: Lowered
//! Element types that operations work on.

mod an_exponential_is_one_of_floats {
    #[pl::jit::incore]
    fn f(x: Tensor<i32, 8>, y: Out<Tensor<i32, 8>>) {
        store(y, exp(load(x))); //~ PL0215 `exp` works on floats, and this tile has `i32` elements
    }
}

mod truth_values_have_no_sum {
    #[pl::jit::incore]
    fn f(x: Tensor<bool, 8>, y: Out<Tensor<bool, 8>>) {
        store(y, load(x) + load(x)); //~ PL0215 `+` works on numbers, and this tile has `bool` elements
    }
}

mod truth_values_have_no_opposite {
    #[pl::jit::incore]
    fn f(x: Tensor<bool, 8>, y: Out<Tensor<bool, 8>>) {
        store(y, -load(x)); //~ PL0215 `-` works on numbers
    }
}

mod an_element_type_found_later_is_judged_too {
    #[pl::jit::incore]
    fn f(x: Tensor<u8, 8>, y: Out<Tensor<u8, 8>>) {
        let t = zeros([8]);
        let u = sqrt(t); //~ PL0215 `sqrt` works on floats, and this tile has `u8` elements
        store(y, u + load(x));
    }
}

mod a_scalar_beside_a_tile_has_its_type {
    #[pl::jit::incore]
    fn f(x: Tensor<bool, 8>, y: Out<Tensor<bool, 8>>) {
        store(y, maximum(1, load(x))); //~ PL0215 `maximum` works on numbers, and this tile has `bool` elements
    }
}

mod what_only_the_run_knows_is_left_to_it {
    #[pl::jit::incore]
    fn f<T: Element>(x: Tensor<T, 8>, y: Out<Tensor<T, 8>>) {
        store(y, exp(load(x)));
    }
    //= incore f<T>(x: in Tensor<T, [8]>, y: out Tensor<T, [8]>) {
    //=     store(y, exp(load(x)));
    //= }
}

mod two_scalars_have_no_larger_tile {
    #[pl::jit::incore]
    fn f(y: Out<Tensor<f32, 8>>) {
        store(y, maximum(1.0, 2.0)); //~ PL0205 `maximum` works on tiles, and these are scalars
    }
}
