//! Shown: AutoScopes
//! Where the compiler places AUTO scopes: the rules of the reference, and ours where it differs.

#[pl::jit::incore]
fn bump(y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + 1.0);
}

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

mod r04_bodies_of_parallel_and_unrolled_loops_are_wrapped {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        for i in parallel(0..4) {
            bump(y.slice(s![i * 16..i * 16 + 16]));
        }
        for i in unroll(0..2) {
            bump(y.slice(s![i..i + 16]));
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for i in parallel(0..4) {
    //=             scope AUTO implicit {
    //=                 call bump(y.slice(s![i * 16..(i * 16) + 16]));
    //=             };
    //=         }
    //=         for i in unroll(0..2) {
    //=             scope AUTO implicit {
    //=                 call bump(y.slice(s![i..i + 16]));
    //=             };
    //=         }
    //=     };
    //= }
}

mod r05_an_empty_else_gets_no_scope {
    #[pl::jit]
    fn f(on: bool, y: InOut<Tensor<f32, 64>>) {
        if on {
            bump(y);
        } else {
        }
    }
    //= entry f(on: bool, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         if on {
    //=             scope AUTO implicit {
    //=                 call bump(y);
    //=             };
    //=         } else {};
    //=     };
    //= }
}

mod r05_only_the_else_branch_orchestrates {
    #[pl::jit]
    fn f(on: bool, y: InOut<Tensor<f32, 64>>) {
        let mut n = 0;
        if on {
            n += 1;
        } else {
            bump(y);
        }
    }
    //= entry f(on: bool, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut n: {integer} = 0;
    //=         if on {
    //=             n += 1;
    //=         } else {
    //=             scope AUTO implicit {
    //=                 call bump(y);
    //=             };
    //=         };
    //=     };
    //= }
}

mod r06_the_body_of_a_while_is_wrapped {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        let mut n = 0;
        while n < 4 {
            bump(y);
            n += 1;
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut n: {integer} = 0;
    //=         while n < 4 {
    //=             scope AUTO implicit {
    //=                 call bump(y);
    //=                 n += 1;
    //=             };
    //=         }
    //=     };
    //= }
}

mod r06_what_stands_in_a_while_is_wrapped_as_well {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        let mut n = 0;
        while n < 4 {
            if n == 2 {
                bump(y);
            }
            n += 1;
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut n: {integer} = 0;
    //=         while n < 4 {
    //=             scope AUTO implicit {
    //=                 if n == 2 {
    //=                     scope AUTO implicit {
    //=                         call bump(y);
    //=                     };
    //=                 };
    //=                 n += 1;
    //=             };
    //=         }
    //=     };
    //= }
}

mod r07_the_body_of_a_helper_is_not_wrapped_but_its_loops_are {
    #[pl::jit::inline]
    fn f(y: InOut<Tensor<f32, 64>>) {
        bump(y);
        for _ in 0..4 {
            bump(y);
        }
    }
    //= inline f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     call bump(y);
    //=     for _ in 0..4 {
    //=         scope AUTO implicit {
    //=             call bump(y);
    //=         };
    //=     }
    //= }
}

mod r07_the_branches_of_a_helper_are_wrapped {
    #[pl::jit::inline]
    fn f(on: bool, y: InOut<Tensor<f32, 64>>) {
        if on {
            bump(y);
        }
    }
    //= inline f(on: bool, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     if on {
    //=         scope AUTO implicit {
    //=             call bump(y);
    //=         };
    //=     };
    //= }
}

mod r09_nothing_is_placed_at_any_depth_inside_manual {
    #[pl::jit]
    fn f(on: bool, y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            for i in 0..4 {
                if on {
                    let mut n = 0;
                    while n < 4 {
                        bump(y.slice(s![i * 16 + n * 4..i * 16 + n * 4 + 4]));
                        n += 1;
                    }
                }
            }
        });
    }
    //= entry f(on: bool, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         scope MANUAL {
    //=             for i in 0..4 {
    //=                 if on {
    //=                     let mut n: {integer} = 0;
    //=                     while n < 4 {
    //=                         call bump(y.slice(s![(i * 16) + (n * 4)..((i * 16) + (n * 4)) + 4]));
    //=                         n += 1;
    //=                     }
    //=                 };
    //=             }
    //=         };
    //=     };
    //= }
}

mod r09_what_follows_a_manual_scope_is_wrapped_again {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            bump(y);
        });
        for _ in 0..4 {
            bump(y);
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         scope MANUAL {
    //=             call bump(y);
    //=         };
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 call bump(y);
    //=             };
    //=         }
    //=     };
    //= }
}

mod r10_a_loop_inside_a_scope_is_still_wrapped {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        for _ in 0..4 {
            for _ in 0..4 {
                bump(y);
            }
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 for _ in 0..4 {
    //=                     scope AUTO implicit {
    //=                         call bump(y);
    //=                     };
    //=                 }
    //=             };
    //=         }
    //=     };
    //= }
}

mod r12_a_body_stays_auto_whatever_is_known_of_its_dependencies {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        copy(x, t);
        copy(t, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let t: Tensor<f32> = create f32 [64];
    //=         call copy(x, t);
    //=         call copy(t, y);
    //=     };
    //= }
}

mod r13_a_loop_without_orchestration_gets_no_scope {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        let mut n = 0;
        for i in 0..4 {
            n += i;
        }
        bump(y.slice(s![n..n + 16]));
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut n: {integer} = 0;
    //=         for i in 0..4 {
    //=             n += i;
    //=         }
    //=         call bump(y.slice(s![n..n + 16]));
    //=     };
    //= }
}

mod r13_an_empty_loop_gets_no_scope {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        for _ in 0..4 {}
        bump(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for _ in 0..4 {}
    //=         call bump(y);
    //=     };
    //= }
}

mod r13_a_body_that_is_one_manual_scope_gets_an_auto_scope_around_it {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            bump(y);
        });
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         scope MANUAL {
    //=             call bump(y);
    //=         };
    //=     };
    //= }
}

mod r14_what_a_loop_carries_stays_last_in_its_scope {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        let mut at = 0;
        for _ in 0..4 {
            bump(y.slice(s![at..at + 16]));
            at += 16;
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut at: {integer} = 0;
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 call bump(y.slice(s![at..at + 16]));
    //=                 at += 16;
    //=             };
    //=         }
    //=     };
    //= }
}
