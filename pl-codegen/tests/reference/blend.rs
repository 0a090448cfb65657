#[pl::jit::incore]
fn add_rows(a: Tensor<f32, 64, 128>, b: Tensor<f32, 64, 128>, y: Out<Tensor<f32, 64, 128>>) {
    store(y, load(a) + load(b));
}

#[pl::jit::incore]
fn damp(x: Tensor<f32, 64, 128>, by: f32, y: Out<Tensor<f32, 64, 128>>) {
    store(y, load(x) * by);
}

#[pl::jit]
fn blend(a: Tensor<f32, 64, 128>, b: Tensor<f32, 64, 128>, y: Out<Tensor<f32, 64, 128>>) {
    let mix = create_tensor::<f32>([64, 128]);
    add_rows(a, b, mix);
    damp(mix, 0.5, y);
}
