use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    copy(x);
    copy(x, y);
}

fn main() {
    let rt = Runtime::new(RunConfig::default()).unwrap();
    let x = ndarray::Array1::<f32>::zeros(16);
    kernel(&rt, &x).unwrap();
}
