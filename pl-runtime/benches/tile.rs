//! The inner step of attention on tiles, beside its two matrix products alone.

#![allow(
    clippy::many_single_char_names,
    reason = "matrices and their lengths have short names"
)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pl_runtime::dtype::DType;
use pl_runtime::error::OperationError;
use pl_runtime::site::Site;
use pl_runtime::tile::{self, Arena, Scratch, Tile};
use std::hint::black_box;

const SITE: Site = Site::new(file!(), line!());
const QUERIES: usize = 128;
const KEYS: usize = 256;
const HEAD: usize = 128;
/// More than the default: at this size the step does not fit 1 MiB.
const SCRATCH: usize = 2 << 20;

/// A tile of numbers that are neither equal nor large.
fn numbers<'s>(core: &'s Scratch<'_>, dims: [usize; 2]) -> Tile<'s> {
    let out = tile::zeros(core, SITE, DType::F32, &dims).unwrap();
    let mut state = 1_u32;
    for i in 0..dims[0] {
        for j in 0..dims[1] {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = (state >> 8) as f32 / (1 << 23) as f32 - 1.0;
            out.set(SITE, &[i, j], value).unwrap();
        }
    }
    out
}

struct Running<'s> {
    m: Tile<'s>,
    l: Tile<'s>,
    acc: Tile<'s>,
}

fn attend(
    core: &Scratch<'_>,
    q: Tile<'_>,
    k: Tile<'_>,
    v: Tile<'_>,
    state: &Running<'_>,
) -> Result<(), OperationError> {
    let (s, at) = (&core.enter(SITE), SITE);
    let Running { m, l, acc } = *state;
    let scores = tile::dot(s, at, q, tile::transpose(s, at, k)?)?;
    let scores = tile::mul(s, at, scores, 0.088)?;
    let m_new = tile::maximum(s, at, m, tile::row_max(s, at, scores)?)?;
    let p = tile::exp(s, at, tile::sub(s, at, scores, m_new)?)?;
    let alpha = tile::exp(s, at, tile::sub(s, at, m, m_new)?)?;
    let l_new = tile::add(s, at, tile::mul(s, at, l, alpha)?, tile::row_sum(s, at, p)?)?;
    tile::copy_to(s, at, l, l_new)?;
    let scaled = tile::mul(s, at, acc, alpha)?;
    tile::copy_to(
        s,
        at,
        acc,
        tile::add(s, at, scaled, tile::dot(s, at, p, v)?)?,
    )?;
    tile::copy_to(s, at, m, m_new)
}

fn products(
    core: &Scratch<'_>,
    q: Tile<'_>,
    k: Tile<'_>,
    v: Tile<'_>,
) -> Result<(), OperationError> {
    let (s, at) = (&core.enter(SITE), SITE);
    let scores = tile::dot(s, at, q, tile::transpose(s, at, k)?)?;
    black_box(tile::dot(s, at, scores, v)?);
    Ok(())
}

fn attention_step(criterion: &mut Criterion) {
    let mut arena = Arena::new(SCRATCH, false).unwrap();
    let core = arena.start_task();
    let (q, k, v) = (
        numbers(&core, [QUERIES, HEAD]),
        numbers(&core, [KEYS, HEAD]),
        numbers(&core, [KEYS, HEAD]),
    );
    let state = Running {
        m: tile::full(&core, SITE, DType::F32, &[QUERIES, 1], f32::NEG_INFINITY).unwrap(),
        l: tile::zeros(&core, SITE, DType::F32, &[QUERIES, 1]).unwrap(),
        acc: tile::zeros(&core, SITE, DType::F32, &[QUERIES, HEAD]).unwrap(),
    };
    let mut group = criterion.benchmark_group("attention_step_128x256x128");
    // Floating point operations of the two products.
    group.throughput(Throughput::Elements(4 * (QUERIES * KEYS * HEAD) as u64));
    group.bench_function("two_products", |b| {
        b.iter(|| products(&core, q, k, v).unwrap());
    });
    group.bench_function("whole_step", |b| {
        b.iter(|| attend(&core, q, k, v, &state).unwrap());
    });
    group.finish();
}

fn operations(criterion: &mut Criterion) {
    type Operation = fn(&Scratch<'_>, Tile<'_>, Tile<'_>);
    let table: [(&str, Operation); 20] = [
        ("add", |s, a, _| {
            black_box(tile::add(s, SITE, a, a).unwrap());
        }),
        ("mul_scalar", |s, a, _| {
            black_box(tile::mul(s, SITE, a, 0.5).unwrap());
        }),
        ("sub_row", |s, a, column| {
            black_box(tile::sub(s, SITE, a, column).unwrap());
        }),
        ("exp", |s, a, _| {
            black_box(tile::exp(s, SITE, a).unwrap());
        }),
        ("tanh", |s, a, _| {
            black_box(tile::tanh(s, SITE, a).unwrap());
        }),
        ("sigmoid", |s, a, _| {
            black_box(tile::sigmoid(s, SITE, a).unwrap());
        }),
        ("silu", |s, a, _| {
            black_box(tile::silu(s, SITE, a).unwrap());
        }),
        ("gelu", |s, a, _| {
            black_box(tile::gelu(s, SITE, a).unwrap());
        }),
        ("gelu_tanh", |s, a, _| {
            black_box(tile::gelu_tanh(s, SITE, a).unwrap());
        }),
        ("relu", |s, a, _| {
            black_box(tile::relu(s, SITE, a).unwrap());
        }),
        ("clamp", |s, a, _| {
            black_box(tile::clamp(s, SITE, a, -0.5, 0.5).unwrap());
        }),
        ("powi_3", |s, a, _| {
            black_box(tile::powi(s, SITE, a, 3).unwrap());
        }),
        ("lt_row", |s, a, column| {
            black_box(tile::lt(s, SITE, a, column).unwrap());
        }),
        ("lt_and_select", |s, a, column| {
            let mask = tile::lt(s, SITE, a, column).unwrap();
            black_box(tile::select(s, SITE, mask, a, f32::NEG_INFINITY).unwrap());
        }),
        ("iota", |s, a, _| {
            black_box(tile::iota(s, SITE, DType::I32, a.dims(), 1).unwrap());
        }),
        ("cast_bf16", |s, a, _| {
            black_box(tile::cast(s, SITE, DType::Bf16, a).unwrap());
        }),
        ("cast_floor_bf16", |s, a, _| {
            black_box(tile::cast_floor(s, SITE, DType::Bf16, a).unwrap());
        }),
        ("cast_rint_i8", |s, a, _| {
            black_box(tile::cast_rint(s, SITE, DType::I8, a).unwrap());
        }),
        ("row_max", |s, a, _| {
            black_box(tile::row_max(s, SITE, a).unwrap());
        }),
        ("row_sum", |s, a, _| {
            black_box(tile::row_sum(s, SITE, a).unwrap());
        }),
    ];
    let mut arena = Arena::new(SCRATCH, false).unwrap();
    let core = arena.start_task();
    let a = numbers(&core, [QUERIES, KEYS]);
    let column = numbers(&core, [QUERIES, 1]);
    let mut group = criterion.benchmark_group("operation_128x256");
    group.throughput(Throughput::Elements((QUERIES * KEYS) as u64));
    for (name, operation) in table {
        group.bench_function(name, |b| b.iter(|| operation(&core.enter(SITE), a, column)));
    }
    group.finish();
}

criterion_group!(benches, attention_step, operations);
criterion_main!(benches);
