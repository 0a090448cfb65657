mod by_hand;
mod implicit;
mod loops;
mod random;
mod tasks;
mod tiles;
mod values;

use super::check_lifetimes;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Block, Function, Stmt};
use crate::passes::insert_auto_scopes;
use crate::testing::Build;

fn check(function: Function) -> Vec<Diagnostic> {
    check_lifetimes(&insert_auto_scopes(function))
}

fn codes(f: Build, body: impl Into<Block>) -> Vec<Code> {
    check(f.finish(body)).iter().map(|each| each.code).collect()
}

fn fill(f: &Build, name: &str) -> Stmt {
    f.call("fill", &[name])
}
