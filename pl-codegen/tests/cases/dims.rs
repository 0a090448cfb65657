//! Shown: Lowered
//! Names of dimensions that are names of something else.



mod two_dimensions_of_one_name {
    #[pl::jit::incore(dims(M, M))] //~ PL0209 two dimensions are called `M`
    fn twice(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
        store(y, load(x));
    }
}

mod a_dimension_called_as_a_parameter {
    #[pl::jit::incore(dims(x))] //~ PL0209 `x` is a parameter
    fn a_parameter(x: Tensor<f32, x>, y: Out<Tensor<f32, _>>) {
        store(y, load(x));
    }
}

mod a_dimension_called_as_a_generic_constant {
    #[pl::jit::incore(dims(N))] //~ PL0209 `N` is a generic parameter of `a_constant`
    fn a_constant<const N: usize>(x: Tensor<f32, N>, y: Out<Tensor<f32, N>>) {
        store(y, load(x) + N);
    }
}

mod a_dimension_called_as_a_generic_type {
    #[pl::jit::incore(dims(T))] //~ PL0209 call the dimension `T_LENGTH`
    fn a_type<T: Element>(x: Tensor<T, T>, y: Out<Tensor<T, T>>) {
        store(y, load(x));
    }
}

mod a_dimension_called_as_a_type {
    #[pl::jit::incore(dims(usize))] //~ PL0209 `usize` is a type
    fn a_primitive(x: Tensor<f32, usize>, y: Out<Tensor<f32, usize>>) {
        store(y, load(x));
    }
}

mod a_variable_called_as_a_dimension {
    #[pl::jit::incore(dims(M))]
    fn a_variable(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
        let M = 3; //~ PL0209 `M` is a dimension and cannot be a variable
        for M in 0..3 { //~ PL0209 `M` is a dimension and cannot be a variable
            store(y, load(x) + M);
        }
        M = 3;
    }
}

mod a_dimension_is_not_assigned {
    #[pl::jit::incore(dims(M))]
    fn assigned(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
        M = 3; //~ PL0209 `M` is a dimension and cannot be assigned
        store(y, load(x) + M);
    }
}
