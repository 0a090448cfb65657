//! Scopes that are too deep for a ring of their own, behind tensors that hold the ring.
//!
//! Scopes at depth 3 and deeper lie on ring 3, which is given back in order. What a scope at depth 4
//! allocates behind a tensor of the scope around it stays, also when the deeper scope has closed,
//! until the outer scope closes: in a loop, the tensors of all iterations.

use crate::diag::{Code, Diagnostic};
use crate::ir::{Expr, ExprKind, Function, SpanId, Visit};

/// The first scope without a ring of its own.
const SHARING: usize = 4;

/// Points out scopes that share ring 3 with a tensor around them. Depth is counted inside the
/// function: a helper may lie deeper. Run it after `insert_auto_scopes`.
pub fn check_shared_ring(function: &Function) -> Vec<Diagnostic> {
    let mut walk = Walk::default();
    if function.kind.is_orchestration() {
        walk.block(&function.body);
    }
    walk.found
}

#[derive(Default)]
struct Walk {
    /// The open scopes, with the first tensor that each has allocated so far.
    open: Vec<(SpanId, Option<SpanId>)>,
    /// Scopes that were pointed out.
    told: Vec<SpanId>,
    found: Vec<Diagnostic>,
}

impl Visit for Walk {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Scope { body, .. } = &expr.kind {
            self.open.push((expr.span, None));
            self.block(body);
            self.open.pop();
            return;
        }
        self.inside(expr);
        if matches!(expr.kind, ExprKind::Create(_)) {
            self.allocation(expr.span);
        }
    }
}

impl Walk {
    fn allocation(&mut self, span: SpanId) {
        let depth = self.open.len();
        if let Some((scope, first)) = self.open.last_mut() {
            let scope = *scope;
            first.get_or_insert(span);
            let around = self.open[..depth - 1].iter().skip(SHARING - 2);
            let held = around.rev().find_map(|(_, first)| *first);
            if let Some(held) = held.filter(|_| depth >= SHARING && !self.told.contains(&scope)) {
                self.told.push(scope);
                self.found.push(shared(span, scope, held, depth));
            }
        }
    }
}

fn shared(span: SpanId, scope: SpanId, held: SpanId, depth: usize) -> Diagnostic {
    Diagnostic::new(
        Code::SharedRing,
        span,
        format!(
            "this tensor at depth {depth} shares ring 3 with one of an outer scope, and stays allocated as \
             long as that one"
        ),
        "create the outer tensor at depth 2 or less, or this one beside it, before the loop or scope \
         in which it is used",
    )
    .note(scope, "the scope that it belongs to")
    .note(held, "the tensor that is kept longer")
}
