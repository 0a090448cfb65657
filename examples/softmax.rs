//! Softmax of each row of a matrix, one task for each block of rows.
//!
//! Columns are visited in tiles, so that rows of any length fit the scratch of a core. The maximum of
//! the whole row is known before anything is exponentiated: large values do not overflow.

mod support;

use clap::Parser;
use ndarray::{Array2, Ix2};
use pl::golden::{Case, Compare, Init, Report};
use pl::prelude::*;
use pl::shape;
use pl_files::npy::{read_npy, write_npy};
use pl_files::{Data, FileError};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use support::{Failure, RunOptions, require_memory, say, size};

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
    fn matrix(&self, case: &mut Case) -> Result<Array2<f32>, Failure> {
        if let Some(path) = &self.input {
            return Ok(case.given("x", read_matrix(path)?)?);
        }
        let shape = [self.rows, self.cols];
        require_memory(&[&shape, &shape])?;
        Ok(case.input("x", shape, Init::uniform(-2.0, 2.0))?)
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::Usage(error.to_string())
    }
}

fn read_matrix(path: &Path) -> Result<Array2<f32>, FileError> {
    let refuse = |what: String| FileError::new(path, what);
    let matrix = read_npy(path)?.into_array::<f32, Ix2>().map_err(|what| {
        let help = "write the file with `np.save(path, x.astype(np.float32).reshape(rows, cols))`";
        refuse(format!("{what}; {help}"))
    })?;
    if matrix.is_empty() {
        return Err(refuse(format!(
            "a matrix {:?} without elements",
            matrix.shape()
        )));
    }
    Ok(matrix)
}

fn reference(x: &Array2<f32>) -> Array2<f64> {
    let mut y = x.mapv(f64::from);
    for mut row in y.rows_mut() {
        let max = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        row.mapv_inplace(|x| (x - max).exp());
        let sum = row.sum();
        row /= sum;
    }
    y
}

fn run(options: &Options) -> Result<Option<Report>, Failure> {
    if options.run.print(row_softmax::kernel)? {
        return Ok(None);
    }
    let matrix = || shape::<f32>([options.rows, options.cols]);
    if options
        .run
        .simulate(|rt| row_softmax(rt, matrix(), matrix()))?
    {
        return Ok(None);
    }
    let mut case = options.run.case("softmax");
    let x = options.matrix(&mut case)?;
    let mut y = case.output::<f32, Ix2>("y", x.raw_dim());
    let rt = options.run.runtime()?;
    let report = case.stage("runtime", || row_softmax(&rt, &x, &mut y))?;
    say(report);
    let want = case.stage("golden", || reference(&x));
    case.compare("y", &y, &want, &Compare::close(1e-6, 1e-6))?;
    if let Some(path) = &options.output
        && case.passed()
    {
        write_npy(path, &Data::of(&y))?;
    }
    Ok(Some(case.finish()))
}

fn main() -> ExitCode {
    support::main(run)
}
