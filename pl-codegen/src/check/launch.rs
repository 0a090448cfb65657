//! What must hold of a kernel that is submitted: that it is one, and that it can run as several blocks,
//! if it shall.

use super::condition::{Condition, Need};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Block, CalleeId, Expr, ExprKind, Function, Launch, Pattern, Stmt, Visit};

/// The conditions of a `submit!` in `function`.
pub(super) fn of_submit(function: &Function, callee: CalleeId, launch: &Launch) -> Vec<Condition> {
    let called = &function.callees[callee.index()];
    let path = &called.path;
    let mut conditions = vec![Condition {
        need: Need::IsTask(callee),
        otherwise: Diagnostic::new(
            Code::ArgumentKind,
            called.span,
            format!(
                "`submit!` submits kernels, and `{path}` is a helper: its body belongs to its caller"
            ),
            format!(
                "call it plainly, `{path}(..)`, and write `submit!` in it; it may return a `TaskId`"
            ),
        ),
    }];
    // A number that is not written out is judged when the kernel runs.
    if let Some(blocks) = launch.blocks.as_ref().filter(|blocks| is_several(blocks)) {
        conditions.push(Condition {
            need: Need::WorksInParts(callee),
            otherwise: Diagnostic::new(
                Code::WholeInBlocks,
                blocks.span,
                format!(
                    "every block of `{path}` would use the whole of a tensor that all of them write"
                ),
                format!(
                    "in `{path}`, load and store the part of the block, `y.partition(0)` of a \
                     parameter `y: Out<..>`; with one block it is the whole"
                ),
            ),
        });
    }
    conditions
}

/// Whether this is a number above 1, written out.
fn is_several(blocks: &Expr) -> bool {
    let ExprKind::Literal(text) = &blocks.kind else {
        return false;
    };
    let digits = text.replace('_', "");
    let number = digits.trim_end_matches("usize").parse();
    number.is_ok_and(|number: u64| number > 1)
}

/// What every block of a kernel does to the whole of a tensor that the kernel writes, and not to its own
/// part of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UsedWhole {
    /// Whether the body loads or stores such a tensor. What a kernel returns is stored whole.
    pub here: bool,
    /// Parameters of helpers, counted from 0, that get such a tensor. A helper has no parts of its own:
    /// if it writes the parameter, it stores what it got.
    pub passed: Vec<(CalleeId, usize)>,
}

/// What is used whole, also by helpers.
pub fn used_whole(function: &Function) -> UsedWhole {
    let mut walk = Walk {
        whole: vec![false; function.vars.len()],
        changed: false,
        used: UsedWhole {
            here: !function.outputs.is_empty(),
            passed: Vec::new(),
        },
    };
    for param in &function.params {
        walk.whole[param.var.index()] = param.access.writes();
    }
    loop {
        walk.changed = false;
        walk.block(&function.body);
        if !walk.changed {
            return walk.used;
        }
    }
}

struct Walk {
    /// Variables that may hold a view of a written parameter that is no block's part.
    whole: Vec<bool>,
    changed: bool,
    used: UsedWhole,
}

impl Visit for Walk {
    fn stmt(&mut self, stmt: &Stmt) {
        stmt.parts(&mut |part| self.part(&part));
        if let Some((pattern, value)) = stmt.given() {
            self.bind(pattern, value);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Operation { op, args } = &expr.kind {
            for (arg, (_, kind)) in args.iter().zip(op.args()) {
                self.used.here |= kind.takes_tensor() && self.is_whole(arg);
            }
        }
        if let ExprKind::Call(call) = &expr.kind {
            for (index, arg) in call.args.iter().enumerate() {
                let passed = (call.callee, index);
                if self.is_whole(arg) && !self.used.passed.contains(&passed) {
                    self.used.passed.push(passed);
                }
            }
        }
        self.inside(expr);
    }
}

impl Walk {
    fn bind(&mut self, pattern: &Pattern, value: &Expr) {
        match (pattern, &value.kind) {
            (Pattern::Tuple(patterns), ExprKind::Tuple(values)) => {
                for (pattern, value) in patterns.iter().zip(values) {
                    self.bind(pattern, value);
                }
            }
            _ if self.is_whole(value) => {
                for var in pattern.vars() {
                    let known = &mut self.whole[var.index()];
                    self.changed |= !*known;
                    *known = true;
                }
            }
            _ => {}
        }
    }

    fn is_whole(&self, expr: &Expr) -> bool {
        let tail = |block: &Block| {
            let tail = block.tail.as_deref();
            tail.is_some_and(|tail| self.is_whole(tail))
        };
        match &expr.kind {
            ExprKind::Var(var) => self.whole[var.index()],
            ExprKind::Slice { base, .. }
            | ExprKind::Reshape { base, .. }
            | ExprKind::Transpose { base, .. } => self.is_whole(base),
            ExprKind::Block(block) | ExprKind::ScratchScope(block) => tail(block),
            ExprKind::If {
                then, otherwise, ..
            } => tail(then) || otherwise.as_ref().is_some_and(tail),
            ExprKind::Tuple(items) => items.iter().any(|item| self.is_whole(item)),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{UsedWhole, used_whole};
    use crate::ir::{CalleeId, Expr, ExprKind};
    use crate::ops::Op;
    use crate::testing::Build;

    fn part(f: &Build, name: &str) -> Expr {
        let base = f.var(name);
        let ty = base.ty.clone();
        let (base, axis) = (base.into(), f.int(0).into());
        f.expr(ExprKind::Partition { base, axis }, ty)
    }

    fn stores(build: impl FnOnce(&Build) -> Expr) -> bool {
        let f = Build::incore();
        let to = build(&f);
        let body = [f.run(f.op(Op::Store, [to, f.op(Op::Load, [f.var("x")])]))];
        used_whole(&f.finish(body)) == UsedWhole::default()
    }

    #[test]
    fn what_all_blocks_write_is_stored_in_parts() {
        assert!(stores(|f| part(f, "o")));
        assert!(stores(|f| f.slice(part(f, "o"))));
        assert!(!stores(|f| f.var("o")));
        assert!(!stores(|f| f.slice(f.var("o"))));
    }

    #[test]
    fn a_name_holds_what_it_may_hold() {
        let f = Build::incore();
        let store = f.run(f.op(Op::Store, [f.var("o"), f.op(Op::Load, [f.var("p")])]));
        let body = [f.bind("p", part(&f, "o")), f.assign("p", f.var("o")), store];
        assert!(used_whole(&f.finish(body)).here);
        let f = Build::incore();
        let read = f.run(f.op(Op::Load, [f.var("p")]));
        let body = [f.bind("p", part(&f, "o")), read];
        assert!(!used_whole(&f.finish(body)).here);
    }

    #[test]
    fn a_helper_gets_the_whole_or_the_part() {
        let f = Build::incore();
        let of_whole = f.run(f.apply("helper", [f.var("x"), f.slice(f.var("o"))]));
        let of_part = f.run(f.apply("helper", [f.var("x"), part(&f, "o")]));
        let used = used_whole(&f.finish([of_whole, of_part]));
        assert!(!used.here);
        assert_eq!(used.passed, [(CalleeId(0), 1)]);
    }
}
