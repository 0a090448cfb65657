//! Shown: Linked
//! Explicit submission: what is said of a task, and task ids as values.

#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore(dims(N))]
fn rows(x: Tensor<f32, N, _>, y: Out<Tensor<f32, N, _>>) {
    let part = y.partition(0);
    if block_idx() + 1 < block_num() {
        store(part, load(x.partition(0)));
    }
}

#[pl::jit::inline]
fn after(x: Tensor<f32, _>, t: TaskId, y: Out<Tensor<f32, _>>) -> TaskId {
    submit!(k(x, y), deps = [t])
}

mod c028_c133_deps_in_auto_scopes {
    #[pl::jit]
    fn c028_c133_deps_in_auto_scopes(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        let first = submit!(k(x, t));
        let u = create_tensor::<f32>([64]);
        submit!(k(t, u), deps = [first]);
        k(u, y);
    }
    //= entry c028_c133_deps_in_auto_scopes(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         let first: TaskId = submit k(in x, out t);
    //=         alloc 1 = alloc_tensors([create f32 [64]]);
    //=         let u: Tensor<f32> = alloc 1.get_ref(0);
    //=         submit k(in t, out u) deps [first];
    //=         submit k(in u, out y);
    //=     };
    //= }
}

mod c023_c125_c126_deps_in_a_manual_scope {
    #[pl::jit]
    fn c023_c125_c126_deps_in_a_manual_scope(n: usize, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        manual_scope!({
            let first = submit!(k(x, t));
            let mut last = submit!(k(t, y), deps = [first]);
            for _ in 0..n {
                last = submit!(k(t, y), deps = [first, last]);
            }
            let helped = after(t, last, y);
            if last.is_valid() && helped.is_valid() {
                last = after(t, helped, y);
            }
            barrier([last]);
        });
    }
    //= entry c023_c125_c126_deps_in_a_manual_scope(n: usize, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         scope MANUAL {
    //=             let first: TaskId = submit k(in x, out t);
    //=             let mut last: TaskId = submit k(in t, out y) deps [first];
    //=             for _ in 0..n {
    //=                 last = submit k(in t, out y) deps [first, last];
    //=             }
    //=             let helped: TaskId = {
    //=                 let x#2: Tensor<f32> = t;
    //=                 let t#2: TaskId = last;
    //=                 let y#2: Tensor<f32> = y;
    //=                 submit k(in x#2, out y#2) deps [t#2]
    //=             };
    //=             if last.is_valid() && helped.is_valid() {
    //=                 last = {
    //=                     let x#2: Tensor<f32> = t;
    //=                     let t#2: TaskId = helped;
    //=                     let y#2: Tensor<f32> = y;
    //=                     submit k(in x#2, out y#2) deps [t#2]
    //=                 };
    //=             };
    //=             barrier([last]);
    //=         };
    //=     };
    //= }
}

mod c025_c127_c128_arrays_and_barriers {
    #[pl::jit]
    fn c025_c127_c128_arrays_and_barriers(x: Tensor<f32, 4, 64>, y: Out<Tensor<f32, 64>>) {
        manual_scope!({
            let mut ids = TaskIds::<4>::new();
            let t = create_tensor::<f32>([4, 64]);
            for i in 0..4 {
                ids[i] = submit!(k(x.slice(s![i, ..]), t.slice(s![i, ..])));
            }
            let all = barrier([ids]);
            let none = barrier([]);
            submit!(k(t.slice(s![0, ..]), y), deps = [all, ids[0], TaskId::NONE], deps_wait = [ids, none]);
        });
    }
    //= entry c025_c127_c128_arrays_and_barriers(x: in Tensor<f32, [4, 64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         scope MANUAL {
    //=             let mut ids: TaskIds = TaskIds::<4>::new();
    //=             alloc 0 = alloc_tensors([create f32 [4, 64]]);
    //=             let t: Tensor<f32> = alloc 0.get_ref(0);
    //=             for i in 0..4 {
    //=                 ids[i] = submit k(in x.slice(s![i, ..]), out t.slice(s![i, ..]));
    //=             }
    //=             let all: TaskId = barrier([ids]);
    //=             let none: TaskId = barrier([]);
    //=             submit k(in t.slice(s![0, ..]), out y) deps [all, ids[0], TaskId::NONE] deps_wait [ids, none];
    //=         };
    //=     };
    //= }
}

mod c159_how_a_task_runs {
    #[pl::jit]
    fn c159_how_a_task_runs(n: usize, x: Tensor<f32, 64, 8>, y: Out<Tensor<f32, 64, 8>>) {
        submit!(rows(x, y), blocks = 4, sync_start = true, core_type = CoreType::Aic);
        submit!(rows(x, y), blocks = n.max(1) * 2, sync_start = false,);
    }
    //= entry c159_how_a_task_runs(n: usize, x: in Tensor<f32, [64, 8]>, y: out Tensor<f32, [64, 8]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit rows(in x, out y) blocks 4 sync_start core_type Aic;
    //=         submit rows(in x, out y) blocks (n.max(1) * 2);
    //=     };
    //= }
}

mod predicates {
    #[pl::jit]
    fn predicates(n: InOut<Tensor<i32, 4>>, on: Tensor<bool, 1>, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        submit!(k(x, y), predicate = n.get([0]) > 0);
        submit!(k(x, y), predicate = -3 <= n.slice(s![1..4]).get([2]));
        submit!(k(x, y), predicate = !on.get([0]), blocks = 1);
        n.set([0], 1);
    }
    //= entry predicates(n: inout Tensor<i32, [4]>, on: in Tensor<bool, [1]>, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit k(in x, out y) predicate n.get([0]) > 0;
    //=         submit k(in x, out y) predicate n.slice(s![1..4]).get([2]) >= (-3);
    //=         submit k(in x, out y) blocks 1 predicate on.get([0]) == false;
    //=         n.set([0], 1);
    //=     };
    //= }
}

mod c029_c030_a_submit_is_a_statement_or_a_value {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        submit!(k(x, y));
        let t = submit!(k(x, y));
        let u = t;
        barrier([u]);
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         submit k(in x, out y);
    //=         let t: TaskId = submit k(in x, out y);
    //=         let u: TaskId = t;
    //=         barrier([u]);
    //=     };
    //= }
}

mod c006_submits_in_a_loop_of_a_manual_scope {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        manual_scope!({
            let mut last = TaskId::NONE;
            for i in 0..4 {
                last = submit!(k(x, y), deps = [last]);
            }
        });
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         scope MANUAL {
    //=             let mut last: TaskId = TaskId::NONE;
    //=             for i in 0..4 {
    //=                 last = submit k(in x, out y) deps [last];
    //=             }
    //=         };
    //=     };
    //= }
}

mod c132_a_helper_returns_a_task_id {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        manual_scope!({
            let t = after(x, TaskId::NONE, y);
            submit!(k(x, y), deps = [t]);
        });
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         scope MANUAL {
    //=             let t: TaskId = {
    //=                 let x#2: Tensor<f32> = x;
    //=                 let t: TaskId = TaskId::NONE;
    //=                 let y#2: Tensor<f32> = y;
    //=                 submit k(in x#2, out y#2) deps [t]
    //=             };
    //=             submit k(in x, out y) deps [t];
    //=         };
    //=     };
    //= }
}

mod c139_an_array_is_kept_over_two_loops {
    #[pl::jit]
    fn f(x: Tensor<f32, 4, 64>, y: Out<Tensor<f32, 4, 64>>) {
        manual_scope!({
            let mut ids = TaskIds::<4>::new();
            for j in 0..8 {
                for i in 0..4 {
                    ids[i] = submit!(k(x.slice(s![i, ..]), y.slice(s![i, ..])), deps = [ids[i]]);
                }
            }
        });
    }
    //= entry f(x: in Tensor<f32, [4, 64]>, y: out Tensor<f32, [4, 64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         scope MANUAL {
    //=             let mut ids: TaskIds = TaskIds::<4>::new();
    //=             for j in 0..8 {
    //=                 for i in 0..4 {
    //=                     ids[i] = submit k(in x.slice(s![i, ..]), out y.slice(s![i, ..])) deps [ids[i]];
    //=                 }
    //=             }
    //=         };
    //=     };
    //= }
}

mod c144_a_manual_scope_waits_for_a_task_from_outside {
    #[pl::jit]
    fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        let t = create_tensor::<f32>([64]);
        let before = submit!(k(x, t));
        manual_scope!({
            submit!(k(t, y), deps = [before]);
        });
    }
    //= entry f(x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         alloc 0 = alloc_tensors([create f32 [64]]);
    //=         let t: Tensor<f32> = alloc 0.get_ref(0);
    //=         let before: TaskId = submit k(in x, out t);
    //=         scope MANUAL {
    //=             submit k(in t, out y) deps [before];
    //=         };
    //=     };
    //= }
}

mod a_submit_in_each_branch {
    #[pl::jit]
    fn f(c: bool, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
        manual_scope!({
            let t = if c {
                submit!(k(x, y))
            } else {
                TaskId::NONE
            };
            barrier([t]);
        });
    }
    //= entry f(c: bool, x: in Tensor<f32, [64]>, y: out Tensor<f32, [64]>) auto_scope = true {
    //=     scope AUTO implicit {
    //=         scope MANUAL {
    //=             let t: TaskId = if c {
    //=                 submit k(in x, out y)
    //=             } else {
    //=                 TaskId::NONE
    //=             };
    //=             barrier([t]);
    //=         };
    //=     };
    //= }
}
