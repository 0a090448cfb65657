use pl::prelude::*;
use ui_helpers::copy;

#[pl::jit(auto_scope = false)]
fn kernel(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    copy(x.slice(0..4), y);
    copy(x.reshape(4), y);
    let first = x.get(0);
    y.set(0, first);
    let t = create_tensor::<f32>(4);
    copy(x, t);
    let u = create_tensor([4]);
    copy(u.slice(s![0..2]), y);
    scope!(ScopeMode::Automatic, {
        copy(t, y);
    });
}

#[pl::jit::incore]
fn tiles(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let unused = zeros([4]);
    store(y, load(x).slice(0..4) + full(4, 1.0));
}

fn main() {}
