//! `#[pl::function(kind = "..")]` is another way to write the other attributes.

use ndarray::Array1;
use pl::prelude::*;

#[pl::function(kind = "incore", dims(M))]
fn double(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
    store(y, load(x) * 2.0);
}

#[pl::function(kind = "inline", auto_scope = false)]
fn twice(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = create_tensor::<f32>([x.dim(0)]);
    double(x, t);
    double(t, y);
}

#[pl::function(kind = "orchestration", dims(M), crate = ::pl)]
fn four_times(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
    twice(x, y);
}

#[pl::jit(dims(M))]
fn four_times_in_short(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
    twice(x, y);
}

#[test]
fn functions_of_each_kind_work_together() {
    let rt = Runtime::new(ui_helpers::checked()).unwrap();
    let (x, mut y) = (Array1::linspace(0.0, 7.0, 8), Array1::zeros(8));
    four_times(&rt, &x, &mut y).unwrap();
    assert_eq!(y, &x * 4.0);
}

#[test]
fn the_long_spelling_becomes_what_the_short_one_does() {
    let short = four_times_in_short::kernel().orchestration_rust();
    let as_long = short.replace("four_times_in_short", "four_times");
    let without_lines = |text: &str| -> String {
        text.split("Site::new(")
            .map(|part| part.split_once(')').map_or(part, |(_, rest)| rest))
            .collect()
    };
    assert_eq!(
        without_lines(&four_times::kernel().orchestration_rust()),
        without_lines(&as_long)
    );
}
