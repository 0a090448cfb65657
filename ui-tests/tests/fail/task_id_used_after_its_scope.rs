use pl::prelude::*;

#[pl::jit::incore]
fn add(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
    store(y, load(y) + load(x));
}

#[pl::jit(auto_scope = false)]
fn after(x: Tensor<f32, 8>, y: InOut<Tensor<f32, 8>>) {
    let mut t = TaskId::NONE;
    scope!({
        t = submit!(add(x, y));
    });
    submit!(add(x, y), deps = [t]);
}

#[pl::jit]
fn carried(x: Tensor<f32, 8>, y: InOut<Tensor<f32, 8>>) {
    let mut ids = TaskIds::<4>::new();
    let mut last = TaskId::NONE;
    for i in 0..4 {
        last = submit!(add(x, y), deps = [last]);
        ids[i] = last;
    }
}

#[pl::jit]
fn value(x: Tensor<f32, 8>, y: InOut<Tensor<f32, 8>>) {
    let t = manual_scope!({
        submit!(add(x, y))
    });
    barrier([t]);
}

fn main() {}
