use super::{add_to, scale};
use pl::prelude::*;

const DEEP: usize = 3;

#[pl::jit]
fn shown(n: InOut<Tensor<u8, 2>>, x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    manual_scope!({
        let mut ids = TaskIds::<DEEP>::new();
        ids[DEEP - 1] = submit!(scale(x, 2.0, y));
        submit!(add_to(x, y), deps = [ids], predicate = n.get([1]) != 7);
    });
    n.set([0], 1);
}

#[test]
fn a_kernel_as_data_says_how_its_tasks_run() {
    let kernel = shown::kernel();
    for (text, parts) in [
        (
            kernel.ir(),
            [
                "let mut ids: TaskIds = TaskIds::<3>::new();",
                "ids[3 - 1] = submit scale(in x, 2.0, out y);",
                "submit add_to(in x, inout y) deps [ids] predicate n.get([1]) != 7;",
            ],
        ),
        (
            kernel.orchestration_rust(),
            [
                "let mut ids = TaskIds::<3>::new();",
                ".deps(ids.as_slice())",
                ".predicate(&n, &[1], PredicateOp::Ne, 7)",
            ],
        ),
    ] {
        for part in parts {
            assert!(text.contains(part), "no {part:?} in:\n{text}");
        }
    }
}
