use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn tiles(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    let a = load(x);
    let larger = a > a;
    if larger {
        let rest = a % 3;
        store(y, rest + a);
    }
    let three = full([4, 4], 3.0, 2.0);
    store(y, three + a);
    let row = a[0];
    let first = row.slice(s![0..1]) + a.field;
    store(y, first);
}

#[pl::jit]
fn orchestration(x: Tensor<f32, 4, 4>, y: Out<Tensor<f32, 4, 4>>) {
    let t = load(x);
    copy(t.slice(s![0..4, ..]), y);
    let (a, ref b) = (x, x);
    copy(a, y);
    let u = match x.dim(0) {
        4 => x,
        _ => y,
    };
    copy(u, y);
    x[0] = 1.0;
    loop {}
    copy(&x, y);
    let id = submit!(copy(x, y), dep = []);
    barrier([id]);
    let v: Tensor<f32, 4, 4> = create_tensor([4, 4]);
    copy(v, y);
    let none = TaskId::INVALID;
    let w: Tensor<f32, _, _> = x;
    copy(w.slice(s![..3, ..]), y);;
}

fn main() {}
