#[pl::jit::incore]
fn stage_one(x: Tensor<f16, 16, 64>, y: Out<Tensor<f16, 16, 64>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn stage_two(x: Tensor<f16, 16, 64>, y: Out<Tensor<f32, 16, 64>>) {
    store(y, cast::<f32>(load(x)));
}

#[pl::jit::incore]
fn reduce(x: Tensor<f32, 16, 64>, y: Out<Tensor<f32, 16, 1>>) {
    store(y, row_sum(load(x)));
}

#[pl::jit::incore]
fn fold(x: Tensor<f32, 16, 1>, y: InOut<Tensor<f16, 256, 64>>) {
    let part = y.slice(s![0..16, 0..1]);
    store(part, load(part) + cast::<f16>(load(x)));
}

#[pl::jit(auto_scope = false)]
fn strips(x: Tensor<f16, 256, 64>, y: InOut<Tensor<f16, 256, 64>>) {
    for i in 0..16_i64 {
        scope!({
            let u = create_tensor::<f16>([16, 64]);
            let v = create_tensor::<f32>([16, 64]);
            // The device's compiler moves creates to the front of their scope; here they stand there.
            let strip = x.slice(s![(i * 16) as usize..(i * 16) as usize + 16, ..64]);
            stage_one(strip, u);
            stage_two(u, v);
            scope!({
                let w = create_tensor::<f32>([16, 1]);
                reduce(v, w);
                fold(w, y);
            });
        });
    }
}
