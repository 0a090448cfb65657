//! Rust: the function that runs.

mod at;
mod call;
mod checked;
mod elements;
mod expr;
mod fused;
mod sink;
mod task;
mod text;
mod wrap;

pub(crate) use sink::Sink;
use text::TextSink;

use crate::ir::{
    Adaptor, Block, Create, Expr, ExprKind, Function, Pattern, Range, Scalar, ScopeMode, Stmt,
    StmtKind, Type, VarId,
};
use crate::passes::{Linked, Validated};

/// The whole orchestration function as text: helpers spliced in, each kernel call a submission.
pub fn orchestration(linked: &Linked) -> String {
    let function = linked.function.function();
    let mut emitter = Emitter::new(&linked.function, TextSink::new(function, &linked.source));
    emitter.header();
    emitter.out.open();
    emitter.named_dims();
    emitter.body();
    emitter.out.close();
    emitter.out.line();
    wrap::wrap(&emitter.out.finish())
}

/// Emits the body of one function.
pub(crate) struct Emitter<'a, S> {
    pub(crate) function: &'a Function,
    pub(crate) out: S,
    /// Index of the innermost scope's guard.
    pub(crate) depth: u32,
    /// Whether what is emitted is in-core code.
    pub(crate) incore: bool,
}

impl<'a, S: Sink> Emitter<'a, S> {
    /// An emitter for the body of `function`, inside scope 0.
    pub(crate) fn new(function: &'a Validated, out: S) -> Self {
        Self::over(function.function(), out)
    }

    /// The same for parts of a function that does not need to be valid.
    pub(crate) fn over(function: &'a Function, out: S) -> Self {
        Self {
            function,
            out,
            depth: 0,
            incore: !function.kind.is_orchestration(),
        }
    }

    /// `fn name(scope0: &Scope<'_>, x: Tensor<'_>, ..) -> Result<()> `
    fn header(&mut self) {
        self.out.put("fn ");
        self.out.put(&self.function.name);
        self.out.put("(");
        self.scope();
        self.out.put(": &Scope<'_>");
        for param in &self.function.params {
            self.out.put(", ");
            if self.function.var(param.var).mutable {
                self.out.put("mut ");
            }
            self.out.var(param.var);
            self.out.put(": ");
            match &param.ty {
                Type::Scalar(Scalar::Named(name)) => {
                    self.out.scalar_type(name);
                }
                _ => self.out.put("Tensor<'_>"),
            }
        }
        self.out.put(") -> Result<()> ");
    }

    /// `let M = x.dim(0, ..)?;` for each named dimension.
    fn named_dims(&mut self) {
        for index in 0..self.function.dims.len() as u32 {
            let Some((var, axis)) = self.function.named_dim(index) else {
                continue;
            };
            self.out.put("let ");
            self.out.local("dim", index);
            self.out.put(" = ");
            self.out.var(var);
            self.out.put(&format!(".dim({axis}, "));
            self.out.site(self.function.span);
            self.out.put(")?;");
            self.out.line();
        }
    }

    /// Statements and value of the function; the value wrapped in `Ok`.
    pub(crate) fn body(&mut self) {
        let body = &self.function.body;
        // The one scope around everything needs no braces of its own.
        let body = self.enter_sole_scope(body);
        for stmt in &body.stmts {
            self.stmt(stmt);
        }
        self.out.runtime("Ok");
        self.out.put("(");
        match &body.tail {
            Some(tail) => self.expr(tail),
            None => self.out.put("()"),
        }
        self.out.put(")");
        self.out.line();
    }

    /// If `block` is one scope and nothing else, opens it here and gives its contents.
    pub(crate) fn enter_sole_scope<'b>(&mut self, block: &'b Block) -> &'b Block {
        let sole = match (block.stmts.as_slice(), &block.tail) {
            (
                [
                    Stmt {
                        kind: StmtKind::Expr(expr),
                        ..
                    },
                ],
                None,
            ) => Some(expr),
            ([], Some(tail)) => Some(&**tail),
            _ => None,
        };
        match sole {
            Some(expr) if scope_body(expr).is_some() => {
                self.enter(expr);
                let inner = scope_body(expr).expect("just tested");
                self.enter_sole_scope(inner)
            }
            _ => block,
        }
    }

    /// `let scope1 = scope0.enter(..)?;`
    fn enter(&mut self, expr: &Expr) {
        self.out.at(expr.span);
        self.out.put("let ");
        self.depth += 1;
        self.scope();
        self.out.put(" = ");
        self.depth -= 1;
        self.scope();
        match &expr.kind {
            ExprKind::Scope { implicit: true, .. } => self.out.put(".enter_implicit("),
            ExprKind::Scope { mode, .. } => {
                self.out.put(".enter(");
                self.out.runtime(match mode {
                    ScopeMode::Auto => "ScopeMode::Auto",
                    ScopeMode::Manual => "ScopeMode::Manual",
                });
                self.out.put(", ");
            }
            _ => self.out.put(".enter("),
        }
        self.out.site(expr.span);
        // Scratch always has room for a mark; a runtime scope may be refused.
        let fallible = matches!(expr.kind, ExprKind::Scope { .. });
        self.out.put(if fallible { ")?;" } else { ");" });
        self.out.line();
        self.depth += 1;
    }

    /// The innermost scope's guard.
    pub(crate) fn scope(&mut self) {
        let stem = if self.incore { "scratch" } else { "scope" };
        self.out.local(stem, self.depth);
    }

    /// A reference to the innermost scope's guard; the outermost is one already.
    pub(crate) fn scope_ref(&mut self) {
        if self.depth > 0 {
            self.out.put("&");
        }
        self.scope();
    }

    /// A block in braces; scopes opened in it close with it.
    pub(crate) fn block(&mut self, block: &Block) {
        let depth = self.depth;
        self.out.open();
        let contents = self.enter_sole_scope(block);
        for stmt in &contents.stmts {
            self.stmt(stmt);
        }
        if let Some(tail) = &contents.tail {
            self.expr(tail);
            self.out.line();
        }
        self.out.close();
        self.depth = depth;
    }

    pub(crate) fn stmt(&mut self, stmt: &Stmt) {
        self.out.at(stmt.span);
        match &stmt.kind {
            StmtKind::Let { pattern, ty, init } => {
                self.out.put("let ");
                self.pattern(pattern, true);
                if let Some(Type::Scalar(Scalar::Named(name))) = ty {
                    self.out.put(": ");
                    self.out.scalar_type(name);
                }
                match (init, ty, pattern) {
                    (Some(init), Some(ty), _) => {
                        self.out.put(" = ");
                        self.fitted(init, ty);
                    }
                    (Some(init), None, _) => {
                        self.out.put(" = ");
                        self.expr(init);
                    }
                    (None, _, Pattern::Var(var)) if S::CHECKS && self.is_number(*var) => {
                        self.out.put(" = ");
                        self.out.runtime("arith::unassigned()");
                    }
                    (None, ..) => {}
                }
                self.out.put(";");
            }
            StmtKind::Assign {
                target: Pattern::Var(var),
                op: Some(op),
                value,
            } if op.checked().is_some() && Self::checks(&self.function.var(*var).ty) => {
                // The value first: it may change the variable.
                self.out.put("{ let ");
                self.out.local("value", 0);
                self.out.put(" = ");
                self.expr(value);
                self.out.put("; ");
                self.out.var(*var);
                self.out.put(" = ");
                self.out.runtime("arith::On((");
                self.out.var(*var);
                self.out.put(", ");
                self.out.local("value", 0);
                let name = op.checked().expect("just tested");
                self.out.put(&format!(")).{name}("));
                self.out.site(stmt.span);
                self.out.put(")?; }");
            }
            StmtKind::Assign {
                target: Pattern::Var(var),
                op: None,
                value,
            } if S::CHECKS && self.is_number(*var) => {
                self.out.var(*var);
                self.out.put(" = ");
                self.out.runtime("arith::On((");
                self.out.var(*var);
                self.out.put(", ");
                self.expr(value);
                self.out.at(stmt.span);
                self.out.put(")).second();");
            }
            StmtKind::Assign { target, op, value } => {
                self.pattern(target, false);
                // In one piece: `+` and `=` apart are two tokens.
                let op = op.map_or("", |op| op.symbol());
                self.out.put(&format!(" {op}= "));
                self.expr(value);
                self.out.put(";");
            }
            StmtKind::Expr(expr) => {
                match &expr.kind {
                    // Nobody takes what it gives.
                    ExprKind::Call(call) => {
                        self.out.at(expr.span);
                        self.call(call, expr);
                    }
                    _ => self.expr(expr),
                }
                if !is_block_like(expr) {
                    self.out.put(";");
                }
            }
            StmtKind::For { var, range, body } => {
                self.out.put("for ");
                match var {
                    Some(var) => self.out.var(*var),
                    None => self.out.put("_"),
                }
                self.out.put(" in ");
                self.range(range);
                self.out.put(" ");
                self.block(body);
            }
            StmtKind::While { cond, body } => {
                self.out.put("while ");
                self.truth(cond);
                self.out.put(" ");
                self.block(body);
            }
            StmtKind::Sweep(sweep) => self.sweep(sweep),
            StmtKind::Break => self.out.put("break;"),
            StmtKind::Continue => self.out.put("continue;"),
            StmtKind::Alloc { batch, creates } => {
                self.out.put("let ");
                self.out.local("alloc", batch.0);
                self.out.put(" = ");
                self.scope();
                self.out.put(".alloc_tensors(");
                self.out.site(stmt.span);
                self.out.put(", &[");
                for (position, create) in creates.iter().enumerate() {
                    self.separate(position);
                    self.create(create);
                }
                self.out.put("])?;");
            }
        }
        self.out.line();
    }

    /// Whether a variable certainly holds a number.
    fn is_number(&self, var: VarId) -> bool {
        match &self.function.var(var).ty {
            Type::Scalar(Scalar::Integer | Scalar::Float) => true,
            Type::Scalar(Scalar::Named(name)) => NUMBERS.contains(&name.as_str()),
            _ => false,
        }
    }

    pub(crate) fn create(&mut self, create: &Create) {
        self.out.runtime("TensorCreateInfo::new");
        self.out.put("(");
        self.out.elem(&create.elem);
        self.out.put(", &");
        self.lengths(&create.dims);
        self.out.put(")");
        if let Some(init) = &create.init {
            self.out.put(".init(");
            self.out.runtime("Scalar::to_value");
            self.out.put("(");
            self.expr(init);
            self.out.put("))");
        }
        if create.manual_dep {
            self.out.put(".manual_dep()");
        }
    }

    fn pattern(&mut self, pattern: &Pattern, declares: bool) {
        match pattern {
            Pattern::Wildcard => self.out.put("_"),
            Pattern::Var(var) => {
                // What runs is not where an assignment is refused.
                if declares && (S::CHECKS || self.function.var(*var).mutable) {
                    self.out.put("mut ");
                }
                self.out.var(*var);
            }
            Pattern::Tuple(items) => {
                self.out.put("(");
                for (position, item) in items.iter().enumerate() {
                    self.separate(position);
                    self.pattern(item, declares);
                }
                self.out.put(if items.len() == 1 { ",)" } else { ")" });
            }
        }
    }

    fn range(&mut self, range: &Range) {
        let adapted = !range.adaptors.is_empty();
        if adapted {
            self.out.put("(");
        }
        let counts = matches!(range.start.kind, ExprKind::Literal(_))
            && range.start.ty == Type::Scalar(Scalar::Integer)
            && range.end.ty == Type::usize();
        if S::CHECKS && !counts {
            self.on(&[&range.start, &range.end]);
            self.out.put(".range()");
        } else {
            self.operand(&range.start, RANGE);
            self.out.put("..");
            self.operand(&range.end, RANGE);
        }
        if adapted {
            self.out.put(")");
        }
        for adaptor in &range.adaptors {
            match adaptor {
                Adaptor::Rev => self.out.put(".rev()"),
                Adaptor::StepBy(step) => {
                    self.out.put(".step_by(");
                    if S::CHECKS {
                        self.out.runtime("arith::step");
                        self.out.put("(");
                        self.length(step);
                        self.out.put(", ");
                        self.out.site(step.span);
                        self.out.put(")?");
                    } else {
                        self.expr(step);
                    }
                    self.out.put(")");
                }
            }
        }
    }

    /// `, ` before every item but the first.
    pub(crate) fn separate(&mut self, position: usize) {
        if position > 0 {
            self.out.put(", ");
        }
    }
}

/// Types of variables that have a value before the first assignment.
const NUMBERS: &[&str] = &[
    "f64", "f32", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize",
];

/// Binding strength of `..`, weaker than every operator.
pub(crate) const RANGE: u8 = 1;

fn scope_body(expr: &Expr) -> Option<&Block> {
    match &expr.kind {
        ExprKind::Scope { body, .. } | ExprKind::ScratchScope(body) => Some(body),
        _ => None,
    }
}

/// Whether an expression stands as a statement without a semicolon.
fn is_block_like(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::If { .. }
            | ExprKind::Scope { .. }
            | ExprKind::ScratchScope(_)
            | ExprKind::Block(_)
    ) && expr.ty == Type::Unit
}
