//! Shown: Device
//! A write after readers: the device does not look for them, so they are declared, or reported.

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
    //= case.rs:108: `k` writes `z`, and the device does not make it wait for all of the tasks before that use it
    //= note: `k` reads `z` (case.rs:106)
    //= help: give the loop around the earlier tasks constant bounds, or collect their ids in `TaskIds` and name them in `deps = [..]` of the later task
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
    //= case.rs:156: `set` writes `x`, and the device does not make it wait for `k`
    //= note: `k` reads `x` (case.rs:153)
    //= help: before it, `get` an element of what the earlier task writes, or let a kernel write the value
    //= case.rs:157: `set` writes `x`, and the device does not make it wait for `k`
    //= note: `k` reads `x` (case.rs:153)
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
