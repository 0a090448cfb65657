use super::{Array1, numbers, runtime, runtimes, says, scale};
use pl::prelude::*;

#[pl::jit]
fn forgotten(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = create_tensor::<f32>([8]);
    manual_scope!({
        submit!(scale(x, 2.0, t));
        submit!(scale(t, 2.0, y));
    });
}

#[test]
fn a_forgotten_edge_is_named_with_what_to_write() {
    let (x, mut y) = (numbers(8), Array1::zeros(8));
    let error = forgotten(&runtime(), &x, &mut y).unwrap_err();
    assert_eq!(error.code(), Some(201));
    let hint = "`let first = submit!(scale(..));` and `submit!(scale(..), deps = [first]);`";
    says(&error, &[hint, "`x`", "bytes 0..32"]);
}

#[pl::jit]
fn declared(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = create_tensor::<f32>([8]);
    manual_scope!({
        let first = submit!(scale(x, 2.0, t));
        submit!(scale(t, 2.0, y), deps = [first]);
    });
}

#[test]
fn what_the_audit_says_to_write_orders_the_tasks() {
    for rt in runtimes() {
        let (x, mut y) = (numbers(8), Array1::zeros(8));
        declared(&rt, &x, &mut y).unwrap();
        assert_eq!(y, x * 4.0);
    }
}
