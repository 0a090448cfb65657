use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn refused_parameter(x: Tensor<f32, 4, 4>, by: &f32, y: Out<Tensor<f32, 4, 4>>) {
    store(y, load(x) * by.abs());
}

#[pl::jit::incore]
fn refused_result(x: Tensor<f32, 4, 4>) -> Tensor<f32, 4, 4> {
    load(x)
}

#[pl::jit::incore]
fn refused_clause<T>(x: Tensor<T, 4, 4>, y: Out<Tensor<T, 4, 4>>)
where
    T: Element,
{
    store(y, load(x));
}

#[pl::jit::inline(dims(M))]
fn refused_pattern(x: Tensor<f32, M>, (a, b): (f32, usize)) -> Tensor<f32, M> {
    x.slice(s![..])
}

#[pl::jit]
fn caller(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    refused_parameter(x, 1.0, y);
    refused_clause::<f32>(x, y);
    let t = refused_result(x);
    copy(t.slice(s![0..4, ..]), y);
    let u = refused_pattern(x.slice(s![0, ..]), 1.0);
    copy(u.reshape([1, 4]), y.slice(s![0..1, ..]));
}

#[pl::jit]
fn entry_with_result(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) -> Tensor<f32, 4, 4> {
    copy(x, y);
    x
}

#[pl::jit]
fn entry_with_reference(x: &Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    copy(*x, y);
}

#[pl::jit::host]
fn host(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    copy(x, y);
}

fn main() -> pl::Result<()> {
    let rt = Runtime::new(RunConfig::default())?;
    let x = ndarray::Array2::<f32>::zeros((4, 4));
    let mut y = x.clone();
    caller(&rt, &x, &mut y)?;
    entry_with_result(&rt, &x, &mut y)?;
    entry_with_reference(&rt, &x, &mut y)?;
    host(&rt, &x, &mut y)?;
    refused_parameter::launch(&rt, &x, 1.0, &mut y)?;
    println!("{}", host::kernel().ir());
    Ok(())
}
