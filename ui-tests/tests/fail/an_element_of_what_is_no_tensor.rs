use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn one(x: Tensor<f32, 4>) -> Tensor<u8, 4> {
    cast::<u8>(load(x))
}

#[pl::jit::inline]
fn number(x: Tensor<f32, 4>) -> f32 {
    x.get([0])
}

#[pl::jit]
fn of_a_number(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let n = number(x);
    if n.get([0]) > 3 {
        copy(x, y);
    }
}

#[pl::jit]
fn of_nothing(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let nothing = copy(x, y);
    if nothing.get([0]) > 3 {
        copy(x, y);
    }
}

#[pl::jit]
fn of_another_type(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let a = one(x);
    if a.get([0]) > 3.0 {
        copy(x, y);
    }
    let at: usize = a.get([1]);
    a.set([1], 300.5);
    copy(x.slice(s![at..]), y);
}

#[pl::jit::inline]
fn first(x: Tile<f32>) -> f32 {
    x.get([0])
}

#[pl::jit::inline]
fn doubled(x: Tile<u8>) -> Tile<u8> {
    x * 2
}

#[pl::jit::incore]
fn of_tiles(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let t = load(x);
    let n = first(t);
    store(y, t + n.get([0]));
    let u = doubled(cast::<u8>(t));
    u.set([0], 1.5);
    let at: usize = u.get([1]);
    store(y.slice(s![at..]), t);
}

fn main() {}
