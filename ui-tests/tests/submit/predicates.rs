use super::{Array1, array, numbers, runtime, runtimes, scale};
use pl::prelude::*;

#[pl::jit]
fn compared(n: InOut<Tensor<i32, 4>>, c: i32, x: Tensor<f32, 1>, y: InOut<Tensor<f32, 8>>) {
    submit!(
        scale(x, 2.0, y.slice(s![0..1])),
        predicate = n.get([1]) == c
    );
    submit!(
        scale(x, 2.0, y.slice(s![1..2])),
        predicate = n.get([1]) != c
    );
    submit!(scale(x, 2.0, y.slice(s![2..3])), predicate = n.get([1]) < c);
    submit!(
        scale(x, 2.0, y.slice(s![3..4])),
        predicate = n.get([1]) <= c
    );
    submit!(scale(x, 2.0, y.slice(s![4..5])), predicate = n.get([1]) > c);
    submit!(
        scale(x, 2.0, y.slice(s![5..6])),
        predicate = n.get([1]) >= c
    );
    submit!(
        scale(x, 2.0, y.slice(s![6..7])),
        predicate = c + 1 > n.get([1])
    );
    submit!(
        scale(x, 2.0, y.slice(s![7..8])),
        predicate = 3 > n.slice(s![1..2]).get([0])
    );
    n.set([1], 7);
}

#[test]
fn a_kernel_runs_if_the_element_compares() {
    for rt in runtimes() {
        for (c, ran) in [
            (1, [0, 1, 0, 0, 1, 1, 0, 1]),
            (2, [1, 0, 0, 1, 0, 1, 1, 1]),
            (3, [0, 1, 1, 1, 0, 0, 1, 1]),
        ] {
            let mut n = array![0, 2, 0, 0];
            let mut y = Array1::zeros(8);
            compared(&rt, &mut n, c, &array![0.5], &mut y).unwrap();
            assert_eq!(y, Array1::from_iter(ran.map(|ran| ran as f32)), "{c}");
            assert_eq!(n, array![0, 7, 0, 0]);
        }
    }
}

#[pl::jit]
fn flagged(on: Tensor<bool, 2>, x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
    submit!(scale(x, 1.0, y), predicate = on.get([0]));
    submit!(scale(x, 2.0, y), predicate = !on.get([1]));
}

#[test]
fn an_element_that_is_a_truth_value_stands_alone() {
    let x = numbers(4);
    for (flags, by) in [
        ([true, true], 1.0),
        ([false, false], 2.0),
        ([false, true], 0.0),
    ] {
        let mut y = Array1::zeros(4);
        flagged(&runtime(), &Array1::from_iter(flags), &x, &mut y).unwrap();
        assert_eq!(y, &x * by);
    }
}
