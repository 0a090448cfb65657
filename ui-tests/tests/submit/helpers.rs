use super::{Array1, add_to, numbers, runtimes, scale};
use pl::prelude::*;

#[pl::jit::inline]
fn twice(x: Tensor<f32, _>, after: TaskId, y: Out<Tensor<f32, _>>) -> TaskId {
    let first = submit!(scale(x, 2.0, y), deps = [after]);
    submit!(add_to(x, y), deps = [first])
}

#[pl::jit::inline]
fn scratch(n: usize) -> (Tensor<f32, _>, TaskId) {
    let t = create_tensor::<f32>([n]).init(1.0);
    let none = TaskId::NONE;
    (t, none)
}

#[pl::jit(dims(N))]
fn through(x: Tensor<f32, N>, y: Out<Tensor<f32, N>>) {
    let (t, none) = scratch(N);
    manual_scope!({
        let mut last = none;
        let first = twice(x, none, t);
        if first.is_valid() && !none.is_valid() {
            last = twice(t, first, y);
        }
        for _ in 0..2 {
            let more = submit!(add_to(x, y), deps = [last]);
            last = more;
        }
        let ids = barrier([last, twice(x, last, t)]);
        submit!(add_to(t, y), deps = [ids]);
    });
}

#[test]
fn c077_c132_task_ids_go_to_and_come_from_helpers() {
    for rt in runtimes() {
        let x = numbers(8);
        let mut y = Array1::zeros(8);
        through(&rt, &x, &mut y).unwrap();
        assert_eq!(y, x * 14.0);
    }
}
