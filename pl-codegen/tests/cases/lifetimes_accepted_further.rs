//! Shown: ScopeValues
//! What loops, branches, helpers and MANUAL scopes may keep.

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

mod siblings_may_use_one_name {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            copy(t, y);
        });
        scope!({
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            copy(t, y);
        });
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     scope AUTO {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=         call copy(t, y);
    //=     };
    //=     scope AUTO {
    //=         alloc 1 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 1.get_ref(0);
    //=         call copy(x, t);
    //=         call copy(t, y);
    //=     };
    //= }
}

mod a_loop_without_a_scope_may_keep_what_it_made {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = x;
        for _ in 0..4 {
            let next = create_tensor::<f32>([64]);
            copy(now, next);
            now = next;
        }
        copy(now, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let mut now: Tensor<f32> = x;
    //=     for _ in 0..4 {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let next: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(now, next);
    //=         now = next;
    //=     }
    //=     call copy(now, y);
    //= }
}

mod a_branch_without_a_scope_may_give_what_it_made {
    #[pl::jit(auto_scope = false)]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = if on {
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            t
        } else {
            x
        };
        copy(t, y);
    }
    //= entry f(on: bool, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let t: Tensor<f32> = if on {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=         t
    //=     } else {
    //=         x
    //=     };
    //=     call copy(t, y);
    //= }
}

mod a_branch_that_only_chooses_gets_no_scope {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 64>, z: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = if on { x } else { z };
        copy(t, y);
    }
    //= entry f(on: bool, x: in Tensor<f32, [64]>, z: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let t: Tensor<f32> = if on {
    //=             x
    //=         } else {
    //=             z
    //=         };
    //=         call copy(t, y);
    //=     };
    //= }
}

mod a_helper_returns_what_it_created {
    #[pl::jit::inline]
    fn f(x: Tensor<f32, 64>) -> Tensor<f32, 64> {
        let t = create_tensor::<f32>([64]);
        copy(x, t);
        t
    }
    //= inline f(x: in Tensor<f32, [64]>) -> Tensor<f32> auto_scope = true {
    //=     alloc 0 = alloc_tensors([create f32 [64]]);
    //=     let t: Tensor<f32> = alloc 0.get_ref(0);
    //=     call copy(x, t);
    //=     t
    //= }
}

mod a_helper_returns_a_view_of_its_parameter {
    #[pl::jit::inline]
    fn f(x: Tensor<f32, 64>) -> Tensor<f32, _> {
        x.slice(s![0..32])
    }
    //= inline f(x: in Tensor<f32, [64]>) -> Tensor<f32> auto_scope = true {
    //=     x.slice(s![0..32])
    //= }
}

mod a_helper_returns_a_tuple {
    #[pl::jit::inline]
    fn f(x: Tensor<f32, 64>) -> (Tensor<f32, 64>, f32) {
        let t = create_tensor::<f32>([64]);
        copy(x, t);
        (t, t.get([0]))
    }
    //= inline f(x: in Tensor<f32, [64]>) -> (Tensor<f32>, f32) auto_scope = true {
    //=     alloc 0 = alloc_tensors([create f32 [64]]);
    //=     let t: Tensor<f32> = alloc 0.get_ref(0);
    //=     call copy(x, t);
    //=     (t, t.get([0]))
    //= }
}

mod what_a_helper_returns_is_used_in_the_scope_of_the_call {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        scope!({
            let t = copied(x);
            copy(copied(t), y);
        });
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     scope AUTO {
    //=         let t: result of copied = call copied(x);
    //=         call copy(call copied(t), y);
    //=     };
    //= }
}

mod the_scalar_that_a_helper_returns_may_leave {
    #[pl::jit::inline]
    fn first(x: Tensor<f32, 64>) -> f32 {
        x.get([0])
    }

    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let v = scope!({
            let v: f32 = first(x);
            v
        });
        copy(x, y);
        y.set([0], v);
    }
    //= inline first(x: in Tensor<f32, [64]>) -> f32 auto_scope = true {
    //=     x.get([0])
    //= }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     let v: f32 = scope AUTO {
    //=         let v: f32 = call first(x);
    //=         v
    //=     };
    //=     call copy(x, y);
    //=     y.set([0], v);
    //= }
}

mod a_manual_scope_may_use_outer_tensors {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        manual_scope!({
            copy(x, t);
        });
        copy(t, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         scope MANUAL {
    //=             call copy(x, t);
    //=         };
    //=         call copy(t, y);
    //=     };
    //= }
}

mod a_loop_inside_a_manual_scope_may_carry {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        manual_scope!({
            let mut now = x;
            for _ in 0..4 {
                let next = create_tensor::<f32>([64]);
                copy(now, next);
                let v = next.get([0]);
                now = next;
            }
            copy(now, y);
        });
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         scope MANUAL {
    //=             let mut now: Tensor<f32> = x;
    //=             for _ in 0..4 {
    //=                 alloc 0 = alloc_tensors([create f32 [64]]);
    //=                 let next: Tensor<f32> = alloc 0.get_ref(0);
    //=                 call copy(now, next);
    //=                 let v: f32 = next.get([0]);
    //=                 now = next;
    //=             }
    //=             call copy(now, y);
    //=         };
    //=     };
    //= }
}

mod kept_by_a_break_within_the_scope {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        scope!({
            let mut found = x;
            for i in 0..4 {
                let t = create_tensor::<f32>([64]);
                copy(x, t);
                if i == 2 {
                    found = t;
                    break;
                }
            }
            copy(found, y);
        });
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     scope AUTO {
    //=         let mut found: Tensor<f32> = x;
    //=         for i in 0..4 {
    //=             alloc 0 = alloc_tensors([create f32 [64]]);
    //=             let t: Tensor<f32> = alloc 0.get_ref(0);
    //=             call copy(x, t);
    //=             if i == 2 {
    //=                 found = t;
    //=                 break;
    //=             };
    //=         }
    //=         call copy(found, y);
    //=     };
    //= }
}

mod a_way_that_does_not_come_back_is_not_counted {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut now = x;
        for i in 0..4 {
            copy(now, y);
            if i == 2 {
                now = create_tensor::<f32>([64]);
                copy(x, now);
                break;
            }
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut now: Tensor<f32> = x;
    //=         for i in 0..4 {
    //=             scope AUTO implicit {
    //=                 call copy(now, y);
    //=                 if i == 2 {
    //=                     scope AUTO implicit {
    //=                         alloc 0 = alloc_tensors([create f32 [64]]);
    //=                         now = alloc 0.get_ref(0);
    //=                         call copy(x, now);
    //=                         break;
    //=                     };
    //=                 };
    //=             };
    //=         }
    //=     };
    //= }
}

mod the_loop_variable_and_scalars_are_free {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let (mut n, mut at) = (0, 0);
        for i in 0..4 {
            n += i;
            at = n * 4;
        }
        copy(x.slice(s![at..at + 8]), y.slice(s![at..at + 8]));
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut (n, at): ({integer}, {integer}) = (0, 0);
    //=         for i in 0..4 {
    //=             n += i;
    //=             at = n * 4;
    //=         }
    //=         call copy(x.slice(s![at..at + 8]), y.slice(s![at..at + 8]));
    //=     };
    //= }
}
