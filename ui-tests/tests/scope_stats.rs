//! The places that scopes have in the statistics: lines of the user's source.
#![deny(warnings, clippy::pedantic)]

use ndarray::Array1;
use pl::prelude::*;
use std::path::Path;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

const INSERTED: u32 = line!();
#[pl::jit]
fn inserted(x: Tensor<f32, _>, flip: bool, y: Out<Tensor<f32, _>>) {
    for _ in 0..2 {
        let t = create_tensor::<f32>([4]);
        copy(x, t);
        if flip {
            copy(t, y);
        } else {
            copy(x, y);
        }
    }
}

const WRITTEN: u32 = line!();
#[pl::jit(auto_scope = false)]
fn written(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    let t = create_tensor::<f32>([4]);
    scope!({
        copy(x, t);
        manual_scope!({
            copy(t, y);
        });
    });
}

/// The sites at which a run opened scopes, in order.
fn opened(name: &str, run: impl FnOnce(&Runtime) -> pl::Result<RunReport>) -> Vec<String> {
    let work_dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sites_{name}"));
    let rt = Runtime::new(RunConfig {
        work_dir: Some(work_dir.clone()),
        enable_scope_stats: true,
        ..ui_helpers::checked()
    })
    .unwrap();
    let folder = run(&rt).unwrap().reports.expect("it is turned on");
    let text = std::fs::read_to_string(folder.join("scope_stats/scope_stats.jsonl")).unwrap();
    drop(std::fs::remove_dir_all(work_dir));
    text.lines()
        .filter(|line| line.contains("\"phase\": \"begin\""))
        .map(|line| line.split('"').nth(3).expect("the site").to_owned())
        .collect()
}

fn sites(lines: &[u32]) -> Vec<String> {
    let sites = lines.iter().map(|line| format!("scope_stats.rs:{line}"));
    std::iter::once("(root):0".into()).chain(sites).collect()
}

#[test]
fn a_scope_that_the_compiler_inserted_is_at_its_function_loop_or_branch() {
    let (x, mut y) = (Array1::ones(4), Array1::zeros(4));
    let found = opened("inserted", |rt| inserted(rt, &x, true, &mut y));
    let (function, body, branch) = (INSERTED + 2, INSERTED + 3, INSERTED + 6);
    assert_eq!(found, sites(&[function, body, branch, body, branch]));
}

#[test]
fn a_scope_that_is_written_is_at_its_line() {
    let (x, mut y) = (Array1::ones(4), Array1::zeros(4));
    let found = opened("written", |rt| written(rt, &x, &mut y));
    assert_eq!(found, sites(&[WRITTEN + 4, WRITTEN + 6]));
}
