//! Shown: Linked
//! Helpers spliced into the entries that call them.

const N: usize = 4;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn bump(y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + 1.0);
}

mod c075_the_body_of_a_helper_stands_in_its_caller {
    #[pl::jit::inline]
    fn twice(y: InOut<Tensor<f32, _>>) {
        bump(y);
        bump(y);
    }

    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        twice(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         {
    //=             let y#2: Tensor<f32> = y;
    //=             submit bump(inout y#2);
    //=             submit bump(inout y#2);
    //=         };
    //=     };
    //= }
}

mod c076_a_helper_in_a_helper {
    #[pl::jit::inline]
    fn twice(y: InOut<Tensor<f32, _>>) {
        bump(y);
        bump(y);
    }

    #[pl::jit::inline]
    fn thrice(y: InOut<Tensor<f32, _>>) {
        twice(y);
        bump(y);
    }

    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        thrice(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         {
    //=             let y#2: Tensor<f32> = y;
    //=             {
    //=                 let y#3: Tensor<f32> = y#2;
    //=                 submit bump(inout y#3);
    //=                 submit bump(inout y#3);
    //=             };
    //=             submit bump(inout y#2);
    //=         };
    //=     };
    //= }
}

mod c076_a_helper_reached_on_two_ways {
    #[pl::jit::inline]
    fn low(y: InOut<Tensor<f32, _>>) {
        bump(y);
    }

    #[pl::jit::inline]
    fn left(y: InOut<Tensor<f32, _>>) {
        low(y);
    }

    #[pl::jit::inline]
    fn right(y: InOut<Tensor<f32, _>>) {
        low(y);
    }

    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        left(y);
        right(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         {
    //=             let y#2: Tensor<f32> = y;
    //=             {
    //=                 let y#3: Tensor<f32> = y#2;
    //=                 submit bump(inout y#3);
    //=             };
    //=         };
    //=         {
    //=             let y#2: Tensor<f32> = y;
    //=             {
    //=                 let y#3: Tensor<f32> = y#2;
    //=                 submit bump(inout y#3);
    //=             };
    //=         };
    //=     };
    //= }
}

mod c077_a_helper_returns_a_tuple {
    #[pl::jit::inline]
    fn halves(x: Tensor<f32, 64>) -> (Tensor<f32, _>, Tensor<f32, _>) {
        (x.slice(s![0..32]), x.slice(s![32..64]))
    }

    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 32>>) {
        let (low, high) = halves(x);
        copy(low, y);
        copy(high, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [32]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let (low, high): (Tensor<f32>, Tensor<f32>) = {
    //=             let x#2: Tensor<f32> = x;
    //=             (x#2.slice(s![0..32]), x#2.slice(s![32..64]))
    //=         };
    //=         submit copy(in low, out y);
    //=         submit copy(in high, out y);
    //=     };
    //= }
}

mod c078_a_helper_with_views {
    #[pl::jit::inline]
    fn row(x: Tensor<f32, 4, 16>, i: usize) -> Tensor<f32, _> {
        x.slice(s![i, ..])
    }

    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 16>>) {
        copy(row(x.reshape([4, 16]), 2), y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [16]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit copy(in {
    //=             let x#2: Tensor<f32> = x.reshape([4, 16]);
    //=             let i: usize = 2;
    //=             x#2.slice(s![i, ..])
    //=         }, out y);
    //=     };
    //= }
}

mod c099_two_calls_have_names_of_their_own {
    #[pl::jit::inline]
    fn through(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        copy(x, t);
        copy(t, y);
    }

    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        through(x, t);
        through(t, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         {
    //=             let x#2: Tensor<f32> = x;
    //=             let y#2: Tensor<f32> = t;
    //=             alloc 1 = alloc_tensors([create f32 [64]]);
    //=             let t#2: Tensor<f32> = alloc 1.get_ref(0);
    //=             submit copy(in x#2, out t#2);
    //=             submit copy(in t#2, out y#2);
    //=         };
    //=         {
    //=             let x#2: Tensor<f32> = t;
    //=             let y#2: Tensor<f32> = y;
    //=             alloc 2 = alloc_tensors([create f32 [64]]);
    //=             let t#2: Tensor<f32> = alloc 2.get_ref(0);
    //=             submit copy(in x#2, out t#2);
    //=             submit copy(in t#2, out y#2);
    //=         };
    //=     };
    //= }
}

mod c100_a_function_without_helpers_stays_as_it_is {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        bump(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit bump(inout y);
    //=     };
    //= }
}

mod c101_a_helper_called_as_a_statement {
    #[pl::jit::inline]
    fn copied(x: Tensor<f32, 64>) -> Tensor<f32, 64> {
        let t = create_tensor::<f32>([64]);
        copy(x, t);
        t
    }

    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        bump(y);
        copied(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit bump(inout y);
    //=         {
    //=             let x: Tensor<f32> = y;
    //=             alloc 0 = alloc_tensors([create f32 [64]]);
    //=             let t: Tensor<f32> = alloc 0.get_ref(0);
    //=             submit copy(in x, out t);
    //=             t
    //=         };
    //=     };
    //= }
}

mod c103_the_loops_of_a_helper_stay_in_place {
    #[pl::jit::inline]
    fn rows(y: InOut<Tensor<f32, 64>>) {
        for i in 0..N {
            bump(y.slice(s![i * 16..i * 16 + 16]));
        }
    }

    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        rows(y);
        bump(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         {
    //=             let y#2: Tensor<f32> = y;
    //=             for i in 0..4 {
    //=                 scope AUTO implicit {
    //=                     submit bump(inout y#2.slice(s![i * 16..(i * 16) + 16]));
    //=                 };
    //=             }
    //=         };
    //=         submit bump(inout y);
    //=     };
    //= }
}

mod c104_a_helper_that_nobody_calls {
    #[pl::jit::inline]
    fn unused(y: InOut<Tensor<f32, 64>>) {
        bump(y);
    }

    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        bump(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit bump(inout y);
    //=     };
    //= }
}

mod c106_a_call_returned_at_once {
    #[pl::jit::inline]
    fn copied(x: Tensor<f32, 64>) -> Tensor<f32, 64> {
        let t = create_tensor::<f32>([64]);
        copy(x, t);
        t
    }

    #[pl::jit::inline]
    fn again(x: Tensor<f32, 64>) -> Tensor<f32, 64> {
        copied(x)
    }

    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        copy(again(x), y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit copy(in {
    //=             let x#2: Tensor<f32> = x;
    //=             {
    //=                 let x#3: Tensor<f32> = x#2;
    //=                 alloc 0 = alloc_tensors([create f32 [64]]);
    //=                 let t: Tensor<f32> = alloc 0.get_ref(0);
    //=                 submit copy(in x#3, out t);
    //=                 t
    //=             }
    //=         }, out y);
    //=     };
    //= }
}
