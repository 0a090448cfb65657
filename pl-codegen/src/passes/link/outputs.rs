//! Tensors that a kernel returns: allocated where it is submitted.

use super::{Frame, Linker, Source};
use crate::ir::{
    Call, Create, Dim, Expr, ExprKind, Pattern, SpanId, Stmt, StmtKind, Type, Var, VarId,
};

impl Linker {
    /// The tensors that a kernel returns, with dimensions in terms of the arguments of its call. Where
    /// one is named, the arguments are bound to variables first: gives these statements.
    pub(super) fn allocate_outputs(
        &mut self,
        call: &mut Call,
        callee: &Source,
        span: SpanId,
    ) -> Vec<Stmt> {
        let function = &callee.unit.function;
        if function.outputs.is_empty() {
            return Vec::new();
        }
        let mut frame = Frame::of(callee);
        frame.spans = self.places.append(&callee.unit.source);
        let named = |dim: &Dim| matches!(dim, Dim::Named(_));
        let mut bound = Vec::new();
        if function
            .outputs
            .iter()
            .any(|output| output.dims.iter().any(named))
        {
            for (arg, param) in call.args.iter_mut().zip(&function.params) {
                if matches!(param.ty, Type::Tensor(_)) && !matches!(arg.kind, ExprKind::Var(_)) {
                    bound.push(self.bind_argument(arg, &function.var(param.var).name));
                }
            }
        }
        let mut outputs = Vec::new();
        for output in &function.outputs {
            let mut dims = Vec::new();
            for dim in &output.dims {
                dims.extend(match dim {
                    // Refused.
                    Dim::Any => None,
                    Dim::Const(value) => {
                        let mut value = value.clone();
                        self.expr(&mut value, &frame);
                        Some(value)
                    }
                    Dim::Named(index) => function.named_dim(*index).map(|(param, axis)| {
                        let position = function.params.iter().position(|p| p.var == param);
                        let arg = &call.args[position.expect("a parameter")];
                        dim_of(arg.clone(), axis, span)
                    }),
                });
            }
            outputs.push(Create {
                elem: frame.elem(&output.elem),
                dims,
                init: None,
                manual_dep: false,
            });
        }
        call.outputs = outputs;
        bound
    }

    /// Makes the argument a variable, which can be read again: gives its `let`.
    fn bind_argument(&mut self, arg: &mut Expr, name: &str) -> Stmt {
        let var = VarId(self.out.vars.len() as u32);
        let (ty, span) = (arg.ty.clone(), arg.span);
        self.out.vars.push(Var {
            name: name.to_owned(),
            mutable: false,
            ty: ty.clone(),
            span,
        });
        let kind = ExprKind::Var(var);
        let value = std::mem::replace(arg, Expr { kind, ty, span });
        let kind = StmtKind::Let {
            pattern: Pattern::Var(var),
            ty: None,
            init: Some(value),
        };
        Stmt { kind, span }
    }
}

/// `base.dim(axis)`
pub(super) fn dim_of(base: Expr, axis: usize, span: SpanId) -> Expr {
    let usize = |kind| Expr {
        kind,
        ty: Type::usize(),
        span,
    };
    let axis = usize(ExprKind::Literal(axis.to_string()));
    usize(ExprKind::DimOf {
        base: Box::new(base),
        axis: Box::new(axis),
    })
}
