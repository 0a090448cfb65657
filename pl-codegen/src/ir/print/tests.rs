use crate::ir::{
    Access, BinaryOp, Block, Expr, ExprKind, Function, Generic, Kind, Pattern, ScopeMode, StmtKind,
    Type, UnaryOp,
};
use crate::ops::Op;
use crate::passes::{batch_allocs, derive_directions};
use crate::testing::{Build, F32};

#[test]
fn an_orchestration_function_reads_like_rust() {
    let f = Build::by_hand();
    f.scalar("n");
    let slice = f.slice(f.var("o"));
    let body = [f.each(
        "i",
        [f.scope([
            f.bind(
                "normed",
                f.create_of([f.add(f.var("n"), f.var("i")), f.int(2)]),
            ),
            f.run(f.apply("attend", [f.var("normed"), f.var("n"), slice])),
        ])],
    )];
    let mut function = f.finish(body);
    function.dims = vec!["M".to_owned()];
    function.params[0].dims = vec![crate::ir::Dim::Named(0), crate::ir::Dim::Any];
    function.generics = vec![Generic {
        name: "N".to_owned(),
        is_const: true,
    }];
    let before = "\
entry f<const N>(x: in Tensor<f32, [M, _]>, o: out Tensor<f32, [_]>, n: usize) dims(M) auto_scope = false {
    for i in (0..8).step_by(2) {
        scope AUTO {
            let normed: Tensor<f32> = create f32 [n + i, 2];
            call attend(normed, n, o.slice(s![..2]));
        };
    }
}
";
    assert_eq!(function.to_string(), before);
    let accesses = |_| Some(vec![Some(Access::Read), None, Some(Access::Write)]);
    let after = derive_directions(batch_allocs(function), &accesses).to_string();
    let expected = [
        "            alloc 0 = alloc_tensors([create f32 [n + i, 2]]);",
        "            let normed: Tensor<f32> = alloc 0.get_ref(0);",
        "            submit attend(in normed, n, out o.slice(s![..2]));",
    ];
    assert_eq!(after.lines().skip(3).take(3).collect::<Vec<_>>(), expected);
}

#[test]
fn an_in_core_function_has_no_scope_policy() {
    let f = Build::incore();
    let body = [
        f.bind("acc", f.create()),
        f.scratch([f.run(f.op(Op::CopyTo, [f.var("acc"), f.op(Op::Load, [f.var("x")])]))]),
    ];
    let mut function = f.finish(body);
    function.returns = vec![Type::Tile(F32), Type::usize()];
    let expected = "\
incore f(x: in Tensor<f32, [_]>, o: out Tensor<f32, [_]>) -> (Tile<f32>, usize) {
    let acc: Tile<f32> = create f32 [4];
    scratch_scope {
        copy_to(acc, load(x));
    };
}
";
    assert_eq!(function.to_string(), expected);
}

fn shadowing(f: &Build, name: &str, value: Expr) -> crate::ir::Stmt {
    let var = f.fresh(name);
    f.stmt(StmtKind::Let {
        pattern: Pattern::Var(var),
        ty: Some(Type::usize()),
        init: Some(value),
    })
}

fn lines(function: &Function) -> Vec<String> {
    function
        .to_string()
        .lines()
        .map(|line| line.trim().to_owned())
        .collect()
}

#[test]
fn a_variable_that_shadows_a_visible_one_gets_a_number() {
    let f = Build::new(Kind::Entry);
    let first = f.bind("m", f.int(1));
    let old = f.var("m");
    let second = shadowing(&f, "m", f.add(old, f.int(2)));
    let inner = shadowing(&f, "m", f.var("m"));
    let block = f.run(f.expr(ExprKind::Block([inner].into()), Type::Unit));
    let third = shadowing(&f, "m", f.int(4));
    let body = [first, second, block, third];
    let lines = lines(&f.finish(body));
    assert_eq!(lines[2], "let m#2: usize = m + 2;");
    assert_eq!(lines[4], "let m#3: usize = m#2;");
    assert_eq!(lines[6], "let m#3: usize = 4;");
}

#[test]
fn variables_of_one_name_that_never_meet_get_no_number() {
    let f = Build::new(Kind::Entry);
    let first = f.each("i", [f.call("k", &["i"])]);
    let second = {
        f.fresh("i");
        f.each("i", [f.call("k", &["i"])])
    };
    let body = [first, second];
    let text = f.finish(body).to_string();
    assert_eq!(text.matches("for i in").count(), 2, "{text}");
    assert_eq!(text.matches("k(i)").count(), 2, "{text}");
}

#[test]
fn operators_keep_their_order_by_parentheses() {
    let f = Build::new(Kind::Entry);
    let sum = f.add(f.int(1), f.int(2));
    let product = f.expr(
        ExprKind::Binary(BinaryOp::Mul, sum.into(), f.int(3).into()),
        Type::usize(),
    );
    let negative = f.expr(ExprKind::Unary(UnaryOp::Neg, product.into()), Type::usize());
    let cast = f.expr(
        ExprKind::Cast(negative.into(), "f32".to_owned()),
        Type::usize(),
    );
    let minimum = f.expr(
        ExprKind::Method {
            name: "min".to_owned(),
            receiver: cast.into(),
            args: vec![f.int(9)],
        },
        Type::usize(),
    );
    let body = [f.bind("n", minimum)];
    assert_eq!(
        lines(&f.finish(body))[1],
        "let n: usize = ((-((1 + 2) * 3)) as f32).min(9);"
    );
}

#[test]
fn every_construct_has_its_own_text() {
    let f = Build::by_hand();
    let reshape = ExprKind::Reshape {
        base: f.var("x").into(),
        dims: vec![f.int(2), f.int(2)],
    };
    let axes = Box::new((f.int(0), f.int(1)));
    let transpose = ExprKind::Transpose {
        base: f.var("x").into(),
        axes,
    };
    let set = ExprKind::Set {
        base: f.var("o").into(),
        indices: vec![f.int(0), f.int(1)],
        value: f.int(5).into(),
    };
    let tail: Block = ([], f.var("x")).into();
    let choose = f.choose(tail, Some(([], f.var("o")).into()));
    let body = [
        f.bind("a", f.expr(reshape, Type::Tensor(F32))),
        f.bind("b", f.expr(transpose, Type::Tensor(F32))),
        f.run(f.expr(set, Type::Unit)),
        f.bind("c", choose),
        f.assign_both(["a", "b"], ["b", "a"]),
        f.repeat([f.stmt(StmtKind::Continue)]),
        f.run(f.scope_of(ScopeMode::Manual, [])),
        f.later("d"),
    ];
    let expected = [
        "let a: Tensor<f32> = x.reshape([2, 2]);",
        "let b: Tensor<f32> = x.transpose(0, 1);",
        "o.set([0, 1], 5);",
        "let c: Tensor<f32> = if 0 < 1 {",
        "x",
        "} else {",
        "o",
        "};",
        "(a, b) = (b, a);",
        "while 0 < 1 {",
        "continue;",
        "}",
        "scope MANUAL {};",
        "let d: Tensor<f32>;",
    ];
    let lines = lines(&f.finish(body));
    assert_eq!(lines[1..lines.len() - 1], expected);
}
