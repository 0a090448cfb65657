//! Shown: ScopeValues
//! Tiles and the `scratch_scope!`s that recycle them.

mod used_after_its_scratch_scope {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = load(x);
        scratch_scope!({
            t = t + 1.0;
        });
        store(y, t); //~ PL0104 copy it out with `copy_to`
    }
}

mod kept_from_the_last_iteration {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 16>>) {
        let mut last = zeros([16]);
        for i in (0..64).step_by(16) {
            scratch_scope!({
                last = load(x.slice(s![i..i + 16]));
            });
        }
        store(y, last); //~ PL0104 `last` is used after its `scratch_scope!` closed
    }
}

mod carried_into_the_next_iteration {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 16>>) {
        let out = zeros([16]);
        let mut last = zeros([16]);
        for i in (0..64).step_by(16) {
            scratch_scope!({
                copy_to(out, out + last); //~ PL0104 `last`
                last = load(x.slice(s![i..i + 16]));
            });
        }
        store(y, out);
    }
}

mod the_value_of_its_scratch_scope {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = scratch_scope!({
            exp(load(x)) //~ PL0104 the value of this `scratch_scope!` is a tile that the scope recycles
        });
        store(y, t);
    }
}

mod a_view_of_a_recycled_tile {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 8>, y: Out<Tensor<f32, 8, 8>>) {
        let mut view = zeros([8, 8]);
        scratch_scope!({
            let t = load(x);
            view = t.transpose(0, 1);
        });
        store(y, view); //~ PL0104 `view`
    }
}

mod the_transposed_view_of_a_recycled_tile {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 8>, y: Out<Tensor<f32, 8, 8>>) {
        let mut view = zeros([8, 8]);
        scratch_scope!({
            view = transpose(load(x));
        });
        store(y, view); //~ PL0104 `view`
    }
}

mod an_element_of_a_recycled_tile {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = load(x);
        scratch_scope!({
            t = t + 1.0;
        });
        let v = t.get([0]); //~ PL0104 `t`
        store(y, load(x) + v);
    }
}

mod a_target_of_copy_to_that_was_recycled {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let out = load(x);
        let mut t = out;
        scratch_scope!({
            t = zeros([64]);
        });
        copy_to(t, out); //~ PL0104 `t`
        store(y, out);
    }
}

mod an_operand_that_was_recycled {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let one = load(x);
        let mut t = one;
        scratch_scope!({
            t = exp(one);
        });
        store(y, one * t); //~ PL0104 `t`
    }
}

mod used_after_the_inner_of_two_scratch_scopes {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        scratch_scope!({
            let mut t = load(x);
            scratch_scope!({
                t = exp(t);
            });
            store(y, t); //~ PL0104 `t`
        });
    }
}

mod recycled_on_one_of_two_ways {
    #[pl::jit::incore]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = load(x);
        if on {
            scratch_scope!({
                t = exp(t);
            });
        }
        store(y, t); //~ PL0104 `t`
    }
}

mod one_half_of_a_tuple_is_recycled {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = load(x);
        let (a, b) = scratch_scope!({
            (t, exp(t)) //~ PL0104
        });
        store(y, a + b);
    }
}

mod create_tensor_makes_a_tile_in_core_and_is_recycled {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = load(x);
        scratch_scope!({
            t = create_tensor::<f32>([64]);
        });
        store(y, t); //~ PL0104 `t`
    }
}

mod copying_out_is_accepted {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 16>>) {
        let sum = zeros([16]);
        for i in (0..64).step_by(16) {
            scratch_scope!({
                copy_to(sum, sum + load(x.slice(s![i..i + 16])));
            });
        }
        store(y, sum);
    }
    //= incore f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [16]>) {
    //=     let sum: Tile<f32> = zeros([16]);
    //=     for i in (0..64).step_by(16) {
    //=         scratch_scope {
    //=             copy_to(sum, sum + load(x.slice(s![i..i + 16])));
    //=         };
    //=     }
    //=     store(y, sum);
    //= }
}

mod reading_a_scalar_out_is_accepted {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let v = scratch_scope!({
            exp(load(x)).get([0])
        });
        store(y, load(x) * v);
    }
    //= incore f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) {
    //=     let v: {scalar} = scratch_scope {
    //=         exp(load(x)).get([0])
    //=     };
    //=     store(y, load(x) * v);
    //= }
}

mod storing_from_inside_is_accepted {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        scratch_scope!({
            let t = load(x);
            scratch_scope!({
                store(y, exp(t));
            });
        });
    }
    //= incore f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) {
    //=     scratch_scope {
    //=         let t: Tile<f32> = load(x);
    //=         scratch_scope {
    //=             store(y, exp(t));
    //=         };
    //=     };
    //= }
}

mod a_view_of_an_outer_tile_may_leave {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 8>, y: Out<Tensor<f32, 8, 8>>) {
        let t = load(x);
        let view = scratch_scope!({
            t.transpose(0, 1)
        });
        store(y, view);
    }
    //= incore f(x: in Tensor<f32, [8, 8]>, y: out Tensor<f32, [8, 8]>) {
    //=     let t: Tile<f32> = load(x);
    //=     let view: Tile<f32>;
    //=     scratch_scope {
    //=         view = t.transpose(0, 1);
    //=     };
    //=     store(y, view);
    //= }
}

mod a_dead_tile_that_nobody_reads_is_accepted {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = load(x);
        scratch_scope!({
            t = exp(t);
        });
        t = load(x);
        store(y, t);
    }
    //= incore f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) {
    //=     let mut t: Tile<f32> = load(x);
    //=     scratch_scope {
    //=         t = exp(t);
    //=     };
    //=     t = load(x);
    //=     store(y, t);
    //= }
}

mod shadowing_inside_leaves_the_outer_tile {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = load(x);
        scratch_scope!({
            let t = exp(t);
            store(y, t);
        });
        store(y, t);
    }
    //= incore f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) {
    //=     let t: Tile<f32> = load(x);
    //=     scratch_scope {
    //=         let t#2: Tile<f32> = exp(t);
    //=         store(y, t#2);
    //=     };
    //=     store(y, t);
    //= }
}

mod swapping_two_outer_tiles_is_accepted {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let (mut a, mut b) = (load(x), zeros([64]));
        for _ in 0..4 {
            scratch_scope!({
                copy_to(b, exp(a));
            });
            (a, b) = (b, a);
        }
        store(y, a);
    }
    //= incore f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) {
    //=     let mut (a, b): (Tile<f32>, Tile<f32>) = (load(x), zeros([64]));
    //=     for _ in 0..4 {
    //=         scratch_scope {
    //=             copy_to(b, exp(a));
    //=         };
    //=         (a, b) = (b, a);
    //=     }
    //=     store(y, a);
    //= }
}

mod a_loop_without_scratch_scope_may_carry_tiles {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut t = load(x);
        for _ in 0..4 {
            t = exp(t);
        }
        store(y, t);
    }
    //= incore f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) {
    //=     let mut t: Tile<f32> = load(x);
    //=     for _ in 0..4 {
    //=         t = exp(t);
    //=     }
    //=     store(y, t);
    //= }
}

mod a_branch_may_give_a_tile {
    #[pl::jit::incore]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = if on { exp(load(x)) } else { load(x) };
        store(y, t);
    }
    //= incore f(on: bool, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) {
    //=     let t: Tile<f32> = if on {
    //=         exp(load(x))
    //=     } else {
    //=         load(x)
    //=     };
    //=     store(y, t);
    //= }
}

mod break_leaves_a_scratch_scope {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 16>>) {
        let max = zeros([16]);
        for i in (0..64).step_by(16) {
            scratch_scope!({
                let t = load(x.slice(s![i..i + 16]));
                if t.get([0]) > 1.0 {
                    break;
                }
                copy_to(max, maximum(max, t));
            });
        }
        store(y, max);
    }
    //= incore f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [16]>) {
    //=     let max: Tile<f32> = zeros([16]);
    //=     for i in (0..64).step_by(16) {
    //=         scratch_scope {
    //=             let t: Tile<f32> = load(x.slice(s![i..i + 16]));
    //=             if t.get([0]) > 1.0 {
    //=                 break;
    //=             };
    //=             copy_to(max, maximum(max, t));
    //=         };
    //=     }
    //=     store(y, max);
    //= }
}
