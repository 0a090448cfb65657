//! Expressions.

use super::lower::{Lower, text_of};
use super::stmt::differ;
use crate::diag::Code;
use crate::ir::{BinaryOp, Expr, ExprKind, Scalar, SpanId, Type, UnaryOp};
use quote::ToTokens;

impl Lower<'_> {
    /// Lowers any expression.
    pub(crate) fn expr(&mut self, expr: &syn::Expr) -> Expr {
        let span = self.report.node(expr);
        let (kind, ty) = match expr {
            syn::Expr::Paren(e) => return self.expr(&e.expr),
            syn::Expr::Group(e) => return self.expr(&e.expr),
            syn::Expr::Lit(e) => match literal(&e.lit) {
                Some(ty) => (ExprKind::Literal(e.lit.to_token_stream().to_string()), ty),
                None => {
                    return self.unsupported(
                        expr,
                        "this literal",
                        "write a number or a truth value",
                    );
                }
            },
            syn::Expr::Path(e) => return self.path(e, span),
            syn::Expr::Unary(e) => {
                let operand = self.expr(&e.expr);
                let op = match e.op {
                    syn::UnOp::Neg(_) => UnaryOp::Neg,
                    syn::UnOp::Not(_) => UnaryOp::Not,
                    _ if operand.ty == Type::Never => return operand,
                    _ => {
                        return self.unsupported(
                            expr,
                            "`*`",
                            "handles and scalars are values: write the name alone",
                        );
                    }
                };
                let ty = operand.ty.clone();
                if let (UnaryOp::Not, Type::Tile(_)) = (op, &ty) {
                    self.report.node_error(
                        expr,
                        Code::ArgumentKind,
                        "`!` does not work on tiles",
                        format!("write `not({})`", text_of(&e.expr.to_token_stream())),
                    );
                    return self.never(expr);
                }
                self.left_to_rustc |= matches!(
                    ty,
                    Type::Tensor(_) | Type::TaskId | Type::TaskIds | Type::Tuple(_) | Type::Unit
                );
                (ExprKind::Unary(op, Box::new(operand)), ty)
            }
            syn::Expr::Binary(e) => return self.binary(e, span),
            syn::Expr::Cast(e) => {
                let value = self.scalar(&e.expr);
                let text = text_of(&e.ty.to_token_stream());
                let ty = Type::Scalar(match &*e.ty {
                    syn::Type::Infer(_) => Scalar::Open,
                    written => {
                        self.scalar_types
                            .insert(text.clone(), written.to_token_stream());
                        Scalar::Named(text.clone())
                    }
                });
                (ExprKind::Cast(Box::new(value), text), ty)
            }
            syn::Expr::Call(e) => return self.call(e, span),
            syn::Expr::MethodCall(e) => return self.method(e, span),
            syn::Expr::Tuple(e) => {
                let items: Vec<Expr> = e.elems.iter().map(|item| self.expr(item)).collect();
                if items.is_empty() {
                    (ExprKind::Tuple(items), Type::Unit)
                } else {
                    let types = items.iter().map(|item| item.ty.clone()).collect();
                    (ExprKind::Tuple(items), Type::Tuple(types))
                }
            }
            syn::Expr::If(e) => return self.branch(e, span),
            syn::Expr::Block(e) if e.label.is_none() => {
                let block = self.block(&e.block.stmts);
                let ty = block_type(&block);
                (ExprKind::Block(block), ty)
            }
            syn::Expr::Macro(e) => return self.block_macro(&e.mac, span),
            syn::Expr::Assign(_) | syn::Expr::ForLoop(_) | syn::Expr::While(_) => {
                return self.unsupported(
                    expr,
                    "a statement in the place of a value",
                    "write it as a statement of its own",
                );
            }
            syn::Expr::Reference(e) => {
                let inner = e.expr.to_token_stream();
                return self.unsupported(
                    expr,
                    "references",
                    &format!("handles are copied: write `{inner}`"),
                );
            }
            syn::Expr::Return(_) => {
                return self.unsupported(
                    expr,
                    "`return`",
                    "put the rest into an `if`; the value of a helper is its last expression",
                );
            }
            syn::Expr::Try(_) => {
                return self.unsupported(
                    expr,
                    "`?`",
                    "leave it out: errors of the runtime end the run by themselves",
                );
            }
            syn::Expr::Index(e) if self.task_array(&e.expr).is_some() => {
                return self.task_at(e, span);
            }
            syn::Expr::Index(_) => {
                let help = if self.is_incore() {
                    "write `x.slice(s![..])` for a part, `x.get([..])` for one element of a tile"
                } else {
                    "write `x.slice(s![..])` for a part, `x.get([..])` for one element"
                };
                return self.unsupported(expr, "`x[..]`", help);
            }
            syn::Expr::Loop(_) => {
                return self.unsupported(expr, "`loop`", "write `while` with its condition");
            }
            syn::Expr::Match(_) => {
                return self.unsupported(expr, "`match`", "write a chain of `if`");
            }
            syn::Expr::Closure(_) => {
                let help = if self.is_incore() {
                    "write its body where it is called"
                } else {
                    "write a function marked `#[pl::jit::inline]`"
                };
                return self.unsupported(expr, "closures", help);
            }
            syn::Expr::Break(_) | syn::Expr::Continue(_) => {
                return self.unsupported(
                    expr,
                    "a jump in the place of a value",
                    "write it as a statement of its own",
                );
            }
            _ => {
                return self.unsupported(
                    expr,
                    "this expression",
                    "kernels have arithmetic, calls, views, `if` and scopes",
                );
            }
        };
        Expr { kind, ty, span }
    }

    /// Lowers an expression where only a scalar may stand: operand, dimension, bound, index.
    pub(crate) fn scalar(&mut self, expr: &syn::Expr) -> Expr {
        let value = self.operand(expr);
        self.left_to_rustc |= matches!(value.ty, Type::Tile(_));
        self.refuse_call(expr, value)
    }

    /// Lowers an operand: a scalar or a tile.
    pub(crate) fn operand(&mut self, expr: &syn::Expr) -> Expr {
        let value = self.expr(expr);
        self.left_to_rustc |= matches!(
            value.ty,
            Type::Tensor(_) | Type::TaskId | Type::TaskIds | Type::Tuple(_) | Type::Unit
        );
        if self.is_incore() {
            // A helper may give a tile.
            return value;
        }
        self.refuse_call(expr, value)
    }

    fn refuse_call(&mut self, expr: &syn::Expr, value: Expr) -> Expr {
        if let ExprKind::Call(call) = &value.kind {
            let path = &self.function.callees[call.callee.index()].path;
            self.report.node_error(
                expr,
                Code::ScalarCall,
                "a call cannot stand here: only constants, variables and operators can",
                format!(
                    "if `{path}` is a helper, name its result before, `let n = {};`; if it is plain Rust, \
                     name its result outside the kernel, in a `const`",
                    text_of(&expr.to_token_stream())
                ),
            );
            return self.never(expr);
        }
        value
    }

    /// Reports Rust that kernels do not have.
    pub(crate) fn unsupported(&mut self, node: &impl ToTokens, what: &str, help: &str) -> Expr {
        self.report.node_error(
            node,
            Code::Unsupported,
            format!("kernels do not have {what}"),
            help,
        );
        self.never(node)
    }

    fn path(&mut self, e: &syn::ExprPath, span: SpanId) -> Expr {
        if let Some(name) = e.path.get_ident()
            && e.qself.is_none()
        {
            if let Some(var) = self.lookup(name) {
                let ty = self.function.var(var).ty.clone();
                if self.is_outside(var) && matches!(ty, Type::Tuple(_)) {
                    self.report.node_error(
                        e,
                        Code::WrongContext,
                        format!("`{name}` is a tuple, and a task takes tensors and scalars"),
                        format!("take it apart before the region: `let (a, b) = {name};`"),
                    );
                    return self.never(e);
                }
                return Expr {
                    kind: ExprKind::Var(var),
                    ty,
                    span,
                };
            }
            if let Some(dim) = self.lookup_dim(name) {
                return Expr {
                    kind: ExprKind::Dim(dim),
                    ty: Type::usize(),
                    span,
                };
            }
        }
        if let Some(task) = self.task_path(e, span) {
            return task;
        }
        self.capture(e, span)
    }

    fn binary(&mut self, e: &syn::ExprBinary, span: SpanId) -> Expr {
        let Some(op) = binary_op(&e.op) else {
            return self.unsupported(
                e,
                "an assignment in the place of a value",
                "write it as a statement of its own",
            );
        };
        let (a, b) = (self.operand(&e.left), self.operand(&e.right));
        let tile = match (&a.ty, &b.ty) {
            (Type::Tile(x), Type::Tile(y)) => {
                self.infer.unify(x, y);
                Some(x.clone())
            }
            (Type::Tile(x), _) | (_, Type::Tile(x)) => Some(x.clone()),
            _ => None,
        };
        if self.refuse_mixed(e, op, &a.ty, &b.ty) {
            return self.never(e);
        }
        let ty = match tile {
            Some(_) if op.tile_operation().is_none() => {
                self.report.node_error(
                    e,
                    Code::ArgumentKind,
                    format!("`{}` does not work on tiles", op.symbol()),
                    match op.tile_function() {
                        Some(function) => format!(
                            "write `{}({}, {})`",
                            function.name(),
                            text_of(&e.left.to_token_stream()),
                            text_of(&e.right.to_token_stream())
                        ),
                        None => "tiles have `+`, `-`, `*`, `/`, comparisons such as `lt(a, b)`, and other functions"
                            .to_owned(),
                    },
                );
                return self.never(e);
            }
            Some(elem) => Type::Tile(elem),
            None if op.is_comparison() => Type::bool(),
            None if matches!(op, BinaryOp::Shl | BinaryOp::Shr) => a.ty.clone(),
            // Perhaps a tile.
            None if self.is_incore() && matches!(a.ty, Type::ResultOf(_)) => a.ty.clone(),
            None if self.is_incore() && matches!(b.ty, Type::ResultOf(_)) => b.ty.clone(),
            None => scalar_result(&a.ty, &b.ty),
        };
        Expr {
            kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
            ty,
            span,
        }
    }

    /// Reports an operator on two different types of numbers: rustc says that twice.
    pub(crate) fn refuse_mixed(
        &mut self,
        e: &syn::ExprBinary,
        op: BinaryOp,
        a: &Type,
        b: &Type,
    ) -> bool {
        let (Some(a), Some(b)) = (number(a), number(b)) else {
            return false;
        };
        if a == b || matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            return false;
        }
        let operand = text_of(&e.right.to_token_stream());
        self.report.node_error(
            e,
            Code::ArgumentKind,
            format!("`{}` does not take `{a}` and `{b}`", e.op.to_token_stream()),
            match &*e.right {
                syn::Expr::Path(_) | syn::Expr::Paren(_) => format!("write `{operand} as {a}`"),
                _ => format!("write `({operand}) as {a}`"),
            },
        );
        true
    }

    fn branch(&mut self, e: &syn::ExprIf, span: SpanId) -> Expr {
        if let syn::Expr::Let(condition) = &*e.cond {
            return self.unsupported(condition, "`if let`", "write an `if` with a condition");
        }
        let cond = self.scalar(&e.cond);
        let then = self.block(&e.then_branch.stmts);
        let otherwise = e.else_branch.as_ref().map(|(_, other)| match &**other {
            syn::Expr::Block(block) => self.block(&block.block.stmts),
            other => {
                let chained = self.expr(other);
                let mut block = crate::ir::Block::default();
                if chained.ty == Type::Unit {
                    let span = chained.span;
                    let kind = crate::ir::StmtKind::Expr(chained);
                    block.stmts.push(crate::ir::Stmt { kind, span });
                } else {
                    block.tail = Some(Box::new(chained));
                }
                block
            }
        });
        let ty = block_type(&then);
        if otherwise.is_none() {
            self.gives_nothing(&ty);
        }
        if let Some(otherwise) = &otherwise {
            let other = block_type(otherwise);
            self.left_to_rustc |= differ(&ty, &other);
            self.infer.unify_types(&ty, &other);
        }
        Expr {
            kind: ExprKind::If {
                cond: Box::new(cond),
                then,
                otherwise,
            },
            ty,
            span,
        }
    }
}

/// Type of a block's value.
pub(crate) fn block_type(block: &crate::ir::Block) -> Type {
    block
        .tail
        .as_ref()
        .map_or(Type::Unit, |tail| tail.ty.clone())
}

fn literal(lit: &syn::Lit) -> Option<Type> {
    let named = |suffix: &str, open: Scalar| {
        Type::Scalar(if suffix.is_empty() {
            open
        } else {
            Scalar::named(suffix)
        })
    };
    Some(match lit {
        syn::Lit::Int(int) => named(int.suffix(), Scalar::Integer),
        syn::Lit::Float(float) => named(float.suffix(), Scalar::Float),
        syn::Lit::Bool(_) => Type::bool(),
        _ => return None,
    })
}

/// Type of arithmetic on two scalars: the one that is not an open literal.
fn scalar_result(a: &Type, b: &Type) -> Type {
    match a {
        Type::Scalar(Scalar::Integer | Scalar::Float) => b.clone(),
        _ => a.clone(),
    }
}

/// The name of a number's type, if it is certain.
fn number(ty: &Type) -> Option<&str> {
    const NUMBERS: &[&str] = &[
        "f64", "f32", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize",
    ];
    match ty {
        Type::Scalar(Scalar::Named(name)) => NUMBERS.iter().copied().find(|known| known == name),
        _ => None,
    }
}

pub(super) fn binary_op(op: &syn::BinOp) -> Option<BinaryOp> {
    Some(match op {
        syn::BinOp::Add(_) => BinaryOp::Add,
        syn::BinOp::Sub(_) => BinaryOp::Sub,
        syn::BinOp::Mul(_) => BinaryOp::Mul,
        syn::BinOp::Div(_) => BinaryOp::Div,
        syn::BinOp::Rem(_) => BinaryOp::Rem,
        syn::BinOp::And(_) => BinaryOp::And,
        syn::BinOp::Or(_) => BinaryOp::Or,
        syn::BinOp::BitAnd(_) => BinaryOp::BitAnd,
        syn::BinOp::BitOr(_) => BinaryOp::BitOr,
        syn::BinOp::BitXor(_) => BinaryOp::BitXor,
        syn::BinOp::Shl(_) => BinaryOp::Shl,
        syn::BinOp::Shr(_) => BinaryOp::Shr,
        syn::BinOp::Eq(_) => BinaryOp::Eq,
        syn::BinOp::Ne(_) => BinaryOp::Ne,
        syn::BinOp::Lt(_) => BinaryOp::Lt,
        syn::BinOp::Le(_) => BinaryOp::Le,
        syn::BinOp::Gt(_) => BinaryOp::Gt,
        syn::BinOp::Ge(_) => BinaryOp::Ge,
        _ => return None,
    })
}

/// Tokens of an expression's generic arguments, for operations that take an element type.
pub(crate) fn turbofish(path: &syn::Path) -> Option<&syn::Type> {
    match &path.segments.last()?.arguments {
        syn::PathArguments::AngleBracketed(args) => match args.args.first()? {
            syn::GenericArgument::Type(ty) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}
