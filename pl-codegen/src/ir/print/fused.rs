//! Text of operations that run together.

use super::Printer;
use crate::ir::{Expr, Factor, Product, Step, StepArg, Sweep};

impl<'a> Printer<'a> {
    /// A step a line: `%1 = exp(%0)`, or `p = %1 = exp(%0)` if the result is kept.
    pub(super) fn sweep(&mut self, sweep: &'a Sweep) {
        self.put("sweep {");
        self.indent += 1;
        for (index, step) in sweep.steps.iter().enumerate() {
            self.new_line();
            let kept = sweep.kept.iter().find(|(_, at)| *at as usize == index);
            if let Some((var, _)) = kept {
                self.declare(*var);
                self.put("let ");
                self.var(*var);
                self.put(" = ");
            }
            self.put(&format!("%{index} = "));
            self.step(step, &sweep.inputs);
        }
        self.indent -= 1;
        self.new_line();
        self.put("}");
    }

    fn step(&mut self, step: &'a Step, inputs: &'a [Expr]) {
        self.put(step.op.name());
        if let Some(elem) = &step.elem {
            self.put(&format!("::<{elem}>"));
        }
        self.list("(", &step.args, ");", |this, arg| match *arg {
            StepArg::Step(at) => this.put(&format!("%{at}")),
            StepArg::Input(at) => match inputs.get(at as usize) {
                Some(input) => this.expr(input),
                None => this.put("?"),
            },
        });
    }

    /// `dot(q, transpose(load(k))) * scale`, or `acc = acc * alpha + dot(p, load(v))`
    pub(super) fn product(&mut self, product: &'a Product) {
        if let Some(sum) = &product.sum {
            self.expr(&sum.acc);
            self.put(" = ");
            self.expr(&sum.acc);
            if let Some((factor, _)) = &sum.factor {
                self.put(" * ");
                self.operand(factor);
            }
            self.put(" + ");
        }
        self.put(product.op.name());
        self.list("(", &product.factors, ")", Self::factor);
        if let Some((scale, _)) = &product.scale {
            self.put(" * ");
            self.operand(scale);
        }
    }

    fn factor(&mut self, factor: &'a Factor) {
        let around = [(factor.transpose, "transpose"), (factor.load, "load")];
        let around = around.map(|(at, name)| at.map(|_| name));
        for name in around.iter().flatten() {
            self.put(name);
            self.put("(");
        }
        self.expr(&factor.value);
        self.put(&")".repeat(around.iter().flatten().count()));
    }
}
