//! Shown: AutoScopes
//! Where the compiler places AUTO scopes: around which statements, and how scopes are written.

#[pl::jit::incore]
fn bump(y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + 1.0);
}

mod an_empty_body_gets_no_scope {
    #[pl::jit]
    fn f(y: Tensor<f32, 64>) {}
    //= entry f(y: in Tensor<f32, [64]>) auto_scope = true {}
}

mod an_empty_body_of_a_function_that_opts_out_stays_empty {
    #[pl::jit(auto_scope = false)]
    fn f(y: Tensor<f32, 64>) {}
    //= entry f(y: in Tensor<f32, [64]>) auto_scope = false {}
}

mod break_and_continue_leave_the_scope_of_their_iteration {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        for i in 0..4 {
            if i == 1 {
                continue;
            }
            if i == 3 {
                bump(y);
                break;
            }
            bump(y);
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for i in 0..4 {
    //=             scope AUTO implicit {
    //=                 if i == 1 {
    //=                     continue;
    //=                 };
    //=                 if i == 3 {
    //=                     scope AUTO implicit {
    //=                         call bump(y);
    //=                         break;
    //=                     };
    //=                 };
    //=                 call bump(y);
    //=             };
    //=         }
    //=     };
    //= }
}

mod scalars_alone_get_no_scope {
    #[pl::jit]
    fn f(n: usize, y: Tensor<f32, _>) {
        let mut sum = n;
        if n > 2 {
            sum += y.dim(0);
        }
    }
    //= entry f(n: usize, y: in Tensor<f32, [_]>) auto_scope = true {
    //=     let mut sum: usize = n;
    //=     if n > 2 {
    //=         sum += y.dim(0);
    //=     };
    //= }
}

mod a_create_is_an_orchestration_statement {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        for _ in 0..4 {
            let t = create_tensor::<f32>([64]).init(0.0);
        }
        bump(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 let t: Tensor<f32> = create f32 [64] init 0.0;
    //=             };
    //=         }
    //=         call bump(y);
    //=     };
    //= }
}

mod get_and_set_are_orchestration_statements {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        for i in 0..4 {
            let v = y.get([i]);
        }
        for i in 0..4 {
            y.set([i], 1.0);
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for i in 0..4 {
    //=             scope AUTO implicit {
    //=                 let v: f32 = y.get([i]);
    //=             };
    //=         }
    //=         for i in 0..4 {
    //=             scope AUTO implicit {
    //=                 y.set([i], 1.0);
    //=             };
    //=         }
    //=     };
    //= }
}

mod a_view_is_no_orchestration_statement {
    #[pl::jit]
    fn f(on: bool, y: InOut<Tensor<f32, 64>>) {
        let mut part = y;
        if on {
            part = y.slice(s![0..32]);
        }
        bump(part);
    }
    //= entry f(on: bool, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut part: Tensor<f32> = y;
    //=         if on {
    //=             part = y.slice(s![0..32]);
    //=         };
    //=         call bump(part);
    //=     };
    //= }
}

mod the_condition_of_a_branch_stands_outside_its_scope {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        if y.get([0]) > 0.0 {
            bump(y);
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         if y.get([0]) > 0.0 {
    //=             scope AUTO implicit {
    //=                 call bump(y);
    //=             };
    //=         };
    //=     };
    //= }
}

mod the_bound_of_a_loop_stands_outside_its_scope {
    #[pl::jit]
    fn f(n: Tensor<i32, 1>, y: InOut<Tensor<f32, 64>>) {
        for _ in 0..n.get([0]) {
            bump(y);
        }
    }
    //= entry f(n: in Tensor<i32, [1]>, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for _ in 0..n.get([0]) {
    //=             scope AUTO implicit {
    //=                 call bump(y);
    //=             };
    //=         }
    //=     };
    //= }
}

mod the_arms_of_an_else_if_chain_are_equally_deep {
    #[pl::jit]
    fn f(n: usize, y: InOut<Tensor<f32, 64>>) {
        if n == 0 {
            bump(y);
        } else if n == 1 {
            bump(y);
        } else {
            bump(y);
        }
    }
    //= entry f(n: usize, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         if n == 0 {
    //=             scope AUTO implicit {
    //=                 call bump(y);
    //=             };
    //=         } else {
    //=             if n == 1 {
    //=                 scope AUTO implicit {
    //=                     call bump(y);
    //=                 };
    //=             } else {
    //=                 scope AUTO implicit {
    //=                     call bump(y);
    //=                 };
    //=             };
    //=         };
    //=     };
    //= }
}

mod a_condition_that_reads_an_element_does_not_deepen_a_chain {
    #[pl::jit]
    fn f(n: Tensor<i32, 2>, y: InOut<Tensor<f32, 64>>) {
        if n.get([0]) == 0 {
            bump(y);
        } else if n.get([1]) == 0 {
            bump(y);
        }
    }
    //= entry f(n: in Tensor<i32, [2]>, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         if n.get([0]) == 0 {
    //=             scope AUTO implicit {
    //=                 call bump(y);
    //=             };
    //=         } else {
    //=             if n.get([1]) == 0 {
    //=                 scope AUTO implicit {
    //=                     call bump(y);
    //=                 };
    //=             };
    //=         };
    //=     };
    //= }
}

mod an_if_alone_in_a_branch_gets_a_scope_of_its_own {
    #[pl::jit]
    fn f(n: usize, y: InOut<Tensor<f32, 64>>) {
        if n > 0 {
            if n > 1 {
                bump(y);
            }
        }
    }
    //= entry f(n: usize, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         if n > 0 {
    //=             scope AUTO implicit {
    //=                 if n > 1 {
    //=                     scope AUTO implicit {
    //=                         call bump(y);
    //=                     };
    //=                 };
    //=             };
    //=         };
    //=     };
    //= }
}

mod a_branch_keeps_its_value {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
        let part = if on {
            bump(y);
            y.slice(s![0..32])
        } else {
            y
        };
        bump(part);
    }
    //= entry f(on: bool, x: in Tensor<f32, [64]>, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let part: Tensor<f32> = if on {
    //=             scope AUTO implicit {
    //=                 call bump(y);
    //=                 y.slice(s![0..32])
    //=             }
    //=         } else {
    //=             y
    //=         };
    //=         call bump(part);
    //=     };
    //= }
}

mod a_plain_block_gets_no_scope {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        {
            bump(y);
        }
        bump(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         {
    //=             call bump(y);
    //=         };
    //=         call bump(y);
    //=     };
    //= }
}

mod a_loop_in_a_plain_block_gets_one {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        {
            for _ in 0..4 {
                bump(y);
            }
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         {
    //=             for _ in 0..4 {
    //=                 scope AUTO implicit {
    //=                     call bump(y);
    //=                 };
    //=             }
    //=         };
    //=     };
    //= }
}

mod a_loop_that_orchestrates_only_in_a_branch_is_wrapped {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        for i in 0..4 {
            if i > 2 {
                bump(y);
            }
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for i in 0..4 {
    //=             scope AUTO implicit {
    //=                 if i > 2 {
    //=                     scope AUTO implicit {
    //=                         call bump(y);
    //=                     };
    //=                 };
    //=             };
    //=         }
    //=     };
    //= }
}

mod a_call_of_a_helper_is_an_orchestration_statement {
    #[pl::jit::inline]
    fn helper(y: InOut<Tensor<f32, 64>>) {
        bump(y);
    }

    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        for _ in 0..4 {
            helper(y);
        }
    }
    //= inline helper(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     call bump(y);
    //= }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 call helper(y);
    //=             };
    //=         }
    //=     };
    //= }
}

mod braces_may_stand_for_parentheses {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope! {
            bump(y);
        }
        manual_scope! {
            bump(y);
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     scope AUTO {
    //=         call bump(y);
    //=     };
    //=     scope MANUAL {
    //=         call bump(y);
    //=     };
    //= }
}

mod auto_mode_may_be_written {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!(ScopeMode::Auto, {
            bump(y);
        });
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     scope AUTO {
    //=         call bump(y);
    //=     };
    //= }
}

mod manual_inside_an_auto_scope_by_hand_is_accepted {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!({
            manual_scope!({
                bump(y);
            });
            scope!({
                bump(y);
            });
        });
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     scope AUTO {
    //=         scope MANUAL {
    //=             call bump(y);
    //=         };
    //=         scope AUTO {
    //=             call bump(y);
    //=         };
    //=     };
    //= }
}

mod two_manual_scopes_may_follow_each_other {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            bump(y);
        });
        manual_scope!({
            bump(y);
        });
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         scope MANUAL {
    //=             call bump(y);
    //=         };
    //=         scope MANUAL {
    //=             call bump(y);
    //=         };
    //=     };
    //= }
}

mod auto_scope_true_may_be_written {
    #[pl::jit(auto_scope = true)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        for _ in 0..4 {
            bump(y);
        }
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 call bump(y);
    //=             };
    //=         }
    //=     };
    //= }
}
