//! What errors say to write instead.

use super::{Array1, Array2, add_to, numbers, runtimes, scale};
use pl::prelude::*;

#[pl::jit::incore]
fn halves(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    let (mine, part) = (x.partition(0), y.partition(0));
    let half = x.dim(1) / 2;
    store(part.slice(s![.., ..half]), load(mine.slice(s![.., half..])));
    store(part.slice(s![.., half..]), load(mine.slice(s![.., ..half])));
}

#[pl::jit]
fn swapped(x: Tensor<f32, 6, 4>, y: Out<Tensor<f32, 6, 4>>) {
    submit!(halves(x, y), blocks = 4);
}

#[test]
fn pl0205_pl0306_views_are_made_of_the_part_of_the_block() {
    for rt in runtimes() {
        let x = numbers(24).into_shape_with_order((6, 4)).unwrap();
        let mut y = Array2::zeros((6, 4));
        swapped(&rt, &x, &mut y).unwrap();
        assert_eq!(y.row(5).to_vec(), [22.0, 23.0, 20.0, 21.0]);
    }
}

#[pl::jit::inline]
fn all_done(t: TaskId, x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) -> TaskId {
    submit!(add_to(x, y), deps = [t])
}

#[pl::jit(auto_scope = false)]
fn helped(x: Tensor<f32, 8>, y: InOut<Tensor<f32, 8>>) {
    let mut ids = TaskIds::<2>::new();
    barrier([ids]);
    scope!({
        ids = TaskIds::<2>::new();
        ids[0] = submit!(add_to(x, y));
        ids[1] = all_done(barrier([ids]), x, y);
        submit!(add_to(x, y), deps = [ids]);
    });
    if y.get([1]) > 2.5 {
        submit!(scale(x, 4.0, y));
    }
}

#[test]
fn pl0105_pl0209_an_array_is_one_id_for_a_helper_and_what_waits_is_in_the_scope() {
    for rt in runtimes() {
        let x = numbers(8);
        let mut y = Array1::zeros(8);
        helped(&rt, &x, &mut y).unwrap();
        assert_eq!(y, x * 4.0);
    }
}
