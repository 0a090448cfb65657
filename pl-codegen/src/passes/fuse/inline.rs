//! A load or a product that is used once is made where it is used.

use super::effects::{Mentions, Purity, changes, mentions, purity, reads};
use crate::ir::{Block, Expr, ExprKind, PartMut, Pattern, Stmt, StmtKind, VarId, Visit};
use crate::ops::{Op, Shape};

/// Inlines in every block of a function of so many variables.
pub(super) fn blocks(body: &mut Block, variables: usize) {
    let counts = mentions(body, variables);
    let once = |var: VarId| counts[var.index()] == 1;
    super::blocks(&mut PartMut::Block(body), &mut |block| {
        let mut at = 0;
        while at < block.stmts.len() {
            if let Some(var) = candidate(&block.stmts[at])
                && once(var)
                && let Some(user) = user(block, at, var)
            {
                let StmtKind::Let {
                    init: Some(value), ..
                } = block.stmts.remove(at).kind
                else {
                    unreachable!("a candidate has a value");
                };
                // One before it is gone.
                replace(&mut block.stmts[user - 1], var, value);
            } else {
                at += 1;
            }
        }
    });
}

/// The variable of a `let` whose value is worth inlining.
fn candidate(stmt: &Stmt) -> Option<VarId> {
    let StmtKind::Let {
        pattern: Pattern::Var(var),
        init: Some(init),
        ..
    } = &stmt.kind
    else {
        return None;
    };
    let worth = match &init.kind {
        ExprKind::Operation { op, .. } => {
            *op == Op::Load || matches!(op.shape(), Shape::product | Shape::transposed)
        }
        _ => false,
    };
    (worth && purity(init) != Purity::Changes).then_some(*var)
}

/// The statement after `at` that uses `var`, if the value may be made there.
fn user(block: &Block, at: usize, var: VarId) -> Option<usize> {
    let StmtKind::Let {
        init: Some(init), ..
    } = &block.stmts[at].kind
    else {
        return None;
    };
    let read = reads(init);
    let mut named = Vec::new();
    Mentions(|var| named.push(var)).expr(init);
    for (index, stmt) in block.stmts.iter().enumerate().skip(at + 1) {
        let mut used = false;
        Mentions(|found| used |= found == var).stmt(stmt);
        if used {
            return takes_tiles(stmt, var).then_some(index);
        }
        let assigned = match &stmt.kind {
            StmtKind::Assign { target, .. } => target.vars(),
            StmtKind::Let { .. } | StmtKind::Expr(_) | StmtKind::Alloc { .. } => Vec::new(),
            // A loop may assign anything.
            _ => return None,
        };
        if changes(stmt).meet(read)
            || assigned.iter().any(|var| named.contains(var))
            || has_block(stmt)
        {
            return None;
        }
    }
    None
}

/// Whether the statement uses `var` in nothing but operations on tiles, which evaluate it at once.
fn takes_tiles(stmt: &Stmt, var: VarId) -> bool {
    let (StmtKind::Let {
        init: Some(value), ..
    }
    | StmtKind::Expr(value)) = &stmt.kind
    else {
        return false;
    };
    only_operations(value, var)
}

fn only_operations(expr: &Expr, var: VarId) -> bool {
    match &expr.kind {
        ExprKind::Var(_) => true,
        ExprKind::Operation { args, .. } => args.iter().all(|arg| only_operations(arg, var)),
        ExprKind::Binary(_, a, b) => only_operations(a, var) && only_operations(b, var),
        ExprKind::Unary(_, x) => only_operations(x, var),
        _ => {
            let mut used = false;
            Mentions(|found| used |= found == var).expr(expr);
            !used && purity(expr) != Purity::Changes
        }
    }
}

fn has_block(stmt: &Stmt) -> bool {
    #[derive(Default)]
    struct HasBlock(bool);

    impl Visit for HasBlock {
        fn expr(&mut self, expr: &Expr) {
            self.inside(expr);
        }

        fn block(&mut self, _: &Block) {
            self.0 = true;
        }
    }

    let mut found = HasBlock::default();
    found.stmt(stmt);
    found.0
}

fn replace(stmt: &mut Stmt, var: VarId, value: Expr) {
    let mut value = Some(value);
    stmt.parts_mut(&mut |part| replace_part(part, var, &mut value));
}

fn replace_part(part: PartMut<'_>, var: VarId, value: &mut Option<Expr>) {
    let PartMut::Expr(expr) = part else { return };
    if matches!(expr.kind, ExprKind::Var(found) if found == var) {
        if let Some(value) = value.take() {
            *expr = value;
        }
        return;
    }
    expr.parts_mut(&mut |part| replace_part(part, var, value));
}
