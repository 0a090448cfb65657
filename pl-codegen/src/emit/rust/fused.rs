//! Operations on tiles that run together.

use super::{Emitter, Sink};
use crate::ir::{Expr, Factor, Product, SpanId, StepArg, Sweep, Type};
use crate::ops::Op;

impl<S: Sink> Emitter<'_, S> {
    /// `let [p] = tile::sweep(&scratch1, &[..], &[..], [3])?;`
    pub(super) fn sweep(&mut self, sweep: &Sweep) {
        self.out.put("let [");
        for (position, (var, _)) in sweep.kept.iter().enumerate() {
            self.separate(position);
            self.out.put(if S::CHECKS { "mut " } else { "" });
            self.out.var(*var);
        }
        self.out.put("] = ");
        self.out.runtime("tile::sweep(");
        self.scope_ref();
        self.out.put(", &[");
        self.out.indent();
        for step in &sweep.steps {
            self.out.line();
            self.out.runtime("tile::Step { op: ");
            self.out.runtime(&format!("tile::Op::{:?}", step.op));
            self.out.put(", site: ");
            self.out.site(step.span);
            self.out.put(", args: &[");
            for (position, arg) in step.args.iter().enumerate() {
                self.separate(position);
                self.out.runtime(&match arg {
                    StepArg::Input(at) => format!("tile::Value::Input({at})"),
                    StepArg::Step(at) => format!("tile::Value::Step({at})"),
                });
            }
            self.out.put("], dtype: ");
            match &step.elem {
                Some(elem) => {
                    self.out.put("Some(");
                    self.out.elem(elem);
                    self.out.put(")");
                }
                None => self.out.put("None"),
            }
            self.out.put(" },");
        }
        self.out.dedent();
        self.out.line();
        self.out.put("], &[");
        for (position, input) in sweep.inputs.iter().enumerate() {
            self.separate(position);
            self.out.runtime(match input.ty {
                Type::Tensor(_) => "tile::Input::Tensor(",
                _ => "tile::Input::operand(",
            });
            self.expr(input);
            self.out.put(")");
        }
        let kept: Vec<String> = sweep
            .kept
            .iter()
            .map(|(_, step)| step.to_string())
            .collect();
        self.out.put(&format!("], [{}])?;", kept.join(", ")));
    }

    /// `tile::product(&scratch1, site, tile::Product { .. })?`
    pub(super) fn product(&mut self, product: &Product, expr: &Expr) {
        let (sum, [a, b]) = (&product.sum, &product.factors);
        self.out.runtime(match sum {
            Some(_) => "tile::add_product(",
            None => "tile::product(",
        });
        self.scope_ref();
        self.out.put(", ");
        // That of the product: what is around it has its own.
        self.out.site(product.span);
        self.out.put(", ");
        self.out.runtime("tile::Product { wide: ");
        self.out.put(if product.op == Op::DotF32 {
            "true"
        } else {
            "false"
        });
        self.out.put(", a: ");
        self.factor(a);
        self.out.put(", b: ");
        self.factor(b);
        self.out.put(", scale: ");
        self.beside(product.scale.as_ref(), "Scalar::to_value(");
        self.out.put(" }");
        if let Some(sum) = sum {
            self.out.put(", ");
            self.out.runtime("tile::Sum { acc: ");
            self.expr(&sum.acc);
            self.out.put(", factor: ");
            self.beside(sum.factor.as_ref(), "tile::Operand::value(");
            self.out.put(", add: ");
            self.out.site(sum.add);
            self.out.put(", copy_to: ");
            self.out.site(expr.span);
            self.out.put(" }");
        }
        self.out.at(expr.span);
        self.out.put(")?");
    }

    /// `Some((convert(value), site))`, or `None`
    fn beside(&mut self, value: Option<&(Expr, SpanId)>, convert: &str) {
        let Some((value, span)) = value else {
            return self.out.put("None");
        };
        self.out.put("Some((");
        self.out.runtime(convert);
        self.expr(value);
        self.out.put("), ");
        self.out.site(*span);
        self.out.put("))");
    }

    fn factor(&mut self, factor: &Factor) {
        let Some(load) = factor.load else {
            self.out.runtime("tile::Factor::Tile(");
            self.expr(&factor.value);
            return self.out.put(")");
        };
        self.out.runtime("tile::Factor::Load { tensor: ");
        self.expr(&factor.value);
        self.out.put(", site: ");
        self.out.site(load);
        self.out.put(", transposed: ");
        match factor.transpose {
            Some(span) => {
                self.out.put("Some(");
                self.out.site(span);
                self.out.put(")");
            }
            None => self.out.put("None"),
        }
        self.out.put(" }");
    }
}
