//! Shown: Device
//! Order across MANUAL scopes, helpers, regions and returned tensors: declared, or reported.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
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
    //= case.rs:92: `get` reads `y`, and the device does not make it wait for `k`
    //= note: `k` writes `y` (case.rs:90)
    //= help: submit the earlier task in an AUTO scope, or let a kernel do this
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
