use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn helper(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) -> TaskId {
    submit!(copy(x, y))
}

#[pl::jit]
fn entry(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    copy(x, y);
}

#[pl::jit]
fn helpers(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    manual_scope!({
        submit!(helper(x, y));
        let t = submit!(entry(x, y));
        submit!(copy(x, y), deps = [t]);
    });
}

#[pl::jit]
fn options(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    let t = submit!(copy(x, y));
    copy(x, y, deps = [t]);
    let u = submit!(copy(x, y), dep = [t]);
    submit!(copy(x, y), deps = u, blocks = 2);
    submit!(copy(x, y), t);
    submit!(x);
    submit!();
    submit!(copy(x, y), sync_start = x.dim(0) > 4);
    submit!(copy(x, y), predicate = x.get([0]) > 0.0);
}

#[pl::jit::incore]
fn task(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    submit!(copy(x, y), deps = [TaskId::NONE]);
    let half = x.slice(s![0..4]);
    store(y, load(half.partition(0)));
}

#[pl::jit]
fn blocks(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    submit!(ui_helpers::copy(x, y), blocks = 4);
}

fn plain() {
    submit!(copy());
}

fn main() {}
