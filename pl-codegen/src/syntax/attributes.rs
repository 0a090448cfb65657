//! Attributes inside a kernel.
//!
//! rustc applies them to the stub, after the attribute of the kernel has run: a `#[cfg]` would take
//! out of the stub what the generated code still has. So they are refused wherever they stand.

use super::report::Reporter;
use crate::diag::Code;
use quote::ToTokens;
use syn::visit_mut::VisitMut;

/// Reports the attributes anywhere in these statements.
pub(crate) fn refuse_in_body(stmts: &[syn::Stmt], report: &mut Reporter) {
    for stmt in stmts {
        Refuse { report }.visit_stmt_mut(&mut stmt.clone());
    }
}

/// Reports the attributes anywhere in an expression that stands in a macro of ours.
pub(crate) fn refuse_in_expr(expr: &syn::Expr, report: &mut Reporter) {
    Refuse { report }.visit_expr_mut(&mut expr.clone());
}

/// Reports the attributes of parameters, generic ones included.
pub(crate) fn refuse_in_signature(sig: &syn::Signature, report: &mut Reporter) {
    Refuse { report }.visit_signature_mut(&mut sig.clone());
}

struct Refuse<'r> {
    report: &'r mut Reporter,
}

impl VisitMut for Refuse<'_> {
    fn visit_attribute_mut(&mut self, attr: &mut syn::Attribute) {
        let name = attr.path();
        let harmless = ["allow", "expect", "warn", "deny", "doc"];
        if harmless.iter().any(|harmless| name.is_ident(harmless)) {
            return;
        }
        self.report.node_error(
            attr,
            Code::Unsupported,
            format!(
                "`#[{}]` cannot stand inside a kernel",
                name.to_token_stream()
            ),
            "put it on the whole function, or branch on a constant",
        );
    }

    /// An item in a body is refused as a whole.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
