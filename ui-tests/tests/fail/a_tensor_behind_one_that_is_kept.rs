//! A warning, which `deny` makes an error.
use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[deny(deprecated)]
#[pl::jit]
fn four_loops(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
    for _ in 0..2 {
        for _ in 0..2 {
            let kept = create_tensor::<f32>([64]);
            copy(x, kept);
            for _ in 0..2 {
                let short = create_tensor::<f32>([64]);
                copy(kept, short);
                copy(short, y);
            }
        }
    }
}

#[allow(deprecated)]
#[pl::jit]
fn allowed(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {
    for _ in 0..2 {
        for _ in 0..2 {
            let kept = create_tensor::<f32>([64]);
            copy(x, kept);
            for _ in 0..2 {
                let short = create_tensor::<f32>([64]);
                copy(kept, short);
                copy(short, y);
            }
        }
    }
}

fn main() {}
