const PARTS: usize = 2;

#[pl::jit::inline]
fn softmax_parts(x: Tile<f32>) -> (Tile<f32>, Tile<f32>) {
    let e = exp(x - row_max(x));
    (e, row_sum(e))
}

#[pl::jit::inline]
fn scaled<T: Element>(x: Tile<T>, a: f32) -> Tile<T> {
    let y = self::log2(x);
    y * a
}

#[pl::jit::inline]
fn log2<T: Element>(x: Tile<T>) -> Tile<T> {
    log(x) * 1.5
}

#[pl::jit::inline(dims(M))]
fn part(x: Tensor<f32, M, _>, i: usize) -> Tile<f32> {
    let rows = M / PARTS;
    load(x.slice(s![i * rows..i * rows + rows, ..]))
}

#[pl::jit::inline]
fn rows(x: Tile<f32>) -> usize {
    x.dim(0)
}

#[pl::jit::incore]
fn row_softmax(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    let m: Tile<f32> = part(x, 0);
    for i in 0..PARTS {
        scratch_scope!({
            let t = part(x, i);
            let (e, sum) = softmax_parts(scaled::<f32>(t, 0.5));
            let n = rows(t);
            copy_to(m, e / sum + -e * n);
        });
    }
    store(y, m);
}

#[pl::jit]
fn entry(x: Tensor<f32, 8, 8>, y: Out<Tensor<f32, 4, 8>>) {
    row_softmax(x, y);
}
