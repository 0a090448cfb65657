//! What users of like tools run into and only a run shows: rows of `docs/pain-points.md`.
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::explicit_counter_loop
)]

use ndarray::{Array1, Array2, array};
use pl::prelude::*;

fn runtime() -> Runtime {
    Runtime::new(ui_helpers::checked()).expect("the default configuration is valid")
}

fn numbers(n: usize) -> Array1<f32> {
    Array1::from_iter((0..n).map(|i| i as f32))
}

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::incore]
fn add_one(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x) + 1.0);
}

#[pl::jit(auto_scope = false)]
fn layers(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let mut cur = x;
    for _ in 0..4 {
        let n = create_tensor::<f32>([x.dim(0)]);
        add_one(cur, n);
        cur = n;
    }
    copy(cur, y);
}

#[test]
fn c2_what_a_loop_carries_reaches_the_output() {
    let mut y = Array1::zeros(4);
    layers(&runtime(), &numbers(4), &mut y).unwrap();
    assert_eq!(y, numbers(4) + 4.0);
}

#[pl::jit(auto_scope = false)]
fn one_buffer_each(y: Out<Tensor<f32, 4>>) {
    let (mut first, mut last) = (y, y);
    for i in 0..4 {
        let t = create_tensor::<f32>([1]).init(0.0);
        t.set([0], i as f32);
        if i == 0 {
            first = t;
        }
        last = t;
    }
    copy(first, y.slice(s![0..1]));
    copy(last, y.slice(s![3..4]));
    y.set([1], first.get([0]));
    y.set([2], last.get([0]));
}

#[test]
fn c4_iterations_do_not_share_what_they_create() {
    let mut y = Array1::zeros(4);
    one_buffer_each(&runtime(), &mut y).unwrap();
    assert_eq!(y, array![0.0, 0.0, 3.0, 3.0]);
}

#[pl::jit]
fn nested(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    for i in (0..9).step_by(3) {
        let end = i + 3;
        for j in i..end {
            let end = j + 1;
            add_one(x.slice(s![j..end]), y.slice(s![j..end]));
        }
        let rest = end - i;
        y.set([i], rest as f32);
    }
}

#[test]
fn c19_a_bound_of_an_outer_loop_is_not_clobbered_by_an_inner_name() {
    let mut y = Array1::zeros(9);
    nested(&runtime(), &numbers(9), &mut y).unwrap();
    assert_eq!(y, array![3.0, 2.0, 3.0, 3.0, 5.0, 6.0, 3.0, 8.0, 9.0]);
}

#[pl::jit::inline]
fn named_task(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = create_tensor::<f32>([x.dim(0)]);
    add_one(x, t);
    add_one(t, y);
}

#[pl::jit]
fn one_entry(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    named_task(x, y);
}

#[pl::jit]
fn other_entry(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = create_tensor::<f32>([x.dim(0)]);
    named_task(x, t);
    named_task(t, y);
}

#[test]
fn c11_one_helper_serves_two_entries_of_one_program() {
    let (mut one, mut other) = (Array1::zeros(4), Array1::zeros(4));
    one_entry(&runtime(), &numbers(4), &mut one).unwrap();
    other_entry(&runtime(), &numbers(4), &mut other).unwrap();
    assert_eq!((one, other), (numbers(4) + 2.0, numbers(4) + 4.0));
}

#[pl::jit]
fn descending(y: Out<Tensor<f32, 8>>) {
    let mut n = 0;
    for k in (0..8).rev() {
        y.set([k], n as f32);
        n += 1;
    }
    for k in (0..8).step_by(3).rev() {
        y.set([k], -1.0);
    }
}

#[test]
fn d1_a_descending_loop_runs() {
    let mut y = Array1::zeros(8);
    descending(&runtime(), &mut y).unwrap();
    assert_eq!(y, array![-1.0, 6.0, 5.0, -1.0, 3.0, 2.0, -1.0, 0.0]);
}

#[pl::jit]
fn summed(y: Out<Tensor<f32, 1>>) {
    let mut acc: i64 = 0;
    for i in 0..5 {
        acc += i;
    }
    y.set([0], acc as f32);
}

#[test]
fn d2_an_accumulator_starts_with_a_number() {
    let mut y = Array1::zeros(1);
    summed(&runtime(), &mut y).unwrap();
    assert_eq!(y, array![10.0]);
}

#[pl::jit]
fn too_large(n: usize, y: Out<Tensor<f32, 1>>) {
    let _t = create_tensor::<f32>([n, n]).init(0.0);
    y.set([0], 1.0);
}

#[test]
fn d3_a_tensor_of_seventy_thousand_squared_is_refused_with_its_bytes() {
    let mut y = Array1::zeros(1);
    let error = too_large(&runtime(), 70_000, &mut y)
        .unwrap_err()
        .to_string();
    assert!(error.contains("19600000000"), "{error}");
}

#[pl::jit]
fn far_row(x: Tensor<f32, _>, i: usize, y: Out<Tensor<f32, 1>>) {
    copy(x.slice(s![i * 65536..i * 65536 + 1]), y);
}

#[test]
fn d4_a_product_of_indices_is_not_cut_to_32_bits() {
    let mut y = Array1::zeros(1);
    // 65536 * 65536 is 0 in 32 bits, which would be a valid row.
    let error = far_row(&runtime(), &numbers(4), 65_536, &mut y).unwrap_err();
    assert!(error.to_string().contains("4294967296"), "{error}");
}

#[pl::jit]
fn counted(from: usize, to: usize, step: usize, y: Out<Tensor<f32, 1>>) {
    let mut n = 0;
    for _ in (from..to).step_by(step) {
        n += 1;
    }
    y.set([0], n as f32);
}

#[test]
fn d5_a_step_of_zero_is_an_error_and_an_empty_range_runs_nothing() {
    let mut y = Array1::from_elem(1, 7.0);
    let error = counted(&runtime(), 0, 4, 0, &mut y).unwrap_err();
    assert!(error.to_string().contains("step"), "{error}");
    counted(&runtime(), 4, 0, 1, &mut y).unwrap();
    assert_eq!(y, array![0.0]);
}

#[pl::jit(dims(N))]
fn through(x: Tensor<f32, N>, y: Out<Tensor<f32, N>>) {
    let t = create_tensor::<f32>([N]);
    add_one(x, t);
    add_one(t, y);
}

#[test]
fn d6_no_rows_at_all_go_through_the_whole_pipeline() {
    let mut y = Array1::zeros(0);
    let report = through(&runtime(), &numbers(0), &mut y).unwrap();
    let tasks = (report.alloc_tasks[1], report.kernel_tasks[1]);
    assert_eq!(tasks, (1, 2), "on the ring of the body");
}

#[pl::jit(dims(M))]
fn like(x: Tensor<f32, M>, y: Out<Tensor<f32, M>>) {
    let t = create_tensor::<f32>([x.dim(0)]);
    copy(x.slice(s![0..M]), t.slice(s![0..M]));
    copy(t, y);
}

#[test]
fn d7_a_dimension_is_one_length_by_both_of_its_names() {
    let mut y = Array1::zeros(5);
    like(&runtime(), &numbers(5), &mut y).unwrap();
    assert_eq!(y, numbers(5));
}

#[pl::jit::incore]
fn wide(n: u64, y: Out<Tensor<u64, 1>>) {
    store(y, full([1], n));
}

#[pl::jit]
fn pass_wide(n: u64, y: Out<Tensor<u64, 1>>) {
    wide(n, y);
}

#[test]
fn d8_a_scalar_of_64_bits_arrives_whole() {
    let (n, mut y) = ((1 << 40) + 1, Array1::zeros(1));
    pass_wide(&runtime(), n, &mut y).unwrap();
    assert_eq!(y, array![n]);
}

#[pl::jit]
fn paged(table: Tensor<i32, _>, cache: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    for i in 0..table.dim(0) {
        let page = table.get([i]);
        let row = page as usize * 2;
        copy(cache.slice(s![row..row + 2]), y.slice(s![i * 2..i * 2 + 2]));
    }
}

#[test]
fn d9_a_page_number_of_minus_one_is_an_error_with_its_line() {
    let mut y = Array1::zeros(4);
    paged(&runtime(), &array![1, 0], &numbers(4), &mut y).unwrap();
    assert_eq!(y, array![2.0, 3.0, 0.0, 1.0]);
    let error = paged(&runtime(), &array![1, -1], &numbers(4), &mut y).unwrap_err();
    assert!(error.to_string().contains("pain_points.rs:"), "{error}");
}

#[pl::jit::incore]
fn columns(x: Tensor<f32, _, 4>, y: Out<Tensor<f32, _, 2>>) {
    let t = load(x);
    store(y, t.slice(s![.., 2..4]) * 2.0 + t.slice(s![.., 0..2]));
}

#[test]
fn d10_columns_of_a_tile_are_right_in_every_row() {
    let x = Array2::from_shape_fn((3, 4), |(i, j)| (i * 4 + j) as f32);
    let mut y = Array2::zeros((3, 2));
    columns::launch(&runtime(), &x, &mut y).unwrap();
    let expected = Array2::from_shape_fn((3, 2), |(i, j)| 2.0 * x[[i, j + 2]] + x[[i, j]]);
    assert_eq!(y, expected);
}

#[pl::jit::incore]
fn ragged(x: Tensor<f32, _, 2>, y: Out<Tensor<f32, _>>) {
    let n = x.dim(0).min(5);
    let part = load(x.slice(s![0..n, ..]));
    store(y.slice(s![0..n * 2]), exp(part.reshape([n * 2])));
}

#[test]
fn d11_a_ragged_tile_has_no_rows_of_padding() {
    let mut y = Array1::from_elem(16, -1.0);
    ragged::launch(&runtime(), &Array2::zeros((8, 2)), &mut y).unwrap();
    assert!(
        y.iter().take(10).all(|&v| (v - 1.0_f32).abs() < 1e-6),
        "{y}"
    );
    assert!(y.iter().skip(10).all(|&v| v < 0.0), "{y}");
}

#[pl::jit::incore]
fn narrower(x: Tensor<f32, 4, 4>, n: usize, y: Out<Tensor<f32, 4, 4>>) {
    let carried = load(x);
    for _ in 0..2 {
        scratch_scope!({
            copy_to(carried, carried.slice(s![.., 0..n]) + 1.0);
        });
    }
    store(y, carried);
}

#[test]
fn d14_a_carried_tile_keeps_its_shape_and_the_error_names_both() {
    let mut y = Array2::zeros((4, 4));
    let error = narrower::launch(&runtime(), &Array2::zeros((4, 4)), 2, &mut y).unwrap_err();
    let text = error.to_string();
    for part in ["copy_to", "[4, 4]", "[4, 2]", "pain_points.rs:"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[pl::jit::incore]
fn ahead(x: Tensor<f32, 12>, y: Out<Tensor<f32, 12>>) {
    let next = load(x.slice(s![0..4]));
    for j in (0..12).step_by(4) {
        scratch_scope!({
            store(y.slice(s![j..j + 4]), next + 1.0);
            if j < 8 {
                copy_to(next, load(x.slice(s![j + 4..j + 8])));
            }
        });
    }
}

#[test]
fn d16_a_tile_that_lives_across_iterations_is_not_recycled() {
    let mut y = Array1::zeros(12);
    ahead::launch(&runtime(), &numbers(12), &mut y).unwrap();
    assert_eq!(y, numbers(12) + 1.0);
}

#[pl::jit::incore]
fn two_types_at_one_place(x: Tensor<f32, 16>, y: Out<Tensor<f32, 16>>, z: Out<Tensor<u8, 16>>) {
    scratch_scope!({
        store(y, load(x) * 2.0);
    });
    scratch_scope!({
        store(z, cast::<u8>(load(x)) + 1);
    });
    scratch_scope!({
        store(y, load(x) + 1.0);
    });
}

#[test]
fn d17_tiles_of_two_types_may_use_the_same_bytes_one_after_the_other() {
    let (mut y, mut z) = (Array1::zeros(16), Array1::zeros(16));
    two_types_at_one_place::launch(&runtime(), &numbers(16), &mut y, &mut z).unwrap();
    assert_eq!(y, numbers(16) + 1.0);
    assert_eq!(z, Array1::from_iter(1..17_u8));
}

#[pl::jit::incore]
fn in_place(x: Tensor<f32, 8>, y: Out<Tensor<f32, 8>>) {
    let whole = load(x);
    let part = whole.slice(s![2..4]);
    copy_to(part, part * 10.0);
    store(y, whole);
}

#[test]
fn d19_a_view_written_in_place_changes_its_part_of_the_whole() {
    let mut y = Array1::zeros(8);
    in_place::launch(&runtime(), &numbers(8), &mut y).unwrap();
    assert_eq!(y, array![0.0, 1.0, 20.0, 30.0, 4.0, 5.0, 6.0, 7.0]);
}

#[pl::jit]
fn wants_four(x: Tensor<f32, 4>, y: Out<Tensor<f32, 4>>) {
    copy(x, y);
}

#[test]
fn e3_a_kernel_that_cannot_run_is_an_error_and_writes_nothing() {
    let mut y = Array1::from_elem(4, 9.0);
    assert!(wants_four(&runtime(), &numbers(5), &mut y).is_err());
    assert_eq!(y, Array1::from_elem(4, 9.0));
}
