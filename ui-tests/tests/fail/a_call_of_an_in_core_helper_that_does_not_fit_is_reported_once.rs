use pl::prelude::*;

#[pl::jit::inline]
fn scaled(x: Tile<f32>, a: f32) -> Tile<f32> {
    x * a
}

#[pl::jit::inline]
fn rows(x: Tile<f32>) -> usize {
    x.dim(0)
}

fn plain(x: f32) -> f32 {
    x
}

#[pl::jit::incore]
fn arguments(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = scaled(load(x));
    store(y, scaled(t, 2));
    store(y, scaled(x, 1.0));
    store(y, scaled(cast::<f16>(t), 1.0));
}

#[pl::jit::incore]
fn results(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let n = rows(load(x));
    store(y, exp(n));
    store(y, n);
    store(scaled(load(x), 1.0), load(x));
    if n > 1.5 {
        store(y, load(x) + n);
    }
    store(y, scaled(load(x), 1.0) % 2.0);
}

#[pl::jit::incore]
fn names(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, expo(load(x)));
    store(y, softplus(load(x)));
    store(y, full([4], plain(2.0)));
}

fn main() {}
