use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn bound(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    copy(x.slice(s![0..a]), y);
    copy(x, y);
}

#[pl::jit]
fn below_zero(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    copy(x.slice(s![-1..3]), y);
    copy(x, y);
}

#[pl::jit]
fn annotated(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    let z: usize = x.get([0]);
    copy(x.slice(s![0..z]), y);
    copy(x, y);
}

#[pl::jit]
fn element_as_condition(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    if x.get([0]) {
        copy(x, y);
    }
    copy(x, y);
}

#[pl::jit]
fn length_as_condition(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    if x.dim(0) {
        copy(x, y);
    }
    copy(x, y);
}

#[pl::jit]
fn element_set(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    y.set([0], 1);
    copy(x, y);
}

#[pl::jit]
fn element_index(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    let v = x.get([a]);
    y.set([0], v);
    copy(x, y);
}

#[pl::jit]
fn length(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    let c = create_tensor::<f32>([a as f32]);
    copy(x, c);
    copy(x, y);
}

#[pl::jit]
fn float_and_integer(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    let v = 1.5 + 1;
    y.set([0], v);
    copy(x, y);
}

#[pl::jit]
fn compared(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    if x.dim(0) < a {
        copy(x, y);
    }
    copy(x, y);
}

#[pl::jit]
fn assigned(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    let mut n = x.dim(0);
    n = a;
    copy(x.slice(s![0..n]), y);
    copy(x, y);
}

#[pl::jit]
fn range(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    for _ in 0..1.5 {
        copy(x, y);
    }
    copy(x, y);
}

#[pl::jit]
fn initial_value(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    let c = create_tensor::<f32>([4]).init(x);
    copy(c, y);
    copy(x, y);
}

#[pl::jit]
fn converted(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    let n = x as usize;
    copy(x.slice(s![0..n]), y);
    copy(x, y);
}

#[pl::jit]
fn negated(x: Tensor<f32, 4>, a: i32, y: Out<Tensor<f32, 4>>) {
    copy(!x, y);
    copy(x, y);
}

#[pl::jit::incore]
fn tile_and_tensor(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let mut t = load(x);
    t = t + x;
    store(y, t);
}

#[pl::jit::incore]
fn tile_assigned(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let mut t = load(x);
    t += 1.0;
    store(y, t);
}

#[pl::jit::incore]
fn zeros_of_a_float(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let mut t = load(x);
    t = zeros([x.dim(0) as f32]);
    store(y, t);
}

#[pl::jit::incore]
fn full_below_zero(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let mut t = load(x);
    t = full([4, -1], 0.0);
    store(y, t);
}

fn main() {}
