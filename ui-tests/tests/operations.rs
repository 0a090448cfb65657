//! Kernels of operations along rows and columns and on chosen rows, from the source to the values.
#![deny(warnings, clippy::pedantic)]
#![allow(clippy::cast_precision_loss, clippy::float_cmp)]

use ndarray::{Array1, Array2, Axis, array, concatenate};
use pl::prelude::*;

fn runtime() -> Runtime {
    Runtime::new(ui_helpers::checked()).expect("the default configuration is valid")
}

/// Numbers that differ, in no order.
fn numbers(rows: usize, columns: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        ((i * 37 + j * 101 + 13) % 97) as f32 / 16.0 - 3.0
    })
}

fn assert_close(ours: &Array2<f32>, expected: &Array2<f32>) {
    assert_eq!(ours.dim(), expected.dim());
    for (ours, expected) in ours.iter().zip(expected) {
        assert!(
            (ours - expected).abs() <= 1e-5 * expected.abs().max(1.0),
            "{ours} instead of {expected}"
        );
    }
}

#[pl::jit::incore(dims(E))]
fn layer_norm(x: Tensor<f32, _, E>, gain: Tensor<f32, E>, y: Out<Tensor<f32, _, E>>) {
    let x = load(x);
    let centred = x - row_mean(x);
    let variance = row_mean(centred * centred);
    store(y, centred * rsqrt(variance + 1e-5) * load(gain));
}

#[test]
fn rows_are_normalised_by_their_means() {
    let x = numbers(7, 33);
    let gain = Array1::from_iter((0..33).map(|i| i as f32));
    let mut y = Array2::zeros((7, 33));
    layer_norm::launch(&runtime(), &x, &gain, &mut y).unwrap();
    let mut expected = x;
    for mut row in expected.rows_mut() {
        let mean = row.mean().unwrap();
        let variance = row.mapv(|v| (v - mean).powi(2)).mean().unwrap();
        row.zip_mut_with(&gain, |v, g| {
            *v = (*v - mean) / (variance + 1e-5).sqrt() * g;
        });
    }
    assert_close(&y, &expected);
}

#[pl::jit::incore(dims(E))]
fn statistics(x: Tensor<f32, _, E>, floats: Out<Tensor<f32, 4, E>>, at: Out<Tensor<i32, 2, E>>) {
    let x = load(x);
    let extremes = concat(col_max(x), col_min(x), 0);
    store(
        floats,
        concat(extremes, concat(col_sum(x), col_mean(x), 0), 0),
    );
    store(at.slice(s![..1, ..]), col_argmax(x));
    store(at.slice(s![1.., ..]), col_argmin(x));
}

#[test]
fn columns_have_extremes_sums_and_means() {
    let x = numbers(13, 21);
    let (mut floats, mut at) = (Array2::zeros((4, 21)), Array2::zeros((2, 21)));
    statistics::launch(&runtime(), &x, &mut floats, &mut at).unwrap();
    let of_columns =
        |f: fn(f32, f32) -> f32| x.map_axis(Axis(0), |c| c.iter().copied().reduce(f).unwrap());
    let max = of_columns(f32::max).insert_axis(Axis(0));
    let min = of_columns(f32::min).insert_axis(Axis(0));
    let sum = x.sum_axis(Axis(0)).insert_axis(Axis(0));
    let mean = &sum / 13.0;
    let expected = concatenate![Axis(0), max, min, sum, mean];
    assert_close(&floats, &expected);
    for (j, column) in x.columns().into_iter().enumerate() {
        let first = |best: f32| column.iter().position(|v| *v == best).unwrap();
        assert_eq!(
            usize::try_from(at[[0, j]]).unwrap(),
            first(expected[[0, j]])
        );
        assert_eq!(
            usize::try_from(at[[1, j]]).unwrap(),
            first(expected[[1, j]])
        );
    }
}

const EXPERTS: usize = 8;
const CHOSEN: usize = 2;

/// Which experts see a token, and with what weight.
#[pl::jit::incore(dims(N))]
fn route(
    logits: Tensor<f32, N, EXPERTS>,
    weights: Out<Tensor<f32, N, CHOSEN>>,
    experts: Out<Tensor<i32, N, CHOSEN>>,
) {
    let (best, indices) = top_k(softmax(load(logits)), CHOSEN);
    store(weights, best / row_sum(best));
    store(experts, indices);
}

/// The sum of what the experts of each token, rows of `table`, give.
#[pl::jit::incore(dims(N, E))]
fn mix(
    weights: Tensor<f32, N, CHOSEN>,
    experts: Tensor<i32, N, CHOSEN>,
    table: Tensor<f32, EXPERTS, E>,
    y: Out<Tensor<f32, N, E>>,
) {
    let (weights, experts) = (load(weights), load(experts));
    let sum = zeros([N, E]);
    for k in 0..CHOSEN {
        scratch_scope!({
            let rows = gather_rows(table, experts.slice(s![.., k..k + 1]));
            copy_to(sum, sum + rows * weights.slice(s![.., k..k + 1]));
        });
    }
    store(y, sum);
}

#[pl::jit(dims(N, E))]
fn mixture(
    logits: Tensor<f32, N, EXPERTS>,
    table: Tensor<f32, EXPERTS, E>,
    y: Out<Tensor<f32, N, E>>,
) {
    let weights = create_tensor::<f32>([N, CHOSEN]);
    let experts = create_tensor::<i32>([N, CHOSEN]);
    route(logits, weights, experts);
    mix(weights, experts, table, y);
}

#[test]
fn tokens_are_routed_to_their_best_experts() {
    let (logits, table) = (numbers(11, EXPERTS), numbers(EXPERTS, 19));
    let mut y = Array2::zeros((11, 19));
    mixture(&runtime(), &logits, &table, &mut y).unwrap();
    let mut expected = Array2::zeros((11, 19));
    for (logits, mut y) in logits.rows().into_iter().zip(expected.rows_mut()) {
        let mut order = (0..EXPERTS).collect::<Vec<_>>();
        order.sort_by(|a, b| logits[*b].total_cmp(&logits[*a]));
        let order = &order[..CHOSEN];
        let sum = order.iter().map(|&e| logits[e].exp()).sum::<f32>();
        for &expert in order {
            y.scaled_add(logits[expert].exp() / sum, &table.row(expert));
        }
    }
    assert_close(&y, &expected);
}

/// New rows of a cache, at the places that a table names.
#[pl::jit::incore]
fn append(rows: Tensor<f32, _, 4>, places: Tensor<i64, _>, cache: InOut<Tensor<f32, _, 4>>) {
    scatter_rows(cache, load(places), load(rows));
}

#[pl::jit]
fn append_in_region(
    rows: Tensor<f32, _, 4>,
    places: Tensor<i64, _>,
    cache: InOut<Tensor<f32, _, 4>>,
) {
    at!("append", {
        scatter_rows(cache, load(places), load(rows));
    });
}

#[test]
fn scattered_rows_leave_the_others_as_they_were() {
    let rows = numbers(3, 4);
    let places = array![5_i64, 0, 2];
    let mut expected = Array2::from_elem((6, 4), 9.0);
    for (i, place) in [5, 0, 2].into_iter().enumerate() {
        expected.row_mut(place).assign(&rows.row(i));
    }
    let mut cache = Array2::from_elem((6, 4), 9.0);
    append::launch(&runtime(), &rows, &places, &mut cache).unwrap();
    assert_eq!(cache, expected);
    let mut cache = Array2::from_elem((6, 4), 9.0);
    append_in_region(&runtime(), &rows, &places, &mut cache).unwrap();
    assert_eq!(cache, expected);
    let error = append::launch(&runtime(), &rows, &array![5_i64, 6, 2], &mut cache);
    let text = error.unwrap_err().to_string();
    assert!(
        text.contains("index 6 at position 1 is outside the 6 rows of [6, 4] f32"),
        "{text}"
    );
    assert!(text.contains("operations.rs"), "{text}");
}

#[pl::jit::incore(dims(M, N))]
fn in_order(
    x: Tensor<f32, M, N>,
    up: Out<Tensor<f32, M, N>>,
    down: Out<Tensor<f32, M, N>>,
    places: Out<Tensor<i32, M, N>>,
    sums: Out<Tensor<f32, M, N>>,
    first: Out<Tensor<f32, M, N>>,
) {
    let x = load(x);
    let (sorted, _) = sort(x);
    store(up, sorted);
    let (sorted, indices) = sort_descending(x);
    store(down, sorted);
    store(places, indices);
    store(sums, cumsum(x));
    // The row with the largest first element, and so on: rows in the order of a column.
    let (_, rows) = sort(transpose(x.slice(s![.., 0..1])));
    store(first, take_rows(x, rows.reshape([M])));
}

#[test]
fn rows_are_sorted_and_summed_up() {
    let x = numbers(5, 9);
    let mut floats = [(); 4].map(|()| Array2::zeros((5, 9)));
    let mut places = Array2::zeros((5, 9));
    let [up, down, sums, first] = &mut floats;
    in_order::launch(&runtime(), &x, up, down, &mut places, sums, first).unwrap();
    for (i, row) in x.rows().into_iter().enumerate() {
        let mut sorted = row.to_vec();
        sorted.sort_by(f32::total_cmp);
        assert_eq!(floats[0].row(i).to_vec(), sorted);
        sorted.reverse();
        assert_eq!(floats[1].row(i).to_vec(), sorted);
        let named = places.row(i).mapv(|at| row[usize::try_from(at).unwrap()]);
        assert_eq!(named.to_vec(), sorted);
        let sums = row.iter().scan(0.0, |sum, v| {
            *sum += v;
            Some(*sum)
        });
        assert_eq!(floats[2].row(i).to_vec(), sums.collect::<Vec<_>>());
    }
    let mut order = (0..5).collect::<Vec<_>>();
    order.sort_by(|a, b| x[[*a, 0]].total_cmp(&x[[*b, 0]]));
    assert_eq!(floats[3], x.select(Axis(0), &order));
}
