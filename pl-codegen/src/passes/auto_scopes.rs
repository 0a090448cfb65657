//! Places the AUTO scopes of functions that leave it to the compiler.

use crate::ir::{
    Block, Expr, ExprKind, Function, Kind, PartMut, ScopeMode, SpanId, Stmt, StmtKind, TaskExpr,
    Type,
};
use std::mem::take;

/// Puts an AUTO scope around the body of an entry and around each loop body and branch that holds
/// orchestration statements.
///
/// Orchestration statements are creates, calls, submits, barriers, `at!` regions, `get` and `set`, at any depth. The body of an
/// inline function is not wrapped: what it creates belongs to its caller's scope. Nothing is
/// placed inside a MANUAL scope, nor around what is one AUTO scope already. An `else` that is just
/// another `if` is no block of its own: the arms of a chain of `else if` are equally deep.
pub fn insert_auto_scopes(mut function: Function) -> Function {
    if function.auto_scope && function.kind.takes_auto_scope() {
        let mut walk = Walk { manual: false };
        let orchestrates = walk.block(&mut function.body);
        if orchestrates && function.kind != Kind::Inline {
            wrap(&mut function.body, function.span);
        }
    }
    function
}

/// Whether the scope around the body of an entry is missing, which the compiler is to place.
pub(super) fn is_unscoped(function: &Function) -> bool {
    let placed = function.auto_scope && function.kind == Kind::Entry;
    // As if inside a MANUAL scope the walk places nothing, and only says what it found.
    let mut walk = Walk { manual: true };
    placed && !is_auto_scope(&function.body) && walk.block(&mut function.body.clone())
}

struct Walk {
    /// Inside a MANUAL scope.
    manual: bool,
}

impl Walk {
    /// Whether the block holds orchestration statements.
    fn block(&mut self, block: &mut Block) -> bool {
        let mut found = false;
        for stmt in &mut block.stmts {
            found |= self.stmt(stmt);
        }
        if let Some(tail) = &mut block.tail {
            found |= self.expr(tail);
        }
        found
    }

    fn wrapped(&mut self, block: &mut Block, span: SpanId) -> bool {
        let found = self.block(block);
        if found && !self.manual {
            wrap(block, span);
        }
        found
    }

    fn stmt(&mut self, stmt: &mut Stmt) -> bool {
        let span = stmt.span;
        let mut found = matches!(stmt.kind, StmtKind::Alloc { .. });
        // Blocks that are direct parts of a statement are loop bodies.
        stmt.parts_mut(&mut |part| {
            found |= match part {
                PartMut::Expr(expr) => self.expr(expr),
                PartMut::Block(body) => self.wrapped(body, span),
            };
        });
        found
    }

    fn expr(&mut self, expr: &mut Expr) -> bool {
        let outer = self.manual;
        self.manual |= matches!(
            expr.kind,
            ExprKind::Scope {
                mode: ScopeMode::Manual,
                ..
            }
        );
        if matches!(expr.kind, ExprKind::At(_)) {
            // What is in it is in-core code.
            return true;
        }
        let mut found = matches!(
            expr.kind,
            ExprKind::Create(_)
                | ExprKind::Call(_)
                | ExprKind::Get { .. }
                | ExprKind::Set { .. }
                | ExprKind::Task(TaskExpr::Barrier(_))
        );
        let span = expr.span;
        if let ExprKind::If {
            cond,
            then,
            otherwise,
        } = &mut expr.kind
        {
            found |= self.expr(cond);
            found |= self.wrapped(then, span);
            found |= match otherwise {
                Some(block) if is_else_if(block) => self.block(block),
                Some(block) => self.wrapped(block, span),
                None => false,
            };
        } else {
            expr.parts_mut(&mut |part| {
                found |= match part {
                    PartMut::Expr(expr) => self.expr(expr),
                    PartMut::Block(block) => self.block(block),
                };
            });
        }
        self.manual = outer;
        found
    }
}

/// The only expression of a block that has no other content.
fn sole(block: &Block) -> Option<&Expr> {
    match (&block.stmts[..], &block.tail) {
        ([], Some(tail)) => Some(tail),
        (
            [
                Stmt {
                    kind: StmtKind::Expr(value),
                    ..
                },
            ],
            None,
        ) => Some(value),
        _ => None,
    }
}

fn is_else_if(block: &Block) -> bool {
    sole(block).is_some_and(|expr| matches!(expr.kind, ExprKind::If { .. }))
}

fn is_auto_scope(block: &Block) -> bool {
    sole(block).is_some_and(|expr| match &expr.kind {
        ExprKind::Scope { mode, .. } => *mode == ScopeMode::Auto,
        ExprKind::Block(inner) => is_auto_scope(inner),
        _ => false,
    })
}

fn wrap(block: &mut Block, span: SpanId) {
    if is_auto_scope(block) {
        return;
    }
    let body = take(block);
    let ty = body
        .tail
        .as_ref()
        .map_or(Type::Unit, |tail| tail.ty.clone());
    let has_value = body.tail.is_some();
    let kind = ExprKind::Scope {
        mode: ScopeMode::Auto,
        implicit: true,
        body,
    };
    let scope = Expr { kind, ty, span };
    if has_value {
        block.tail = Some(Box::new(scope));
    } else {
        block.stmts.push(Stmt {
            kind: StmtKind::Expr(scope),
            span,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::insert_auto_scopes;
    use crate::check::check_nesting;
    use crate::ir::{Block, Function, Kind, ScopeMode};
    use crate::testing::Build;

    /// The body after insertion, without the header line.
    fn scoped(function: Function) -> String {
        let once = insert_auto_scopes(function);
        assert_eq!(
            insert_auto_scopes(once.clone()),
            once,
            "a second run changes nothing"
        );
        let text = once.to_string();
        let lines: Vec<&str> = text.lines().skip(1).map(str::trim_start).collect();
        lines.join("\n") + "\n"
    }

    fn scopes(text: &str) -> usize {
        text.matches("scope ").count()
    }

    #[test]
    fn c001_function_body_and_loop_body_each_get_one_scope() {
        let f = Build::entry();
        let body = [
            f.call("k", &["x", "o"]),
            f.each("i", [f.call("k", &["x", "o"])]),
        ];
        let text = scoped(f.finish(body));
        let expected = "scope AUTO implicit {\ncall k(x, o);\nfor i in (0..8).step_by(2) {\n\
                        scope AUTO implicit {\ncall k(x, o);\n};\n}\n};\n}\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn c002_both_branches_are_wrapped() {
        let f = Build::entry();
        let otherwise: Block = [f.call("b", &["o"])].into();
        let body = [f.when([f.call("a", &["o"])], Some(otherwise))];
        let text = scoped(f.finish(body));
        let expected = "scope AUTO implicit {\nif 0 < 1 {\nscope AUTO implicit {\ncall a(o);\n};\n\
                        } else {\nscope AUTO implicit {\ncall b(o);\n};\n};\n};\n}\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn c003_no_else_branch_is_invented() {
        let f = Build::entry();
        let body = [f.when([f.call("a", &["o"])], None)];
        let text = scoped(f.finish(body));
        assert_eq!(scopes(&text), 2);
        assert!(!text.contains("else"));
    }

    #[test]
    fn c004_c006_a_loop_inside_manual_is_not_wrapped() {
        let f = Build::entry();
        let body = [f.manual([f.each("i", [f.call("k", &["o"])])])];
        let text = scoped(f.finish(body));
        let expected = "scope AUTO implicit {\nscope MANUAL {\nfor i in (0..8).step_by(2) {\n\
                        call k(o);\n}\n};\n};\n}\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn c005_nested_loops_and_branches_inside_manual_are_not_wrapped() {
        let f = Build::entry();
        let inner = f.each("j", [f.when([f.call("k", &["o"])], None)]);
        let body = [f.manual([f.each("i", [inner])])];
        assert_eq!(scopes(&scoped(f.finish(body))), 2);
    }

    #[test]
    fn c007_a_second_run_changes_nothing() {
        let f = Build::entry();
        let body = [
            f.each("i", [f.repeat([f.call("k", &["o"])])]),
            f.manual([f.each("j", [f.call("k", &["o"])])]),
        ];
        let once = insert_auto_scopes(f.finish(body));
        assert_eq!(insert_auto_scopes(once.clone()), once);
    }

    #[test]
    fn c008_opting_out_places_no_scope() {
        let f = Build::by_hand();
        let body = [f.each("i", [f.call("k", &["o"])])];
        assert_eq!(scopes(&scoped(f.finish(body))), 0);
    }

    #[test]
    fn c009_opting_out_keeps_the_scope_by_hand() {
        let f = Build::by_hand();
        let body = [f.scope([f.call("k", &["o"])])];
        let function = f.finish(body);
        assert_eq!(insert_auto_scopes(function.clone()), function);
    }

    #[test]
    fn c010_in_core_code_has_no_runtime_scopes() {
        let f = Build::incore();
        let body = [f.each("i", [f.bind("t", f.create())])];
        assert_eq!(scopes(&scoped(f.finish(body))), 0);
    }

    #[test]
    fn c011_outer_scope_and_scope_of_each_iteration_stay_two() {
        let f = Build::by_hand();
        let inner = [f.scope([f.call("k", &["o"])]), f.assign("n", f.int(1))];
        let body = [f.bind("n", f.int(0)), f.scope([f.each("i", inner)])];
        let function = f.finish(body);
        assert_eq!(check_nesting(&function), []);
        assert_eq!(scopes(&scoped(function)), 2);
    }

    #[test]
    fn while_bodies_are_wrapped() {
        let f = Build::entry();
        let body = [f.repeat([f.call("k", &["o"])])];
        assert_eq!(scopes(&scoped(f.finish(body))), 2);
    }

    #[test]
    fn scalar_code_is_not_wrapped() {
        let f = Build::entry();
        let body = [
            f.bind("n", f.int(0)),
            f.each("i", [f.assign("n", f.int(1))]),
            f.when([f.assign("n", f.int(2))], None),
        ];
        assert_eq!(scopes(&scoped(f.finish(body))), 0);
    }

    #[test]
    fn create_get_and_set_are_orchestration_statements() {
        let f = Build::entry();
        let body = [
            f.each("i", [f.bind("v", f.get("x"))]),
            f.each("j", [f.run(f.create())]),
        ];
        assert_eq!(scopes(&scoped(f.finish(body))), 3);
    }

    #[test]
    fn submits_and_barriers_are_orchestration_statements_and_ids_are_not() {
        let f = Build::entry();
        let none = f.task(crate::ir::TaskExpr::None);
        let body = [
            f.each("i", [f.run(f.submit("k", &["o"], &[]))]),
            f.each("j", [f.run(f.barrier(&[]))]),
            f.each("l", [f.assign("n", none)]),
        ];
        assert_eq!(scopes(&scoped(f.finish(body))), 3);
    }

    #[test]
    fn inline_bodies_are_not_wrapped_but_their_loops_are() {
        let f = Build::new(Kind::Inline);
        f.tensor("o", crate::ir::Access::Write);
        let body = [f.call("k", &["o"]), f.each("i", [f.call("k", &["o"])])];
        let text = scoped(f.finish(body));
        let expected = "call k(o);\nfor i in (0..8).step_by(2) {\nscope AUTO implicit {\n\
                        call k(o);\n};\n}\n}\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_function_that_is_one_manual_scope_gets_an_auto_scope_around_it() {
        let f = Build::entry();
        let body = [f.manual([f.call("k", &["o"])])];
        assert_eq!(scopes(&scoped(f.finish(body))), 2);
    }

    #[test]
    fn a_branch_keeps_its_value() {
        let f = Build::entry();
        let then: Block = ([f.call("k", &["x", "o"])], f.var("x")).into();
        let otherwise: Block = ([], f.var("o")).into();
        let body = [f.bind("y", f.choose(then, Some(otherwise)))];
        let text = scoped(f.finish(body));
        let expected = "scope AUTO implicit {\nlet y: Tensor<f32> = if 0 < 1 {\n\
                        scope AUTO implicit {\ncall k(x, o);\nx\n}\n} else {\no\n};\n};\n}\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn the_arms_of_an_else_if_chain_are_equally_deep() {
        let f = Build::entry();
        let last: Block = [f.call("c", &["o"])].into();
        let chain: Block = ([], f.choose([f.call("b", &["o"])], Some(last))).into();
        let body = [f.when([f.call("a", &["o"])], Some(chain))];
        let function = insert_auto_scopes(f.finish(body));
        assert_eq!(crate::check::opens(&function).depth, 2);
        assert_eq!(function.to_string().matches("scope AUTO").count(), 4);
    }

    #[test]
    fn an_if_alone_in_a_then_branch_is_wrapped() {
        let f = Build::entry();
        let body = [f.when([f.when([f.call("a", &["o"])], None)], None)];
        assert_eq!(scopes(&scoped(f.finish(body))), 3);
    }

    #[test]
    fn a_loop_inside_an_auto_scope_is_still_wrapped() {
        let f = Build::entry();
        let scope = f.scope_of(ScopeMode::Auto, [f.each("i", [f.call("k", &["o"])])]);
        let body = [f.run(scope)];
        assert_eq!(scopes(&scoped(f.finish(body))), 2);
    }
}
