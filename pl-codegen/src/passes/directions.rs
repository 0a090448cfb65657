//! What each call does with its arguments.

use crate::ir::{Access, Block, CalleeId, ExprKind, Function, PartMut};

/// Fills [`Call::directions`](crate::ir::Call::directions) from the accesses of the callee's
/// parameters (`None` for scalars and tiles). A call of an unknown callee stays as it is.
pub fn derive_directions(
    mut function: Function,
    accesses: &dyn Fn(CalleeId) -> Option<Vec<Option<Access>>>,
) -> Function {
    block(&mut function.body, accesses);
    function
}

fn block(body: &mut Block, accesses: &dyn Fn(CalleeId) -> Option<Vec<Option<Access>>>) {
    body.parts_mut(&mut |each| part(each, accesses));
}

fn part(each: PartMut<'_>, accesses: &dyn Fn(CalleeId) -> Option<Vec<Option<Access>>>) {
    match each {
        PartMut::Block(body) => block(body, accesses),
        PartMut::Expr(expr) => {
            expr.parts_mut(&mut |inner| part(inner, accesses));
            if let ExprKind::Call(call) = &mut expr.kind
                && let Some(directions) = accesses(call.callee)
            {
                call.directions = directions;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::derive_directions;
    use crate::ir::Access;
    use crate::testing::Build;

    #[test]
    fn each_call_learns_what_its_callee_does_wherever_it_stands() {
        let f = Build::by_hand();
        f.scalar("n");
        let inner = f.run(f.apply("outer", [f.apply("inner", [f.var("x")]), f.var("n")]));
        let body = [f.each("i", [f.scope([inner])]), f.call("unknown", &["o"])];
        let accesses = |callee: crate::ir::CalleeId| match callee.0 {
            0 => Some(vec![Some(Access::ReadWrite)]),
            1 => Some(vec![Some(Access::Read), None]),
            _ => None,
        };
        let text = derive_directions(f.finish(body), &accesses).to_string();
        assert!(
            text.contains("submit outer(in submit inner(inout x), n);"),
            "{text}"
        );
        assert!(text.contains("call unknown(o);"), "{text}");
    }
}
