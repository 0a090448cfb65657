//! Whether an editor finds what the names in the examples' kernels stand for, as rust-analyzer tells:
//! `scripts/editor.sh` gives it what `rust-analyzer lsif` prints.

use quote::ToTokens;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs, io};

/// Line and column, from 0.
type Place = (u64, u64);

/// The places of each document that have a definition and a hover text.
#[derive(Default)]
struct Known {
    defined: HashMap<String, HashSet<Place>>,
    described: HashMap<String, HashSet<Place>>,
}

fn place(value: &Value) -> Option<Place> {
    Some((value["line"].as_u64()?, value["character"].as_u64()?))
}

/// Reads the Language Server Index Format: one vertex or edge a line.
fn known(lines: impl Iterator<Item = io::Result<String>>) -> Result<Known, String> {
    let (mut documents, mut starts) = (HashMap::new(), HashMap::new());
    let (mut contains, mut sets) = (Vec::new(), HashMap::new());
    let (mut defined, mut described) = (HashSet::new(), HashSet::new());
    for line in lines {
        let line = line.map_err(|error| error.to_string())?;
        let value: Value =
            serde_json::from_str(&line).map_err(|error| format!("{error}: {line}"))?;
        let id = |field: &str| value[field].as_u64();
        match value["label"].as_str() {
            Some("document") => {
                documents.insert(
                    id("id"),
                    value["uri"].as_str().unwrap_or_default().to_owned(),
                );
            }
            Some("range") => _ = starts.insert(id("id"), place(&value["start"])),
            Some("next") => _ = sets.insert(id("outV"), id("inV")),
            Some("textDocument/definition") => _ = defined.insert(id("outV")),
            Some("textDocument/hover") => _ = described.insert(id("outV")),
            Some("contains") => {
                let ranges = value["inVs"].as_array().cloned().unwrap_or_default();
                contains.extend(ranges.iter().map(|range| (id("outV"), range.as_u64())));
            }
            _ => {}
        }
    }
    let mut known = Known::default();
    for (document, range) in contains {
        let (Some(uri), Some(Some(start))) = (documents.get(&document), starts.get(&range)) else {
            continue;
        };
        let set = sets.get(&range).copied().unwrap_or(range);
        for (of, all) in [
            (&defined, &mut known.defined),
            (&described, &mut known.described),
        ] {
            if of.contains(&set) || of.contains(&range) {
                all.entry(uri.clone()).or_default().insert(*start);
            }
        }
    }
    Ok(known)
}

fn names(tokens: proc_macro2::TokenStream, into: &mut Vec<(String, Place)>) {
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Group(group) => names(group.stream(), into),
            proc_macro2::TokenTree::Ident(ident) => {
                let at = ident.span().start();
                into.push((ident.to_string(), (at.line as u64 - 1, at.column as u64)));
            }
            _ => {}
        }
    }
}

/// The names in the bodies of the kernels of a file.
fn in_kernels(text: &str) -> Result<Vec<(String, Place)>, String> {
    let mut all = Vec::new();
    for item in syn::parse_file(text)
        .map_err(|error| error.to_string())?
        .items
    {
        if let syn::Item::Fn(function) = item
            && function.attrs.iter().any(|attribute| {
                attribute
                    .path()
                    .segments
                    .first()
                    .is_some_and(|first| first.ident == "pl")
            })
        {
            names(function.block.to_token_stream(), &mut all);
        }
    }
    let keywords = [
        "let", "mut", "for", "in", "if", "else", "while", "as", "s", "true", "false",
    ];
    let primitive = ["f32", "usize", "i32", "i64", "u32", "bool"];
    all.retain(|(name, _)| {
        !keywords.contains(&name.as_str()) && !primitive.contains(&name.as_str())
    });
    Ok(all)
}

fn run() -> Result<bool, String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize();
    let root = root.map_err(|error| error.to_string())?;
    let known = known(io::stdin().lines())?;
    let (mut count, mut lost) = (0, 0);
    for entry in fs::read_dir(root.join("examples")).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let uri = format!("file://{}", path.display());
        for (name, at) in in_kernels(&text)? {
            count += 1;
            for (what, places) in [
                ("definition", &known.defined),
                ("hover text", &known.described),
            ] {
                if !places.get(&uri).is_some_and(|places| places.contains(&at)) {
                    lost += 1;
                    println!(
                        "{}:{}:{}: `{name}` has no {what}",
                        path.display(),
                        at.0 + 1,
                        at.1 + 1
                    );
                }
            }
        }
    }
    println!("{count} names in kernels, {lost} without definition or hover text");
    Ok(count > 0 && lost == 0)
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(what) => {
            eprintln!("{}: {what}", env::args().next().unwrap_or_default());
            ExitCode::from(2)
        }
    }
}
