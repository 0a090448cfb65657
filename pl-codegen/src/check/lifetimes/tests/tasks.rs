//! Task ids belong to the scope that their tasks were submitted in.

use super::{check, codes};
use crate::diag::Code;
use crate::ir::{Block, Stmt, TaskExpr};
use crate::testing::Build;

fn none(f: &Build, name: &str) -> Stmt {
    f.bind(name, f.task(TaskExpr::None))
}

fn array(f: &Build, name: &str) -> Stmt {
    f.bind(name, f.task(TaskExpr::Array(f.int(4).into())))
}

fn submit(f: &Build, deps: &[&str]) -> crate::ir::Expr {
    f.submit("k", &["x", "o"], deps)
}

#[test]
fn an_id_is_not_used_after_its_scope() {
    let f = Build::by_hand();
    let body = [
        none(&f, "t"),
        f.scope([f.assign("t", submit(&f, &[]))]),
        f.run(submit(&f, &["t"])),
    ];
    let [found] = &check(f.finish(body))[..] else {
        panic!()
    };
    assert_eq!(found.code, Code::TaskAfterScope);
    assert_eq!(found.notes[0].1, "the task is submitted here, as `t`");
}

#[test]
fn an_id_of_an_earlier_iteration_is_dead_unless_the_loop_is_in_a_manual_scope() {
    let carried = |f: &Build| f.each("i", [f.assign("t", submit(f, &["t"]))]);
    let f = Build::entry();
    let body = [none(&f, "t"), carried(&f)];
    assert_eq!(codes(f, body), [Code::TaskAfterScope]);
    let f = Build::entry();
    let body = [f.manual([none(&f, "t"), carried(&f)])];
    assert_eq!(codes(f, body), []);
    let f = Build::by_hand();
    let body = [none(&f, "t"), carried(&f)];
    assert_eq!(codes(f, body), []);
}

#[test]
fn an_array_is_dead_when_one_of_its_ids_is() {
    let f = Build::by_hand();
    let kept = [
        array(&f, "ids"),
        f.set_task("ids", submit(&f, &[])),
        f.scope([f.set_task("ids", submit(&f, &["ids"]))]),
    ];
    let after = f.set_task("ids", f.task(TaskExpr::None));
    let [a, b, c] = kept;
    assert_eq!(codes(f, [a, b, c, after]), [Code::TaskAfterScope]);
}

#[test]
fn an_array_that_nobody_touches_again_is_fine() {
    let f = Build::by_hand();
    let body = [
        array(&f, "ids"),
        f.scope([f.set_task("ids", submit(&f, &[]))]),
        f.run(submit(&f, &[])),
    ];
    assert_eq!(codes(f, body), []);
}

#[test]
fn a_barrier_belongs_to_its_scope_whatever_it_waits_for() {
    let f = Build::by_hand();
    let inner: Block = ([], f.barrier(&["t"])).into();
    let body = [
        f.bind("t", submit(&f, &[])),
        f.bind("b", f.scope_of(crate::ir::ScopeMode::Manual, inner)),
        f.run(submit(&f, &["t"])),
        f.run(submit(&f, &["b"])),
    ];
    assert_eq!(codes(f, body), [Code::TaskAfterScope]);
}

#[test]
fn what_a_helper_returned_is_a_task_id_where_one_is_waited_for() {
    let f = Build::by_hand();
    let body = [
        none(&f, "t"),
        f.scope([f.assign("t", f.apply("helper", []))]),
        f.run(f.barrier(&["t"])),
    ];
    assert_eq!(codes(f, body), [Code::TaskAfterScope]);
}
