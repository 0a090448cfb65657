//! Whatever tokens stand in a kernel, expansion gives tokens and does not panic.
#![cfg(feature = "syntax")]

use pl_codegen::ir::Kind;
use pl_codegen::syntax::{Spelling, expand};
use proc_macro2::{Group, TokenStream, TokenTree};
use std::fs;
use std::path::Path;

/// A small generator: the same mutations on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// The stream with one token dropped, doubled, exchanged or moved, somewhere inside.
fn mutate(stream: TokenStream, spare: &[TokenTree], random: &mut Random) -> TokenStream {
    let mut tokens: Vec<TokenTree> = stream.into_iter().collect();
    if tokens.is_empty() {
        return spare[random.below(spare.len())].clone().into();
    }
    let at = random.below(tokens.len());
    if let TokenTree::Group(group) = &tokens[at]
        && random.below(8) > 0
    {
        let inner = mutate(group.stream(), spare, random);
        tokens[at] = Group::new(group.delimiter(), inner).into();
        return tokens.into_iter().collect();
    }
    match random.below(4) {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(at, tokens[at].clone()),
        2 => tokens[at] = spare[random.below(spare.len())].clone(),
        _ => {
            let other = random.below(tokens.len());
            tokens.swap(at, other);
        }
    }
    tokens.into_iter().collect()
}

fn every_token(stream: TokenStream, out: &mut Vec<TokenTree>) {
    for token in stream {
        if let TokenTree::Group(group) = &token {
            every_token(group.stream(), out);
        }
        out.push(token);
    }
}

#[test]
fn mutated_kernels_do_not_panic_the_expansion() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut functions = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is part of the repository") {
        let text = fs::read_to_string(entry.expect("readable").path()).expect("readable");
        let items = syn::parse_file(&text).expect("cases parse as Rust").items;
        let inner = |item| match item {
            syn::Item::Mod(module) => module.content.map_or(Vec::new(), |(_, items)| items),
            item => vec![item],
        };
        functions.extend(
            items
                .into_iter()
                .flat_map(inner)
                .filter_map(|item| match item {
                    syn::Item::Fn(mut function) => {
                        function.attrs.clear();
                        let tokens = quote::ToTokens::into_token_stream(function);
                        // Sixty levels of groups take long to copy and show nothing that fewer do not.
                        (tokens.to_string().len() < 1500).then_some(tokens)
                    }
                    _ => None,
                }),
        );
    }
    assert!(functions.len() > 300, "the cases are found");
    let mut spare = Vec::new();
    for function in &functions {
        every_token(function.clone(), &mut spare);
    }
    let kinds = [
        Kind::Entry,
        Kind::Inline,
        Kind::Incore,
        Kind::Host,
        Kind::Opaque,
    ];
    let mut random = Random(1);
    let mut readable = 0;
    for round in 0..6000 {
        let mut function = functions[round % functions.len()].clone();
        for _ in 0..=random.below(2) {
            function = mutate(function, &spare, &mut random);
        }
        let kind = kinds[random.below(kinds.len())];
        let args = mutate(
            quote::quote!(auto_scope = false, dims(M, N)),
            &spare,
            &mut random,
        );
        let args = if random.below(4) == 0 {
            args
        } else {
            quote::quote!(dims(M, N))
        };
        let text = function.to_string();
        let expanded = std::panic::catch_unwind(|| expand(Spelling::Jit(kind), args, function));
        let expanded = expanded.unwrap_or_else(|_| panic!("expansion panicked on\n{text}"));
        readable += usize::from(syn::parse2::<syn::File>(expanded).is_ok());
    }
    assert!(
        readable > 600,
        "enough mutations get past the parser: {readable}"
    );
}
