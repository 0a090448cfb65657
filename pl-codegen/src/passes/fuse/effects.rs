//! What code uses and changes.

use crate::ir::{AtArg, Expr, ExprKind, Part, Stmt, StmtKind, TaskExpr, Type, VarId};
use crate::ops::{Op, Shape};

/// Calls `found` for every mention of a variable, assignments included, declarations not.
pub(super) fn mentions(part: &Part<'_>, found: &mut dyn FnMut(VarId)) {
    match part {
        Part::Block(block) => {
            for stmt in &block.stmts {
                of_stmt(stmt, found);
            }
            if let Some(tail) = &block.tail {
                mentions(&Part::Expr(tail), found);
            }
        }
        Part::Expr(expr) => {
            match &expr.kind {
                ExprKind::Var(var) => found(*var),
                ExprKind::Task(TaskExpr::Set { ids, .. }) => found(*ids),
                ExprKind::At(at) => at.args.iter().for_each(|arg| match arg {
                    AtArg::Tensor { var, .. } | AtArg::Scalar(var) => found(*var),
                    AtArg::Dim(_) => {}
                }),
                _ => {}
            }
            expr.parts(&mut |part| mentions(&part, found));
        }
    }
}

/// The same of a statement.
pub(super) fn of_stmt(stmt: &Stmt, found: &mut dyn FnMut(VarId)) {
    if let StmtKind::Assign { target, .. } = &stmt.kind {
        target.vars().into_iter().for_each(&mut *found);
    }
    stmt.parts(&mut |part| mentions(&part, found));
}

/// How far an expression may be moved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Purity {
    /// It names places: variables, views, scalars.
    Names,
    /// It reads elements.
    Reads,
    /// It changes something, or nobody knows.
    Changes,
}

/// How far an expression may be moved.
pub(super) fn purity(expr: &Expr) -> Purity {
    let own = match &expr.kind {
        ExprKind::Literal(_)
        | ExprKind::Var(_)
        | ExprKind::Dim(_)
        | ExprKind::Capture(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Cast(..)
        | ExprKind::Method { .. }
        | ExprKind::List(_)
        | ExprKind::Slice { .. }
        | ExprKind::Reshape { .. }
        | ExprKind::Transpose { .. }
        | ExprKind::Partition { .. }
        | ExprKind::OfBlock(_)
        | ExprKind::DimOf { .. } => match expr.ty {
            Type::Tile(_) if matches!(expr.kind, ExprKind::Unary(..) | ExprKind::Binary(..)) => {
                Purity::Reads
            }
            _ => Purity::Names,
        },
        ExprKind::Operation { op, .. } => match op.shape() {
            Shape::transposed => Purity::Names,
            _ if op.results().is_empty() => Purity::Changes,
            _ => Purity::Reads,
        },
        ExprKind::Product(product) if product.sum.is_none() => Purity::Reads,
        ExprKind::Get { .. } => Purity::Reads,
        _ => return Purity::Changes,
    };
    let mut worst = own;
    expr.parts(&mut |part| {
        worst = worst.max(match part {
            Part::Expr(expr) => purity(expr),
            Part::Block(_) => Purity::Changes,
        });
    });
    worst
}

/// What a statement may change.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Changes {
    pub(super) tiles: bool,
    pub(super) tensors: bool,
}

/// What a statement may change, beside the variables that it assigns.
pub(super) fn changes(stmt: &Stmt) -> Changes {
    let mut found = Changes::default();
    if matches!(stmt.kind, StmtKind::Break | StmtKind::Continue) {
        // What comes after may not run.
        return Changes {
            tiles: true,
            tensors: true,
        };
    }
    stmt.parts(&mut |part| add_changes(&part, &mut found));
    found
}

fn add_changes(part: &Part<'_>, found: &mut Changes) {
    match part {
        Part::Block(block) => {
            for stmt in &block.stmts {
                let inner = changes(stmt);
                found.tiles |= inner.tiles;
                found.tensors |= inner.tensors;
            }
            if let Some(tail) = &block.tail {
                add_changes(&Part::Expr(tail), found);
            }
        }
        Part::Expr(expr) => {
            match &expr.kind {
                ExprKind::Operation { op, .. } if op.results().is_empty() => {
                    let tensor = op.args().iter().any(|(_, kind)| kind.takes_tensor());
                    found.tensors |= tensor;
                    found.tiles |= !tensor;
                }
                ExprKind::Product(product) => found.tiles |= product.sum.is_some(),
                ExprKind::Set { base, .. } => {
                    found.tiles |= !matches!(base.ty, Type::Tensor(_));
                    found.tensors |= !matches!(base.ty, Type::Tile(_));
                }
                ExprKind::Call(_) | ExprKind::At(_) | ExprKind::Task(_) => {
                    *found = Changes {
                        tiles: true,
                        tensors: true,
                    };
                }
                _ => {}
            }
            expr.parts(&mut |part| add_changes(&part, found));
        }
    }
}

/// What an expression reads.
pub(super) fn reads(expr: &Expr) -> Changes {
    let mut found = Changes::default();
    add_reads(&Part::Expr(expr), &mut found);
    found
}

fn add_reads(part: &Part<'_>, found: &mut Changes) {
    let Part::Expr(expr) = part else { return };
    let loads = match &expr.kind {
        ExprKind::Operation { op, .. } => op.args().iter().any(|(_, kind)| kind.takes_tensor()),
        ExprKind::Product(product) => product.factors.iter().any(|factor| factor.load.is_some()),
        _ => false,
    };
    found.tensors |= loads;
    if let ExprKind::Get { base, .. } = &expr.kind {
        found.tiles |= !matches!(base.ty, Type::Tensor(_));
        found.tensors |= !matches!(base.ty, Type::Tile(_));
    }
    found.tiles |=
        matches!(expr.ty, Type::Tile(_)) && purity(expr) == Purity::Reads && !is_load(expr);
    expr.parts(&mut |part| add_reads(&part, found));
}

/// Whether it is nothing but a load.
pub(super) fn is_load(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Operation { op: Op::Load, .. })
}
