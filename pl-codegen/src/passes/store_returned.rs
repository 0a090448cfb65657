//! What a kernel returns is stored to the tensors that its submit allocates.
//!
//! The value of the body, `e`, becomes `let value = e; store(result, value);`.

use crate::ir::{Expr, ExprKind, Function, Pattern, Stmt, StmtKind, Type, VarId};
use crate::ops::Op;

/// Stores the value of a kernel that returns tensors. Any other function is returned as it is.
pub fn store_returned(mut function: Function) -> Function {
    if function.outputs.is_empty() {
        return function;
    }
    let Some(tail) = function.body.tail.take() else {
        return function;
    };
    let span = tail.span;
    let values = function.outputs.iter().map(|output| output.value);
    let pattern = match &function.outputs[..] {
        [one] => Pattern::Var(one.value),
        _ => Pattern::Tuple(values.map(Pattern::Var).collect()),
    };
    let var = |var: VarId| Expr {
        kind: ExprKind::Var(var),
        ty: function.var(var).ty.clone(),
        span,
    };
    let bind = StmtKind::Let {
        pattern,
        ty: None,
        init: Some(*tail),
    };
    let stores = function.outputs.iter().map(|output| {
        StmtKind::Expr(Expr {
            kind: ExprKind::Operation {
                op: Op::Store,
                args: vec![var(output.var), var(output.value)],
            },
            ty: Type::Unit,
            span,
        })
    });
    let stmts: Vec<Stmt> = std::iter::once(bind)
        .chain(stores)
        .map(|kind| Stmt { kind, span })
        .collect();
    function.body.stmts.extend(stmts);
    function
}

#[cfg(test)]
mod tests {
    use super::store_returned;
    use crate::ir::{Block, ExprKind, Function, Output, Type};
    use crate::testing::{Build, F32};

    fn stored(f: Build, names: &[(&str, &str)], body: impl Into<Block>) -> String {
        let outputs = names.iter().map(|(result, value)| Output {
            var: f.id(result),
            value: f.id(value),
            elem: F32,
            dims: Vec::new(),
        });
        let outputs = outputs.collect();
        let function = store_returned(Function {
            outputs,
            ..f.finish(body)
        });
        assert_eq!(store_returned(function.clone()), function);
        let text = function.to_string();
        text.lines()
            .skip(1)
            .map(|line| line.trim().to_owned() + "\n")
            .collect()
    }

    #[test]
    fn the_value_is_stored_after_everything_else() {
        let f = Build::incore();
        let body: Block = ([f.bind("t", f.create())], f.var("t")).into();
        let text = stored(f, &[("result", "value")], body);
        assert!(text.ends_with("= t;\nstore(result, value);\n}\n"), "{text}");
    }

    #[test]
    fn all_of_a_tuple_is_computed_before_any_is_stored() {
        let f = Build::incore();
        let both = ExprKind::Tuple(vec![f.create(), f.create()]);
        let both = f.expr(both, Type::Tuple(Vec::new()));
        let body: Block = ([], both).into();
        let text = stored(f, &[("a", "x0"), ("b", "x1")], body);
        let end = "= (create f32 [4], create f32 [4]);\nstore(a, x0);\nstore(b, x1);\n}\n";
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn a_function_that_returns_nothing_stays_as_it_is() {
        let f = Build::incore();
        let body: Block = ([], f.create()).into();
        let function = f.finish(body);
        assert_eq!(store_returned(function.clone()), function);
    }
}
