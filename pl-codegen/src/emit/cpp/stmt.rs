//! Statements as C++.

use super::Printer;
use super::number::{c_type, is_float, is_half, is_signed};
use super::scalar::type_name;
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, Pattern, ScopeMode, SpanId, Stmt, StmtKind, TaskExpr, Type,
    VarId,
};

impl Printer<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let {
                pattern,
                init: None,
                ..
            } => pattern.vars().into_iter().for_each(|var| self.later(var)),
            StmtKind::Let {
                pattern,
                init: Some(value),
                ..
            } => self.give(Some(pattern), value, true),
            StmtKind::Assign {
                target,
                op: None,
                value,
            } => self.give(Some(target), value, false),
            StmtKind::Assign {
                target: Pattern::Var(var),
                op: Some(op),
                value,
            } => self.update(*var, *op, value),
            StmtKind::Assign { .. } => unreachable!("`+=` has one variable"),
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::For { var, range, body } => self.for_loop(*var, range, body),
            StmtKind::While { cond, body } => {
                let cond = self.scalar(cond);
                self.out.open(&format!("while ({cond}) {{"));
                self.block(body);
                self.out.close("}");
            }
            StmtKind::Break => self.out.line("break;"),
            StmtKind::Continue => self.out.line("continue;"),
            StmtKind::Alloc { batch, creates } => self.alloc(*batch, creates),
            StmtKind::Sweep(_) => unreachable!("orchestration code has no tiles"),
        }
    }

    /// `x += value`, of the type of Rust.
    fn update(&mut self, var: VarId, op: BinaryOp, value: &Expr) {
        let ty = self.function.var(var).ty.clone();
        let name = type_name(&ty);
        let rewritten = is_half(name)
            || (is_float(name) && op == BinaryOp::Rem)
            || (is_signed(name) && op == BinaryOp::Shl);
        if rewritten {
            let span = value.span;
            let x = Expr {
                kind: ExprKind::Var(var),
                ty: ty.clone(),
                span,
            };
            let kind = ExprKind::Binary(op, Box::new(x), Box::new(value.clone()));
            let text = self.scalar(&Expr { kind, ty, span });
            let line = format!("{} = {text};", self.name(var));
            return self.out.line(&line);
        }
        let value = self.scalar(value);
        let line = format!("{} {}= {value};", self.name(var), op.symbol());
        self.out.line(&line);
    }

    /// A variable that gets its value later.
    fn later(&mut self, var: VarId) {
        let name = self.name(var).to_owned();
        let line = match &self.function.var(var).ty {
            Type::Tensor(_) => match self.some_tensor {
                Some(tensor) => format!("ChipTensor {name} = {};", self.name(tensor)),
                None => format!("ChipTensor {name};"),
            },
            Type::TaskId => format!("PTO2TaskId {name} = PTO2TaskId::invalid();"),
            Type::TaskIds => return self.array(var),
            ty => {
                let ty = c_type(type_name(ty));
                let zero = match ty {
                    "bool" => "false",
                    "float" => "0.0f",
                    "double" => "0.0",
                    _ => "0",
                };
                format!("{ty} {name} = {zero};")
            }
        };
        self.out.line(&line);
    }

    /// Binds or assigns what an expression gives.
    pub(super) fn give(&mut self, target: Option<&Pattern>, value: &Expr, declares: bool) {
        match (&value.kind, target) {
            (ExprKind::Call(call), _) => self.call(call, value.span, target, declares),
            (ExprKind::At(at), _) => self.region(at, value.span, target, declares),
            (ExprKind::Task(TaskExpr::Barrier(deps)), _) => {
                self.barrier(deps, value.span, target, declares);
            }
            (_, Some(Pattern::Var(var))) => self.value(*var, value, declares),
            (_, _) => self.effect(value),
        }
    }

    fn value(&mut self, var: VarId, value: &Expr, declares: bool) {
        let name = self.name(var).to_owned();
        let fixed = declares && !self.facts.assigned.contains(&var);
        let (ty, text) = match &value.kind {
            ExprKind::Task(TaskExpr::Array(_)) => return self.fill_array(var, declares),
            ExprKind::Var(ids) if value.ty == Type::TaskIds => {
                return self.copy_array(var, *ids, declares);
            }
            ExprKind::Slice { .. } | ExprKind::Reshape { .. } | ExprKind::Transpose { .. } => {
                ("ChipTensor", self.view(&name, value))
            }
            ExprKind::AllocRef { batch, index } => (
                if fixed {
                    "const ChipTensor&"
                } else {
                    "ChipTensor"
                },
                format!("{}.get_ref({index})", self.batch(*batch)),
            ),
            ExprKind::Get { base, indices } => {
                self.hazards(value.span);
                let text = self.get(&name, base, indices);
                (c_type(type_name(&value.ty)), text)
            }
            // A copy: the other variable may change.
            _ if matches!(value.ty, Type::Tensor(_)) => ("ChipTensor", self.tensor(value)),
            _ if value.ty == Type::TaskId => ("PTO2TaskId", self.task_id(value)),
            _ => {
                let ty = c_type(type_name(&self.function.var(var).ty));
                (ty, self.scalar(value))
            }
        };
        let ty = if declares {
            format!("{ty} ")
        } else {
            String::new()
        };
        self.out.line(&format!("{ty}{name} = {text};"));
    }

    /// What is done for its effect.
    fn effect(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Scope { mode, body, .. } => {
                let mode = match mode {
                    ScopeMode::Auto => "",
                    ScopeMode::Manual => "PTO2ScopeMode::MANUAL",
                };
                let place = self.place(expr.span);
                self.out.open(&format!("PTO2_SCOPE({mode}) {{  // {place}"));
                self.block(body);
                self.out.close("}");
            }
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => {
                let cond = self.scalar(cond);
                self.out.open(&format!("if ({cond}) {{"));
                self.block(then);
                self.otherwise(otherwise.as_ref());
                self.out.close("}");
            }
            ExprKind::Call(call) => self.call(call, expr.span, None, false),
            ExprKind::Task(TaskExpr::Barrier(deps)) => self.barrier(deps, expr.span, None, false),
            ExprKind::Task(TaskExpr::Set { ids, index, value }) => {
                let index = self.scalar(index);
                let value = self.task_id(value);
                let line = format!("{}[{index}] = {value};", self.name(*ids));
                self.out.line(&line);
            }
            ExprKind::At(at) => self.region(at, expr.span, None, false),
            ExprKind::Set {
                base,
                indices,
                value,
            } => {
                self.hazards(expr.span);
                self.set(base, indices, value);
            }
            ExprKind::Get { base, indices } => {
                self.hazards(expr.span);
                let name = self.tensor(base);
                let text = self.get(&name, base, indices);
                self.out.line(&format!("(void){text};"));
            }
            ExprKind::Slice { base, .. }
            | ExprKind::Reshape { base, .. }
            | ExprKind::Transpose { base, .. } => {
                // Nobody uses the view, but its bounds are checked.
                let name = self.tensor(base);
                let text = self.view(&name, expr);
                self.out.line(&format!("(void){text};"));
            }
            // Only a value.
            _ => {}
        }
    }

    /// `} else {`, and what stands there.
    fn otherwise(&mut self, block: Option<&Block>) {
        let Some(block) = block.filter(|block| !block.stmts.is_empty()) else {
            return;
        };
        self.out.dedent();
        if let [
            Stmt {
                kind:
                    StmtKind::Expr(Expr {
                        kind:
                            ExprKind::If {
                                cond,
                                then,
                                otherwise,
                            },
                        ..
                    }),
                ..
            },
        ] = block.stmts.as_slice()
        {
            let cond = self.scalar(cond);
            self.out.open(&format!("}} else if ({cond}) {{"));
            self.block(then);
            return self.otherwise(otherwise.as_ref());
        }
        self.out.open("} else {");
        self.block(block);
    }

    /// `file.rs:12`
    pub(super) fn place(&self, span: SpanId) -> String {
        self.source.place(span)
    }

    /// What the device may exchange with what stands here.
    pub(super) fn hazards(&mut self, span: SpanId) {
        for hazard in self.hazards {
            if hazard.span == span {
                self.out
                    .line(&format!("// hazard: {}", hazard.message.replace('\n', " ")));
            }
        }
    }

    /// The name of a tensor.
    pub(super) fn tensor(&mut self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Var(var) => self.name(*var).to_owned(),
            ExprKind::AllocRef { batch, index } => {
                format!("{}.get_ref({index})", self.batch(*batch))
            }
            kind => unreachable!("tensors have names: {kind:?}"),
        }
    }
}
