use super::{CallSite, MAX_SCOPES, Opens, call_sites, check_nesting, opens};
use crate::diag::Code;
use crate::ir::{Block, CalleeId, Function, Kind, ScopeMode, SpanId};
use crate::passes::insert_auto_scopes;
use crate::testing::Build;

fn codes(function: &Function) -> Vec<Code> {
    check_nesting(function)
        .iter()
        .map(|diagnostic| diagnostic.code)
        .collect()
}

#[test]
fn c014_c015_manual_is_accepted_where_the_compiler_places_scopes() {
    let f = Build::entry();
    let body = [f.manual([f.call("k", &["o"])])];
    assert_eq!(codes(&f.finish(body)), []);
}

#[test]
fn c012_c017_auto_by_hand_needs_the_opt_out() {
    let f = Build::entry();
    let body = [f.scope([f.call("k", &["o"])])];
    let function = f.finish(body);
    let [diagnostic] = &check_nesting(&function)[..] else {
        panic!()
    };
    assert_eq!(diagnostic.code, Code::AutoByHand);
    assert_eq!(diagnostic.notes[0].0, function.span);
    assert!(
        diagnostic.help.contains("`#[pl::jit(auto_scope = false)]`"),
        "{diagnostic:?}"
    );
}

#[test]
fn the_help_of_auto_by_hand_names_the_attribute_of_the_function() {
    let f = Build::new(Kind::Inline);
    let body = [f.scope([])];
    let found = check_nesting(&f.finish(body));
    assert!(
        found[0]
            .help
            .contains("`#[pl::jit::inline(auto_scope = false)]`"),
        "{found:?}"
    );
}

#[test]
fn auto_by_hand_comes_before_auto_inside_manual() {
    let f = Build::entry();
    let body = [f.manual([f.scope([f.call("k", &["o"])])])];
    assert_eq!(codes(&f.finish(body)), [Code::AutoByHand]);
}

#[test]
fn c018_a_carry_assigned_after_a_scope_in_the_loop_is_fine() {
    let f = Build::by_hand();
    let inner = [
        f.scope([f.call("k", &["x", "o"])]),
        f.assign("cur", f.var("o")),
    ];
    let body = [f.bind("cur", f.var("x")), f.each("i", inner)];
    let function = f.finish(body);
    assert_eq!(codes(&function), []);
    assert_eq!(crate::check::check_lifetimes(&function), []);
}

#[test]
fn c020_auto_inside_manual() {
    let f = Build::by_hand();
    let inner = f.scope_of(ScopeMode::Auto, [f.call("k", &["o"])]);
    let auto = inner.span;
    let outer = f.scope_of(ScopeMode::Manual, [f.run(inner)]);
    let manual = outer.span;
    let body = [f.run(outer)];
    let [diagnostic] = &check_nesting(&f.finish(body))[..] else {
        panic!()
    };
    assert_eq!(
        (diagnostic.code, diagnostic.span),
        (Code::AutoInsideManual, auto)
    );
    assert_eq!(diagnostic.notes[0].0, manual);
}

#[test]
fn auto_inside_manual_is_seen_through_loops_branches_and_blocks() {
    let f = Build::by_hand();
    let deep = f.each("i", [f.repeat([f.when([f.scope([])], None)])]);
    let value: Block = ([], f.scope_of(ScopeMode::Auto, [])).into();
    let otherwise: Block = [f.scope([])].into();
    let body = [f.manual([deep, f.bind("y", f.choose(value, Some(otherwise)))])];
    assert_eq!(codes(&f.finish(body)), [Code::AutoInsideManual; 3]);
}

#[test]
fn each_scope_is_reported_once_and_names_the_manual_scope_around_all() {
    let f = Build::by_hand();
    let outer = f.scope_of(ScopeMode::Manual, [f.manual([f.scope([])])]);
    let manual = outer.span;
    let body = [f.run(outer)];
    let found = check_nesting(&f.finish(body));
    let codes: Vec<Code> = found.iter().map(|each| each.code).collect();
    assert_eq!(codes, [Code::ManualInsideManual, Code::AutoInsideManual]);
    assert!(found.iter().all(|each| each.notes[0].0 == manual));
}

#[test]
fn scopes_beside_a_manual_scope_are_fine() {
    let f = Build::by_hand();
    let body = [f.scope([f.manual([])]), f.manual([]), f.scope([])];
    assert_eq!(codes(&f.finish(body)), []);
}

#[test]
fn runtime_scopes_are_refused_in_core_whatever_their_mode() {
    let f = Build::incore();
    let body = [f.scope([]), f.manual([f.scope([])]), f.scratch([])];
    assert_eq!(codes(&f.finish(body)), [Code::ScopeInIncore; 3]);
}

#[test]
fn scratch_scopes_are_refused_in_orchestration() {
    let f = Build::by_hand();
    let body = [f.each("i", [f.scratch([])])];
    assert_eq!(codes(&f.finish(body)), [Code::ScratchInOrchestration]);
}

fn nested(f: &Build, scopes: u32) -> Block {
    (0..scopes).fold(Block::default(), |body, _| [f.scope(body)].into())
}

#[test]
fn sixty_three_scopes_and_the_root_are_the_limit() {
    let f = Build::by_hand();
    let body = nested(&f, MAX_SCOPES - 1);
    assert_eq!(codes(&f.finish(body)), []);
    let f = Build::by_hand();
    let body = nested(&f, MAX_SCOPES + 5);
    assert_eq!(codes(&f.finish(body)), [Code::TooDeep]);
}

#[test]
fn scopes_of_the_compiler_count_towards_the_depth() {
    let f = Build::entry();
    let start: Block = [f.call("k", &["o"])].into();
    let body = (0..MAX_SCOPES - 1).fold(start, |body, _| [f.each("i", body)].into());
    let function = f.finish(body);
    assert_eq!(codes(&function), []);
    assert_eq!(codes(&insert_auto_scopes(function)), [Code::TooDeep]);
}

#[test]
fn opens_tells_the_first_scopes_by_hand_and_the_depth() {
    let f = Build::by_hand();
    let manual = f.scope_of(ScopeMode::Manual, []);
    let auto = f.scope_of(ScopeMode::Auto, [f.run(manual.clone())]);
    let expected = Opens {
        auto: Some(auto.span),
        manual: Some(manual.span),
        depth: 2,
    };
    let body = [f.run(auto), f.scope([]), f.manual([])];
    assert_eq!(opens(&f.finish(body)), expected);
}

#[test]
fn opens_counts_scopes_of_the_compiler_as_depth_only() {
    let f = Build::entry();
    let body = [f.each("i", [f.call("k", &["o"])])];
    let function = insert_auto_scopes(f.finish(body));
    assert_eq!(
        opens(&function),
        Opens {
            auto: None,
            manual: None,
            depth: 2
        }
    );
}

#[test]
fn call_sites_tell_depth_and_manual_scope() {
    let f = Build::by_hand();
    let [a, b, c] = ["a", "b", "c"].map(|name| f.apply(name, [f.var("o")]));
    let spans = [a.span, b.span, c.span];
    let scope = f.scope_of(ScopeMode::Manual, [f.each("i", [f.run(b)])]);
    let manual = scope.span;
    let body = [f.run(a), f.scope([f.run(scope)]), f.run(c)];
    let site = |i: usize, inside_manual: Option<SpanId>, depth| CallSite {
        callee: CalleeId(i as u32),
        span: spans[i],
        inside_manual,
        depth,
        submits: false,
        in_core: false,
    };
    let expected = [site(0, None, 0), site(1, Some(manual), 2), site(2, None, 0)];
    assert_eq!(call_sites(&f.finish(body)), expected);
}
