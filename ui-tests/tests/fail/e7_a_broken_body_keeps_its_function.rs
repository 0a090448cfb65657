use pl::prelude::*;
use pl::{RunConfig, Runtime};

#[pl::jit::incore]
fn copy(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    scope!({});
    store(y, load(x));
}

#[pl::jit]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    loop {}
    copy(x, y);
}

fn main() {
    let rt = Runtime::new(RunConfig::default()).unwrap();
    let x = ndarray::Array1::<f32>::zeros(16);
    let mut y = x.clone();
    kernel(&rt, &x, &mut y).unwrap();
    println!("{}", kernel::kernel().ir());
}
