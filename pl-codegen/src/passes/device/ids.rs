//! The variables that keep ids of tasks.

use super::plan::Kept;
use super::rewrite::{Rewrite, launch_of};
use super::trace::{Step, Trace};
use crate::ir::{
    BatchId, BinaryOp, Expr, ExprKind, Pattern, Scalar, SpanId, Stmt, StmtKind, TaskExpr, Type,
    Var, VarId,
};

/// A variable that keeps the id of a task.
pub(super) struct Id {
    pub(super) var: VarId,
    /// Variables that keep the ids before that, the latest first.
    pub(super) former: Vec<VarId>,
    /// Loops around the task for each turn of which an id is kept, as positions among all loops around
    /// it: first value, step and number of turns. Empty for a single id.
    pub(super) turns: Vec<(usize, i128, i128, u32)>,
    pub(super) span: SpanId,
    /// Whether the task is submitted in the very block that its id is needed in.
    pub(super) direct: bool,
}

impl Rewrite<'_> {
    pub(super) fn keep(&mut self, site: u32, kept: &Kept, trace: &Trace, since: usize) {
        let instance = &trace.instances[kept.instance as usize];
        let Some(Step::Stmt { block, index }) = instance.path.get(kept.depth).copied() else {
            return;
        };
        let is_turn = |step: &&Step| matches!(step, Step::Turn { .. });
        let turns = kept.turns.iter().filter_map(|at| {
            let Step::Turn { entered, count, .. } = instance.path[*at] else {
                return None;
            };
            let (start, step) = trace.loops[entered as usize];
            let around = instance.path[..*at].iter().filter(is_turn).count();
            Some((around, start, step, count?))
        });
        let turns: Vec<_> = turns.collect();
        let name: String = instance
            .name
            .split('<')
            .next()
            .unwrap_or_default()
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '_' })
            .collect();
        let name = name
            .trim_matches('_')
            .rsplit("__")
            .next()
            .unwrap_or("task")
            .to_owned();
        let (suffix, ty) = if turns.is_empty() {
            ("id", Type::TaskId)
        } else {
            ("ids", Type::TaskIds)
        };
        let direct = instance.path.len() == kept.depth + 1 && turns.is_empty();
        let span = instance.span;
        let var = self.variable(format!("{name}_{suffix}"), ty, !direct, span);
        let since = if turns.is_empty() { since } else { 0 };
        let former = (0..since)
            .map(|_| self.variable(format!("{name}_before"), Type::TaskId, true, span))
            .collect();
        if !direct {
            self.declared.entry((block, index)).or_default().push(site);
        }
        let id = Id {
            var,
            former,
            turns,
            span,
            direct,
        };
        self.ids.insert(site, id);
    }

    pub(super) fn variable(
        &mut self,
        name: String,
        ty: Type,
        mutable: bool,
        span: SpanId,
    ) -> VarId {
        self.function.vars.push(Var {
            name,
            mutable,
            ty,
            span,
        });
        VarId(self.function.vars.len() as u32 - 1)
    }

    pub(super) fn read(&self, var: VarId, span: SpanId) -> Expr {
        let ty = self.function.var(var).ty.clone();
        let kind = ExprKind::Var(var);
        Expr { kind, ty, span }
    }

    /// `let mut id = TaskId::NONE;`
    pub(super) fn declare(&mut self, block: u32, index: u32, into: &mut Vec<Stmt>) {
        for site in self
            .declared
            .get(&(block, index))
            .cloned()
            .unwrap_or_default()
        {
            let id = &self.ids[&site];
            let (vars, span) = (id.former.iter().chain([&id.var]), id.span);
            let vars: Vec<VarId> = vars.rev().copied().collect();
            let slots: u32 = id.turns.iter().map(|turn| turn.3).product();
            let task = if id.turns.is_empty() {
                TaskExpr::None
            } else {
                TaskExpr::Array(Box::new(usize(ExprKind::Literal(slots.to_string()), span)))
            };
            for var in vars {
                let none = Expr {
                    kind: ExprKind::Task(task.clone()),
                    ty: self.function.var(var).ty.clone(),
                    span,
                };
                into.push(bind(Pattern::Var(var), none, span));
            }
        }
    }

    /// Variables for a value and its parts, and the value made of them.
    pub(super) fn pieces(&mut self, ty: &Type, span: SpanId) -> (Pattern, Expr) {
        if let Type::Tuple(types) = ty {
            let (patterns, items) = types.iter().map(|ty| self.pieces(ty, span)).unzip();
            let kind = ExprKind::Tuple(items);
            let ty = ty.clone();
            return (Pattern::Tuple(patterns), Expr { kind, ty, span });
        }
        let name = if *ty == Type::TaskId { "id" } else { "made" };
        let var = self.variable(name.to_owned(), ty.clone(), false, span);
        (Pattern::Var(var), self.read(var, span))
    }

    /// Makes a submit give its id too, and the pattern take it: gives the variable.
    pub(super) fn bound_id(
        &mut self,
        pattern: &mut Pattern,
        value: &mut Expr,
        site: Option<u32>,
    ) -> VarId {
        let span = value.span;
        let of_submit = match (&value.ty, launch_of(value).is_some()) {
            (Type::TaskId, _) => Some(pattern),
            (Type::Tuple(types), true) if types.last() == Some(&Type::TaskId) => match pattern {
                Pattern::Tuple(items) if items.len() == 2 => items.last_mut(),
                _ => None,
            },
            _ => {
                let plain = std::mem::replace(pattern, Pattern::Wildcard);
                *pattern = Pattern::Tuple(vec![plain, Pattern::Wildcard]);
                value.ty = Type::Tuple(vec![value.ty.clone(), Type::TaskId]);
                let Pattern::Tuple(items) = pattern else {
                    unreachable!("just made")
                };
                items.last_mut()
            }
        };
        let name = of_submit.expect("a submit gives a value and an id");
        if let Pattern::Var(var) = name {
            return *var;
        }
        let direct = site
            .and_then(|site| self.ids.get(&site))
            .filter(|id| id.direct);
        let var = match direct.map(|id| id.var) {
            Some(var) => var,
            None => self.variable("id".to_owned(), Type::TaskId, false, span),
        };
        *name = Pattern::Var(var);
        var
    }

    /// A submit whose value is its id.
    pub(super) fn keep_or_drop(&mut self, site: u32, value: Expr, into: &mut Vec<Stmt>) {
        if self.ids.contains_key(&site) {
            return self.store(site, value, into);
        }
        let span = value.span;
        let kind = StmtKind::Expr(value);
        into.push(Stmt { kind, span });
    }

    /// Keeps an id.
    pub(super) fn store(&mut self, site: u32, value: Expr, into: &mut Vec<Stmt>) {
        let id = &self.ids[&site];
        let (span, former, newest) = (value.span, id.former.clone(), id.var);
        if id.direct {
            return into.push(bind(Pattern::Var(newest), value, span));
        }
        if !id.turns.is_empty() {
            return into.push(self.store_in_turn(id, value));
        }
        let mut value = value;
        if !former.is_empty() && !matches!(value.kind, ExprKind::Var(_)) {
            // The task may wait for one of those that move on.
            let var = self.variable("id".to_owned(), Type::TaskId, false, span);
            into.push(bind(Pattern::Var(var), value, span));
            value = self.read(var, span);
        }
        for (at, var) in former.iter().enumerate().rev() {
            let newer = if at == 0 { newest } else { former[at - 1] };
            into.push(assign(*var, self.read(newer, span), span));
        }
        into.push(assign(newest, value, span));
    }

    /// `ids[turn] = id`
    fn store_in_turn(&self, id: &Id, value: Expr) -> Stmt {
        let span = value.span;
        let mut index: Option<Expr> = None;
        for (around, start, step, count) in &id.turns {
            let var = self.loops[*around].expect("a loop that is counted has a variable");
            let mut turn = self.read(var, span);
            if *start != 0 {
                turn = binary(BinaryOp::Sub, turn, int(*start, span));
            }
            if *step != 1 {
                turn = binary(BinaryOp::Div, turn, int(*step, span));
            }
            if !matches!(&turn.ty, Type::Scalar(Scalar::Integer)) && turn.ty != Type::usize() {
                let kind = ExprKind::Cast(Box::new(turn), "usize".to_owned());
                turn = usize(kind, span);
            }
            index = Some(match index {
                Some(outer) => {
                    let row = binary(BinaryOp::Mul, outer, int(i128::from(*count), span));
                    binary(BinaryOp::Add, row, turn)
                }
                None => turn,
            });
        }
        let task = TaskExpr::Set {
            ids: id.var,
            index: Box::new(index.expect("there are turns")),
            value: Box::new(value),
        };
        let kind = StmtKind::Expr(Expr {
            kind: ExprKind::Task(task),
            ty: Type::Unit,
            span,
        });
        Stmt { kind, span }
    }

    /// The id of a site, where it is needed.
    pub(super) fn name_of(&self, site: u32, since: usize, span: SpanId) -> Option<Expr> {
        let batch = self.batches.iter().find(|(known, _)| *known == site);
        if let Some((_, batch)) = batch {
            return Some(allocated(*batch, span));
        }
        let id = self.ids.get(&site)?;
        let var = match since {
            0 => id.var,
            _ => *id.former.get(since - 1)?,
        };
        Some(self.read(var, span))
    }
}

pub(super) fn allocated(batch: BatchId, span: SpanId) -> Expr {
    Expr {
        kind: ExprKind::Task(TaskExpr::Allocated(batch)),
        ty: Type::TaskId,
        span,
    }
}

pub(super) fn bind(pattern: Pattern, value: Expr, span: SpanId) -> Stmt {
    let kind = StmtKind::Let {
        pattern,
        ty: None,
        init: Some(value),
    };
    Stmt { kind, span }
}

fn assign(var: VarId, value: Expr, span: SpanId) -> Stmt {
    let kind = StmtKind::Assign {
        target: Pattern::Var(var),
        op: None,
        value,
    };
    Stmt { kind, span }
}

fn usize(kind: ExprKind, span: SpanId) -> Expr {
    let ty = Type::usize();
    Expr { kind, ty, span }
}

fn int(value: i128, span: SpanId) -> Expr {
    usize(ExprKind::Literal(value.to_string()), span)
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (a.ty.clone(), a.span);
    let kind = ExprKind::Binary(op, Box::new(a), Box::new(b));
    Expr { kind, ty, span }
}
