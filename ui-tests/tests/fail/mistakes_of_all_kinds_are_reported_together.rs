use pl::prelude::*;
use ui_helpers::copy;

#[pl::jit(auto_scope = false)]
fn kernel(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let mut t = x;
    scope!({
        t = create_tensor::<f32>([4]);
        copy(x, t);
    });
    copy(t, y);
    for i in 0..=3 {
        copy(x, y);
    }
    x.set([0], 1.0);
}

#[pl::jit(auto_scope = false)]
fn what_a_refused_loop_assigns_is_unknown(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let mut t = x;
    scope!({
        t = create_tensor::<f32>([4]);
        copy(x, t);
    });
    loop {
        t = x;
    }
    copy(t, y);
}

fn main() {}
