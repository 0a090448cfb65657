use super::{check, codes};
use crate::diag::Code;
use crate::ir::{Block, Type};
use crate::ops::Op;
use crate::testing::{Build, F32};

#[test]
fn a_tile_used_after_its_scratch_scope() {
    let f = Build::incore();
    let body = [
        f.bind("acc", f.op(Op::Load, [f.var("x")])),
        f.scratch([
            f.bind("s", f.op(Op::Exp, [f.var("acc")])),
            f.assign("acc", f.var("s")),
        ]),
        f.run(f.op(Op::Store, [f.var("o"), f.var("acc")])),
    ];
    let [found] = &check(f.finish(body))[..] else {
        panic!()
    };
    assert_eq!(found.code, Code::TileUsedAfterScratch);
    let message = "`acc` is used after its `scratch_scope!` closed, which recycled its tile";
    assert_eq!(found.message, message);
    assert_eq!(found.notes[0].1, "the tile is computed here, as `s`");
    let help = "copy it out with `copy_to` into a tile made before the `scratch_scope!`";
    assert_eq!(found.help, help);
}

#[test]
fn copy_to_carries_bytes_out_of_a_scratch_scope() {
    let f = Build::incore();
    let inner = [
        f.bind("s", f.op(Op::Exp, [f.var("acc")])),
        f.run(f.op(Op::CopyTo, [f.var("acc"), f.var("s")])),
    ];
    let body = [
        f.bind("acc", f.create()),
        f.each("i", [f.scratch(inner)]),
        f.run(f.op(Op::Store, [f.var("o"), f.var("acc")])),
    ];
    // The names of `acc` in `inner` were met before its `let`; give them its type.
    let mut function = f.finish(body);
    for var in &mut function.vars {
        if var.name == "acc" {
            var.ty = Type::Tile(F32);
        }
    }
    assert_eq!(check(function), []);
}

#[test]
fn every_result_belongs_to_the_innermost_scratch_scope() {
    let f = Build::incore();
    let load = f.bind("a", f.op(Op::Load, [f.var("x")]));
    let sum = f.add(f.var("a"), f.var("a"));
    let body = [
        load,
        f.bind("y", f.var("a")),
        f.scratch([f.assign("y", sum)]),
        f.run(f.op(Op::Store, [f.var("o"), f.var("y")])),
    ];
    assert_eq!(codes(f, body), [Code::TileUsedAfterScratch]);
}

#[test]
fn the_value_of_a_scratch_scope_must_be_copied_out() {
    let f = Build::incore();
    let tail = f.var("x");
    let load = f.op(Op::Load, [tail]);
    let value = load.span;
    let inner: Block = ([], load).into();
    let body = [
        f.bind("y", f.scratch_of(inner)),
        f.run(f.op(Op::Store, [f.var("o"), f.var("y")])),
    ];
    let [found] = &check(f.finish(body))[..] else {
        panic!()
    };
    assert_eq!(
        (found.code, found.span),
        (Code::TileUsedAfterScratch, value)
    );
}

#[test]
fn a_tile_carried_by_a_loop_of_scratch_scopes() {
    let f = Build::incore();
    let body = [
        f.bind("m", f.create()),
        f.each(
            "i",
            [f.scratch([
                f.bind("n", f.op(Op::Exp, [f.var("m")])),
                f.assign("m", f.var("n")),
            ])],
        ),
    ];
    assert_eq!(codes(f, body), [Code::TileUsedAfterScratch]);
}

#[test]
fn a_returned_tile_is_used() {
    let f = Build::incore();
    let inner: Block = ([], f.op(Op::Load, [f.var("x")])).into();
    let body: Block = ([], f.scratch_of(inner)).into();
    let mut function = f.finish(body);
    function.returns = vec![Type::Tensor(F32)];
    assert_eq!(check(function).len(), 1);
}
