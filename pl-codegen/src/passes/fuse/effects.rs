//! What code uses and changes.

use crate::ir::{AtArg, Block, Expr, ExprKind, Part, Stmt, StmtKind, TaskExpr, Type, VarId, Visit};
use crate::ops::{Op, Shape};

/// Calls the function for every mention of a variable, assignments included, declarations not.
pub(super) struct Mentions<F>(pub(super) F);

impl<F: FnMut(VarId)> Visit for Mentions<F> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Assign { target, .. } = &stmt.kind {
            target.vars().into_iter().for_each(&mut self.0);
        }
        stmt.parts(&mut |part| self.part(&part));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(var) => (self.0)(*var),
            ExprKind::Task(TaskExpr::Set { ids, .. }) => (self.0)(*ids),
            ExprKind::At(at) => at.args.iter().for_each(|arg| match arg {
                AtArg::Tensor { var, .. } | AtArg::Scalar(var) => (self.0)(*var),
                AtArg::Dim(_) => {}
            }),
            _ => {}
        }
        self.inside(expr);
    }
}

/// How often a block mentions each of the `count` variables of its function.
pub(super) fn mentions(body: &Block, count: usize) -> Vec<usize> {
    let mut counts = vec![0; count];
    Mentions(|var: VarId| counts[var.index()] += 1).block(body);
    counts
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

/// Elements that code may change, or that it reads.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Elements {
    pub(super) tiles: bool,
    pub(super) tensors: bool,
}

impl Elements {
    const ALL: Self = Self {
        tiles: true,
        tensors: true,
    };

    fn add(&mut self, other: Self) {
        self.tiles |= other.tiles;
        self.tensors |= other.tensors;
    }

    /// Those of what `get` and `set` are called on.
    fn of(base: &Expr) -> Self {
        Self {
            tiles: !matches!(base.ty, Type::Tensor(_)),
            tensors: !matches!(base.ty, Type::Tile(_)),
        }
    }

    /// Whether both have some in common.
    pub(super) fn meet(self, other: Self) -> bool {
        self.tiles && other.tiles || self.tensors && other.tensors
    }
}

/// What a statement may change, beside the variables that it assigns.
pub(super) fn changes(stmt: &Stmt) -> Elements {
    let mut changes = Changes::default();
    changes.stmt(stmt);
    changes.0
}

#[derive(Default)]
struct Changes(Elements);

impl Visit for Changes {
    fn stmt(&mut self, stmt: &Stmt) {
        if matches!(stmt.kind, StmtKind::Break | StmtKind::Continue) {
            // What comes after may not run.
            self.0 = Elements::ALL;
        }
        stmt.parts(&mut |part| self.part(&part));
    }

    fn expr(&mut self, expr: &Expr) {
        self.0.add(match &expr.kind {
            ExprKind::Operation { op, .. } if op.results().is_empty() => {
                let tensors = takes_tensor(*op);
                Elements {
                    tiles: !tensors,
                    tensors,
                }
            }
            ExprKind::Set { base, .. } => Elements::of(base),
            ExprKind::Call(_) | ExprKind::At(_) | ExprKind::Task(_) => Elements::ALL,
            _ => Elements::default(),
        });
        self.inside(expr);
    }
}

/// What an expression reads.
pub(super) fn reads(expr: &Expr) -> Elements {
    let mut reads = Reads::default();
    reads.expr(expr);
    reads.0
}

#[derive(Default)]
struct Reads(Elements);

impl Visit for Reads {
    fn expr(&mut self, expr: &Expr) {
        self.0.add(match &expr.kind {
            ExprKind::Get { base, .. } => Elements::of(base),
            ExprKind::Operation { op, .. } if takes_tensor(*op) => Elements {
                // Also the indices that say what is gathered.
                tiles: *op != Op::Load,
                tensors: true,
            },
            _ => Elements {
                tiles: matches!(expr.ty, Type::Tile(_)) && purity(expr) == Purity::Reads,
                tensors: false,
            },
        });
        self.inside(expr);
    }
}

fn takes_tensor(op: Op) -> bool {
    op.args().iter().any(|(_, kind)| kind.takes_tensor())
}
