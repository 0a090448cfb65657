//! Shown: AutoScopes
//! Where the compiler places AUTO scopes: the rows of the reference.

#[pl::jit::incore]
fn bump(y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + 1.0);
}

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

mod c001_function_body_and_loop_body_each_get_one_scope {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        bump(y);
        for _ in 0..4 {
            bump(y);
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         call bump(y);
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 call bump(y);
    //=             };
    //=         }
    //=     };
    //= }
}

mod c002_both_branches_are_wrapped {
    #[pl::jit]
    fn f(on: bool, y: InOut<Tensor<f32, 64>>) {
        if on {
            bump(y);
        } else {
            bump(y);
        }
    }
    //= entry f(on: bool, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         if on {
    //=             scope AUTO implicit {
    //=                 call bump(y);
    //=             };
    //=         } else {
    //=             scope AUTO implicit {
    //=                 call bump(y);
    //=             };
    //=         };
    //=     };
    //= }
}

mod c003_no_else_is_invented {
    #[pl::jit]
    fn f(on: bool, y: InOut<Tensor<f32, 64>>) {
        if on {
            bump(y);
        }
    }
    //= entry f(on: bool, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         if on {
    //=             scope AUTO implicit {
    //=                 call bump(y);
    //=             };
    //=         };
    //=     };
    //= }
}

mod c004_a_loop_inside_manual_is_not_wrapped {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            for i in 0..4 {
                bump(y.slice(s![i * 16..i * 16 + 16]));
            }
        });
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         scope MANUAL {
    //=             for i in 0..4 {
    //=                 call bump(y.slice(s![i * 16..(i * 16) + 16]));
    //=             }
    //=         };
    //=     };
    //= }
}

mod c005_nested_loops_inside_manual_are_not_wrapped {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            for i in 0..4 {
                for j in 0..4 {
                    bump(y.slice(s![i * 16 + j * 4..i * 16 + j * 4 + 4]));
                }
            }
        });
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         scope MANUAL {
    //=             for i in 0..4 {
    //=                 for j in 0..4 {
    //=                     call bump(y.slice(s![(i * 16) + (j * 4)..((i * 16) + (j * 4)) + 4]));
    //=                 }
    //=             }
    //=         };
    //=     };
    //= }
}

mod c007_a_second_run_changes_nothing {
    #[pl::jit]
    fn f(on: bool, y: InOut<Tensor<f32, 64>>) {
        for _ in 0..2 {
            if on {
                bump(y);
            } else {
                let mut n = 0;
                while n < 2 {
                    manual_scope!({
                        bump(y);
                    });
                    n += 1;
                }
            }
        }
    }
    //= entry f(on: bool, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for _ in 0..2 {
    //=             scope AUTO implicit {
    //=                 if on {
    //=                     scope AUTO implicit {
    //=                         call bump(y);
    //=                     };
    //=                 } else {
    //=                     scope AUTO implicit {
    //=                         let mut n: {integer} = 0;
    //=                         while n < 2 {
    //=                             scope AUTO implicit {
    //=                                 scope MANUAL {
    //=                                     call bump(y);
    //=                                 };
    //=                                 n += 1;
    //=                             };
    //=                         }
    //=                     };
    //=                 };
    //=             };
    //=         }
    //=     };
    //= }
}

mod c008_opting_out_places_no_scope {
    #[pl::jit(auto_scope = false)]
    fn f(on: bool, y: InOut<Tensor<f32, 64>>) {
        for _ in 0..4 {
            bump(y);
        }
        if on {
            bump(y);
        }
    }
    //= entry f(on: bool, y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     for _ in 0..4 {
    //=         call bump(y);
    //=     }
    //=     if on {
    //=         call bump(y);
    //=     };
    //= }
}

mod c009_opting_out_keeps_one_scope_by_hand {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!({
            bump(y);
        });
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     scope AUTO {
    //=         call bump(y);
    //=     };
    //= }
}

mod c010_in_core_code_gets_no_scope {
    #[pl::jit::incore]
    fn f(y: InOut<Tensor<f32, 64>>) {
        for i in 0..4 {
            let part = y.slice(s![i * 16..i * 16 + 16]);
            store(part, load(part) + 1.0);
        }
    }
    //= incore f(y: inout Tensor<f32, [64]>) {
    //=     for i in 0..4 {
    //=         let part: Tensor<f32> = y.slice(s![i * 16..(i * 16) + 16]);
    //=         store(part, load(part) + 1.0);
    //=     }
    //= }
}

mod c011_a_scope_and_one_of_each_iteration_stay_two {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        let mut n = 0;
        scope!({
            for _ in 0..4 {
                scope!({
                    bump(y);
                });
                n += 1;
            }
        });
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     let mut n: {integer} = 0;
    //=     scope AUTO {
    //=         for _ in 0..4 {
    //=             scope AUTO {
    //=                 call bump(y);
    //=             };
    //=             n += 1;
    //=         }
    //=     };
    //= }
}

mod c013_a_scope_by_hand_is_auto {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        bump(y);
        scope!({
            bump(y);
        });
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     call bump(y);
    //=     scope AUTO {
    //=         call bump(y);
    //=     };
    //= }
}

mod c014_manual_mode_is_accepted_where_the_compiler_places_scopes {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!(ScopeMode::Manual, {
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

mod c015_manual_scope_is_the_same_as_manual_mode {
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

mod c018_what_a_loop_carries_is_set_after_the_scope_in_its_body {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = create_tensor::<f32>([64]);
        let mut next = create_tensor::<f32>([64]);
        copy(x, now);
        for _ in 0..4 {
            scope!({
                copy(now, next);
            });
            (now, next) = (next, now);
        }
        copy(now, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let mut now: Tensor<f32> = create f32 [64];
    //=     let mut next: Tensor<f32> = create f32 [64];
    //=     call copy(x, now);
    //=     for _ in 0..4 {
    //=         scope AUTO {
    //=             call copy(now, next);
    //=         };
    //=         (now, next) = (next, now);
    //=     }
    //=     call copy(now, y);
    //= }
}

mod c019_a_manual_scope_in_a_branch_sets_what_is_used_after_it {
    #[pl::jit]
    fn f(on: bool, y: InOut<Tensor<f32, 64>>) {
        let mut part = y;
        if on {
            manual_scope!({
                part = y.slice(s![0..32]);
                bump(part);
            });
        }
        bump(part);
    }
    //= entry f(on: bool, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut part: Tensor<f32> = y;
    //=         if on {
    //=             scope AUTO implicit {
    //=                 scope MANUAL {
    //=                     part = y.slice(s![0..32]);
    //=                     call bump(part);
    //=                 };
    //=             };
    //=         };
    //=         call bump(part);
    //=     };
    //= }
}

mod c021_a_manual_scope_is_manual {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            bump(y);
        });
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     scope MANUAL {
    //=         call bump(y);
    //=     };
    //= }
}

mod c056_opting_out_needs_no_scope_at_all {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        bump(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     call bump(y);
    //= }
}

mod c063_a_helper_may_opt_out {
    #[pl::jit::inline(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        for _ in 0..4 {
            bump(y);
        }
    }
    //= inline f(y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     for _ in 0..4 {
    //=         call bump(y);
    //=     }
    //= }
}

mod c082_scopes_by_hand_in_a_helper_that_opts_out_stay {
    #[pl::jit::inline(auto_scope = false)]
    fn twice(y: InOut<Tensor<f32, 64>>) {
        scope!({
            bump(y);
        });
        bump(y);
    }

    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        twice(y);
    }
    //= inline twice(y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     scope AUTO {
    //=         call bump(y);
    //=     };
    //=     call bump(y);
    //= }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         call twice(y);
    //=     };
    //= }
}
