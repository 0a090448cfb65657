use super::batch_allocs;
use crate::ir::{BinaryOp, Block, ExprKind, Function, ScopeMode, StmtKind};
use crate::passes::verify;
use crate::testing::Build;

/// The body after batching, without the header line, one statement a line.
fn batched(function: Function) -> Vec<String> {
    let function = batch_allocs(function);
    assert_eq!(verify(&function), Ok(()), "{function}");
    let text = function.to_string();
    let lines = text.lines().skip(1).map(|line| line.trim().to_owned());
    lines.filter(|line| line != "}").collect()
}

#[test]
fn creates_between_calls_share_one_call() {
    let f = Build::by_hand();
    let body = [
        f.bind("a", f.create()),
        f.bind("n", f.int(8)),
        f.bind("b", f.create()),
        f.call("k", &["a", "b"]),
        f.bind("c", f.create()),
    ];
    let expected = [
        "alloc 0 = alloc_tensors([create f32 [4], create f32 [4]]);",
        "let a: Tensor<f32> = alloc 0.get_ref(0);",
        "let n: {integer} = 8;",
        "let b: Tensor<f32> = alloc 0.get_ref(1);",
        "call k(a, b);",
        "alloc 1 = alloc_tensors([create f32 [4]]);",
        "let c: Tensor<f32> = alloc 1.get_ref(0);",
    ];
    assert_eq!(batched(f.finish(body)), expected);
}

#[test]
fn sixteen_tensors_fill_a_call() {
    let f = Build::by_hand();
    let stmts: Vec<_> = (0..33)
        .map(|i| f.bind(&format!("t{i}"), f.create()))
        .collect();
    let lines = batched(f.finish(Block { stmts, tail: None }));
    let sizes: Vec<usize> = lines
        .iter()
        .filter(|line| line.starts_with("alloc"))
        .map(|line| line.matches("create").count())
        .collect();
    assert_eq!(sizes, [16, 16, 1]);
    assert_eq!(
        lines[lines.len() - 1],
        "let t32: Tensor<f32> = alloc 2.get_ref(0);"
    );
}

#[test]
fn seventeen_creates_in_one_statement_fill_a_call_and_open_another() {
    let f = Build::by_hand();
    let args: Vec<_> = (0..17).map(|_| f.create()).collect();
    let body = [f.run(f.apply("k", args))];
    let lines = batched(f.finish(body));
    assert_eq!(lines.len(), 3);
    assert!(
        lines[2].ends_with("alloc 0.get_ref(15), alloc 1.get_ref(0));"),
        "{lines:?}"
    );
}

#[test]
fn a_create_stays_behind_the_values_of_its_shape() {
    let f = Build::by_hand();
    let body = [
        f.bind("a", f.create()),
        f.bind("n", f.int(8)),
        f.bind("b", f.create_of([f.var("n")])),
        f.bind("c", f.create()),
    ];
    let expected = [
        "alloc 0 = alloc_tensors([create f32 [4]]);",
        "let a: Tensor<f32> = alloc 0.get_ref(0);",
        "let n: {integer} = 8;",
        "alloc 1 = alloc_tensors([create f32 [n], create f32 [4]]);",
        "let b: Tensor<f32> = alloc 1.get_ref(0);",
        "let c: Tensor<f32> = alloc 1.get_ref(1);",
    ];
    assert_eq!(batched(f.finish(body)), expected);
}

#[test]
fn a_create_stays_behind_an_assignment_in_a_branch() {
    let f = Build::by_hand();
    let body = [
        f.bind("n", f.int(8)),
        f.bind("a", f.create()),
        f.when([f.assign("n", f.int(16))], None),
        f.bind("b", f.create()),
        f.bind("c", f.create_of([f.var("n")])),
    ];
    let lines = batched(f.finish(body));
    assert_eq!(
        lines[1],
        "alloc 0 = alloc_tensors([create f32 [4], create f32 [4]]);"
    );
    assert_eq!(
        lines[lines.len() - 2],
        "alloc 1 = alloc_tensors([create f32 [n]]);"
    );
}

#[test]
fn a_shape_may_need_an_earlier_tensor() {
    let f = Build::by_hand();
    let base = f.create();
    let axis = f.int(0).into();
    let dim = f.expr(
        ExprKind::DimOf {
            base: base.into(),
            axis,
        },
        crate::ir::Type::usize(),
    );
    let body = [f.bind("a", f.create_of([dim]))];
    let expected = [
        "alloc 0 = alloc_tensors([create f32 [4]]);",
        "alloc 1 = alloc_tensors([create f32 [alloc 0.get_ref(0).dim(0)]]);",
        "let a: Tensor<f32> = alloc 1.get_ref(0);",
    ];
    assert_eq!(batched(f.finish(body)), expected);
}

#[test]
fn nothing_moves_across_get_set_scopes_or_loops() {
    let barriers: [fn(&Build) -> crate::ir::Stmt; 6] = [
        |f| f.bind("v", f.get("x")),
        |f| f.scope([]),
        |f| f.manual([]),
        |f| f.each("i", [f.bind("m", f.int(1))]),
        |f| f.repeat([]),
        |f| f.when([f.bind("t", f.create())], None),
    ];
    for barrier in barriers {
        let f = Build::by_hand();
        let body = [
            f.bind("a", f.create()),
            barrier(&f),
            f.bind("b", f.create()),
        ];
        let lines = batched(f.finish(body));
        assert_eq!(
            lines[0], "alloc 0 = alloc_tensors([create f32 [4]]);",
            "{lines:?}"
        );
    }
}

#[test]
fn nothing_moves_across_a_way_out_of_the_loop() {
    let f = Build::by_hand();
    let leaves = f.when([f.stmt(StmtKind::Break)], None);
    let body = [f.each(
        "i",
        [f.bind("a", f.create()), leaves, f.bind("b", f.create())],
    )];
    let lines = batched(f.finish(body));
    assert!(
        lines.contains(&"alloc 1 = alloc_tensors([create f32 [4]]);".to_owned()),
        "{lines:?}"
    );
}

#[test]
fn nothing_leaves_its_loop_or_branch() {
    let f = Build::by_hand();
    let body = [
        f.each("i", [f.bind("a", f.create()), f.bind("b", f.create())]),
        f.when(
            [f.bind("c", f.create())],
            Some([f.bind("d", f.create())].into()),
        ),
    ];
    let expected = [
        "for i in (0..8).step_by(2) {",
        "alloc 0 = alloc_tensors([create f32 [4], create f32 [4]]);",
        "let a: Tensor<f32> = alloc 0.get_ref(0);",
        "let b: Tensor<f32> = alloc 0.get_ref(1);",
        "if 0 < 1 {",
        "alloc 1 = alloc_tensors([create f32 [4]]);",
        "let c: Tensor<f32> = alloc 1.get_ref(0);",
        "} else {",
        "alloc 2 = alloc_tensors([create f32 [4]]);",
        "let d: Tensor<f32> = alloc 2.get_ref(0);",
        "};",
    ];
    assert_eq!(batched(f.finish(body)), expected);
}

#[test]
fn a_create_as_an_argument_is_made_before_the_call() {
    let f = Build::by_hand();
    let body = [f.run(f.apply("k", [f.var("x"), f.create()]))];
    let expected = [
        "alloc 0 = alloc_tensors([create f32 [4]]);",
        "call k(x, alloc 0.get_ref(0));",
    ];
    assert_eq!(batched(f.finish(body)), expected);
}

#[test]
fn a_create_behind_something_in_its_own_statement_stays_there() {
    let f = Build::by_hand();
    let body = [
        f.bind("a", f.create()),
        f.run(f.apply("k", [f.apply("first", [f.var("a")]), f.create()])),
    ];
    let expected = [
        "alloc 0 = alloc_tensors([create f32 [4]]);",
        "let a: Tensor<f32> = alloc 0.get_ref(0);",
        "call k(call first(a), {",
        "alloc 1 = alloc_tensors([create f32 [4]]);",
        "alloc 1.get_ref(0)",
        "});",
    ];
    assert_eq!(batched(f.finish(body)), expected);
}

#[test]
fn an_element_read_for_a_shape_is_read_where_it_was() {
    let f = Build::by_hand();
    let body = [
        f.bind("a", f.create()),
        f.bind("b", f.create_of([f.get("x")])),
    ];
    let lines = batched(f.finish(body));
    assert_eq!(
        lines[2],
        "alloc 1 = alloc_tensors([create f32 [x.get([0])]]);"
    );
}

#[test]
fn what_may_be_evaluated_never_or_often_keeps_its_create() {
    let f = Build::by_hand();
    let cond = |f: &Build| {
        let base = f.create().into();
        let get = f.expr(
            ExprKind::Get {
                base,
                indices: vec![f.int(0)],
            },
            crate::ir::Type::usize(),
        );
        f.less(get, f.int(1))
    };
    let both = ExprKind::Binary(
        BinaryOp::And,
        f.less(f.int(0), f.int(1)).into(),
        cond(&f).into(),
    );
    let both = f.expr(both, crate::ir::Type::bool());
    let body = [
        f.bind("a", f.create()),
        f.bind("c", both),
        f.stmt(StmtKind::While {
            cond: cond(&f),
            body: Block::default(),
        }),
    ];
    let lines = batched(f.finish(body));
    let expected = [
        "alloc 0 = alloc_tensors([create f32 [4]]);",
        "let a: Tensor<f32> = alloc 0.get_ref(0);",
        "let c: bool = (0 < 1) && ({",
        "alloc 1 = alloc_tensors([create f32 [4]]);",
        "alloc 1.get_ref(0)",
        "}.get([0]) < 1);",
        "while {",
        "alloc 2 = alloc_tensors([create f32 [4]]);",
        "alloc 2.get_ref(0)",
        "}.get([0]) < 1 {}",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn the_value_of_a_block_may_be_a_create() {
    let f = Build::by_hand();
    let inner: Block = ([f.bind("a", f.create())], f.create()).into();
    let body = [f.bind("y", f.scope_of(ScopeMode::Auto, inner))];
    let expected = [
        "let y: Tensor<f32> = scope AUTO {",
        "alloc 0 = alloc_tensors([create f32 [4], create f32 [4]]);",
        "let a: Tensor<f32> = alloc 0.get_ref(0);",
        "alloc 0.get_ref(1)",
        "};",
    ];
    assert_eq!(batched(f.finish(body)), expected);
}

#[test]
fn tiles_are_no_allocations() {
    let f = Build::incore();
    let body = [f.bind("a", f.create())];
    let function = f.finish(body);
    assert_eq!(batch_allocs(function.clone()), function);
}

#[test]
fn no_create_is_moved_across_a_submit_or_a_barrier() {
    let f = Build::by_hand();
    let body = [
        f.bind("a", f.create()),
        f.bind("t", f.submit("k", &["a"], &[])),
        f.bind("b", f.create()),
        f.run(f.barrier(&["t"])),
        f.bind("c", f.create()),
    ];
    let lines = batched(f.finish(body));
    let allocs = lines.iter().filter(|line| line.starts_with("alloc"));
    assert_eq!(allocs.count(), 3, "{lines:?}");
}
