//! `y = x + a`, one task for each tile.
//!
//! The compiler places the scopes: one around the body, one around each iteration of each loop. With
//! the root that is 26 scopes for 16 tasks, and every task is at depth 3, so on ring 3.

mod support;

use clap::Parser;
use ndarray::Ix2;
use pl::golden::{Compare, Init, Report};
use pl::prelude::*;
use pl::shape;
use std::process::ExitCode;
use support::{Failure, RunOptions, require_memory, say, size};

const TILE_ROWS: usize = 128;
const TILE_COLS: usize = 256;

#[pl::jit::incore]
fn add(x: Tensor<f32, _, _>, a: f32, y: Out<Tensor<f32, _, _>>) {
    store(y, load(x) + a);
}

#[pl::jit(dims(M, N))]
fn hello_world(x: Tensor<f32, M, N>, a: f32, y: Out<Tensor<f32, M, N>>) {
    for i in (0..M).step_by(TILE_ROWS) {
        for j in (0..N).step_by(TILE_COLS) {
            let (ie, je) = ((i + TILE_ROWS).min(M), (j + TILE_COLS).min(N));
            add(x.slice(s![i..ie, j..je]), a, y.slice(s![i..ie, j..je]));
        }
    }
}

/// Adds a number to every element of a matrix, one task for each tile of 128 x 256
#[derive(Parser)]
struct Options {
    /// Rows of the matrix
    #[arg(long, default_value = "1024", value_parser = size, allow_negative_numbers = true)]
    rows: usize,
    /// Columns of the matrix
    #[arg(long, default_value = "512", value_parser = size, allow_negative_numbers = true)]
    cols: usize,
    /// The number
    #[arg(long, default_value_t = 1.5, allow_negative_numbers = true)]
    a: f32,
    #[command(flatten)]
    run: RunOptions,
}

fn run(options: &Options) -> Result<Option<Report>, Failure> {
    if options.run.print(hello_world::kernel)? {
        return Ok(None);
    }
    let &Options { rows, cols, a, .. } = options;
    let matrix = || shape::<f32>([rows, cols]);
    if options
        .run
        .simulate(|rt| hello_world(rt, matrix(), a, matrix()))?
    {
        return Ok(None);
    }
    require_memory(&[&[rows, cols], &[rows, cols]])?;
    let mut case = options.run.case("hello_world");
    let x = case.input::<f32, Ix2>("x", [rows, cols], Init::uniform(-2.0, 2.0))?;
    let mut y = case.output::<f32, Ix2>("y", [rows, cols]);
    let rt = options.run.runtime()?;
    let report = case.stage("runtime", || hello_world(&rt, &x, a, &mut y))?;
    say(report);
    let want = case.stage("golden", || x.mapv(|x| f64::from(x) + f64::from(a)));
    case.compare("y", &y, &want, &Compare::close(1e-6, 1e-6))?;
    Ok(Some(case.finish()))
}

fn main() -> ExitCode {
    support::main(run)
}
