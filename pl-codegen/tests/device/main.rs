//! Random programs: under the device's dependency rules and what the pass for the device declares,
//! everything is ordered that the bytes order.
//!
//! A program is text (`programs`), goes through the attribute and the pass, and is run with concrete
//! numbers (`run`). What is compared is a small model of both rule sets (`model`).
#![cfg(feature = "syntax")]

mod model;
mod programs;
mod run;

use pl_codegen::ir::Unit;
use pl_codegen::passes::{Device, Linked, Source, device, link};
use pl_codegen::syntax::lower_file;
use std::sync::Arc;

/// The entry of a text, as linked and for the device, unless a check refuses it.
fn of(text: &str) -> Option<(Linked, Device)> {
    let lowered = lower_file(text).expect("programs parse");
    if lowered.iter().any(|each| !each.diagnostics.is_empty()) {
        return None;
    }
    let units: Vec<Unit> = lowered.into_iter().map(|each| each.unit).collect();
    let source = |unit: &Unit, callees| Source {
        unit: unit.clone(),
        constants: Vec::new(),
        types: Vec::new(),
        callees,
    };
    let (entry, kernels) = units.split_last().expect("an entry");
    let callees = entry.function.callees.iter().map(|callee| {
        let named = |unit: &&Unit| unit.function.name == callee.path;
        let kernel = kernels.iter().find(named).expect("a kernel");
        Arc::new(source(kernel, Vec::new()))
    });
    let linked = link(&source(entry, callees.collect()));
    Some((linked.clone(), device(linked)))
}

#[test]
fn what_the_bytes_order_the_device_orders() {
    let (mut accepted, mut hazards, mut declared, mut needless) = (0, 0, 0, 0);
    let mut failed: Vec<String> = Vec::new();
    for seed in 1..800 {
        let text = programs::program(seed);
        let Some((linked, device)) = of(&text) else {
            continue;
        };
        accepted += 1;
        hazards += usize::from(!device.hazards.is_empty());
        for n in 0..5 {
            let run = run::run(device.linked.function.function(), n);
            let written = run::run(linked.function.function(), n);
            let (all, more) = model::declared(&written, &run);
            declared += all;
            needless += more;
            if let Err(missing) = model::check(&run, &device) {
                let function = device.linked.function.function();
                failed.push(format!(
                    "seed {seed}, n = {n}: {missing}\n{text}\n{function}"
                ));
            }
        }
    }
    failed.sort_by_key(String::len);
    let shortest = failed.first().map_or("", String::as_str);
    assert!(failed.is_empty(), "{} runs fail; {shortest}", failed.len());
    println!(
        "{accepted} programs, {hazards} with hazards, {declared} dependencies, {needless} of them of what the bytes do not order"
    );
    assert!(accepted > 250, "{accepted} programs");
    assert!(
        hazards * 2 < accepted,
        "{hazards} of {accepted} programs have hazards"
    );
    assert!(declared > 3_000, "{declared} dependencies");
}
