//! Shown: Device
//! What the device's dependency rules leave open is declared, or reported.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn k2(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn bump(y: InOut<Tensor<f32, _>>, n: i64) {
    store(y, load(y) + n);
}

#[pl::jit::incore]
fn combine(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + load(x));
}

#[pl::jit::incore]
fn sum(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
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

mod a_buffer_of_all_turns_waits_for_its_last_reader {
    #[pl::jit]
    fn a_buffer_of_all_turns_waits_for_its_last_reader(n: usize, x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        for _ in 0..n {
            k(x, t);
            combine(t, y);
        }
    }
    //= entry a_buffer_of_all_turns_waits_for_its_last_reader(n: usize, x: in Tensor<f32, [64]>, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         let mut combine_id: TaskId = TaskId::NONE;
    //=         for _ in 0..n {
    //=             scope AUTO implicit {
    //=                 submit k(in x, inout t) deps [combine_id];
    //=                 combine_id = submit combine(in t, inout y);
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

mod c149_c150_readers_in_branches {
    #[pl::jit]
    fn c149_c150_readers_in_branches(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>, z: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        k(x, t);
        if n > 1 {
            k(t, y);
        } else {
            k(t, z);
        }
        k(x, t);
    }
    //= entry c149_c150_readers_in_branches(n: usize, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>, z: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         submit k(in x, out t);
    //=         let mut k_id: TaskId = TaskId::NONE;
    //=         let mut k_id#2: TaskId = TaskId::NONE;
    //=         if n > 1 {
    //=             scope AUTO implicit {
    //=                 k_id = submit k(in t, out y);
    //=             };
    //=         } else {
    //=             scope AUTO implicit {
    //=                 k_id#2 = submit k(in t, out z);
    //=             };
    //=         };
    //=         submit k(in x, inout t) deps [k_id, k_id#2];
    //=     };
    //= }
}

mod c151_readers_of_a_fixed_loop {
    #[pl::jit]
    fn c151_readers_of_a_fixed_loop(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>, z: InOut<Tensor<f32, 64>>) {
        for i in (0..64).step_by(16) {
            k(z, y.slice(s![i..i + 16]));
        }
        k(x, z);
    }
    //= entry c151_readers_of_a_fixed_loop(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>, z: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut k_ids: TaskIds = TaskIds::<4>::new();
    //=         for i in (0..64).step_by(16) {
    //=             scope AUTO implicit {
    //=                 k_ids[i / 16] = submit k(in z, inout y.slice(s![i..i + 16]));
    //=             };
    //=         }
    //=         submit k(in x, inout z) deps [k_ids];
    //=     };
    //= }
}

mod c152_readers_of_a_loop_of_any_length {
    #[pl::jit]
    fn c152_readers_of_a_loop_of_any_length(
        n: usize,
        x: Tensor<f32, 64>,
        y: Out<Tensor<f32, 64>>,
        z: InOut<Tensor<f32, 64>>,
    ) {
        for i in 0..n {
            k(z, y.slice(s![i..i + 1]));
        }
        k(x, z);
    }
    //= entry c152_readers_of_a_loop_of_any_length(n: usize, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>, z: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for i in 0..n {
    //=             scope AUTO implicit {
    //=                 submit k(in z, inout y.slice(s![i..i + 1]));
    //=             };
    //=         }
    //=         submit k(in x, inout z);
    //=     };
    //= }
    //= case.rs:299: `k` writes `z`, and the device does not make it wait for all of the tasks before that use it
    //= note: `k` reads `z` (case.rs:297)
    //= help: give the loop around the earlier tasks constant bounds, or collect their ids in `TaskIds` and name them in `deps = [..]` of the later task
}

mod e9_what_follows_a_manual_scope_waits_for_it {
    #[pl::jit]
    fn e9_what_follows_a_manual_scope_waits_for_it(x: Tensor<f32, 256>, mode: i64, y: InOut<Tensor<f32, 256>>) {
        let acc = create_tensor::<f32>([256]).init(0.0);
        manual_scope!({
            let left = submit!(k(x, acc));
            let right = submit!(k(x, y));
            let _done = submit!(combine(acc, y), deps = [left, right]);
        });
        if mode == 0 {
            bump(y, 1);
        } else {
            bump(y, 2);
        }
    }
    //= entry e9_what_follows_a_manual_scope_waits_for_it(x: in Tensor<f32, [256]>, mode: i64, y: inout Tensor<f32, [256]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [256] init 0.0]);
    //=         let acc: Tensor<f32> = alloc 0.get_ref(0);
    //=         let mut combine_id: TaskId = TaskId::NONE;
    //=         scope MANUAL {
    //=             let left: TaskId = submit k(in x, out acc);
    //=             let right: TaskId = submit k(in x, inout y);
    //=             let _done: TaskId = submit combine(in acc, inout y) deps [left, right];
    //=             combine_id = _done;
    //=         };
    //=         if mode == 0 {
    //=             scope AUTO implicit {
    //=                 submit bump(inout y, 1) deps [combine_id];
    //=             };
    //=         } else {
    //=             scope AUTO implicit {
    //=                 submit bump(inout y, 2) deps [combine_id];
    //=             };
    //=         };
    //=     };
    //= }
}

mod what_a_manual_scope_uses_is_kept {
    #[pl::jit(auto_scope = false)]
    fn what_a_manual_scope_uses_is_kept(n: usize, x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
        for _ in 0..n {
            scope!({
                let t = create_tensor::<f32>([64]);
                manual_scope!({
                    let first = submit!(k(x, t));
                    submit!(combine(t, y), deps = [first]);
                });
            });
        }
    }
    //= entry what_a_manual_scope_uses_is_kept(n: usize, x: in Tensor<f32, [64]>, y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     let mut combine_id: TaskId = TaskId::NONE;
    //=     for _ in 0..n {
    //=         scope AUTO {
    //=             alloc 0 = alloc_tensors([create f32 [64]]);
    //=             let t: Tensor<f32> = alloc 0.get_ref(0);
    //=             scope MANUAL {
    //=                 let first: TaskId = submit k(in x, inout t) deps [alloc 0.task_id()];
    //=                 combine_id = submit combine(in t, inout y) deps [first, alloc 0.task_id(), combine_id];
    //=             };
    //=         };
    //=     }
    //= }
}

mod predicates_wait_for_their_operand {
    #[pl::jit]
    fn predicates_wait_for_their_operand(x: Tensor<f32, 64>, on: InOut<Tensor<i32, 1>>, y: Out<Tensor<f32, 64>>) {
        at!("decide", {
            store(on, load(on) + 1);
        });
        submit!(k(x, y), predicate = on.get([0]) > 0);
        at!("again", {
            store(on, load(on) + 1);
        });
    }
    //= entry predicates_wait_for_their_operand(x: in Tensor<f32, [64]>, on: inout Tensor<i32, [1]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let decide_id: TaskId = at "decide"(inout on) {
    //=             store(on, load(on) + 1);
    //=         };
    //=         let k_id: TaskId = submit k(in x, out y) deps [decide_id] predicate on.get([0]) > 0;
    //=         at "again"(inout on) deps [k_id] {
    //=             store(on, load(on) + 1);
    //=         };
    //=     };
    //= }
}

mod a_set_cannot_wait_for_readers_of_an_argument {
    #[pl::jit]
    fn a_set_cannot_wait_for_readers_of_an_argument(x: InOut<Tensor<f32, 64>>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]).init(0.0);
        k(x, y);
        k(t, y);
        t.set([0], 1.0);
        x.set([0], 1.0);
        x.set([1], 1.0);
    }
    //= entry a_set_cannot_wait_for_readers_of_an_argument(x: inout Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64] init 0.0]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         submit k(in x, out y);
    //=         submit k(in t, inout y);
    //=         t.set([0], 1.0);
    //=         x.set([0], 1.0);
    //=         x.set([1], 1.0);
    //=     };
    //= }
    //= case.rs:414: `set` writes `x`, and the device does not make it wait for `k`
    //= note: `k` reads `x` (case.rs:411)
    //= help: before it, `get` an element of what the earlier task writes, or let a kernel write the value
    //= case.rs:415: `set` writes `x`, and the device does not make it wait for `k`
    //= note: `k` reads `x` (case.rs:411)
    //= help: before it, `get` an element of what the earlier task writes, or let a kernel write the value
}

mod a_get_waits_for_what_wrote_and_for_what_that_waited_for {
    #[pl::jit]
    fn a_get_waits_for_what_wrote_and_for_what_that_waited_for(
        x: InOut<Tensor<f32, 64>>,
        y: Out<Tensor<f32, 64>>,
    ) {
        k(x, y);
        let v = y.get([0]);
        x.set([0], v);
    }
    //= entry a_get_waits_for_what_wrote_and_for_what_that_waited_for(x: inout Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit k(in x, out y);
    //=         let v: f32 = y.get([0]);
    //=         x.set([0], v);
    //=     };
    //= }
}

mod hosts_do_not_see_manual_scopes {
    #[pl::jit]
    fn hosts_do_not_see_manual_scopes(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>, z: Out<Tensor<f32, 64>>) {
        manual_scope!({
            submit!(k(x, y));
        });
        let v = y.get([0]);
        z.set([0], v);
    }
    //= entry hosts_do_not_see_manual_scopes(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>, z: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         scope MANUAL {
    //=             submit k(in x, out y);
    //=         };
    //=         let v: f32 = y.get([0]);
    //=         z.set([0], v);
    //=     };
    //= }
    //= case.rs:461: `get` reads `y`, and the device does not make it wait for `k`
    //= note: `k` writes `y` (case.rs:459)
    //= help: submit the earlier task in an AUTO scope, or let a kernel do this
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

mod readers_of_nested_loops {
    #[pl::jit]
    fn readers_of_nested_loops(n: usize, x: Tensor<f32, 8, 8>, y: Out<Tensor<f32, 8, 8>>, z: InOut<Tensor<f32, 8, 8>>) {
        for _ in 0..n {
            for i in (0..8).step_by(4) {
                for _ in 0..2 {
                    k2(z.slice(s![i..i + 4, ..]), y.slice(s![i..i + 4, ..]));
                }
            }
            k2(x, z);
        }
    }
    //= entry readers_of_nested_loops(n: usize, x: in Tensor<f32, [8, 8]>, y: out Tensor<f32, [8, 8]>, z: inout Tensor<f32, [8, 8]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         for _ in 0..n {
    //=             scope AUTO implicit {
    //=                 let mut k2_ids: TaskIds = TaskIds::<4>::new();
    //=                 for i in (0..8).step_by(4) {
    //=                     scope AUTO implicit {
    //=                         for turn in 0..2 {
    //=                             scope AUTO implicit {
    //=                                 k2_ids[((i / 4) * 2) + turn] = submit k2(in z.slice(s![i..i + 4, ..]), inout y.slice(s![i..i + 4, ..]));
    //=                             };
    //=                         }
    //=                     };
    //=                 }
    //=                 submit k2(in x, inout z) deps [k2_ids];
    //=             };
    //=         }
    //=     };
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

mod a_reader_of_two_turns {
    #[pl::jit]
    fn a_reader_of_two_turns(n: usize, x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>, z: Out<Tensor<f32, _>>) {
        for i in 0..n {
            k(y.slice(s![i * 4..i * 4 + 12]), z.slice(s![i * 12..i * 12 + 12]));
            k(x, y.slice(s![i * 4..i * 4 + 4]));
        }
    }
    //= entry a_reader_of_two_turns(n: usize, x: in Tensor<f32, [_]>, y: inout Tensor<f32, [_]>, z: out Tensor<f32, [_]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let mut k_id: TaskId = TaskId::NONE;
    //=         let mut k_before: TaskId = TaskId::NONE;
    //=         let mut k_before#2: TaskId = TaskId::NONE;
    //=         for i in 0..n {
    //=             scope AUTO implicit {
    //=                 let id: TaskId = submit k(in y.slice(s![i * 4..(i * 4) + 12]), inout z.slice(s![i * 12..(i * 12) + 12]));
    //=                 k_before = k_before#2;
    //=                 k_before#2 = k_id;
    //=                 k_id = id;
    //=                 submit k(in x, inout y.slice(s![i * 4..(i * 4) + 4])) deps [k_id, k_before#2, k_before];
    //=             };
    //=         }
    //=     };
    //= }
}

mod three_buffers_in_turn {
    #[pl::jit]
    fn three_buffers_in_turn(n: usize, x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
        let mut a = create_tensor::<f32>([64]);
        let mut b = create_tensor::<f32>([64]);
        let mut c = create_tensor::<f32>([64]);
        for _ in 0..n {
            k(x, a);
            combine(a, y);
            (a, b, c) = (b, c, a);
        }
    }
    //= entry three_buffers_in_turn(n: usize, x: in Tensor<f32, [64]>, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64], create f32 [64], create f32 [64]]);
    //=         let mut a: Tensor<f32> = alloc 0.get_ref(0);
    //=         let mut b: Tensor<f32> = alloc 0.get_ref(1);
    //=         let mut c: Tensor<f32> = alloc 0.get_ref(2);
    //=         let mut combine_id: TaskId = TaskId::NONE;
    //=         let mut combine_before: TaskId = TaskId::NONE;
    //=         let mut combine_before#2: TaskId = TaskId::NONE;
    //=         for _ in 0..n {
    //=             scope AUTO implicit {
    //=                 submit k(in x, inout a) deps [combine_before];
    //=                 let id: TaskId = submit combine(in a, inout y);
    //=                 combine_before = combine_before#2;
    //=                 combine_before#2 = combine_id;
    //=                 combine_id = id;
    //=                 (a, b, c) = (b, c, a);
    //=             };
    //=         }
    //=     };
    //= }
}

mod a_buffer_of_one_branch_may_be_either {
    #[pl::jit]
    fn a_buffer_of_one_branch_may_be_either(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let a = create_tensor::<f32>([64]).init(0.0);
        let b = create_tensor::<f32>([64]).init(0.0);
        let c = if n > 1 { a } else { b };
        k(c, y);
        k(x, a);
        k(x, b);
    }
    //= entry a_buffer_of_one_branch_may_be_either(n: usize, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64] init 0.0, create f32 [64] init 0.0]);
    //=         let a: Tensor<f32> = alloc 0.get_ref(0);
    //=         let b: Tensor<f32> = alloc 0.get_ref(1);
    //=         let c: Tensor<f32> = if n > 1 {
    //=             a
    //=         } else {
    //=             b
    //=         };
    //=         let k_id: TaskId = submit k(in c, out y);
    //=         submit k(in x, out a) deps [k_id];
    //=         submit k(in x, out b) deps [k_id];
    //=     };
    //= }
}

mod leaving_a_loop_early {
    #[pl::jit]
    fn leaving_a_loop_early(n: usize, x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        let mut i = 0;
        while i < n {
            k(x, t);
            if i == 7 {
                combine(t, y);
                break;
            }
            if i == 3 {
                i += 2;
                continue;
            }
            combine(t, y);
            i += 1;
        }
        k(x, t);
    }
    //= entry leaving_a_loop_early(n: usize, x: in Tensor<f32, [64]>, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         let mut i: {integer} = 0;
    //=         let mut combine_id: TaskId = TaskId::NONE;
    //=         let mut combine_id#2: TaskId = TaskId::NONE;
    //=         while i < n {
    //=             scope AUTO implicit {
    //=                 submit k(in x, inout t) deps [combine_id#2];
    //=                 if i == 7 {
    //=                     scope AUTO implicit {
    //=                         combine_id = submit combine(in t, inout y);
    //=                         break;
    //=                     };
    //=                 };
    //=                 if i == 3 {
    //=                     i += 2;
    //=                     continue;
    //=                 };
    //=                 combine_id#2 = submit combine(in t, inout y);
    //=                 i += 1;
    //=             };
    //=         }
    //=         submit k(in x, inout t) deps [combine_id, combine_id#2];
    //=     };
    //= }
}

mod two_manual_scopes {
    #[pl::jit]
    fn two_manual_scopes(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>, z: Out<Tensor<f32, 64>>) {
        k(x, z);
        manual_scope!({
            submit!(k(z, y));
        });
        manual_scope!({
            let first = submit!(k(y, z));
            submit!(k(x, y), deps = [first]);
        });
        k(z, y);
    }
    //= entry two_manual_scopes(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>, z: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let k_id: TaskId = submit k(in x, out z);
    //=         let mut k_id#2: TaskId = TaskId::NONE;
    //=         scope MANUAL {
    //=             k_id#2 = submit k(in z, out y) deps [k_id];
    //=         };
    //=         let mut k_id#3: TaskId = TaskId::NONE;
    //=         let mut k_id#4: TaskId = TaskId::NONE;
    //=         scope MANUAL {
    //=             let first: TaskId = submit k(in y, inout z) deps [k_id#2];
    //=             k_id#3 = first;
    //=             k_id#4 = submit k(in x, inout y) deps [first];
    //=         };
    //=         submit k(in z, inout y) deps [k_id#3, k_id#4];
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

mod helpers_are_part_of_their_callers {
    #[pl::jit::inline]
    fn step(x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) -> Tensor<f32, 64> {
        let t = create_tensor::<f32>([64]);
        k(x, t);
        combine(t, y);
        t
    }

    #[pl::jit(auto_scope = false)]
    fn helpers_are_part_of_their_callers(n: usize, x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
        for _ in 0..n {
            scope!({
                let t = step(x, y);
                k(x, t);
                manual_scope!({
                    submit!(combine(t, y));
                });
            });
        }
    }
    //= entry helpers_are_part_of_their_callers(n: usize, x: in Tensor<f32, [64]>, y: inout Tensor<f32, [64]>) auto_scope = false {
    //=     let mut combine_id: TaskId = TaskId::NONE;
    //=     for _ in 0..n {
    //=         scope AUTO {
    //=             let mut alloc_tensors_id: TaskId = TaskId::NONE;
    //=             let mut combine_id#2: TaskId = TaskId::NONE;
    //=             let t: Tensor<f32> = {
    //=                 let x#2: Tensor<f32> = x;
    //=                 let y#2: Tensor<f32> = y;
    //=                 alloc 0 = alloc_tensors([create f32 [64]]);
    //=                 alloc_tensors_id = alloc 0.task_id();
    //=                 let t: Tensor<f32> = alloc 0.get_ref(0);
    //=                 submit k(in x#2, inout t);
    //=                 combine_id#2 = submit combine(in t, inout y#2) deps [combine_id];
    //=                 t
    //=             };
    //=             let k_id: TaskId = submit k(in x, inout t) deps [combine_id#2];
    //=             scope MANUAL {
    //=                 combine_id = submit combine(in t, inout y) deps [alloc_tensors_id, k_id];
    //=             };
    //=         };
    //=     }
    //= }
}

mod regions_wait_as_calls_do {
    #[pl::jit]
    fn regions_wait_as_calls_do(n: usize, x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        for _ in 0..n {
            at!("fill", {
                store(t, load(x));
            });
            at!("drain", {
                store(y, load(t) + load(y));
            });
        }
    }
    //= entry regions_wait_as_calls_do(n: usize, x: in Tensor<f32, [64]>, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         let mut drain_id: TaskId = TaskId::NONE;
    //=         for _ in 0..n {
    //=             scope AUTO implicit {
    //=                 at "fill"(inout t, in x) deps [drain_id] {
    //=                     store(t, load(x));
    //=                 };
    //=                 drain_id = at "drain"(inout y, in t) {
    //=                     store(y, load(t) + load(y));
    //=                 };
    //=             };
    //=         }
    //=     };
    //= }
}

mod returned_tensors_and_their_ids {
    #[pl::jit::incore(dims(M))]
    fn made(x: Tensor<f32, M>) -> Tensor<f32, M> {
        load(x) * 2.0
    }

    #[pl::jit]
    fn returned_tensors_and_their_ids(x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
        let a = made(y);
        let b = made(made(y));
        k(x, y);
        combine(a, y);
        combine(b, y);
    }
    //= entry returned_tensors_and_their_ids(x: in Tensor<f32, [64]>, y: inout Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         let (a, made_id): (Tensor<f32>, TaskId) = submit made(in y) -> (create f32 [y.dim(0)]);
    //=         let mut made_id#2: TaskId = TaskId::NONE;
    //=         let b: Tensor<f32> = {
    //=             let (x#2, id): (Tensor<f32>, TaskId) = submit made(in y) -> (create f32 [y.dim(0)]);
    //=             made_id#2 = id;
    //=             submit made(in x#2) -> (create f32 [x#2.dim(0)])
    //=         };
    //=         submit k(in x, inout y) deps [made_id, made_id#2];
    //=         submit combine(in a, inout y);
    //=         submit combine(in b, inout y);
    //=     };
    //= }
}
