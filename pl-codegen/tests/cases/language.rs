//! Shown: Lowered
//! The constructs of the language, as they are read.

const N: usize = 8;
const STEP: usize = 2;
const SCALE: f32 = 0.5;

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn generic<T: Element, const W: usize>(x: Tensor<T, W>, y: Out<Tensor<T, W>>) {
    store(y, load(x));
}

mod a_range_may_have_a_step {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for i in (0..N).step_by(STEP) {
            k(x.slice(s![i..i + 2]), y.slice(s![i..i + 2]));
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     for i in (0..N).step_by(STEP) {
    //=         call k(x.slice(s![i..i + 2]), y.slice(s![i..i + 2]));
    //=     }
    //= }
}

mod d1_a_range_may_run_down {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for i in (0..N).rev() {
            k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
        }
        for i in (0..N).step_by(STEP).rev() {
            k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     for i in (0..N).rev() {
    //=         call k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
    //=     }
    //=     for i in (0..N).step_by(STEP).rev() {
    //=         call k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
    //=     }
    //= }
}

mod loops_may_be_parallel_or_unrolled {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for i in parallel(0..N).step_by(STEP) {
            k(x.slice(s![i..i + 2]), y.slice(s![i..i + 2]));
        }
        for i in unroll(0..N * 2) {
            k(x.slice(s![i..i + 2]), y.slice(s![i..i + 2]));
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     for i in parallel(0..N).step_by(STEP) {
    //=         call k(x.slice(s![i..i + 2]), y.slice(s![i..i + 2]));
    //=     }
    //=     for i in unroll(0..N * 2) {
    //=         call k(x.slice(s![i..i + 2]), y.slice(s![i..i + 2]));
    //=     }
    //= }
}

mod a_while_tests_a_scalar {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut i = 0;
        while i < N && i != 7 {
            k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
            i += 1;
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     let mut i: {integer} = 0;
    //=     while (i < N) && (i != 7) {
    //=         call k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
    //=         i += 1;
    //=     }
    //= }
}

mod an_if_may_give_a_scalar {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let n = if on { 16 } else { 32 };
        k(x.slice(s![0..n]), y.slice(s![0..n]));
    }
    //= entry f(on: bool, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     let n: {integer} = if on {
    //=         16
    //=     } else {
    //=         32
    //=     };
    //=     call k(x.slice(s![0..n]), y.slice(s![0..n]));
    //= }
}

mod scalars_have_operators_and_methods {
    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let a = (n * 3 + 1) / 2 % 5;
        let b = a.min(4).max(1).div_ceil(2);
        let c = n.next_multiple_of(16).saturating_sub(b).pow(1);
        let even = c.is_multiple_of(2) || !(a == b) && a >= 1;
        let bits = (n << 2) >> 1 & 7 | 8 ^ 1;
        if even {
            k(x.slice(s![0..b]), y.slice(s![0..b]));
        }
    }
    //= entry f(n: usize, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     let a: usize = (((n * 3) + 1) / 2) % 5;
    //=     let b: usize = a.min(4).max(1).div_ceil(2);
    //=     let c: usize = n.next_multiple_of(16).saturating_sub(b).pow(1);
    //=     let even: bool = c.is_multiple_of(2) || ((!(a == b)) && (a >= 1));
    //=     let bits: usize = (((n << 2) >> 1) & 7) | (8 ^ 1);
    //=     if even {
    //=         call k(x.slice(s![0..b]), y.slice(s![0..b]));
    //=     };
    //= }
}

mod a_negative_number_keeps_its_sign {
    #[pl::jit]
    fn f(n: i32, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let a = -n + -3;
        let b = a.abs() as usize;
        k(x.slice(s![0..b]), y.slice(s![0..b]));
    }
    //= entry f(n: i32, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     let a: i32 = (-n) + (-3);
    //=     let b: usize = a.abs() as usize;
    //=     call k(x.slice(s![0..b]), y.slice(s![0..b]));
    //= }
}

mod a_cast_names_its_type {
    #[pl::jit]
    fn f(n: u64, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let a = n as usize;
        let b: i64 = -1;
        let c = b as f32 * 0.5;
        k(x.slice(s![0..a]), y.slice(s![0..a]));
    }
    //= entry f(n: u64, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     let a: usize = n as usize;
    //=     let b: i64 = -1;
    //=     let c: f32 = (b as f32) * 0.5;
    //=     call k(x.slice(s![0..a]), y.slice(s![0..a]));
    //= }
}

mod c168_an_element_is_read_as_a_scalar {
    #[pl::jit]
    fn f(lengths: Tensor<i32, 4>, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let n = lengths.get([2]) as usize;
        k(x.slice(s![0..n]), y.slice(s![0..n]));
    }
    //= entry f(lengths: in Tensor<i32, [4]>, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     let n: usize = lengths.get([2]) as usize;
    //=     call k(x.slice(s![0..n]), y.slice(s![0..n]));
    //= }
}

mod c169_an_element_is_written {
    #[pl::jit]
    fn f(y: Out<Tensor<f32, 8, 8>>) {
        y.set([0, 1], 1.5);
    }
    //= entry f(y: out Tensor<f32, [8, 8]>) auto_scope = true {
    //=     y.set([0, 1], 1.5);
    //= }
}

mod c182_a_loop_bound_may_be_read_from_a_tensor {
    #[pl::jit]
    fn f(lengths: Tensor<i32, 4>, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for i in 0..lengths.get([0]) as usize {
            let end = (i * 16 + 16).min(64);
            k(x.slice(s![i * 16..end]), y.slice(s![i * 16..end]));
        }
    }
    //= entry f(lengths: in Tensor<i32, [4]>, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     for i in 0..lengths.get([0]) as usize {
    //=         let end: usize = ((i * 16) + 16).min(64);
    //=         call k(x.slice(s![i * 16..end]), y.slice(s![i * 16..end]));
    //=     }
    //= }
}

mod c183_an_index_drops_its_dimension {
    #[pl::jit]
    fn f(x: Tensor<f32, 4, 8>, y: Out<Tensor<f32, 8>>) {
        k(x.slice(s![1, ..]), y);
        k(x.slice(s![3, 4..]), y.slice(s![..4]));
    }
    //= entry f(x: in Tensor<f32, [4, 8]>, y: out Tensor<f32, [8]>) auto_scope = true {
    //=     call k(x.slice(s![1, ..]), y);
    //=     call k(x.slice(s![3, 4..]), y.slice(s![..4]));
    //= }
}

mod c184_views_are_methods {
    #[pl::jit]
    fn f(x: Tensor<f32, 4, 8>, y: Out<Tensor<f32, 32>>) {
        let turned = x.transpose(0, 1).slice(s![0..4, ..]);
        let flat = x.reshape([32]);
        k(flat, y.reshape([x.dim(0) * x.dim(1)]));
    }
    //= entry f(x: in Tensor<f32, [4, 8]>, y: out Tensor<f32, [32]>) auto_scope = true {
    //=     let turned: Tensor<f32> = x.transpose(0, 1).slice(s![0..4, ..]);
    //=     let flat: Tensor<f32> = x.reshape([32]);
    //=     call k(flat, y.reshape([x.dim(0) * x.dim(1)]));
    //= }
}

mod c181_scalars_chosen_by_a_branch {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let (a, b) = if on { (0, 16) } else { (16, 64) };
        k(x.slice(s![a..b]), y.slice(s![a..b]));
    }
    //= entry f(on: bool, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     let (a, b): ({integer}, {integer}) = if on {
    //=         (0, 16)
    //=     } else {
    //=         (16, 64)
    //=     };
    //=     call k(x.slice(s![a..b]), y.slice(s![a..b]));
    //= }
}

mod c193_a_carried_scalar_starts_with_a_number {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut at = 0;
        for i in 0..N {
            k(x.slice(s![at..at + i]), y.slice(s![at..at + i]));
            at += i;
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     let mut at: {integer} = 0;
    //=     for i in 0..N {
    //=         call k(x.slice(s![at..at + i]), y.slice(s![at..at + i]));
    //=         at += i;
    //=     }
    //= }
}

mod c083_a_name_may_be_bound_again {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let n = 4;
        let n = n * 2;
        let x = x.slice(s![0..n]);
        k(x, y.slice(s![0..n]));
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     let n: {integer} = 4;
    //=     let n#2: {integer} = n * 2;
    //=     let x#2: Tensor<f32> = x.slice(s![0..n#2]);
    //=     call k(x#2, y.slice(s![0..n#2]));
    //= }
}

mod c084_a_name_bound_in_a_branch_ends_with_it {
    #[pl::jit]
    fn f(on: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let n = 4;
        if on {
            let n = 8;
            k(x.slice(s![0..n]), y.slice(s![0..n]));
        }
        k(x.slice(s![0..n]), y.slice(s![0..n]));
    }
    //= entry f(on: bool, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     let n: {integer} = 4;
    //=     if on {
    //=         let n#2: {integer} = 8;
    //=         call k(x.slice(s![0..n#2]), y.slice(s![0..n#2]));
    //=     };
    //=     call k(x.slice(s![0..n]), y.slice(s![0..n]));
    //= }
}

mod c085_sibling_loops_may_use_one_name {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        for i in 0..4 {
            k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
        }
        for i in parallel(0..4) {
            k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
        }
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     for i in 0..4 {
    //=         call k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
    //=     }
    //=     for i in parallel(0..4) {
    //=         call k(x.slice(s![i..i + 1]), y.slice(s![i..i + 1]));
    //=     }
    //= }
}

mod c073_a_callee_is_named_by_its_path {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        super::k(x, y);
        super::super::language::generic::<f32, { N * 8 }>(x, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     call super::k(x, y);
    //=     call super::super::language::generic::<f32, { N * 8 }>(x, y);
    //= }
}

mod constants_are_captured_by_their_paths {
    #[pl::jit::incore]
    fn f<const W: usize>(x: Tensor<f32, W>, y: Out<Tensor<f32, W>>) {
        store(y, load(x) * super::SCALE + f32::EPSILON + (W as f32));
    }
    //= incore f<const W>(x: in Tensor<f32, [W]>, y: out Tensor<f32, [W]>) {
    //=     store(y, ((load(x) * super::SCALE) + f32::EPSILON) + (W as f32));
    //= }
}

mod c174_manual_dep_stands_behind_a_create {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]).manual_dep().init(0.0);
        k(x, t);
        k(t, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     let t: Tensor<f32> = create f32 [64] init 0.0 manual_dep;
    //=     call k(x, t);
    //=     call k(t, y);
    //= }
}

mod c166_a_create_may_have_a_value {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let a = create_tensor::<f32>([64]).init(0.0);
        let b = create_tensor::<i32>([1]).init(-1);
        let c = create_tensor::<f16>([1]).init(f16::ONE);
        k(a, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     let a: Tensor<f32> = create f32 [64] init 0.0;
    //=     let b: Tensor<i32> = create i32 [1] init (-1);
    //=     let c: Tensor<f16> = create f16 [1] init f16::ONE;
    //=     call k(a, y);
    //= }
}

mod an_expression_may_be_an_argument {
    #[pl::jit::incore]
    fn scale(x: Tensor<f32, _>, by: f32, y: Out<Tensor<f32, _>>) {
        store(y, load(x) * by);
    }

    #[pl::jit]
    fn f(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        scale(x, 1.0 / (n as f32 + 1e-8), y);
    }
    //= incore scale(x: in Tensor<f32, [_]>, by: f32, y: out Tensor<f32, [_]>) {
    //=     store(y, load(x) * by);
    //= }
    //= entry f(n: usize, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     call scale(x, 1.0 / ((n as f32) + 1e-8), y);
    //= }
}

mod tiles_have_operators {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
        let a = load(x);
        let b = -a + 2.0 * a - a / (1.0 - a);
        store(y, b);
    }
    //= incore f(x: in Tensor<f32, [4]>, y: out Tensor<f32, [4]>) {
    //=     let a: Tile<f32> = load(x);
    //=     let b: Tile<f32> = ((-a) + (2.0 * a)) - (a / (1.0 - a));
    //=     store(y, b);
    //= }
}

mod tiles_have_operations {
    #[pl::jit::incore]
    fn f(x: Tensor<f32, 8, 8>, y: Out<Tensor<f32, 8, 8>>) {
        let a = load(x);
        let m = full([8, 1], f32::NEG_INFINITY);
        copy_to(m, maximum(m, row_max(a)));
        let p = exp(a - m) / row_sum(exp(a - m));
        store(y, dot(p, transpose(p)));
    }
    //= incore f(x: in Tensor<f32, [8, 8]>, y: out Tensor<f32, [8, 8]>) {
    //=     let a: Tile<f32> = load(x);
    //=     let m: Tile<f32> = full([8, 1], f32::NEG_INFINITY);
    //=     copy_to(m, maximum(m, row_max(a)));
    //=     let p: Tile<f32> = exp(a - m) / row_sum(exp(a - m));
    //=     store(y, dot(p, transpose(p)));
    //= }
}

mod an_element_type_follows_from_use {
    #[pl::jit::incore]
    fn f(x: Tensor<f16, 4>, y: Out<Tensor<f16, 4>>) {
        let a = zeros([4]);
        let b = cast::<f32>(load(x));
        copy_to(a, cast(exp(b)));
        store(y, a);
    }
    //= incore f(x: in Tensor<f16, [4]>, y: out Tensor<f16, [4]>) {
    //=     let a: Tile<f16> = zeros([4]);
    //=     let b: Tile<f32> = cast(load(x));
    //=     copy_to(a, cast(exp(b)));
    //=     store(y, a);
    //= }
}

mod elements_of_tiles_are_scalars {
    #[pl::jit::incore]
    fn f(x: Tensor<i32, 4>, y: Out<Tensor<i32, 4>>) {
        let t = load(x);
        let n = t.get([0]);
        t.set([1], n + 1);
        store(y, t);
    }
    //= incore f(x: in Tensor<i32, [4]>, y: out Tensor<i32, [4]>) {
    //=     let t: Tile<i32> = load(x);
    //=     let n: {scalar} = t.get([0]);
    //=     t.set([1], n + 1);
    //=     store(y, t);
    //= }
}

mod in_core_code_has_loops_and_branches {
    #[pl::jit::incore]
    fn f(n: usize, x: Tensor<f32, _>, y: Out<Tensor<f32, 16>>) {
        let sum = zeros([16]);
        for j in (0..x.dim(0)).step_by(16) {
            if j == n {
                continue;
            }
            copy_to(sum, sum + load(x.slice(s![j..j + 16])));
        }
        for _ in unroll(0..2) {
            copy_to(sum, sum * 0.5);
        }
        store(y, sum);
    }
    //= incore f(n: usize, x: in Tensor<f32, [_]>, y: out Tensor<f32, [16]>) {
    //=     let sum: Tile<f32> = zeros([16]);
    //=     for j in (0..x.dim(0)).step_by(16) {
    //=         if j == n {
    //=             continue;
    //=         };
    //=         copy_to(sum, sum + load(x.slice(s![j..j + 16])));
    //=     }
    //=     for _ in unroll(0..2) {
    //=         copy_to(sum, sum * 0.5);
    //=     }
    //=     store(y, sum);
    //= }
}

mod an_attribute_of_rustc_may_stand_on_a_statement {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        #[allow(unused_variables)]
        let n = 4;
        k(x, y);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     let n: {integer} = 4;
    //=     call k(x, y);
    //= }
}

mod a_semicolon_alone_is_nothing {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        k(x, y);;
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     call k(x, y);
    //= }
}

mod a_tail_without_semicolon {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        k(x, y)
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     call k(x, y)
    //= }
}
