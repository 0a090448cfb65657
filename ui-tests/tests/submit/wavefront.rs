//! The cheapest way through a grid, down and to the right, in blocks: a wave that runs as the ids say.

use super::{Array2, runtimes};
use ndarray::s;
use pl::prelude::*;

const BLOCK: usize = 4;
const MOST: usize = 8;

#[pl::jit::incore]
fn relax(
    cost: Tensor<f32, BLOCK, BLOCK>,
    above: Tensor<f32, 1, BLOCK>,
    left: Tensor<f32, BLOCK, 1>,
    best: Out<Tensor<f32, BLOCK, BLOCK>>,
) {
    let (cost, above, left) = (load(cost), load(above), load(left));
    let ways = zeros([BLOCK, BLOCK]);
    for i in 0..BLOCK {
        for j in 0..BLOCK {
            let mut up = above.get([0, j]);
            let mut back = left.get([i, 0]);
            if i > 0 {
                up = ways.get([i - 1, j]);
            }
            if j > 0 {
                back = ways.get([i, j - 1]);
            }
            ways.set([i, j], cost.get([i, j]) + up.min(back));
        }
    }
    store(best, ways);
}

/// `best` has a border above and on the left.
#[pl::jit(dims(M, N))]
fn cheapest(cost: Tensor<f32, M, N>, best: InOut<Tensor<f32, _, _>>) {
    manual_scope!({
        // The task of each column's lowest block so far.
        let mut above = TaskIds::<MOST>::new();
        for i in 0..M / BLOCK {
            let (y, end) = (i * BLOCK, (i + 1) * BLOCK);
            let mut left = TaskId::NONE;
            for j in 0..N / BLOCK {
                let (x, edge) = (j * BLOCK, (j + 1) * BLOCK);
                left = submit!(
                    relax(
                        cost.slice(s![y..end, x..edge]),
                        best.slice(s![y..y + 1, x + 1..edge + 1]),
                        best.slice(s![y + 1..end + 1, x..x + 1]),
                        best.slice(s![y + 1..end + 1, x + 1..edge + 1]),
                    ),
                    deps = [above[j], left]
                );
                above[j] = left;
            }
        }
    });
}

#[test]
fn the_wave_gives_what_a_plain_loop_gives() {
    let (m, n) = (24, 32);
    let cost = Array2::from_shape_fn((m, n), |(i, j)| ((i * 7 + j * 13) % 11) as f32);
    let mut border = Array2::from_elem((m + 1, n + 1), f32::INFINITY);
    border[[0, 1]] = 0.0;
    let mut expected = border.clone();
    for i in 0..m {
        for j in 0..n {
            let before = expected[[i, j + 1]].min(expected[[i + 1, j]]);
            expected[[i + 1, j + 1]] = cost[[i, j]] + before;
        }
    }
    for rt in runtimes() {
        let mut best = border.clone();
        cheapest(&rt, &cost, &mut best).unwrap();
        assert_eq!(best.slice(s![1.., 1..]), expected.slice(s![1.., 1..]));
    }
}
