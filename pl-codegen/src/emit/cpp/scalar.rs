//! Scalar expressions as C++, of the same value.

use super::Printer;
use super::helpers::Helper;
use super::number::{
    Number, bounds, c_type, is_float, is_half, is_integer, is_promoted, is_signed, print, read,
};
use super::tensor::same;
use crate::ir::{BinaryOp, Expr, ExprKind, Scalar, TaskExpr, Type, UnaryOp};

/// The name of a scalar's type.
pub(super) fn type_name(ty: &Type) -> &str {
    match ty {
        Type::Scalar(Scalar::Named(name)) => name,
        _ => "",
    }
}

/// A number that is written out, with its sign.
pub(super) fn constant(expr: &Expr) -> Option<Number> {
    let ty = type_name(&expr.ty);
    match &expr.kind {
        ExprKind::Literal(text) if text == "true" || text == "false" => {
            Some(Number::Integer(i128::from(text == "true")))
        }
        ExprKind::Literal(text) => Some(read(text, ty)),
        ExprKind::Unary(UnaryOp::Neg, x) => Some(match constant(x)? {
            Number::Integer(value) => Number::Integer(-value),
            Number::Float(value) => Number::Float(-value),
        }),
        ExprKind::Binary(op, a, b) if is_integer(ty) => {
            let (Number::Integer(a), Number::Integer(b)) = (constant(a)?, constant(b)?) else {
                return None;
            };
            let value = match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                BinaryOp::Div => a.checked_div(b),
                BinaryOp::Rem => a.checked_rem(b),
                _ => None,
            }?;
            let (least, most) = bounds(ty);
            (least..=most)
                .contains(&value)
                .then_some(Number::Integer(value))
        }
        _ => None,
    }
}

/// Whether C++ takes the type of the expression from what stands beside it.
fn is_open(expr: &Expr) -> bool {
    matches!(constant(expr), Some(Number::Integer(_))) && expr.ty != Type::bool()
}

impl Printer<'_> {
    /// The value, in parentheses where it is more than a name or a number.
    pub(super) fn scalar(&mut self, expr: &Expr) -> String {
        let ty = type_name(&expr.ty);
        if let Some(number) = constant(expr) {
            let text = print(number, ty);
            if text.contains("numeric_limits") {
                self.needs.include("limits");
            }
            return text;
        }
        match &expr.kind {
            ExprKind::Var(var) => self.name(*var).to_owned(),
            ExprKind::Dim(index) => self.dim_name(*index),
            ExprKind::Unary(op, x) => self.unary(*op, x, ty),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, ty),
            ExprKind::Cast(x, _) => self.cast(x, ty),
            ExprKind::Method {
                name,
                receiver,
                args,
            } => self.method(name, receiver, args),
            ExprKind::DimOf { base, axis } => {
                format!("static_cast<uint64_t>({})", self.dim_of(base, axis))
            }
            ExprKind::Task(TaskExpr::IsValid(task)) => {
                format!("{}.is_valid()", self.task_id(task))
            }
            kind => unreachable!("no operand after it was taken apart: {kind:?}"),
        }
    }

    /// The value, with its type also where it is a number.
    fn typed(&mut self, expr: &Expr) -> String {
        let text = self.scalar(expr);
        if is_open(expr) {
            return format!("{}{{{text}}}", c_type(type_name(&expr.ty)));
        }
        text
    }

    /// The value of a 16-bit float, to compute with.
    fn widened(&mut self, expr: &Expr) -> String {
        let ty = type_name(&expr.ty).to_owned();
        if let Some(number) = constant(expr) {
            // Exact: it is a value of the narrower type.
            return print(number, "f32");
        }
        let text = self.scalar(expr);
        self.widen(&text, &ty)
    }

    pub(super) fn widen(&mut self, text: &str, ty: &str) -> String {
        let helper = if ty == "f16" {
            Helper::F16Value
        } else {
            Helper::Bf16Value
        };
        format!("{}({text})", self.needs.helper(helper))
    }

    pub(super) fn narrow(&mut self, text: &str, ty: &str) -> String {
        let helper = if ty == "f16" {
            Helper::F16Bits
        } else {
            Helper::Bf16Bits
        };
        format!("{}({text})", self.needs.helper(helper))
    }

    fn unary(&mut self, op: UnaryOp, x: &Expr, ty: &str) -> String {
        let value = self.typed(x);
        match op {
            UnaryOp::Neg if is_half(ty) => format!("static_cast<uint16_t>({value} ^ 0x8000)"),
            UnaryOp::Neg => back(format!("(-{value})"), ty),
            UnaryOp::Not if ty == "bool" => format!("(!{value})"),
            UnaryOp::Not => back(format!("(~{value})"), ty),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, ty: &str) -> String {
        let of = type_name(&a.ty).to_owned();
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let (left, right) = if is_half(&of) {
            (self.widened(a), self.widened(b))
        } else {
            let typed = is_open(a) && (shift || is_open(b));
            let left = if typed { self.typed(a) } else { self.scalar(a) };
            (left, self.scalar(b))
        };
        if op.is_comparison() {
            self.keep_comparison(op, a, b);
        }
        if op == BinaryOp::Shl && is_signed(&of) {
            // Bits below zero have no shift to the left in C++17.
            let (to, bits) = (c_type(ty), c_type(ty).replacen("int", "uint", 1));
            return format!("static_cast<{to}>(static_cast<{bits}>({left}) << {right})");
        }
        let text = if op == BinaryOp::Rem && is_float(&of) {
            self.needs.include("cmath");
            format!("std::fmod({left}, {right})")
        } else {
            format!("({left} {} {right})", op.symbol())
        };
        match op {
            _ if op.is_comparison() => text,
            _ if is_half(ty) => self.narrow(&text, ty),
            _ => back(text, ty),
        }
    }

    /// Notes a comparison that the compiler would warn of, as its outcome is certain.
    fn keep_comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr) {
        if same(a, b) {
            self.needs.keep_comparison("-Wtautological-compare");
        }
        if constant(a).is_some() {
            let op = match op {
                BinaryOp::Lt => BinaryOp::Gt,
                BinaryOp::Le => BinaryOp::Ge,
                BinaryOp::Gt => BinaryOp::Lt,
                BinaryOp::Ge => BinaryOp::Le,
                other => other,
            };
            self.keep_limit(op, a);
        } else {
            self.keep_limit(op, b);
        }
    }

    /// The same for a comparison of something with `limit`.
    pub(super) fn keep_limit(&mut self, op: BinaryOp, limit: &Expr) {
        let ty = type_name(&limit.ty);
        let (true, Some(Number::Integer(value))) = (is_integer(ty), constant(limit)) else {
            return;
        };
        let (least, most) = bounds(ty);
        let certain = match op {
            BinaryOp::Lt | BinaryOp::Ge => value == least,
            BinaryOp::Gt | BinaryOp::Le => value == most,
            _ => false,
        };
        if certain {
            self.needs.keep_comparison("-Wtype-limits");
        }
    }

    fn cast(&mut self, x: &Expr, ty: &str) -> String {
        let from = type_name(&x.ty).to_owned();
        let value = if is_half(&from) {
            self.widened(x)
        } else {
            self.scalar(x)
        };
        self.converted(&value, &from, ty)
    }

    /// `value as ty`
    pub(super) fn converted(&mut self, value: &str, from: &str, ty: &str) -> String {
        let to = c_type(ty);
        if from == ty {
            value.to_owned()
        } else if is_float(from) && !is_float(ty) {
            format!("{}<{to}>({value})", self.needs.helper(Helper::FloatToInt))
        } else {
            format!("static_cast<{to}>({value})")
        }
    }

    fn method(&mut self, name: &str, receiver: &Expr, args: &[Expr]) -> String {
        let ty = type_name(&receiver.ty).to_owned();
        let half = is_half(&ty);
        let mut values = Vec::new();
        for value in std::iter::once(receiver).chain(args) {
            let of_receiver = values.is_empty() || name != "pow";
            values.push(if half && of_receiver {
                self.widened(value)
            } else {
                self.scalar(value)
            });
        }
        let values = values.join(", ");
        if is_float(&ty) {
            self.needs.include("cmath");
            let function = match name {
                "min" => "fmin",
                "max" => "fmax",
                _ => "fabs",
            };
            let text = format!("std::{function}({values})");
            return if half { self.narrow(&text, &ty) } else { text };
        }
        let function = match Helper::of_method(name) {
            Some(helper) => self.needs.helper(helper).to_owned(),
            None => {
                self.needs.include("algorithm");
                format!("std::{name}")
            }
        };
        format!("{function}<{}>({values})", c_type(&ty))
    }

    /// An index, offset or length, of the 32 bits that they have.
    pub(super) fn length(&mut self, expr: &Expr) -> String {
        if let ExprKind::DimOf { base, axis } = &expr.kind {
            return self.dim_of(base, axis);
        }
        match constant(expr) {
            Some(Number::Integer(value)) if (0..=i128::from(u32::MAX)).contains(&value) => {
                print(Number::Integer(value), "u32")
            }
            _ => format!("static_cast<uint32_t>({})", self.scalar(expr)),
        }
    }

    fn dim_of(&mut self, base: &Expr, axis: &Expr) -> String {
        let tensor = self.tensor(base);
        let axis = self.scalar(axis);
        format!("{tensor}.shapes[{axis}]")
    }

    /// `{a, b}`
    pub(super) fn lengths<'e>(&mut self, items: impl IntoIterator<Item = &'e Expr>) -> String {
        let items: Vec<String> = items.into_iter().map(|item| self.length(item)).collect();
        format!("{{{}}}", items.join(", "))
    }
}

/// A result of C++ as a value of the type that Rust computes with.
fn back(text: String, ty: &str) -> String {
    if is_promoted(ty) || ty == "bool" {
        return format!("static_cast<{}>{text}", c_type(ty));
    }
    text
}
