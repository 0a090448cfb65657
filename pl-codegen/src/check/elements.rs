//! Element types that an operation does not work on, as far as they are known.
//!
//! A type parameter, and what a helper gives, is left to the run, which checks all.

use crate::diag::{Code, Diagnostic};
use crate::ir::{DType, Elem, Expr, ExprKind, Function, Type, UnaryOp, Visit};
use crate::ops::{ArgKind, Op, Types};

/// Reports operations and operators on elements that they do not work on.
pub fn check_elements(function: &Function) -> Vec<Diagnostic> {
    let mut elements = Elements(Vec::new());
    elements.block(&function.body);
    elements.0
}

struct Elements(Vec<Diagnostic>);

impl Visit for Elements {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Operation { op, args } if op.opens_element() => {
                self.judge(expr, *op, [&expr.ty]);
                for (arg, (_, kind)) in args.iter().zip(op.args()) {
                    if *kind == ArgKind::float_tile {
                        self.expect_floats(expr, *op, &arg.ty);
                    }
                }
            }
            ExprKind::Operation { op, args } => {
                let typed = args.iter().zip(op.args());
                let typed = typed.filter(|(_, (_, kind))| kind.has_element());
                self.judge(expr, *op, typed.map(|(arg, _)| &arg.ty));
                for (arg, (_, kind)) in args.iter().zip(op.args()) {
                    if *kind == ArgKind::indices {
                        self.expect_integers(arg, *op, &arg.ty);
                    }
                }
            }
            ExprKind::Binary(op, a, b) => {
                if let Some(op) = op.tile_operation() {
                    self.judge(expr, op, [&a.ty, &b.ty]);
                }
            }
            ExprKind::Unary(UnaryOp::Neg, operand) => self.judge(expr, Op::Neg, [&operand.ty]),
            _ => {}
        }
        self.inside(expr);
    }
}

impl Elements {
    /// What rounds takes floats.
    fn expect_floats(&mut self, expr: &Expr, op: Op, operand: &Type) {
        if let Type::Tile(Elem::Known(dtype)) = operand
            && !Types::float.has(*dtype)
        {
            let name = op.name();
            self.0.push(Diagnostic::new(
                Code::ElementType,
                expr.span,
                format!("`{name}` rounds floats, and this tile has `{dtype}` elements"),
                "write `cast`, which converts them",
            ));
        }
    }

    /// What names rows takes integers.
    fn expect_integers(&mut self, expr: &Expr, op: Op, operand: &Type) {
        if let Type::Tile(Elem::Known(dtype)) = operand
            && (dtype.is_float() || *dtype == DType::Bool)
        {
            let name = op.name();
            self.0.push(Diagnostic::new(
                Code::ElementType,
                expr.span,
                format!("`{name}` takes integers as indices, and this tile has `{dtype}` elements"),
                "`cast::<i32>(..)` it before",
            ));
        }
    }

    /// Judges by the first handle among the operands; rustc holds that the others agree.
    fn judge<'t>(&mut self, expr: &Expr, op: Op, operands: impl IntoIterator<Item = &'t Type>) {
        let mut elems = operands.into_iter().filter_map(|ty| match ty {
            Type::Tile(Elem::Known(dtype)) | Type::Tensor(Elem::Known(dtype)) => Some(*dtype),
            _ => None,
        });
        let Some(dtype) = elems.next() else { return };
        let types = op.types();
        if types.has(dtype) {
            return;
        }
        let name = op.symbol().unwrap_or(op.name());
        let (message, help) = if op.opens_element() {
            (
                format!("`{name}` makes tiles of {}, not of `{dtype}`", types.noun()),
                format!("write another type, `{name}::<{}>(..)`", types.example()),
            )
        } else {
            (
                format!(
                    "`{name}` works on {}, and this tile has `{dtype}` elements",
                    types.noun()
                ),
                types.remedy().to_owned(),
            )
        };
        self.0
            .push(Diagnostic::new(Code::ElementType, expr.span, message, help));
    }
}
