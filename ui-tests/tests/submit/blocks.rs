use super::{Array1, Array2, array, numbers, runtime, runtimes, says};
use pl::prelude::*;

#[pl::jit::incore]
fn rows(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    let part = y.partition(0);
    let number = (block_idx() * 100 + block_num()) as f32;
    store(part, load(x.partition(0)) + number);
}

#[pl::jit]
fn in_rows(x: Tensor<f32, _, _>, blocks: usize, y: Out<Tensor<f32, _, _>>) {
    submit!(rows(x, y), blocks = blocks);
}

#[test]
fn c094_each_block_writes_its_part() {
    for rt in runtimes() {
        let x = numbers(14).into_shape_with_order((7, 2)).unwrap();
        for (blocks, block_of) in [
            (1, [0, 0, 0, 0, 0, 0, 0]),
            (3, [0, 0, 0, 1, 1, 1, 2]),
            (9, [0, 1, 2, 3, 4, 5, 6]),
        ] {
            let mut y = Array2::zeros((7, 2));
            in_rows(&rt, &x, blocks, &mut y).unwrap();
            let expected = Array2::from_shape_fn((7, 2), |(i, j)| {
                x[[i, j]] + (block_of[i] * 100 + blocks) as f32
            });
            assert_eq!(y, expected);
        }
    }
}

/// As in Triton: the block finds its part of the input by its number.
#[pl::jit::incore]
fn sums(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, 1>>) {
    let mine = y.partition(0);
    let size = x.dim(0).div_ceil(block_num());
    let begin = (block_idx() * size).min(x.dim(0));
    let end = (begin + size).min(x.dim(0));
    if mine.dim(0) > 0 {
        store(mine, row_sum(load(x.slice(s![begin..end, ..]))));
    }
}

#[pl::jit(dims(M, N))]
fn row_sums(x: Tensor<f32, M, N>, y: Out<Tensor<f32, M, 1>>) {
    submit!(
        sums(x, y),
        blocks = M.div_ceil(2).max(1),
        core_type = CoreType::Aiv
    );
}

#[test]
fn a_block_finds_its_part_of_an_input_by_its_number() {
    for rt in runtimes() {
        let x = numbers(15).into_shape_with_order((5, 3)).unwrap();
        let mut y = Array2::zeros((5, 1));
        row_sums(&rt, &x, &mut y).unwrap();
        assert_eq!(y, array![[3.0], [12.0], [21.0], [30.0], [39.0]]);
    }
}

#[test]
fn a_kernel_alone_is_one_block() {
    let x = numbers(6).into_shape_with_order((2, 3)).unwrap();
    let mut y = Array2::zeros((2, 1));
    sums::launch(&runtime(), &x, &mut y).unwrap();
    assert_eq!(y, array![[3.0], [12.0]]);
}

#[pl::jit::incore]
fn whole(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit]
fn in_blocks(x: Tensor<f32, _>, blocks: usize, y: Out<Tensor<f32, _>>) {
    submit!(whole(x, y), blocks = blocks);
}

#[test]
fn an_output_of_several_blocks_is_not_stored_whole() {
    let (x, mut y) = (numbers(4), Array1::zeros(4));
    let rt = runtime();
    in_blocks(&rt, &x, 1, &mut y).unwrap();
    assert_eq!(y, x);
    let error = in_blocks(&rt, &x, 2, &mut y).unwrap_err();
    assert_eq!(error.code(), Some(200));
    says(
        &error,
        &["`whole`", "block 0 of 2", "y.partition(0)", "blocks.rs:"],
    );
}

#[test]
fn no_blocks_and_too_many_are_errors() {
    let (x, mut y) = (numbers(4), Array1::zeros(4));
    let rt = runtime();
    let error = in_blocks(&rt, &x, 0, &mut y).unwrap_err();
    says(&error, &["0 blocks", "use 1 or more"]);
    let error = in_blocks(&rt, &x, 1 << 40, &mut y).unwrap_err();
    says(&error, &["1099511627776 blocks", "at most 4294967295"]);
}

#[pl::jit]
fn together(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    submit!(
        rows(x, y),
        blocks = 5,
        core_type = CoreType::Aic,
        sync_start = true,
    );
}

#[test]
fn blocks_that_cannot_start_together_are_an_error() {
    let x = numbers(10).into_shape_with_order((5, 2)).unwrap();
    let mut y = Array2::zeros((5, 2));
    let with = |clusters| {
        let config = RunConfig {
            clusters,
            ..ui_helpers::checked()
        };
        Runtime::new(config).unwrap()
    };
    let error = together(&with(4), &x, &mut y).unwrap_err();
    assert_eq!(error.code(), Some(7));
    says(&error, &["5 blocks", "4 AIC blocks"]);
    together(&with(5), &x, &mut y).unwrap();
    assert_eq!(y[[4, 1]], x[[4, 1]] + 405.0);
}
