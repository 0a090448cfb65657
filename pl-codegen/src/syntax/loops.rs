//! `for` loops and the ranges that they run over.

use super::lower::Lower;
use crate::diag::Code;
use crate::ir::{Adaptor, Expr, ExprKind, LoopKind, Pattern, Range, Scalar, StmtKind, Type};

impl Lower<'_> {
    pub(super) fn for_loop(&mut self, e: &syn::ExprForLoop) -> StmtKind {
        self.refuse_label(e.label.as_ref());
        let range = self.range(&e.expr);
        self.in_block(|this| {
            let var = match this.bind(&e.pat, range.start.ty.clone()) {
                Pattern::Var(var) => Some(var),
                Pattern::Wildcard => None,
                Pattern::Tuple(_) => {
                    this.report.node_error(
                        &e.pat,
                        Code::Unsupported,
                        "a loop over a range has one variable",
                        "write `for i in a..b`",
                    );
                    None
                }
            };
            if let Some(var) = var
                && matches!(this.function.var(var).ty, Type::Scalar(Scalar::Integer))
            {
                this.function.vars[var.index()].ty = range.end.ty.clone();
            }
            let body = this.loop_body(range.kind, &e.body);
            StmtKind::For { var, range, body }
        })
    }

    /// `a..b`, `parallel(a..b)` or `unroll(a..b)`, then `.step_by(k)` and `.rev()` where written.
    fn range(&mut self, expr: &syn::Expr) -> Range {
        match expr {
            syn::Expr::Paren(inner) => self.range(&inner.expr),
            syn::Expr::Group(inner) => self.range(&inner.expr),
            syn::Expr::Range(range) => self.bounds(range),
            syn::Expr::MethodCall(call)
                if matches!(call.method.to_string().as_str(), "step_by" | "rev") =>
            {
                let mut range = self.range(&call.receiver);
                match (call.method == "rev", call.args.first(), call.args.len()) {
                    (true, None, _) => range.adaptors.push(Adaptor::Rev),
                    (false, Some(step), 1) => {
                        let step = self.scalar(step);
                        range.adaptors.push(Adaptor::StepBy(step));
                    }
                    _ => self.left_to_rustc = true,
                }
                range
            }
            syn::Expr::Call(call) => match (loop_marker(&call.func), call.args.first()) {
                (Some(kind), Some(inner)) => {
                    let range = self.range(inner);
                    self.left_to_rustc |= call.args.len() != 1 || !range.adaptors.is_empty();
                    self.check_loop_kind(kind, call, &range);
                    Range { kind, ..range }
                }
                _ => self.no_range(expr),
            },
            other => self.no_range(other),
        }
    }

    fn no_range(&mut self, expr: &syn::Expr) -> Range {
        self.report.node_error(
            expr,
            Code::Unsupported,
            "a loop in a kernel runs over a range",
            "write `for i in a..b`, with `.step_by(k)` or `.rev()` where needed",
        );
        let nothing = self.never(expr);
        let adaptors = Vec::new();
        Range {
            kind: LoopKind::Sequential,
            start: nothing.clone(),
            end: nothing,
            adaptors,
        }
    }

    fn bounds(&mut self, range: &syn::ExprRange) -> Range {
        if let syn::RangeLimits::Closed(token) = &range.limits {
            self.report.node_error(
                token,
                Code::Unsupported,
                "a loop in a kernel ends before its bound",
                "write `a..b + 1` for `a..=b`",
            );
        }
        let mut bound = |bound: &Option<Box<syn::Expr>>| {
            if let Some(bound) = bound {
                return self.scalar(bound);
            }
            self.report.node_error(
                range,
                Code::Unsupported,
                "a loop needs both of its bounds",
                "write `for i in a..b`",
            );
            self.never(range)
        };
        let (start, end) = (bound(&range.start), bound(&range.end));
        Range {
            kind: LoopKind::Sequential,
            start,
            end,
            adaptors: Vec::new(),
        }
    }

    fn check_loop_kind(&mut self, kind: LoopKind, call: &syn::ExprCall, range: &Range) {
        if kind == LoopKind::Parallel && self.is_incore() {
            self.report.node_error(
                &call.func,
                Code::WrongContext,
                "a core runs one thing at a time; `parallel` is for orchestration",
                "write a plain range, or `unroll(a..b)`",
            );
        }
        if kind == LoopKind::Unrolled && !(is_constant(&range.start) && is_constant(&range.end)) {
            self.report.node_error(
                call,
                Code::ArgumentKind,
                "the bounds of an unrolled loop are not constant",
                "use numbers and constants only, or a plain range",
            );
        }
    }
}

fn loop_marker(func: &syn::Expr) -> Option<LoopKind> {
    let syn::Expr::Path(path) = func else {
        return None;
    };
    let name = path.path.segments.last()?.ident.to_string();
    [LoopKind::Parallel, LoopKind::Unrolled]
        .into_iter()
        .find(|kind| kind.marker() == Some(name.as_str()))
}

/// Whether a value is known when the kernel is compiled.
fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Capture(_) => true,
        ExprKind::Unary(_, x) | ExprKind::Cast(x, _) => is_constant(x),
        ExprKind::Binary(_, a, b) => is_constant(a) && is_constant(b),
        ExprKind::Method { receiver, args, .. } => {
            is_constant(receiver) && args.iter().all(is_constant)
        }
        // Reported already.
        _ => expr.ty == Type::Never,
    }
}
