//! Helpers: their bodies in the place of their calls.

use super::outputs::dim_of;
use super::{Frame, Linker, Source};
use crate::compile::compile;
use crate::ir::{
    Block, Expr, ExprKind, Function, Part, Pattern, SpanId, Stmt, StmtKind, Type, Var, VarId,
};

impl Linker {
    /// The body of a helper in the place of its call, parameters bound to the arguments.
    pub(super) fn splice(
        &mut self,
        callee: &Source,
        args: Vec<Expr>,
        call: SpanId,
        manual: bool,
    ) -> Block {
        let mut helper = compile(&callee.unit.function)
            .unwrap_or_else(|_| panic!("`{}` compiled before", callee.unit.function.name))
            .function
            .into_function();
        let mut frame = Frame {
            source: callee,
            vars: self.out.vars.len() as u32,
            spans: self.places.append(&callee.unit.source),
            batches: self.next_batch,
            dims: Some(Vec::new()),
            manual,
        };
        self.next_batch += count_batches(&helper.body);
        for var in &helper.vars {
            self.out.vars.push(Var {
                ty: frame.ty(&var.ty),
                span: frame.span(var.span),
                ..var.clone()
            });
        }
        let mut stmts = Vec::new();
        for (param, arg) in helper.params.iter().zip(args) {
            let pattern = Pattern::Var(frame.var(param.var));
            let ty = matches!(param.ty, Type::Scalar(_)).then(|| frame.ty(&param.ty));
            let kind = StmtKind::Let {
                pattern,
                ty,
                init: Some(arg),
            };
            stmts.push(Stmt { kind, span: call });
        }
        let dims = self.splice_dims(&helper, &frame, call, &mut stmts);
        frame.dims = Some(dims);
        self.block(&mut helper.body, &frame);
        stmts.append(&mut helper.body.stmts);
        Block {
            stmts,
            tail: helper.body.tail.take(),
        }
    }

    /// `let M = x.dim(0);` for each named dimension of a helper.
    fn splice_dims(
        &mut self,
        helper: &Function,
        frame: &Frame<'_>,
        call: SpanId,
        stmts: &mut Vec<Stmt>,
    ) -> Vec<VarId> {
        let mut vars = Vec::new();
        for (index, name) in helper.dims.iter().enumerate() {
            let var = VarId(self.out.vars.len() as u32);
            let ty = Type::usize();
            self.out.vars.push(Var {
                name: name.clone(),
                mutable: false,
                ty: ty.clone(),
                span: call,
            });
            vars.push(var);
            let value = helper.named_dim(index as u32).map(|(param, axis)| {
                let var = frame.var(param);
                let ty = self.out.vars[var.index()].ty.clone();
                let kind = ExprKind::Var(var);
                dim_of(
                    Expr {
                        kind,
                        ty,
                        span: call,
                    },
                    axis,
                    call,
                )
            });
            let pattern = Pattern::Var(var);
            let kind = StmtKind::Let {
                pattern,
                ty: Some(ty),
                init: value,
            };
            stmts.push(Stmt { kind, span: call });
        }
        vars
    }
}

/// `alloc_tensors` calls in a block.
pub(super) fn count_batches(block: &Block) -> u32 {
    let mut count = 0;
    for stmt in &block.stmts {
        count += u32::from(matches!(stmt.kind, StmtKind::Alloc { .. }));
    }
    block.parts(&mut |part| count += count_in(&part));
    count
}

fn count_in(part: &Part<'_>) -> u32 {
    match part {
        Part::Block(block) => count_batches(block),
        Part::Expr(expr) => {
            let mut count = 0;
            expr.parts(&mut |part| count += count_in(&part));
            count
        }
    }
}
