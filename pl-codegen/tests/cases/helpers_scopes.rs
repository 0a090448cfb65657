//! Shown: Linked
//! Scopes, names and directions after helpers were spliced.

const N: usize = 4;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn bump(y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + 1.0);
}

mod r07_what_a_helper_creates_belongs_to_its_caller {
    #[pl::jit::inline]
    fn copied(x: Tensor<f32, 64>) -> Tensor<f32, 64> {
        let t = create_tensor::<f32>([64]);
        copy(x, t);
        t
    }

    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for _ in 0..N {
            let t = copied(x);
            copy(t, y);
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 let t: Tensor<f32> = {
    //=                     let x#2: Tensor<f32> = x;
    //=                     alloc 0 = alloc_tensors([create f32 [64]]);
    //=                     let t: Tensor<f32> = alloc 0.get_ref(0);
    //=                     submit copy(in x#2, out t);
    //=                     t
    //=                 };
    //=                 submit copy(in t, out y);
    //=             };
    //=         }
    //=     };
    //= }
}

mod c008_the_flag_of_a_helper_rules_its_own_loops {
    #[pl::jit::inline]
    fn placed(y: InOut<Tensor<f32, 64>>) {
        for _ in 0..N {
            bump(y);
        }
    }

    #[pl::jit::inline(auto_scope = false)]
    fn bare(y: InOut<Tensor<f32, 64>>) {
        for _ in 0..N {
            bump(y);
        }
    }

    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        placed(y);
        bare(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     {
    //=         let y#2: Tensor<f32> = y;
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 submit bump(inout y#2);
    //=             };
    //=         }
    //=     };
    //=     {
    //=         let y#2: Tensor<f32> = y;
    //=         for _ in 0..4 {
    //=             submit bump(inout y#2);
    //=         }
    //=     };
    //= }
}

mod c21_scopes_by_hand_in_a_helper_land_in_its_caller {
    #[pl::jit::inline(auto_scope = false)]
    fn scoped(y: InOut<Tensor<f32, 64>>) {
        scope!({
            bump(y);
        });
    }

    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        for _ in 0..N {
            scoped(y);
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 {
    //=                     let y#2: Tensor<f32> = y;
    //=                     scope AUTO {
    //=                         submit bump(inout y#2);
    //=                     };
    //=                 };
    //=             };
    //=         }
    //=     };
    //= }
}

mod r09_the_loops_of_a_helper_called_inside_manual_get_no_scopes {
    #[pl::jit::inline]
    fn rows(y: InOut<Tensor<f32, 64>>) {
        for i in 0..N {
            bump(y.slice(s![i * 16..i * 16 + 16]));
        }
    }

    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            rows(y);
        });
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         scope MANUAL {
    //=             {
    //=                 let y#2: Tensor<f32> = y;
    //=                 for i in 0..4 {
    //=                     {
    //=                         submit bump(inout y#2.slice(s![i * 16..(i * 16) + 16]));
    //=                     };
    //=                 }
    //=             };
    //=         };
    //=     };
    //= }
}

mod c9_a_helper_that_returns_its_own_parameter {
    #[pl::jit::inline]
    fn written(y: InOut<Tensor<f32, 64>>) -> Tensor<f32, 64> {
        bump(y);
        y
    }

    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        let y = written(y);
        bump(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let y#2: Tensor<f32> = {
    //=             let y#2: Tensor<f32> = y;
    //=             submit bump(inout y#2);
    //=             y#2
    //=         };
    //=         submit bump(inout y#2);
    //=     };
    //= }
}

mod c11_one_helper_in_two_entries {
    #[pl::jit::inline]
    fn shared(y: InOut<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        copy(y, t);
        copy(t, y);
    }

    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        shared(y);
    }

    #[pl::jit]
    fn g(y: InOut<Tensor<f32, 64>>) {
        shared(y);
        shared(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         {
    //=             let y#2: Tensor<f32> = y;
    //=             alloc 0 = alloc_tensors([create f32 [64]]);
    //=             let t: Tensor<f32> = alloc 0.get_ref(0);
    //=             submit copy(in y#2, out t);
    //=             submit copy(in t, out y#2);
    //=         };
    //=     };
    //= }
    //= entry g(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         {
    //=             let y#2: Tensor<f32> = y;
    //=             alloc 0 = alloc_tensors([create f32 [64]]);
    //=             let t: Tensor<f32> = alloc 0.get_ref(0);
    //=             submit copy(in y#2, out t);
    //=             submit copy(in t, out y#2);
    //=         };
    //=         {
    //=             let y#2: Tensor<f32> = y;
    //=             alloc 1 = alloc_tensors([create f32 [64]]);
    //=             let t: Tensor<f32> = alloc 1.get_ref(0);
    //=             submit copy(in y#2, out t);
    //=             submit copy(in t, out y#2);
    //=         };
    //=     };
    //= }
}

mod c7_names_that_differ_by_a_suffix_stay_distinct {
    #[pl::jit::inline]
    fn through(x: Tensor<f32, 64>, t_1: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        copy(x, t);
        copy(t, t_1);
    }

    #[pl::jit]
    fn f(t: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t_0 = create_tensor::<f32>([64]);
        let t__1 = create_tensor::<f32>([64]);
        through(t, t_0);
        through(t_0, t__1);
        copy(t__1, y);
    }
    //= entry f(t: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64], create f32 [64]]);
    //=         let t_0: Tensor<f32> = alloc 0.get_ref(0);
    //=         let t__1: Tensor<f32> = alloc 0.get_ref(1);
    //=         {
    //=             let x: Tensor<f32> = t;
    //=             let t_1: Tensor<f32> = t_0;
    //=             alloc 1 = alloc_tensors([create f32 [64]]);
    //=             let t#2: Tensor<f32> = alloc 1.get_ref(0);
    //=             submit copy(in x, out t#2);
    //=             submit copy(in t#2, out t_1);
    //=         };
    //=         {
    //=             let x: Tensor<f32> = t_0;
    //=             let t_1: Tensor<f32> = t__1;
    //=             alloc 2 = alloc_tensors([create f32 [64]]);
    //=             let t#2: Tensor<f32> = alloc 2.get_ref(0);
    //=             submit copy(in x, out t#2);
    //=             submit copy(in t#2, out t_1);
    //=         };
    //=         submit copy(in t__1, out y);
    //=     };
    //= }
}

mod c12_a_result_is_what_the_helper_returns_not_its_first_output {
    #[pl::jit::inline]
    fn pair(x: Tensor<f32, 64>) -> Tensor<f32, 64> {
        let scratch = create_tensor::<f32>([64]);
        let out = create_tensor::<f32>([64]);
        copy(x, scratch);
        copy(scratch, out);
        out
    }

    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        copy(pair(x), y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit copy(in {
    //=             let x#2: Tensor<f32> = x;
    //=             alloc 0 = alloc_tensors([create f32 [64], create f32 [64]]);
    //=             let scratch: Tensor<f32> = alloc 0.get_ref(0);
    //=             let out: Tensor<f32> = alloc 0.get_ref(1);
    //=             submit copy(in x#2, out scratch);
    //=             submit copy(in scratch, out out);
    //=             out
    //=         }, out y);
    //=     };
    //= }
}

mod d7_a_dimension_is_one_value_however_it_is_read {
    #[pl::jit::inline(dims(M))]
    fn like(x: Tensor<f32, M>) -> Tensor<f32, M> {
        let t = create_tensor::<f32>([x.dim(0)]);
        copy(x, t.slice(s![0..M]));
        t
    }

    #[pl::jit(dims(M))]
    fn f(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
        copy(like(x), y);
    }
    //= entry f(x: in Tensor<f32, [M]>, y: out Tensor<f32, [M]>) dims(M) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit copy(in {
    //=             let x#2: Tensor<f32> = x;
    //=             let M: usize = x#2.dim(0);
    //=             alloc 0 = alloc_tensors([create f32 [x#2.dim(0)]]);
    //=             let t: Tensor<f32> = alloc 0.get_ref(0);
    //=             submit copy(in x#2, out t.slice(s![0..M]));
    //=             t
    //=         }, out y);
    //=     };
    //= }
}

mod c087_a_number_takes_the_type_of_the_parameter {
    #[pl::jit::incore]
    fn scale(x: Tensor<f32, _>, by: f32, y: Out<Tensor<f32, _>>) {
        store(y, load(x) * by);
    }

    #[pl::jit::inline]
    fn part(x: Tensor<f32, 64>, n: usize, by: f32, y: Out<Tensor<f32, 64>>) {
        scale(x.slice(s![0..n]), by, y.slice(s![0..n]));
    }

    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        part(x, N * 4, 0.5, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         {
    //=             let x#2: Tensor<f32> = x;
    //=             let n: usize = 4 * 4;
    //=             let by: f32 = 0.5;
    //=             let y#2: Tensor<f32> = y;
    //=             submit scale(in x#2.slice(s![0..n]), by, out y#2.slice(s![0..n]));
    //=         };
    //=     };
    //= }
}

mod c113_a_write_is_an_output_and_an_update_is_both {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        copy(x, t);
        bump(t);
        copy(t, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         submit copy(in x, out t);
    //=         submit bump(inout t);
    //=         submit copy(in t, out y);
    //=     };
    //= }
}

mod c114_a_second_write_is_still_an_output {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        copy(x, y);
        copy(x, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit copy(in x, out y);
    //=         submit copy(in x, out y);
    //=     };
    //= }
}

mod c115_a_write_in_a_loop_is_still_an_output {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for i in 0..N {
            copy(x.slice(s![i * 16..i * 16 + 16]), y.slice(s![i * 16..i * 16 + 16]));
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for i in 0..4 {
    //=             scope AUTO implicit {
    //=                 submit copy(in x.slice(s![i * 16..(i * 16) + 16]), out y.slice(s![i * 16..(i * 16) + 16]));
    //=             };
    //=         }
    //=     };
    //= }
}

mod c119_a_write_of_an_inout_parameter_is_an_output {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
        for _ in parallel(0..1) {
            copy(x, y.slice(s![0..64]));
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for _ in parallel(0..1) {
    //=             scope AUTO implicit {
    //=                 submit copy(in x, out y.slice(s![0..64]));
    //=             };
    //=         }
    //=     };
    //= }
}

mod c116_c117_c194_a_write_under_parallel_loops_is_still_an_output {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for i in parallel(0..N) {
            for j in 0..N {
                copy(x.slice(s![j * 4..j * 4 + 4]), y.slice(s![i * 16..i * 16 + 4]));
            }
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for i in parallel(0..4) {
    //=             scope AUTO implicit {
    //=                 for j in 0..4 {
    //=                     scope AUTO implicit {
    //=                         submit copy(in x.slice(s![j * 4..(j * 4) + 4]), out y.slice(s![i * 16..(i * 16) + 4]));
    //=                     };
    //=                 }
    //=             };
    //=         }
    //=     };
    //= }
}

mod c118_a_write_in_a_branch_is_still_an_output {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        copy(x, y);
        if on {
            copy(x, y);
        }
    }
    //= entry f(on: bool, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit copy(in x, out y);
    //=         if on {
    //=             scope AUTO implicit {
    //=                 submit copy(in x, out y);
    //=             };
    //=         };
    //=     };
    //= }
}
