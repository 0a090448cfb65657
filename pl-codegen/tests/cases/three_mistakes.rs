#[pl::jit::incore]
fn k(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = exq(load(x)); //~ PL0203 did you mean `exp`?
    while true {
        return; //~ PL0201 `return`
    }
    println!("{}", 1); //~ PL0208 `println!`
    store(y, t);
}
