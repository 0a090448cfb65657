//! Products and what stands around them.

use super::effects::{Purity, purity};
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, Factor, PartMut, Product, SpanId, Sum, Type, VarId,
};
use crate::ops::Op;

/// Finds the products of every block.
pub(super) fn blocks(body: &mut Block) {
    body.parts_mut(&mut |mut part| find(&mut part));
}

fn find(part: &mut PartMut<'_>) {
    match part {
        PartMut::Block(block) => blocks(block),
        PartMut::Expr(expr) => {
            if let Some(product) = of(expr) {
                expr.kind = ExprKind::Product(Box::new(product));
            }
            expr.parts_mut(&mut |mut part| find(&mut part));
        }
    }
}

/// The product that an expression is, if there is more to it than two tiles.
fn of(expr: &Expr) -> Option<Product> {
    if let Some(product) = added(expr) {
        return Some(product);
    }
    let product = scaled(expr)?;
    let loads = product.factors.iter().any(|factor| factor.load.is_some());
    (loads || product.scale.is_some()).then_some(product)
}

/// `copy_to(acc, acc * factor + product)`, the operands in any order.
fn added(expr: &Expr) -> Option<Product> {
    let ExprKind::Operation {
        op: Op::CopyTo,
        args,
    } = &expr.kind
    else {
        return None;
    };
    let [target, value] = &args[..] else {
        return None;
    };
    let ExprKind::Var(acc) = target.kind else {
        return None;
    };
    let ExprKind::Binary(BinaryOp::Add, a, b) = &value.kind else {
        return None;
    };
    if purity(value) == Purity::Changes {
        return None;
    }
    [(a, b), (b, a)].into_iter().find_map(|(old, product)| {
        let product = scaled(product)?;
        let factor = if is_var(old, acc) {
            None
        } else {
            Some(kept(old, acc)?)
        };
        Some(Product {
            sum: Some(Sum {
                acc: target.clone(),
                factor,
                add: value.span,
            }),
            ..product
        })
    })
}

/// What `acc` is multiplied with.
fn kept(old: &Expr, acc: VarId) -> Option<(Expr, SpanId)> {
    let ExprKind::Binary(BinaryOp::Mul, a, b) = &old.kind else {
        return None;
    };
    let other = match (is_var(a, acc), is_var(b, acc)) {
        (true, false) => b,
        (false, true) => a,
        _ => return None,
    };
    let known = other.ty.is_scalar() || matches!(other.ty, Type::Tile(_));
    // Anything else could see `acc` while it changes.
    (known && purity(other) == Purity::Names).then(|| ((**other).clone(), old.span))
}

fn is_var(expr: &Expr, var: VarId) -> bool {
    matches!(expr.kind, ExprKind::Var(found) if found == var)
}

/// `dot(a, b)`, `dot(a, b) * scale` or `scale * dot(a, b)`
fn scaled(expr: &Expr) -> Option<Product> {
    if let ExprKind::Binary(BinaryOp::Mul, a, b) = &expr.kind {
        let (product, scale) = match (a.ty.is_scalar(), b.ty.is_scalar()) {
            (false, true) => (a, b),
            (true, false) => (b, a),
            _ => return None,
        };
        if purity(scale) != Purity::Names {
            return None;
        }
        return Some(Product {
            scale: Some(((**scale).clone(), expr.span)),
            ..plain(product)?
        });
    }
    plain(expr)
}

fn plain(expr: &Expr) -> Option<Product> {
    let ExprKind::Operation { op, args } = &expr.kind else {
        return None;
    };
    let [a, b] = &args[..] else { return None };
    let tiles = [a, b].iter().all(|arg| matches!(arg.ty, Type::Tile(_)));
    (matches!(op, Op::Dot | Op::DotF32) && tiles).then(|| Product {
        op: *op,
        factors: [factor(a), factor(b)],
        scale: None,
        sum: None,
        span: expr.span,
    })
}

fn factor(expr: &Expr) -> Factor {
    let loaded = |expr: &Expr| match &expr.kind {
        ExprKind::Operation { op: Op::Load, args } if matches!(args[0].ty, Type::Tensor(_)) => {
            Some((args[0].clone(), expr.span))
        }
        _ => None,
    };
    let (inner, transpose) = match &expr.kind {
        ExprKind::Operation {
            op: Op::Transpose,
            args,
        } => (&args[0], Some(expr.span)),
        _ => (expr, None),
    };
    match loaded(inner) {
        Some((value, load)) => Factor {
            value,
            load: Some(load),
            transpose,
        },
        None => Factor {
            value: expr.clone(),
            load: None,
            transpose: None,
        },
    }
}
