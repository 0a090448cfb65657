//! Shown: ScopeValues
//! No tensor is used after the scope, placed by hand, that owns it.

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn whole(x: Tensor<f32, _>) -> Tensor<f32, _> {
    x.slice(s![..])
}

#[pl::jit::inline]
fn copied(x: Tensor<f32, 64>) -> Tensor<f32, 64> {
    let t = create_tensor::<f32>([64]);
    copy(x, t);
    t
}

mod used_after_its_scope {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        copy(t, y); //~ PL0101 `t` is used after its `scope!` closed
    }
}

mod used_after_its_manual_scope {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        manual_scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        copy(t, y); //~ PL0101 `t` is used after its MANUAL scope closed
    }
}

mod declared_without_a_value_and_used_after_the_scope {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        copy(t, y); //~ PL0101 hoist the `create_tensor` above the scope
    }
}

mod used_after_the_inner_of_two_scopes {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        scope!({
            let mut t = x;
            scope!({
                t = create_tensor::<f32>([64]);
                copy(x, t);
            });
            copy(t, y); //~ PL0101
        });
    }
}

mod used_after_the_outer_of_two_scopes {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut kept = x;
        scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            scope!({
                kept = t;
                copy(t, y);
            });
            copy(kept, y);
        });
        copy(kept, y); //~ PL0101 the tensor is created here, as `t`
    }
}

mod used_in_a_sibling_scope {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        scope!({
            copy(t, y); //~ PL0101
        });
    }
}

mod a_view_dies_with_its_tensor {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut part = x;
        scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            part = t.slice(s![0..32]);
        });
        copy(part, y.slice(s![0..32])); //~ PL0101 `part`
    }
}

mod a_view_of_a_view_dies_with_its_tensor {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut part = x;
        scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            let rows = t.reshape([8, 8]);
            part = rows.transpose(0, 1).reshape([64]);
        });
        copy(part, y); //~ PL0101 `part`
    }
}

mod a_view_taken_after_the_scope {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        copy(t.slice(s![0..64]), y); //~ PL0101 `t`
    }
}

mod the_length_of_a_dead_tensor {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        for i in 0..t.dim(0) { //~ PL0101 `t`
            copy(x, y);
        }
    }
}

mod an_element_of_a_dead_tensor_is_read {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        let v = t.get([0]); //~ PL0101 `t`
        copy(x, y);
        y.set([0], v);
    }
}

mod an_element_of_a_dead_tensor_is_written {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = y;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        t.set([0], 1.0); //~ PL0101 `t`
        copy(x, y);
    }
}

mod a_dead_tensor_is_written_by_a_kernel {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = y;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
            copy(t, y);
        });
        copy(x, t); //~ PL0101 `t`
    }
}

mod a_condition_reads_a_dead_tensor {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        if t.get([0]) > 0.0 { //~ PL0101 `t`
            copy(x, y);
        }
    }
}

mod the_value_of_its_own_scope {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = scope!({
            let inner = create_tensor::<f32>([64]);
            copy(x, inner);
            inner //~ PL0102 the value of this `scope!` is a tensor that the scope owns
        });
        copy(t, y);
    }
}

mod a_create_as_the_value_of_its_own_scope {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = scope!({
            create_tensor::<f32>([64]) //~ PL0102
        });
        copy(x, t);
        copy(t, y);
    }
}

mod a_view_as_the_value_of_the_scope_of_its_tensor {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let part = scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            t.slice(s![0..32]) //~ PL0102
        });
        copy(part, y.slice(s![0..32]));
    }
}

mod one_half_of_a_tuple_dies {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let (t, same) = scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            (t, x) //~ PL0102
        });
        copy(same, y);
        copy(t, y);
    }
}

mod a_tuple_assigned_in_a_scope {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let (mut a, mut b) = (x, x);
        scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            (a, b) = (x, t);
        });
        copy(a, y);
        copy(b, y); //~ PL0101 `b`
    }
}

mod the_value_goes_into_a_method_at_once {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let part = scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            t //~ PL0102
        })
        .slice(s![0..32]);
        copy(x, y);
    }
}

mod the_value_goes_into_a_call_at_once {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        copy(
            scope!({
                let t = create_tensor::<f32>([64]);
                copy(x, t);
                t //~ PL0102
            }),
            y,
        );
    }
}

mod the_value_passes_through_two_scopes {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = scope!({
            scope!({
                let t = create_tensor::<f32>([64]);
                copy(x, t);
                t //~ PL0102
            })
        });
        copy(t, y);
    }
}

mod the_value_of_a_scope_inside_a_branch {
    #[pl::jit(auto_scope = false)]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = if on {
            x
        } else {
            scope!({
                let t = create_tensor::<f32>([64]);
                copy(x, t);
                t //~ PL0102
            })
        };
        copy(t, y);
    }
}

mod dead_on_one_of_two_ways {
    #[pl::jit(auto_scope = false)]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        if on {
            scope!({
                t = create_tensor::<f32>([64]);
                copy(x, t);
            });
        }
        copy(t, y); //~ PL0101 `t`
    }
}

mod dead_on_both_ways {
    #[pl::jit(auto_scope = false)]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            let (a, b) = (create_tensor::<f32>([64]), create_tensor::<f32>([64]));
            copy(x, a);
            copy(x, b);
            if on {
                t = a;
            } else {
                t = b;
            }
        });
        copy(t, y); //~ PL0101 `t`
    }
}

mod a_branch_chooses_the_dead_one {
    #[pl::jit(auto_scope = false)]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        let either = if on { x } else { t }; //~ PL0101 `t`
        copy(either, y);
    }
}

mod a_second_name_for_a_dead_tensor {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        let second = t; //~ PL0101 `t`
        copy(second, y);
    }
}

mod shadowing_does_not_revive_the_outer_name {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
            let t = x;
            copy(t, y);
        });
        copy(t, y); //~ PL0101 `t`
    }
}

mod shadowing_by_the_value_itself {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let x = scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            t //~ PL0102
        });
        copy(x, y);
    }
}

mod what_a_helper_returns_belongs_to_the_scope_of_the_call {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = copied(x);
        });
        copy(t, y); //~ PL0101 what `copied` returns belongs to the scope of this call
    }
}

mod a_helper_may_return_what_it_created_though_this_one_does_not {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = whole(x);
        });
        copy(t, y); //~ PL0101 call `whole` above the scope
    }
}

mod a_dead_tensor_goes_into_a_helper {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        copy(copied(t), y); //~ PL0101 `t`
    }
}

mod the_call_of_a_helper_as_the_value_of_a_scope {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = scope!({
            copied(x) //~ PL0102
        });
        copy(t, y);
    }
}

mod a_helper_returns_what_its_scope_owned {
    #[pl::jit::inline(auto_scope = false)]
    fn f(x: Tensor<f32, 64>) -> Tensor<f32, 64> {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        t //~ PL0101 `t`
    }
}

mod a_helper_returns_the_value_of_its_scope {
    #[pl::jit::inline(auto_scope = false)]
    fn f(x: Tensor<f32, 64>) -> Tensor<f32, 64> {
        scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            t //~ PL0102
        })
    }
}

mod a_helper_returns_a_tuple_with_a_dead_half {
    #[pl::jit::inline(auto_scope = false)]
    fn f(x: Tensor<f32, 64>) -> (Tensor<f32, 64>, Tensor<f32, 64>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        (x, t) //~ PL0101
    }
}

mod each_dead_name_is_reported {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let (mut a, mut b) = (x, x);
        scope!({
            a = create_tensor::<f32>([64]);
            b = create_tensor::<f32>([64]);
            copy(x, a);
            copy(x, b);
        });
        copy(a, y); //~ PL0101 `a`
        copy(b, y); //~ PL0101 `b`
    }
}

mod each_use_of_a_dead_name_is_reported {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        copy(t, y); //~ PL0101 `t`
        copy(t, y); //~ PL0101 `t`
    }
}
