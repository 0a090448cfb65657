const N: usize = 4;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    for _ in unroll(0..2) {
        store(y, load(x));
    }
}

#[pl::jit]
fn loops(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
    for i in parallel(0..N).step_by(2) {
        let mine = create_tensor::<f32>([16]);
        let part = y.slice(s![i * 16..(i + 1) * 16]);
        copy(x.slice(s![0..16]), mine);
        copy(mine, part);
        if i == 2 {
            continue;
        }
    }
    for i in unroll(0..N * 2).rev() {
        copy(x.slice(s![i..i + 8]), y.slice(s![i..i + 8]));
    }
}
