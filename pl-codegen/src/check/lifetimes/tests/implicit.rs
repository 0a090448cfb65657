use super::{check, codes, fill};
use crate::diag::Code;
use crate::ir::Block;
use crate::testing::Build;

#[test]
fn a_branch_of_handles_from_outside_is_fine() {
    let f = Build::entry();
    let then: Block = ([f.call("k", &["x", "o"])], f.var("x")).into();
    let otherwise: Block = ([], f.var("o")).into();
    let body = [
        f.bind("y", f.choose(then, Some(otherwise))),
        f.call("k", &["y"]),
    ];
    assert_eq!(codes(f, body), []);
}

#[test]
fn the_scope_of_a_branch_is_named_as_such() {
    let f = Build::entry();
    let then: Block = ([], f.create()).into();
    let otherwise: Block = ([], f.var("x")).into();
    let body = [
        f.bind("y", f.choose(then, Some(otherwise))),
        f.call("k", &["y"]),
    ];
    let [found] = &check(f.finish(body))[..] else {
        panic!()
    };
    assert_eq!(found.code, Code::ScopeValue);
    assert!(
        found.notes[1].1.contains("around a branch of this `if`"),
        "{found:?}"
    );
    assert!(
        found.help.starts_with("create it before the `if`"),
        "{found:?}"
    );
    assert!(found.help.contains("`auto_scope = false`"), "{found:?}");
}

#[test]
fn the_scope_of_a_loop_body_is_named_as_such() {
    let f = Build::entry();
    let body = [
        f.bind("t", f.var("x")),
        f.each("i", [f.assign("t", f.create()), fill(&f, "t")]),
        f.call("k", &["t"]),
    ];
    let [found] = &check(f.finish(body))[..] else {
        panic!()
    };
    assert_eq!(found.code, Code::UsedAfterScope);
    let message = "`t` is used after the scope of the loop body closed, which freed its tensor";
    assert_eq!(found.message, message);
    let help =
        "create `t` before the loop; or write `auto_scope = false` and place the scopes yourself";
    assert_eq!(found.help, help);
}

#[test]
fn the_scope_of_the_function_body_never_hurts() {
    let f = Build::entry();
    let body = [
        f.bind("t", f.create()),
        f.bind("u", f.slice(f.var("t"))),
        f.call("k", &["u"]),
    ];
    assert_eq!(codes(f, body), []);
}
