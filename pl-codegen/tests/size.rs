//! What an attribute makes of a function grows as the function does.
#![cfg(feature = "syntax")]

use pl_codegen::ir::Kind;
use pl_codegen::syntax::{Spelling, expand};
use proc_macro2::{TokenStream, TokenTree};
use std::fmt::Write;

fn count(tokens: TokenStream) -> usize {
    let each = |token| match token {
        TokenTree::Group(group) => 1 + count(group.stream()),
        // IR as text.
        TokenTree::Literal(literal) => 1 + literal.to_string().len(),
        _ => 1,
    };
    tokens.into_iter().map(each).sum()
}

/// The size of the expansion of an entry with so many creates, calls and loops.
fn expanded(groups: usize) -> usize {
    let mut text = "fn f(x: Tensor<f32, 64>, y: Out<Tensor<f32, 64>>) {".to_owned();
    for i in 0..groups {
        let _ = write!(
            text,
            "let t{i} = create_tensor::<f32>([64]); k(x, t{i}); for j in 0..4 {{ k(t{i}, y); }}"
        );
    }
    let item: TokenStream = (text + "}").parse().expect("Rust");
    count(expand(Spelling::Jit(Kind::Entry), TokenStream::new(), item))
}

#[test]
fn a_function_twice_as_long_becomes_twice_as_much() {
    let (once, twice) = (expanded(100), expanded(200));
    assert!(twice < once * 5 / 2, "{once} and {twice}");
}
