//! The attention family: flash attention (causal or not, with a sliding window, with grouped queries,
//! over sequences of any lengths), the same with prefetched tiles, and paged attention over the blocks of
//! a cache; each in f32, f16 and bf16.
//!
//! All kernels fold tiles of keys into a running softmax (`online.rs`), and recycle the scratch of each
//! tile: what they need does not depend on the length of the context.

#[path = "../support/mod.rs"]
mod support;

mod flash;
mod online;
mod options;
mod paged;
mod prefetch;
mod reference;

use flash::flash_attention;
use ndarray::{Array1, Array2, Ix4, s};
use options::{Dtype, Form, Options, Tiles};
use paged::paged_attention;
use pl::golden::{Compare, Init, Report};
use pl::{bf16, f16, shape};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use reference::{Float, Problem};
use std::process::ExitCode;

use support::{Failure, say};

/// What every kernel of the family is called with, beside its tensors.
struct Scalars {
    scale: f32,
    causal: bool,
    window: usize,
    tiles: Tiles,
}

impl Scalars {
    fn new(options: &Options, tiles: Tiles) -> Self {
        // Without a window, as many keys as there can be.
        let all = options.longest() + options.queries;
        Self {
            scale: 1.0 / (options.head_dim as f32).sqrt(),
            causal: options.causal(),
            window: options.window.map_or(all, |window| window.min(all)),
            tiles,
        }
    }
}

/// Runs the kernel that `$options` name on arrays, or on their shapes alone.
macro_rules! call {
    ($options:expr, $rt:expr, $input:expr, $scalars:expr, [$q:expr, $k:expr, $v:expr, $o:expr]) => {{
        let Scalars {
            scale,
            causal,
            window,
            tiles,
        } = $scalars;
        let Input { lengths, table } = $input;
        let (q_tile, kv_tile) = (tiles.queries, tiles.keys);
        match $options.kernel {
            Form::Paged => paged_attention(
                $rt, $q, $k, $v, table, lengths, *scale, *causal, *window, q_tile, kv_tile, $o,
            ),
            form => flash_attention(
                $rt,
                $q,
                $k,
                $v,
                lengths,
                *scale,
                *causal,
                *window,
                q_tile,
                kv_tile,
                form == Form::Prefetch,
                $o,
            ),
        }
    }};
}

/// What the orchestration reads, in simulated runs too.
struct Input {
    lengths: Array1<i32>,
    table: Array2<i32>,
}

impl Input {
    /// Blocks in no order, so that nothing but the table finds them.
    fn new(options: &Options) -> Self {
        let blocks: Vec<usize> = options.blocks().collect();
        let mut free: Vec<i32> = (0..blocks.iter().sum::<usize>() as i32).collect();
        free.shuffle(&mut StdRng::seed_from_u64(options.run.seed()));
        let mut table = Array2::from_elem(
            (blocks.len(), blocks.iter().copied().max().unwrap_or(0)),
            -1,
        );
        for (mut row, &blocks) in table.rows_mut().into_iter().zip(&blocks) {
            row.slice_mut(s![..blocks])
                .assign(&Array1::from(free.split_off(free.len() - blocks)));
        }
        if let (Some(wrong), Some(&blocks)) = (options.wrong_block, blocks.last()) {
            let last = table.nrows() - 1;
            table[[last, blocks - 1]] = wrong;
        }
        Self {
            lengths: options.keys.iter().map(|&keys| keys as i32).collect(),
            table,
        }
    }
}

fn run_as<T: Float>(options: &Options) -> Result<Option<Report>, Failure> {
    let printed = match options.kernel {
        Form::Paged => options.run.print(paged_attention::kernel::<T>)?,
        Form::Flash | Form::Prefetch => options.run.print(flash_attention::kernel::<T>)?,
    };
    if printed {
        return Ok(None);
    }
    let scalars = &Scalars::new(options, options.tiles()?);
    let input = &Input::new(options);
    let [queries, keys] = options.shapes();
    say(format_args!(
        "tasks of {} queries, tiles of {} keys",
        scalars.tiles.queries, scalars.tiles.keys
    ));
    let (q, kv) = (|| shape::<T>(queries), || shape::<T>(keys));
    if options
        .run
        .simulate(|rt| call!(options, rt, input, scalars, [q(), kv(), kv(), q()]))?
    {
        return Ok(None);
    }
    let rt = &options.run.runtime()?;
    let mut case = options.run.case("attention_family");
    let init = Init::uniform(-2.0, 2.0);
    let q = case.input::<T, Ix4>("q", queries, init)?;
    let k = case.input::<T, Ix4>("k", keys, init)?;
    let v = case.input::<T, Ix4>("v", keys, init)?;
    let mut o = case.output::<T, Ix4>("o", queries);
    let report = case.stage("runtime", || {
        call!(options, rt, input, scalars, [&q, &k, &v, &mut o])
    })?;
    say(report);

    let problem = Problem {
        lengths: &options.keys,
        group: options.heads / options.kv_heads,
        causal: scalars.causal,
        window: options.window,
    };
    let rows = o.len() / options.head_dim;
    let compared = problem.compared(rows, options.head_dim);
    say(format_args!(
        "compared with the reference: {compared} of {rows} rows"
    ));
    let size = options.block_size();
    let context = |b: usize, g: usize, j: usize| {
        let (b, j) = match options.kernel {
            Form::Paged => (input.table[[b, j / size]] as usize, j % size),
            Form::Flash | Form::Prefetch => (b, j),
        };
        [k.view(), v.view()].map(|x| {
            let row = x.slice_move(s![b, g, j, ..]);
            row.to_slice().expect("rows are contiguous")
        })
    };
    let (want, known) = case.stage("golden", || problem.golden(&q, context));
    let compare = Compare::close(T::TOLERANCE, T::TOLERANCE)
        .only(|at| known.contains(&[at[0], at[1], at[2]]));
    case.compare("o", &o, &want, &compare)?;
    Ok(Some(case.finish()))
}

fn run(options: &Options) -> Result<Option<Report>, Failure> {
    match options.dtype {
        Dtype::F32 => run_as::<f32>(options),
        Dtype::F16 => run_as::<f16>(options),
        Dtype::Bf16 => run_as::<bf16>(options),
    }
}

fn main() -> ExitCode {
    support::main(run)
}
