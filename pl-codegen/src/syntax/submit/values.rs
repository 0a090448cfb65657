//! The values of the options of `submit!`.

use super::Known;
use crate::diag::Code;
use crate::ir::{BinaryOp, CoreType, Elem, Expr, ExprKind, Launch, Predicate, Scalar, Type};
use crate::syntax::attributes::refuse_in_expr;
use crate::syntax::expr::binary_op;
use crate::syntax::lower::Lower;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

impl Lower<'_> {
    /// Reads the value of an option.
    pub(super) fn option(
        &mut self,
        known: &Known,
        name: &Ident,
        tokens: &TokenStream,
        launch: &mut Launch,
    ) {
        let Ok(value) = syn::parse2::<syn::Expr>(tokens.clone()) else {
            if tokens.is_empty() {
                self.wrong_value(name, known);
            }
            // The stub has the same tokens.
            self.left_to_rustc = true;
            return;
        };
        refuse_in_expr(&value, self.report);
        let list = |list: &str| format!("{name} = {list}");
        match known.name {
            "deps" => launch.deps = self.dependencies(&value, list),
            "deps_wait" => launch.deps_wait = self.dependencies(&value, list),
            "blocks" => launch.blocks = Some(self.blocks(&value)),
            "sync_start" => match value {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Bool(value),
                    ..
                }) => launch.sync_start = value.value,
                other => self.wrong_value(&other, known),
            },
            "core_type" => match core_type(&value) {
                Some(core_type) => launch.core_type = Some(core_type),
                None => self.wrong_value(&value, known),
            },
            _ => launch.predicate = self.predicate(&value, known),
        }
    }

    fn wrong_value(&mut self, node: &impl ToTokens, known: &Known) {
        let Known {
            name,
            takes,
            example,
            ..
        } = known;
        self.report.node_error(
            node,
            Code::ArgumentKind,
            format!("`{name}` takes {takes}"),
            format!("write `{example}`"),
        );
    }

    fn blocks(&mut self, value: &syn::Expr) -> Expr {
        let count = self.scalar(value);
        let may_be_count = match &count.ty {
            Type::Scalar(Scalar::Named(_)) => count.ty == Type::usize(),
            Type::Scalar(Scalar::Integer | Scalar::Open) => true,
            ty => matches!(ty, Type::Captured(_) | Type::ResultOf(_) | Type::Never),
        };
        self.left_to_rustc |= !may_be_count;
        if matches!(&count.kind, ExprKind::Literal(text) if text == "0") {
            self.report.node_error(
                value,
                Code::ArgumentKind,
                "a task has at least one block",
                "use 1 or more; `barrier([..])` is a task that runs nothing",
            );
        }
        count
    }

    /// `x.get([i]) > 0`, the other way round, or the element alone if it is a `bool`.
    fn predicate(&mut self, value: &syn::Expr, known: &Known) -> Option<Predicate> {
        let before = self.report.count();
        let found = match value {
            syn::Expr::Paren(inner) => return self.predicate(&inner.expr, known),
            syn::Expr::Group(inner) => return self.predicate(&inner.expr, known),
            syn::Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Not(_),
                expr,
                ..
            }) => self.truth_of(expr, "false"),
            syn::Expr::Binary(e) => self.comparison(e),
            other => self.truth_of(other, "true"),
        };
        let Some(found) = found else {
            if self.report.count() == before {
                self.wrong_value(value, known);
            }
            return None;
        };
        if let Type::Tensor(Elem::Known(dtype)) = found.base.ty
            && dtype.is_float()
        {
            self.report.node_error(
                value,
                Code::ArgumentKind,
                format!("`predicate` compares integers and `bool`, and this element is {dtype}"),
                "put the `submit!` into an `if`, which waits for the element, or let a kernel store an \
                 integer to compare",
            );
            return None;
        }
        Some(found)
    }

    /// `x.get([i]) > 0` or `0 < x.get([i])`
    fn comparison(&mut self, e: &syn::ExprBinary) -> Option<Predicate> {
        let op = binary_op(&e.op)?;
        if !op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or) {
            return None;
        }
        let (element, other, op) = match self.element(&e.left) {
            Some(element) => (element, &e.right, op),
            None => (self.element(&e.right)?, &e.left, mirrored(op)),
        };
        let ((base, indices), target) = (element, self.scalar(other));
        Some(Predicate {
            base,
            indices,
            op,
            target,
        })
    }

    /// `x.get([i])`, which is a `bool`.
    fn truth_of(&mut self, expr: &syn::Expr, target: &str) -> Option<Predicate> {
        let (base, indices) = self.element(expr)?;
        let span = self.report.node(expr);
        let target = Expr {
            kind: ExprKind::Literal(target.to_owned()),
            ty: Type::bool(),
            span,
        };
        Some(Predicate {
            base,
            indices,
            op: BinaryOp::Eq,
            target,
        })
    }

    /// The tensor and the indices of `x.get([i])`.
    fn element(&mut self, expr: &syn::Expr) -> Option<(Expr, Vec<Expr>)> {
        match expr {
            syn::Expr::Paren(inner) => self.element(&inner.expr),
            syn::Expr::Group(inner) => self.element(&inner.expr),
            syn::Expr::MethodCall(e) if e.method == "get" => match self.expr(expr).kind {
                ExprKind::Get { base, indices } => Some((*base, indices)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The core type that a path names.
fn core_type(value: &syn::Expr) -> Option<CoreType> {
    let syn::Expr::Path(path) = value else {
        return None;
    };
    let last = &path.path.segments.last()?.ident;
    CoreType::ALL
        .into_iter()
        .find(|known| *last == known.to_string())
}

/// The comparison with its sides exchanged.
const fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}
