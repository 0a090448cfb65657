//! Readable text of a function: one statement a line, names as the user wrote them.
//!
//! A variable that shadows a visible one of the same name gets a number (`m#2`), so the text is
//! unambiguous without ids. Types stand at parameters and `let`s only.

mod expr;
mod fused;
mod task;
#[cfg(test)]
mod tests;

use super::{
    Adaptor, BinaryOp, Block, Dim, Elem, Expr, Function, Kind, Output, Param, Pattern, Range,
    Scalar, Stmt, StmtKind, Type, VarId,
};
use std::collections::HashMap;
use std::fmt;

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer {
            function: self,
            out: String::new(),
            indent: 0,
            names: vec![None; self.vars.len()],
            visible: HashMap::new(),
            declared: Vec::new(),
        };
        printer.function();
        f.write_str(&printer.out)
    }
}

struct Printer<'a> {
    function: &'a Function,
    out: String,
    indent: usize,
    /// Printed name of each variable, once it is declared.
    names: Vec<Option<String>>,
    /// How many visible variables have this name.
    visible: HashMap<&'a str, usize>,
    /// Visible variables, oldest first.
    declared: Vec<VarId>,
}

impl<'a> Printer<'a> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn list<T>(
        &mut self,
        open: &str,
        items: &'a [T],
        close: &str,
        mut each: impl FnMut(&mut Self, &'a T),
    ) {
        self.put(open);
        for (i, item) in items.iter().enumerate() {
            self.put(if i > 0 { ", " } else { "" });
            each(self, item);
        }
        self.put(close);
    }

    fn function(&mut self) {
        let function = self.function;
        self.put(match function.kind {
            Kind::Entry => "entry ",
            Kind::Inline => "inline ",
            Kind::IncoreInline => "incore inline ",
            Kind::Incore => "incore ",
            Kind::Host => "host ",
            Kind::Opaque => "opaque ",
        });
        self.put(&function.name);
        if !function.generics.is_empty() {
            self.list("<", &function.generics, ">", |this, generic| {
                this.put(if generic.is_const { "const " } else { "" });
                this.put(&generic.name);
            });
        }
        self.list("(", &function.params, ")", Self::param);
        match (&function.outputs[..], &function.returns[..]) {
            ([], []) => {}
            ([], [one]) => {
                self.put(" -> ");
                self.ty(one);
            }
            ([], many) => self.list(" -> (", many, ")", Self::ty),
            ([one], _) => {
                self.put(" -> ");
                self.output(one);
            }
            (many, _) => self.list(" -> (", many, ")", Self::output),
        }
        if !function.dims.is_empty() {
            self.list(" dims(", &function.dims, ")", |this, name| this.put(name));
        }
        if function.kind.takes_auto_scope() {
            self.put(if function.auto_scope {
                " auto_scope = true"
            } else {
                " auto_scope = false"
            });
        }
        self.put(" ");
        self.block(&function.body);
        self.put("\n");
    }

    fn param(&mut self, param: &'a Param) {
        self.declare(param.var);
        self.var(param.var);
        self.put(": ");
        let Type::Tensor(elem) = &param.ty else {
            return self.ty(&param.ty);
        };
        self.put(&format!("{} ", param.access));
        self.tensor(elem, &param.dims);
    }

    fn output(&mut self, output: &'a Output) {
        self.declare(output.var);
        self.var(output.var);
        self.put(": ");
        self.tensor(&output.elem, &output.dims);
    }

    fn tensor(&mut self, elem: &Elem, dims: &'a [Dim]) {
        self.put(&format!("Tensor<{elem}, "));
        self.list("[", dims, "]>", |this, dim| match dim {
            Dim::Any => this.put("_"),
            Dim::Named(index) => this.dim(*index),
            Dim::Const(value) => this.expr(value),
        });
    }

    fn declare(&mut self, var: VarId) {
        let Some(slot) = self.names.get_mut(var.index()) else {
            return;
        };
        let name = self.function.vars[var.index()].name.as_str();
        let count = self.visible.entry(name).or_default();
        *count += 1;
        *slot = Some(if *count == 1 {
            name.to_owned()
        } else {
            format!("{name}#{count}")
        });
        self.declared.push(var);
    }

    fn hide_since(&mut self, mark: usize) {
        for var in self.declared.drain(mark..) {
            if let Some(count) = self.visible.get_mut(self.function.var(var).name.as_str()) {
                *count -= 1;
            }
        }
    }

    fn var(&mut self, var: VarId) {
        match self.names.get(var.index()) {
            Some(Some(name)) => self.out.push_str(name),
            _ => self.put(&format!("undeclared#{}", var.0)),
        }
    }

    fn dim(&mut self, index: u32) {
        let function = self.function;
        self.put(
            function
                .dims
                .get(index as usize)
                .map_or("?", String::as_str),
        );
    }

    fn ty(&mut self, ty: &'a Type) {
        let function = self.function;
        match ty {
            Type::Unit => self.put("()"),
            Type::Scalar(Scalar::Named(name)) => self.put(name),
            Type::Scalar(Scalar::Integer) => self.put("{integer}"),
            Type::Scalar(Scalar::Float) => self.put("{float}"),
            Type::Scalar(Scalar::Open) => self.put("{scalar}"),
            Type::Tensor(elem) => self.put(&format!("Tensor<{elem}>")),
            Type::Tile(elem) => self.put(&format!("Tile<{elem}>")),
            Type::TaskId => self.put("TaskId"),
            Type::TaskIds => self.put("TaskIds"),
            Type::Tuple(items) => self.list("(", items, ")", Self::ty),
            Type::Captured(id) => {
                let text = function
                    .captures
                    .get(id.index())
                    .map_or("?", String::as_str);
                self.put(&format!("typeof({text})"));
            }
            Type::ResultOf(id) => {
                let path = function
                    .callees
                    .get(id.index())
                    .map_or("?", |callee| &callee.path);
                self.put(&format!("result of {path}"));
            }
            Type::Never => self.put("!"),
        }
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("    ", self.indent));
    }

    fn block(&mut self, block: &'a Block) {
        if block.stmts.is_empty() && block.tail.is_none() {
            return self.put("{}");
        }
        let mark = self.declared.len();
        self.put("{");
        self.indent += 1;
        for stmt in &block.stmts {
            self.new_line();
            self.stmt(stmt);
        }
        if let Some(tail) = &block.tail {
            self.new_line();
            self.expr(tail);
        }
        self.hide_since(mark);
        self.indent -= 1;
        self.new_line();
        self.put("}");
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Let { pattern, ty, init } => {
                self.binding(pattern, ty.as_ref(), init.as_ref());
            }
            StmtKind::Assign { target, op, value } => {
                self.pattern(target);
                self.put(" ");
                self.put(op.map_or("", BinaryOp::symbol));
                self.put("= ");
                self.expr(value);
                self.put(";");
            }
            StmtKind::Expr(value) => {
                self.expr(value);
                self.put(";");
            }
            StmtKind::For { var, range, body } => self.counted(*var, range, body),
            StmtKind::While { cond, body } => {
                self.put("while ");
                self.expr(cond);
                self.put(" ");
                self.block(body);
            }
            StmtKind::Sweep(sweep) => self.sweep(sweep),
            StmtKind::Break => self.put("break;"),
            StmtKind::Continue => self.put("continue;"),
            StmtKind::Alloc { batch, creates } => {
                self.put(&format!("alloc {} = alloc_tensors(", batch.0));
                self.list("[", creates, "]);", Self::create);
            }
        }
    }

    /// The value is printed under the names before the `let`, the pattern under the new ones.
    fn binding(&mut self, pattern: &'a Pattern, ty: Option<&'a Type>, init: Option<&'a Expr>) {
        let function = self.function;
        let mark = self.out.len();
        if let Some(init) = init {
            self.put(" = ");
            self.expr(init);
        }
        let value = self.out.split_off(mark);
        let vars = pattern.vars();
        for var in &vars {
            self.declare(*var);
        }
        let mutable = |var: &VarId| {
            function
                .vars
                .get(var.index())
                .is_some_and(|var| var.mutable)
        };
        self.put(if vars.iter().any(mutable) {
            "let mut "
        } else {
            "let "
        });
        self.pattern(pattern);
        let inferred = match pattern {
            Pattern::Var(var) => function.vars.get(var.index()).map(|var| &var.ty),
            _ => init.map(|init| &init.ty),
        };
        if let Some(ty) = ty.or(inferred) {
            self.put(": ");
            self.ty(ty);
        }
        self.put(&value);
        self.put(";");
    }

    fn counted(&mut self, var: Option<VarId>, range: &'a Range, body: &'a Block) {
        let mark = self.out.len();
        let marker = range.kind.marker();
        let bare = range.adaptors.is_empty() && marker.is_none();
        self.put(marker.unwrap_or_default());
        self.put(if bare { "" } else { "(" });
        self.expr(&range.start);
        self.put("..");
        self.expr(&range.end);
        self.put(if bare { "" } else { ")" });
        for adaptor in &range.adaptors {
            match adaptor {
                Adaptor::StepBy(step) => {
                    self.put(".step_by(");
                    self.expr(step);
                    self.put(")");
                }
                Adaptor::Rev => self.put(".rev()"),
            }
        }
        let range = self.out.split_off(mark);
        let mark = self.declared.len();
        self.put("for ");
        match var {
            Some(var) => {
                self.declare(var);
                self.var(var);
            }
            None => self.put("_"),
        }
        self.put(" in ");
        self.put(&range);
        self.put(" ");
        self.block(body);
        self.hide_since(mark);
    }

    fn pattern(&mut self, pattern: &'a Pattern) {
        match pattern {
            Pattern::Var(var) => self.var(*var),
            Pattern::Wildcard => self.put("_"),
            Pattern::Tuple(items) => self.list("(", items, ")", Self::pattern),
        }
    }
}
