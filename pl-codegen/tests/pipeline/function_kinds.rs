#[pl::function(kind = "incore", dims(M))]
fn double(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
    store(y, load(x) * 2.0);
}

#[pl::function(kind = "inline")]
fn parts(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    for i in (0..x.dim(0)).step_by(4) {
        double(x.slice(s![i..i + 4]), y.slice(s![i..i + 4]));
    }
}

#[pl::function(kind = "orchestration", auto_scope = false)]
fn by_hand(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    scope!({
        parts(x, y);
    });
}

#[pl::function(kind = "orchestration")]
fn placed(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    parts(x, y);
}
