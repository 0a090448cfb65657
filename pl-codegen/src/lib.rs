//! Rust syntax to IR, checks, passes and emitters. Knows nothing of the runtime.

pub mod check;
pub mod compile;
pub mod diag;
pub mod emit;
pub mod ir;
pub mod ops;
pub mod passes;
#[cfg(feature = "syntax")]
pub mod syntax;
#[cfg(test)]
mod testing;
