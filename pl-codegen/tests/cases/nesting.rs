//! Shown: AutoScopes
//! Which scope may stand in which, and in which function.

#[pl::jit::incore]
fn bump(y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + 1.0);
}

mod c012_auto_by_hand_where_the_compiler_places_scopes {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!({ //~ PL0003 write `#[pl::jit(auto_scope = false)]`
            bump(y);
        });
    }
}

mod c016_a_scope_takes_no_positional_argument {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!(4, { //~ PL0202 write `scope!({ .. })` or `scope!(ScopeMode::Manual, { .. })`
            bump(y);
        });
    }
}

mod c016_a_scope_takes_no_other_option {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!(depth = 3, { //~ PL0202 `scope!` has no such option
            bump(y);
        });
    }
}

mod c016_a_mode_is_no_string {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!("manual", { //~ PL0202 `scope!(ScopeMode::Manual, { .. })`
            bump(y);
        });
    }
}

mod c016_a_mode_has_one_of_two_names {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!(ScopeMode::Automatic, { //~ PL0202 `scope!` has no such option
            bump(y);
        });
    }
}

mod c017_auto_mode_written_out_where_the_compiler_places_scopes {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!(ScopeMode::Auto, { //~ PL0003 `f` has `auto_scope = true`, the default
            bump(y);
        });
    }
}

mod c020_auto_inside_manual {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            scope!({ //~ PL0001 the MANUAL scope opens here
                bump(y);
            });
        });
    }
}

mod c022_a_manual_scope_takes_no_argument {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!(1, { //~ PL0202 write `manual_scope!({ .. })`
            bump(y);
        });
    }
}

mod c022_a_manual_scope_takes_no_mode {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!(ScopeMode::Manual, { //~ PL0202 `manual_scope!` has no such option
            bump(y);
        });
    }
}

mod c058_auto_scope_false_is_accepted_on_an_entry {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        bump(y);
    }
    //= entry f(y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     call bump(y);
    //= }
}

mod c061_a_host_may_say_auto_scope {
    #[pl::jit::host(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {} //~ PL0206 `#[pl::jit::host]` is not available yet
}

mod c062_in_core_code_takes_no_auto_scope_whatever_its_value {
    #[pl::jit::incore(auto_scope = true)] //~ PL0006 takes no `auto_scope`
    fn on(y: InOut<Tensor<f32, 64>>) {
        store(y, load(y));
    }

    #[pl::jit::incore(auto_scope = false)] //~ PL0006 remove it: `#[pl::jit::incore]`
    fn off(y: InOut<Tensor<f32, 64>>) {
        store(y, load(y));
    }
}

mod c064_opaque_takes_no_auto_scope {
    #[pl::jit::opaque(auto_scope = false)] //~ PL0006 `#[pl::jit::opaque]` takes no `auto_scope`
    fn f(y: InOut<Tensor<f32, 64>>) {}
}

mod auto_inside_manual_mode {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!(ScopeMode::Manual, {
            scope!({ //~ PL0001
                bump(y);
            });
        });
    }
}

mod auto_inside_manual_through_a_branch {
    #[pl::jit(auto_scope = false)]
    fn f(on: bool, y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            if on {
                bump(y);
            } else {
                scope!({ //~ PL0001
                    bump(y);
                });
            }
        });
    }
}

mod auto_inside_manual_through_loops {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            for _ in 0..4 {
                let mut n = 0;
                while n < 2 {
                    scope!({ //~ PL0001
                        bump(y);
                    });
                    n += 1;
                }
            }
        });
    }
}

mod auto_inside_manual_through_a_block {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            {
                scope!({ //~ PL0001
                    bump(y);
                });
            }
        });
    }
}

mod auto_inside_manual_as_a_value {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            let v = scope!({ //~ PL0001
                y.get([0])
            });
            y.set([1], v);
        });
    }
}

mod each_auto_inside_manual_is_reported {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            scope!({ //~ PL0001
                bump(y);
            });
            scope!({ //~ PL0001
                bump(y);
            });
        });
    }
}

mod auto_inside_auto_inside_manual_is_reported_at_both {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            scope!({ //~ PL0001
                scope!({ //~ PL0001
                    bump(y);
                });
            });
        });
    }
}

mod auto_inside_manual_inside_auto {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!({
            manual_scope!({
                scope!({ //~ PL0001
                    bump(y);
                });
            });
        });
    }
}

mod auto_inside_manual_in_a_helper {
    #[pl::jit::inline(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            scope!({ //~ PL0001
                bump(y);
            });
        });
    }
}

mod auto_inside_manual_where_the_compiler_places_scopes_is_reported_once {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            scope!({ //~ PL0003
                bump(y);
            });
        });
    }
}

mod manual_inside_manual {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            manual_scope!({ //~ PL0002 the outer MANUAL scope opens here
                bump(y);
            });
        });
    }
}

mod manual_inside_manual_in_the_other_spelling {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!(ScopeMode::Manual, {
            scope!(ScopeMode::Manual, { //~ PL0002 remove the inner scope
                bump(y);
            });
        });
    }
}

mod manual_inside_manual_through_a_loop_and_a_branch {
    #[pl::jit]
    fn f(on: bool, y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            for _ in 0..4 {
                if on {
                    manual_scope!({ //~ PL0002
                        bump(y);
                    });
                }
            }
        });
    }
}

mod auto_by_hand_in_a_helper_that_leaves_it_to_the_compiler {
    #[pl::jit::inline]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!({ //~ PL0003 write `#[pl::jit::inline(auto_scope = false)]`
            bump(y);
        });
    }
}

mod auto_by_hand_where_auto_scope_is_true {
    #[pl::jit(auto_scope = true)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        for _ in 0..4 {
            scope!({ //~ PL0003
                bump(y);
            });
        }
    }
}

mod auto_scope_in_core {
    #[pl::jit::incore]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!({ //~ PL0004 use `scratch_scope!({ .. })`
            store(y, load(y));
        });
    }
}

mod manual_scope_in_core {
    #[pl::jit::incore]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({ //~ PL0004 `f` is in-core code
            store(y, load(y));
        });
    }
}

mod runtime_scope_inside_a_scratch_scope {
    #[pl::jit::incore]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scratch_scope!({
            for _ in 0..4 {
                scope!({ //~ PL0004
                    store(y, load(y));
                });
            }
        });
    }
}

mod scratch_scope_in_orchestration {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scratch_scope!({ //~ PL0005 use `scope!({ .. })`
            bump(y);
        });
    }
}

mod scratch_scope_in_a_helper {
    #[pl::jit::inline]
    fn f(y: InOut<Tensor<f32, 64>>) {
        for _ in 0..4 {
            scratch_scope!({ //~ PL0005
                bump(y);
            });
        }
    }
}

mod scratch_scope_inside_a_manual_scope {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        manual_scope!({
            scratch_scope!({ //~ PL0005
                bump(y);
            });
        });
    }
}

mod a_scratch_scope_takes_no_mode {
    #[pl::jit::incore]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scratch_scope!(ScopeMode::Auto, { //~ PL0202 write `scratch_scope!({ .. })`
            store(y, load(y));
        });
    }
}

mod a_scope_in_parentheses_takes_a_block {
    #[pl::jit(auto_scope = false)]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!(bump(y)); //~ PL0202 `scope!` takes a block
    }
}

mod three_mistakes_of_nesting_are_three_errors {
    #[pl::jit]
    fn f(y: InOut<Tensor<f32, 64>>) {
        scope!({ //~ PL0003
            bump(y);
        });
        scratch_scope!({ //~ PL0005
            bump(y);
        });
        manual_scope!({
            manual_scope!({ //~ PL0002
                bump(y);
            });
        });
    }
}
