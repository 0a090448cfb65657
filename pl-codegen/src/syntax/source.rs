//! Kernels of a source file, looked at without being compiled: for tests and tools.

use super::args::Spelling;
use super::expand::lower;
use super::item::Item;
use crate::check::{CallSite, Condition, refused};
use crate::diag::Diagnostic;
use crate::ir::{CalleeId, Kind, Unit};
use proc_macro2::TokenStream;
use quote::ToTokens;

/// An annotated function.
pub struct Lowered {
    /// The function as written.
    pub unit: Unit,
    /// What is wrong with it; what depends on a callee, as far as the file has the callee.
    pub diagnostics: Vec<Diagnostic>,
    /// What is allowed, and likely not meant.
    pub lints: Vec<Diagnostic>,
    /// What the attribute makes of it.
    pub expansion: TokenStream,
    conditions: Vec<Condition>,
    calls: Vec<CallSite>,
}

/// The annotated functions of a file, in order. Attributes are recognised by the paths `pl::jit` and
/// `pl::function`.
///
/// # Errors
/// A file that is not Rust.
pub fn lower_file(text: &str) -> syn::Result<Vec<Lowered>> {
    let mut kernels = Vec::new();
    for item in syn::parse_file(text)?.items {
        let syn::Item::Fn(mut function) = item else {
            continue;
        };
        let Some(at) = function
            .attrs
            .iter()
            .position(|attr| spelling(attr.path()).is_some())
        else {
            continue;
        };
        let attribute = function.attrs.remove(at);
        let args = match &attribute.meta {
            syn::Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        let spelling = spelling(attribute.path()).expect("found by it");
        let item: Item = syn::parse2(function.to_token_stream())?;
        kernels.push(lower(spelling, args, item, |output| Lowered {
            unit: output.lower.unit(),
            diagnostics: output
                .lower
                .report
                .diagnostics()
                .into_iter()
                .cloned()
                .collect(),
            lints: output.lower.report.lints().to_vec(),
            expansion: output.tokens(),
            conditions: output
                .compiled
                .map(|c| c.conditions.clone())
                .unwrap_or_default(),
            calls: output.compiled.map(|c| c.calls.clone()).unwrap_or_default(),
        }));
    }
    for index in 0..kernels.len() {
        let broken = broken_conditions(&kernels, index);
        kernels[index].diagnostics.extend(broken);
    }
    Ok(kernels)
}

fn spelling(path: &syn::Path) -> Option<Spelling> {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let written = format!("#[{}]", names.join("::"));
    let jit = Kind::ALL.into_iter().map(Spelling::Jit);
    jit.chain([Spelling::Function])
        .find(|spelling| spelling.bare() == written)
}

fn broken_conditions(kernels: &[Lowered], index: usize) -> Vec<Diagnostic> {
    let kernel = &kernels[index];
    // Of a callee elsewhere nothing is known, so nothing is held against it.
    let find = |callee: CalleeId| {
        let path = &kernel.unit.function.callees[callee.index()].path;
        kernels
            .iter()
            .find(|other| other.unit.function.name == *path)
    };
    let writes = |callee, param: usize, unknown: bool| {
        let param = find(callee).and_then(|callee| callee.unit.function.params.get(param));
        param.map_or(unknown, |param| param.access.writes())
    };
    let takes = |callee, count: usize| {
        find(callee).is_none_or(|callee| callee.unit.function.params.len() == count)
    };
    let broken = |condition: &&Condition| {
        let holds_by = |unknown| condition.need.holds(|c, p| writes(c, p, unknown), takes);
        !holds_by(true) && !holds_by(false)
    };
    kernel
        .conditions
        .iter()
        .filter(broken)
        .map(|c| c.otherwise.clone())
        .chain(kernel.calls.iter().filter_map(|call| {
            let callee = &find(call.callee)?.unit.function;
            let span = kernel.unit.function.callees[call.callee.index()].span;
            Some(refused(callee.kind, &callee.name, call.in_core)?.diagnostic(span))
        }))
        .collect()
}
