//! Statements and blocks.

use super::expr::block_type;
use super::lower::Lower;
use crate::diag::Code;
use crate::ir::{BinaryOp, Block, Expr, ExprKind, LoopKind, Pattern, Scalar, Stmt, StmtKind, Type};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Pat;

impl Lower<'_> {
    /// Lowers the contents of a block; names declared inside end with it.
    pub(crate) fn block(&mut self, stmts: &[syn::Stmt]) -> Block {
        self.in_block(|this| {
            let mut block = Block::default();
            for (position, stmt) in stmts.iter().enumerate() {
                let is_last = position + 1 == stmts.len();
                this.stmt(stmt, is_last, &mut block);
            }
            block
        })
    }

    fn stmt(&mut self, stmt: &syn::Stmt, is_last: bool, block: &mut Block) {
        match stmt {
            syn::Stmt::Local(local) => {
                let kind = self.local(local);
                let span = self.report.node(local);
                block.stmts.push(Stmt { kind, span });
            }
            syn::Stmt::Item(item) => self.report.node_error(
                item,
                Code::Unsupported,
                "an item inside a kernel cannot be seen by the code generated from it",
                "move it above the kernel",
            ),
            // A semicolon alone.
            syn::Stmt::Expr(syn::Expr::Verbatim(nothing), _) if nothing.is_empty() => {}
            syn::Stmt::Expr(expr, semicolon) => {
                self.expr_stmt(expr, semicolon.is_some(), is_last, block);
            }
            syn::Stmt::Macro(mac) => {
                let expr = syn::Expr::Macro(syn::ExprMacro {
                    attrs: Vec::new(),
                    mac: mac.mac.clone(),
                });
                self.expr_stmt(&expr, mac.semi_token.is_some(), is_last, block);
            }
        }
    }

    fn expr_stmt(
        &mut self,
        expr: &syn::Expr,
        has_semicolon: bool,
        is_last: bool,
        block: &mut Block,
    ) {
        let is_tail = is_last && !has_semicolon;
        if let Some(kind) = self.control(expr) {
            let span = self.report.node(expr);
            block.stmts.push(Stmt { kind, span });
            return;
        }
        let value = self.expr(expr);
        let span = value.span;
        if !is_tail && !has_semicolon {
            self.gives_nothing(&value.ty);
        }
        if is_tail && value.ty != Type::Unit {
            block.tail = Some(Box::new(value));
        } else {
            block.stmts.push(Stmt {
                kind: StmtKind::Expr(value),
                span,
            });
        }
    }

    /// Loops, jumps and assignments: statements that give no value.
    fn control(&mut self, expr: &syn::Expr) -> Option<StmtKind> {
        Some(match expr {
            syn::Expr::ForLoop(e) => self.for_loop(e),
            syn::Expr::While(e) => {
                self.refuse_label(e.label.as_ref());
                let cond = self.scalar(&e.cond);
                StmtKind::While {
                    cond,
                    body: self.loop_body(LoopKind::Sequential, &e.body),
                }
            }
            syn::Expr::Break(e) => {
                // The label was refused at its loop; if there is none, rustc says so.
                self.left_to_rustc |= e.label.is_some();
                if let (None, Some(value)) = (&e.label, &e.expr) {
                    self.refuse_jump(value);
                }
                self.check_jump(e, true);
                StmtKind::Break
            }
            syn::Expr::Continue(e) => {
                self.left_to_rustc |= e.label.is_some();
                self.check_jump(e, false);
                StmtKind::Continue
            }
            syn::Expr::Assign(e) => {
                let mut value = self.expr(&e.right);
                if let syn::Expr::Tuple(_) = &*e.left {
                    Self::give_pair(&mut value);
                }
                if let syn::Expr::Index(left) = &*e.left
                    && let Some(ids) = self.task_array(&left.expr)
                {
                    return Some(self.set_task(left, ids, value));
                }
                self.assignment(&e.left, None, value)
            }
            syn::Expr::Binary(e) => {
                let op = compound(&e.op)?;
                let value = self.operand(&e.right);
                // Tiles have operators, none that assigns.
                self.left_to_rustc |= !may_be_scalar(&value.ty);
                let target = match &*e.left {
                    syn::Expr::Path(path) => {
                        path.path.get_ident().and_then(|name| self.lookup(name))
                    }
                    _ => None,
                };
                if let Some(var) = target {
                    let ty = self.function.var(var).ty.clone();
                    if self.refuse_mixed(e, op, &ty, &value.ty) {
                        return Some(StmtKind::Expr(self.never(e)));
                    }
                }
                self.assignment(&e.left, Some(op), value)
            }
            _ => return None,
        })
    }

    pub(super) fn loop_body(&mut self, kind: LoopKind, body: &syn::Block) -> Block {
        self.loops.push(kind);
        let block = self.block(&body.stmts);
        self.loops.pop();
        self.gives_nothing(&block_type(&block));
        block
    }

    /// A value where there can be none, for want of a semicolon say, is left to rustc.
    pub(crate) fn gives_nothing(&mut self, ty: &Type) {
        self.left_to_rustc |= !matches!(ty, Type::Unit | Type::Never | Type::ResultOf(_));
    }

    /// A jump out of an iteration, which not every kind of loop has.
    fn check_jump(&mut self, node: &impl ToTokens, leaves_loop: bool) {
        let Some(kind) = self.loops.last() else {
            if self.region.is_some() {
                self.report.node_error(
                    node,
                    Code::Unsupported,
                    "a jump cannot leave an `at!` region, which runs later, on a core",
                    "put the rest of the region into an `if`",
                );
            } else {
                self.left_to_rustc = true;
            }
            return;
        };
        let refused = match kind {
            LoopKind::Parallel if leaves_loop => Some("parallel"),
            LoopKind::Unrolled => Some("unrolled"),
            LoopKind::Sequential | LoopKind::Parallel => None,
        };
        if let Some(kind) = refused {
            self.report.node_error(
                node,
                Code::Unsupported,
                format!("a jump cannot leave an iteration of a loop that is {kind}"),
                "put the rest of the iteration into an `if`, or write a plain range",
            );
        }
    }

    fn assignment(&mut self, left: &syn::Expr, op: Option<BinaryOp>, value: Expr) -> StmtKind {
        match self.place_pattern(left, &value.ty) {
            Some(Pattern::Var(var))
                if op.is_some() && !may_be_scalar(&self.function.var(var).ty) =>
            {
                self.left_to_rustc = true;
                StmtKind::Expr(value)
            }
            Some(target) => StmtKind::Assign { target, op, value },
            None => StmtKind::Expr(self.never(left)),
        }
    }

    fn local(&mut self, local: &syn::Local) -> StmtKind {
        let (pat, annotation) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        let init = local.init.as_ref().map(|init| {
            if let Some((token, _)) = &init.diverge {
                self.report.node_error(
                    token,
                    Code::Unsupported,
                    "kernels do not have `let .. else`",
                    "write an `if` instead",
                );
            }
            let mut value = self.expr(&init.expr);
            if let Pat::Tuple(_) = pat {
                Self::give_pair(&mut value);
            }
            value
        });
        let written = annotation.and_then(|ty| self.annotation(ty));
        if let (Some(written), Some(init)) = (&written, &init) {
            self.left_to_rustc |= differ(written, &init.ty);
            self.infer.unify_types(written, &init.ty);
        }
        let ty = match (&written, &init) {
            (Some(Type::Scalar(_)), _) | (_, None) => written.clone(),
            (Some(Type::Tile(_)), Some(init)) if init.ty.may_be_result() => written.clone(),
            (_, Some(init)) => Some(init.ty.clone()),
        };
        let before = self.report.count();
        let pattern = self.bind(pat, ty.unwrap_or(Type::Never));
        if let (true, Some(init)) = (self.report.count() > before, &init) {
            // Its names are then of no known type.
            self.report.refuse(init.span, before..self.report.count());
        }
        StmtKind::Let {
            pattern,
            ty: written,
            init,
        }
    }

    fn annotation(&mut self, ty: &syn::Type) -> Option<Type> {
        let syn::Type::Path(path) = ty else {
            if !matches!(ty, syn::Type::Infer(_)) {
                self.report.node_error(
                    ty,
                    Code::Unsupported,
                    "kernels do not have values of this type",
                    "leave the type out",
                );
            }
            return None;
        };
        let segment = path.path.segments.last()?;
        let first_argument = match &segment.arguments {
            syn::PathArguments::AngleBracketed(args) => args.args.first(),
            _ => None,
        };
        match (segment.ident.to_string().as_str(), first_argument) {
            ("TaskId", None) => Some(Type::TaskId),
            ("TaskIds", Some(_)) => Some(Type::TaskIds),
            ("Tile", Some(syn::GenericArgument::Type(elem))) => Some(Type::Tile(self.elem(elem))),
            ("Tensor", elem) => {
                self.report.untyped(ty);
                self.report.node_error(
                    ty,
                    Code::Unsupported,
                    "the type of a tensor is not written inside a kernel",
                    "leave it out: it is known from the value, `create_tensor::<f32>([..])`",
                );
                match elem {
                    Some(syn::GenericArgument::Type(elem)) => Some(Type::Tensor(self.elem(elem))),
                    _ => None,
                }
            }
            _ => {
                let text = super::lower::text_of(&ty.to_token_stream());
                self.scalar_types.insert(text.clone(), ty.to_token_stream());
                Some(Type::Scalar(Scalar::Named(text)))
            }
        }
    }

    pub(super) fn bind(&mut self, pat: &Pat, ty: Type) -> Pattern {
        match pat {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                if self.lookup_dim(&name.ident).is_some() {
                    self.refuse_dim(&name.ident, "a variable");
                }
                Pattern::Var(self.declare(&name.ident, name.mutability.is_some(), ty))
            }
            Pat::Wild(_) => Pattern::Wildcard,
            Pat::Tuple(tuple) => {
                self.left_to_rustc |= match &ty {
                    Type::Tuple(types) => types.len() != tuple.elems.len(),
                    Type::Scalar(_)
                    | Type::Captured(_)
                    | Type::Tile(_)
                    | Type::Tensor(_)
                    | Type::TaskId
                    | Type::TaskIds => true,
                    Type::Unit => !tuple.elems.is_empty(),
                    Type::Never | Type::ResultOf(_) => false,
                };
                let types = match ty {
                    Type::Tuple(types) => types,
                    other => vec![other; tuple.elems.len()],
                };
                let mut types = types.into_iter();
                Pattern::Tuple(
                    tuple
                        .elems
                        .iter()
                        .map(|pat| {
                            let ty = types.next().unwrap_or(Type::Never);
                            self.bind(pat, ty)
                        })
                        .collect(),
                )
            }
            Pat::Paren(inner) => self.bind(&inner.pat, ty),
            other => {
                self.report.node_error(
                    other,
                    Code::Unsupported,
                    "kernels do not have this pattern",
                    "bind one name, `_`, or a tuple of names",
                );
                Pattern::Wildcard
            }
        }
    }

    /// The left side of an assignment: a variable or a tuple of variables.
    fn place_pattern(&mut self, expr: &syn::Expr, ty: &Type) -> Option<Pattern> {
        match expr {
            syn::Expr::Path(path) => {
                let name = path
                    .path
                    .segments
                    .last()
                    .map(|segment| segment.ident.clone())?;
                if let Some(var) = self.lookup(&name) {
                    if self.is_outside(var) {
                        let place = self.report.node(expr);
                        self.refuse_outside(place, var);
                        return None;
                    }
                    let old = self.function.var(var).ty.clone();
                    self.left_to_rustc |= differ(&old, ty);
                    self.infer.unify_types(&old, ty);
                    if old == Type::Never {
                        self.function.vars[var.index()].ty = ty.clone();
                    }
                    return Some(Pattern::Var(var));
                }
                if self.lookup_dim(&name).is_some() {
                    self.refuse_dim(&name, "assigned");
                    return None;
                }
                self.report.node_error(
                    expr,
                    Code::Unsupported,
                    format!("`{name}` is not a variable of this kernel and cannot be assigned"),
                    format!("declare it with `let mut {name} = ..`"),
                );
                None
            }
            syn::Expr::Infer(_) => Some(Pattern::Wildcard),
            syn::Expr::Tuple(tuple) => {
                let types = match ty {
                    Type::Tuple(types) => types.clone(),
                    other => vec![other.clone(); tuple.elems.len()],
                };
                let items: Vec<Pattern> = tuple
                    .elems
                    .iter()
                    .zip(types)
                    .filter_map(|(item, ty)| self.place_pattern(item, &ty))
                    .collect();
                (items.len() == tuple.elems.len()).then_some(Pattern::Tuple(items))
            }
            other => {
                self.report.node_error(
                    other,
                    Code::Unsupported,
                    "only variables can be assigned",
                    if self.is_incore() {
                        "write tiles with `copy_to(x, v)`, their elements with `x.set([i], v)`, tensors with `store(x, v)`"
                    } else {
                        "write elements with `x.set([i], v)`, tensors by passing them to an `Out` parameter of a kernel"
                    },
                );
                None
            }
        }
    }

    /// What stands for something that was reported.
    pub(crate) fn never(&mut self, node: &impl ToTokens) -> Expr {
        let span = self.report.node(node);
        self.report.refuse(span, 0..0);
        self.unread |= holds_block(node.to_token_stream());
        Expr {
            kind: ExprKind::Tuple(Vec::new()),
            ty: Type::Never,
            span,
        }
    }

    pub(super) fn refuse_label(&mut self, label: Option<&syn::Label>) {
        if let Some(label) = label {
            self.refuse_jump(label);
        }
    }

    fn refuse_jump(&mut self, node: &impl ToTokens) {
        self.report.node_error(
            node,
            Code::Unsupported,
            "kernels have no labels, and `break` carries no value",
            "keep a `let mut done = false;` and test it in the loop's condition",
        );
    }
}

fn may_be_scalar(ty: &Type) -> bool {
    ty.is_scalar() || matches!(ty, Type::Never | Type::ResultOf(_))
}

/// Whether two types are certainly not one: values of different sorts.
pub(super) fn differ(a: &Type, b: &Type) -> bool {
    let certain = |ty: &Type| {
        matches!(
            ty,
            Type::Tile(_) | Type::Tensor(_) | Type::TaskId | Type::TaskIds | Type::Unit
        )
    };
    let scalar = |ty: &Type| ty.is_scalar();
    match (certain(a), certain(b)) {
        (true, true) => std::mem::discriminant(a) != std::mem::discriminant(b),
        (true, false) => scalar(b),
        (false, true) => scalar(a),
        (false, false) => false,
    }
}

fn compound(op: &syn::BinOp) -> Option<BinaryOp> {
    Some(match op {
        syn::BinOp::AddAssign(_) => BinaryOp::Add,
        syn::BinOp::SubAssign(_) => BinaryOp::Sub,
        syn::BinOp::MulAssign(_) => BinaryOp::Mul,
        syn::BinOp::DivAssign(_) => BinaryOp::Div,
        syn::BinOp::RemAssign(_) => BinaryOp::Rem,
        syn::BinOp::BitXorAssign(_) => BinaryOp::BitXor,
        syn::BinOp::BitAndAssign(_) => BinaryOp::BitAnd,
        syn::BinOp::BitOrAssign(_) => BinaryOp::BitOr,
        syn::BinOp::ShlAssign(_) => BinaryOp::Shl,
        syn::BinOp::ShrAssign(_) => BinaryOp::Shr,
        _ => return None,
    })
}

/// Whether there is a `{ .. }` among the tokens.
fn holds_block(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => {
            group.delimiter() == Delimiter::Brace || holds_block(group.stream())
        }
        _ => false,
    })
}
