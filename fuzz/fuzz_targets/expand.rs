//! Whatever text stands in a kernel or in its attribute, expansion does not panic.
//!
//! The first byte chooses the kind of function; a zero byte ends the attribute's arguments, another one the
//! parameters. Good seeds are the files of `pl-codegen/tests/cases`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pl_codegen::ir::Kind;
use pl_codegen::syntax::{Spelling, expand};
use proc_macro2::TokenStream;
use quote::quote;

fuzz_target!(|data: (u8, &str)| {
    let (choice, text) = data;
    let kind = Kind::ALL[usize::from(choice) % Kind::ALL.len()];
    let mut parts = text.splitn(3, '\0').map(|part| part.parse::<TokenStream>().unwrap_or_default());
    let mut next = || parts.next().unwrap_or_default();
    let (args, params, body) = (next(), next(), next());
    drop(expand(Spelling::Jit(kind), args, quote!(fn f(#params) { #body })));
    drop(expand(Spelling::Jit(kind), TokenStream::new(), text.parse().unwrap_or_default()));
});
