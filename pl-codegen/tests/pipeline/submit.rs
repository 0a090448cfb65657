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

#[pl::jit]
fn c028_c133_deps_in_auto_scopes(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
    let t = create_tensor::<f32>([64]);
    let first = submit!(k(x, t));
    let u = create_tensor::<f32>([64]);
    submit!(k(t, u), deps = [first]);
    k(u, y);
}

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

#[pl::jit]
fn c159_how_a_task_runs(n: usize, x: Tensor<f32, 64, 8>, y: Out<Tensor<f32, 64, 8>>) {
    submit!(rows(x, y), blocks = 4, sync_start = true, core_type = CoreType::Aic);
    submit!(rows(x, y), blocks = n.max(1) * 2, sync_start = false,);
}

#[pl::jit]
fn predicates(n: InOut<Tensor<i32, 4>>, on: Tensor<bool, 1>, x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
    submit!(k(x, y), predicate = n.get([0]) > 0);
    submit!(k(x, y), predicate = -3 <= n.slice(s![1..4]).get([2]));
    submit!(k(x, y), predicate = !on.get([0]), blocks = 1);
    n.set([0], 1);
}
