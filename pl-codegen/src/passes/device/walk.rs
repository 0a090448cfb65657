//! Follows a function through a few turns of each loop, with what it knows of its variables.
//!
//! The first turn stands for any turn: a loop variable is an unknown number of steps from its start,
//! and one step further in each turn. What is found for turns that lie so far apart holds for all.

use super::num::{Lin, Num, Unknowns};
use super::trace::{Guard, Numbers, Step, Trace};
use super::values::Value;
use super::view::{Root, View};
use crate::ir::{
    Access, BatchId, Block, Expr, ExprKind, Function, Part, Pattern, Scalar, Stmt, StmtKind, Type,
    VarId,
};
use std::collections::HashMap;

/// Turns of a loop that are followed, and statements up to which it is so many.
const TURNS: [(u32, u64); 3] = [(6, 4_000), (4, 20_000), (3, u64::MAX)];

pub(super) struct Walk<'a> {
    pub(super) function: &'a Function,
    pub(super) numbers: &'a Numbers,
    pub(super) unknowns: Unknowns,
    pub(super) trace: Trace,
    pub(super) path: Vec<Step>,
    pub(super) guards: Vec<Guard>,
    /// The MANUAL scope around.
    pub(super) manual: Option<u32>,
    /// Open scopes.
    pub(super) scopes: Vec<u32>,
    /// Tensors of `alloc_tensors` calls.
    pub(super) batches: HashMap<BatchId, (u32, Vec<u32>)>,
    env: Vec<Value>,
    /// Former values of variables, in the order in which they were given up.
    log: Vec<(VarId, Value)>,
    /// Whether a jump was made: what follows does not happen.
    pub(super) dead: bool,
    pub(super) loops: Vec<Loop>,
    pub(super) choices: u32,
    /// Jumps out of the innermost loop, or to its next turn, so far.
    pub(super) jumps: u32,
    /// Unknowns of the loops around.
    pub(super) counting: Vec<Lin>,
    pub(super) turns: u32,
    /// Shapes that tensors were given, by name.
    pub(super) shapes: HashMap<String, u32>,
}

/// Variables that changed, with their values.
pub(super) type Changes = Vec<(VarId, Value)>;

/// A loop that is followed.
#[derive(Default)]
pub(super) struct Loop {
    /// Where its changes begin in the log.
    mark: usize,
    /// Conditions of this turn, and those of them that were met in all turns before.
    pub(super) met: usize,
    pub(super) breaks: Vec<Changes>,
    pub(super) continues: Vec<Changes>,
}

/// Follows the function.
pub(super) fn follow(function: &Function, numbers: &Numbers) -> Trace {
    let turns = TURNS
        .iter()
        .find(|(turns, limit)| weight(&function.body, u64::from(*turns)) <= *limit);
    let mut walk = Walk {
        function,
        numbers,
        unknowns: Unknowns::default(),
        trace: Trace::default(),
        path: Vec::new(),
        guards: Vec::new(),
        manual: None,
        scopes: vec![0],
        batches: HashMap::new(),
        env: vec![Value::Open; function.vars.len()],
        log: Vec::new(),
        dead: false,
        loops: Vec::new(),
        choices: 0,
        jumps: 0,
        counting: Vec::new(),
        turns: turns.map_or(3, |(turns, _)| *turns),
        shapes: HashMap::new(),
    };
    walk.trace.turns = walk.turns;
    walk.trace.scopes.push(super::trace::Scope {
        ring: 0,
        closed: None,
    });
    walk.params();
    walk.block(&function.body);
    walk.trace
}

/// Statements that are followed.
fn weight(block: &Block, turns: u64) -> u64 {
    let mut sum = 0;
    for stmt in &block.stmts {
        let times = match stmt.kind {
            StmtKind::For { .. } | StmtKind::While { .. } => turns,
            _ => 1,
        };
        let mut inside = 1;
        stmt.parts(&mut |part| inside += weight_of(&part, turns));
        sum += times * inside;
    }
    block
        .tail
        .iter()
        .for_each(|tail| sum += weight_of(&Part::Expr(tail), turns));
    sum
}

fn weight_of(part: &Part<'_>, turns: u64) -> u64 {
    let mut sum = 0;
    match part {
        Part::Block(block) => return weight(block, turns),
        Part::Expr(expr) if matches!(expr.kind, ExprKind::At(_)) => {}
        Part::Expr(expr) => expr.parts(&mut |part| sum += weight_of(&part, turns)),
    }
    sum
}

impl Walk<'_> {
    fn params(&mut self) {
        for param in &self.function.params {
            let value = if let Type::Tensor(_) = param.ty {
                let root = self.trace.roots.len() as u32;
                let dims = param.dims.iter().enumerate().map(|(axis, dim)| match dim {
                    crate::ir::Dim::Any => {
                        self.unknowns.named(format!("{root}.{axis}"), false).into()
                    }
                    crate::ir::Dim::Named(index) => self.dim(*index),
                    crate::ir::Dim::Const(value) => self.num(value),
                });
                let dims: Vec<Num> = dims.collect();
                let rank = dims.len();
                self.trace.roots.push(Root {
                    dims,
                    manual_dep: false,
                    inout: param.access == Access::ReadWrite,
                    owner: None,
                    name: self.function.var(param.var).name.clone(),
                });
                Value::tensor(View::whole(root, root, rank))
            } else {
                Value::Num(self.unknowns.fresh(is_signed(&param.ty)).into())
            };
            self.set(param.var, value);
        }
    }

    pub(super) fn dim(&mut self, index: u32) -> Num {
        self.unknowns.named(format!("dim {index}"), false).into()
    }

    // Variables.

    pub(super) fn get(&self, var: VarId) -> &Value {
        &self.env[var.index()]
    }

    pub(super) fn set(&mut self, var: VarId, value: Value) {
        let former = std::mem::replace(&mut self.env[var.index()], value);
        self.log.push((var, former));
    }

    pub(super) fn bind(&mut self, pattern: &Pattern, value: Value) {
        match (pattern, value) {
            (Pattern::Var(var), value) => self.set(*var, value),
            (Pattern::Wildcard, _) => {}
            (Pattern::Tuple(items), Value::Tuple(values)) if items.len() == values.len() => {
                for (item, value) in items.iter().zip(values) {
                    self.bind(item, value);
                }
            }
            (Pattern::Tuple(items), _) => {
                for item in items {
                    self.bind(item, Value::Open);
                }
            }
        }
    }

    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// What changed since the mark.
    pub(super) fn changes(&self, mark: usize) -> Changes {
        let mut vars: Vec<VarId> = self.log[mark..].iter().map(|(var, _)| *var).collect();
        vars.sort_unstable();
        vars.dedup();
        let value = |var: VarId| (var, self.env[var.index()].clone());
        vars.into_iter().map(value).collect()
    }

    pub(super) fn undo(&mut self, mark: usize) {
        for (var, former) in self.log.drain(mark..).rev() {
            self.env[var.index()] = former;
        }
    }

    /// Goes on after one of these.
    pub(super) fn join(&mut self, states: &[Changes]) {
        let mut vars: Vec<VarId> = states.iter().flatten().map(|(var, _)| *var).collect();
        vars.sort_unstable();
        vars.dedup();
        for var in vars {
            let signed = is_signed(&self.function.var(var).ty);
            let mut joined: Option<Value> = None;
            for state in states {
                let at = state.binary_search_by_key(&var, |change| change.0);
                let value = at.map_or_else(|_| self.get(var), |at| &state[at].1).clone();
                joined = Some(match joined {
                    Some(other) => other.or(value, &mut self.unknowns, signed),
                    None => value,
                });
            }
            self.set(var, joined.unwrap_or(Value::Open));
        }
        self.dead = states.is_empty();
    }

    // Statements.

    pub(super) fn block(&mut self, block: &Block) -> Value {
        let number = self.numbers.block(block);
        for (index, stmt) in block.stmts.iter().enumerate() {
            if self.dead {
                return Value::Open;
            }
            let index = index as u32;
            self.path.push(Step::Stmt {
                block: number,
                index,
            });
            self.stmt(stmt);
            self.path.pop();
        }
        let Some(tail) = block.tail.as_ref().filter(|_| !self.dead) else {
            return Value::Open;
        };
        let index = block.stmts.len() as u32;
        self.path.push(Step::Stmt {
            block: number,
            index,
        });
        let value = self.expr(tail);
        self.path.pop();
        value
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { pattern, init, .. } => {
                let value = init.as_ref().map_or(Value::Open, |init| self.expr(init));
                self.bind(pattern, value);
            }
            StmtKind::Assign { target, op, value } => {
                let reset = matches!(value.kind, ExprKind::Task(crate::ir::TaskExpr::None));
                let mut new = self.expr(value);
                if reset {
                    // From here on the variable may not name a task that has happened.
                    new = Value::Open;
                }
                if let (Some(op), Pattern::Var(var)) = (op, target) {
                    let signed = is_signed(&self.function.var(*var).ty);
                    let old = self.get(*var).clone();
                    new = self.arithmetic(op.symbol(), &[old, new], signed);
                }
                self.bind(target, new);
            }
            StmtKind::Expr(value) => drop(self.expr(value)),
            StmtKind::For { var, range, body } => self.for_loop(*var, range, body),
            StmtKind::While { cond, body } => self.repeat(
                None,
                (0, 1),
                false,
                &mut |walk, _| drop(walk.expr(cond)),
                &mut |walk, _| drop(walk.block(body)),
            ),
            StmtKind::Break | StmtKind::Continue => {
                if let Some(around) = self.loops.last() {
                    let changes = self.changes(around.mark);
                    let around = self.loops.last_mut().expect("just seen");
                    match stmt.kind {
                        StmtKind::Break => around.breaks.push(changes),
                        _ => around.continues.push(changes),
                    }
                }
                self.jumps += 1;
                self.dead = true;
            }
            StmtKind::Alloc { batch, creates } => self.alloc(stmt, *batch, creates),
            StmtKind::Sweep(_) => {}
        }
    }

    /// A loop: `before` is what happens also before the turn that is not made any more.
    pub(super) fn repeat(
        &mut self,
        count: Option<u32>,
        first: (i128, i128),
        parallel: bool,
        before: &mut dyn FnMut(&mut Self, u32),
        body: &mut dyn FnMut(&mut Self, u32),
    ) {
        let (mark, guards, jumps) = (self.mark(), self.guards.len(), self.jumps);
        let entered = self.trace.loops.len() as u32;
        self.trace.loops.push(first);
        self.path.push(Step::Turn {
            entered,
            turn: 0,
            parallel,
            count,
        });
        self.loops.push(Loop {
            mark,
            ..Loop::default()
        });
        let mut ends: Vec<Changes> = Vec::new();
        for turn in 0..self.turns.min(count.unwrap_or(u32::MAX)) {
            if let Some(Step::Turn { turn: now, .. }) = self.path.last_mut() {
                *now = turn;
            }
            before(self, turn);
            // It may be over, unless it is known that it is not; and more turns may have been made.
            if count.is_none() || turn > 1 {
                ends.push(self.changes(mark));
            }
            if count.is_none() {
                self.guards.push((self.choices, 0));
                self.choices += 1;
            }
            self.loops.last_mut().expect("just entered").met = self.guards.len();
            body(self, turn);
            let around = self.loops.last_mut().expect("just entered");
            // That the loop was not left.
            self.guards.truncate(around.met);
            let mut states = std::mem::take(&mut around.continues);
            if !states.is_empty() {
                if !self.dead {
                    states.push(self.changes(mark));
                }
                self.undo(mark);
                self.join(&states);
            }
            if self.dead {
                break;
            }
        }
        if !self.dead {
            ends.push(self.changes(mark));
        }
        ends.extend(self.loops.pop().expect("just entered").breaks);
        self.undo(mark);
        self.join(&ends);
        self.guards.truncate(guards);
        self.jumps = jumps;
        self.path.pop();
    }

    // Values.

    pub(super) fn num(&mut self, expr: &Expr) -> Num {
        let value = self.expr(expr);
        match value {
            Value::Num(num) => num,
            _ => self.unknowns.fresh(is_signed(&expr.ty)).into(),
        }
    }

    pub(super) fn arithmetic(&mut self, name: &str, operands: &[Value], signed: bool) -> Value {
        let nums: Option<Vec<&Num>> = operands.iter().map(Value::as_num).collect();
        nums.map_or(Value::Open, |nums| {
            Value::Num(self.unknowns.operation(name, &nums, signed))
        })
    }
}

/// Whether a value of this type may be below zero.
pub(super) fn is_signed(ty: &Type) -> bool {
    !matches!(ty, Type::Scalar(Scalar::Named(name)) if name.starts_with('u'))
}
