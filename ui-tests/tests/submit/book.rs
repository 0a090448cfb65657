//! What the book shows.

use super::{Array1, Array2, array, numbers, runtimes};
use pl::prelude::*;

#[pl::jit::incore]
fn scale(x: Tensor<f32, _, _>, by: f32, y: Out<Tensor<f32, _, _>>) {
    let rows = y.partition(0);
    store(rows, load(x.partition(0)) * by);
}

#[pl::jit]
fn twice(x: Tensor<f32, 4096, 64>, on: Tensor<bool, 1>, y: InOut<Tensor<f32, 4096, 64>>) {
    let t = create_tensor::<f32>([4096, 64]);
    manual_scope!({
        let first = submit!(scale(x, 2.0, t), blocks = 64);
        submit!(
            scale(t, 2.0, y),
            deps = [first],
            blocks = 64,
            predicate = on.get([0])
        );
    });
}

#[test]
fn a_task_of_blocks_waits_for_another() {
    for rt in runtimes() {
        let x = Array2::from_elem((4096, 64), 1.5);
        let mut y = Array2::zeros((4096, 64));
        twice(&rt, &x, &array![false], &mut y).unwrap();
        assert!(y.iter().all(|&y| y == 0.0));
        twice(&rt, &x, &array![true], &mut y).unwrap();
        assert!(y.iter().all(|&y| y == 6.0));
    }
}

const N: usize = 16;

#[pl::jit::incore]
fn step(x: Tensor<f32, 64>, y: InOut<Tensor<f32, 64>>) {
    store(y, load(y) * 0.5 + load(x));
}

#[pl::jit]
fn relax(x: Tensor<f32, N, 64>, y: InOut<Tensor<f32, N, 64>>) {
    manual_scope!({
        // The last task of each row; rows do not wait for each other.
        let mut rows = TaskIds::<N>::new();
        for _ in 0..4 {
            for i in 0..N {
                rows[i] = submit!(
                    step(x.slice(s![i, ..]), y.slice(s![i, ..])),
                    deps = [rows[i]]
                );
            }
        }
        let all = barrier([rows]);
        submit!(
            step(x.slice(s![0, ..]), y.slice(s![N - 1, ..])),
            deps = [all]
        );
    });
}

#[test]
fn rows_wait_for_themselves_and_the_last_task_for_all() {
    for rt in runtimes() {
        let x = numbers(N * 64).into_shape_with_order((N, 64)).unwrap();
        let mut y = Array2::zeros((N, 64));
        relax(&rt, &x, &mut y).unwrap();
        let once = x.mapv(|x| x * 1.875);
        let last: Array1<f32> = &once.row(N - 1) * 0.5 + x.row(0);
        assert_eq!(y.row(3), once.row(3));
        assert_eq!(y.row(N - 1), last);
    }
}
