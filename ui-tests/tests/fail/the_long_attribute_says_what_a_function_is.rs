use pl::prelude::*;

#[pl::function(kind = "incor")]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::function(kind = "spmd")]
fn unknown(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::function]
fn nameless(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    copy(x, y);
}

#[pl::function(kind = "opaque", auto_scope = true)]
fn opens_no_scopes(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    copy(x, y);
}

#[pl::function(kind = "orchestration")]
struct Kernel;

fn main() {}
