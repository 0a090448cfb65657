//! What editors need: every name that the user writes in a kernel is in the expansion, at its place.
#![cfg(feature = "syntax")]

use pl_codegen::syntax::lower_file;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Names with line and column.
type Names = BTreeSet<(String, usize, usize)>;

fn names(tokens: TokenStream, into: &mut Names) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => names(group.stream(), into),
            TokenTree::Ident(ident) => {
                let at = ident.span().start();
                into.insert((ident.to_string(), at.line, at.column));
            }
            _ => {}
        }
    }
}

fn is_kernel(function: &syn::ItemFn) -> bool {
    function.attrs.iter().any(|attribute| {
        let first = attribute.path().segments.first();
        first.is_some_and(|segment| segment.ident == "pl")
    })
}

/// The names in the kernels of a file, and those in what they expand to.
fn both(text: &str) -> (Names, Names) {
    let (mut written, mut expanded) = (Names::new(), Names::new());
    for item in syn::parse_file(text).expect("Rust").items {
        if let syn::Item::Fn(function) = item
            && is_kernel(&function)
        {
            names(function.sig.to_token_stream(), &mut written);
            names(function.block.to_token_stream(), &mut written);
        }
    }
    for lowered in lower_file(text).expect("Rust") {
        names(lowered.expansion, &mut expanded);
    }
    (written, expanded)
}

#[test]
fn every_name_in_a_kernel_keeps_its_place() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut seen = 0;
    for file in fs::read_dir(folder).expect("examples") {
        let path = file.expect("readable").path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let (written, expanded) = both(&fs::read_to_string(&path).expect("readable"));
        // `s!` is no macro and `_` no name: the attribute reads them.
        let read = |name: &str| ["s", "_", "fn"].contains(&name);
        let lost = written
            .difference(&expanded)
            .filter(|(name, ..)| !read(name));
        let lost: Vec<_> = lost.collect();
        assert!(lost.is_empty(), "{}: {lost:?}", path.display());
        seen += written.len();
    }
    assert!(seen > 200, "{seen} names in the examples");
}
