//! Scratch scopes: what a long attention sweep needs from them, overflow and poison.

#![allow(
    clippy::many_single_char_names,
    reason = "matrices and their lengths have short names"
)]

use crate::support::*;
use pl_runtime::dtype::DType;
use pl_runtime::error::OperationError;
use pl_runtime::site::Site;
use pl_runtime::tensor::SliceItem::{Full, Range};
use pl_runtime::tile::{self, Arena, Scratch, Tile};

const QUERIES: usize = 32;
const KEYS: usize = 64;
const HEAD: usize = 16;
const SCALE: f32 = 0.25;

/// Keys and values of the whole context, in device memory's place.
struct Context {
    keys: Vec<f32>,
    values: Vec<f32>,
    queries: Vec<f32>,
}

impl Context {
    fn new(tiles: usize) -> Self {
        let random = |seed, n: usize| (0..n).map(noise(seed)).collect();
        Self {
            keys: random(1, tiles * KEYS * HEAD),
            values: random(2, tiles * KEYS * HEAD),
            queries: random(3, QUERIES * HEAD),
        }
    }

    fn tiles(&self) -> usize {
        self.keys.len() / (KEYS * HEAD)
    }

    /// Softmax of scaled scores, times the values, in `f64`.
    fn exact(&self) -> Vec<f64> {
        let wide = |v: &[f32]| v.iter().map(|&x| f64::from(x)).collect::<Vec<_>>();
        let (keys, values, queries) = (wide(&self.keys), wide(&self.values), wide(&self.queries));
        let mut out = Vec::new();
        for q in queries.chunks(HEAD) {
            let score =
                |k: &[f64]| q.iter().zip(k).map(|(a, b)| a * b).sum::<f64>() * f64::from(SCALE);
            let weights = keys
                .chunks(HEAD)
                .map(|k| score(k).exp())
                .collect::<Vec<_>>();
            let total = weights.iter().sum::<f64>();
            for d in 0..HEAD {
                let sum = weights
                    .iter()
                    .zip(values.chunks(HEAD))
                    .map(|(w, v)| w * v[d])
                    .sum::<f64>();
                out.push(sum / total);
            }
        }
        out
    }
}

fn from<'s>(s: &'s Scratch<'_>, data: &[f32], rows: usize) -> Result<Tile<'s>, OperationError> {
    let out = tile::zeros(s, SITE, DType::F32, &[rows, HEAD])?;
    fill(out, |i| data[i]);
    Ok(out)
}

/// One tile of keys and values folded into the running maximum, sum and output.
fn fold(
    s: &Scratch<'_>,
    context: &Context,
    j: usize,
    [q, m, l, acc]: [Tile<'_>; 4],
) -> Result<(), OperationError> {
    let part = j * KEYS * HEAD..(j + 1) * KEYS * HEAD;
    let k = from(s, &context.keys[part.clone()], KEYS)?;
    let v = from(s, &context.values[part], KEYS)?;
    let scores = tile::mul(
        s,
        SITE,
        tile::dot(s, SITE, q, tile::transpose(s, SITE, k)?)?,
        SCALE,
    )?;
    let m_new = tile::maximum(s, SITE, m, tile::row_max(s, SITE, scores)?)?;
    let p = tile::exp(s, SITE, tile::sub(s, SITE, scores, m_new)?)?;
    let alpha = tile::exp(s, SITE, tile::sub(s, SITE, m, m_new)?)?;
    let l_new = tile::add(
        s,
        SITE,
        tile::mul(s, SITE, l, alpha)?,
        tile::row_sum(s, SITE, p)?,
    )?;
    let kept = tile::mul(s, SITE, acc, alpha)?;
    tile::copy_to(s, SITE, l, l_new)?;
    tile::copy_to(
        s,
        SITE,
        acc,
        tile::add(s, SITE, kept, tile::dot(s, SITE, p, v)?)?,
    )?;
    tile::copy_to(s, SITE, m, m_new)
}

/// The whole sweep, with a scope for each tile or without.
fn sweep(core: &Scratch<'_>, context: &Context, scoped: bool) -> Result<Vec<f32>, OperationError> {
    let q = from(core, &context.queries, QUERIES)?;
    let m = tile::full(core, SITE, DType::F32, &[QUERIES, 1], f32::NEG_INFINITY)?;
    let l = tile::zeros(core, SITE, DType::F32, &[QUERIES, 1])?;
    let acc = tile::zeros(core, SITE, DType::F32, &[QUERIES, HEAD])?;
    for j in 0..context.tiles() {
        if scoped {
            fold(&core.enter(SITE), context, j, [q, m, l, acc])?;
        } else {
            fold(core, context, j, [q, m, l, acc])?;
        }
    }
    Ok(values(tile::div(core, SITE, acc, l)?))
}

fn mebibyte() -> Arena {
    Arena::new(1 << 20, true).unwrap()
}

fn assert_close(ours: &[f32], exact: &[f64]) {
    assert_eq!(ours.len(), exact.len());
    for (ours, exact) in ours.iter().zip(exact) {
        assert!(
            (f64::from(*ours) - exact).abs() < 1e-6,
            "{ours} for {exact}"
        );
    }
}

#[test]
fn recycling_bounds_the_peak_by_the_footprint_of_one_tile() {
    let peak = |tiles| {
        let mut arena = mebibyte();
        sweep(&arena.start_task(), &Context::new(tiles), true).unwrap();
        arena.peak()
    };
    let one = peak(1);
    assert_eq!([peak(2), peak(7), peak(40)], [one; 3]);
    // Running state, then k, v, scores, scaled scores, scores less maximum and p, and small ones.
    let large = 4 * (2 * QUERIES * HEAD + 2 * KEYS * HEAD + 4 * QUERIES * KEYS);
    assert!((large..large + 16 * 1024).contains(&one), "{one}");
}

#[test]
fn correctness_a_sweep_with_scopes_gives_what_it_gives_without() {
    let context = Context::new(3);
    let run = |scoped| {
        let mut arena = mebibyte();
        sweep(&arena.start_task(), &context, scoped).unwrap()
    };
    let bits = |v: Vec<f32>| v.into_iter().map(f32::to_bits).collect::<Vec<_>>();
    assert_close(&run(true), &context.exact());
    assert_eq!(bits(run(true)), bits(run(false)));
}

#[test]
fn long_context_completes_where_it_would_overflow_without_scopes() {
    let context = Context::new(100);
    let mut arena = mebibyte();
    let error = sweep(&arena.start_task(), &context, false).unwrap_err();
    assert!(error.message.contains("limit 1048576"), "{error}");
    let out = sweep(&arena.start_task(), &context, true).unwrap();
    assert_close(&out, &context.exact());
}

#[test]
fn isolation_running_values_keep_their_bytes_when_a_scope_closes() {
    let mut arena = mebibyte();
    let core = arena.start_task();
    let running = make(&core, &[8, 8], |i| i as f32);
    let before = values::<f32>(running);
    for round in 0..3 {
        let scope = core.enter(SITE);
        tile::full(&scope, SITE, DType::F32, &[64, 64], -1.0).unwrap();
        let more = tile::add(&scope, SITE, running, 1).unwrap();
        tile::copy_to(&scope, SITE, running, more).unwrap();
        drop(scope);
        let expected = before
            .iter()
            .map(|v| v + (round + 1) as f32)
            .collect::<Vec<_>>();
        assert_same(&values::<f32>(running), &expected, "after the scope");
    }
}

#[test]
fn nesting_rewinds_to_each_scopes_own_save_point() {
    let mut arena = mebibyte();
    let core = arena.start_task();
    let allocate = |s: &Scratch<'_>, bytes| {
        tile::zeros(s, SITE, DType::U8, &[bytes]).unwrap();
        s.arena().used()
    };
    assert_eq!(allocate(&core, 100), 112);
    let block = core.enter(SITE);
    assert_eq!(allocate(&block, 1000), 112 + 1008);
    for _ in 0..2 {
        let inner = block.enter(SITE);
        assert_eq!(allocate(&inner, 16), 112 + 1008 + 16);
        drop(inner);
        assert_eq!(core.arena().used(), 112 + 1008);
    }
    drop(block);
    assert_eq!(core.arena().used(), 112);
    assert_eq!(core.arena().peak(), 112 + 1008 + 16);
    drop(core);
    assert_eq!(arena.used(), 0);
}

#[test]
fn a_forgotten_scope_is_closed_by_the_one_around_it() {
    let mut arena = mebibyte();
    let core = arena.start_task();
    let outer = core.enter(SITE);
    let inner = outer.enter(Site::new("kernel.rs", 9));
    tile::zeros(&inner, SITE, DType::U8, &[64]).unwrap();
    std::mem::forget(inner);
    let text = message("zeros", tile::zeros(&outer, SITE, DType::U8, &[1]));
    assert!(
        text.contains("the one opened at kernel.rs:9 is open"),
        "{text}"
    );
    drop(outer);
    assert_eq!(core.arena().used(), 0);
    tile::zeros(&core, SITE, DType::U8, &[64]).unwrap();
    std::mem::forget(core);
    assert_eq!(arena.start_task().arena().used(), 0);
}

#[test]
fn scopes_closed_out_of_order_do_not_bring_back_bytes() {
    let mut arena = mebibyte();
    let core = arena.start_task();
    let (first, second) = (core.enter(SITE), core.enter(SITE));
    tile::zeros(&second, SITE, DType::U8, &[64]).unwrap();
    drop(first);
    tile::zeros(&core, SITE, DType::U8, &[16]).unwrap();
    drop(second);
    assert_eq!(core.arena().used(), 16);
}

#[test]
fn overflow_says_who_holds_the_scratch_and_what_to_do() {
    let mut arena = Arena::new(4096, false).unwrap();
    let core = arena.start_task();
    let at = |line| Site::new("src/attention.rs", line);
    for (line, bytes) in [(10, 64), (11, 1024), (12, 512), (13, 2048)] {
        tile::zeros(&core, at(line), DType::U8, &[bytes]).unwrap();
    }
    let error = tile::full(&core, at(20), DType::F32, &[16, 16], 0.0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`full` at src/attention.rs:20: the scratch of this core is full: requested 1024, \
         used 3648, limit 4096 bytes\n  \
         largest live allocations:\n    \
         2048 bytes by `zeros` at src/attention.rs:13\n    \
         1024 bytes by `zeros` at src/attention.rs:11\n    \
         512 bytes by `zeros` at src/attention.rs:12\n  \
         help: put the per-tile part into `scratch_scope!`, or raise `RunConfig::scratch_bytes` to \
         8192"
    );
    // What it advises is enough, and what is left can still be used.
    tile::zeros(&core, SITE, DType::U8, &[448]).unwrap();
    let error = tile::zeros(&core, SITE, DType::U8, &[1]).unwrap_err();
    assert!(
        error
            .message
            .contains("requested 1, used 4096, limit 4096 bytes"),
        "{error}"
    );
    assert!(error.message.ends_with("to 8192"), "{error}");
    let empty = Arena::new(0, false).unwrap().start_task().arena().limit();
    assert_eq!(empty, 0);
}

#[test]
fn allocations_of_a_closed_scope_are_not_blamed() {
    let mut arena = Arena::new(4096, false).unwrap();
    let core = arena.start_task();
    tile::zeros(&core.enter(SITE), SITE, DType::U8, &[4096]).unwrap();
    let error = tile::zeros(&core, SITE, DType::U8, &[5000]).unwrap_err();
    assert!(
        error
            .message
            .contains("used 0, limit 4096 bytes\n  largest live allocations:\n    none"),
        "{error}"
    );
}

#[test]
fn the_last_operation_is_known_when_a_task_panics() {
    let mut arena = mebibyte();
    assert_eq!(arena.current_operation(), None);
    let core = arena.start_task();
    let a = tile::zeros(&core, SITE, DType::F32, &[4, 4]).unwrap();
    tile::exp(&core, Site::new("kernel.rs", 8), a).unwrap();
    drop(core);
    assert_eq!(
        arena.current_operation(),
        Some(("exp", Site::new("kernel.rs", 8)))
    );
    assert!(arena.start_task().arena().current_operation().is_none());
}

#[test]
fn peaks_are_measured_from_the_last_reset() {
    let mut arena = mebibyte();
    tile::zeros(&arena.start_task(), SITE, DType::U8, &[640]).unwrap();
    assert_eq!((arena.peak(), arena.used()), (640, 0));
    arena.reset_peak();
    tile::zeros(&arena.start_task(), SITE, DType::U8, &[64]).unwrap();
    assert_eq!(arena.peak(), 64);
}

#[test]
fn tiles_of_another_core_are_refused() {
    let (mut here, mut there) = (mebibyte(), mebibyte());
    let (here, there) = (here.start_task(), there.start_task());
    let a = make(&there, &[4, 4], |i| i as f32);
    let part = a.slice(&[Range(0, 2), Full], SITE).unwrap();
    message("add", tile::add(&here, SITE, part, 1))
        .find("another core")
        .unwrap();
    message("dot", tile::dot(&here, SITE, a, a))
        .find("another core")
        .unwrap();
    message("copy_to", tile::copy_to(&here, SITE, a, a))
        .find("another core")
        .unwrap();
}
