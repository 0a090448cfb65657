use super::{Array1, add_to, numbers, runtimes, scale};
use pl::prelude::*;

#[pl::jit(dims(N))]
fn chain(x: Tensor<f32, N>, y: Out<Tensor<f32, N>>) {
    let a = create_tensor::<f32>([N]);
    manual_scope!({
        let first = submit!(scale(x, 2.0, a));
        let mut last = submit!(scale(a, 3.0, y), deps = [first]);
        for _ in 0..3 {
            last = submit!(add_to(a, y), deps = [last]);
        }
    });
}

#[test]
fn a_task_id_is_carried_through_a_loop() {
    for rt in runtimes() {
        let x = numbers(8);
        let mut y = Array1::zeros(8);
        chain(&rt, &x, &mut y).unwrap();
        assert_eq!(y, x * 12.0);
    }
}

#[pl::jit(dims(N))]
fn none_first(x: Tensor<f32, N>, y: InOut<Tensor<f32, N>>) {
    manual_scope!({
        let mut last = TaskId::NONE;
        let mut valid = 0;
        for i in 0..4 {
            if last.is_valid() {
                valid += 1;
            }
            if i != 2 {
                last = submit!(add_to(x, y), deps = [TaskId::NONE, last]);
            }
        }
        if valid == 3 {
            submit!(add_to(x, y), deps = [last]);
        }
    });
}

#[test]
fn no_task_is_nothing_to_wait_for() {
    for rt in runtimes() {
        let x = numbers(8);
        let mut y = Array1::zeros(8);
        none_first(&rt, &x, &mut y).unwrap();
        assert_eq!(y, x * 4.0);
    }
}

#[pl::jit(dims(N))]
fn joined(x: Tensor<f32, N, 8>, y: Out<Tensor<f32, N, 8>>, z: Out<Tensor<f32, N, 8>>) {
    manual_scope!({
        let mut ids = TaskIds::<6>::new();
        for i in 0..N {
            ids[i] = submit!(rows(x.slice(s![i..i + 1, ..]), y.slice(s![i..i + 1, ..])));
        }
        let all = barrier([ids]);
        let again = barrier([all, ids[0], TaskId::NONE]);
        let nothing = barrier([]);
        submit!(
            rows(y, z),
            deps = [again, nothing],
            deps_wait = [ids, ids[1]]
        );
    });
}

#[pl::jit::incore]
fn rows(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    store(y, load(x) * 2.0);
}

#[test]
fn a_barrier_joins_tasks_and_whole_arrays_of_them() {
    for rt in runtimes() {
        let x = numbers(40).into_shape_with_order((5, 8)).unwrap();
        let (mut y, mut z) = (x.clone(), x.clone());
        joined(&rt, &x, &mut y, &mut z).unwrap();
        assert_eq!(z, x * 4.0);
    }
}

#[pl::jit(dims(N))]
fn outer_id(x: Tensor<f32, N>, y: Out<Tensor<f32, N>>) {
    let a = create_tensor::<f32>([N]);
    let before = submit!(scale(x, 2.0, a));
    manual_scope!({
        let inner = submit!(scale(a, 2.0, y), deps = [before]);
        submit!(add_to(a, y), deps = [inner, before]);
    });
    submit!(add_to(a, y), deps = [before]);
}

#[test]
fn c144_a_manual_scope_waits_for_a_task_from_outside_and_c133_auto_takes_deps() {
    for rt in runtimes() {
        let x = numbers(8);
        let mut y = Array1::zeros(8);
        outer_id(&rt, &x, &mut y).unwrap();
        assert_eq!(y, x * 8.0);
    }
}
