//! The walk that builds the flow graph.

mod control;
mod task;

use super::flow::{Around, Graph, Maker, Node, NodeId, Origin, OriginId, ScopeId, ScopeKind};
use crate::ir::{
    Block, Expr, ExprKind, Function, Part, Pattern, SpanId, Stmt, StmtKind, Type, VarId,
};
use control::Loop;
use std::mem::replace;

/// A place where a handle is needed.
pub(super) struct Use {
    /// The variable read; `None` for a value used where it is made.
    pub(super) var: Option<VarId>,
    pub(super) span: SpanId,
    pub(super) node: NodeId,
    /// Whether a task id is needed.
    pub(super) of_task: bool,
}

pub(super) fn build(function: &Function) -> (Graph, Vec<Use>) {
    let mut walk = Walk {
        function,
        graph: Graph::default(),
        uses: Vec::new(),
        current: vec![None; function.vars.len()],
        level: 0,
        declared: vec![None; function.vars.len()],
        log: Vec::new(),
        open: Vec::new(),
        loops: Vec::new(),
        around: Around::Body,
        reachable: true,
        in_core: !function.kind.is_orchestration(),
    };
    for param in &function.params {
        walk.declared[param.var.index()] = Some(0);
    }
    let value = walk.block(&function.body);
    if let Some(tail) = &function.body.tail
        && function.returns.iter().any(Type::may_hold_handle)
    {
        walk.consume(&value, tail.span);
    }
    (walk.graph, walk.uses)
}

/// The handles in a value. Owned by nobody's scope here: `Safe`.
enum Value {
    Safe,
    Handle(NodeId),
    Tuple(Vec<Value>),
}

struct Walk<'a> {
    function: &'a Function,
    graph: Graph,
    uses: Vec<Use>,
    /// What each variable holds now; `None` if no scope of this function can own it.
    current: Vec<Option<NodeId>>,
    /// Blocks around this place.
    level: u32,
    /// Level at which each variable was declared.
    declared: Vec<Option<u32>>,
    /// Former values of variables, oldest first: undone when a branch ends.
    log: Vec<(VarId, Option<NodeId>)>,
    open: Vec<ScopeId>,
    loops: Vec<Loop>,
    /// What an implicit scope here would be placed around.
    around: Around,
    reachable: bool,
    /// Whether this place is in in-core code.
    in_core: bool,
}

impl Walk<'_> {
    fn holds_handle(&self, var: VarId) -> bool {
        self.function.var(var).ty.may_hold_handle()
    }

    fn set(&mut self, var: VarId, node: Option<NodeId>) {
        let old = replace(&mut self.current[var.index()], node);
        self.log.push((var, old));
    }

    fn join(&mut self, nodes: &[NodeId]) -> Option<NodeId> {
        match nodes {
            [] => None,
            [node] => Some(*node),
            [a, b] if a == b => Some(*a),
            _ => Some(self.graph.add(Node::Join, nodes)),
        }
    }

    fn nodes(value: &Value, into: &mut Vec<NodeId>) {
        match value {
            Value::Safe => {}
            Value::Handle(node) => into.push(*node),
            Value::Tuple(items) => {
                for item in items {
                    Self::nodes(item, into);
                }
            }
        }
    }

    fn collapse(&mut self, value: &Value) -> Option<NodeId> {
        let mut nodes = Vec::new();
        Self::nodes(value, &mut nodes);
        self.join(&nodes)
    }

    fn merge(&mut self, a: Value, b: Value) -> Value {
        match (a, b) {
            (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => Value::Tuple(
                a.into_iter()
                    .zip(b)
                    .map(|(a, b)| self.merge(a, b))
                    .collect(),
            ),
            (a, b) => {
                let both = Value::Tuple(vec![a, b]);
                self.collapse(&both).map_or(Value::Safe, Value::Handle)
            }
        }
    }

    fn made(&mut self, expr: &Expr, maker: Maker) -> Value {
        let Some(owner) = self
            .open
            .last()
            .copied()
            .filter(|_| expr.ty.may_hold_handle())
        else {
            return Value::Safe;
        };
        let id = OriginId(self.graph.origins.len() as u32);
        self.graph.origins.push(Origin {
            span: expr.span,
            maker,
            owner,
            name: None,
        });
        Value::Handle(self.graph.add(Node::Made(id), &[]))
    }

    /// The value is needed here, not just passed on.
    fn consume(&mut self, value: &Value, span: SpanId) {
        let mut nodes = Vec::new();
        Self::nodes(value, &mut nodes);
        for node in nodes {
            let may_be_dead = matches!(self.graph.node(node), Node::Join | Node::Left(..));
            if may_be_dead && self.reachable {
                let node = self.graph.add(Node::Read, &[node]);
                self.uses.push(Use {
                    var: None,
                    span,
                    node,
                    of_task: false,
                });
            }
        }
    }

    fn read(&mut self, var: VarId, span: SpanId) -> Value {
        let Some(held) = self.current[var.index()].filter(|_| self.reachable) else {
            return Value::Safe;
        };
        let node = self.graph.add(Node::Read, &[held]);
        self.uses.push(Use {
            var: Some(var),
            span,
            node,
            of_task: false,
        });
        Value::Handle(node)
    }

    fn assign(&mut self, pattern: &Pattern, value: Value) {
        match (pattern, value) {
            (Pattern::Wildcard, _) => {}
            (Pattern::Tuple(targets), Value::Tuple(values)) if targets.len() == values.len() => {
                for (target, value) in targets.iter().zip(values) {
                    self.assign(target, value);
                }
            }
            (pattern, value) => {
                let node = self.collapse(&value);
                for var in pattern.vars() {
                    let held = node.filter(|_| self.holds_handle(var));
                    self.set(var, held);
                }
            }
        }
    }

    fn block(&mut self, block: &Block) -> Value {
        self.level += 1;
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        let value = block
            .tail
            .as_ref()
            .map_or(Value::Safe, |tail| self.value(tail));
        self.level -= 1;
        value
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { pattern, init, .. } => {
                let value = init
                    .as_ref()
                    .map_or(Value::Safe, |init| self.named(pattern, init));
                for var in &pattern.vars() {
                    self.declared[var.index()] = Some(self.level);
                }
                self.assign(pattern, value);
            }
            StmtKind::Assign {
                target,
                op,
                value: expr,
            } => {
                let mut value = self.named(target, expr);
                if op.is_some() {
                    self.consume(&value, expr.span);
                    for var in &target.vars() {
                        drop(self.read(*var, stmt.span));
                    }
                    value = self.made(expr, Maker::TileOperation);
                }
                self.assign(target, value);
            }
            StmtKind::Expr(expr) => drop(self.value(expr)),
            StmtKind::For { range, body, .. } => {
                range.parts(&mut |part| self.scalar_part(&part));
                self.repeat(None, body);
            }
            StmtKind::While { cond, body } => self.repeat(Some(cond), body),
            StmtKind::Break => self.leave_loop(true),
            StmtKind::Continue => self.leave_loop(false),
            StmtKind::Alloc { .. } | StmtKind::Sweep(_) => {
                stmt.parts(&mut |part| self.scalar_part(&part));
            }
        }
    }

    /// The value of an expression that is put in a variable at once.
    fn named(&mut self, pattern: &Pattern, expr: &Expr) -> Value {
        let value = self.value(expr);
        if let (Pattern::Var(var), Value::Handle(node)) = (pattern, &value)
            && let Node::Made(origin) = self.graph.node(*node)
        {
            self.graph.origins[origin.0 as usize].name = Some(*var);
        }
        value
    }

    /// Evaluates an expression that is needed as a handle, if it is one.
    fn operand(&mut self, expr: &Expr) {
        let value = self.value(expr);
        self.consume(&value, expr.span);
    }

    fn value(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Var(var) => self.read(*var, expr.span),
            ExprKind::Operation { args, .. } => {
                for arg in args {
                    self.operand(arg);
                }
                self.made(expr, Maker::TileOperation)
            }
            ExprKind::Unary(..) | ExprKind::Binary(..) if self.may_be_tile(&expr.ty) => {
                expr.parts(&mut |part| self.operand_part(&part));
                self.made(expr, Maker::TileOperation)
            }
            ExprKind::Call(call) => {
                for arg in &call.args {
                    self.operand(arg);
                }
                let result = Maker::Call(call.callee);
                match &call.launch {
                    Some(launch) => {
                        self.launch(launch);
                        let task = self.made(expr, Maker::Task);
                        if let Type::Tuple(_) = expr.ty {
                            Value::Tuple(vec![self.made(expr, result), task])
                        } else {
                            task
                        }
                    }
                    None => self.made(expr, result),
                }
            }
            ExprKind::Task(task) => self.task(expr, task),
            ExprKind::Create(_) | ExprKind::AllocRef { .. } => {
                expr.parts(&mut |part| self.scalar_part(&part));
                self.made(expr, Maker::Create)
            }
            // Views belong to whom the viewed handle belongs.
            ExprKind::Slice { base, .. }
            | ExprKind::Reshape { base, .. }
            | ExprKind::Transpose { base, .. }
            | ExprKind::Partition { base, .. } => {
                let value = self.value(base);
                self.consume(&value, base.span);
                self.after_base(expr);
                value
            }
            ExprKind::DimOf { base, .. }
            | ExprKind::Get { base, .. }
            | ExprKind::Set { base, .. } => {
                self.operand(base);
                self.after_base(expr);
                Value::Safe
            }
            ExprKind::Tuple(items) => {
                Value::Tuple(items.iter().map(|item| self.value(item)).collect())
            }
            ExprKind::If { .. }
            | ExprKind::Scope { .. }
            | ExprKind::ScratchScope(_)
            | ExprKind::At(_)
            | ExprKind::Block(_) => {
                let value = self.value_of_blocks(expr);
                if expr.ty.may_hold_handle() {
                    value
                } else {
                    Value::Safe
                }
            }
            _ => {
                expr.parts(&mut |part| self.scalar_part(&part));
                Value::Safe
            }
        }
    }

    fn value_of_blocks(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.scalar(cond);
                self.choose(then, otherwise.as_ref())
            }
            ExprKind::Scope {
                mode,
                implicit,
                body,
            } => {
                let by_hand = ScopeKind::ByHand(*mode);
                let kind = if *implicit {
                    ScopeKind::Implicit(self.around)
                } else {
                    by_hand
                };
                self.scope(expr, kind, body)
            }
            ExprKind::ScratchScope(body) => self.scope(expr, ScopeKind::Scratch, body),
            ExprKind::At(at) => {
                let outer = replace(&mut self.in_core, true);
                let value = self.block(&at.body);
                self.in_core = outer;
                value
            }
            ExprKind::Block(body) => self.block(body),
            _ => Value::Safe,
        }
    }

    /// Whether an operator gives a tile; of what a helper returns that is not known here.
    fn may_be_tile(&self, ty: &Type) -> bool {
        matches!(ty, Type::Tile(_)) || self.in_core && matches!(ty, Type::ResultOf(_))
    }

    /// The parts of a method on a handle that come after the handle.
    fn after_base(&mut self, expr: &Expr) {
        let mut first = true;
        expr.parts(&mut |part| {
            if !replace(&mut first, false) {
                self.scalar_part(&part);
            }
        });
    }

    fn operand_part(&mut self, part: &Part<'_>) {
        if let Part::Expr(expr) = part {
            self.operand(expr);
        }
    }

    /// What stands where a scalar is needed: the result of a call that is used here is no handle.
    fn scalar(&mut self, expr: &Expr) {
        match (&expr.kind, &expr.ty) {
            (ExprKind::Var(_), Type::ResultOf(_)) => {}
            (_, Type::ResultOf(_)) => drop(self.value(expr)),
            _ => self.operand(expr),
        }
    }

    fn scalar_part(&mut self, part: &Part<'_>) {
        match part {
            Part::Expr(expr) => self.scalar(expr),
            Part::Block(block) => drop(self.block(block)),
        }
    }
}
