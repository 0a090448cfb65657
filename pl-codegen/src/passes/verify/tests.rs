use super::verify;
use crate::ir::{
    Access, BatchId, Block, BlockFact, CalleeId, CaptureId, Create, Dim, Expr, ExprKind, Function,
    ScopeMode, Stmt, StmtKind, Type, VarId,
};
use crate::ops::Op;
use crate::passes::{Validated, batch_allocs, derive_directions, insert_auto_scopes};
use crate::testing::{Build, F32};

fn broken(f: Build, body: impl Into<Block>) -> Vec<String> {
    verify(&f.finish(body)).expect_err("a broken rule")
}

fn alloc(f: &Build, batch: u32, tensors: usize) -> Stmt {
    let create = Create {
        elem: F32,
        dims: vec![f.int(4)],
        init: None,
        manual_dep: false,
    };
    f.stmt(StmtKind::Alloc {
        batch: BatchId(batch),
        creates: vec![create; tensors],
    })
}

fn tensor(f: &Build, batch: u32, index: u32) -> Expr {
    f.expr(
        ExprKind::AllocRef {
            batch: BatchId(batch),
            index,
        },
        Type::Tensor(F32),
    )
}

#[test]
fn what_the_passes_give_is_valid() {
    let f = Build::entry();
    let inner = [
        f.bind("t", f.create()),
        f.call("k", &["x", "t"]),
        f.call("k", &["t", "o"]),
    ];
    let leaves = f.when([f.call("k", &["x", "o"]), f.stmt(StmtKind::Break)], None);
    let body = [
        f.each("i", inner),
        f.repeat([leaves]),
        f.manual([f.call("k", &["x", "o"])]),
    ];
    let function = batch_allocs(insert_auto_scopes(f.finish(body)));
    assert_eq!(verify(&function), Ok(()));
    let accesses = |_| Some(vec![Some(Access::Read), Some(Access::Write)]);
    assert_eq!(verify(&derive_directions(function, &accesses)), Ok(()));
}

#[test]
fn c050_c20_an_entry_whose_scopes_were_not_inserted_is_refused() {
    let f = Build::entry();
    let body = [f.each("i", [f.call("k", &["x", "o"])])];
    assert_eq!(broken(f, body), ["the scopes of `f` were not inserted"]);
}

#[test]
fn c051_c052_an_emitter_cannot_be_given_what_was_not_verified() {
    let f = Build::entry();
    let old = f.call("k", &["x", "o"]);
    let old = f.finish([old]);
    let new = insert_auto_scopes(old.clone());
    assert!(Validated::new(old).is_err(), "the function before the pass");
    assert!(Validated::new(new).is_ok());
}

#[test]
fn c054_an_entry_whose_scopes_were_inserted_is_valid() {
    let f = Build::entry();
    let body = [f.call("k", &["x", "o"])];
    assert_eq!(verify(&insert_auto_scopes(f.finish(body))), Ok(()));
    let f = Build::entry();
    assert_eq!(verify(&f.finish([])), Ok(()), "nothing to be scoped");
}

#[test]
fn c056_an_entry_that_opts_out_needs_no_scopes() {
    let f = Build::by_hand();
    let body = [f.each("i", [f.call("k", &["x", "o"])])];
    assert_eq!(verify(&f.finish(body)), Ok(()));
}

#[test]
fn ids_are_in_range() {
    let f = Build::by_hand();
    let exprs = [
        ExprKind::Var(VarId(99)),
        ExprKind::Dim(3),
        ExprKind::Capture(CaptureId(4)),
        ExprKind::Call(crate::ir::Call {
            callee: CalleeId(5),
            args: Vec::new(),
            directions: Vec::new(),
            launch: None,
            outputs: Vec::new(),
        }),
    ];
    let body = exprs.map(|kind| f.run(f.expr(kind, Type::Unit)));
    let expected = [
        "variable 99 is out of range",
        "named dimension 3 is out of range",
        "constant 4 is out of range",
        "callee 5 is out of range",
    ];
    assert_eq!(broken(f, body), expected);
}

#[test]
fn ids_in_types_and_parameters_are_in_range() {
    let f = Build::by_hand();
    let mut function = f.finish(Block::default());
    function.params[0].dims = vec![Dim::Named(7)];
    function.vars[1].ty = Type::Tuple(vec![
        Type::Captured(CaptureId(8)),
        Type::ResultOf(CalleeId(9)),
    ]);
    let expected = [
        "constant 8 is out of range",
        "callee 9 is out of range",
        "named dimension 7 is out of range",
    ];
    assert_eq!(verify(&function).unwrap_err(), expected);
}

#[test]
fn variables_are_declared_before_they_are_used_and_visible_there() {
    let f = Build::by_hand();
    let early = f.call("k", &["t"]);
    let block = f.run(f.expr(ExprKind::Block([f.bind("u", f.int(1))].into()), Type::Unit));
    let body = [
        early,
        f.bind("t", f.var("x")),
        block,
        f.assign("u", f.int(2)),
    ];
    let expected = [
        "variable `t` (2) is used where it is not declared",
        "variable `u` (3) is used where it is not declared",
    ];
    assert_eq!(broken(f, body), expected);
}

#[test]
fn a_loop_variable_is_visible_in_its_loop_only() {
    let f = Build::by_hand();
    let body = [f.each("i", [f.call("k", &["i"])]), f.call("k", &["i"])];
    assert_eq!(
        broken(f, body),
        ["variable `i` (2) is used where it is not declared"]
    );
}

#[test]
fn a_variable_is_declared_once() {
    let f = Build::by_hand();
    let body = [f.bind("t", f.int(1)), f.bind("t", f.int(2))];
    assert_eq!(broken(f, body), ["variable `t` (2) is declared twice"]);
}

#[test]
fn break_and_continue_stand_in_loops() {
    let f = Build::by_hand();
    let body = [
        f.each("i", [f.when([f.stmt(StmtKind::Break)], None)]),
        f.repeat([f.scope([f.stmt(StmtKind::Continue)])]),
        f.stmt(StmtKind::Break),
        f.stmt(StmtKind::Continue),
    ];
    assert_eq!(broken(f, body), ["`break` or `continue` outside a loop"; 2]);
}

#[test]
fn orchestration_has_no_creates_scratch_scopes_or_tile_operations() {
    let f = Build::by_hand();
    let body = [
        f.bind("t", f.create()),
        f.scratch([]),
        f.run(f.op(Op::Load, [f.var("x")])),
    ];
    let expected = [
        "a create outside a batch",
        "`scratch_scope!` in orchestration code",
        "operation `load` in orchestration code",
    ];
    assert_eq!(broken(f, body), expected);
}

#[test]
fn in_core_code_has_no_batches_and_no_runtime_scopes() {
    let f = Build::incore();
    let body = [alloc(&f, 0, 1), f.scope([])];
    assert_eq!(
        broken(f, body),
        ["batch 0 in in-core code", "a scope in in-core code"]
    );
    let f = Build::incore();
    let body = [
        f.bind("t", f.create()),
        f.scratch([f.run(f.op(Op::Exp, [f.var("t")]))]),
    ];
    assert_eq!(verify(&f.finish(body)), Ok(()));
}

#[test]
fn a_batch_has_an_id_of_its_own_and_one_to_sixteen_tensors() {
    let f = Build::by_hand();
    let body = [
        alloc(&f, 0, 0),
        alloc(&f, 1, 17),
        alloc(&f, 2, 16),
        f.scope([alloc(&f, 2, 1)]),
    ];
    let expected = [
        "batch 0 has 0 tensors",
        "batch 1 has 17 tensors",
        "batch 2 is made twice",
    ];
    assert_eq!(broken(f, body), expected);
}

#[test]
fn a_tensor_of_a_batch_is_used_after_and_within_reach_of_its_batch() {
    let f = Build::by_hand();
    let body = [
        f.run(tensor(&f, 0, 0)),
        alloc(&f, 0, 2),
        f.scope([f.run(tensor(&f, 0, 1)), alloc(&f, 1, 1)]),
        f.run(tensor(&f, 0, 2)),
        f.run(tensor(&f, 1, 0)),
    ];
    let expected = [
        "tensor 0 of batch 0 is not made before its use",
        "tensor 2 of batch 0 is not made before its use",
        "tensor 0 of batch 1 is not made before its use",
    ];
    assert_eq!(broken(f, body), expected);
}

fn implicit(f: &Build, mode: ScopeMode, body: impl Into<Block>) -> Stmt {
    f.run(f.expr(
        ExprKind::Scope {
            mode,
            implicit: true,
            body: body.into(),
        },
        Type::Unit,
    ))
}

#[test]
fn no_scope_stands_inside_a_manual_one() {
    let f = Build::by_hand();
    let deep = f.each("i", [implicit(&f, ScopeMode::Auto, [])]);
    let body = [
        f.manual([deep, f.manual([]), f.scope([])]),
        f.scope([f.manual([])]),
    ];
    let expected = [
        "a scope that the compiler placed (AUTO) inside a MANUAL scope",
        "a scope (MANUAL) inside a MANUAL scope",
        "a scope (AUTO) inside a MANUAL scope",
    ];
    assert_eq!(broken(f, body), expected);
}

#[test]
fn a_scope_that_the_compiler_placed_is_auto() {
    let f = Build::by_hand();
    let body = [implicit(&f, ScopeMode::Manual, [])];
    assert_eq!(
        broken(f, body),
        ["a scope that the compiler placed is MANUAL"]
    );
}

#[test]
fn directions_are_as_many_as_arguments() {
    let f = Build::by_hand();
    let body = [f.call("k", &["x", "o"])];
    let function: Function = f.finish(body);
    let one = derive_directions(function, &|_| Some(vec![None]));
    assert_eq!(
        verify(&one).unwrap_err(),
        ["a call has 1 directions and 2 arguments"]
    );
}

#[test]
fn tasks_are_named_in_orchestration_and_blocks_in_core_alone() {
    let f = Build::incore();
    let base = f.create().into();
    let axis = f.int(0).into();
    let part = f.expr(ExprKind::Partition { base, axis }, Type::Tile(F32));
    let body = [f.run(f.submit("k", &["x"], &[])), f.run(part)];
    let expected = [
        "a submit in in-core code",
        "a block's part of what is no tensor parameter of in-core code",
    ];
    assert_eq!(broken(f, body), expected);

    let f = Build::by_hand();
    let idx = f.run(f.expr(ExprKind::OfBlock(BlockFact::Idx), Type::usize()));
    let set = f.set_task("ids", f.barrier(&[]));
    let expected = [
        "`block_idx` in orchestration code",
        "variable `ids` (2) is used where it is not declared",
    ];
    assert_eq!(broken(f, [idx, set]), expected);
}
