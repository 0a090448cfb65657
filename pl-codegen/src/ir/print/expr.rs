//! Text of expressions.

use super::Printer;
use crate::ir::{AtArg, Call, Create, Expr, ExprKind, SliceItem, UnaryOp};

impl<'a> Printer<'a> {
    /// An expression beside an operator or a dot.
    pub(super) fn operand(&mut self, expr: &'a Expr) {
        let composed = matches!(
            expr.kind,
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cast(..)
        );
        self.put(if composed { "(" } else { "" });
        self.expr(expr);
        self.put(if composed { ")" } else { "" });
    }

    pub(super) fn method(
        &mut self,
        base: &'a Expr,
        name: &str,
        open: &str,
        args: &'a [Expr],
        close: &str,
    ) {
        self.operand(base);
        self.put(".");
        self.put(name);
        self.list(open, args, close, Self::expr);
    }

    pub(super) fn expr(&mut self, expr: &'a Expr) {
        let function = self.function;
        match &expr.kind {
            ExprKind::Literal(text) => self.put(text),
            ExprKind::Var(var) => self.var(*var),
            ExprKind::Dim(index) => self.dim(*index),
            ExprKind::Capture(id) => {
                self.put(
                    function
                        .captures
                        .get(id.index())
                        .map_or("?", String::as_str),
                );
            }
            ExprKind::Unary(op, x) => {
                self.put(match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "!",
                });
                self.operand(x);
            }
            ExprKind::Binary(op, a, b) => {
                self.operand(a);
                self.put(&format!(" {} ", op.symbol()));
                self.operand(b);
            }
            ExprKind::Cast(x, ty) => {
                self.operand(x);
                self.put(&format!(" as {ty}"));
            }
            ExprKind::Method {
                name,
                receiver,
                args,
            } => self.method(receiver, name, "(", args, ")"),
            ExprKind::Operation { op, args } => {
                self.put(op.name());
                self.list("(", args, ")", Self::expr);
            }
            ExprKind::List(items) => self.list("[", items, "]", Self::expr),
            ExprKind::Tuple(items) => self.list("(", items, ")", Self::expr),
            ExprKind::Call(call) => self.call(call),
            ExprKind::Create(create) => self.create(create),
            ExprKind::Slice { base, items } => {
                self.operand(base);
                self.list(".slice(s![", items, "])", Self::slice_item);
            }
            ExprKind::Reshape { base, dims } => self.method(base, "reshape", "([", dims, "])"),
            ExprKind::Transpose { base, axes } => {
                self.method(base, "transpose", "(", std::slice::from_ref(&axes.0), ", ");
                self.expr(&axes.1);
                self.put(")");
            }
            ExprKind::DimOf { base, axis } => {
                self.method(base, "dim", "(", std::slice::from_ref(&**axis), ")");
            }
            ExprKind::Partition { base, axis } => {
                self.method(base, "partition", "(", std::slice::from_ref(&**axis), ")");
            }
            ExprKind::OfBlock(fact) => self.put(&format!("{}()", fact.name())),
            ExprKind::Task(task) => self.task(task),
            ExprKind::Get { base, indices } => self.method(base, "get", "([", indices, "])"),
            ExprKind::Set {
                base,
                indices,
                value,
            } => {
                self.method(base, "set", "([", indices, "], ");
                self.expr(value);
                self.put(")");
            }
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.put("if ");
                self.expr(cond);
                self.put(" ");
                self.block(then);
                if let Some(block) = otherwise {
                    self.put(" else ");
                    self.block(block);
                }
            }
            ExprKind::Scope {
                mode,
                implicit,
                body,
            } => {
                self.put(&format!(
                    "scope {mode}{} ",
                    if *implicit { " implicit" } else { "" }
                ));
                self.block(body);
            }
            ExprKind::ScratchScope(body) => {
                self.put("scratch_scope ");
                self.block(body);
            }
            ExprKind::At(at) => {
                self.put(&format!("at {:?}", at.name));
                self.list("(", &at.args, ")", Self::at_arg);
                if let Some(launch) = &at.launch {
                    self.launch(launch);
                }
                self.put(" ");
                self.block(&at.body);
            }
            ExprKind::Block(body) => self.block(body),
            ExprKind::Product(product) => self.product(product),
            ExprKind::AllocRef { batch, index } => {
                self.put(&format!("alloc {}.get_ref({index})", batch.0));
            }
        }
    }

    fn call(&mut self, call: &'a Call) {
        let function = self.function;
        self.put(if call.directions.is_empty() && call.launch.is_none() {
            "call "
        } else {
            "submit "
        });
        let path = function
            .callees
            .get(call.callee.index())
            .map_or("?", |callee| &callee.path);
        self.put(path);
        self.put("(");
        for (i, arg) in call.args.iter().enumerate() {
            self.put(if i > 0 { ", " } else { "" });
            if let Some(Some(access)) = call.directions.get(i) {
                self.put(&format!("{access} "));
            }
            self.expr(arg);
        }
        self.put(")");
        if !call.outputs.is_empty() {
            self.list(" -> (", &call.outputs, ")", Self::create);
        }
        if let Some(launch) = &call.launch {
            self.launch(launch);
        }
    }

    fn at_arg(&mut self, arg: &'a AtArg) {
        let function = self.function;
        match arg {
            AtArg::Tensor {
                var,
                access,
                passed,
            } => {
                self.put(&format!("{access} "));
                self.var(*var);
                for (callee, index) in passed {
                    let path = &function.callees[callee.index()].path;
                    self.put(&format!(" as parameter {index} of {path}"));
                }
            }
            AtArg::Scalar(var) => self.var(*var),
            AtArg::Dim(index) => self.dim(*index),
        }
    }

    pub(super) fn create(&mut self, create: &'a Create) {
        self.put(&format!("create {} ", create.elem));
        self.list("[", &create.dims, "]", Self::expr);
        if let Some(init) = &create.init {
            self.put(" init ");
            self.operand(init);
        }
        self.put(if create.manual_dep { " manual_dep" } else { "" });
    }

    fn slice_item(&mut self, item: &'a SliceItem) {
        match item {
            SliceItem::Range(start, end) => {
                if let Some(start) = start {
                    self.expr(start);
                }
                self.put("..");
                if let Some(end) = end {
                    self.expr(end);
                }
            }
            SliceItem::Index(index) => self.expr(index),
        }
    }
}
