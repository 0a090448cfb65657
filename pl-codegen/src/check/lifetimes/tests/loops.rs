use super::{check, codes, fill};
use crate::diag::Code;
use crate::ir::{Block, Stmt};
use crate::testing::Build;

fn carrying(f: &Build) -> Stmt {
    f.each(
        "i",
        [
            f.bind("next", f.create()),
            f.call("k", &["cur", "next"]),
            f.assign("cur", f.var("next")),
        ],
    )
}

#[test]
fn a_tensor_carried_into_the_next_iteration() {
    let f = Build::entry();
    let body = [f.bind("cur", f.var("x")), carrying(&f)];
    let [found] = &check(f.finish(body))[..] else {
        panic!()
    };
    assert_eq!(found.code, Code::LoopCarried);
    assert!(
        found
            .message
            .starts_with("`cur` holds a tensor of an earlier iteration"),
        "{found:?}"
    );
    assert_eq!(found.notes[0].1, "the tensor is created here, as `next`");
    let help = "make the tensors of `cur` and `next` before the loop, and let them take turns: write \
                `(cur, next) = (next, cur)` where `cur` is assigned; or write `auto_scope = false` and place the scopes yourself";
    assert_eq!(found.help, help);
}

#[test]
fn a_tensor_carried_out_of_the_loop() {
    let f = Build::entry();
    let body = [
        f.bind("cur", f.var("x")),
        carrying(&f),
        f.call("last", &["cur"]),
    ];
    assert_eq!(codes(f, body), [Code::LoopCarried, Code::UsedAfterScope]);
}

#[test]
fn two_outer_tensors_may_be_swapped_in_a_loop() {
    let f = Build::entry();
    let body = [
        f.bind("a", f.create()),
        f.bind("b", f.create()),
        f.each(
            "i",
            [
                f.call("k", &["a", "b"]),
                f.assign_both(["a", "b"], ["b", "a"]),
            ],
        ),
        f.call("last", &["a"]),
    ];
    assert_eq!(codes(f, body), []);
}

#[test]
fn without_a_scope_in_the_loop_a_carry_is_fine() {
    let f = Build::by_hand();
    let body = [f.scope([
        f.bind("cur", f.var("x")),
        carrying(&f),
        f.call("last", &["cur"]),
    ])];
    assert_eq!(codes(f, body), []);
}

#[test]
fn assigning_at_the_start_of_each_iteration_cuts_the_carry() {
    let f = Build::entry();
    let body = [
        f.bind("t", f.var("x")),
        f.repeat([f.assign("t", f.create()), fill(&f, "t")]),
        f.assign("t", f.var("x")),
        f.call("k", &["t"]),
    ];
    assert_eq!(codes(f, body), []);
}

#[test]
fn continue_carries_and_break_leaves() {
    use crate::ir::StmtKind::{Break, Continue};
    for (jump, expected) in [
        (
            Continue,
            [Code::LoopCarried, Code::UsedAfterScope].as_slice(),
        ),
        (Break, [Code::UsedAfterScope].as_slice()),
    ] {
        let f = Build::by_hand();
        let body = [
            f.bind("t", f.var("x")),
            f.each(
                "i",
                [
                    f.call("k", &["t"]),
                    f.scope([
                        f.assign("t", f.create()),
                        f.when([f.stmt(jump)], None),
                        f.assign("t", f.var("x")),
                    ]),
                ],
            ),
            f.call("last", &["t"]),
        ];
        assert_eq!(codes(f, body), expected);
    }
}

#[test]
fn a_chain_of_carries_needs_as_many_iterations_as_it_is_long() {
    let f = Build::entry();
    let body = [
        f.bind("a", f.var("x")),
        f.bind("b", f.var("x")),
        f.bind("c", f.var("x")),
        f.each(
            "i",
            [
                f.call("k", &["a"]),
                f.assign("a", f.var("b")),
                f.assign("b", f.var("c")),
                f.assign("c", f.create()),
            ],
        ),
    ];
    // Reported where the handle is first read too late; it goes no further from there.
    let found = check(f.finish(body));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0]
            .message
            .starts_with("`c` holds a tensor of an earlier iteration"),
        "{found:?}"
    );
}

#[test]
fn a_carry_of_an_outer_loop_is_seen_in_an_inner_one() {
    let f = Build::entry();
    let body = [
        f.bind("t", f.var("x")),
        f.each(
            "i",
            [
                f.each("j", [f.call("k", &["t"])]),
                f.assign("t", f.create()),
            ],
        ),
    ];
    assert_eq!(codes(f, body), [Code::LoopCarried]);
}

#[test]
fn after_an_inner_loop_its_carry_is_a_use_after_the_scope() {
    let f = Build::entry();
    let body = [
        f.bind("t", f.var("x")),
        f.each(
            "i",
            [
                f.assign("t", f.var("x")),
                f.each("j", [f.assign("t", f.create())]),
                f.call("k", &["t"]),
            ],
        ),
    ];
    assert_eq!(codes(f, body), [Code::UsedAfterScope]);
}

#[test]
fn the_condition_of_a_while_is_read_in_every_iteration() {
    let f = Build::entry();
    let cond = f.less(f.get("t"), f.int(1));
    let body: Block = [f.assign("t", f.create()), fill(&f, "t")].into();
    let body = [
        f.bind("t", f.var("x")),
        f.stmt(crate::ir::StmtKind::While { cond, body }),
    ];
    assert_eq!(codes(f, body), [Code::LoopCarried]);
}

#[test]
fn deep_nests_of_loops_are_judged_in_one_walk() {
    let f = Build::by_hand();
    let start: Block = carrying_block(&f);
    let body = (0..200).fold(start, |body, _| [f.each("i", body)].into());
    let stmts = [f.bind("cur", f.var("x")), f.each("j", body)];
    assert_eq!(codes(f, stmts), [Code::LoopCarried]);
}

fn carrying_block(f: &Build) -> Block {
    [f.scope([
        f.bind("next", f.create()),
        f.call("k", &["cur"]),
        f.assign("cur", f.var("next")),
    ])]
    .into()
}
