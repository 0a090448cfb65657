//! No handle is used after the scope that owns it.
//!
//! A tensor belongs to the innermost runtime scope around its creation, a tile to the innermost
//! `scratch_scope!`. The error is the use after that scope closed: assigning a variable that is
//! not read again is fine, as it is for the borrow checker, which enforces the same rule on what
//! is generated. What a call returns belongs to the scope of the call, since the callee may have
//! created it there.

mod flow;
mod report;
#[cfg(test)]
mod tests;
mod walk;

use crate::diag::Diagnostic;
use crate::ir::Function;

/// Reports every use of a handle whose scope has closed. Run it after `insert_auto_scopes`.
pub fn check_lifetimes(function: &Function) -> Vec<Diagnostic> {
    let (graph, uses) = walk::build(function);
    let facts = graph.solve();
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for each in uses {
        if let Some(death) = facts.at(each.node).dead {
            let diagnostic = report::describe(function, &graph, &each, &death);
            // A value of a scope is one mistake, however often it is used.
            if seen.insert((
                diagnostic.code,
                diagnostic.span,
                each.var.filter(|_| death.value.is_none()),
            )) {
                diagnostics.push(diagnostic);
            }
        }
    }
    diagnostics
}
