//! Shown: Device
//! Writes, and loops that write: what the device finds by itself, and what is declared for it.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn k2(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn combine(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + load(x));
}

mod what_the_device_finds_needs_nothing {
    #[pl::jit]
    fn what_the_device_finds_needs_nothing(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        k(x, t);
        k(t, y);
    }
    //= entry what_the_device_finds_needs_nothing(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         submit k(in x, out t);
    //=         submit k(in t, out y);
    //=     };
    //= }
}

mod a_second_write_finds_the_first {
    #[pl::jit]
    fn a_second_write_finds_the_first(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        k(x, y);
        k(x, y);
    }
    //= entry a_second_write_finds_the_first(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit k(in x, out y);
    //=         submit k(in x, inout y);
    //=     };
    //= }
}

mod c147_a_write_waits_for_an_earlier_read {
    #[pl::jit]
    fn c147_a_write_waits_for_an_earlier_read(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>, z: Out<Tensor<f32, 64>>) {
        k(x, z);
        k(z, y);
        k(x, z);
    }
    //= entry c147_a_write_waits_for_an_earlier_read(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>, z: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit k(in x, out z);
    //=         let k_id: TaskId = submit k(in z, out y);
    //=         submit k(in x, inout z) deps [k_id];
    //=     };
    //= }
}

mod c113_c114_c118_c119_writes_by_the_place_of_their_calls {
    #[pl::jit]
    fn c113_c114_c118_c119_writes_by_the_place_of_their_calls(
        n: usize,
        x: Tensor<f32, 64>,
        y: Out<Tensor<f32, 64>>,
        z: InOut<Tensor<f32, 64>>,
    ) {
        let t = create_tensor::<f32>([64]);
        if n > 1 {
            k(x, t);
        } else {
            k(x, t);
        }
        k(x, z);
        if n > 2 {
            k(x, t);
        }
        k(t, y);
    }
    //= entry c113_c114_c118_c119_writes_by_the_place_of_their_calls(n: usize, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>, z: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         if n > 1 {
    //=             scope AUTO implicit {
    //=                 submit k(in x, out t);
    //=             };
    //=         } else {
    //=             scope AUTO implicit {
    //=                 submit k(in x, out t);
    //=             };
    //=         };
    //=         submit k(in x, inout z);
    //=         if n > 2 {
    //=             scope AUTO implicit {
    //=                 submit k(in x, inout t);
    //=             };
    //=         };
    //=         submit k(in t, out y);
    //=     };
    //= }
}

mod c115_c116_c117_writes_in_loops {
    #[pl::jit]
    fn c115_c116_c117_writes_in_loops(
        n: usize,
        x: Tensor<f32, 64>,
        y: Out<Tensor<f32, 64>>,
        z: Out<Tensor<f32, 64>>,
    ) {
        for i in parallel(0..4) {
            k(x.slice(s![i * 16..(i + 1) * 16]), y.slice(s![i * 16..(i + 1) * 16]));
        }
        for i in parallel(0..4) {
            k(x.slice(s![i * 16..(i + 1) * 16]), y.slice(s![i * 16..(i + 1) * 16]));
        }
        for i in 0..4 {
            k(x.slice(s![i * 16..(i + 1) * 16]), z.slice(s![i * 16..(i + 1) * 16]));
        }
    }
    //= entry c115_c116_c117_writes_in_loops(n: usize, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>, z: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for i in parallel(0..4) {
    //=             scope AUTO implicit {
    //=                 submit k(in x.slice(s![i * 16..(i + 1) * 16]), out y.slice(s![i * 16..(i + 1) * 16]));
    //=             };
    //=         }
    //=         for i in parallel(0..4) {
    //=             scope AUTO implicit {
    //=                 submit k(in x.slice(s![i * 16..(i + 1) * 16]), inout y.slice(s![i * 16..(i + 1) * 16]));
    //=             };
    //=         }
    //=         for i in 0..4 {
    //=             scope AUTO implicit {
    //=                 submit k(in x.slice(s![i * 16..(i + 1) * 16]), inout z.slice(s![i * 16..(i + 1) * 16]));
    //=             };
    //=         }
    //=     };
    //= }
}

mod turns_of_a_swap_find_each_other {
    #[pl::jit]
    fn turns_of_a_swap_find_each_other(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let mut cur = create_tensor::<f32>([64]);
        let mut next = create_tensor::<f32>([64]);
        k(x, cur);
        for _ in 0..n {
            k(cur, next);
            (cur, next) = (next, cur);
        }
        k(cur, y);
    }
    //= entry turns_of_a_swap_find_each_other(n: usize, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64], create f32 [64]]);
    //=         let mut cur: Tensor<f32> = alloc 0.get_ref(0);
    //=         let mut next: Tensor<f32> = alloc 0.get_ref(1);
    //=         submit k(in x, out cur);
    //=         for _ in 0..n {
    //=             scope AUTO implicit {
    //=                 submit k(in cur, inout next);
    //=                 (cur, next) = (next, cur);
    //=             };
    //=         }
    //=         submit k(in cur, out y);
    //=     };
    //= }
}

mod disjoint_windows_need_nothing {
    #[pl::jit(dims(M))]
    fn disjoint_windows_need_nothing(x: Tensor<f32, M>, y: InOut<Tensor<f32, M>>, z: Out<Tensor<f32, M>>) {
        for i in (0..M).step_by(16) {
            let e = (i + 16).min(M);
            k(y.slice(s![i..e]), z.slice(s![i..e]));
            k(x.slice(s![i..e]), y.slice(s![i..e]));
        }
    }
    //= entry disjoint_windows_need_nothing(x: in Tensor<f32, [M]>, y: inout Tensor<f32, [M]>, z: out Tensor<f32, [M]>) dims(M) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for i in (0..M).step_by(16) {
    //=             scope AUTO implicit {
    //=                 let e: usize = (i + 16).min(M);
    //=                 let k_id: TaskId = submit k(in y.slice(s![i..e]), inout z.slice(s![i..e]));
    //=                 submit k(in x.slice(s![i..e]), inout y.slice(s![i..e])) deps [k_id];
    //=             };
    //=         }
    //=     };
    //= }
}

mod declared_dependencies_are_not_repeated {
    #[pl::jit(auto_scope = false)]
    fn declared_dependencies_are_not_repeated(n: usize, x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        let mut prev = TaskId::NONE;
        for _ in 0..n {
            submit!(k(x, t), deps = [prev]);
            prev = submit!(combine(t, y));
        }
        submit!(k(x, t), deps_wait = [prev]);
    }
    //= entry declared_dependencies_are_not_repeated(n: usize, x: in Tensor<f32, [64]>, y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     alloc 0 = alloc_tensors([create f32 [64]]);
    //=     let t: Tensor<f32> = alloc 0.get_ref(0);
    //=     let mut prev: TaskId = TaskId::NONE;
    //=     for _ in 0..n {
    //=         submit k(in x, inout t) deps [prev];
    //=         prev = submit combine(in t, inout y);
    //=     }
    //=     submit k(in x, inout t) deps_wait [prev];
    //= }
}

mod an_array_of_the_user_is_enough {
    #[pl::jit(auto_scope = false)]
    fn an_array_of_the_user_is_enough(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>, z: InOut<Tensor<f32, 64>>) {
        let mut ids = TaskIds::<4>::new();
        for i in 0..4 {
            ids[i] = submit!(k(z, y.slice(s![i * 16..(i + 1) * 16])));
        }
        submit!(k(x, z), deps = [ids]);
    }
    //= entry an_array_of_the_user_is_enough(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>, z: inout Tensor<f32, [64]>) auto_scope = false {
    //=     let mut ids: TaskIds = TaskIds::<4>::new();
    //=     for i in 0..4 {
    //=         ids[i] = submit k(in z, inout y.slice(s![i * 16..(i + 1) * 16]));
    //=     }
    //=     submit k(in x, inout z) deps [ids];
    //= }
}

mod windows_of_outer_loops_are_disjoint {
    #[pl::jit(dims(M, N))]
    fn windows_of_outer_loops_are_disjoint(
        x: Tensor<f32, M, N>,
        y: InOut<Tensor<f32, M, N>>,
        z: Out<Tensor<f32, M, N>>,
    ) {
        for i in parallel(0..M).step_by(8) {
            for j in parallel(0..N).step_by(8) {
                k2(y.slice(s![i..i + 8, j..j + 8]), z.slice(s![i..i + 8, j..j + 8]));
            }
        }
        for i in (0..M).step_by(8) {
            let row = y.slice(s![i..i + 8, ..]);
            for j in (0..N).step_by(8) {
                let part = row.slice(s![.., j..j + 8]);
                k2(part, z.slice(s![i..i + 8, j..j + 8]));
                k2(x.slice(s![i..i + 8, j..j + 8]), part);
            }
        }
    }
    //= entry windows_of_outer_loops_are_disjoint(x: in Tensor<f32, [M, N]>, y: inout Tensor<f32, [M, N]>, z: out Tensor<f32, [M, N]>) dims(M, N) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for i in parallel(0..M).step_by(8) {
    //=             scope AUTO implicit {
    //=                 for j in parallel(0..N).step_by(8) {
    //=                     scope AUTO implicit {
    //=                         submit k2(in y.slice(s![i..i + 8, j..j + 8]), out z.slice(s![i..i + 8, j..j + 8]));
    //=                     };
    //=                 }
    //=             };
    //=         }
    //=         for i in (0..M).step_by(8) {
    //=             scope AUTO implicit {
    //=                 let row: Tensor<f32> = y.slice(s![i..i + 8, ..]);
    //=                 for j in (0..N).step_by(8) {
    //=                     scope AUTO implicit {
    //=                         let part: Tensor<f32> = row.slice(s![.., j..j + 8]);
    //=                         let k2_id: TaskId = submit k2(in part, inout z.slice(s![i..i + 8, j..j + 8]));
    //=                         submit k2(in x.slice(s![i..i + 8, j..j + 8]), inout part) deps [k2_id];
    //=                     };
    //=                 }
    //=             };
    //=         }
    //=     };
    //= }
}

mod manual_dep_is_ordered_too {
    #[pl::jit]
    fn manual_dep_is_ordered_too(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]).manual_dep();
        k(x, t);
        k(t, y);
    }
    //= entry manual_dep_is_ordered_too(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64] manual_dep]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         let k_id: TaskId = submit k(in x, out t);
    //=         submit k(in t, out y) deps [k_id];
    //=     };
    //= }
}

mod parallel_turns_are_the_users_word {
    #[pl::jit]
    fn parallel_turns_are_the_users_word(n: usize, x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
        for i in parallel(0..n) {
            combine(x, y.slice(s![i..2 * i]));
        }
        k(x, y);
    }
    //= entry parallel_turns_are_the_users_word(n: usize, x: in Tensor<f32, [64]>, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for i in parallel(0..n) {
    //=             scope AUTO implicit {
    //=                 submit combine(in x, inout y.slice(s![i..2 * i]));
    //=             };
    //=         }
    //=         submit k(in x, inout y);
    //=     };
    //= }
}
