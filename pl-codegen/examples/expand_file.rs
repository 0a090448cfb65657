//! Writes out what the attributes make of the kernels of a file: standard input to standard output.
//!
//! For `scripts/check-cost.sh`. The kernels of one file only, each marked by one attribute.

use pl_codegen::syntax::lower_file;
use quote::ToTokens;
use std::io::{Read, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut out = std::io::stdout().lock();
    for attr in syn::parse_file(&text)?.attrs {
        writeln!(out, "{}", attr.to_token_stream())?;
    }
    for item in syn::parse_file(&text)?.items {
        if !matches!(item, syn::Item::Fn(_)) {
            writeln!(out, "{}", item.to_token_stream())?;
        }
    }
    for kernel in lower_file(&text)? {
        writeln!(out, "{}", kernel.expansion)?;
    }
    Ok(())
}
