use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn copy_in_manual(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    manual_scope!({
        copy(x, y);
    });
}

#[pl::jit]
fn direct(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    manual_scope!({
        for _ in 0..2 {
            scope!(ScopeMode::Manual, {
                copy(x, y);
            });
        }
    });
}

#[pl::jit]
fn through_a_helper(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    manual_scope!({
        copy_in_manual(x, y);
    });
}

fn main() {}
