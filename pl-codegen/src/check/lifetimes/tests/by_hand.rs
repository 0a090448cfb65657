use super::{check, codes, fill};
use crate::diag::Code;
use crate::ir::{Block, ScopeMode, StmtKind, Type};
use crate::testing::Build;

#[test]
fn a_tensor_used_after_its_scope_points_at_the_use_and_at_both_other_places() {
    let f = Build::by_hand();
    let (later, create) = (f.later("t"), f.create());
    let made = create.span;
    let scope = f.scope_of(ScopeMode::Auto, [f.assign("t", create), fill(&f, "t")]);
    let opened = scope.span;
    let used = f.var("t");
    let use_span = used.span;
    let body = [later, f.run(scope), f.run(f.apply("k", [used]))];
    let [found] = &check(f.finish(body))[..] else {
        panic!()
    };
    assert_eq!((found.code, found.span), (Code::UsedAfterScope, use_span));
    assert_eq!(
        found.message,
        "`t` is used after its `scope!` closed, which freed its tensor"
    );
    assert_eq!(
        found.notes[0],
        (made, "the tensor is created here, as `t`".to_owned())
    );
    assert_eq!(
        found.notes[1],
        (opened, "the scope that owns it opens here".to_owned())
    );
    assert!(
        found
            .help
            .starts_with("hoist the `create_tensor` above the scope"),
        "{found:?}"
    );
}

#[test]
fn every_use_is_reported_but_not_what_follows_from_it() {
    let f = Build::by_hand();
    let body = [
        f.later("t"),
        f.scope([f.assign("t", f.create())]),
        f.bind("y", f.slice(f.var("t"))),
        f.call("k", &["y"]),
        f.call("k", &["t", "t"]),
    ];
    assert_eq!(codes(f, body), [Code::UsedAfterScope; 3]);
}

#[test]
fn a_dead_assignment_is_fine() {
    let f = Build::by_hand();
    let body = [
        f.later("t"),
        f.scope([f.assign("t", f.create()), fill(&f, "t")]),
    ];
    assert_eq!(codes(f, body), []);
}

#[test]
fn assigning_again_before_the_use_is_fine() {
    let f = Build::by_hand();
    let body = [
        f.bind("t", f.var("x")),
        f.scope([f.assign("t", f.create())]),
        f.assign("t", f.var("x")),
        f.call("k", &["t"]),
    ];
    assert_eq!(codes(f, body), []);
}

#[test]
fn outer_tensors_are_usable_inside_and_after_inner_scopes() {
    let f = Build::by_hand();
    let body = [f.scope([
        f.bind("t", f.create()),
        f.scope([
            fill(&f, "t"),
            f.bind("u", f.var("t")),
            f.assign("t", f.var("u")),
        ]),
        f.call("k", &["t", "o"]),
    ])];
    assert_eq!(codes(f, body), []);
}

#[test]
fn a_use_after_any_of_several_scopes_names_the_one_that_owns_it() {
    for (used_inside, expected) in [(true, vec![]), (false, vec![Code::UsedAfterScope])] {
        let f = Build::by_hand();
        let inner = f.scope([f.assign("t", f.var("a"))]);
        let last = f.call("k", &["t"]);
        let (within, after) = if used_inside {
            (last, f.call("k", &["x"]))
        } else {
            (f.call("k", &["x"]), last)
        };
        let body = [
            f.later("t"),
            f.scope([f.bind("a", f.create()), inner, within]),
            after,
        ];
        assert_eq!(codes(f, body), expected);
    }
}

#[test]
fn views_belong_to_whom_their_tensor_belongs() {
    let f = Build::by_hand();
    let body = [
        f.bind("v", f.var("x")),
        f.scope([f.bind("t", f.create()), f.assign("v", f.slice(f.var("t")))]),
        f.call("k", &["v"]),
        f.scope([f.assign("v", f.slice(f.var("x")))]),
        f.call("k", &["v"]),
    ];
    assert_eq!(codes(f, body), [Code::UsedAfterScope]);
}

#[test]
fn reading_a_dimension_or_an_element_is_a_use() {
    let f = Build::by_hand();
    let body = [
        f.later("t"),
        f.scope([f.assign("t", f.create())]),
        f.bind("v", f.get("t")),
    ];
    assert_eq!(codes(f, body), [Code::UsedAfterScope]);
}

#[test]
fn a_scalar_read_from_an_inner_tensor_may_leave_the_scope() {
    let f = Build::by_hand();
    let body = [
        f.bind("n", f.int(0)),
        f.scope([f.bind("t", f.create()), f.assign("n", f.get("t"))]),
        f.call("k", &["n", "o"]),
    ];
    assert_eq!(codes(f, body), []);
}

#[test]
fn what_a_call_returns_belongs_to_the_scope_of_the_call() {
    let f = Build::by_hand();
    let body = [
        f.bind("y", f.var("x")),
        f.scope([f.assign("y", f.apply("helper", [f.var("x")]))]),
        f.call("k", &["y"]),
    ];
    let [found] = &check(f.finish(body))[..] else {
        panic!()
    };
    assert_eq!(found.code, Code::UsedAfterScope);
    let note = "what `helper` returns belongs to the scope of this call";
    assert_eq!(found.notes[0].1, note);
    assert_eq!(found.help, "call `helper` above the scope");
}

#[test]
fn what_a_call_returned_is_a_scalar_where_only_a_scalar_can_stand() {
    let f = Build::by_hand();
    let count = f.apply("count", [f.var("x")]);
    let value: Block = ([], count).into();
    let body = [
        f.bind("n", f.scope_of(ScopeMode::Auto, value)),
        f.bind("t", f.create_of([f.var("n")])),
    ];
    assert_eq!(codes(f, body), []);
}

#[test]
fn a_branch_beside_a_scalar_gives_no_handle() {
    let f = Build::entry();
    let then: Block = ([], f.apply("count", [f.var("x")])).into();
    let mut value = f.choose(then, Some(([], f.int(0)).into()));
    value.ty = Type::usize();
    let body = [f.run(f.apply("k", [value]))];
    assert_eq!(codes(f, body), []);
}

#[test]
fn handles_flow_through_tuples_one_by_one() {
    let f = Build::by_hand();
    let body = [
        f.bind("a", f.var("x")),
        f.bind("b", f.var("x")),
        f.scope([
            f.bind("t", f.create()),
            f.assign_both(["a", "b"], ["t", "x"]),
            f.assign_both(["a", "b"], ["b", "a"]),
        ]),
        f.call("k", &["a"]),
        f.call("k", &["b"]),
    ];
    let found = check(f.finish(body));
    let messages: Vec<&str> = found.iter().map(|each| each.message.as_str()).collect();
    assert_eq!(
        messages,
        ["`b` is used after its `scope!` closed, which freed its tensor"]
    );
}

#[test]
fn one_branch_that_keeps_an_inner_tensor_is_enough() {
    let f = Build::by_hand();
    let keeps: Block = [f.scope([f.assign("t", f.create())])].into();
    let body = [
        f.bind("t", f.var("x")),
        f.when([], Some(keeps)),
        f.call("k", &["t"]),
    ];
    assert_eq!(codes(f, body), [Code::UsedAfterScope]);
}

#[test]
fn a_use_in_the_branch_that_does_not_keep_it_is_fine() {
    let f = Build::by_hand();
    let keeps: Block = [f.scope([f.assign("t", f.create())])].into();
    let body = [
        f.bind("t", f.var("x")),
        f.when([f.call("k", &["t"])], Some(keeps)),
    ];
    assert_eq!(codes(f, body), []);
}

#[test]
fn a_branch_that_leaves_the_loop_does_not_reach_the_code_after_it() {
    let f = Build::by_hand();
    let leaves = f.when([f.assign("t", f.create()), f.stmt(StmtKind::Break)], None);
    let body = [
        f.bind("t", f.var("x")),
        f.each("i", [f.scope([leaves, f.call("k", &["t"])])]),
        f.call("last", &["t"]),
    ];
    let found = check(f.finish(body));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].code, Code::UsedAfterScope);
}

#[test]
fn code_after_break_is_not_judged() {
    let f = Build::by_hand();
    let body = [
        f.later("t"),
        f.each(
            "i",
            [
                f.scope([f.assign("t", f.create())]),
                f.stmt(StmtKind::Break),
                f.call("k", &["t"]),
            ],
        ),
    ];
    assert_eq!(codes(f, body), []);
}
