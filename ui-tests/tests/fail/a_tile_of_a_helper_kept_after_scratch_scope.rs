use pl::prelude::*;
use ui_helpers::normalized;

#[pl::jit::inline(auto_scope = true)]
fn scoped(x: Tile<f32>) -> Tile<f32> {
    scratch_scope!({ normalized(x) })
}

#[pl::jit::incore]
fn kept(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    let mut t = load(x);
    scratch_scope!({
        t = normalized(t);
    });
    store(y, t);
}

fn main() {}
