//! Operands: scalar expressions and names, with what they need done stated before.

use super::{
    Apart, Assigned, does_something, makes_tensor, mentions, none, not, take_expr, variable, when,
};
use crate::ir::{
    BinaryOp, Expr, ExprKind, Part, PartMut, Pattern, StmtKind, TaskExpr, Type, UnaryOp,
};

impl Apart {
    /// The expression as an operand.
    pub(super) fn value(&mut self, expr: Expr) -> Expr {
        let span = expr.span;
        match expr.kind {
            ExprKind::Var(var) => self.whole(var, span),
            ExprKind::Block(block) => {
                for stmt in block.stmts {
                    self.stmt(stmt);
                }
                match block.tail {
                    Some(tail) => self.value(*tail),
                    None => none(span),
                }
            }
            ExprKind::If { .. } | ExprKind::Scope { .. } => {
                let (pattern, value) = self.results(&expr.ty.clone(), "value", span);
                self.store(&pattern, expr, true);
                value
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let a = self.value(*a);
                let (before, b) = self.apart(|this| this.value(*b));
                if before.is_empty() {
                    let kind = ExprKind::Binary(op, Box::new(a), Box::new(b));
                    return Expr { kind, ..expr };
                }
                // The second operand is computed only if the first does not decide.
                let var = self.fresh("both", Type::bool(), span);
                self.assigned.insert(var);
                let both = variable(var, Type::bool(), span);
                let pattern = Pattern::Var(var);
                self.give(pattern.clone(), a, true);
                let mut stmts = before;
                let value = StmtKind::Assign {
                    target: pattern,
                    op: None,
                    value: b,
                };
                stmts.push(crate::ir::Stmt { kind: value, span });
                let open = match op {
                    BinaryOp::And => both.clone(),
                    _ => not(both.clone()),
                };
                self.out.push(when(open, stmts, None, span));
                both
            }
            kind => {
                let computed = self.computed(Expr { kind, ..expr });
                if is_operand(&computed) {
                    return computed;
                }
                let name = self.name_for(&computed);
                self.named(computed, &name)
            }
        }
    }

    /// A variable; of one that stands for several, all of them.
    fn whole(&mut self, var: crate::ir::VarId, span: crate::ir::SpanId) -> Expr {
        let ty = self.vars[var.index()].ty.clone();
        let Some(parts) = self.split(var) else {
            return variable(var, ty, span);
        };
        let parts = parts.into_iter().map(|part| self.whole(part, span));
        let kind = ExprKind::Tuple(parts.collect());
        Expr { kind, ty, span }
    }

    /// Variables for several values, as a pattern and as a value.
    fn results(&mut self, ty: &Type, name: &str, span: crate::ir::SpanId) -> (Pattern, Expr) {
        let var = self.fresh(name, ty.clone(), span);
        let pattern = self.split_pattern(Pattern::Var(var));
        (pattern, self.whole(var, span))
    }

    /// The expression with its operands stated; the outermost operation is left, for a statement to
    /// give it a name.
    pub(super) fn computed(&mut self, mut expr: Expr) -> Expr {
        match expr.kind {
            ExprKind::Block(_)
            | ExprKind::If { .. }
            | ExprKind::Scope { .. }
            | ExprKind::Var(_)
            | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => return self.value(expr),
            _ => {}
        }
        let mut parts = Vec::new();
        // What is in a region is in-core code, and stays a block.
        expr.parts_mut(&mut |part| {
            if let PartMut::Expr(part) = part {
                parts.push(take_expr(part));
            }
        });
        let mut parts = self.operands(parts).into_iter();
        expr.parts_mut(&mut |part| {
            if let PartMut::Expr(part) = part {
                *part = parts.next().expect("as many as before");
            }
        });
        expr
    }

    /// Operands that are all there at once, in the order they are written in.
    pub(super) fn operands(&mut self, exprs: Vec<Expr>) -> Vec<Expr> {
        let mut operands: Vec<Expr> = Vec::with_capacity(exprs.len());
        for expr in exprs {
            let start = self.out.len();
            let operand = self.value(expr);
            if self.out.len() > start {
                let later = self.out.split_off(start);
                let mut changed = Assigned::default();
                for stmt in &later {
                    crate::ir::Visit::stmt(&mut changed, stmt);
                }
                for earlier in &mut operands {
                    if mentions(earlier, &changed.0) {
                        let value = take_expr(earlier);
                        *earlier = self.named(value, "value");
                    }
                }
                self.out.extend(later);
            }
            operands.push(operand);
        }
        operands
    }

    /// A new variable with the value of an expression that was computed.
    pub(super) fn named(&mut self, value: Expr, name: &str) -> Expr {
        let (ty, span) = (value.ty.clone(), value.span);
        if let ExprKind::Tuple(items) = value.kind {
            let items = items.into_iter().map(|item| self.named(item, name));
            let kind = ExprKind::Tuple(items.collect());
            return Expr { kind, ty, span };
        }
        if matches!(ty, Type::Tuple(_)) {
            let (pattern, names) = self.names_for(&ty, &value);
            self.give(pattern, value, true);
            return names;
        }
        let var = self.fresh(name, ty.clone(), span);
        self.give(Pattern::Var(var), value, true);
        variable(var, ty, span)
    }

    /// Variables for the values of a call, as a pattern and as a value.
    pub(super) fn names_for(&mut self, ty: &Type, call: &Expr) -> (Pattern, Expr) {
        let span = call.span;
        if let Type::Tuple(types) = ty {
            let each = types.iter().map(|ty| self.names_for(ty, call));
            let (patterns, values): (Vec<_>, Vec<_>) = each.unzip();
            let kind = ExprKind::Tuple(values);
            let ty = ty.clone();
            return (Pattern::Tuple(patterns), Expr { kind, ty, span });
        }
        let name = if *ty == Type::TaskId { "task" } else { "out" };
        let var = self.fresh(name, ty.clone(), span);
        (Pattern::Var(var), variable(var, ty.clone(), span))
    }

    /// What an unnamed value is called.
    fn name_for(&self, value: &Expr) -> String {
        let (base, what) = match &value.kind {
            ExprKind::Slice { base, .. } => (base, "part"),
            ExprKind::Reshape { base, .. } => (base, "reshaped"),
            ExprKind::Transpose { base, .. } => (base, "transposed"),
            ExprKind::Get { base, .. } => (base, "element"),
            ExprKind::Task(TaskExpr::At { ids, .. }) => (ids, "at"),
            ExprKind::Call(call) => return super::name_of(call).to_owned(),
            ExprKind::At(_) => return "task".to_owned(),
            ExprKind::Task(TaskExpr::Barrier(_)) => return "barrier".to_owned(),
            ExprKind::Task(TaskExpr::Array(_)) => return "ids".to_owned(),
            _ => return "tensor".to_owned(),
        };
        match base.kind {
            ExprKind::Var(var) => format!("{}_{what}", self.vars[var.index()].name),
            _ => what.to_owned(),
        }
    }
}

/// Whether what was computed can stand within an expression: a scalar that reads nothing but variables,
/// or the name of a handle.
fn is_operand(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Var(_) | ExprKind::Dim(_) => true,
        ExprKind::Task(task) => matches!(
            task,
            TaskExpr::None | TaskExpr::Allocated(_) | TaskExpr::IsValid(_)
        ),
        ExprKind::Unary(UnaryOp::Neg | UnaryOp::Not, _)
        | ExprKind::Binary(..)
        | ExprKind::Cast(..)
        | ExprKind::Method { .. }
        | ExprKind::DimOf { .. }
        | ExprKind::Tuple(_) => {
            let mut all = true;
            expr.parts(&mut |part| match part {
                Part::Expr(part) => all &= is_operand(part),
                Part::Block(_) => all = false,
            });
            all
        }
        kind => {
            debug_assert!(
                does_something(expr)
                    || makes_tensor(kind)
                    || matches!(kind, ExprKind::AllocRef { .. } | ExprKind::Task(_)),
                "{kind:?}"
            );
            false
        }
    }
}
