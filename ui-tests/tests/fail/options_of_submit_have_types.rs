use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn made() -> Tensor<f32, _> {
    let t = create_tensor::<f32>([8]).init(0.0);
    t
}

#[pl::jit]
fn values(n: i32, c: Tensor<i32, 8>, x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    submit!(copy(x, y), blocks = n);
    submit!(copy(x, y), blocks = 1.5);
    submit!(copy(x, y), blocks = x);
    submit!(copy(x, y), deps = [made()]);
    submit!(copy(x, y), predicate = c.get([0]) > 1.5);
    submit!(copy(x, y), predicate = c.get([0, 1]) > 1);
    submit!(copy(x, y), predicate = c.get([0]));
    submit!(copy(x), blocks = 2);
    submit!(copi(x, y));
    submit!(copy(x, y), core_type = Aic);
    copy(x, y);
}

#[pl::jit]
fn ids(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    let n: usize = submit!(copy(x, y));
    let ids = TaskIds::<2>::new();
    ids[0] = submit!(copy(x, y));
    let mut more = TaskIds::<2>::new();
    more[1] = 3;
    more[1.5] = TaskId::NONE;
    let t: TaskId = more;
    barrier([t, more]);
    copy(t, y);
    let sum = t + t;
    if t == TaskId::NONE {
        copy(x, y);
    }
}

#[pl::jit]
fn several(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    let (a, b) = submit!(copy(x, y));
    let mut last = TaskId::NONE;
    last = x;
    barrier([a, b, last]);
    copy(x, y);
}

fn main() {}
