//! What emitters rely on. A function that breaks one of these rules is a mistake of this crate,
//! not of the user.
//!
//! * Ids are in range: variables, named dimensions, constants, callees, also those within types.
//! * A variable is declared once, and used only where its declaration is visible.
//! * `break` and `continue` stand in loops.
//! * Orchestration code has no `Create` (they are in batches), no `scratch_scope!` and no operation
//!   on tiles.
//! * In-core code has no batches and no runtime scopes.
//! * A batch has an id of its own and 1 to 16 tensors.
//! * An `AllocRef` names a tensor of a batch made earlier in the same or an enclosing block, and so
//!   does the id of its task.
//! * An entry that leaves its scopes to the compiler has one around its body, if it orchestrates.
//! * No scope stands inside a MANUAL one, and a scope that the compiler placed is AUTO.
//! * Task ids, submits and barriers are in orchestration code; what a block asks about itself, and its
//!   parts of tensor parameters, in in-core code.
//! * An `at!` region stands in orchestration code, and what is in it is in-core code. The variables
//!   from around it that it uses are its arguments.
//! * A step of a sweep takes inputs of the sweep and results of earlier steps.
//! * The directions of a call are unknown, or as many as its arguments.

#[cfg(test)]
mod tests;

use super::auto_scopes::is_unscoped;
use super::batch_allocs::MAX_BATCH;
use crate::ir::{
    At, AtArg, BatchId, Block, Dim, Expr, ExprKind, Function, Part, Pattern, ScopeMode, StepArg,
    Stmt, StmtKind, Sweep, TaskExpr, Type, VarId,
};
use std::collections::{HashMap, HashSet};

/// Checks every rule of this module.
///
/// # Errors
/// One text for each place that breaks a rule.
pub fn verify(function: &Function) -> Result<(), Vec<String>> {
    let mut verifier = Verifier {
        function,
        declared: HashSet::new(),
        visible_vars: Vec::new(),
        visible: vec![false; function.vars.len()],
        batch_ids: HashSet::new(),
        batches: HashMap::new(),
        visible_batches: Vec::new(),
        loops: 0,
        manual: false,
        orchestration: function.kind.is_orchestration(),
        broken: Vec::new(),
    };
    verifier.function();
    if verifier.broken.is_empty() {
        Ok(())
    } else {
        Err(verifier.broken)
    }
}

struct Verifier<'a> {
    function: &'a Function,
    declared: HashSet<VarId>,
    /// Visible variables, oldest first.
    visible_vars: Vec<VarId>,
    visible: Vec<bool>,
    batch_ids: HashSet<BatchId>,
    /// Sizes of the visible batches.
    batches: HashMap<BatchId, usize>,
    /// Visible batches, oldest first.
    visible_batches: Vec<BatchId>,
    loops: u32,
    manual: bool,
    /// Whether this place is in orchestration code.
    orchestration: bool,
    broken: Vec<String>,
}

impl Verifier<'_> {
    fn rule(&mut self, holds: bool, text: impl FnOnce() -> String) {
        if !holds {
            self.broken.push(text());
        }
    }

    fn function(&mut self) {
        let function = self.function;
        for var in &function.vars {
            self.ty(&var.ty);
        }
        for param in &function.params {
            self.ty(&param.ty);
            self.declare(param.var);
            self.dims(&param.dims);
        }
        for ty in &function.returns {
            self.ty(ty);
        }
        for output in &function.outputs {
            self.declare(output.var);
            self.dims(&output.dims);
        }
        self.rule(!is_unscoped(function), || {
            format!("the scopes of `{}` were not inserted", function.name)
        });
        self.block(&function.body);
    }

    fn ty(&mut self, ty: &Type) {
        let function = self.function;
        match ty {
            Type::Captured(id) => self.rule(id.index() < function.captures.len(), || {
                format!("constant {} is out of range", id.0)
            }),
            Type::ResultOf(id) => self.rule(id.index() < function.callees.len(), || {
                format!("callee {} is out of range", id.0)
            }),
            Type::Tuple(items) => {
                for item in items {
                    self.ty(item);
                }
            }
            _ => {}
        }
    }

    fn dims(&mut self, dims: &[Dim]) {
        for dim in dims {
            match dim {
                Dim::Any => {}
                Dim::Named(index) => self.dim(*index),
                Dim::Const(value) => self.expr(value),
            }
        }
    }

    fn dim(&mut self, index: u32) {
        let known = (index as usize) < self.function.dims.len();
        self.rule(known, || format!("named dimension {index} is out of range"));
    }

    fn declare(&mut self, var: VarId) {
        let Some(slot) = self.visible.get_mut(var.index()) else {
            return self
                .broken
                .push(format!("variable {} is out of range", var.0));
        };
        *slot = true;
        self.visible_vars.push(var);
        let first = self.declared.insert(var);
        let name = &self.function.vars[var.index()].name;
        self.rule(first, || {
            format!("variable `{name}` ({}) is declared twice", var.0)
        });
    }

    fn declare_all(&mut self, pattern: &Pattern) {
        for var in pattern.vars() {
            self.declare(var);
        }
    }

    fn used(&mut self, var: VarId) {
        let function = self.function;
        match self.visible.get(var.index()) {
            None => self
                .broken
                .push(format!("variable {} is out of range", var.0)),
            Some(visible) => self.rule(*visible, || {
                let name = &function.vars[var.index()].name;
                format!(
                    "variable `{name}` ({}) is used where it is not declared",
                    var.0
                )
            }),
        }
    }

    fn block(&mut self, block: &Block) {
        let (vars, batches) = (self.visible_vars.len(), self.visible_batches.len());
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        if let Some(tail) = &block.tail {
            self.expr(tail);
        }
        self.hide_since(vars);
        for batch in self.visible_batches.drain(batches..) {
            self.batches.remove(&batch);
        }
    }

    fn hide_since(&mut self, mark: usize) {
        for var in self.visible_vars.drain(mark..) {
            self.visible[var.index()] = false;
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { pattern, ty, init } => {
                if let Some(ty) = ty {
                    self.ty(ty);
                }
                if let Some(init) = init {
                    self.expr(init);
                }
                self.declare_all(pattern);
            }
            StmtKind::Assign { target, value, .. } => {
                self.expr(value);
                for var in target.vars() {
                    self.used(var);
                }
            }
            StmtKind::For { var, range, body } => {
                range.parts(&mut |part| self.part(&part));
                let mark = self.visible_vars.len();
                if let Some(var) = var {
                    self.declare(*var);
                }
                self.loops += 1;
                self.block(body);
                self.loops -= 1;
                self.hide_since(mark);
            }
            StmtKind::While { cond, body } => {
                self.expr(cond);
                self.loops += 1;
                self.block(body);
                self.loops -= 1;
            }
            StmtKind::Break | StmtKind::Continue => {
                self.rule(self.loops > 0, || {
                    "`break` or `continue` outside a loop".to_owned()
                });
            }
            StmtKind::Alloc { batch, creates } => {
                stmt.parts(&mut |part| self.part(&part));
                self.rule(self.orchestration, || {
                    format!("batch {} in in-core code", batch.0)
                });
                let size = creates.len();
                self.rule((1..=MAX_BATCH).contains(&size), || {
                    format!("batch {} has {size} tensors", batch.0)
                });
                let first = self.batch_ids.insert(*batch);
                self.rule(first, || format!("batch {} is made twice", batch.0));
                self.batches.insert(*batch, size);
                self.visible_batches.push(*batch);
            }
            StmtKind::Expr(value) => self.expr(value),
            StmtKind::Sweep(sweep) => self.sweep(sweep),
        }
    }

    fn sweep(&mut self, sweep: &Sweep) {
        let orchestration = self.orchestration;
        self.rule(!orchestration, || {
            "a sweep in orchestration code".to_owned()
        });
        sweep.parts(&mut |part| self.part(&part));
        for (index, step) in sweep.steps.iter().enumerate() {
            for arg in &step.args {
                let known = match *arg {
                    StepArg::Input(at) => (at as usize) < sweep.inputs.len(),
                    StepArg::Step(at) => (at as usize) < index,
                };
                self.rule(known, || {
                    format!("step {index} takes {arg:?}, which is not there")
                });
            }
        }
        for (var, step) in &sweep.kept {
            self.declare(*var);
            let known = (*step as usize) < sweep.steps.len();
            self.rule(known, || format!("step {step} of a sweep is not there"));
        }
    }

    fn part(&mut self, part: &Part<'_>) {
        match part {
            Part::Expr(expr) => self.expr(expr),
            Part::Block(block) => self.block(block),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let orchestration = self.orchestration;
        self.ty(&expr.ty);
        match &expr.kind {
            ExprKind::Var(var) => self.used(*var),
            ExprKind::Dim(index) => self.dim(*index),
            ExprKind::Capture(id) => self.ty(&Type::Captured(*id)),
            ExprKind::Operation { op, .. } => self.rule(!orchestration, || {
                format!("operation `{}` in orchestration code", op.name())
            }),
            ExprKind::Call(call) => {
                self.ty(&Type::ResultOf(call.callee));
                self.rule(orchestration || call.launch.is_none(), || {
                    "a submit in in-core code".to_owned()
                });
                let (known, args) = (call.directions.len(), call.args.len());
                self.rule(known == 0 || known == args, || {
                    format!("a call has {known} directions and {args} arguments")
                });
            }
            ExprKind::Task(task) => {
                self.rule(orchestration, || "a task id in in-core code".to_owned());
                match task {
                    TaskExpr::Set { ids, .. } => self.used(*ids),
                    TaskExpr::Allocated(batch) => {
                        let known = self.batches.contains_key(batch);
                        self.rule(known, || {
                            format!(
                                "the task of batch {} is named where it is not known",
                                batch.0
                            )
                        });
                    }
                    _ => {}
                }
            }
            ExprKind::Partition { base, .. } => {
                let params = &self.function.params;
                let is_param = matches!(base.kind, ExprKind::Var(var)
                    if params.iter().any(|param| param.var == var));
                self.rule(!orchestration && is_param, || {
                    "a block's part of what is no tensor parameter of in-core code".to_owned()
                });
            }
            ExprKind::OfBlock(fact) => {
                self.rule(!orchestration, || {
                    format!("`{}` in orchestration code", fact.name())
                });
            }
            ExprKind::Product(_) => {
                self.rule(!orchestration, || {
                    "a product in orchestration code".to_owned()
                });
            }
            ExprKind::Create(_) => {
                self.rule(!orchestration, || "a create outside a batch".to_owned());
            }
            ExprKind::ScratchScope(_) => {
                self.rule(!orchestration, || {
                    "`scratch_scope!` in orchestration code".to_owned()
                });
            }
            ExprKind::AllocRef { batch, index } => {
                let known = self
                    .batches
                    .get(batch)
                    .is_some_and(|size| (*index as usize) < *size);
                self.rule(known, || {
                    format!(
                        "tensor {index} of batch {} is not made before its use",
                        batch.0
                    )
                });
            }
            ExprKind::Scope {
                mode,
                implicit,
                body,
            } => return self.scope(*mode, *implicit, body),
            ExprKind::At(at) => return self.at(at),
            _ => {}
        }
        expr.parts(&mut |part| self.part(&part));
    }

    fn at(&mut self, at: &At) {
        let name = &at.name;
        self.rule(self.orchestration, || {
            format!("region `{name}` in in-core code")
        });
        if let Some(launch) = &at.launch {
            launch.parts(&mut |part| self.part(&part));
        }
        let mut visible = vec![false; self.visible.len()];
        for arg in &at.args {
            match arg {
                AtArg::Tensor { var, .. } | AtArg::Scalar(var) => {
                    self.used(*var);
                    if let Some(slot) = visible.get_mut(var.index()) {
                        *slot = true;
                    }
                }
                AtArg::Dim(index) => self.dim(*index),
            }
            if let AtArg::Tensor { passed, .. } = arg {
                for (callee, _) in passed {
                    self.ty(&Type::ResultOf(*callee));
                }
            }
        }
        let visible = std::mem::replace(&mut self.visible, visible);
        let outer = std::mem::replace(&mut self.orchestration, false);
        let loops = std::mem::take(&mut self.loops);
        self.block(&at.body);
        self.loops = loops;
        self.visible = visible;
        self.orchestration = outer;
    }

    fn scope(&mut self, mode: ScopeMode, implicit: bool, body: &Block) {
        let placed = if implicit {
            "a scope that the compiler placed"
        } else {
            "a scope"
        };
        self.rule(self.orchestration, || format!("{placed} in in-core code"));
        self.rule(!self.manual, || {
            format!("{placed} ({mode}) inside a MANUAL scope")
        });
        self.rule(!implicit || mode == ScopeMode::Auto, || {
            format!("{placed} is MANUAL")
        });
        let outer = self.manual;
        self.manual |= mode == ScopeMode::Manual;
        self.block(body);
        self.manual = outer;
    }
}
