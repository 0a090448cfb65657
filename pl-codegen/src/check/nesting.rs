//! Which scope may stand in which, and what a caller must know about it.

#[cfg(test)]
mod tests;

use crate::diag::{Code, Diagnostic};
use crate::ir::{Block, CalleeId, Expr, ExprKind, Function, ScopeMode, SpanId, Visit};

/// Open scopes the runtime allows at once, the root scope included.
pub const MAX_SCOPES: u32 = 64;

/// What a function opens by itself; what its callees open is not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Opens {
    /// First AUTO scope written by hand.
    pub auto: Option<SpanId>,
    /// First MANUAL scope.
    pub manual: Option<SpanId>,
    /// Most scopes open at once, those that the compiler placed included.
    pub depth: u32,
}

/// A call and the scopes around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallSite {
    /// What is called.
    pub callee: CalleeId,
    /// The call.
    pub span: SpanId,
    /// The MANUAL scope around it.
    pub inside_manual: Option<SpanId>,
    /// Scopes of this function that are open at the call.
    pub depth: u32,
    /// Whether it is in a `submit!`.
    pub submits: bool,
    /// Whether in-core code makes the call.
    pub in_core: bool,
}

/// Reports scopes that stand where they may not, one diagnostic a scope.
///
/// Scopes that the compiler placed break no rule but count towards the depth, so a check after
/// `insert_auto_scopes` sees every one that the runtime will open.
pub fn check_nesting(function: &Function) -> Vec<Diagnostic> {
    Walk::over(function).diagnostics
}

/// What the function opens by itself. Run it after `insert_auto_scopes`.
pub fn opens(function: &Function) -> Opens {
    Walk::over(function).opens
}

/// Calls in the order they are evaluated. Run it after `insert_auto_scopes`.
pub fn call_sites(function: &Function) -> Vec<CallSite> {
    Walk::over(function).calls
}

struct Walk<'a> {
    function: &'a Function,
    /// The MANUAL scope around this place.
    manual: Option<SpanId>,
    /// Open scopes, without the root scope.
    depth: u32,
    /// Whether this place is in in-core code, and the `at!` region that makes it so.
    in_core: bool,
    region: Option<SpanId>,
    diagnostics: Vec<Diagnostic>,
    opens: Opens,
    calls: Vec<CallSite>,
}

impl Visit for Walk<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Scope {
                mode,
                implicit,
                body,
            } => {
                if !implicit {
                    self.by_hand(*mode, expr.span);
                }
                self.scope(*mode, expr.span, body);
            }
            ExprKind::ScratchScope(body) => {
                if !self.in_core {
                    self.diagnostics.push(scratch_in_orchestration(expr.span));
                }
                self.block(body);
            }
            ExprKind::At(at) => {
                self.in_core = true;
                self.region = Some(expr.span);
                self.block(&at.body);
                self.region = None;
                self.in_core = false;
            }
            ExprKind::Call(call) => {
                self.inside(expr);
                self.calls.push(CallSite {
                    callee: call.callee,
                    span: expr.span,
                    inside_manual: self.manual,
                    depth: self.depth,
                    submits: call.launch.is_some(),
                    in_core: self.in_core,
                });
            }
            _ => self.inside(expr),
        }
    }
}

impl<'a> Walk<'a> {
    fn over(function: &'a Function) -> Self {
        let mut walk = Self {
            function,
            manual: None,
            depth: 0,
            in_core: !function.kind.is_orchestration(),
            region: None,
            diagnostics: Vec::new(),
            opens: Opens::default(),
            calls: Vec::new(),
        };
        walk.block(&function.body);
        walk
    }

    fn by_hand(&mut self, mode: ScopeMode, span: SpanId) {
        if self.in_core {
            let found = scope_in_incore(self.function, self.region, span);
            return self.diagnostics.push(found);
        }
        let seen = match mode {
            ScopeMode::Auto => &mut self.opens.auto,
            ScopeMode::Manual => &mut self.opens.manual,
        };
        seen.get_or_insert(span);
        let kind = self.function.kind;
        let compiler_places = self.function.auto_scope && kind.takes_auto_scope();
        let diagnostic = match (mode, self.manual) {
            (ScopeMode::Auto, _) if compiler_places => auto_by_hand(self.function, span),
            (ScopeMode::Auto, Some(outer)) => auto_inside_manual(span, outer),
            (ScopeMode::Manual, Some(outer)) => manual_inside_manual(span, outer),
            (_, None) => return,
        };
        self.diagnostics.push(diagnostic);
    }

    fn scope(&mut self, mode: ScopeMode, span: SpanId, body: &Block) {
        let outer = self.manual;
        if mode == ScopeMode::Manual {
            self.manual = outer.or(Some(span));
        }
        self.depth += 1;
        self.opens.depth = self.opens.depth.max(self.depth);
        // Only the first one too many: those within it are the same mistake.
        if self.depth == MAX_SCOPES && !self.in_core {
            self.diagnostics.push(too_deep(span));
        }
        self.block(body);
        self.depth -= 1;
        self.manual = outer;
    }
}

fn auto_inside_manual(span: SpanId, outer: SpanId) -> Diagnostic {
    Diagnostic::new(
        Code::AutoInsideManual,
        span,
        "`scope!` opens an AUTO scope inside a MANUAL scope",
        "move the `scope!` out of the MANUAL scope, or remove it: its tasks then belong to the \
         MANUAL scope",
    )
    .note(outer, "the MANUAL scope opens here")
}

fn manual_inside_manual(span: SpanId, outer: SpanId) -> Diagnostic {
    Diagnostic::new(
        Code::ManualInsideManual,
        span,
        "a MANUAL scope opens inside a MANUAL scope",
        "remove the inner scope: its tasks then belong to the MANUAL scope around it",
    )
    .note(outer, "the outer MANUAL scope opens here")
}

fn auto_by_hand(function: &Function, span: SpanId) -> Diagnostic {
    let attribute = function.kind.attribute().trim_end_matches(']');
    Diagnostic::new(
        Code::AutoByHand,
        span,
        "`scope!` opens an AUTO scope by hand where the compiler places the AUTO scopes",
        format!("write `{attribute}(auto_scope = false)]` to place all scopes yourself, or remove this `scope!`"),
    )
    .note(function.span, format!("`{}` has `auto_scope = true`, the default", function.name))
}

fn scope_in_incore(function: &Function, region: Option<SpanId>, span: SpanId) -> Diagnostic {
    let found = Diagnostic::new(
        Code::ScopeInIncore,
        span,
        "a runtime scope opens in in-core code, which is the body of one task",
        "use `scratch_scope!({ .. })`, which recycles tiles, or open the scope in the \
         orchestration function that calls this one",
    );
    match region {
        Some(region) => found.note(region, "this `at!` region is in-core code"),
        None => found.note(
            function.span,
            format!("`{}` is in-core code", function.name),
        ),
    }
}

fn scratch_in_orchestration(span: SpanId) -> Diagnostic {
    Diagnostic::new(
        Code::ScratchInOrchestration,
        span,
        "`scratch_scope!` recycles tiles, and orchestration code has none",
        "use `scope!({ .. })`, which bounds the life of tensors, or move this into a function \
         marked `#[pl::jit::incore]`",
    )
}

fn too_deep(span: SpanId) -> Diagnostic {
    Diagnostic::new(
        Code::TooDeep,
        span,
        format!(
            "scopes are nested {} deep here, the root scope included",
            MAX_SCOPES + 1
        ),
        format!(
            "at most {MAX_SCOPES} may be open at once: write `auto_scope = false` and open fewer"
        ),
    )
}
