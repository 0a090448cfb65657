#[pl::jit::incore]
fn left_half(x: Tensor<f32, 256>, y: Out<Tensor<f32, 256>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn right_half(x: Tensor<f32, 256>, y: Out<Tensor<f32, 256>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn combine(x: Tensor<f32, 256>, y: InOut<Tensor<f32, 256>>) {
    store(y, load(x) + load(y));
}

#[pl::jit::incore]
fn bump(y: InOut<Tensor<f32, 256>>, by: i64) {
    store(y, load(y) + 1.0);
}

#[pl::jit]
fn join(x: Tensor<f32, 256>, mode: i64, y: InOut<Tensor<f32, 256>>) {
    let acc = create_tensor::<f32>([256]).init(0.0);
    manual_scope!({
        let left = submit!(left_half(x, acc));
        let right = submit!(right_half(x, y));
        submit!(combine(acc, y), deps = [left, right]);
    });
    if mode == 0 {
        bump(y, 1);
    } else {
        bump(y, 2);
    }
}
