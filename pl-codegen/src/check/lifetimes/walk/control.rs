//! Loops, branches and scopes: where handles are merged, carried on and left behind.

use super::super::flow::{Around, Node, NodeId, ScopeId, ScopeInfo, ScopeKind};
use super::{Value, Walk};
use crate::ir::{Block, Expr, ExprKind, Part, SpanId, StmtKind, TaskExpr, VarId};
use std::collections::BTreeMap;
use std::mem::replace;

/// A variable that a loop assigns.
struct Carried {
    var: VarId,
    /// Its value when an iteration begins.
    head: NodeId,
    /// Its value after the loop.
    out: NodeId,
}

pub(super) struct Loop {
    carried: Vec<Carried>,
    /// Scopes that are open around the loop.
    open: usize,
}

type Changes = BTreeMap<VarId, Option<NodeId>>;

impl Walk<'_> {
    /// Undoes changes back to `mark`; returns what they had come to, for variables that are
    /// visible here.
    fn undo(&mut self, mark: usize) -> Changes {
        let mut changes = Changes::new();
        for (var, old) in self.log.drain(mark..).rev() {
            let new = replace(&mut self.current[var.index()], old);
            if self.declared[var.index()].is_some_and(|level| level <= self.level) {
                changes.entry(var).or_insert(new);
            }
        }
        changes
    }

    pub(super) fn repeat(&mut self, cond: Option<&Expr>, body: &Block) {
        let mut vars = Vec::new();
        assigned(body, &mut vars);
        vars.sort_unstable();
        vars.dedup();
        let outside = |var: &VarId| self.declared[var.index()].is_some() && self.holds_handle(*var);
        vars.retain(outside);
        let mut carried = Vec::with_capacity(vars.len());
        for var in vars {
            let before: Vec<NodeId> = self.current[var.index()].into_iter().collect();
            let head = self.graph.add(Node::Join, &before);
            let out = self.graph.add(Node::AfterLoop, &[head]);
            self.set(var, Some(head));
            carried.push(Carried { var, head, out });
        }
        let entered = self.reachable;
        self.loops.push(Loop {
            carried,
            open: self.open.len(),
        });
        if let Some(cond) = cond {
            self.scalar(cond);
        }
        self.around = Around::Loop;
        self.block(body);
        self.leave_loop(false);
        self.reachable = entered;
        for carried in self.loops.pop().into_iter().flat_map(|each| each.carried) {
            self.set(carried.var, Some(carried.out));
        }
    }

    /// `break`, or the end of an iteration.
    pub(super) fn leave_loop(&mut self, ends: bool) {
        let Some(innermost) = self.loops.last() else {
            return;
        };
        if self.reachable {
            let scopes = &self.open[innermost.open..];
            for carried in &innermost.carried {
                let Some(mut node) = self.current[carried.var.index()] else {
                    continue;
                };
                for scope in scopes.iter().rev() {
                    node = self.graph.add(Node::Left(*scope, None), &[node]);
                }
                if ends {
                    self.graph.connect(node, carried.out);
                } else {
                    node = self.graph.add(Node::NextIteration, &[node]);
                    self.graph.connect(node, carried.head);
                }
            }
        }
        self.reachable = false;
    }

    pub(super) fn choose(&mut self, then: &Block, otherwise: Option<&Block>) -> Value {
        let mark = self.log.len();
        let entered = self.reachable;
        self.around = Around::Branch;
        let a = self.block(then);
        let a_ends = replace(&mut self.reachable, entered);
        let mut a_changes = self.undo(mark);
        self.around = Around::Branch;
        let b = otherwise.map_or(Value::Safe, |block| self.block(block));
        let b_ends = self.reachable;
        let mut b_changes = self.undo(mark);
        self.reachable = a_ends || b_ends;
        if a_ends && b_ends {
            for var in a_changes
                .keys()
                .chain(b_changes.keys())
                .copied()
                .collect::<Vec<_>>()
            {
                let before = self.current[var.index()];
                let a = a_changes.remove(&var);
                let b = b_changes.remove(&var);
                if a.is_some() || b.is_some() {
                    let nodes = [a.unwrap_or(before), b.unwrap_or(before)];
                    let nodes: Vec<NodeId> = nodes.into_iter().flatten().collect();
                    let node = self.join(&nodes);
                    self.set(var, node);
                }
            }
            return self.merge(a, b);
        }
        let (changes, value) = if a_ends {
            (a_changes, a)
        } else {
            (b_changes, b)
        };
        if self.reachable {
            for (var, node) in changes {
                self.set(var, node);
            }
        }
        value
    }

    pub(super) fn scope(&mut self, expr: &Expr, kind: ScopeKind, body: &Block) -> Value {
        let id = ScopeId(self.graph.scopes.len() as u32);
        self.graph.scopes.push(ScopeInfo {
            kind,
            span: expr.span,
        });
        self.open.push(id);
        let mark = self.log.len();
        let value = self.block(body);
        self.open.pop();
        let visible = |var: &VarId| self.declared[var.index()].is_some_and(|at| at <= self.level);
        let mut vars: Vec<VarId> = self.log[mark..].iter().map(|(var, _)| *var).collect();
        vars.retain(visible);
        vars.sort_unstable();
        vars.dedup();
        for var in vars {
            if let Some(node) = self.current[var.index()] {
                let node = self.graph.add(Node::Left(id, None), &[node]);
                self.set(var, Some(node));
            }
        }
        let tail = body.tail.as_ref().map_or(expr.span, |tail| tail.span);
        self.left(id, tail, value)
    }

    fn left(&mut self, scope: ScopeId, tail: SpanId, value: Value) -> Value {
        match value {
            Value::Safe => Value::Safe,
            Value::Handle(node) => {
                Value::Handle(self.graph.add(Node::Left(scope, Some(tail)), &[node]))
            }
            Value::Tuple(items) => Value::Tuple(
                items
                    .into_iter()
                    .map(|item| self.left(scope, tail, item))
                    .collect(),
            ),
        }
    }
}

/// Variables that are assigned anywhere in the block.
fn assigned(block: &Block, into: &mut Vec<VarId>) {
    for stmt in &block.stmts {
        if let StmtKind::Assign { target, .. } = &stmt.kind {
            into.extend(target.vars());
        }
    }
    block.parts(&mut |part| assigned_in(&part, into));
}

fn assigned_in(part: &Part<'_>, into: &mut Vec<VarId>) {
    match part {
        Part::Block(block) => assigned(block, into),
        Part::Expr(expr) => {
            if let ExprKind::Task(TaskExpr::Set { ids, .. }) = &expr.kind {
                into.push(*ids);
            }
            expr.parts(&mut |part| assigned_in(&part, into));
        }
    }
}
