//! Task ids wherever the language has values.

use super::{Array1, add_to, numbers, runtimes};
use pl::prelude::*;
use ui_helpers::copy;

#[pl::jit(dims(N))]
fn everywhere(x: Tensor<f32, N>, on: bool, y: InOut<Tensor<f32, N>>) {
    manual_scope!({
        let (mut a, mut b) = (submit!(add_to(x, y)), TaskId::NONE);
        (a, b) = (b, a);
        let last = if on {
            submit!(add_to(x, y), deps = [b])
        } else {
            b
        };
        let mut later = TaskId::NONE;
        if on {
            later = submit!(add_to(x, y), deps = [last]);
        }
        let last = barrier([last, later, a]);
        let mut ids = TaskIds::<3>::new();
        ids[0] = last;
        let copied = ids;
        ids[0] = TaskId::NONE;
        let mut i = 0;
        while i < 2 {
            ids[i + 1] = submit!(add_to(x, y), deps = [copied[0], ids[i]]);
            i += 1;
        }
        for i in (0..3).rev() {
            if ids[i].is_valid() {
                submit!(add_to(x, y), deps = [ids[i]]);
                break;
            }
        }
    });
}

#[test]
fn a_task_id_is_a_value_as_any_other() {
    for rt in runtimes() {
        for (on, times) in [(true, 6.0), (false, 4.0)] {
            let x = numbers(8);
            let mut y = Array1::zeros(8);
            everywhere(&rt, &x, on, &mut y).unwrap();
            assert_eq!(y, x * times);
        }
    }
}

#[pl::jit::incore(dims(N))]
fn generic<T: Element, const BY: usize>(x: Tensor<T, N>, mut y: Out<Tensor<T, N>>) {
    let part = y;
    y = part.slice(s![..]);
    store(y, load(x) * (BY + N) as f32);
}

#[pl::jit]
fn names<T: Element>(launch0: Tensor<T, _>, args0: Out<Tensor<T, _>>) {
    let t = create_tensor::<T>([8]);
    manual_scope!({
        let deps = pl::submit!(generic::<T, { 1 + 1 }>(launch0, t));
        let blocks = 1;
        let submit = submit!(generic::<T, 2>(t, args0), deps = [deps], blocks = blocks);
        barrier([submit]);
    });
}

#[test]
fn generic_kernels_are_submitted_and_names_of_generated_code_are_free() {
    for rt in runtimes() {
        let mut y = Array1::zeros(8);
        names::<f32>(&rt, &numbers(8), &mut y).unwrap();
        assert_eq!(y, numbers(8) * 100.0);
    }
}

#[pl::jit(auto_scope = false, dims(M))]
fn elsewhere(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>, z: Out<Tensor<f32, M>>) {
    scope!({
        let t = submit!(copy(x, y));
        scope!({
            let u = submit!(ui_helpers::copy(y, z), deps = [t]);
            submit!(
                copy(x, z),
                deps_wait = [u, t],
                core_type = pl::CoreType::Mix
            );
        });
    });
}

#[test]
fn kernels_of_other_crates_are_submitted() {
    for rt in runtimes() {
        let x = numbers(8);
        let (mut y, mut z) = (Array1::zeros(8), Array1::zeros(8));
        elsewhere(&rt, &x, &mut y, &mut z).unwrap();
        assert_eq!((&y, &z), (&x, &x));
    }
}
