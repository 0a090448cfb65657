#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit(auto_scop = false)] //~ PL0202 no option `auto_scop`
fn unknown_option(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    scope!(Manual = 3, { //~ PL0202 //~ PL0003
        k(x, y);
    });
}

#[pl::jit::host(auto_scope = false)]
fn not_yet(x: Tensor<f32, _>) {} //~ PL0206

#[pl::jit::opaque(auto_scope = false)] //~ PL0006
fn opaque(x: Tensor<f32, _>) {} //~ PL0206

#[pl::jit::incore]
fn exp(x: Tensor<f32, _>) {} //~ PL0207

#[pl::jit::incore]
fn f32(x: Tensor<f32, _>) {} //~ PL0207

#[pl::jit]
async fn signature<'a>(x: Tensor<f32>, y: &Tensor<f32, 4>, (a, b): (f32, f32)) -> f32 {} //~ PL0209 `async` //~ PL0209 lifetime //~ PL0209 1 to 5 //~ PL0209 //~ PL0209 one name //~ PL0209 returns nothing

#[pl::jit::incore]
fn open_element(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = zeros([4]); //~ PL0210
    store(y, load(x));
}

#[pl::jit]
fn scalar_call(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    for i in 0..half(x) { //~ PL0211
        k(x, y);
    }
    load(x); //~ PL0212
    scalar_call(x, y); //~ PL0213
    k(x, &y); //~ PL0201 references
    k(x, y[0]); //~ PL0201 `x[..]`
    let z = |a| a; //~ PL0201 closures
    match x {} //~ PL0201 `match`
    loop {} //~ PL0201 `loop`
    for i in unroll(0..x.dim(0)) {} //~ PL0205 not constant
    for i in parallel(0..4) {
        break; //~ PL0201 parallel
    }
    for i in unroll(0..4) {
        continue; //~ PL0201 unrolled
    }
    for i in 0..=4 {} //~ PL0201 ends before
    x.foo(); //~ PL0203 no method `foo`
    let n = x.dim(0).leading_zeros(); //~ PL0203 no method `leading_zeros`
    at!("name", { load(x) }); //~ PL0206
    submit!(k(x, y)); //~ PL0206
    #[cfg(test)] //~ PL0201
    let q = x;
    const N: usize = 4; //~ PL0201 item
    let t = x.init(0.0); //~ PL0205 directly behind
    undefined = x; //~ PL0201 not a variable
}

#[pl::jit::incore]
fn operators(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let a = load(x);
    for i in parallel(0..4) {} //~ PL0212 one thing at a time
    let first = x.get([0]); //~ PL0212 through tiles
    let b = a > a; //~ PL0205 does not work on tiles
    store(y, a);
}

#[pl::jit::incore]
fn ranks(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let none = zeros::<f32>([]); //~ PL0205 1 to 5 dimensions
    let six = create_tensor::<f32>([1, 1, 1, 1, 1, 1]); //~ PL0205 not 6
    store(y, load(x).reshape([])); //~ PL0205 not 0
}

#[pl::jit]
fn later(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t: Tensor<f32, _> = create_tensor([4]); //~ PL0201 the type of a tensor
    let id = TaskId::NONE; //~ PL0206 `TaskId`
    barrier([id]); //~ PL0206 `barrier`
    k(x, y);;
}

#[pl::jit]
#[pl::jit] //~ PL0209 twice
fn marked_twice(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    k(x, y);
}

#[pl::jit::incore(dims(R, C))] //~ PL0209 `C` is not a dimension
fn unused_dim(x: Tensor<f32, R>, y: Out<Tensor<f32, R>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn attributes(x: Tensor<f32, _>, #[cfg(any())] n: usize, y: Out<Tensor<f32, _>>) { //~ PL0201 `#[cfg]`
    let t = load(x);
    #[cfg(any())] //~ PL0201
    store(y, t + 1.0);
    scratch_scope!({
        #[cfg(any())] //~ PL0201
        store(y, t + 2.0);
    });
    #[cfg(any())] //~ PL0201
    t.set([0], 1.0);
    #[allow(unused)]
    let u = t;
    store(y, t);
}
