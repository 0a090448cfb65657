use pl::prelude::*;
use ui_helpers::{copy_in_scope, copy_indirectly};

#[pl::jit(auto_scope = false)]
fn kernel(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    scope!(ScopeMode::Manual, {
        copy_in_scope(x, y);
    });
    manual_scope!({
        copy_indirectly(x, y);
    });
}

fn main() {}
