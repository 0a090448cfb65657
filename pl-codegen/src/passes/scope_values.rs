//! The value of a scope is stored from inside the scope.
//!
//! `let t = scope!({ ..; u })` becomes `let t; scope!({ ..; t = u })`, and a value that nobody
//! takes is evaluated and dropped in there. So no handle leaves the scope that owns it just because
//! it stands last: whether it may be used afterwards is for `check_lifetimes` to say, and the
//! borrow checker minds a use only, as it does for a plain assignment.

use crate::ir::{Block, Expr, ExprKind, Function, PartMut, Pattern, Stmt, StmtKind, Type};

/// Moves every `let`, assignment and drop of a handle that comes out of a scope into the scope.
pub fn store_scope_values(mut function: Function) -> Function {
    block(&mut function.body);
    function
}

fn block(block: &mut Block) {
    for mut stmt in std::mem::take(&mut block.stmts) {
        stmt.parts_mut(&mut |inner| part(inner));
        store(stmt, &mut block.stmts);
    }
    if let Some(tail) = &mut block.tail {
        part(PartMut::Expr(tail));
    }
}

fn part(part_of: PartMut<'_>) {
    match part_of {
        PartMut::Expr(expr) => expr.parts_mut(&mut |inner| part(inner)),
        PartMut::Block(inner) => block(inner),
    }
}

fn store(mut stmt: Stmt, into: &mut Vec<Stmt>) {
    let (target, mut value) = match &mut stmt.kind {
        StmtKind::Let {
            pattern,
            init: init @ Some(_),
            ..
        } if init.as_ref().is_some_and(leaves_scope) => {
            (pattern.clone(), init.take().expect("just tested"))
        }
        StmtKind::Assign {
            target,
            op: None,
            value,
        } if leaves_scope(value) => (target.clone(), value.clone()),
        StmtKind::Expr(value) if leaves_scope(value) => (Pattern::Wildcard, value.clone()),
        _ => return into.push(stmt),
    };
    let span = stmt.span;
    if matches!(stmt.kind, StmtKind::Let { .. }) && !target.vars().is_empty() {
        into.push(stmt);
    }
    give(&mut value, &target);
    into.push(Stmt {
        kind: StmtKind::Expr(value),
        span,
    });
}

/// Whether the value is a handle, perhaps, that the end of a scope gives.
fn leaves_scope(expr: &Expr) -> bool {
    let tail = |block: &Block| block.tail.as_deref().is_some_and(leaves_scope);
    expr.ty.may_hold_handle()
        && match &expr.kind {
            ExprKind::Scope { .. } | ExprKind::ScratchScope(_) => true,
            ExprKind::Block(body) => tail(body),
            ExprKind::If {
                then, otherwise, ..
            } => tail(then) || otherwise.as_ref().is_some_and(tail),
            _ => false,
        }
}

/// Turns the values at the ends of blocks into assignments of `target`.
fn give(expr: &mut Expr, target: &Pattern) {
    expr.ty = Type::Unit;
    match &mut expr.kind {
        ExprKind::Scope { body, .. } | ExprKind::ScratchScope(body) | ExprKind::Block(body) => {
            give_tail(body, target);
        }
        ExprKind::If {
            then, otherwise, ..
        } => {
            give_tail(then, target);
            if let Some(otherwise) = otherwise {
                give_tail(otherwise, target);
            }
        }
        _ => {}
    }
}

fn give_tail(block: &mut Block, target: &Pattern) {
    let Some(mut tail) = block.tail.take() else {
        return;
    };
    let span = tail.span;
    let is_block = matches!(
        tail.kind,
        ExprKind::Scope { .. }
            | ExprKind::ScratchScope(_)
            | ExprKind::Block(_)
            | ExprKind::If { .. }
    );
    let kind = if is_block {
        give(&mut tail, target);
        StmtKind::Expr(*tail)
    } else if target.vars().is_empty() {
        StmtKind::Expr(*tail)
    } else {
        StmtKind::Assign {
            target: target.clone(),
            op: None,
            value: *tail,
        }
    };
    block.stmts.push(Stmt { kind, span });
}

#[cfg(test)]
mod tests {
    use super::store_scope_values;
    use crate::ir::{Block, ScopeMode};
    use crate::testing::Build;

    fn stored(f: Build, body: impl Into<Block>) -> String {
        let function = store_scope_values(f.finish(body));
        assert_eq!(store_scope_values(function.clone()), function);
        let text = function.to_string();
        let body = text.split_once("{\n").expect("has a body").1;
        body.lines()
            .map(|line| line.trim().to_owned() + "\n")
            .collect()
    }

    #[test]
    fn the_variable_is_assigned_inside_the_scope() {
        let f = Build::by_hand();
        let inner: Block = ([f.bind("t", f.create())], f.var("t")).into();
        let body = [f.bind("y", f.scope_of(ScopeMode::Auto, inner))];
        let expected = "let y: Tensor<f32>;\nscope AUTO {\n\
                        let t: Tensor<f32> = create f32 [4];\ny = t;\n};\n}\n";
        assert_eq!(stored(f, body), expected);
    }

    #[test]
    fn every_branch_assigns() {
        let f = Build::by_hand();
        let scope = f.scope_of(ScopeMode::Auto, ([], f.create()));
        let then: Block = ([], scope).into();
        let body = [f.bind("y", f.choose(then, Some(([], f.var("x")).into())))];
        let expected = "let y: Tensor<f32>;\nif 0 < 1 {\nscope AUTO {\n\
                        y = create f32 [4];\n};\n} else {\ny = x;\n};\n}\n";
        assert_eq!(stored(f, body), expected);
    }

    #[test]
    fn a_value_that_nobody_takes_is_dropped_inside_the_scope() {
        let f = Build::by_hand();
        let body = [f.run(f.scope_of(ScopeMode::Manual, ([], f.var("x"))))];
        assert_eq!(stored(f, body), "scope MANUAL {\nx;\n};\n}\n");
    }

    #[test]
    fn a_scalar_may_leave() {
        let f = Build::by_hand();
        let body = [f.bind("n", f.scope_of(ScopeMode::Auto, ([], f.get("x"))))];
        let expected = "let n: f32 = scope AUTO {\nx.get([0])\n};\n}\n";
        assert_eq!(stored(f, body), expected);
    }
}
