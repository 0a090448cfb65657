//! The programs that `pl-codegen/tests/cases` has as accepted are accepted by rustc as well: the
//! body as the user wrote it, the code that runs, and what is asserted of callees. So are the kernels of
//! the book, but for those that show a mistake.
#![allow(
    unused,
    unused_comparisons,
    non_snake_case,
    clippy::all,
    clippy::pedantic,
    reason = "the programs show other things"
)]

/// The kernel is whole: it links, and becomes an orchestration function.
fn check(kernel: pl::Kernel) {
    assert!(kernel.ir().starts_with("entry "));
    assert!(kernel.orchestration_rust().contains("-> Result<()>"));
}

include!(concat!(env!("OUT_DIR"), "/accepted.rs"));
