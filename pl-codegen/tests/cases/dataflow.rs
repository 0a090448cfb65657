#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn update(x: Tensor<f32, _>, y: InOut<Tensor<f32, _>>) {
    store(y, load(x) + load(y));
}

#[pl::jit::incore]
fn stores_an_input(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let part = x.slice(s![0..4]);
    store(part, load(x)); //~ PL0302 `x` is an input
    store(y, load(x));
}

#[pl::jit::incore]
fn forgets_its_output(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) { //~ PL0303 `y` is declared `Out`
    let t = load(x);
    let u = t + t;
}

#[pl::jit]
fn reads_what_nobody_wrote(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = create_tensor::<f32>([4]);
    let u = t.slice(s![0..2]);
    copy(u, y.slice(s![0..2])); //~ PL0301 `t` is read
    let filled = create_tensor::<f32>([4]).init(0.0);
    copy(filled, y);
    let set = create_tensor::<f32>([4]);
    set.set([0], 1.0);
    copy(set, y);
}

#[pl::jit]
fn gets_what_nobody_wrote(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let n = create_tensor::<i32>([1]);
    let m = n.get([0]); //~ PL0301 `n` is read
    copy(x, y);
    x.set([0], 1.0); //~ PL0302 `x` is an input
}

#[pl::jit]
fn writes_an_input(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    copy(y, x); //~ PL0302 `x` is an input
    copy(x, y);
}

#[pl::jit]
fn forgets_to_pass_its_output(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) { //~ PL0303 `y`
    let t = create_tensor::<f32>([4]);
    copy(x, t);
    copy(y, t);
}

#[pl::jit]
fn only_rebinds_its_output(x: Tensor<f32, _>, mut y: Out<Tensor<f32, _>>) { //~ PL0303 assigning the name
    y = x;
}

#[pl::jit(auto_scope = false)]
fn is_fine(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>, z: InOut<Tensor<f32, _>>) {
    let a = create_tensor::<f32>([4]);
    let b = create_tensor::<f32>([4]);
    let (mut cur, mut next) = (a, b);
    copy(x, cur);
    for _ in 0..4 {
        copy(cur, next);
        (cur, next) = (next, cur);
    }
    let either = if x.dim(0) > 4 { cur } else { y };
    update(x, either);
    copy(cur, y);
    copy(z, next);
}

#[pl::jit]
fn shares_between_iterations(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = create_tensor::<f32>([4]);
    for i in parallel(0..4) {
        copy(x, t); //~ PL0304 every iteration
        copy(t, y.slice(s![i..i + 4]));
    }
}

#[pl::jit::inline]
fn whole(x: Tensor<f32, _>) -> Tensor<f32, _> {
    x.slice(s![..])
}

#[pl::jit]
fn writes_through_a_helper(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = create_tensor::<f32>([4]);
    let u = whole(t);
    copy(x, u);
    let v = whole(y);
    copy(t, v);
}

#[pl::jit::inline]
fn like(x: Tensor<f32, _>) -> Tensor<f32, _> {
    create_tensor::<f32>([x.dim(0)])
}

#[pl::jit]
fn writes_what_a_helper_created(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = like(x);
    copy(x, t);
    copy(t, y);
}

#[pl::jit]
fn swaps_them(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    copy(y, x); //~ PL0302 `x` is an input
}

#[pl::jit::incore]
fn swaps_them_in_core(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(x, load(y)); //~ PL0302 `x` is an input
}

#[pl::jit]
fn forgets_an_argument(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    copy(x);
}

#[pl::jit]
fn forgets_its_output_beside_calls(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) { //~ PL0303 `y`
    let t = create_tensor::<f32>([4]);
    copy(x, t);
}

#[pl::jit::incore]
fn keeps_the_name_of_what_it_overwrites(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    let m = load(x);
    let old = m;
    copy_to(m, old + 1.0);
    store(y, m - old); //~ PL0305 `old` names the tile of `m`
}
