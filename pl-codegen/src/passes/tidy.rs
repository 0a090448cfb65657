//! Orchestration code that was taken apart, without names that it does not need.
//!
//! * Two names of one value that neither changes are one name: that of the first. So a helper that was
//!   spliced in names what its caller names.
//! * The tensors of a batch have their names right behind it.
//! * A variable that nobody reads is none: what it is given is done for its effect, if it has one.

use super::statements::Assigned;
use crate::ir::{
    AtArg, BatchId, Block, Expr, ExprKind, Function, PartMut, Pattern, Stmt, StmtKind, TaskExpr,
    VarId, Visit,
};
use std::collections::{HashMap, HashSet};
use std::mem::take;

/// Leaves needless names out of a function that `take_apart` gave.
#[must_use]
pub fn tidy(mut function: Function) -> Function {
    let mut assigned = Assigned::default();
    assigned.block(&function.body);
    let mut aliases = Aliases {
        function: &function,
        assigned: &assigned.0,
        of: HashMap::new(),
        refs: HashMap::new(),
    };
    let mut body = function.body.clone();
    aliases.block(&mut body);
    let Aliases { mut refs, .. } = aliases;
    place_refs(&mut body, &mut refs);
    let mut reads = Reads::default();
    reads.block(&body);
    let read = reads.needed();
    drop_unread(&mut body, &read);
    function.body = body;
    function
}

struct Aliases<'a> {
    function: &'a Function,
    assigned: &'a HashSet<VarId>,
    of: HashMap<VarId, VarId>,
    /// Statements that name a tensor of a batch.
    refs: HashMap<BatchId, Vec<Stmt>>,
}

impl Aliases<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut stmt in take(&mut block.stmts) {
            stmt.parts_mut(&mut |part| self.part(part));
            if let StmtKind::Let {
                pattern: Pattern::Var(var),
                init: Some(init),
                ..
            } = &stmt.kind
                && !self.assigned.contains(var)
            {
                match init.kind {
                    ExprKind::Var(value)
                        if !self.assigned.contains(&value)
                            && self.function.var(value).ty == self.function.var(*var).ty =>
                    {
                        self.of.insert(*var, value);
                        continue;
                    }
                    ExprKind::AllocRef { batch, .. } => {
                        self.refs.entry(batch).or_default().push(stmt);
                        continue;
                    }
                    _ => {}
                }
            }
            block.stmts.push(stmt);
        }
    }

    fn part(&mut self, part: PartMut<'_>) {
        match part {
            PartMut::Block(block) => self.block(block),
            PartMut::Expr(expr) => {
                match &mut expr.kind {
                    ExprKind::Var(var) => self.rename(var),
                    ExprKind::Task(TaskExpr::Set { ids, .. }) => self.rename(ids),
                    ExprKind::At(at) => {
                        // The names in the region are those of its arguments.
                        for arg in &mut at.args {
                            if let AtArg::Tensor { var, .. } | AtArg::Scalar(var) = arg {
                                self.rename(var);
                            }
                        }
                    }
                    _ => {}
                }
                expr.parts_mut(&mut |part| self.part(part));
            }
        }
    }

    fn rename(&self, var: &mut VarId) {
        if let Some(value) = self.of.get(var) {
            *var = *value;
        }
    }
}

/// Puts the names of tensors behind their batch, in the order of the tensors.
fn place_refs(block: &mut Block, refs: &mut HashMap<BatchId, Vec<Stmt>>) {
    for mut stmt in take(&mut block.stmts) {
        each_block(&mut stmt, &mut |inner| place_refs(inner, refs));
        let named = match &stmt.kind {
            StmtKind::Alloc { batch, .. } => refs.remove(batch).unwrap_or_default(),
            _ => Vec::new(),
        };
        block.stmts.push(stmt);
        block.stmts.extend(named);
    }
}

/// The blocks directly in a statement that was taken apart.
fn each_block(stmt: &mut Stmt, visit: &mut dyn FnMut(&mut Block)) {
    match &mut stmt.kind {
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => visit(body),
        StmtKind::Expr(expr) => match &mut expr.kind {
            ExprKind::Scope { body, .. } => visit(body),
            ExprKind::If {
                then, otherwise, ..
            } => {
                visit(then);
                if let Some(otherwise) = otherwise {
                    visit(otherwise);
                }
            }
            _ => {}
        },
        _ => {}
    }
}

/// Whether a value is only a value: whoever does not read it does not need it.
fn is_pure(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call(_)
        | ExprKind::At(_)
        | ExprKind::Get { .. }
        | ExprKind::Slice { .. }
        | ExprKind::Reshape { .. }
        | ExprKind::Transpose { .. } => false,
        ExprKind::Task(task) => !matches!(task, TaskExpr::Barrier(_)),
        _ => true,
    }
}

/// The variable that a statement gives a value to that is only a value.
fn given(stmt: &Stmt) -> Option<VarId> {
    match &stmt.kind {
        StmtKind::Let {
            pattern: Pattern::Var(var),
            init,
            ..
        } if init.as_ref().is_none_or(is_pure) => Some(*var),
        StmtKind::Assign {
            target: Pattern::Var(var),
            value,
            ..
        } if is_pure(value) => Some(*var),
        StmtKind::Expr(Expr {
            kind: ExprKind::Task(TaskExpr::Set { ids, .. }),
            ..
        }) => Some(*ids),
        _ => None,
    }
}

/// Which variables are read, and for which others.
#[derive(Default)]
struct Reads {
    needed: HashSet<VarId>,
    /// What is read to give a variable its value.
    behind: HashMap<VarId, Vec<VarId>>,
    /// The variable that is given a value.
    given: Option<VarId>,
}

impl Reads {
    fn read(&mut self, var: VarId) {
        match self.given {
            Some(given) => self.behind.entry(given).or_default().push(var),
            None => drop(self.needed.insert(var)),
        }
    }

    /// Everything that is read for something that is done.
    fn needed(self) -> HashSet<VarId> {
        let mut needed = self.needed;
        let mut left: Vec<VarId> = needed.iter().copied().collect();
        while let Some(var) = left.pop() {
            for behind in self.behind.get(&var).into_iter().flatten() {
                if needed.insert(*behind) {
                    left.push(*behind);
                }
            }
        }
        needed
    }
}

impl Visit for Reads {
    fn stmt(&mut self, stmt: &Stmt) {
        let outer = std::mem::replace(&mut self.given, given(stmt));
        stmt.parts(&mut |part| self.part(&part));
        self.given = outer;
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(var) => self.read(*var),
            ExprKind::At(at) => {
                for arg in &at.args {
                    if let AtArg::Tensor { var, .. } | AtArg::Scalar(var) = arg {
                        self.read(*var);
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

fn drop_unread(block: &mut Block, read: &HashSet<VarId>) {
    for mut stmt in take(&mut block.stmts) {
        each_block(&mut stmt, &mut |inner| drop_unread(inner, read));
        if given(&stmt).is_some_and(|var| !read.contains(&var)) {
            continue;
        }
        match stmt.kind {
            StmtKind::Let {
                mut pattern,
                ty,
                init: Some(init),
            } => {
                forget(&mut pattern, read);
                stmt.kind = if pattern.vars().is_empty() {
                    StmtKind::Expr(init)
                } else {
                    let init = Some(init);
                    StmtKind::Let { pattern, ty, init }
                };
            }
            StmtKind::Assign {
                target: Pattern::Var(var),
                value,
                ..
            } if !read.contains(&var) => stmt.kind = StmtKind::Expr(value),
            _ => {}
        }
        block.stmts.push(stmt);
    }
}

fn forget(pattern: &mut Pattern, read: &HashSet<VarId>) {
    match pattern {
        Pattern::Var(var) if !read.contains(var) => *pattern = Pattern::Wildcard,
        Pattern::Tuple(items) => items.iter_mut().for_each(|item| forget(item, read)),
        _ => {}
    }
}
