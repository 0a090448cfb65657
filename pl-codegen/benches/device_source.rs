//! How long printing the source for the device takes: an entry of 10 000 statements, and the largest
//! one of `examples/`, once from the linked function and once with linking it.
//!
//! `cargo bench -p pl-codegen --bench device_source`.

use criterion::{Criterion, criterion_group, criterion_main};
use pl_codegen::emit::cpp;
use pl_codegen::ir::{Kind, Unit};
use pl_codegen::passes::{Constant, Source, device, link};
use pl_codegen::syntax::lower_file;
use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

/// Ten statements of all kinds.
const GROUP: &str = "
    let a@ = create_tensor::<f32>([64, 64]);
    let n@ = (n * 2 + 1).min(64);
    k(x, a@);
    if n@ > 3 {
        k(x.slice(s![0..n@, ..]), a@.slice(s![0..n@, ..]));
    }
    for j in 0..n@ {
        let e = j + 1;
        k(a@.slice(s![j..e, ..]), y.slice(s![j..e, ..]));
    }
    let m@ = n@ * 2;
    k(a@.slice(s![0..m@, ..]), y.slice(s![0..m@, ..]));
";

/// An entry of so many statements.
fn generated(statements: usize) -> Source {
    let mut text = "
        #[pl::jit::incore]
        fn k(x: Tensor<f32, _, _>, y: Out<Tensor<f32, _, _>>) { store(y, load(x)); }
        #[pl::jit]
        fn f(n: usize, x: Tensor<f32, 64, 64>, y: Out<Tensor<f32, 64, 64>>) {"
        .to_owned();
    for group in 0..statements / 10 {
        let _ = write!(text, "{}", GROUP.replace('@', &group.to_string()));
    }
    text.push('}');
    entries(&text).pop().expect("an entry")
}

/// The entries of a text that calls nothing else.
fn entries(text: &str) -> Vec<Source> {
    let units: Vec<_> = lower_file(text)
        .expect("Rust")
        .into_iter()
        .map(|lowered| lowered.unit)
        .collect();
    let entries = units
        .iter()
        .filter(|unit| unit.function.kind == Kind::Entry);
    entries.filter_map(|unit| source(unit, &units)).collect()
}

/// A kernel with what it calls, if all of that is there.
fn source(unit: &Unit, units: &[Unit]) -> Option<Source> {
    let callees = unit.function.callees.iter().map(|callee| {
        let named = |unit: &&Unit| unit.function.name == callee.path;
        source(units.iter().find(named)?, units).map(Arc::new)
    });
    let one = Constant {
        ty: "usize",
        text: "64".to_owned(),
        negative: false,
    };
    Some(Source {
        unit: unit.clone(),
        constants: vec![one; unit.function.captures.len()],
        elements: Vec::new(),
        callees: callees.collect::<Option<_>>()?,
    })
}

/// The entry of `examples/` with the longest source.
fn largest_example() -> Source {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut all = Vec::new();
    for folder in [folder.clone(), folder.join("attention_family")] {
        for entry in fs::read_dir(folder).expect("the folder is part of the repository") {
            let path = entry.expect("readable").path();
            if path.extension().is_some_and(|ending| ending == "rs") {
                all.extend(entries(&fs::read_to_string(path).expect("readable")));
            }
        }
    }
    let size = |source: &Source| source.unit.to_text().len();
    // Those that are generic have no element types here.
    all.retain(|source| source.unit.function.generics.is_empty());
    all.into_iter().max_by_key(size).expect("there are some")
}

fn printing(c: &mut Criterion) {
    let mut group = c.benchmark_group("device_source");
    group.sample_size(10);
    for (name, source) in [
        ("statements/10000", generated(10_000)),
        ("example/largest", largest_example()),
    ] {
        let linked = device(link(&source));
        group.bench_function(format!("{name}/print"), |b| {
            b.iter(|| black_box(cpp::program(&linked)));
        });
        group.bench_function(format!("{name}/link"), |b| {
            b.iter(|| black_box(device(link(&source))));
        });
    }
    group.finish();
}

criterion_group!(benches, printing);
criterion_main!(benches);
