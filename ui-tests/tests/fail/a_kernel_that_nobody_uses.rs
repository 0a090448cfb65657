//! rustc says so, as of any function that it can see the use of (entries aside).
#![deny(dead_code)]

use pl::prelude::*;

#[pl::jit::incore]
fn used(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, helped(load(x)));
}

#[pl::jit::inline]
fn helped(x: Tile<f32>) -> Tile<f32> {
    x * 2.0
}

#[pl::jit::inline]
fn passed_on<const N: usize>(x: Tensor<f32, N>, y: Out<Tensor<f32, N>>) {
    used(x, y);
}

#[pl::jit(dims(M))]
fn entry(x: Tensor<f32, 8>, z: Tensor<f32, M>, y: Out<Tensor<f32, 8>>, w: Out<Tensor<f32, M>>) {
    passed_on::<8>(x, y);
    used(z, w);
}

#[pl::jit::incore]
fn launched(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn shown<T: Element>(x: Tensor<T, _>, y: Out<Tensor<T, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn kernel_that_nobody_uses(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn helper_that_nobody_uses(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    used(x, y);
}

fn main() -> pl::Result<()> {
    let rt = Runtime::new(RunConfig::default())?;
    let (x, z) = (ndarray::Array1::zeros(8), ndarray::Array1::zeros(8));
    let (mut y, mut w) = (x.clone(), z.clone());
    entry(&rt, &x, &z, &mut y, &mut w)?;
    launched::launch(&rt, &x, &mut y)?;
    println!("{}", shown::kernel::<f32>().ir());
    Ok(())
}
