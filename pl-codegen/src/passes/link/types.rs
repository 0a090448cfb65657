//! Types that only the callees decide.

use crate::ir::{Block, Expr, ExprKind, Scalar, Type};

/// The type of a value that is made of others.
pub(super) fn type_by_parts(expr: &Expr) -> Option<Type> {
    let of_block = |block: &Block| block.tail.as_ref().map(|tail| tail.ty.clone());
    match &expr.kind {
        ExprKind::Binary(op, ..) if op.is_comparison() => None,
        ExprKind::Binary(_, a, b) => {
            let open = matches!(a.ty, Type::Scalar(Scalar::Integer | Scalar::Float));
            let second = matches!(b.ty, Type::Tile(_)) || open;
            Some(if second { b.ty.clone() } else { a.ty.clone() })
        }
        ExprKind::Unary(_, x) => Some(x.ty.clone()),
        ExprKind::Method { receiver: base, .. }
        | ExprKind::Slice { base, .. }
        | ExprKind::Reshape { base, .. }
        | ExprKind::Transpose { base, .. } => Some(base.ty.clone()),
        ExprKind::Tuple(items) => Some(Type::Tuple(
            items.iter().map(|item| item.ty.clone()).collect(),
        )),
        ExprKind::If { then: block, .. }
        | ExprKind::Scope { body: block, .. }
        | ExprKind::ScratchScope(block)
        | ExprKind::Block(block) => of_block(block),
        _ => None,
    }
}
