//! Orchestration code of which each expression is free of statements, for languages without block
//! expressions.
//!
//! * `if`, scopes and blocks stand as statements and have no value: what they gave is assigned to a
//!   variable that is declared before. Plain blocks are dissolved, as every variable has an id of its own.
//! * What does something (a call, `get`, `set`, a barrier, an array of task ids, a region) and what
//!   makes a tensor (a view, a tensor of a batch) is a statement of its own, bound or assigned to at most one
//!   variable; of a call that gives several values, to one for each.
//! * There are no tuples: a variable of several values is as many variables.
//! * All other operands are scalar expressions over variables, which can be computed at any time between the
//!   statements around them. Where a later operand changes a variable that an earlier one reads, the earlier
//!   one is stored before, so that everything happens in the order of Rust.

mod operands;

use crate::ir::{
    Adaptor, BinaryOp, Block, Call, Expr, ExprKind, Function, PartMut, Pattern, Range, SpanId,
    Stmt, StmtKind, TaskExpr, Type, UnaryOp, Var, VarId, Visit,
};
use std::collections::{HashMap, HashSet};
use std::mem::{replace, take};

/// Takes the expressions of an orchestration function apart.
#[must_use]
pub fn take_apart(mut function: Function) -> Function {
    let mut assigned = Assigned::default();
    assigned.block(&function.body);
    let body = take(&mut function.body);
    let mut apart = Apart {
        vars: take(&mut function.vars),
        assigned: assigned.0,
        parts: HashMap::new(),
        out: Vec::new(),
    };
    let stmts = apart.nested(body, None);
    function.vars = apart.vars;
    function.body = Block { stmts, tail: None };
    function
}

/// Variables that get a value more than once, or after their declaration.
#[derive(Default)]
pub(super) struct Assigned(pub(super) HashSet<VarId>);

impl Visit for Assigned {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { target, .. } => self.0.extend(target.vars()),
            StmtKind::Let {
                pattern,
                init: None,
                ..
            } => self.0.extend(pattern.vars()),
            _ => {}
        }
        stmt.parts(&mut |part| self.part(&part));
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Task(TaskExpr::Set { ids, .. }) = &expr.kind {
            self.0.insert(*ids);
        }
        self.inside(expr);
    }
}

struct Apart {
    vars: Vec<Var>,
    assigned: HashSet<VarId>,
    /// The variables that stand for one of several values.
    parts: HashMap<VarId, Vec<VarId>>,
    /// Statements of the block that is being put together.
    out: Vec<Stmt>,
}

impl Apart {
    /// A new variable.
    fn fresh(&mut self, name: &str, ty: Type, span: SpanId) -> VarId {
        let var = VarId(self.vars.len() as u32);
        self.vars.push(Var {
            name: name.to_owned(),
            mutable: false,
            ty,
            span,
        });
        var
    }

    fn push(&mut self, kind: StmtKind, span: SpanId) {
        self.out.push(Stmt { kind, span });
    }

    /// Runs `make` with an empty list of statements, and gives what it filled in.
    fn apart<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> (Vec<Stmt>, T) {
        let outer = take(&mut self.out);
        let made = make(self);
        (replace(&mut self.out, outer), made)
    }

    /// The statements of a block. Its value is assigned to `target`, or dropped.
    fn nested(&mut self, block: Block, target: Option<&Pattern>) -> Vec<Stmt> {
        self.apart(|this| this.inline(block, target)).0
    }

    /// The same, to be part of what is being put together.
    fn inline(&mut self, block: Block, target: Option<&Pattern>) {
        for stmt in block.stmts {
            self.stmt(stmt);
        }
        if let Some(tail) = block.tail {
            match target {
                Some(target) => self.store(target, *tail, false),
                None => self.effect(*tail),
            }
        }
    }

    fn block(&mut self, block: Block) -> Block {
        Block {
            stmts: self.nested(block, None),
            tail: None,
        }
    }

    fn stmt(&mut self, stmt: Stmt) {
        let span = stmt.span;
        match stmt.kind {
            StmtKind::Let {
                pattern,
                init: Some(init),
                ..
            } => {
                let pattern = self.split_pattern(pattern);
                self.store(&pattern, init, true);
            }
            StmtKind::Let {
                pattern,
                init: None,
                ..
            } => {
                let pattern = self.split_pattern(pattern);
                self.declare(&pattern, span);
            }
            StmtKind::Assign {
                target,
                op: None,
                value,
            } => {
                let target = self.split_pattern(target);
                self.store(&target, value, false);
            }
            StmtKind::Assign { target, op, value } => {
                let value = self.value(value);
                self.push(StmtKind::Assign { target, op, value }, span);
            }
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::For { var, range, body } => {
                let (mut range, body) = (self.range(range), self.block(body));
                let mut changed = Assigned::default();
                changed.block(&body);
                // Rust computes bounds and steps once.
                range.parts_mut(&mut |part| {
                    if let PartMut::Expr(part) = part
                        && mentions(part, &changed.0)
                    {
                        let value = take_expr(part);
                        *part = self.named(value, "bound");
                    }
                });
                self.push(StmtKind::For { var, range, body }, span);
            }
            StmtKind::While { cond, body } => self.repeat(cond, body, span),
            StmtKind::Alloc { batch, mut creates } => {
                let mut parts = Vec::new();
                let mut each = |visit: &mut dyn FnMut(&mut Expr)| {
                    for create in &mut creates {
                        create.parts_mut(&mut |part| match part {
                            PartMut::Expr(part) => visit(part),
                            PartMut::Block(_) => {}
                        });
                    }
                };
                each(&mut |part| parts.push(take_expr(part)));
                let mut parts = self.operands(parts).into_iter();
                each(&mut |part| *part = parts.next().expect("as many as before"));
                self.push(StmtKind::Alloc { batch, creates }, span);
            }
            StmtKind::Break | StmtKind::Continue => self.push(stmt.kind, span),
            StmtKind::Sweep(_) => unreachable!("orchestration code has no tiles"),
        }
    }

    /// Bounds and steps of a loop.
    fn range(&mut self, range: Range) -> Range {
        let mut parts = vec![range.start, range.end];
        let mut adaptors = range.adaptors;
        for adaptor in &mut adaptors {
            if let Adaptor::StepBy(step) = adaptor {
                parts.push(take_expr(step));
            }
        }
        let mut parts = self.operands(parts).into_iter();
        let (start, end) = (
            parts.next().expect("a start"),
            parts.next().expect("an end"),
        );
        for adaptor in &mut adaptors {
            if let Adaptor::StepBy(step) = adaptor {
                *step = parts.next().expect("as many as before");
            }
        }
        Range {
            kind: range.kind,
            start,
            end,
            adaptors,
        }
    }

    /// `while`: a condition that needs statements is computed at the start of each iteration.
    fn repeat(&mut self, cond: Expr, body: Block, span: SpanId) {
        let (mut before, cond) = self.apart(|this| this.value(cond));
        let mut stmts = self.nested(body, None);
        if before.is_empty() {
            let body = Block { stmts, tail: None };
            return self.push(StmtKind::While { cond, body }, span);
        }
        let leave = Stmt {
            kind: StmtKind::Break,
            span,
        };
        before.push(when(not(cond), vec![leave], None, span));
        before.append(&mut stmts);
        let body = Block {
            stmts: before,
            tail: None,
        };
        let cond = truth(true, span);
        self.push(StmtKind::While { cond, body }, span);
    }

    /// Variables of several values become several variables.
    fn split_pattern(&mut self, pattern: Pattern) -> Pattern {
        match pattern {
            Pattern::Var(var) => match self.split(var) {
                Some(parts) => {
                    let parts = parts.into_iter().map(Pattern::Var);
                    let parts = parts.map(|part| self.split_pattern(part)).collect();
                    Pattern::Tuple(parts)
                }
                None => Pattern::Var(var),
            },
            Pattern::Wildcard => Pattern::Wildcard,
            Pattern::Tuple(items) => {
                let items = items.into_iter();
                Pattern::Tuple(items.map(|item| self.split_pattern(item)).collect())
            }
        }
    }

    /// The variables that a variable of several values is.
    fn split(&mut self, var: VarId) -> Option<Vec<VarId>> {
        let Var { name, ty, span, .. } = &self.vars[var.index()];
        let Type::Tuple(types) = ty else {
            return None;
        };
        if let Some(parts) = self.parts.get(&var) {
            return Some(parts.clone());
        }
        let (name, types, span) = (name.clone(), types.clone(), *span);
        let assigned = self.assigned.contains(&var);
        let parts: Vec<VarId> = types
            .into_iter()
            .enumerate()
            .map(|(index, ty)| self.fresh(&format!("{name}_{index}"), ty, span))
            .collect();
        if assigned {
            self.assigned.extend(&parts);
        }
        self.parts.insert(var, parts.clone());
        Some(parts)
    }

    /// `let x;` for each variable of a pattern.
    fn declare(&mut self, pattern: &Pattern, span: SpanId) {
        for var in pattern.vars() {
            self.assigned.insert(var);
            let kind = StmtKind::Let {
                pattern: Pattern::Var(var),
                ty: None,
                init: None,
            };
            self.push(kind, span);
        }
    }

    /// Binds or assigns the value of an expression to what `target` names.
    fn store(&mut self, target: &Pattern, value: Expr, declares: bool) {
        let span = value.span;
        match value.kind {
            ExprKind::Block(block) => {
                for stmt in block.stmts {
                    self.stmt(stmt);
                }
                if let Some(tail) = block.tail {
                    self.store(target, *tail, declares);
                }
            }
            ExprKind::Scope { .. } | ExprKind::If { .. } => {
                if declares {
                    self.declare(target, span);
                }
                self.branches(value, Some(target));
            }
            ExprKind::Tuple(items) => match target {
                Pattern::Tuple(targets) => self.store_each(targets, items, declares),
                _ => items.into_iter().for_each(|item| self.effect(item)),
            },
            kind => match target {
                Pattern::Wildcard => self.effect(Expr { kind, ..value }),
                Pattern::Var(_) => {
                    let value = self.computed(Expr { kind, ..value });
                    self.give(target.clone(), value, declares);
                }
                Pattern::Tuple(targets) => match self.computed(Expr { kind, ..value }) {
                    Expr {
                        kind: ExprKind::Tuple(items),
                        ..
                    } => self.store_each(targets, items, declares),
                    call if declares => self.give(target.clone(), call, true),
                    call => {
                        let (pattern, values) = self.names_for(&call.ty.clone(), &call);
                        self.give(pattern, call, true);
                        self.store(target, values, false);
                    }
                },
            },
        }
    }

    /// One statement that gives a value to what a pattern names.
    fn give(&mut self, target: Pattern, value: Expr, declares: bool) {
        let span = value.span;
        let kind = if declares {
            StmtKind::Let {
                pattern: target,
                ty: None,
                init: Some(value),
            }
        } else {
            StmtKind::Assign {
                target,
                op: None,
                value,
            }
        };
        self.push(kind, span);
    }

    /// `(a, b) = (x, y)`: all values are there before the first assignment.
    fn store_each(&mut self, targets: &[Pattern], items: Vec<Expr>, declares: bool) {
        if declares {
            for (target, item) in targets.iter().zip(items) {
                self.store(target, item, true);
            }
            return;
        }
        let mut items = self.operands(items);
        let mut given = HashSet::new();
        for (target, item) in targets.iter().zip(&mut items) {
            if mentions(item, &given) {
                let value = take_expr(item);
                *item = self.named(value, "value");
            }
            given.extend(target.vars());
        }
        for (target, item) in targets.iter().zip(items) {
            self.store(target, item, false);
        }
    }

    /// An `if` or a scope, with what it gives assigned to `target` or dropped.
    fn branches(&mut self, expr: Expr, target: Option<&Pattern>) {
        let span = expr.span;
        let target = target.filter(|_| expr.ty != Type::Unit);
        match expr.kind {
            ExprKind::Scope {
                mode,
                implicit,
                body,
            } => {
                let stmts = self.nested(body, target);
                let body = Block { stmts, tail: None };
                let kind = ExprKind::Scope {
                    mode,
                    implicit,
                    body,
                };
                self.push(StmtKind::Expr(unit(kind, span)), span);
            }
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => {
                let cond = self.value(*cond);
                let then = self.nested(then, target);
                let otherwise = otherwise.map(|block| self.nested(block, target));
                self.out.push(when(cond, then, otherwise, span));
            }
            _ => unreachable!("the callers looked"),
        }
    }

    /// An expression of which only the effect is wanted.
    fn effect(&mut self, expr: Expr) {
        let span = expr.span;
        match expr.kind {
            ExprKind::Block(block) => self.inline(block, None),
            ExprKind::Scope { .. } | ExprKind::If { .. } => self.branches(expr, None),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => drop(self.value(expr)),
            _ => {
                let value = self.computed(expr);
                if does_something(&value) {
                    self.push(StmtKind::Expr(value), span);
                }
            }
        }
    }
}

/// Whether an expression that was computed is more than a value.
fn does_something(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Task(task) => matches!(task, TaskExpr::Set { .. } | TaskExpr::Barrier(_)),
        kind => {
            makes_tensor(kind)
                || matches!(
                    kind,
                    ExprKind::Call(_)
                        | ExprKind::Get { .. }
                        | ExprKind::Set { .. }
                        | ExprKind::At(_)
                )
        }
    }
}

/// Whether it is a view, which is checked where it is made.
fn makes_tensor(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Slice { .. } | ExprKind::Reshape { .. } | ExprKind::Transpose { .. }
    )
}

/// Whether an expression reads one of these variables.
fn mentions(expr: &Expr, vars: &HashSet<VarId>) -> bool {
    struct Mentions<'a>(&'a HashSet<VarId>, bool);
    impl Visit for Mentions<'_> {
        fn expr(&mut self, expr: &Expr) {
            match expr.kind {
                ExprKind::Var(var) => self.1 |= self.0.contains(&var),
                _ => self.inside(expr),
            }
        }
    }
    let mut found = Mentions(vars, false);
    found.expr(expr);
    found.1
}

fn unit(kind: ExprKind, span: SpanId) -> Expr {
    let ty = Type::Unit;
    Expr { kind, ty, span }
}

/// Stands for an expression that is elsewhere.
fn none(span: SpanId) -> Expr {
    unit(ExprKind::Tuple(Vec::new()), span)
}

/// Takes an expression away, for something to be put in its place.
fn take_expr(expr: &mut Expr) -> Expr {
    let span = expr.span;
    replace(expr, none(span))
}

fn variable(var: VarId, ty: Type, span: SpanId) -> Expr {
    let kind = ExprKind::Var(var);
    Expr { kind, ty, span }
}

fn truth(value: bool, span: SpanId) -> Expr {
    let kind = ExprKind::Literal(value.to_string());
    let ty = Type::bool();
    Expr { kind, ty, span }
}

fn not(expr: Expr) -> Expr {
    let span = expr.span;
    let kind = ExprKind::Unary(UnaryOp::Not, Box::new(expr));
    let ty = Type::bool();
    Expr { kind, ty, span }
}

fn when(cond: Expr, then: Vec<Stmt>, otherwise: Option<Vec<Stmt>>, span: SpanId) -> Stmt {
    let block = |stmts| Block { stmts, tail: None };
    let kind = ExprKind::If {
        cond: Box::new(cond),
        then: block(then),
        otherwise: otherwise.map(block),
    };
    let kind = StmtKind::Expr(unit(kind, span));
    Stmt { kind, span }
}

/// What a call is named after.
fn name_of(call: &Call) -> &'static str {
    match call.launch {
        Some(_) => "task",
        None => "out",
    }
}
