//! Creates of one block share `alloc_tensors` calls.
//!
//! A call of `alloc_tensors` is placed before the first statement that needs one of its tensors;
//! later creates join it as long as nothing in between could tell the difference: no call, barrier,
//! `get` or `set`, no loop, no scope, no way out of the block, and no change of a variable that the
//! create reads. So tensors are allocated in the order the user wrote, and in the same one on
//! every path that is emitted from here. A create that cannot be moved to the front of its own
//! statement (because something in the statement comes first) is allocated where it stands.

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;

use crate::ir::{
    BatchId, BinaryOp, Block, Create, Expr, ExprKind, Function, PartMut, Pattern, Stmt, StmtKind,
    TaskExpr, VarId,
};
use std::mem::{replace, take};

/// Tensors that one `alloc_tensors` call creates at most.
pub const MAX_BATCH: usize = 16;

/// Replaces every create of an orchestration function by a share of an `alloc_tensors` call.
///
/// In-core functions are returned as they are: there a create is a tile.
pub fn batch_allocs(mut function: Function) -> Function {
    if function.kind.is_orchestration() {
        let mut batcher = Batcher {
            clock: 0,
            last_effect: 0,
            last_change: 0,
            changed: vec![0; function.vars.len()],
            newest_read: 0,
            next_batch: 0,
        };
        batcher.block(&mut function.body);
    }
    function
}

/// Time is a count of events, in evaluation order.
struct Batcher {
    clock: u32,
    /// When something last happened that no allocation may be moved across.
    last_effect: u32,
    /// When a variable was last declared or assigned.
    last_change: u32,
    /// When each variable was last declared or assigned.
    changed: Vec<u32>,
    /// Latest change among the variables read since this was reset.
    newest_read: u32,
    next_batch: u32,
}

/// A block while its statements are rewritten.
struct Frame {
    stmts: Vec<Stmt>,
    /// The batch that creates may join.
    open: Option<Open>,
    /// When the current statement began; what precedes it cannot be disturbed any more.
    start: u32,
    /// Inside what is evaluated repeatedly or perhaps not at all.
    pinned: bool,
}

#[derive(Clone, Copy)]
struct Open {
    /// Position of the `Alloc` in the block.
    at: usize,
    /// When it was placed.
    since: u32,
}

impl Batcher {
    fn tick(&mut self) -> u32 {
        self.clock += 1;
        self.clock
    }

    fn effect(&mut self) {
        self.last_effect = self.tick();
    }

    fn change(&mut self, var: VarId) {
        self.last_change = self.tick();
        self.changed[var.index()] = self.last_change;
    }

    fn change_all(&mut self, pattern: &Pattern) {
        for var in pattern.vars() {
            self.change(var);
        }
    }

    fn block(&mut self, block: &mut Block) {
        let stmts = take(&mut block.stmts);
        let mut frame = Frame {
            stmts: Vec::with_capacity(stmts.len()),
            open: None,
            start: 0,
            pinned: false,
        };
        for stmt in stmts {
            frame.start = self.clock;
            self.stmt(stmt, &mut frame);
        }
        if let Some(tail) = &mut block.tail {
            frame.start = self.clock;
            self.expr(tail, &mut frame);
        }
        block.stmts = frame.stmts;
    }

    fn stmt(&mut self, mut stmt: Stmt, frame: &mut Frame) {
        match &mut stmt.kind {
            StmtKind::Let { pattern, init, .. } => {
                if let Some(init) = init {
                    self.expr(init, frame);
                }
                self.change_all(pattern);
            }
            StmtKind::Assign { target, value, .. } => {
                self.expr(value, frame);
                self.change_all(target);
            }
            StmtKind::Expr(value) => self.expr(value, frame),
            StmtKind::Sweep(sweep) => sweep.parts_mut(&mut |part| self.part(part, frame)),
            StmtKind::For { range, body, .. } => {
                range.parts_mut(&mut |part| self.part(part, frame));
                self.effect();
                self.block(body);
                self.effect();
            }
            StmtKind::While { cond, body } => {
                self.effect();
                self.pinned(cond, frame);
                self.block(body);
                self.effect();
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Alloc { .. } => self.effect(),
        }
        frame.stmts.push(stmt);
    }

    fn part(&mut self, part: PartMut<'_>, frame: &mut Frame) {
        match part {
            PartMut::Expr(expr) => self.expr(expr, frame),
            PartMut::Block(block) => self.block(block),
        }
    }

    fn pinned(&mut self, expr: &mut Expr, frame: &mut Frame) {
        let outer = replace(&mut frame.pinned, true);
        self.expr(expr, frame);
        frame.pinned = outer;
    }

    fn expr(&mut self, expr: &mut Expr, frame: &mut Frame) {
        match &mut expr.kind {
            ExprKind::Create(_) => self.create(expr, frame),
            ExprKind::Var(var) => {
                self.newest_read = self.newest_read.max(self.changed[var.index()]);
            }
            // A create in it is a tile.
            ExprKind::At(_) => self.effect(),
            // Its batch may be the open one.
            ExprKind::AllocRef { .. } => self.newest_read = self.tick(),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.expr(a, frame);
                self.pinned(b, frame);
            }
            kind => {
                let effect = matches!(
                    kind,
                    ExprKind::Call(_)
                        | ExprKind::Get { .. }
                        | ExprKind::Set { .. }
                        | ExprKind::Task(TaskExpr::Barrier(_))
                        | ExprKind::Scope { .. }
                        | ExprKind::ScratchScope(_)
                );
                expr.parts_mut(&mut |part| self.part(part, frame));
                if effect {
                    self.effect();
                }
            }
        }
    }

    fn create(&mut self, expr: &mut Expr, frame: &mut Frame) {
        let undisturbed = self.last_effect.max(self.last_change) <= frame.start;
        let outer = replace(&mut self.newest_read, 0);
        expr.parts_mut(&mut |part| self.part(part, frame));
        let newest = replace(&mut self.newest_read, 0);
        let span = expr.span;
        let ExprKind::Create(create) = replace(&mut expr.kind, ExprKind::Tuple(Vec::new())) else {
            return;
        };
        let still = |open: &Open| self.last_effect <= open.since && newest <= open.since;
        let open = frame.open.filter(still).filter(|_| !frame.pinned);
        expr.kind = if let Some((batch, creates)) =
            open.and_then(|open| joinable(&mut frame.stmts[open.at]))
        {
            creates.push(*create);
            ExprKind::AllocRef {
                batch,
                index: creates.len() as u32 - 1,
            }
        } else {
            let batch = BatchId(self.next_batch);
            self.next_batch += 1;
            self.effect();
            let alloc = Stmt {
                kind: StmtKind::Alloc {
                    batch,
                    creates: vec![*create],
                },
                span,
            };
            let tensor = ExprKind::AllocRef { batch, index: 0 };
            if undisturbed && !frame.pinned {
                frame.open = Some(Open {
                    at: frame.stmts.len(),
                    since: self.clock,
                });
                frame.start = self.clock;
                frame.stmts.push(alloc);
                tensor
            } else {
                let tail = Expr {
                    kind: tensor,
                    ty: expr.ty.clone(),
                    span,
                };
                ExprKind::Block(Block {
                    stmts: vec![alloc],
                    tail: Some(Box::new(tail)),
                })
            }
        };
        // Whatever reads this tensor must come after the batch.
        self.newest_read = outer.max(self.tick());
    }
}

fn joinable(stmt: &mut Stmt) -> Option<(BatchId, &mut Vec<Create>)> {
    match &mut stmt.kind {
        StmtKind::Alloc { batch, creates } if creates.len() < MAX_BATCH => Some((*batch, creates)),
        _ => None,
    }
}
