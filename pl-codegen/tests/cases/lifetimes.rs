#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let kept = zeros([4]);
    let mut last = kept;
    for i in 0..4 {
        scratch_scope!({
            last = load(x.slice(s![i..i + 4]));
        });
    }
    store(y, last); //~ PL0104 `last`
}

#[pl::jit(auto_scope = false)]
fn used_after(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let mut t = x;
    scope!({
        t = create_tensor::<f32>([4]);
        k(x, t);
    });
    k(t, y); //~ PL0101 `t`
}

#[pl::jit(auto_scope = false)]
fn as_value(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = scope!({
        let inner = create_tensor::<f32>([4]);
        k(x, inner);
        inner //~ PL0102
    });
    k(t, y);
}

#[pl::jit]
fn loop_carried(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let mut cur = x;
    for _ in 0..4 {
        let next = create_tensor::<f32>([4]);
        k(cur, next); //~ PL0103 `cur`
        cur = next;
    }
    k(x, y);
}

#[pl::jit(auto_scope = false)]
fn values(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let (_t, u) = scope!({
        let t = create_tensor::<f32>([4]);
        k(x, t);
        (t, t) //~ PL0102
    });
    k(u, y);
    let _view = scope!({
        let t = create_tensor::<f32>([4]);
        k(x, t);
        t //~ PL0102
    })
    .slice(s![0..2]);
}
