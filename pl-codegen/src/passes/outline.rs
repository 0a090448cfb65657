//! What an `at!` region uses of the function around it becomes the arguments of its task.
//!
//! A tensor that is loaded is read. One that is stored whole, by a statement of the region that always
//! runs, is written; one that is stored in part, or perhaps not at all, is read and written, since
//! what was in it stays.

use crate::check::{Touched, touched};
use crate::ir::{
    Access, At, AtArg, Block, Expr, ExprKind, Function, PartMut, Stmt, StmtKind, Type, VarId, Visit,
};
use std::collections::HashSet;

/// Finds the arguments of every region.
pub fn outline(mut function: Function) -> Function {
    let mut body = std::mem::take(&mut function.body);
    outline_part(PartMut::Block(&mut body), &function);
    function.body = body;
    function
}

fn outline_part(part: PartMut<'_>, function: &Function) {
    match part {
        PartMut::Block(block) => block.parts_mut(&mut |part| outline_part(part, function)),
        PartMut::Expr(expr) => match &mut expr.kind {
            ExprKind::At(at) => at.args = arguments(function, at),
            _ => expr.parts_mut(&mut |part| outline_part(part, function)),
        },
    }
}

fn arguments(function: &Function, at: &At) -> Vec<AtArg> {
    let mut free = Free::default();
    free.block(&at.body);
    let declared = std::mem::take(&mut free.declared);
    free.vars.retain(|var| !declared.contains(var));
    let is_tensor =
        |var: &VarId| matches!(function.var(*var).ty, Type::Tensor(_) | Type::ResultOf(_));
    let (tensors, scalars): (Vec<VarId>, Vec<VarId>) = free.vars.into_iter().partition(is_tensor);
    let whole = stored_whole(&at.body);
    let touched = touched(function, &at.body, &tensors);
    let tensors = tensors.into_iter().zip(touched).map(|(var, touched)| {
        let Touched {
            read,
            written,
            mut passed,
        } = touched;
        let kept = !whole.contains(&var) || !passed.is_empty();
        let access = match (read || kept, written) {
            (_, false) => Access::Read,
            (false, true) => Access::Write,
            (true, true) => Access::ReadWrite,
        };
        if written {
            // There is nothing left for a callee to decide.
            passed.clear();
        }
        AtArg::Tensor {
            var,
            access,
            passed,
        }
    });
    let scalars = scalars.into_iter().map(AtArg::Scalar);
    let dims = free.dims.into_iter().map(AtArg::Dim);
    tensors.chain(scalars).chain(dims).collect()
}

/// Tensors that the block stores whole, whatever else happens in it.
fn stored_whole(block: &Block) -> HashSet<VarId> {
    let mut whole = HashSet::new();
    let stmts = block.stmts.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Expr(expr) => Some(expr),
        _ => None,
    });
    for expr in stmts.chain(block.tail.as_deref()) {
        match &expr.kind {
            ExprKind::Operation { op, args } if op.writes_whole() => {
                if let Some(ExprKind::Var(var)) = args.first().map(|target| &target.kind) {
                    whole.insert(*var);
                }
            }
            ExprKind::ScratchScope(inner) | ExprKind::Block(inner) => {
                whole.extend(stored_whole(inner));
            }
            _ => {}
        }
    }
    whole
}

/// What a block mentions, in the order in which it does.
#[derive(Default)]
struct Free {
    vars: Vec<VarId>,
    dims: Vec<u32>,
    declared: HashSet<VarId>,
}

impl Visit for Free {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { pattern, .. } => self.declared.extend(pattern.vars()),
            StmtKind::For { var: Some(var), .. } => drop(self.declared.insert(*var)),
            _ => {}
        }
        stmt.parts(&mut |part| self.part(&part));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(var) if !self.vars.contains(var) => self.vars.push(*var),
            ExprKind::Dim(dim) if !self.dims.contains(dim) => self.dims.push(*dim),
            _ => self.inside(expr),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::outline;
    use crate::ir::{ExprKind, Stmt, Type};
    use crate::ops::Op;
    use crate::testing::Build;

    /// The arguments of a region with this body, in a function of `x`, `o` and `n`.
    fn args(body: impl FnOnce(&Build) -> Vec<Stmt>) -> String {
        let f = Build::by_hand();
        f.scalar("n");
        let stmts = body(&f);
        let region = f.at(crate::ir::Block { stmts, tail: None });
        let function = outline(f.finish([region]));
        assert_eq!(outline(function.clone()), function);
        let text = function.to_string();
        let args = text.split_once("at \"region\"(").expect("a region").1;
        args.split_once(')').expect("a list").0.to_owned()
    }

    fn load(f: &Build, name: &str) -> crate::ir::Expr {
        f.op(Op::Load, [f.var(name)])
    }

    fn store(f: &Build, target: crate::ir::Expr) -> Stmt {
        f.run(f.op(Op::Store, [target, load(f, "x")]))
    }

    #[test]
    fn what_is_loaded_is_read_and_what_is_stored_whole_is_written() {
        let found = args(|f| vec![store(f, f.var("o"))]);
        assert_eq!(found, "out o, in x");
    }

    #[test]
    fn what_is_padded_is_read_and_what_is_clipped_is_written() {
        let found = args(|f| {
            let dims = f.expr(ExprKind::List(vec![f.int(8)]), Type::Unit);
            let padded = f.op(Op::LoadPadded, [f.var("x"), dims, f.int(0)]);
            vec![f.run(f.op(Op::StoreClipped, [f.var("o"), padded]))]
        });
        assert_eq!(found, "out o, in x");
    }

    #[test]
    fn a_store_in_a_scratch_scope_always_runs() {
        let found = args(|f| vec![f.scratch([store(f, f.var("o"))])]);
        assert_eq!(found, "out o, in x");
    }

    #[test]
    fn what_is_stored_in_part_or_perhaps_not_at_all_keeps_what_was_in_it() {
        let found = args(|f| vec![store(f, f.slice(f.var("o")))]);
        assert_eq!(found, "inout o, in x");
        let found = args(|f| vec![f.when([store(f, f.var("o"))], None)]);
        assert_eq!(found, "inout o, in x");
        let found = args(|f| vec![f.each("i", [store(f, f.var("o"))])]);
        assert_eq!(found, "inout o, in x");
    }

    #[test]
    fn a_view_stands_for_its_tensor() {
        let found = args(|f| vec![f.bind("part", f.slice(f.var("o"))), store(f, f.var("part"))]);
        assert_eq!(found, "inout o, in x");
    }

    #[test]
    fn what_is_loaded_too_is_read_and_written() {
        let found = args(|f| vec![f.bind("t", load(f, "o")), store(f, f.var("o"))]);
        assert_eq!(found, "inout o, in x");
    }

    #[test]
    fn scalars_come_after_tensors_and_what_is_declared_inside_is_no_argument() {
        let found = args(|f| {
            vec![
                f.bind("m", f.add(f.var("n"), f.int(1))),
                f.each("i", [f.bind("k", f.add(f.var("m"), f.var("i")))]),
                store(f, f.var("o")),
            ]
        });
        assert_eq!(found, "out o, in x, n");
    }

    #[test]
    fn a_callee_decides_about_what_it_is_passed_unless_that_is_written_anyway() {
        let found = args(|f| vec![f.call("helper", &["x", "o"]), store(f, f.slice(f.var("x")))]);
        assert_eq!(found, "inout x, in o as parameter 1 of helper");
    }
}
