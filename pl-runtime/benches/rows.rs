//! Operations along rows and columns beside a copy of the same bytes.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pl_runtime::dtype::DType;
use pl_runtime::error::OperationError;
use pl_runtime::site::Site;
use pl_runtime::tile::{self, Arena, Scratch, Tile};
use std::hint::black_box;

const SITE: Site = Site::new(file!(), line!());

type Operation = for<'s> fn(&'s Scratch<'_>, Site, Tile<'s>) -> Result<Tile<'s>, OperationError>;

const OPERATIONS: [(&str, Operation); 9] = [
    ("softmax", |s, site, a| tile::softmax(s, site, a)),
    ("cumsum", |s, site, a| tile::cumsum(s, site, a)),
    ("row_sum", |s, site, a| tile::row_sum(s, site, a)),
    ("row_argmax", tile::row_argmax),
    ("col_sum", tile::col_sum),
    ("col_max", tile::col_max),
    ("col_argmax", tile::col_argmax),
    ("sort", |s, site, a| Ok(tile::sort(s, site, a)?.0)),
    ("top_k", |s, site, a| Ok(tile::top_k(s, site, a, 8)?.0)),
];

/// A tile of numbers that are neither equal nor large.
fn numbers<'s>(core: &'s Scratch<'_>, dims: [usize; 2], dtype: DType) -> Tile<'s> {
    let out = tile::zeros(core, SITE, DType::F32, &dims).unwrap();
    let mut state = 1_u32;
    for i in 0..dims[0] {
        for j in 0..dims[1] {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = (state >> 8) as f32 / (1 << 23) as f32 - 1.0;
            out.set(SITE, &[i, j], value).unwrap();
        }
    }
    tile::cast(core, SITE, dtype, out).unwrap()
}

fn rows(criterion: &mut Criterion) {
    for (dims, dtype) in [
        ([64, 256], DType::F32),
        ([64, 256], DType::Bf16),
        ([1024, 1024], DType::F32),
    ] {
        let mut arena = Arena::new(32 << 20, false).unwrap();
        let core = arena.start_task();
        let a = numbers(&core, dims, dtype);
        let copy = tile::zeros(&core, SITE, dtype, &dims).unwrap();
        let name = format!("rows {}x{} {dtype}", dims[0], dims[1]);
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements((dims[0] * dims[1]) as u64));
        group.bench_function("copy", |bencher| {
            bencher.iter(|| tile::copy_to(&core, SITE, copy, black_box(a)).unwrap());
        });
        for (name, operation) in OPERATIONS {
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    let scope = core.enter(SITE);
                    black_box(operation(&scope, SITE, black_box(a)).unwrap());
                });
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = rows
}
criterion_main!(benches);
