//! Expressions and control while a function is followed.

use super::num::{Lin, Num};
use super::trace::{Kind, Scope};
use super::values::Value;
use super::view::{Taken, View};
use super::walk::{Walk, is_signed};
use crate::ir::{
    Adaptor, Block, Expr, ExprKind, LoopKind, Part, Range, ScopeMode, SliceItem, VarId,
};

/// The deepest ring.
const RINGS: usize = 4;

impl Walk<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Value {
        let signed = is_signed(&expr.ty);
        match &expr.kind {
            ExprKind::Literal(text) => {
                integer(text).map_or(Value::Open, |n| Value::Num(Num::int(n)))
            }
            ExprKind::Var(var) => self.get(*var).clone(),
            ExprKind::Dim(index) => Value::Num(self.dim(*index)),
            ExprKind::Unary(op, x) => {
                let x = self.expr(x);
                match (op, &x) {
                    (crate::ir::UnaryOp::Neg, Value::Num(x)) => Value::Num(Num::int(0).plus(-1, x)),
                    _ => self.arithmetic("!", &[x], signed),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let operands = [self.expr(a), self.expr(b)];
                self.arithmetic(op.symbol(), &operands, signed)
            }
            ExprKind::Cast(x, ty) => {
                let value = self.expr(x);
                // A cast to a longer type, or one of an index, changes nothing.
                let nonnegative = || value.as_num().is_some_and(|n| Num::int(0).is_at_most(n));
                let kept = matches!(ty.as_str(), "usize" | "u64" | "i64" | "isize")
                    && (signed || !is_signed(&x.ty) || nonnegative());
                if kept {
                    value
                } else {
                    self.arithmetic(&format!("as {ty}"), &[value], signed)
                }
            }
            ExprKind::Method {
                name,
                receiver,
                args,
            } => {
                let mut operands = vec![self.expr(receiver)];
                operands.extend(args.iter().map(|arg| self.expr(arg)));
                self.arithmetic(name, &operands, signed)
            }
            ExprKind::Call(call) => self.call(expr, call),
            ExprKind::At(at) => self.region(expr, at),
            ExprKind::Task(task) => self.task(expr, task),
            ExprKind::Slice { base, items } => self.slice(base, items),
            ExprKind::Reshape { base, dims } => {
                let base = self.expr(base);
                let dims: Vec<Num> = dims.iter().map(|dim| self.num(dim)).collect();
                base.map_views(|view| self.reshaped(view, &dims))
            }
            ExprKind::Transpose { base, axes } => {
                let base = self.expr(base);
                let axes = (self.num(&axes.0), self.num(&axes.1));
                base.map_views(|view| match (axis(&axes.0), axis(&axes.1)) {
                    (Some(a), Some(b)) => view.transpose(a, b),
                    _ => View::unknown(view.root),
                })
            }
            ExprKind::DimOf { base, axis: which } => {
                let base = self.expr(base);
                let which = self.num(which);
                let length = match (base.views(), axis(&which)) {
                    ([view], Some(axis)) => {
                        view.length(axis, &self.trace.roots[view.root as usize])
                    }
                    _ => None,
                };
                Value::Num(length.unwrap_or_else(|| self.unknowns.fresh(false).into()))
            }
            ExprKind::Get { base, indices } => {
                let base = self.element(base, indices);
                self.host(expr, Kind::Get, &base);
                Value::Num(self.unknowns.fresh(true).into())
            }
            ExprKind::Set {
                base,
                indices,
                value,
            } => {
                let base = self.element(base, indices);
                self.expr(value);
                self.host(expr, Kind::Set, &base);
                Value::Open
            }
            ExprKind::Tuple(items) => {
                Value::Tuple(items.iter().map(|item| self.expr(item)).collect())
            }
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.expr(cond);
                self.choice(then, otherwise.as_ref(), signed)
            }
            ExprKind::Scope { mode, body, .. } => self.scope(*mode, body),
            ExprKind::Block(body) => self.block(body),
            ExprKind::AllocRef { batch, index } => self
                .batches
                .get(batch)
                .and_then(|(_, roots)| roots.get(*index as usize).copied())
                .map_or(Value::Open, |root| self.whole(root)),
            _ => {
                expr.parts(&mut |part| match part {
                    Part::Expr(expr) => drop(self.expr(expr)),
                    Part::Block(block) => drop(self.block(block)),
                });
                Value::Open
            }
        }
    }

    // Control.

    pub(super) fn for_loop(&mut self, var: Option<VarId>, range: &Range, body: &Block) {
        let (start, end) = (self.num(&range.start), self.num(&range.end));
        let (mut step, mut back) = (Num::int(1), false);
        for adaptor in &range.adaptors {
            match adaptor {
                Adaptor::StepBy(by) => {
                    let by = self.num(by);
                    step = self.unknowns.operation("*", &[&step, &by], false);
                }
                Adaptor::Rev => back = !back,
            }
        }
        let by = step.value.as_int();
        let count = match (start.value.as_int(), end.value.as_int(), by) {
            (Some(start), Some(end), Some(by)) if by > 0 => Some(
                ((end - start).max(0) as u128)
                    .div_ceil(by as u128)
                    .min(u128::from(u32::MAX)) as u32,
            ),
            _ => None,
        };
        // Loops over one range count alike, unless one stands in the other.
        let name = format!("{:?}{:?}{by:?}{back}", start.value, end.value);
        let mut counted = self.unknowns.named(name, false);
        if self.counting.contains(&counted) {
            counted = self.unknowns.fresh(false);
        }
        self.counting.push(counted.clone());
        self.repeat(
            count,
            (start.value.as_int().unwrap_or(0), by.unwrap_or(1)),
            range.kind == LoopKind::Parallel,
            &mut |_, _| {},
            &mut |walk, turn| {
                if let Some(var) = var {
                    let turns =
                        counted.plus(if back { -1 } else { 1 }, &Lin::int(i128::from(turn)));
                    let value = match by {
                        Some(by) => Num::from(turns).times_int(by).plus(1, &start),
                        None => walk.unknowns.fresh(false).into(),
                    };
                    walk.set(var, Value::Num(value));
                }
                walk.block(body);
            },
        );
        self.counting.pop();
    }

    fn choice(&mut self, then: &Block, otherwise: Option<&Block>, signed: bool) -> Value {
        let (mark, guards, choice) = (self.mark(), self.guards.len(), self.choices);
        self.choices += 1;
        let mut states = Vec::new();
        let mut value: Option<Value> = None;
        let mut alive = Vec::new();
        let mut may_jump = false;
        let continues = |walk: &Self| walk.loops.last().map_or(0, |around| around.continues.len());
        let before = continues(self);
        for (arm, block) in [Some(then), otherwise].into_iter().enumerate() {
            self.guards.push((choice, arm as u32));
            let jumps = self.jumps;
            let of_arm = block.map_or(Value::Open, |block| self.block(block));
            self.guards.truncate(guards);
            if !self.dead {
                states.push(self.changes(mark));
                alive.push((choice, arm as u32));
                may_jump |= self.jumps > jumps;
                value = Some(match value {
                    Some(other) => other.or(of_arm, &mut self.unknowns, signed),
                    None => of_arm,
                });
            }
            self.undo(mark);
            self.dead = false;
        }
        self.join(&states);
        if let [only] = alive[..] {
            // The other one has left the loop.
            self.guards.push(only);
        }
        if may_jump {
            // What follows happens if it was not left in one of them.
            self.guards.push((self.choices, 0));
            self.choices += 1;
        }
        let left = continues(self) == before;
        if let Some(around) = self.loops.last_mut()
            && around.met == guards
            && left
        {
            around.met = self.guards.len();
        }
        value.unwrap_or(Value::Open)
    }

    fn scope(&mut self, mode: ScopeMode, body: &Block) -> Value {
        let scope = self.trace.scopes.len() as u32;
        let ring = self.scopes.len().min(RINGS - 1);
        self.trace.scopes.push(Scope { ring, closed: None });
        self.scopes.push(scope);
        let around = self.manual;
        if mode == ScopeMode::Manual {
            self.manual = Some(scope);
        }
        let value = self.block(body);
        self.manual = around;
        self.scopes.pop();
        self.trace.scopes[scope as usize].closed = Some(self.trace.instances.len() as u32);
        value
    }

    // Tensors.

    pub(super) fn whole(&self, root: u32) -> Value {
        let rank = self.trace.roots[root as usize].dims.len();
        Value::tensor(View::whole(root, root, rank))
    }

    fn slice(&mut self, base: &Expr, items: &[SliceItem]) -> Value {
        let base = self.expr(base);
        let mut taken = Vec::new();
        for item in items {
            taken.push(match item {
                SliceItem::Index(at) => (self.num(at), None, true),
                SliceItem::Range(start, end) => {
                    let start = start.as_ref().map_or(Num::int(0), |start| self.num(start));
                    (start, end.as_ref().map(|end| self.num(end)), false)
                }
            });
        }
        base.map_views(|view| {
            let items = taken.iter().cloned();
            let items = items.map(|(start, end, index)| {
                if index {
                    Taken::Index(start)
                } else {
                    Taken::Range(start, end)
                }
            });
            view.slice(items.collect(), &self.trace.roots[view.root as usize])
        })
    }

    fn reshaped(&mut self, view: &View, dims: &[Num]) -> View {
        if !view.is_whole() {
            return View::unknown(view.root);
        }
        let lengths: Vec<&Lin> = dims.iter().map(|dim| &dim.value).collect();
        let name = format!(
            "shape of {}: {lengths:?} of {} {:?}",
            view.root, view.shape, view.dims
        );
        let shape = self.shapes.len() as u32;
        let shape = *self.shapes.entry(name).or_insert(shape);
        // Roots are numbered from below.
        View::whole(view.root, u32::MAX - 1 - shape, dims.len())
    }

    pub(super) fn element(&mut self, base: &Expr, indices: &[Expr]) -> Value {
        let base = self.expr(base);
        let indices: Vec<Num> = indices.iter().map(|index| self.num(index)).collect();
        base.map_views(|view| {
            let items = indices.iter().cloned().map(Taken::Index);
            view.slice(items.collect(), &self.trace.roots[view.root as usize])
        })
    }
}

/// A dimension, where it is a constant.
fn axis(num: &Num) -> Option<usize> {
    num.value
        .as_int()
        .and_then(|axis| usize::try_from(axis).ok())
}

/// The value of an integer literal.
fn integer(text: &str) -> Option<i128> {
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    let end = digits.find(|c: char| !c.is_ascii_digit());
    let (digits, suffix) = digits.split_at(end.unwrap_or(digits.len()));
    let is_type = suffix.is_empty() || suffix.starts_with(['u', 'i']);
    digits.parse().ok().filter(|_| is_type)
}
