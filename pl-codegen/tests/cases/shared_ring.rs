//! Shown: AutoScopes
//! Tensors of scopes that have no ring of their own.

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

mod depth_3_has_a_ring_of_its_own {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for _ in 0..2 {
            let kept = create_tensor::<f32>([64]);
            copy(x, kept);
            for _ in 0..2 {
                let short = create_tensor::<f32>([64]);
                copy(kept, short);
                copy(short, y);
            }
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for _ in 0..2 {
    //=             scope AUTO implicit {
    //=                 let kept: Tensor<f32> = create f32 [64];
    //=                 call copy(x, kept);
    //=                 for _ in 0..2 {
    //=                     scope AUTO implicit {
    //=                         let short: Tensor<f32> = create f32 [64];
    //=                         call copy(kept, short);
    //=                         call copy(short, y);
    //=                     };
    //=                 }
    //=             };
    //=         }
    //=     };
    //= }
}

mod a_tensor_at_depth_4_stays_with_the_one_at_depth_3 {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for _ in 0..2 {
            for _ in 0..2 {
                let kept = create_tensor::<f32>([64]);
                copy(x, kept);
                for _ in 0..2 {
                    let short = create_tensor::<f32>([64]); //~ PL0008 at depth 4 shares ring 3 with one of an outer scope
                    copy(kept, short);
                    copy(short, y);
                }
            }
        }
    }
}

mod a_scope_is_pointed_out_once {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        scope!({ scope!({ scope!({
            let kept = create_tensor::<f32>([64]);
            copy(x, kept);
            scope!({
                let a = create_tensor::<f32>([64]); //~ PL0008 as long as that one
                let b = create_tensor::<f32>([64]);
                copy(kept, a);
                copy(a, b);
                copy(b, y);
            });
            scope!({
                let c = create_tensor::<f32>([64]); //~ PL0008 as long as that one
                copy(kept, c);
                copy(c, y);
            });
        }) }) });
    }
}

mod what_is_created_later_holds_nothing {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        scope!({ scope!({ scope!({
            scope!({
                let a = create_tensor::<f32>([64]);
                copy(x, a);
                copy(a, y);
            });
            let b = create_tensor::<f32>([64]);
            copy(x, b);
            copy(b, y);
        }) }) });
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     scope AUTO {
    //=         scope AUTO {
    //=             scope AUTO {
    //=                 scope AUTO {
    //=                     let a: Tensor<f32> = create f32 [64];
    //=                     call copy(x, a);
    //=                     call copy(a, y);
    //=                 };
    //=                 let b: Tensor<f32> = create f32 [64];
    //=                 call copy(x, b);
    //=                 call copy(b, y);
    //=             };
    //=         };
    //=     };
    //= }
}

mod the_innermost_of_three_is_told_of_the_nearest {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        scope!({ scope!({ scope!({
            let a = create_tensor::<f32>([64]);
            copy(x, a);
            scope!({
                let b = create_tensor::<f32>([64]); //~ PL0008 at depth 4
                copy(a, b);
                scope!({
                    let c = create_tensor::<f32>([64]); //~ PL0008 at depth 5
                    copy(b, c);
                    copy(c, y);
                });
            });
        }) }) });
    }
}
