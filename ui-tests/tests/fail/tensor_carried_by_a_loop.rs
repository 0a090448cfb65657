use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn placed_by_the_compiler(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    let mut now = x;
    for _ in 0..4 {
        let next = create_tensor::<f32>([16]);
        copy(now, next);
        now = next;
    }
    copy(now, y);
}

#[pl::jit(auto_scope = false)]
fn placed_by_hand(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>) {
    let mut now = x;
    for _ in 0..4 {
        scope!({
            let next = create_tensor::<f32>([16]);
            copy(now, next);
            now = next;
        });
    }
    copy(x, y);
}

fn main() {}
