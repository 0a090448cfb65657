//! Shown: ScopeValues
//! No tensor is used after the scope, placed by the compiler, that owns it.

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn copied(x: Tensor<f32, 64>) -> Tensor<f32, 64> {
    let t = create_tensor::<f32>([64]);
    copy(x, t);
    t
}

mod used_after_its_loop {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut last = x;
        for _ in 0..4 {
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            last = t;
        }
        copy(last, y); //~ PL0101 the compiler placed the scope that owns it around the body of this loop
    }
}

mod used_after_its_while {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let (mut last, mut n) = (x, 0);
        while n < 4 {
            last = create_tensor::<f32>([64]);
            copy(x, last);
            n += 1;
        }
        copy(last, y); //~ PL0101 `last` is used after the scope of the loop body closed
    }
}

mod used_after_its_parallel_loop {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut last = x;
        for _ in parallel(0..4) {
            last = create_tensor::<f32>([64]);
            copy(x, last);
        }
        copy(last, y); //~ PL0101 `last`
    }
}

mod used_after_its_unrolled_loop {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut last = x;
        for _ in unroll(0..4) {
            last = create_tensor::<f32>([64]);
            copy(x, last);
        }
        copy(last, y); //~ PL0101 `last`
    }
}

mod used_after_its_branch {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        if on {
            t = create_tensor::<f32>([64]);
            copy(x, t);
        }
        copy(t, y); //~ PL0101 the compiler placed the scope that owns it around a branch of this `if`
    }
}

mod used_after_its_else_branch {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        if on {
            copy(x, y);
        } else {
            t = create_tensor::<f32>([64]);
            copy(x, t);
        }
        copy(t, y); //~ PL0101 create `t` before the `if`
    }
}

mod used_after_an_arm_of_a_chain {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        if n == 0 {
            copy(x, y);
        } else if n == 1 {
            t = create_tensor::<f32>([64]);
            copy(x, t);
        }
        copy(t, y); //~ PL0101 `t` is used after the scope of the branch closed
    }
}

mod the_value_of_a_branch {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = if on {
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            t //~ PL0102 the value of the scope of the branch is a tensor that the scope owns
        } else {
            x
        };
        copy(t, y);
    }
}

mod both_values_of_a_branch {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = if on {
            let t = create_tensor::<f32>([64]).init(0.0);
            t //~ PL0102
        } else {
            let t = create_tensor::<f32>([64]).init(1.0);
            t
        };
        copy(t, y);
    }
}

mod the_value_of_an_inner_branch {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = if on {
            if x.get([0]) > 0.0 {
                copied(x) //~ PL0102 what `copied` returns belongs to the scope of this call
            } else {
                x
            }
        } else {
            x
        };
        copy(t, y);
    }
}

mod what_a_helper_returns_in_a_loop_is_used_after_it {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut last = x;
        for _ in 0..4 {
            last = copied(x);
        }
        copy(last, y); //~ PL0101 call `copied` before the loop
    }
}

mod a_view_made_in_a_loop_is_used_after_it {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut part = x;
        for _ in 0..4 {
            let t = create_tensor::<f32>([128]);
            copy(x, t.slice(s![0..64]));
            part = t.slice(s![0..64]);
        }
        copy(part, y); //~ PL0101 `part`
    }
}

mod used_after_the_outer_loop {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut last = x;
        for _ in 0..4 {
            for _ in 0..4 {
                last = create_tensor::<f32>([64]);
                copy(x, last);
            }
        }
        copy(last, y); //~ PL0101 `last`
    }
}

mod used_between_the_inner_and_the_outer_loop {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for _ in 0..4 {
            let mut last = x;
            for _ in 0..4 {
                last = create_tensor::<f32>([64]);
                copy(x, last);
            }
            copy(last, y); //~ PL0101 `last`
        }
    }
}

mod kept_by_a_break {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut found = x;
        for i in 0..4 {
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            if i == 2 {
                found = t;
                break;
            }
        }
        copy(found, y); //~ PL0101 `found`
    }
}

mod kept_by_a_continue {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut found = x;
        for i in 0..4 {
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            if i == 2 {
                found = t;
                continue;
            }
            copy(t, y);
        }
        copy(found, y); //~ PL0101 `found`
    }
}

mod dead_in_a_helper {
    #[pl::jit::inline]
    fn f(x: Tensor<f32, 64>) -> Tensor<f32, 64> {
        let mut last = x;
        for _ in 0..4 {
            last = create_tensor::<f32>([64]);
            copy(x, last);
        }
        last //~ PL0101 `last`
    }
}

mod a_helper_gives_what_its_branch_made {
    #[pl::jit::inline]
    fn f(on: bool, x: Tensor<f32, 64>) -> Tensor<f32, 64> {
        if on {
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            t //~ PL0102
        } else {
            x
        }
    }
}

mod compiler_and_user_place_scopes_in_one_function {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        manual_scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        copy(t, y); //~ PL0101 `t` is used after its MANUAL scope closed
    }
}

mod a_loop_inside_a_manual_scope_owns_nothing {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut last = x;
        manual_scope!({
            for _ in 0..4 {
                last = create_tensor::<f32>([64]);
                copy(x, last);
            }
            let v = last.get([0]);
        });
        copy(last, y); //~ PL0101 its MANUAL scope closed
    }
}
