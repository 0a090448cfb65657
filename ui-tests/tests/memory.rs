//! Alone in its process, since it looks at the memory of the whole process.

use ndarray::Array1;
use pl::prelude::*;

#[pl::jit::incore]
fn halve(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x) / 2);
}

#[pl::jit]
fn quarter(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    for i in 0..4 {
        let t = create_tensor::<f32>([64]);
        let part = x.slice(s![i * 64..(i + 1) * 64]);
        halve(part, t);
        halve(t, y.slice(s![i * 64..(i + 1) * 64]));
    }
}

/// Resident memory, in pages.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    text.split_whitespace()
        .nth(1)
        .and_then(|pages| pages.parse().ok())
        .expect("a number")
}

#[test]
fn a_thousand_runs_on_one_runtime_do_not_grow_memory() {
    let rt = Runtime::new(RunConfig::default()).unwrap();
    let (x, mut y) = (Array1::ones(256), Array1::zeros(256));
    let mut run = || drop(quarter(&rt, &x, &mut y).unwrap());
    (0..100).for_each(|_| run());
    let before = resident();
    (0..1000).for_each(|_| run());
    let grown = resident().saturating_sub(before);
    assert!(grown < 64, "{grown} pages more after 1000 runs");
}
