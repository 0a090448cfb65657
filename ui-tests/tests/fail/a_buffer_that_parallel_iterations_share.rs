use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    let t = create_tensor::<f32>([4]);
    for i in parallel(0..4) {
        copy(x.slice(s![i * 4..i * 4 + 4]), t);
        copy(t, y.slice(s![i * 4..i * 4 + 4]));
    }
}

fn main() {}
