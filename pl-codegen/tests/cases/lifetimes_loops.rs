//! Shown: ScopeValues
//! No tensor of one iteration is used in the next.

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

mod carried_into_the_next_iteration {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = x;
        for _ in 0..4 {
            let next = create_tensor::<f32>([64]);
            copy(now, next); //~ PL0103 write `(now, next) = (next, now)` where `now` is assigned
            now = next;
        }
        copy(x, y);
    }
}

mod carried_and_used_after_the_loop {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = x;
        for _ in 0..4 {
            let next = create_tensor::<f32>([64]);
            copy(now, next); //~ PL0103 `now` holds a tensor of an earlier iteration
            now = next;
        }
        copy(now, y); //~ PL0101 `now` is used after the scope of the loop body closed
    }
}

mod carried_out_of_a_scope_by_hand {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = x;
        for _ in 0..4 {
            scope!({
                let next = create_tensor::<f32>([64]);
                copy(now, next); //~ PL0103 freed when its `scope!` closed
                now = next;
            });
        }
        copy(x, y);
    }
}

mod carried_by_a_while {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let (mut now, mut n) = (x, 0);
        while n < 4 {
            let next = create_tensor::<f32>([64]);
            copy(now, next); //~ PL0103 `now`
            now = next;
            n += 1;
        }
        copy(x, y);
    }
}

mod the_condition_of_a_while_reads_what_the_body_made {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = x;
        while now.get([0]) > 0.0 { //~ PL0103 `now` holds a tensor of an earlier iteration
            now = create_tensor::<f32>([64]);
            copy(x, now);
        }
        copy(x, y);
    }
}

mod carried_on_one_of_two_ways {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = x;
        for _ in 0..4 {
            let next = create_tensor::<f32>([64]);
            copy(now, next); //~ PL0103 `now`
            if on {
                now = next;
            }
        }
        copy(x, y);
    }
}

mod carried_by_continue {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = x;
        for i in 0..4 {
            let next = create_tensor::<f32>([64]);
            copy(now, next); //~ PL0103 `now`
            if i == 2 {
                now = next;
                continue;
            }
            now = x;
        }
        copy(x, y);
    }
}

mod carried_as_a_view {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = x;
        for _ in 0..4 {
            let next = create_tensor::<f32>([128]);
            copy(now, next.slice(s![0..64])); //~ PL0103 `now`
            now = next.slice(s![0..64]);
        }
        copy(x, y);
    }
}

mod carried_from_a_helper {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = x;
        for _ in 0..4 {
            now = copied(now); //~ PL0103 what `copied` returns belongs to the scope of this call
        }
        copy(x, y);
    }
}

mod carried_in_a_tuple {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let (mut a, mut b) = (x, x);
        for _ in 0..4 {
            let next = create_tensor::<f32>([64]);
            copy(a, next);
            (a, b) = (b, next); //~ PL0103 `b`
            copy(a, y);
        }
    }
}

mod carried_two_iterations_far {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let (mut one, mut two) = (x, x);
        for _ in 0..4 {
            copy(two, y);
            let next = create_tensor::<f32>([64]);
            copy(x, next);
            two = one; //~ PL0103 `one`
            one = next;
        }
    }
}

mod carried_by_the_outer_of_two_loops {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = x;
        for _ in 0..4 {
            let next = create_tensor::<f32>([64]);
            for i in 0..4 {
                copy(now, next.slice(s![i * 16..i * 16 + 16])); //~ PL0103 `now`
            }
            now = next;
        }
        copy(x, y);
    }
}

mod carried_by_the_inner_of_two_loops {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for _ in 0..4 {
            let mut now = x;
            for _ in 0..4 {
                let next = create_tensor::<f32>([64]);
                copy(now, next); //~ PL0103 `now`
                now = next;
            }
        }
        copy(x, y);
    }
}

mod swapped_with_a_tensor_of_the_iteration {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = create_tensor::<f32>([64]);
        copy(x, now);
        for _ in 0..4 {
            let mut next = create_tensor::<f32>([64]);
            copy(now, next); //~ PL0103 `now`
            (now, next) = (next, now); //~ PL0103 `now`
        }
        copy(x, y);
    }
}

mod h8_a_buffer_carried_out_of_its_loop_and_fed_to_a_later_task {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut kept = x;
        for _ in 0..2 {
            kept = create_tensor::<f32>([64]);
            copy(x, kept);
        }
        for _ in 0..2 {
            copy(kept, y); //~ PL0101 `kept`
        }
    }
}
