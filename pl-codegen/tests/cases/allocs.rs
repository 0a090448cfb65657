//! Shown: BatchAllocs
//! Creates of one scope share `alloc_tensors` calls.

const N: usize = 4;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn helper(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    copy(x, y);
}

mod c165_a_create_and_two_calls {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        copy(x, t);
        copy(t, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=         call copy(t, y);
    //=     };
    //= }
}

mod c170_creates_between_two_calls_share_one_allocation {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let a = create_tensor::<f32>([64]);
        copy(x, a);
        let b = create_tensor::<f32>([32]);
        let c = create_tensor::<f32>([64]);
        copy(a.slice(s![0..32]), b);
        copy(a, c);
        copy(c, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let a: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x, a);
    //=         alloc 1 = alloc_tensors([create f32 [32], create f32 [64]]);
    //=         let b: Tensor<f32> = alloc 1.get_ref(0);
    //=         let c: Tensor<f32> = alloc 1.get_ref(1);
    //=         call copy(a.slice(s![0..32]), b);
    //=         call copy(a, c);
    //=         call copy(c, y);
    //=     };
    //= }
}

mod a_create_is_not_moved_across_a_call {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let a = create_tensor::<f32>([64]);
        helper(x, a);
        let b = create_tensor::<f32>([64]);
        copy(a, b);
        copy(b, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let a: Tensor<f32> = alloc 0.get_ref(0);
    //=         call helper(x, a);
    //=         alloc 1 = alloc_tensors([create f32 [64]]);
    //=         let b: Tensor<f32> = alloc 1.get_ref(0);
    //=         call copy(a, b);
    //=         call copy(b, y);
    //=     };
    //= }
}

mod c171_function_and_loop_body_have_allocations_of_their_own {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let a = create_tensor::<f32>([64]);
        let b = create_tensor::<f32>([64]);
        copy(x, a);
        copy(a, b);
        for _ in 0..N {
            let c = create_tensor::<f32>([64]);
            copy(b, c);
            copy(c, y);
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64], create f32 [64]]);
    //=         let a: Tensor<f32> = alloc 0.get_ref(0);
    //=         let b: Tensor<f32> = alloc 0.get_ref(1);
    //=         call copy(x, a);
    //=         call copy(a, b);
    //=         for _ in 0..N {
    //=             scope AUTO implicit {
    //=                 alloc 1 = alloc_tensors([create f32 [64]]);
    //=                 let c: Tensor<f32> = alloc 1.get_ref(0);
    //=                 call copy(b, c);
    //=                 call copy(c, y);
    //=             };
    //=         }
    //=     };
    //= }
}

mod c172_no_more_than_sixteen_share_one {
    #[pl::jit]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let (a, b, c) = (create_tensor::<f32>([1]), create_tensor::<f32>([2]), create_tensor::<f32>([3]));
        let (d, e, f) = (create_tensor::<f32>([4]), create_tensor::<f32>([5]), create_tensor::<f32>([6]));
        let (g, h, i) = (create_tensor::<f32>([7]), create_tensor::<f32>([8]), create_tensor::<f32>([9]));
        let (j, k, l) = (create_tensor::<f32>([10]), create_tensor::<f32>([11]), create_tensor::<f32>([12]));
        let (m, n, o) = (create_tensor::<f32>([13]), create_tensor::<f32>([14]), create_tensor::<f32>([15]));
        let (p, q, r) = (create_tensor::<f32>([16]), create_tensor::<f32>([17]), create_tensor::<f32>([18]));
        copy(x, y);
    }
    //= entry f(x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [1], create f32 [2], create f32 [3], create f32 [4], create f32 [5], create f32 [6], create f32 [7], create f32 [8], create f32 [9], create f32 [10], create f32 [11], create f32 [12], create f32 [13], create f32 [14], create f32 [15], create f32 [16]]);
    //=         let (a, b, c): (Tensor<f32>, Tensor<f32>, Tensor<f32>) = (alloc 0.get_ref(0), alloc 0.get_ref(1), alloc 0.get_ref(2));
    //=         let (d, e, f): (Tensor<f32>, Tensor<f32>, Tensor<f32>) = (alloc 0.get_ref(3), alloc 0.get_ref(4), alloc 0.get_ref(5));
    //=         let (g, h, i): (Tensor<f32>, Tensor<f32>, Tensor<f32>) = (alloc 0.get_ref(6), alloc 0.get_ref(7), alloc 0.get_ref(8));
    //=         let (j, k, l): (Tensor<f32>, Tensor<f32>, Tensor<f32>) = (alloc 0.get_ref(9), alloc 0.get_ref(10), alloc 0.get_ref(11));
    //=         let (m, n, o): (Tensor<f32>, Tensor<f32>, Tensor<f32>) = (alloc 0.get_ref(12), alloc 0.get_ref(13), alloc 0.get_ref(14));
    //=         alloc 1 = alloc_tensors([create f32 [17], create f32 [18]]);
    //=         let (p, q, r): (Tensor<f32>, Tensor<f32>, Tensor<f32>) = (alloc 0.get_ref(15), alloc 1.get_ref(0), alloc 1.get_ref(1));
    //=         call copy(x, y);
    //=     };
    //= }
}

mod c173_a_create_stays_behind_the_value_that_its_shape_needs {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let a = create_tensor::<f32>([64]);
        let n = a.dim(0) / 2;
        let b = create_tensor::<f32>([n]);
        copy(x, a);
        copy(a.slice(s![0..n]), b);
        copy(b, y.slice(s![0..n]));
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let a: Tensor<f32> = alloc 0.get_ref(0);
    //=         let n: usize = a.dim(0) / 2;
    //=         alloc 1 = alloc_tensors([create f32 [n]]);
    //=         let b: Tensor<f32> = alloc 1.get_ref(0);
    //=         call copy(x, a);
    //=         call copy(a.slice(s![0..n]), b);
    //=         call copy(b, y.slice(s![0..n]));
    //=     };
    //= }
}

mod c5_a_create_stays_behind_the_branch_that_gives_its_length {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let n = if on { 16 } else { 48 };
        let t = create_tensor::<f32>([n]);
        copy(x.slice(s![0..n]), t);
        copy(t, y.slice(s![0..n]));
    }
    //= entry f(on: bool, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let n: {integer} = if on {
    //=             16
    //=         } else {
    //=             48
    //=         };
    //=         alloc 0 = alloc_tensors([create f32 [n]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x.slice(s![0..n]), t);
    //=         call copy(t, y.slice(s![0..n]));
    //=     };
    //= }
}

mod a_create_stays_behind_a_scalar_that_is_assigned {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut n = 16;
        let a = create_tensor::<f32>([n]);
        n = 32;
        let b = create_tensor::<f32>([n]);
        copy(x.slice(s![0..16]), a);
        copy(x.slice(s![0..n]), b);
        copy(b, y.slice(s![0..n]));
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut n: {integer} = 16;
    //=         alloc 0 = alloc_tensors([create f32 [n]]);
    //=         let a: Tensor<f32> = alloc 0.get_ref(0);
    //=         n = 32;
    //=         alloc 1 = alloc_tensors([create f32 [n]]);
    //=         let b: Tensor<f32> = alloc 1.get_ref(0);
    //=         call copy(x.slice(s![0..16]), a);
    //=         call copy(x.slice(s![0..n]), b);
    //=         call copy(b, y.slice(s![0..n]));
    //=     };
    //= }
}

mod c4_a_create_in_a_loop_is_made_anew_in_each_iteration {
    #[pl::jit(auto_scope = false)]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for _ in 0..N {
            let t = create_tensor::<f32>([64]);
            copy(x, t);
            copy(t, y);
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     for _ in 0..N {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         call copy(x, t);
    //=         call copy(t, y);
    //=     }
    //= }
}

mod a_create_in_a_branch_is_made_in_the_branch {
    #[pl::jit(auto_scope = false)]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let a = create_tensor::<f32>([64]);
        if on {
            let b = create_tensor::<f32>([64]);
            copy(x, b);
            copy(b, a);
        } else {
            copy(x, a);
        }
        copy(a, y);
    }
    //= entry f(on: bool, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = false {
    //=     alloc 0 = alloc_tensors([create f32 [64]]);
    //=     let a: Tensor<f32> = alloc 0.get_ref(0);
    //=     if on {
    //=         alloc 1 = alloc_tensors([create f32 [64]]);
    //=         let b: Tensor<f32> = alloc 1.get_ref(0);
    //=         call copy(x, b);
    //=         call copy(b, a);
    //=     } else {
    //=         call copy(x, a);
    //=     };
    //=     call copy(a, y);
    //= }
}

mod c177_a_create_in_a_manual_scope_is_made_in_it {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let a = create_tensor::<f32>([64]);
        manual_scope!({
            let b = create_tensor::<f32>([64]);
            copy(x, a);
        });
        copy(a, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let a: Tensor<f32> = alloc 0.get_ref(0);
    //=         scope MANUAL {
    //=             alloc 1 = alloc_tensors([create f32 [64]]);
    //=             let b: Tensor<f32> = alloc 1.get_ref(0);
    //=             call copy(x, a);
    //=         };
    //=         call copy(a, y);
    //=     };
    //= }
}

mod c174_what_stands_behind_a_create_goes_with_it {
    #[pl::jit]
    fn f(y: Out<Tensor<f32, 64>>) {
        let a = create_tensor::<f32>([64]).init(0.5);
        let b = create_tensor::<i32>([1]).manual_dep();
        copy(a, y);
    }
    //= entry f(y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64] init 0.5, create i32 [1] manual_dep]);
    //=         let a: Tensor<f32> = alloc 0.get_ref(0);
    //=         let b: Tensor<i32> = alloc 0.get_ref(1);
    //=         call copy(a, y);
    //=     };
    //= }
}

mod a_create_passed_at_once {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>) {
        copy(x, create_tensor::<f32>([64]));
        copy(x, create_tensor::<f32>([64]));
    }
    //= entry f(x: in Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         call copy(x, alloc 0.get_ref(0));
    //=         alloc 1 = alloc_tensors([create f32 [64]]);
    //=         call copy(x, alloc 1.get_ref(0));
    //=     };
    //= }
}

mod in_core_creates_stay_as_they_are {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let a = create_tensor::<f32>([64]);
        copy_to(a, load(x));
        store(y, a);
    }
    //= incore f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) {
    //=     let a: Tile<f32> = create f32 [64];
    //=     copy_to(a, load(x));
    //=     store(y, a);
    //= }
}
