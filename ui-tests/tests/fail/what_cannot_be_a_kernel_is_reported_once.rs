use pl::prelude::*;

#[pl::jit::incore]
fn f32(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn exp(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn copy(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    store(y, exp(load(x)));
}

#[pl::jit]
fn calls_f32(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    f32(x, y);
}

#[pl::jit]
#[pl::jit(auto_scope = false)]
fn twice(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    copy(x, y);
}

type Matrix = Tensor<f32, 2>;

#[pl::jit]
fn alias_of_a_tensor(x: Matrix, y: Out<Tensor<f32, 4, 4>>) {
    copy(x, y);
}

struct Shape;

impl Shape {
    #[pl::jit]
    fn method(&self, x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
        copy(x, y);
    }
}

fn main() -> pl::Result<()> {
    let rt = Runtime::new(RunConfig::default())?;
    let x = ndarray::Array2::<f32>::zeros((4, 4));
    let mut y = x.clone();
    twice(&rt, &x, &mut y)?;
    calls_f32(&rt, &x, &mut y)?;
    Shape.method(&rt, &x, &mut y)?;
    Ok(())
}
