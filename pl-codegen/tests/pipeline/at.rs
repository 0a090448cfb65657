const STEP: usize = 4;

#[pl::jit::inline]
fn store_doubled(x: Tile<f32>, y: Out<Tensor<f32, _>>) {
    store(y, x * 2.0);
}

#[pl::jit::opaque(dims(M))]
fn parts(x: Tensor<f32, M>, a: f32, y: Out<Tensor<f32, M>>) {
    for i in (0..M).step_by(STEP) {
        let part = y.slice(s![i..i + STEP]);
        at!("part", {
            let t = load(x.slice(s![i..i + STEP])) * a;
            if a > 0.0 {
                store(part, t + M);
            }
        });
    }
}

#[pl::jit(dims(M))]
fn entry(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>, z: Out<Tensor<f32, _>>) {
    let t = create_tensor::<f32>([M]);
    at!("whole", {
        let one = create_tensor::<f32>([1]).init(1.0);
        scratch_scope!({
            store(t, load(x) + one);
        });
    });
    at!("helper", {
        store_doubled(load(t), z);
        store_doubled(load(z), y);
    });
    if M > 8 {
        at!("halves", {
            let half = t.slice(s![..M / 2]);
            store(half, load(half) * 0.5);
        });
    }
    parts(t, 2.0, y);
}
