//! Kernels of a source file, looked at without being compiled: for tests and tools.

use super::args::Spelling;
use super::expand::lower;
use super::item::Item;
use crate::check::{CallSite, Callees, Condition, refused, used_whole};
use crate::diag::Diagnostic;
use crate::ir::{CalleeId, Function, Kind, Unit};
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
    let known = |unknown| InFile {
        kernels,
        caller: kernel,
        unknown,
    };
    // Of a callee elsewhere nothing is known, so nothing is held against it.
    let broken = |condition: &&Condition| {
        !condition.need.holds(&known(true)) && !condition.need.holds(&known(false))
    };
    kernel
        .conditions
        .iter()
        .filter(broken)
        .map(|c| c.otherwise.clone())
        .chain(kernel.calls.iter().filter_map(|call| {
            let file = known(true);
            let callee = file.find(call.callee)?;
            let span = kernel.unit.function.callees[call.callee.index()].span;
            Some(refused(callee.kind, &callee.name, call.in_core)?.diagnostic(span))
        }))
        .collect()
}

/// The callees of a kernel, as far as its file has them.
struct InFile<'a> {
    kernels: &'a [Lowered],
    caller: &'a Lowered,
    /// Whether a parameter of a callee elsewhere is written.
    unknown: bool,
}

impl InFile<'_> {
    fn find(&self, callee: CalleeId) -> Option<&Function> {
        let path = &self.caller.unit.function.callees[callee.index()].path;
        let mut functions = self.kernels.iter().map(|kernel| &kernel.unit.function);
        functions.find(|function| function.name == *path)
    }
}

impl Callees for InFile<'_> {
    fn writes(&self, callee: CalleeId, param: usize) -> bool {
        let param = self
            .find(callee)
            .and_then(|callee| callee.params.get(param));
        param.map_or(self.unknown, |param| param.access.writes())
    }

    fn takes(&self, callee: CalleeId, count: usize) -> bool {
        self.find(callee)
            .is_none_or(|callee| callee.params.len() == count)
    }

    fn is_task(&self, callee: CalleeId) -> bool {
        self.find(callee)
            .is_none_or(|callee| !matches!(callee.kind, Kind::Inline | Kind::Opaque))
    }

    fn works_in_parts(&self, callee: CalleeId) -> bool {
        let path = &self.caller.unit.function.callees[callee.index()].path;
        let mut kernels = self.kernels.iter();
        let Some(kernel) = kernels.find(|kernel| kernel.unit.function.name == *path) else {
            return true;
        };
        let inside = InFile {
            caller: kernel,
            unknown: false,
            ..*self
        };
        let used = used_whole(&kernel.unit.function);
        let mut passed = used.passed.iter();
        kernel.unit.function.kind != Kind::Incore
            || !used.here && !passed.any(|&(helper, index)| inside.writes(helper, index))
    }
}
