const N: usize = 4;

#[pl::jit::incore(dims(M))]
fn doubled(x: Tensor<f32, M, N>) -> Tensor<f32, M, N> {
    load(x) * 2.0
}

#[pl::jit::incore(dims(M))]
fn both(x: Tensor<f32, M, _>, y: Tensor<f32, M, _>) -> (Tensor<f32, M, 1>, Tensor<f16, { N * 2 }>) {
    let sum = row_sum(load(x) + load(y));
    (sum, zeros([N * 2]))
}

#[pl::jit::incore]
fn copy(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn entry(x: Tensor<f32, _, N>, y: Out<Tensor<f32, _, N>>) {
    let twice = doubled(x);
    let (sum, _) = both(doubled(twice), x.slice(s![.., 0..2]));
    copy(sum, y);
    for i in 0..2 {
        copy(doubled(x), y);
    }
}
