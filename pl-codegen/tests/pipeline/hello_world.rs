const TM: usize = 128;
const TN: usize = 256;

#[pl::jit::incore]
fn add(x: Tensor<f32, _, _>, a: f32, y: Out<Tensor<f32, _, _>>) {
    store(y, load(x) + a);
}

#[pl::jit(dims(M, N))]
fn hello_world(x: Tensor<f32, M, N>, a: f32, y: Out<Tensor<f32, M, N>>) {
    for i in (0..M).step_by(TM) {
        for j in (0..N).step_by(TN) {
            let rows = (i + TM).min(M);
            let cols = (j + TN).min(N);
            add(x.slice(s![i..rows, j..cols]), a, y.slice(s![i..rows, j..cols]));
        }
    }
}
