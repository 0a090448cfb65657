use super::{Array1, add_to, numbers, runtime, says};
use pl::prelude::*;

trait Count {
    const COUNT: usize;
}

enum Three {}

impl Count for Three {
    const COUNT: usize = 3;
}

#[pl::jit]
fn generic<const N: usize>(x: Tensor<f32, _>, n: usize, y: InOut<Tensor<f32, _>>) {
    manual_scope!({
        let mut ids: TaskIds<N> = TaskIds::<N>::new();
        let mut others = TaskIds::<{ Three::COUNT }>::new();
        for i in 0..n {
            ids[i] = submit!(add_to(x, y), deps = [ids, others[2]]);
            others[i % 3] = ids[i];
        }
    });
}

#[test]
fn the_length_of_an_array_of_ids_is_a_constant() {
    let (x, mut y) = (numbers(4), Array1::zeros(4));
    generic::<5>(&runtime(), &x, 5, &mut y).unwrap();
    assert_eq!(y, &x * 5.0);
}

#[test]
fn an_id_past_the_end_of_its_array_is_an_error() {
    let (x, mut y) = (numbers(4), Array1::zeros(4));
    let error = generic::<5>(&runtime(), &x, 6, &mut y).unwrap_err();
    says(
        &error,
        &["no id 5", "`TaskIds::<5>`", "use 0 to 4", "constants.rs:"],
    );
}
