//! No name of a tile is read after the tile was overwritten through the name it was copied from.
//!
//! `let old = m; copy_to(m, x);` leaves `old` with the new bytes: it names the same tile. Views are
//! another matter, they are meant to show what their tile holds.

use crate::diag::{Code, Diagnostic};
use crate::ir::{Block, Expr, ExprKind, Function, Part, Pattern, SpanId, Stmt, StmtKind, VarId};
use crate::ops::Op;
use std::collections::{BTreeMap, BTreeSet};

/// Reports every variable that is read although its tile was overwritten, at its first such use.
pub fn check_overwritten(function: &Function) -> Vec<Diagnostic> {
    let mut walk = Walk {
        state: State::new(),
        found: BTreeMap::new(),
    };
    if function.kind.is_orchestration() {
        walk.regions(&Part::Block(&function.body));
    } else {
        walk.block(&function.body);
    }
    let found = walk.found.into_iter();
    found
        .map(|(var, (span, by))| describe(function, var, span, by))
        .collect()
}

/// What is known of a variable.
#[derive(Clone, PartialEq, Default)]
struct Known {
    /// Variables whose tile it names, on every way here.
    copies: BTreeSet<VarId>,
    /// Through which of them, and where, the tile was overwritten, on some way here.
    stale: Option<(VarId, SpanId)>,
}

type State = BTreeMap<VarId, Known>;

struct Walk {
    state: State,
    /// First use of each variable that is stale, and what made it so.
    found: BTreeMap<VarId, (SpanId, (VarId, SpanId))>,
}

impl Walk {
    /// Walks the `at!` regions, each by itself.
    fn regions(&mut self, part: &Part<'_>) {
        match part {
            Part::Block(block) => block.parts(&mut |part| self.regions(&part)),
            Part::Expr(expr) => match &expr.kind {
                ExprKind::At(at) => {
                    self.block(&at.body);
                    self.state.clear();
                }
                _ => expr.parts(&mut |part| self.regions(&part)),
            },
        }
    }

    /// Whether the end of the block is reached.
    fn block(&mut self, block: &Block) -> bool {
        let mut reached = true;
        for stmt in &block.stmts {
            self.stmt(stmt);
            reached &= !matches!(stmt.kind, StmtKind::Break | StmtKind::Continue);
        }
        if let Some(tail) = &block.tail {
            self.expr(tail);
        }
        reached
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let Some((pattern, value)) = stmt.given() {
            self.expr(value);
            let mut bound = Vec::new();
            self.bind(pattern, Some(value), &mut bound);
            for (var, _) in &bound {
                for known in self.state.values_mut() {
                    known.copies.remove(var);
                }
            }
            self.state.extend(bound);
            return;
        }
        match &stmt.kind {
            StmtKind::For { range, body, .. } => {
                range.parts(&mut |part| self.part(&part));
                self.repeat(|walk| {
                    walk.block(body);
                });
            }
            StmtKind::While { cond, body } => self.repeat(|walk| {
                walk.expr(cond);
                walk.block(body);
            }),
            _ => stmt.parts(&mut |part| self.part(&part)),
        }
    }

    /// What the variables of a pattern name from now on.
    fn bind(&self, pattern: &Pattern, value: Option<&Expr>, into: &mut Vec<(VarId, Known)>) {
        match (pattern, value.map(|value| &value.kind)) {
            (Pattern::Wildcard, _) => {}
            (Pattern::Tuple(items), Some(ExprKind::Tuple(values))) => {
                for (item, value) in items.iter().zip(values) {
                    self.bind(item, Some(value), into);
                }
            }
            (Pattern::Tuple(items), _) => {
                for item in items {
                    self.bind(item, None, into);
                }
            }
            (Pattern::Var(var), Some(ExprKind::Var(source))) => {
                let mut known = self.state.get(source).cloned().unwrap_or_default();
                known.copies.insert(*source);
                known.copies.remove(var);
                into.push((*var, known));
            }
            (Pattern::Var(var), _) => into.push((*var, Known::default())),
        }
    }

    fn repeat(&mut self, body: impl Fn(&mut Self)) {
        loop {
            let before = self.state.clone();
            body(self);
            self.state = join(&before, &self.state);
            if self.state == before {
                return;
            }
        }
    }

    fn part(&mut self, part: &Part<'_>) {
        match part {
            Part::Expr(expr) => self.expr(expr),
            Part::Block(block) => drop(self.block(block)),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(var) => {
                if let Some(by) = self.state.get(var).and_then(|known| known.stale) {
                    self.found.entry(*var).or_insert((expr.span, by));
                }
            }
            ExprKind::Operation {
                op: Op::CopyTo,
                args,
            } => {
                let [target, source] = args.as_slice() else {
                    return;
                };
                self.expr(source);
                self.overwrite(target, expr.span);
            }
            ExprKind::Set {
                base,
                indices,
                value,
            } => {
                for index in indices {
                    self.expr(index);
                }
                self.expr(value);
                self.overwrite(base, expr.span);
            }
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.expr(cond);
                let before = self.state.clone();
                let then_reached = self.block(then);
                let after_then = std::mem::replace(&mut self.state, before);
                let else_reached = otherwise.as_ref().is_none_or(|block| self.block(block));
                self.state = match (then_reached, else_reached) {
                    (true, true) => join(&after_then, &self.state),
                    (true, false) => after_then,
                    _ => std::mem::take(&mut self.state),
                };
            }
            _ => expr.parts(&mut |part| self.part(&part)),
        }
    }

    fn overwrite(&mut self, target: &Expr, span: SpanId) {
        let ExprKind::Var(target) = target.kind else {
            return self.expr(target);
        };
        for known in self.state.values_mut() {
            if known.copies.contains(&target) {
                known.stale = Some((target, span));
            }
        }
        self.state.entry(target).or_default().stale = None;
    }
}

/// What is known where two ways meet.
fn join(a: &State, b: &State) -> State {
    let nothing = Known::default();
    let vars: BTreeSet<VarId> = a.keys().chain(b.keys()).copied().collect();
    vars.into_iter()
        .map(|var| {
            let (x, y) = (a.get(&var), b.get(&var));
            // Declared on one way only: nobody sees it here.
            let (x, y) = (x.or(y).unwrap_or(&nothing), y.or(x).unwrap_or(&nothing));
            let known = Known {
                copies: x.copies.intersection(&y.copies).copied().collect(),
                stale: x.stale.or(y.stale),
            };
            (var, known)
        })
        .collect()
}

fn describe(
    function: &Function,
    var: VarId,
    span: SpanId,
    (by, overwritten): (VarId, SpanId),
) -> Diagnostic {
    let (var, by) = (function.var(var), function.var(by));
    Diagnostic::new(
        Code::Overwritten,
        span,
        format!(
            "`{}` names the tile of `{}`, which was overwritten",
            var.name, by.name
        ),
        format!(
            "read it before, or keep the bytes in a tile of their own: make `{}` with `zeros` and \
             write `copy_to({}, {})`",
            var.name, var.name, by.name
        ),
    )
    .note(var.span, "it is declared here")
    .note(overwritten, "the tile is overwritten here")
}

#[cfg(test)]
mod tests {
    use super::check_overwritten;
    use crate::ir::{Block, Stmt};
    use crate::ops::Op;
    use crate::testing::Build;

    fn names(build: impl FnOnce(&Build) -> Vec<Stmt>) -> Vec<String> {
        let f = Build::incore();
        let body = Block {
            stmts: build(&f),
            tail: None,
        };
        let function = f.finish(body);
        let found = check_overwritten(&function);
        found.into_iter().map(|each| each.message).collect()
    }

    fn overwrite(f: &Build, target: &str) -> Stmt {
        f.run(f.op(Op::CopyTo, [f.var(target), f.create()]))
    }

    fn used(f: &Build, name: &str) -> Stmt {
        f.run(f.op(Op::Store, [f.var("o"), f.var(name)]))
    }

    const OLD: &str = "`old` names the tile of `m`, which was overwritten";

    #[test]
    fn a_copy_of_the_name_is_not_read_after_the_tile_was_overwritten() {
        let found = names(|f| {
            vec![
                f.bind("m", f.create()),
                f.bind("old", f.var("m")),
                used(f, "old"),
                overwrite(f, "m"),
                used(f, "m"),
                used(f, "old"),
                used(f, "old"),
            ]
        });
        assert_eq!(found, [OLD]);
    }

    #[test]
    fn a_copy_of_a_copy_is_one() {
        let found = names(|f| {
            vec![
                f.bind("m", f.create()),
                f.bind("between", f.var("m")),
                f.bind("old", f.var("between")),
                overwrite(f, "m"),
                used(f, "old"),
            ]
        });
        assert_eq!(found, [OLD]);
    }

    #[test]
    fn the_next_iteration_reads_what_this_one_overwrote() {
        let found = names(|f| {
            let bind = f.bind("m", f.create());
            let copy = f.bind("old", f.var("m"));
            let body = [used(f, "old"), overwrite(f, "m")];
            vec![bind, copy, f.each("i", body)]
        });
        assert_eq!(found, [OLD]);
    }

    #[test]
    fn a_name_that_got_another_tile_is_free() {
        let found = names(|f| {
            vec![
                f.bind("m", f.create()),
                f.bind("old", f.var("m")),
                f.assign("m", f.create()),
                overwrite(f, "m"),
                used(f, "old"),
                f.assign("old", f.var("m")),
                used(f, "old"),
            ]
        });
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn two_buffers_may_change_places() {
        let found = names(|f| {
            let a = f.bind("a", f.create());
            let b = f.bind("b", f.create());
            let body = [
                used(f, "a"),
                overwrite(f, "b"),
                f.assign_both(["a", "b"], ["b", "a"]),
            ];
            vec![a, b, f.each("i", body), used(f, "a"), used(f, "b")]
        });
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_view_shows_what_its_tile_holds() {
        let found = names(|f| {
            vec![
                f.bind("m", f.create()),
                f.bind("part", f.slice(f.var("m"))),
                overwrite(f, "m"),
                used(f, "part"),
            ]
        });
        assert!(found.is_empty(), "{found:?}");
    }
}
