use pl::prelude::*;

#[pl::jit::incore]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    let mut last = zeros([16]);
    scratch_scope!({
        last = load(x);
    });
    store(y, last);
}

fn main() {}
