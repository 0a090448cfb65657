//! Methods: views and elements of tensors and tiles, and what scalars have.

use super::attributes::refuse_in_expr;
use super::lower::Lower;
use crate::diag::Code;
use crate::ir::{Create, Elem, Expr, ExprKind, MAX_RANK, Scalar, SliceItem, SpanId, Type};

/// Methods of scalars that kernels have.
const SCALAR_METHODS: &[&str] = &[
    "min",
    "max",
    "div_ceil",
    "abs",
    "pow",
    "next_multiple_of",
    "saturating_sub",
    "is_multiple_of",
];

impl Lower<'_> {
    pub(crate) fn method(&mut self, e: &syn::ExprMethodCall, span: SpanId) -> Expr {
        let name = e.method.to_string();
        let base = self.expr(&e.receiver);
        if base.ty == Type::Never {
            return self.never(e);
        }
        let may_be_scalar = matches!(base.ty, Type::ResultOf(_));
        if base.ty.is_scalar() || may_be_scalar && SCALAR_METHODS.contains(&name.as_str()) {
            return self.scalar_method(e, base, name, span);
        }
        let may_be_task = base.ty.may_be_result() && name == "is_valid";
        if matches!(base.ty, Type::TaskId | Type::TaskIds) || may_be_task {
            return self.task_method(e, base, span);
        }
        if name == "partition" && matches!(base.ty, Type::Tensor(_)) {
            return self.partition(e, base, span);
        }
        let is_tensor = match base.ty {
            Type::Tensor(_) => true,
            // Only orchestration code, around the region, calls what returns tensors.
            Type::ResultOf(callee) => self.is_called_around(callee),
            _ => false,
        };
        if self.is_incore() && is_tensor && ["get", "set"].contains(&name.as_str()) {
            self.report.node_error(
                &e.method,
                Code::WrongContext,
                format!("in-core code reaches the elements of a tensor through tiles, not by `{name}`"),
                "load the part that is needed, `load(x.slice(s![i..i + 1]))`, and `store` what changes",
            );
            return self.never(e);
        }
        let args: Vec<&syn::Expr> = e.args.iter().collect();
        let base = Box::new(base);
        let (kind, ty) = match (name.as_str(), args.as_slice()) {
            ("slice", [items]) => {
                let items = self.slice_items(items);
                let ty = base.ty.clone();
                (ExprKind::Slice { base, items }, ty)
            }
            ("reshape", [dims]) => {
                let ty = base.ty.clone();
                (
                    ExprKind::Reshape {
                        base,
                        dims: self.dims(dims),
                    },
                    ty,
                )
            }
            ("transpose", [a, b]) => {
                let ty = base.ty.clone();
                let axes = Box::new((self.scalar(a), self.scalar(b)));
                (ExprKind::Transpose { base, axes }, ty)
            }
            ("dim", [axis]) => {
                let axis = Box::new(self.scalar(axis));
                (ExprKind::DimOf { base, axis }, Type::usize())
            }
            ("get", [indices]) => {
                let ty = element_scalar(&base.ty);
                (
                    ExprKind::Get {
                        base,
                        indices: self.list(indices),
                    },
                    ty,
                )
            }
            ("set", [indices, value]) => {
                let indices = self.list(indices);
                let value = Box::new(self.scalar(value));
                (
                    ExprKind::Set {
                        base,
                        indices,
                        value,
                    },
                    Type::Unit,
                )
            }
            ("init", [value]) => {
                let value = self.scalar(value);
                return self.on_create(e, *base, |create| create.init = Some(value));
            }
            ("manual_dep", []) => {
                return self.on_create(e, *base, |create| create.manual_dep = true);
            }
            // rustc counts the arguments of known methods in the same code.
            (
                "slice" | "reshape" | "transpose" | "dim" | "get" | "set" | "init" | "manual_dep",
                _,
            ) => (ExprKind::Tuple(Vec::new()), Type::Never),
            _ => {
                self.report.node_error(
                    &e.method,
                    Code::UnknownOperation,
                    format!("{} has no method `{name}`", base.ty.noun()),
                    "methods are `slice`, `reshape`, `transpose`, `dim`, `get` and `set`",
                );
                return self.never(e);
            }
        };
        Expr { kind, ty, span }
    }

    fn scalar_method(
        &mut self,
        e: &syn::ExprMethodCall,
        receiver: Expr,
        name: String,
        span: SpanId,
    ) -> Expr {
        if !SCALAR_METHODS.contains(&name.as_str()) {
            self.report.node_error(
                &e.method,
                Code::UnknownOperation,
                format!("scalars in kernels have no method `{name}`"),
                format!("they have `{}`", SCALAR_METHODS.join("`, `")),
            );
            return self.never(e);
        }
        let args: Vec<Expr> = e.args.iter().map(|arg| self.scalar(arg)).collect();
        self.left_to_rustc |= args.len() != usize::from(name != "abs");
        let ty = if name == "is_multiple_of" {
            Type::bool()
        } else {
            receiver.ty.clone()
        };
        Expr {
            kind: ExprKind::Method {
                name,
                receiver: Box::new(receiver),
                args,
            },
            ty,
            span,
        }
    }

    fn on_create(
        &mut self,
        e: &syn::ExprMethodCall,
        mut base: Expr,
        change: impl FnOnce(&mut Create),
    ) -> Expr {
        if let ExprKind::Create(create) = &mut base.kind {
            change(create);
            return base;
        }
        self.report.node_error(
            &e.method,
            Code::ArgumentKind,
            format!(
                "`.{}(..)` belongs directly behind `create_tensor`",
                e.method
            ),
            format!("write `create_tensor::<f32>([..]).{}(..)`", e.method),
        );
        self.never(e)
    }

    /// `[a, b]`: dimensions of a tensor or tile.
    pub(crate) fn dims(&mut self, expr: &syn::Expr) -> Vec<Expr> {
        let before = self.report.count();
        let dims = self.list(expr);
        if self.report.count() == before && !(1..=MAX_RANK).contains(&dims.len()) {
            self.report.node_error(
                expr,
                Code::ArgumentKind,
                format!(
                    "tensors and tiles have 1 to {MAX_RANK} dimensions, not {}",
                    dims.len()
                ),
                "write one length for each, `[rows, columns]`",
            );
            self.never(expr);
        }
        dims
    }

    /// `[a, b]`: dimensions or indices.
    pub(crate) fn list(&mut self, expr: &syn::Expr) -> Vec<Expr> {
        match expr {
            syn::Expr::Array(array) => array.elems.iter().map(|item| self.scalar(item)).collect(),
            syn::Expr::Paren(inner) => self.list(&inner.expr),
            syn::Expr::Group(inner) => self.list(&inner.expr),
            other => {
                self.report.node_error(
                    other,
                    Code::Unsupported,
                    "dimensions and indices are written out",
                    "write them as an array, `[a, b]`",
                );
                self.never(other);
                Vec::new()
            }
        }
    }

    fn slice_items(&mut self, expr: &syn::Expr) -> Vec<SliceItem> {
        let syn::Expr::Macro(call) = expr else {
            self.report.node_error(
                expr,
                Code::Unsupported,
                "`slice` takes `s![..]`, written in place",
                "write `x.slice(s![a..b, ..])`",
            );
            self.never(expr);
            return Vec::new();
        };
        if call
            .mac
            .path
            .segments
            .last()
            .is_none_or(|segment| segment.ident != "s")
        {
            self.report.node_error(
                expr,
                Code::Unsupported,
                "`slice` takes `s![..]`, written in place",
                "write `x.slice(s![a..b, ..])`",
            );
            self.never(expr);
            return Vec::new();
        }
        let parsed = call.mac.parse_body_with(
            syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated,
        );
        let Ok(items) = parsed else {
            self.left_to_rustc = true;
            return Vec::new();
        };
        for item in &items {
            refuse_in_expr(item, self.report);
        }
        items.iter().map(|item| self.slice_item(item)).collect()
    }

    fn slice_item(&mut self, item: &syn::Expr) -> SliceItem {
        match item {
            syn::Expr::Range(range) => {
                if let syn::RangeLimits::Closed(token) = &range.limits {
                    self.report.node_error(
                        token,
                        Code::Unsupported,
                        "a part of a dimension ends before its bound",
                        "write `a..b + 1` for `a..=b`",
                    );
                }
                let start = range.start.as_ref().map(|bound| self.scalar(bound));
                let end = range.end.as_ref().map(|bound| self.scalar(bound));
                SliceItem::Range(start, end)
            }
            index => SliceItem::Index(self.scalar(index)),
        }
    }
}

fn element_scalar(ty: &Type) -> Type {
    Type::Scalar(match ty {
        Type::Tensor(Elem::Known(dtype)) | Type::Tile(Elem::Known(dtype)) => {
            Scalar::named(dtype.name())
        }
        Type::Tensor(Elem::Generic(name)) | Type::Tile(Elem::Generic(name)) => Scalar::named(name),
        _ => Scalar::Open,
    })
}
