//! How long the way from the IR to the source for the device takes: linking, the pass for the device's
//! rules, and printing, for programs of each kind that grow tenfold, and for the entries of `examples/`.
//!
//! `cargo bench -p pl-codegen --features syntax --bench device_source`; words choose:
//! `.. -- slices examples`. Each figure is the best of several runs.

mod programs;

use pl_codegen::emit::cpp;
use pl_codegen::ir::{Kind, Unit};
use pl_codegen::passes::{Constant, Source, device, link};
use pl_codegen::syntax::lower_file;
use std::collections::HashMap;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Statements of the largest program of each kind.
const LARGEST: usize = 10_000;

/// How long one step is measured again, and how often.
const PATIENCE: (Duration, u32) = (Duration::from_millis(300), 50);

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let chosen = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word));
    println!("| program | statements | link | device | print | all |");
    println!("|---|---|---|---|---|---|");
    for (name, program) in programs::ALL {
        for size in [10, 100, 1000, LARGEST] {
            if chosen(name) {
                let source = entries(&program(size)).pop().expect("an entry");
                row(name, &size.to_string(), &source);
            }
        }
    }
    for (name, source) in examples() {
        let name = format!("examples/{name}");
        if chosen(&name) {
            row(&name, "", &source);
        }
    }
}

/// Measures one program.
fn row(name: &str, size: &str, source: &Source) {
    let linked = link(source);
    let ready = device(linked.clone());
    let of_link = best(|| (), |()| link(source));
    let of_device = best(|| linked.clone(), device);
    let of_print = best(|| (), |()| cpp::program(&ready));
    let all = of_link + of_device + of_print;
    let shown = [of_link, of_device, of_print, all].map(milliseconds);
    println!("| {name} | {size} | {} |", shown.join(" | "));
}

fn milliseconds(time: Duration) -> String {
    let time = time.as_secs_f64() * 1e3;
    let digits = if time < 10.0 { 2 } else { 0 };
    format!("{time:.digits$} ms")
}

/// The shortest time of several runs, without what prepares and drops.
fn best<I, O>(mut prepare: impl FnMut() -> I, mut run: impl FnMut(I) -> O) -> Duration {
    let mut shortest = Duration::MAX;
    let mut spent = Duration::ZERO;
    for _ in 0..PATIENCE.1 {
        let input = prepare();
        let start = Instant::now();
        let output = black_box(run(black_box(input)));
        let time = start.elapsed();
        drop(output);
        shortest = shortest.min(time);
        spent += time;
        if spent > PATIENCE.0 {
            break;
        }
    }
    shortest
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
    let mut known: HashMap<&str, Arc<Source>> = HashMap::new();
    let callees = unit.function.callees.iter().map(|callee| {
        if let Some(known) = known.get(&*callee.path) {
            return Some(Arc::clone(known));
        }
        let named = |unit: &&Unit| unit.function.name == callee.path;
        let new = Arc::new(source(units.iter().find(named)?, units)?);
        known.insert(&callee.path, Arc::clone(&new));
        Some(new)
    });
    let one = Constant {
        ty: "usize",
        text: "64".to_owned(),
        negative: false,
    };
    Some(Source {
        unit: unit.clone(),
        constants: vec![one; unit.function.captures.len()],
        types: Vec::new(),
        callees: callees.collect::<Option<_>>()?,
    })
}

/// The entries of `examples/` that are not generic, which have no element types here, by name.
fn examples() -> Vec<(String, Source)> {
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
    all.retain(|source| source.unit.function.generics.is_empty());
    let named = |source: Source| (source.unit.function.name.clone(), source);
    let mut all: Vec<_> = all.into_iter().map(named).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}
