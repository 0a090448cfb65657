//! How long an attribute takes: functions of 100, 1000 and 10 000 statements, and the largest one of
//! `examples/`.
//!
//! `cargo bench -p pl-codegen --bench expansion`. Tokens are those of `proc_macro2` outside rustc;
//! `scripts/check-cost.sh` measures within it.

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pl_codegen::ir::Kind;
use pl_codegen::syntax::{Spelling, expand};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::Path;

/// Ten statements of all kinds.
const GROUP: &str = include_str!("mixed.txt");

/// An entry of so many statements.
fn generated(statements: usize) -> TokenStream {
    let mut text =
        "fn f(n: usize, x: Tensor<f32, 64, 64>, y: Out<Tensor<f32, 64, 64>>) {".to_owned();
    for group in 0..statements / 10 {
        let _ = write!(text, "{}", GROUP.replace('@', &group.to_string()));
    }
    text.push('}');
    text.parse().expect("Rust")
}

/// The marked function of `examples/` with the most tokens.
fn largest_example() -> (Kind, TokenStream) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut kernels = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is part of the repository") {
        let path = entry.expect("readable").path();
        if path.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        let file = syn::parse_file(&fs::read_to_string(path).expect("readable")).expect("Rust");
        for item in file.items {
            let syn::Item::Fn(mut function) = item else {
                continue;
            };
            let named = |attr: &syn::Attribute| attr.path().to_token_stream().to_string();
            let kind = match function.attrs.first().map(named).as_deref() {
                Some("pl :: jit") => Kind::Entry,
                Some("pl :: jit :: inline") => Kind::Inline,
                Some("pl :: jit :: incore") => Kind::Incore,
                _ => continue,
            };
            function.attrs.clear();
            kernels.push((kind, function.into_token_stream()));
        }
    }
    let size = |(_, tokens): &(Kind, TokenStream)| tokens.to_string().len();
    kernels
        .into_iter()
        .max_by_key(size)
        .expect("there are some")
}

fn expansion(c: &mut Criterion) {
    let mut group = c.benchmark_group("expansion");
    group.sample_size(10);
    let mut measure = |id: BenchmarkId, statements: u64, kind: Kind, item: TokenStream| {
        group.throughput(Throughput::Elements(statements));
        group.bench_function(id, |b| {
            b.iter_batched(
                || item.clone(),
                |item| black_box(expand(Spelling::Jit(kind), TokenStream::new(), item)),
                BatchSize::LargeInput,
            );
        });
    };
    for statements in [100, 1000, 10_000] {
        let id = BenchmarkId::new("statements", statements);
        measure(id, statements as u64, Kind::Entry, generated(statements));
    }
    let (kind, item) = largest_example();
    measure(BenchmarkId::new("example", "largest"), 1, kind, item);
    group.finish();
}

criterion_group!(benches, expansion);
criterion_main!(benches);
