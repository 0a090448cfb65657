use super::{check, codes, fill};
use crate::diag::Code;
use crate::ir::{Block, Kind, ScopeMode, Type};
use crate::testing::{Build, F32};

#[test]
fn the_value_of_a_scope_is_reported_once_at_the_value() {
    let f = Build::by_hand();
    let bind = f.bind("t", f.create());
    let tail = f.var("t");
    let value = tail.span;
    let inner: Block = ([bind, fill(&f, "t")], tail).into();
    let scope = f.scope_of(ScopeMode::Auto, inner);
    let body = [f.bind("y", scope), f.call("k", &["y"]), f.call("k", &["y"])];
    let [found] = &check(f.finish(body))[..] else {
        panic!()
    };
    assert_eq!((found.code, found.span), (Code::ScopeValue, value));
    assert_eq!(
        found.message,
        "the value of this `scope!` is a tensor that the scope owns"
    );
    assert_eq!(found.notes.len(), 3);
}

#[test]
fn the_value_of_a_scope_may_be_used_without_a_name() {
    let f = Build::by_hand();
    let value: Block = ([], f.create()).into();
    let pair: Block = ([f.bind("t", f.create())], f.var("t")).into();
    let body = [
        f.run(f.apply("k", [f.scope_of(ScopeMode::Manual, value)])),
        f.run(f.apply("k", [f.slice(f.scope_of(ScopeMode::Auto, pair))])),
    ];
    assert_eq!(codes(f, body), [Code::ScopeValue; 2]);
}

#[test]
fn a_value_that_nobody_uses_is_fine() {
    let f = Build::by_hand();
    let last: Block = ([f.bind("t", f.create())], f.apply("k", [f.var("t")])).into();
    let body = [f.scope(last)];
    assert_eq!(codes(f, body), []);
}

#[test]
fn the_value_of_a_scope_may_be_an_outer_handle() {
    let f = Build::by_hand();
    let inner: Block = ([f.bind("t", f.create())], f.slice(f.var("x"))).into();
    let body = [
        f.bind("y", f.scope_of(ScopeMode::Auto, inner)),
        f.call("k", &["y"]),
    ];
    assert_eq!(codes(f, body), []);
}

#[test]
fn an_inline_function_may_return_what_it_creates_but_not_from_a_scope() {
    for (scoped, expected) in [(false, vec![]), (true, vec![Code::ScopeValue])] {
        let f = Build::new(Kind::Inline);
        let block: Block = ([f.bind("t", f.create())], f.var("t")).into();
        let body = if scoped {
            ([], f.scope_of(ScopeMode::Manual, block)).into()
        } else {
            block
        };
        let mut function = f.finish(body);
        function.returns = vec![Type::Tensor(F32)];
        let found: Vec<Code> = check(function).iter().map(|each| each.code).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn a_scalar_that_a_call_gives_may_leave_its_scope() {
    let f = Build::by_hand();
    let count: Block = ([], f.apply("count", [f.var("x")])).into();
    let scope = f.scope_of(ScopeMode::Auto, count);
    let body = [f.bind("n", f.add(scope, f.int(1)))];
    assert_eq!(codes(f, body), []);
}

#[test]
fn a_view_of_the_value_of_a_scope_is_a_use() {
    let f = Build::by_hand();
    let inner: Block = ([f.bind("t", f.create())], f.var("t")).into();
    let body = [f.bind("y", f.slice(f.scope_of(ScopeMode::Auto, inner)))];
    assert_eq!(codes(f, body), [Code::ScopeValue]);
}

#[test]
fn a_function_that_returns_a_scalar_returns_no_handle() {
    let f = Build::new(Kind::Inline);
    f.tensor("x", crate::ir::Access::Read);
    let inner: Block = ([], f.apply("count", [f.var("x")])).into();
    let body: Block = ([], f.scope_of(ScopeMode::Manual, inner)).into();
    let mut function = f.finish(body);
    function.returns = vec![Type::usize()];
    assert_eq!(check(function), []);
}
