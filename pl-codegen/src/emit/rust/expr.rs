//! Expressions as Rust.

use super::call::gives_pair;
use super::checked::{CHECKED_METHODS, is_literal, unchecked};
use super::{Emitter, RANGE, Sink};
use crate::ir::{BinaryOp, Expr, ExprKind, SliceItem, Type, UnaryOp};
use crate::ops::{ArgKind, Op};

/// Binding strength of a prefix operator and of `as`.
const PREFIX: u8 = 14;
pub(super) const CAST: u8 = 13;
/// Binding strength of calls, names and literals.
pub(super) const ATOM: u8 = 15;

impl<S: Sink> Emitter<'_, S> {
    /// An expression.
    pub(crate) fn expr(&mut self, expr: &Expr) {
        self.out.at(expr.span);
        match &expr.kind {
            ExprKind::Literal(text) => self.out.literal(text),
            ExprKind::Var(var) => self.out.var(*var),
            ExprKind::Dim(index) => self.out.local("dim", *index),
            ExprKind::Capture(capture) => self.out.capture(*capture),
            ExprKind::Unary(UnaryOp::Neg, operand) if is_tile(operand) => {
                self.tile_call(Op::Neg, expr, &[operand]);
            }
            ExprKind::Unary(UnaryOp::Neg, operand) if self.may_be_tile(operand) => {
                self.either(Op::Neg, expr, &[operand]);
            }
            ExprKind::Unary(UnaryOp::Neg, operand)
                if Self::checks(&operand.ty) && !is_literal(operand) =>
            {
                self.checked("neg", expr, &[operand]);
            }
            ExprKind::Unary(op, operand) => {
                self.out.put(match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "!",
                });
                self.operand(operand, PREFIX);
            }
            ExprKind::Binary(op, a, b) => match op.tile_operation() {
                Some(tiles) if is_tile(a) || is_tile(b) => self.tile_call(tiles, expr, &[a, b]),
                Some(tiles) if self.may_be_tile(a) || self.may_be_tile(b) => {
                    self.either(tiles, expr, &[a, b]);
                }
                _ if S::CHECKS && matches!(op, BinaryOp::And | BinaryOp::Or) => {
                    self.truth(a);
                    self.out.at(expr.span);
                    self.out.put(op.symbol());
                    self.truth(b);
                }
                _ => match op.checked() {
                    Some(name) if Self::checks(&expr.ty) => self.checked(name, expr, &[a, b]),
                    _ if S::CHECKS => {
                        self.on(&[a, b]);
                        self.out.at(expr.span);
                        self.out.put(&format!(".{}()", unchecked(*op)));
                    }
                    _ => {
                        let strength = strength(*op);
                        // Comparisons do not chain.
                        let chains =
                            !op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or);
                        self.operand(a, strength + u8::from(!chains));
                        self.out.at(expr.span);
                        self.out.put(" ");
                        self.out.put(op.symbol());
                        self.out.put(" ");
                        self.operand(b, strength + 1);
                    }
                },
            },
            ExprKind::Cast(value, ty) => {
                self.operand(value, CAST);
                self.out.put(" as ");
                self.out.scalar_type(ty);
            }
            ExprKind::Method {
                name,
                receiver,
                args,
            } if CHECKED_METHODS.contains(&name.as_str()) && Self::checks(&receiver.ty) => {
                let operands: Vec<&Expr> = std::iter::once(&**receiver).chain(args).collect();
                self.checked(name, expr, &operands);
            }
            ExprKind::Method {
                name,
                receiver,
                args,
            } if S::CHECKS && args.len() == 1 => {
                self.out.put("match ");
                self.on(&[receiver, &args[0]]);
                self.out.at(expr.span);
                self.out.put(".both() { (");
                self.out.local("value", 0);
                self.out.put(", ");
                self.out.local("value", 1);
                self.out.put(") => ");
                self.out.local("value", 0);
                self.out.put(&format!(".{name}("));
                self.out.local("value", 1);
                self.out.put(")");
                self.out.line();
                self.out.close();
            }
            ExprKind::Method {
                name,
                receiver,
                args,
            } => {
                self.operand(receiver, ATOM);
                self.out.at(expr.span);
                self.out.put(".");
                self.out.put(name);
                self.out.put("(");
                self.items(args);
                self.out.put(")");
            }
            ExprKind::Operation { op, args } => self.operation(*op, expr, args),
            ExprKind::List(items) => self.lengths(items),
            ExprKind::Call(call) => {
                self.call(call, expr);
                if call.launch.is_some() && !gives_pair(expr) {
                    let linked = !call.directions.is_empty();
                    self.out.put(if linked { ".task_id()" } else { ".1" });
                }
            }
            ExprKind::Create(create) => {
                // Only tiles are left here: the tensors of orchestration code came from a batch.
                self.out.runtime("tile::full");
                self.open_call(expr);
                self.out.elem(&create.elem);
                self.out.put(", &");
                self.lengths(&create.dims);
                self.out.put(", ");
                match &create.init {
                    Some(init) => self.expr(init),
                    None => self.out.put("0"),
                }
                self.out.put(")?");
            }
            ExprKind::Slice { base, items } => {
                self.view("slice", base, expr);
                self.out.put("&[");
                for (position, item) in items.iter().enumerate() {
                    self.separate(position);
                    self.slice_item(item);
                }
                self.out.put("]");
                self.close_view(expr);
            }
            ExprKind::Reshape { base, dims } => {
                self.view("reshape", base, expr);
                self.out.put("&");
                self.lengths(dims);
                self.close_view(expr);
            }
            ExprKind::Transpose { base, axes } => {
                self.view("transpose", base, expr);
                self.length(&axes.0);
                self.out.put(", ");
                self.length(&axes.1);
                self.close_view(expr);
            }
            ExprKind::DimOf { base, axis } => {
                self.view("dim", base, expr);
                self.length(axis);
                self.close_view(expr);
            }
            ExprKind::Partition { base, axis } => self.partition(base, axis, expr),
            ExprKind::OfBlock(fact) => self.of_block(*fact),
            ExprKind::Task(task) => self.task(task, expr),
            ExprKind::Get { base, indices } => self.element("get", base, indices, None, expr),
            ExprKind::Set {
                base,
                indices,
                value,
            } => {
                self.element("set", base, indices, Some(value), expr);
            }
            ExprKind::Tuple(items) => {
                self.out.put("(");
                self.items(items);
                self.out.put(if items.len() == 1 { ",)" } else { ")" });
            }
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.out.put("if ");
                self.truth(cond);
                self.out.put(" ");
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.out.put(" else ");
                    self.block(otherwise);
                }
            }
            ExprKind::Scope { .. } | ExprKind::ScratchScope(_) => {
                let tail = Some(Box::new(expr.clone()));
                self.block(&crate::ir::Block {
                    stmts: Vec::new(),
                    tail,
                });
            }
            ExprKind::At(at) => self.region(at, expr.span),
            ExprKind::Block(block) => self.block(block),
            ExprKind::Product(product) => self.product(product, expr),
            ExprKind::AllocRef { batch, index } => {
                self.out.local("alloc", batch.0);
                self.out.put(".get_ref(");
                self.out.put(&index.to_string());
                self.out.put(")");
            }
        }
    }

    /// An operand, in parentheses where it binds weaker than `strength`.
    pub(crate) fn operand(&mut self, expr: &Expr, strength: u8) {
        let own = match &expr.kind {
            ExprKind::Binary(op, a, b) if !is_tile(a) && !is_tile(b) => self::strength(*op),
            ExprKind::Unary(_, operand) if !is_tile(operand) => PREFIX,
            // `x as T < y` would open generics.
            ExprKind::Cast(..) => RANGE,
            // `0..{ n } { .. }` would end the range.
            ExprKind::If { .. }
            | ExprKind::Block(_)
            | ExprKind::Scope { .. }
            | ExprKind::ScratchScope(_) => 0,
            ExprKind::Method { .. } if S::CHECKS => 0,
            _ => ATOM,
        };
        if own < strength {
            self.out.put("(");
            self.expr(expr);
            self.out.put(")");
        } else {
            self.expr(expr);
        }
    }

    fn items(&mut self, items: &[Expr]) {
        for (position, item) in items.iter().enumerate() {
            self.separate(position);
            self.expr(item);
        }
    }

    /// `(&scratch1, site, ` of an operation on tiles.
    fn open_call(&mut self, expr: &Expr) {
        self.out.put("(");
        self.scope_ref();
        self.out.put(", ");
        self.out.site(expr.span);
        self.out.put(", ");
    }

    fn tile_call(&mut self, op: Op, expr: &Expr, args: &[&Expr]) {
        self.out.runtime(&format!("tile::{}", op.name()));
        self.open_call(expr);
        for (position, arg) in args.iter().enumerate() {
            self.separate(position);
            self.expr(arg);
        }
        self.out.at(expr.span);
        self.out.put(")?");
    }

    fn operation(&mut self, op: Op, expr: &Expr, args: &[Expr]) {
        let name = if op == Op::Store && self.is_output(args.first()) {
            "give"
        } else {
            op.name()
        };
        self.out.runtime(&format!("tile::{name}"));
        self.open_call(expr);
        let mut position = 0;
        if op.opens_element()
            && let Type::Tile(elem) = &expr.ty
        {
            self.out.elem(elem);
            position = 1;
        }
        for (arg, (_, kind)) in args.iter().zip(op.args()) {
            self.separate(position);
            position += 1;
            if *kind == ArgKind::dims {
                self.out.put("&");
            }
            match kind {
                _ if !S::CHECKS || !arg.ty.may_be_result() => self.expr(arg),
                ArgKind::operand | ArgKind::scalar | ArgKind::dims => self.expr(arg),
                kind if kind.takes_tensor() => self.handle(arg, "Tensor"),
                _ => self.handle(arg, "tile::Tile"),
            }
        }
        self.out.at(expr.span);
        self.out.put(")?");
    }

    /// Whether it is a tensor that the function returns.
    fn is_output(&self, expr: Option<&Expr>) -> bool {
        let outputs = &self.function.outputs;
        matches!(expr, Some(Expr { kind: ExprKind::Var(var), .. })
            if outputs.iter().any(|output| output.var == *var))
    }

    /// Whether it is what a helper of in-core code gave: a tile or a scalar.
    fn may_be_tile(&self, expr: &Expr) -> bool {
        S::CHECKS && self.incore && expr.ty.may_be_result()
    }

    /// An operator on what may be tiles or scalars.
    fn either(&mut self, op: Op, expr: &Expr, operands: &[&Expr]) {
        self.on(operands);
        self.out.at(expr.span);
        self.out.put(&format!(".either_{}", op.name()));
        self.out.put("(");
        self.scope_ref();
        self.out.put(", ");
        self.out.site(expr.span);
        self.out.put(")?");
    }

    /// `base.name(`
    pub(super) fn view(&mut self, name: &str, base: &Expr, expr: &Expr) {
        self.operand(base, ATOM);
        self.out.at(expr.span);
        self.out.put(&format!(".{name}("));
    }

    /// `, site)?`
    pub(super) fn close_view(&mut self, expr: &Expr) {
        self.out.put(", ");
        self.out.site(expr.span);
        self.out.put(")?");
    }

    fn slice_item(&mut self, item: &SliceItem) {
        match item {
            SliceItem::Range(None, None) => self.out.runtime("SliceItem::Full"),
            SliceItem::Range(Some(start), None) => {
                self.out.runtime("SliceItem::From");
                self.out.put("(");
                self.length(start);
                self.out.put(")");
            }
            SliceItem::Range(start, Some(end)) => {
                self.out.runtime("SliceItem::Range");
                self.out.put("(");
                match start {
                    Some(start) => self.length(start),
                    None => self.out.put("0"),
                }
                self.out.put(", ");
                self.length(end);
                self.out.put(")");
            }
            SliceItem::Index(index) => {
                self.out.runtime("SliceItem::Index");
                self.out.put("(");
                self.length(index);
                self.out.put(")");
            }
        }
    }
}

pub(super) fn is_tile(expr: &Expr) -> bool {
    matches!(expr.ty, Type::Tile(_))
}

/// Binding strength of Rust's operators, weakest first.
const fn strength(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => 2,
        BinaryOp::And => 3,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            4
        }
        BinaryOp::BitOr => 5,
        BinaryOp::BitXor => 6,
        BinaryOp::BitAnd => 7,
        BinaryOp::Shl | BinaryOp::Shr => 8,
        BinaryOp::Add | BinaryOp::Sub => 9,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 10,
    }
}
