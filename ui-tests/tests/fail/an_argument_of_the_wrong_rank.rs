use pl::prelude::*;
use ui_helpers::copy;

#[pl::jit]
fn kernel(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    copy(x, y);
}

fn main() {
    let rt = Runtime::new(RunConfig::default()).unwrap();
    let x = ndarray::Array2::<f32>::zeros((4, 4));
    let mut y = ndarray::Array1::<f32>::zeros(16);
    kernel(&rt, &x, &mut y).unwrap();
}
