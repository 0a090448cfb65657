//! What the printer asks of a function before its first line.

use super::number::Number;
use super::scalar::constant;
use crate::ir::{
    AtArg, BatchId, Expr, ExprKind, Function, Pattern, Stmt, StmtKind, TaskExpr, Type, VarId, Visit,
};
use std::collections::{HashMap, HashSet};

/// What is needed before the first line.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) read: HashSet<VarId>,
    pub(super) dims: HashSet<u32>,
    /// Batches of which a tensor is named.
    pub(super) batches: HashSet<BatchId>,
    pub(super) assigned: HashSet<VarId>,
    /// Task ids that come straight from their task.
    pub(super) submitted: HashSet<VarId>,
    /// Lengths of arrays of task ids.
    pub(super) lengths: HashMap<VarId, String>,
    /// Whether a tensor is declared without one.
    pub(super) deferred: bool,
}

/// What each tensor of a batch is bound to.
pub(super) fn tensor_names(function: &Function) -> HashMap<(BatchId, u32), VarId> {
    struct Bound(HashMap<(BatchId, u32), VarId>);
    impl Bound {
        fn bind(&mut self, pattern: &Pattern, value: &Expr) {
            match (pattern, &value.kind) {
                (Pattern::Var(var), ExprKind::AllocRef { batch, index }) => {
                    self.0.entry((*batch, *index)).or_insert(*var);
                }
                (Pattern::Tuple(items), ExprKind::Tuple(values)) => {
                    for (item, value) in items.iter().zip(values) {
                        self.bind(item, value);
                    }
                }
                (
                    _,
                    ExprKind::Block(block)
                    | ExprKind::Scope { body: block, .. }
                    | ExprKind::If { then: block, .. },
                ) => {
                    if let Some(tail) = &block.tail {
                        self.bind(pattern, tail);
                    }
                }
                _ => {}
            }
        }
    }
    impl Visit for Bound {
        fn stmt(&mut self, stmt: &Stmt) {
            // What is bound inside has the name that stands next to it.
            stmt.parts(&mut |part| self.part(&part));
            if let Some((pattern, value)) = stmt.given() {
                self.bind(pattern, value);
            }
        }
        fn expr(&mut self, expr: &Expr) {
            self.inside(expr);
        }
    }
    let mut bound = Bound(HashMap::new());
    bound.block(&function.body);
    bound.0
}

/// Whether a variable is declared that gets its tensor later.
pub(super) fn declares_tensor(function: &Function) -> bool {
    struct Declares<'a>(&'a Function, bool);
    impl Visit for Declares<'_> {
        fn stmt(&mut self, stmt: &Stmt) {
            if let StmtKind::Let {
                pattern: Pattern::Var(var),
                init: None,
                ..
            } = &stmt.kind
            {
                self.1 |= matches!(self.0.var(*var).ty, Type::Tensor(_));
            }
            stmt.parts(&mut |part| self.part(&part));
        }
        fn expr(&mut self, expr: &Expr) {
            self.inside(expr);
        }
    }
    let mut found = Declares(function, false);
    found.block(&function.body);
    found.1
}

/// Arrays of task ids that are copies of others.
pub(super) fn array_copies(function: &Function) -> Vec<(VarId, VarId)> {
    struct Copies(Vec<(VarId, VarId)>);
    impl Visit for Copies {
        fn stmt(&mut self, stmt: &Stmt) {
            if let Some((Pattern::Var(var), value)) = stmt.given()
                && let (ExprKind::Var(ids), Type::TaskIds) = (&value.kind, &value.ty)
            {
                self.0.push((*var, *ids));
            }
            stmt.parts(&mut |part| self.part(&part));
        }
        fn expr(&mut self, expr: &Expr) {
            self.inside(expr);
        }
    }
    let mut copies = Copies(Vec::new());
    copies.block(&function.body);
    copies.0
}

impl Visit for Facts {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { target, .. } => self.assigned.extend(target.vars()),
            StmtKind::Let {
                pattern,
                init: None,
                ..
            } => self.assigned.extend(pattern.vars()),
            _ => {}
        }
        if let StmtKind::Let {
            pattern,
            init: Some(value),
            ..
        } = &stmt.kind
        {
            let from_task = match &value.kind {
                ExprKind::Call(_) | ExprKind::At(_) => true,
                ExprKind::Task(task) => matches!(task, TaskExpr::Barrier(_)),
                _ => false,
            };
            if from_task {
                self.submitted.extend(pattern.vars());
            }
        }
        if let Some((Pattern::Var(var), value)) = stmt.given()
            && let ExprKind::Task(TaskExpr::Array(length)) = &value.kind
            && let Some(Number::Integer(length)) = constant(length)
        {
            self.lengths.insert(*var, length.to_string());
        }
        stmt.parts(&mut |part| self.part(&part));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(var) => {
                self.read.insert(*var);
            }
            ExprKind::Dim(dim) => {
                self.dims.insert(*dim);
            }
            ExprKind::AllocRef { batch, .. } | ExprKind::Task(TaskExpr::Allocated(batch)) => {
                self.batches.insert(*batch);
            }
            ExprKind::Task(TaskExpr::Set { ids, .. }) => {
                self.assigned.insert(*ids);
                self.inside(expr);
            }
            ExprKind::At(at) => {
                for arg in &at.args {
                    match arg {
                        AtArg::Tensor { var, .. } | AtArg::Scalar(var) => {
                            self.read.insert(*var);
                        }
                        AtArg::Dim(dim) => {
                            self.dims.insert(*dim);
                        }
                    }
                }
                if let Some(launch) = &at.launch {
                    launch.parts(&mut |part| self.part(&part));
                }
            }
            _ => self.inside(expr),
        }
    }
}
