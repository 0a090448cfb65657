//! Masks, activations, conversions and ragged edges, in kernels as a user writes them.

use ndarray::{Array1, Array2};
use pl::Runtime;
use pl::prelude::*;

#[pl::jit::incore]
fn causal_softmax(x: Tensor<f32, _, _>, start: usize, y: Out<Tensor<f32, _, _>>) {
    let rows = x.dim(0);
    let columns = x.dim(1);
    let row = iota::<i32>([rows, 1], 0) + start;
    let seen = ge(row, iota([1, columns], 1));
    let s = select(seen, load(x), f32::NEG_INFINITY);
    let e = exp(s - row_max(s));
    store(y, e / row_sum(e));
}

#[test]
fn a_causal_mask_is_a_comparison_of_two_counts() -> pl::Result<()> {
    let rt = Runtime::new(ui_helpers::checked())?;
    let x = Array2::from_shape_fn((5, 9), |(i, j)| ((i * 7 + j * 3) % 11) as f32 * 0.5);
    let mut y = Array2::from_elem((5, 9), f32::NAN);
    causal_softmax::launch(&rt, &x, 2, &mut y)?;
    for i in 0..5 {
        let seen = |j: usize| j <= i + 2;
        let sum: f64 = (0..9)
            .filter(|&j| seen(j))
            .map(|j| f64::from(x[[i, j]]).exp())
            .sum();
        for j in 0..9 {
            let exact = if seen(j) {
                f64::from(x[[i, j]]).exp() / sum
            } else {
                0.0
            };
            assert!(
                (f64::from(y[[i, j]]) - exact).abs() < 1e-6,
                "{i} {j}: {}",
                y[[i, j]]
            );
        }
    }
    Ok(())
}

const HIDDEN: usize = 48;

#[pl::jit::incore]
fn mlp(
    x: Tensor<bf16, _, 32>,
    up: Tensor<bf16, 32, HIDDEN>,
    down: Tensor<bf16, HIDDEN, 32>,
    y: Out<Tensor<bf16, _, 32>>,
) {
    let hidden = gelu(dot(load(x), load(up)));
    store(y, dot(hidden, load(down)));
}

/// The error function, by its series.
fn erf(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for n in 1..100 {
        term *= -x * x / f64::from(n);
        sum += term / f64::from(2 * n + 1);
    }
    sum * 2.0 / std::f64::consts::PI.sqrt()
}

#[test]
fn a_network_with_gelu_runs_in_bf16() -> pl::Result<()> {
    let rt = Runtime::new(ui_helpers::checked())?;
    let noise = |seed: usize| {
        move |(i, j): (usize, usize)| {
            bf16::from_f32(((i * 37 + j * 101 + seed) % 67) as f32 / 67.0 - 0.5)
        }
    };
    let (x, up, down) = (
        Array2::from_shape_fn((7, 32), noise(1)),
        Array2::from_shape_fn((32, HIDDEN), noise(2)),
        Array2::from_shape_fn((HIDDEN, 32), noise(3)),
    );
    let mut y = Array2::from_elem((7, 32), bf16::ZERO);
    mlp::launch(&rt, &x, &up, &down, &mut y)?;
    let wide = |a: &Array2<bf16>| a.mapv(bf16::to_f64);
    let rounded = |a: Array2<f64>| a.mapv(|v| bf16::from_f64(v).to_f64());
    let sums = rounded(wide(&x).dot(&wide(&up)));
    let hidden = rounded(sums.mapv(|v| v / 2.0 * (1.0 + erf(v / 2.0_f64.sqrt()))));
    let exact = hidden.dot(&wide(&down));
    for (ours, exact) in y.iter().zip(&exact) {
        assert!(
            (ours.to_f64() - exact).abs() < 0.02 * (1.0 + exact.abs()),
            "{ours} instead of {exact}"
        );
    }
    Ok(())
}

#[pl::jit::incore]
fn gated_block(x: Tensor<f32, _, _>, gate: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    let x = load_padded(x, [16, 32], 0.0);
    let gate = load_padded(gate, [16, 32], f32::NAN);
    store_clipped(y, x * silu(gate));
}

#[pl::jit]
fn gated(x: Tensor<f32, _, _>, gate: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    for i in (0..x.dim(0)).step_by(16) {
        let ie = (i + 16).min(x.dim(0));
        for j in (0..x.dim(1)).step_by(32) {
            let je = (j + 32).min(x.dim(1));
            gated_block(
                x.slice(s![i..ie, j..je]),
                gate.slice(s![i..ie, j..je]),
                y.slice(s![i..ie, j..je]),
            );
        }
    }
}

#[test]
fn ragged_edges_are_padded_to_whole_tiles_and_clipped_again() -> pl::Result<()> {
    let rt = Runtime::new(ui_helpers::checked())?;
    let x = Array2::from_shape_fn((37, 71), |(i, j)| i as f32 - j as f32 / 2.0);
    let gate = Array2::from_shape_fn((37, 71), |(i, j)| j as f32 / 8.0 - i as f32 / 4.0);
    let mut y = Array2::from_elem((37, 71), f32::NAN);
    gated(&rt, &x, &gate, &mut y)?;
    for ((at, &x), &gate) in x.indexed_iter().zip(&gate) {
        let (x, gate) = (f64::from(x), f64::from(gate));
        let exact = x * gate / (1.0 + (-gate).exp());
        assert!(
            (f64::from(y[at]) - exact).abs() <= 1e-6 * exact.abs(),
            "{at:?}"
        );
    }
    Ok(())
}

#[pl::jit]
fn padded_in_place(x: Tensor<f32, 5>, y: Out<Tensor<f32, 8>>, z: Out<Tensor<f32, 5>>) {
    at!("edge", {
        let wide = load_padded(x, [8], -1.0);
        store(y, wide);
        store_clipped(z, wide * 2.0);
    });
}

#[test]
fn a_region_pads_and_clips_too() -> pl::Result<()> {
    let rt = Runtime::new(ui_helpers::checked())?;
    let x = Array1::from_iter((0..5).map(|i| i as f32));
    let (mut y, mut z) = (Array1::zeros(8), Array1::zeros(5));
    padded_in_place(&rt, &x, &mut y, &mut z)?;
    assert_eq!(y.to_vec(), [0.0, 1.0, 2.0, 3.0, 4.0, -1.0, -1.0, -1.0]);
    assert_eq!(z.to_vec(), [0.0, 2.0, 4.0, 6.0, 8.0]);
    Ok(())
}

#[pl::jit::incore]
fn quantised(
    x: Tensor<f32, _>,
    scale: f32,
    y: Out<Tensor<i8, _>>,
    low: Out<Tensor<bf16, _>>,
    high: Out<Tensor<bf16, _>>,
) {
    let x = load(x);
    store(y, cast_rint(clamp(x / scale, -127, 127)));
    store(low, cast_floor(x));
    store(high, cast_ceil(x));
}

#[test]
fn a_conversion_rounds_as_its_name_says() -> pl::Result<()> {
    let rt = Runtime::new(ui_helpers::checked())?;
    let x = Array1::from_iter([0.5_f32, 1.5, -2.5, 1000.0, -1000.0, 1.0 / 3.0, -1.0 / 3.0]);
    let (mut y, mut low, mut high) = (
        Array1::<i8>::zeros(7),
        Array1::from_elem(7, bf16::ZERO),
        Array1::from_elem(7, bf16::ZERO),
    );
    quantised::launch(&rt, &x, 1.0, &mut y, &mut low, &mut high)?;
    assert_eq!(y.to_vec(), [0, 2, -2, 127, -127, 0, 0]);
    for ((low, high), &x) in low.iter().zip(&high).zip(&x) {
        assert!(low.to_f32() <= x && x <= high.to_f32(), "{low} {x} {high}");
        let apart = high.to_f32() - low.to_f32();
        assert!(apart <= x.abs() / 64.0, "{low} {x} {high}");
    }
    Ok(())
}

/// A kernel over any element type: whether it is compared, selected and raised is found when it runs.
#[pl::jit::incore]
fn cubes_of_small<T: Element>(x: Tensor<T, 6>, limit: T, y: Out<Tensor<T, 6>>) {
    let x = load(x);
    store(y, select(and(lt(x, limit), not(eq(x, 2))), powi(x, 3), 1));
}

#[test]
fn a_generic_kernel_compares_and_selects() -> pl::Result<()> {
    let rt = Runtime::new(ui_helpers::checked())?;
    let x = Array1::from_iter(0..6_i32);
    let mut y = Array1::zeros(6);
    cubes_of_small::launch(&rt, &x, 5, &mut y)?;
    assert_eq!(y.to_vec(), [0, 1, 1, 27, 64, 1]);
    let x = x.mapv(|v| v as f32);
    let mut y = Array1::zeros(6);
    cubes_of_small::launch(&rt, &x, 5.0, &mut y)?;
    assert_eq!(y.to_vec(), [0.0, 1.0, 1.0, 27.0, 64.0, 1.0]);
    let flags = Array1::from_elem(6, true);
    let error = cubes_of_small::launch(&rt, &flags, true, &mut flags.clone()).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("`lt` at") && text.contains("elementwise.rs:") && text.contains("bool"),
        "{text}"
    );
    Ok(())
}
