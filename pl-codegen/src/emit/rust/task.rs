//! Launches, task ids and blocks as Rust.

use super::checked::is_literal;
use super::expr::{ATOM, CAST};
use super::{Emitter, Sink};
use crate::ir::{BinaryOp, BlockFact, Expr, ExprKind, Launch, Predicate, TaskExpr, Type, UnaryOp};

impl<S: Sink> Emitter<'_, S> {
    /// `.deps(&[t]).blocks(8)`, behind a `TaskSpec`.
    pub(super) fn launch(&mut self, launch: &Launch, expr: &Expr) {
        for (name, deps) in [("deps", &launch.deps), ("deps_wait", &launch.deps_wait)] {
            if !deps.is_empty() {
                self.out.put(&format!(".{name}("));
                self.dependencies(deps);
                self.out.put(")");
            }
        }
        if let Some(blocks) = &launch.blocks {
            self.out.put(".blocks(");
            self.checked_argument("blocks", blocks, Self::length);
            self.out.put(")");
        }
        self.out.at(expr.span);
        if launch.sync_start {
            self.out.put(".sync_start()");
        }
        if let Some(core_type) = launch.core_type {
            self.out.put(".core_type(");
            self.out.runtime(&format!("CoreType::{core_type}"));
            self.out.put(")");
        }
        if let Some(predicate) = &launch.predicate {
            self.predicate(predicate);
        }
        self.out.at(expr.span);
    }

    fn predicate(&mut self, predicate: &Predicate) {
        self.out.put(".predicate(&");
        self.operand(&predicate.base, ATOM);
        self.out.put(", &");
        self.lengths(&predicate.indices);
        self.out.put(", ");
        self.out.runtime(match predicate.op {
            BinaryOp::Ne => "PredicateOp::Ne",
            BinaryOp::Lt => "PredicateOp::Lt",
            BinaryOp::Le => "PredicateOp::Le",
            BinaryOp::Gt => "PredicateOp::Gt",
            BinaryOp::Ge => "PredicateOp::Ge",
            _ => "PredicateOp::Eq",
        });
        self.out.put(", ");
        if S::CHECKS {
            self.checked_argument("target", &predicate.target, |this, target| {
                this.element_value(target, &predicate.base);
            });
        } else {
            self.target(&predicate.target);
        }
        self.out.put(")");
    }

    /// An integer of 64 bits, to read.
    fn target(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Literal(text) if target.ty == Type::bool() => {
                self.out.put(if text == "true" { "1" } else { "0" });
            }
            ExprKind::Literal(_) => self.expr(target),
            ExprKind::Unary(UnaryOp::Neg, x) if is_literal(x) => self.expr(target),
            _ => {
                self.operand(target, CAST);
                self.out.put(" as i64");
            }
        }
    }

    /// `arith::name(value, site)?` where it is checked, else the value.
    fn checked_argument(&mut self, name: &str, value: &Expr, emit: impl Fn(&mut Self, &Expr)) {
        if !S::CHECKS {
            return self.expr(value);
        }
        self.out.runtime(&format!("arith::{name}("));
        emit(self, value);
        self.out.at(value.span);
        self.out.put(", ");
        self.out.site(value.span);
        self.out.put(")?");
    }

    /// A slice of task ids: single ids, and whole arrays of them.
    fn dependencies(&mut self, deps: &[Expr]) {
        if let [only] = deps
            && only.ty == Type::TaskIds
        {
            return self.all_of(only);
        }
        let any_array = deps.iter().any(|dep| dep.ty == Type::TaskIds);
        self.out.put("&[");
        for (position, dep) in deps.iter().enumerate() {
            self.separate(position);
            match (&dep.ty, any_array) {
                (Type::TaskIds, _) => self.all_of(dep),
                (_, true) => {
                    // The first says that these are slices.
                    self.out.put("&[");
                    self.dependency(dep);
                    self.out.put(if position == 0 { "][..]" } else { "]" });
                }
                _ => self.dependency(dep),
            }
        }
        self.out.put(if any_array { "].concat()" } else { "]" });
    }

    fn all_of(&mut self, ids: &Expr) {
        self.operand(ids, ATOM);
        self.out.put(".as_slice()");
    }

    /// One task id. What a helper gives may be something else: rustc has then said so in the stub.
    fn dependency(&mut self, dep: &Expr) {
        if !S::CHECKS || dep.ty == Type::TaskId {
            return self.expr(dep);
        }
        self.fit(
            dep.span,
            |this| this.expr(dep),
            |this| this.out.runtime("TaskId"),
        );
    }

    pub(super) fn task(&mut self, task: &TaskExpr, expr: &Expr) {
        match task {
            // Here the runtime itself keeps what a task uses.
            TaskExpr::None | TaskExpr::Allocated(_) => self.out.runtime("TaskId::NONE"),
            TaskExpr::Array(length) => {
                self.out.runtime("TaskIds::<");
                if is_literal(length) {
                    self.expr(length);
                } else {
                    self.out.put("{ ");
                    self.expr(length);
                    self.out.put(" }");
                }
                self.out.put(">::new()");
            }
            TaskExpr::At { ids, index } => {
                self.view("get", ids, expr);
                self.length(index);
                self.close_view(expr);
            }
            TaskExpr::Set { ids, index, value } => {
                self.out.var(*ids);
                self.out.put(".set(");
                self.expr(value);
                self.out.at(expr.span);
                self.out.put(", ");
                self.length(index);
                self.close_view(expr);
            }
            TaskExpr::IsValid(task) => {
                self.dependency(task);
                self.out.at(expr.span);
                self.out.put(".is_valid()");
            }
            TaskExpr::Barrier(deps) => {
                self.scope();
                self.out.put(".submit(");
                self.out.site(expr.span);
                self.out.put(", ");
                self.out.runtime("TaskSpec::dummy(&[])");
                if !deps.is_empty() {
                    self.out.put(".deps(");
                    self.dependencies(deps);
                    self.out.put(")");
                }
                self.out.at(expr.span);
                self.out.put(")?.task_id()");
            }
        }
    }

    /// The part of this block, of a parameter.
    pub(super) fn partition(&mut self, base: &Expr, axis: &Expr, expr: &Expr) {
        let tensors = self.function.params.iter();
        let position = tensors
            .filter(|param| matches!(param.ty, Type::Tensor(_)))
            .position(|param| base.kind == crate::ir::ExprKind::Var(param.var))
            .expect("`verify` wants a parameter");
        self.out.local("args", 0);
        self.out.put(&format!(".partition({position}, "));
        self.length(axis);
        self.close_view(expr);
    }

    pub(super) fn of_block(&mut self, fact: BlockFact) {
        self.out.put("(");
        self.out.local("args", 0);
        self.out.put(&format!(".{}() as ", fact.name()));
        self.out.scalar_type("usize");
        self.out.put(")");
    }
}
