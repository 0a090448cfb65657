//! Softmax of each row of a matrix, one task for each block of rows.
//!
//! Columns are visited in tiles, so that rows of any length fit the scratch of a core. The maximum of
//! the whole row is known before anything is exponentiated: large values do not overflow.

mod support;

use clap::Parser;
use ndarray::{Array2, ArrayView1};
use pl::prelude::*;
use pl::shape;
use std::path::PathBuf;
use std::process::ExitCode;
use support::{
    Check, Failure, RunOptions, random, read_matrix, require_memory, say, size, write_matrix,
};

const ROW_BLOCK: usize = 32;
const COL_TILE: usize = 1024;

#[pl::jit::incore]
fn softmax_rows(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) {
    let max = full([x.dim(0), 1], f32::NEG_INFINITY);
    let sum = zeros([x.dim(0), 1]);
    for j in (0..x.dim(1)).step_by(COL_TILE) {
        let e = (j + COL_TILE).min(x.dim(1));
        scratch_scope!({
            copy_to(max, maximum(max, row_max(load(x.slice(s![.., j..e])))));
        });
    }
    for j in (0..x.dim(1)).step_by(COL_TILE) {
        let e = (j + COL_TILE).min(x.dim(1));
        scratch_scope!({
            copy_to(sum, sum + row_sum(exp(load(x.slice(s![.., j..e])) - max)));
        });
    }
    for j in (0..x.dim(1)).step_by(COL_TILE) {
        let e = (j + COL_TILE).min(x.dim(1));
        scratch_scope!({
            let p = exp(load(x.slice(s![.., j..e])) - max) / sum;
            store(y.slice(s![.., j..e]), p);
        });
    }
}

#[pl::jit(dims(M, N))]
fn row_softmax(x: Tensor<f32, M, N>, y: Out<Tensor<f32, M, N>>) {
    for i in (0..M).step_by(ROW_BLOCK) {
        let e = (i + ROW_BLOCK).min(M);
        softmax_rows(x.slice(s![i..e, ..]), y.slice(s![i..e, ..]));
    }
}

/// Softmax of each row of a matrix
#[derive(Parser)]
struct Options {
    /// Rows of the matrix
    #[arg(long, default_value = "512", value_parser = size, allow_negative_numbers = true)]
    rows: usize,
    /// Columns of the matrix
    #[arg(long, default_value = "256", value_parser = size, allow_negative_numbers = true)]
    cols: usize,
    /// Read the matrix from a .npy file (float32, two dimensions) instead
    #[arg(long, value_name = "X.NPY", conflicts_with_all = ["rows", "cols", "timing", "plan", "audit"])]
    input: Option<PathBuf>,
    /// Write the result to a .npy file, if it is right
    #[arg(long, value_name = "Y.NPY", conflicts_with_all = ["timing", "plan", "audit"])]
    output: Option<PathBuf>,
    #[command(flatten)]
    run: RunOptions,
}

impl Options {
    fn matrix(&self) -> Result<Array2<f32>, Failure> {
        if let Some(path) = &self.input {
            return read_matrix(path);
        }
        let shape = [self.rows, self.cols];
        require_memory(&[&shape, &shape])?;
        Ok(random(self.run.seed, 0, shape))
    }
}

fn reference(row: &ArrayView1<'_, f32>) -> Vec<f64> {
    let max = row
        .iter()
        .fold(f64::NEG_INFINITY, |max, &x| max.max(f64::from(x)));
    let exp: Vec<f64> = row.iter().map(|&x| (f64::from(x) - max).exp()).collect();
    let sum: f64 = exp.iter().sum();
    exp.iter().map(|e| e / sum).collect()
}

fn run(options: &Options) -> Result<Option<Check>, Failure> {
    if options.run.print(row_softmax::kernel) {
        return Ok(None);
    }
    let matrix = || shape::<f32>([options.rows, options.cols]);
    if options
        .run
        .simulate(|rt| row_softmax(rt, matrix(), matrix()))?
    {
        return Ok(None);
    }
    let x = options.matrix()?;
    let mut y = Array2::zeros(x.raw_dim());
    let report = row_softmax(&options.run.runtime()?, &x, &mut y)?;
    say(report);

    let mut check = Check::new(1e-6);
    for (got, x) in y.rows().into_iter().zip(x.rows()) {
        for (&got, want) in got.iter().zip(reference(&x)) {
            check.element(got, want);
        }
    }
    if let Some(path) = &options.output
        && check.holds()
    {
        write_matrix(path, &y)?;
    }
    Ok(Some(check))
}

fn main() -> ExitCode {
    support::main(run)
}
