use pl::prelude::*;
use ui_helpers::store_doubled;

#[pl::jit]
fn inputs(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>, z: Out<Tensor<f32, 4>>) {
    at!("inputs", {
        store_doubled(load(x), x);
        store(y, load(x));
    });
}

#[pl::jit(auto_scope = false)]
fn scopes(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let mut last = x;
    scope!({
        last = create_tensor::<f32>([4]);
        at!("fill", {
            store(last, load(x));
        });
    });
    at!("late", {
        store(y, load(last));
    });
}

fn main() {}
