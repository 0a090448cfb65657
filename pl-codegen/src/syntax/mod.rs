//! From annotated Rust functions to IR and back to tokens: what runs inside rustc.

mod args;
mod at;
mod attributes;
mod call;
mod dims;
mod expand;
mod expr;
mod flatten;
mod infer;
mod item;
mod loops;
mod lower;
mod method;
mod output;
mod report;
mod resolve;
mod returns;
mod signature;
mod source;
mod stmt;
mod submit;
mod tasks;
mod tokens;

pub use args::Spelling;
pub use expand::expand;
pub use source::{Lowered, lower_file};
