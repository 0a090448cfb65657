//! Shown: Fused
//! Operations on tiles that run together.

mod attention_over_one_tile_is_two_products_and_a_sweep {
    #[pl::jit::incore(dims(M, N, D))]
    fn f(q: Tensor<f32, M, D>, k: Tensor<f32, N, D>, v: Tensor<f32, N, D>, scale: f32, o: Out<Tensor<f32, M, D>>) {
        let q = load(q);
        let m = full([M, 1], f32::NEG_INFINITY);
        let l = zeros([M, 1]);
        let acc = zeros([M, D]);
        let keys = load(k);
        let values = load(v);
        let s = dot(q, transpose(keys)) * scale;
        let m_new = maximum(m, row_max(s));
        let p = exp(s - m_new);
        let alpha = exp(m - m_new);
        copy_to(l, l * alpha + row_sum(p));
        copy_to(acc, acc * alpha + dot(p, values));
        store(o, acc / l);
    }
    //= incore f(q: in Tensor<f32, [M, D]>, k: in Tensor<f32, [N, D]>, v: in Tensor<f32, [N, D]>, scale: f32, o: out Tensor<f32, [M, D]>) dims(M, N, D) {
    //=     let m: Tile<f32> = full([M, 1], f32::NEG_INFINITY);
    //=     let l: Tile<f32> = zeros([M, 1]);
    //=     let acc: Tile<f32> = zeros([M, D]);
    //=     let s: Tile<f32> = dot(load(q), transpose(load(k))) * scale;
    //=     sweep {
    //=         %0 = row_max(s);
    //=         %1 = maximum(m, %0);
    //=         %2 = sub(s, %1);
    //=         let p = %3 = exp(%2);
    //=         %4 = sub(m, %1);
    //=         let alpha = %5 = exp(%4);
    //=         %6 = mul(l, %5);
    //=         %7 = row_sum(%3);
    //=         %8 = add(%6, %7);
    //=         %9 = copy_to(l, %8);
    //=     }
    //=     acc = acc * alpha + dot(p, load(v));
    //=     sweep {
    //=         %0 = div(acc, l);
    //=         %1 = store(o, %0);
    //=     }
    //= }
}

mod a_row_is_normalised_from_and_to_device_memory {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
        let x = load(x);
        let mean_square = row_sum(x * x) / (x.dim(1) as f32);
        store(y, x * rsqrt(mean_square + 1e-5));
    }
    //= incore f(x: in Tensor<f32, [_, _]>, y: out Tensor<f32, [_, _]>) {
    //=     sweep {
    //=         %0 = load(x);
    //=         %1 = mul(%0, %0);
    //=         %2 = row_sum(%1);
    //=         %3 = div(%2, x.dim(1) as f32);
    //=         %4 = add(%3, 1e-5);
    //=         %5 = rsqrt(%4);
    //=         %6 = mul(%0, %5);
    //=         %7 = store(y, %6);
    //=     }
    //= }
}

mod what_is_used_outside_becomes_a_tile {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 8>, y: Out<Tensor<f32, 8, 8>>) {
        let x = load(x);
        let e = exp(x * 2.0);
        let s = row_sum(e);
        store(y, dot(e, e) / s);
    }
    //= incore f(x: in Tensor<f32, [8, 8]>, y: out Tensor<f32, [8, 8]>) {
    //=     sweep {
    //=         %0 = load(x);
    //=         %1 = mul(%0, 2.0);
    //=         let e = %2 = exp(%1);
    //=         let s = %3 = row_sum(%2);
    //=     }
    //=     sweep {
    //=         %0 = div(dot(e, e), s);
    //=         %1 = store(y, %0);
    //=     }
    //= }
}

mod a_product_is_scaled_from_either_side {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 8>, a: f32, y: Out<Tensor<f32, 8, 8>>) {
        let x = load(x);
        store(y, a * dot(x, x) + dot(x, x) * 2.0);
    }
    //= incore f(x: in Tensor<f32, [8, 8]>, a: f32, y: out Tensor<f32, [8, 8]>) {
    //=     let x#2: Tile<f32> = load(x);
    //=     sweep {
    //=         %0 = add(dot(x#2, x#2) * a, dot(x#2, x#2) * 2.0);
    //=         %1 = store(y, %0);
    //=     }
    //= }
}

mod a_sum_with_another_tile_is_no_accumulation {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 8>, y: Out<Tensor<f32, 8, 8>>) {
        let x = load(x);
        let acc = zeros([8, 8]);
        let other = zeros([8, 8]);
        copy_to(acc, other + dot(x, x));
        copy_to(other, dot(x, x) + other);
        store(y, acc - other);
    }
    //= incore f(x: in Tensor<f32, [8, 8]>, y: out Tensor<f32, [8, 8]>) {
    //=     let x#2: Tile<f32> = load(x);
    //=     let acc: Tile<f32> = zeros([8, 8]);
    //=     let other: Tile<f32> = zeros([8, 8]);
    //=     sweep {
    //=         %0 = add(other, dot(x#2, x#2));
    //=         %1 = copy_to(acc, %0);
    //=     }
    //=     other = other + dot(x#2, x#2);
    //=     sweep {
    //=         %0 = sub(acc, other);
    //=         %1 = store(y, %0);
    //=     }
    //= }
}

mod a_load_is_not_moved_past_a_store {
    #[pl::jit::incore]
    fn f(x: InOut<Tensor<f32, 8, 8>>, y: Out<Tensor<f32, 8, 8>>) {
        let old = load(x);
        store(x, zeros([8, 8]));
        store(y, dot(old, old));
    }
    //= incore f(x: inout Tensor<f32, [8, 8]>, y: out Tensor<f32, [8, 8]>) {
    //=     let old: Tile<f32> = load(x);
    //=     store(x, zeros([8, 8]));
    //=     store(y, dot(old, old));
    //= }
}

mod a_load_is_moved_past_what_changes_tiles_only {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 8>, y: Out<Tensor<f32, 8, 8>>) {
        let w = load(x);
        let acc = zeros([8, 8]);
        copy_to(acc, full([8, 8], 1.0));
        store(y, dot(acc, w));
    }
    //= incore f(x: in Tensor<f32, [8, 8]>, y: out Tensor<f32, [8, 8]>) {
    //=     let acc: Tile<f32> = zeros([8, 8]);
    //=     copy_to(acc, full([8, 8], 1.0));
    //=     store(y, dot(acc, load(x)));
    //= }
}

mod a_load_whose_place_an_element_of_a_tile_says_stays_before_its_change {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 8>, y: Out<Tensor<f32, 1, 8>>) {
        let at = full::<u32>([1], 3);
        let row = load(x.slice(s![at.get([0]) as usize.., ..]));
        at.set([0], 0);
        store(y, row * 2.0);
    }
    //= incore f(x: in Tensor<f32, [8, 8]>, y: out Tensor<f32, [1, 8]>) {
    //=     let at: Tile<u32> = full([1], 3);
    //=     let row: Tile<f32> = load(x.slice(s![at.get([0]) as usize.., ..]));
    //=     at.set([0], 0);
    //=     sweep {
    //=         %0 = mul(row, 2.0);
    //=         %1 = store(y, %0);
    //=     }
    //= }
}

mod a_load_whose_place_is_assigned_again_stays {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 8>, y: Out<Tensor<f32, 4, 8>>) {
        let mut i = 0;
        let w = load(x.slice(s![i..i + 4, ..]));
        i = 4;
        store(y, dot(load(x.slice(s![i..i + 4, ..4])), w));
    }
    //= incore f(x: in Tensor<f32, [8, 8]>, y: out Tensor<f32, [4, 8]>) {
    //=     let mut i: {integer} = 0;
    //=     let w: Tile<f32> = load(x.slice(s![i..i + 4, ..]));
    //=     i = 4;
    //=     store(y, dot(load(x.slice(s![i..i + 4, ..4])), w));
    //= }
}

mod integers_stay_as_they_are {
    #[pl::jit::incore]
    fn f(x: Tensor<i32, 8>, y: Out<Tensor<i32, 8>>) {
        store(y, load(x) * 2 + 1);
    }
    //= incore f(x: in Tensor<i32, [8]>, y: out Tensor<i32, [8]>) {
    //=     store(y, (load(x) * 2) + 1);
    //= }
}

mod one_operation_stays_as_it_is {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let x = load(x);
        let t = exp(x);
        copy_to(x, t);
        let u = zeros([8]);
        for i in 0..8 {
            u.set([i], t.get([0]) + x.get([i]));
        }
        store(y, u);
    }
    //= incore f(x: in Tensor<f32, [8]>, y: out Tensor<f32, [8]>) {
    //=     let x#2: Tile<f32> = load(x);
    //=     let t: Tile<f32> = exp(x#2);
    //=     copy_to(x#2, t);
    //=     let u: Tile<f32> = zeros([8]);
    //=     for i in 0..8 {
    //=         u.set([i], t.get([0]) + x#2.get([i]));
    //=     }
    //=     store(y, u);
    //= }
}

mod statements_that_share_nothing_do_not_join {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 8>, z: Tensor<f32, 4>, y: Out<Tensor<f32, 8, 8>>, w: Out<Tensor<f32, 4>>) {
        store(y, exp(load(x)));
        store(w, exp(load(z)));
    }
    //= incore f(x: in Tensor<f32, [8, 8]>, z: in Tensor<f32, [4]>, y: out Tensor<f32, [8, 8]>, w: out Tensor<f32, [4]>) {
    //=     sweep {
    //=         %0 = load(x);
    //=         %1 = exp(%0);
    //=         %2 = store(y, %1);
    //=     }
    //=     sweep {
    //=         %0 = load(z);
    //=         %1 = exp(%0);
    //=         %2 = store(w, %1);
    //=     }
    //= }
}

mod what_a_helper_changes_stands_between {
    #[pl::jit::inline]
    fn halve(x: Tile<f32>) -> Tile<f32> {
        copy_to(x, x * 0.5);
        x
    }

    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
        let x = load(x);
        let a = x * 2.0;
        let b = halve(x);
        store(y, a + x * 3.0);
    }
    //= incore inline halve(x: Tile<f32>) -> Tile<f32> {
    //=     sweep {
    //=         %0 = mul(x, 0.5);
    //=         %1 = copy_to(x, %0);
    //=     }
    //=     x
    //= }
    //= incore f(x: in Tensor<f32, [8]>, y: out Tensor<f32, [8]>) {
    //=     let x#2: Tile<f32> = load(x);
    //=     let a: Tile<f32> = x#2 * 2.0;
    //=     let b: result of halve = call halve(x#2);
    //=     sweep {
    //=         %0 = mul(x#2, 3.0);
    //=         %1 = add(a, %0);
    //=         %2 = store(y, %1);
    //=     }
    //= }
}

mod a_tile_that_a_view_shows_is_kept_in_order {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 8>, y: Out<Tensor<f32, 8, 8>>) {
        let m = load(x);
        let turned = m.transpose(0, 1);
        copy_to(m, exp(m) + 1.0);
        store(y, turned * 2.0);
    }
    //= incore f(x: in Tensor<f32, [8, 8]>, y: out Tensor<f32, [8, 8]>) {
    //=     let m: Tile<f32> = load(x);
    //=     let turned: Tile<f32> = m.transpose(0, 1);
    //=     sweep {
    //=         %0 = exp(m);
    //=         %1 = add(%0, 1.0);
    //=         %2 = copy_to(m, %1);
    //=     }
    //=     sweep {
    //=         %0 = mul(turned, 2.0);
    //=         %1 = store(y, %0);
    //=     }
    //= }
}
