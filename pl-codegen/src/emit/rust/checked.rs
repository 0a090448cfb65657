//! Scalars in the code that runs: arithmetic gives an error where it has no result, and values of a wrong
//! type are let through, as rustc reports them in the stub.

use super::{Emitter, Sink};
use crate::ir::{BinaryOp, Expr, ExprKind, Scalar, SpanId, Type, UnaryOp};

/// Methods of integers that may have no result.
pub(super) const CHECKED_METHODS: &[&str] = &["div_ceil", "next_multiple_of", "abs", "pow"];

/// The method of `arith::On` for an operator that always has a value.
pub(super) const fn unchecked(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "plus",
        BinaryOp::Sub => "minus",
        BinaryOp::Mul => "times",
        BinaryOp::Div => "over",
        BinaryOp::Rem => "modulo",
        BinaryOp::BitAnd => "bit_and",
        BinaryOp::BitOr => "bit_or",
        BinaryOp::BitXor => "bit_xor",
        BinaryOp::Eq => "is_equal",
        BinaryOp::Ne => "differs",
        BinaryOp::Lt => "is_less",
        BinaryOp::Le => "is_at_most",
        BinaryOp::Gt => "is_more",
        BinaryOp::Ge => "is_at_least",
        // Shifts are checked, and these decide whether their second operand is computed.
        BinaryOp::Shl | BinaryOp::Shr | BinaryOp::And | BinaryOp::Or => "",
    }
}

pub(super) fn is_literal(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(_))
}

impl<S: Sink> Emitter<'_, S> {
    /// Whether arithmetic on values of this type may have no result.
    pub(super) fn checks(ty: &Type) -> bool {
        let never_fails = match ty {
            Type::Scalar(Scalar::Float) => true,
            Type::Scalar(Scalar::Named(name)) => {
                matches!(name.as_str(), "f64" | "f32" | "f16" | "bf16")
            }
            _ => false,
        };
        S::CHECKS && !never_fails
    }

    /// Arithmetic that gives an error where it has no result.
    pub(super) fn checked(&mut self, name: &str, expr: &Expr, operands: &[&Expr]) {
        self.on(operands);
        self.out.at(expr.span);
        self.out.put(&format!(".{name}("));
        self.out.site(expr.span);
        self.out.put(")?");
    }

    /// `On((a, b,))`: operands that need not go together. rustc has then said so in the stub.
    pub(super) fn on(&mut self, operands: &[&Expr]) {
        self.out.runtime("arith::On");
        self.out.put("((");
        for operand in operands {
            self.expr(operand);
            self.out.put(", ");
        }
        self.out.put("))");
    }

    /// A value that must have this type; where rustc may find in the stub that it has not, it is
    /// let through here.
    pub(super) fn fitted(&mut self, expr: &Expr, expected: &Type) {
        let certain = expr.ty == *expected
            || matches!(
                (&expr.kind, expected),
                (ExprKind::Literal(_), Type::Scalar(Scalar::Named(name))) if name != "bool"
            );
        let (false, true, Type::Scalar(Scalar::Named(name))) = (certain, S::CHECKS, expected)
        else {
            self.expr(expr);
            return;
        };
        let value = |this: &mut Self| match &expr.kind {
            // There is no such number in what has no sign.
            ExprKind::Unary(UnaryOp::Neg, operand) if is_literal(operand) && name == "usize" => {
                this.checked("neg", expr, &[operand]);
            }
            _ => this.expr(expr),
        };
        self.fit(expr.span, value, |this| this.out.scalar_type(name));
    }

    /// `Signature::fit(value, expect::<Type>()).pass()`
    pub(super) fn fit(
        &mut self,
        span: SpanId,
        value: impl FnOnce(&mut Self),
        ty: impl FnOnce(&mut Self),
    ) {
        self.fit_to(span, value, |this| this.expect(ty));
    }

    /// The same; `says` is what says the type.
    pub(super) fn fit_to(
        &mut self,
        span: SpanId,
        value: impl FnOnce(&mut Self),
        says: impl FnOnce(&mut Self),
    ) {
        self.out.at(span);
        self.out.runtime("Signature::fit(");
        value(self);
        self.out.at(span);
        self.out.put(", ");
        says(self);
        self.out.put(").pass()");
    }

    /// `expect::<Type>()`
    pub(super) fn expect(&mut self, ty: impl FnOnce(&mut Self)) {
        self.out.runtime("arith::expect::<");
        ty(self);
        self.out.put(">()");
    }

    /// A handle of this type of the runtime.
    pub(super) fn handle(&mut self, expr: &Expr, ty: &str) {
        self.fit(
            expr.span,
            |this| this.expr(expr),
            |this| this.out.runtime(ty),
        );
    }

    /// A condition.
    pub(super) fn truth(&mut self, expr: &Expr) {
        self.fitted(expr, &Type::bool());
    }

    /// A length, index, bound or axis.
    pub(super) fn length(&mut self, expr: &Expr) {
        self.fitted(expr, &Type::usize());
    }

    /// `[a, b]`: dimensions or indices.
    pub(super) fn lengths(&mut self, items: &[Expr]) {
        self.out.put("[");
        for (position, item) in items.iter().enumerate() {
            self.separate(position);
            self.length(item);
        }
        self.out.put("]");
    }
}
