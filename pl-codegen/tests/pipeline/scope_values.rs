#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit(auto_scope = false)]
fn unread(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let _unread = scope!({
        let t = create_tensor::<f32>([4]);
        k(x, t);
        t
    });
    let (_t, x) = scope!({
        let t = create_tensor::<f32>([4]);
        k(x, t);
        (t, x.slice(s![..]))
    });
    scope!({ k(x, y) });
}

#[pl::jit]
fn branch(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let _last = if x.dim(0) > 2 {
        let t = create_tensor::<f32>([4]);
        k(x, t);
        t
    } else {
        x
    };
    k(x, y);
}
