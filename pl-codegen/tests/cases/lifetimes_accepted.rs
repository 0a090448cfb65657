//! Shown: ScopeValues
//! Handles that may leave a scope, and dead ones that nobody uses.

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

mod copying_out_into_an_outer_tensor {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let out = create_tensor::<f32>([64]);
        scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            copy(t, out);
        });
        copy(out, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     alloc 0 = alloc_tensors([create f32 [64]]);
    //=     let out: Tensor<f32> = alloc 0.get_ref(0);
    //=     scope AUTO {
    //=         alloc 1 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 1.get_ref(0);
    //=         call copy(x, t);
    //=         call copy(t, out);
    //=     };
    //=     call copy(out, y);
    //= }
}

mod reading_a_scalar_out {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let v = scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            t.get([0])
        });
        copy(x, y);
        y.set([0], v);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let v: f32 = scope AUTO {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=         t.get([0])
    //=     };
    //=     call copy(x, y);
    //=     y.set([0], v);
    //= }
}

mod reading_a_length_out {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut n = 0;
        scope!({
            let t = create_tensor::<f32>([32]);
            copy(x.slice(s![0..32]), t);
            n = t.dim(0);
        });
        copy(x.slice(s![0..n]), y.slice(s![0..n]));
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let mut n: {integer} = 0;
    //=     scope AUTO {
    //=         alloc 0 = alloc_tensors([create f32 [32]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x.slice(s![0..32]), t);
    //=         n = t.dim(0);
    //=     };
    //=     call copy(x.slice(s![0..n]), y.slice(s![0..n]));
    //= }
}

mod a_view_of_an_outer_tensor_is_the_value_of_a_scope {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let half = scope!({
            copy(x, y);
            x.slice(s![0..32])
        });
        copy(half, y.slice(s![32..64]));
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let half: Tensor<f32>;
    //=     scope AUTO {
    //=         call copy(x, y);
    //=         half = x.slice(s![0..32]);
    //=     };
    //=     call copy(half, y.slice(s![32..64]));
    //= }
}

mod a_view_of_an_outer_tensor_is_kept_from_a_loop {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut last = x;
        for i in 0..4 {
            last = x.slice(s![i * 16..i * 16 + 16]);
            copy(last, y.slice(s![i * 16..i * 16 + 16]));
        }
        copy(last, y.slice(s![0..16]));
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut last: Tensor<f32> = x;
    //=         for i in 0..4 {
    //=             scope AUTO implicit {
    //=                 last = x.slice(s![i * 16..(i * 16) + 16]);
    //=                 call copy(last, y.slice(s![i * 16..(i * 16) + 16]));
    //=             };
    //=         }
    //=         call copy(last, y.slice(s![0..16]));
    //=     };
    //= }
}

mod shadowing_an_outer_name {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = x;
        scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        copy(t, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let t: Tensor<f32> = x;
    //=     scope AUTO {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t#2: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x, t#2);
    //=     };
    //=     call copy(t, y);
    //= }
}

mod shadowing_a_dead_name {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        let t = x;
        copy(t, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let mut t: Tensor<f32> = x;
    //=     scope AUTO {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         t = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=     };
    //=     let t#2: Tensor<f32> = x;
    //=     call copy(t#2, y);
    //= }
}

mod swapping_two_outer_handles_in_a_loop {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = create_tensor::<f32>([64]);
        let mut next = create_tensor::<f32>([64]);
        copy(x, now);
        for _ in 0..4 {
            copy(now, next);
            (now, next) = (next, now);
        }
        copy(now, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64], create f32 [64]]);
    //=         let mut now: Tensor<f32> = alloc 0.get_ref(0);
    //=         let mut next: Tensor<f32> = alloc 0.get_ref(1);
    //=         call copy(x, now);
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 call copy(now, next);
    //=                 (now, next) = (next, now);
    //=             };
    //=         }
    //=         call copy(now, y);
    //=     };
    //= }
}

mod rotating_three_outer_handles_in_a_loop {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let (mut a, mut b) = (create_tensor::<f32>([64]), create_tensor::<f32>([64]));
        let mut c = create_tensor::<f32>([64]);
        copy(x, a);
        for _ in 0..4 {
            copy(a, b);
            copy(b, c);
            (a, b, c) = (b, c, a);
        }
        copy(a, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64], create f32 [64], create f32 [64]]);
    //=         let mut (a, b): (Tensor<f32>, Tensor<f32>) = (alloc 0.get_ref(0), alloc 0.get_ref(1));
    //=         let mut c: Tensor<f32> = alloc 0.get_ref(2);
    //=         call copy(x, a);
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 call copy(a, b);
    //=                 call copy(b, c);
    //=                 (a, b, c) = (b, c, a);
    //=             };
    //=         }
    //=         call copy(a, y);
    //=     };
    //= }
}

mod swapping_through_a_third_name {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = create_tensor::<f32>([64]);
        let mut next = create_tensor::<f32>([64]);
        copy(x, now);
        for _ in 0..4 {
            copy(now, next);
            let old = now;
            now = next;
            next = old;
        }
        copy(now, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64], create f32 [64]]);
    //=         let mut now: Tensor<f32> = alloc 0.get_ref(0);
    //=         let mut next: Tensor<f32> = alloc 0.get_ref(1);
    //=         call copy(x, now);
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 call copy(now, next);
    //=                 let old: Tensor<f32> = now;
    //=                 now = next;
    //=                 next = old;
    //=             };
    //=         }
    //=         call copy(now, y);
    //=     };
    //= }
}

mod a_dead_assignment {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
            copy(t, y);
        });
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let mut t: Tensor<f32> = x;
    //=     scope AUTO {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         t = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=         call copy(t, y);
    //=     };
    //= }
}

mod a_dead_name_that_gets_another_value {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        t = x;
        copy(t, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let mut t: Tensor<f32> = x;
    //=     scope AUTO {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         t = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=     };
    //=     t = x;
    //=     call copy(t, y);
    //= }
}

mod a_dead_name_that_gets_another_value_on_both_ways {
    #[pl::jit(auto_scope = false)]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        scope!({
            t = create_tensor::<f32>([64]);
            copy(x, t);
        });
        if on {
            t = x;
        } else {
            t = x.slice(s![0..64]);
        }
        copy(t, y);
    }
    //= entry f(on: bool, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let mut t: Tensor<f32> = x;
    //=     scope AUTO {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         t = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=     };
    //=     if on {
    //=         t = x;
    //=     } else {
    //=         t = x.slice(s![0..64]);
    //=     };
    //=     call copy(t, y);
    //= }
}

mod assigned_anew_at_the_begin_of_each_iteration {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = x;
        for _ in 0..4 {
            t = create_tensor::<f32>([64]);
            copy(x, t);
            copy(t, y);
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut t: Tensor<f32> = x;
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 alloc 0 = alloc_tensors([create f32 [64]]);
    //=                 t = alloc 0.get_ref(0);
    //=                 call copy(x, t);
    //=                 call copy(t, y);
    //=             };
    //=         }
    //=     };
    //= }
}

mod declared_before_the_loop_without_a_value {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t;
        for _ in 0..4 {
            t = create_tensor::<f32>([64]);
            copy(x, t);
            copy(t, y);
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut t: Tensor<f32>;
    //=         for _ in 0..4 {
    //=             scope AUTO implicit {
    //=                 alloc 0 = alloc_tensors([create f32 [64]]);
    //=                 t = alloc 0.get_ref(0);
    //=                 call copy(x, t);
    //=                 call copy(t, y);
    //=             };
    //=         }
    //=     };
    //= }
}

mod a_value_that_nobody_reads {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let _unread = scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            t
        });
        copy(x, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let _unread: Tensor<f32>;
    //=     scope AUTO {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=         _unread = t;
    //=     };
    //=     call copy(x, y);
    //= }
}

mod one_half_of_a_tuple_lives {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let (_t, same) = scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            (t, x.slice(s![..]))
        });
        copy(same, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let (_t, same);
    //=     scope AUTO {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=         (_t, same) = (t, x.slice(s![..]));
    //=     };
    //=     call copy(same, y);
    //= }
}

mod a_tuple_of_scalars_leaves_a_scope {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let (a, b) = scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            (t.get([0]), t.dim(0))
        });
        copy(x.slice(s![0..b]), y);
        y.set([0], a);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let (a, b): (f32, usize) = scope AUTO {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=         (t.get([0]), t.dim(0))
    //=     };
    //=     call copy(x.slice(s![0..b]), y);
    //=     y.set([0], a);
    //= }
}

mod used_in_the_inner_of_two_scopes {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            scope!({
                copy(t, y);
            });
            copy(t, y);
        });
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     scope AUTO {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=         scope AUTO {
    //=             call copy(t, y);
    //=         };
    //=         call copy(t, y);
    //=     };
    //= }
}

mod the_value_of_the_inner_scope_belongs_to_the_outer {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        scope!({
            let t = create_tensor::<f32>([64]);
            let part = scope!({
                copy(x, t);
                t.slice(s![0..32])
            });
            copy(part, y.slice(s![0..32]));
        });
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     scope AUTO {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         let part: Tensor<f32>;
    //=         scope AUTO {
    //=             call copy(x, t);
    //=             part = t.slice(s![0..32]);
    //=         };
    //=         call copy(part, y.slice(s![0..32]));
    //=     };
    //= }
}
