//! `at!` regions: a submission with the body of the task in it.

use super::call::task_arg;
use super::{Emitter, Sink};
use crate::ir::{Access, At, AtArg, SpanId, Type};

impl<S: Sink> Emitter<'_, S> {
    /// `at(&scope1, site, kernel, &[tensors], (scalars), |scratch0, [tensors], (scalars)| { .. })?`
    ///
    /// The closure takes nothing from around it: all that it uses it is given.
    pub(super) fn region(&mut self, at: &At, span: SpanId) {
        self.out.runtime("at(");
        self.scope_ref();
        self.out.put(", ");
        self.out.site(span);
        self.out.put(", ");
        self.out.region_info(self.function, at, span);
        self.out.put(",");
        self.out.indent();
        self.out.line();
        self.out.put("&[");
        for (position, arg) in tensors(at).enumerate() {
            self.separate(position);
            self.region_tensor(arg);
        }
        self.out.put("],");
        self.out.line();
        self.region_scalars(at);
        self.out.put(",");
        self.out.line();
        self.out.put("|");
        self.out.local("scratch", 0);
        self.out.put(", [");
        for (position, arg) in tensors(at).enumerate() {
            self.separate(position);
            self.region_name(arg);
        }
        self.out.put("], ");
        self.region_scalars(at);
        self.out.put("| ");
        let depth = std::mem::replace(&mut self.depth, 0);
        let incore = std::mem::replace(&mut self.incore, true);
        self.out.open();
        let contents = self.enter_sole_scope(&at.body);
        for stmt in &contents.stmts {
            self.stmt(stmt);
        }
        if let Some(tail) = &contents.tail {
            self.expr(tail);
            self.out.put(";");
            self.out.line();
        }
        self.out.runtime("Ok(())");
        self.out.line();
        self.out.close();
        self.out.put(",");
        self.out.dedent();
        self.out.line();
        self.depth = depth;
        self.incore = incore;
        self.out.at(span);
        self.out.put(")?");
    }

    /// `TaskArg::Input(x)`
    fn region_tensor(&mut self, arg: &AtArg) {
        let AtArg::Tensor {
            var,
            access,
            passed,
        } = arg
        else {
            return;
        };
        let known = matches!(self.function.var(*var).ty, Type::Tensor(_)) || !S::CHECKS;
        let tensor = |this: &mut Self, access| {
            this.out.runtime(task_arg(access));
            if !known {
                // Where it is declared its type can be written.
                this.out.at(this.function.var(*var).span);
                this.out.runtime("region_tensor(");
            }
            this.out.var(*var);
            this.out.put(if known { ")" } else { "))" });
        };
        if !passed.is_empty() {
            self.out.put("if ");
            self.out.some_writes(passed);
            self.out.put(" { ");
            tensor(self, Access::ReadWrite);
            self.out.put(" } else { ");
        }
        tensor(self, *access);
        if !passed.is_empty() {
            self.out.put(" }");
        }
    }

    /// `(n, (m, ()))`: as a value, and as a pattern.
    fn region_scalars(&mut self, at: &At) {
        let mut open = 0;
        for arg in &at.args {
            if !matches!(arg, AtArg::Tensor { .. }) {
                self.out.put("(");
                self.region_name(arg);
                self.out.put(", ");
                open += 1;
            }
        }
        self.out.put("()");
        self.out.put(&")".repeat(open));
    }

    fn region_name(&mut self, arg: &AtArg) {
        match arg {
            AtArg::Tensor { var, .. } | AtArg::Scalar(var) => self.out.var(*var),
            AtArg::Dim(index) => self.out.local("dim", *index),
        }
    }
}

fn tensors(at: &At) -> impl Iterator<Item = &AtArg> {
    let is_tensor = |arg: &&AtArg| matches!(arg, AtArg::Tensor { .. });
    at.args.iter().filter(is_tensor)
}
