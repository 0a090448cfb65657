//! Runs a function with concrete numbers: what happens, in order.

use pl_codegen::ir::{
    Access, Adaptor, AtArg, BatchId, BinaryOp, Block, Call, Expr, ExprKind, Function, Launch,
    LoopKind, Part, Pattern, ScopeMode, SliceItem, SpanId, Stmt, StmtKind, TaskExpr, Type,
};
use std::collections::HashMap;
use std::ops::Range;

/// What happened.
#[derive(Default)]
pub(crate) struct Run {
    pub(crate) nodes: Vec<Node>,
    pub(crate) roots: Vec<Root>,
    /// Ring of each scope, and the number of nodes when it closed.
    pub(crate) scopes: Vec<(usize, usize)>,
}

pub(crate) struct Root {
    /// The node that allocated it, and the scope.
    pub(crate) owner: Option<(usize, usize)>,
    pub(crate) manual_dep: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Task,
    Alloc,
    Get,
    Set,
}

/// A task, an allocation, a `get` or a `set`.
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) span: SpanId,
    pub(crate) manual: Option<usize>,
    pub(crate) uses: Vec<Use>,
    /// Tasks that it is declared to wait for, and whether it keeps what they own.
    pub(crate) deps: Vec<(usize, bool)>,
    pub(crate) ring: Option<usize>,
    /// Parallel loops that it lies in, and the turn of each.
    pub(crate) turns: Vec<(usize, i64, bool)>,
}

pub(crate) struct Use {
    pub(crate) root: usize,
    pub(crate) rows: Range<i64>,
    /// What its task says of it; `None` for the operand of a predicate.
    pub(crate) says: Option<Access>,
    /// Whether the task allocates it.
    pub(crate) fresh: bool,
}

impl Use {
    pub(crate) fn writes(&self) -> bool {
        self.says.is_some_and(Access::writes)
    }
}

#[derive(Clone, Debug)]
enum Value {
    Open,
    Num(i64),
    Tensor(usize, Range<i64>),
    Task(Option<usize>),
    Ids(Vec<Option<usize>>),
    Tuple(Vec<Value>),
}

enum Jump {
    No,
    Break,
    Continue,
}

struct Runner {
    run: Run,
    env: Vec<Value>,
    batches: HashMap<BatchId, (usize, Vec<usize>)>,
    scopes: Vec<usize>,
    manual: Option<usize>,
    turns: Vec<(usize, i64, bool)>,
    loops: usize,
    jump: Jump,
    length: Vec<i64>,
}

/// Runs it with this `n`.
pub(crate) fn run(function: &Function, n: i64) -> Run {
    let mut runner = Runner {
        run: Run::default(),
        env: vec![Value::Open; function.vars.len()],
        batches: HashMap::new(),
        scopes: vec![0],
        manual: None,
        turns: Vec::new(),
        loops: 0,
        jump: Jump::No,
        length: Vec::new(),
    };
    runner.run.scopes.push((0, usize::MAX));
    for param in &function.params {
        let value = if matches!(param.ty, Type::Tensor(_)) {
            let length = match param.dims[..] {
                [pl_codegen::ir::Dim::Const(ref length)] => runner.num(length),
                _ => panic!("dimensions are constants"),
            };
            let root = runner.root(None, false, length);
            Value::Tensor(root, 0..length)
        } else {
            Value::Num(n)
        };
        runner.env[param.var.index()] = value;
    }
    runner.block(&function.body);
    runner.run
}

impl Runner {
    fn root(&mut self, owner: Option<usize>, manual_dep: bool, length: i64) -> usize {
        let scope = *self.scopes.last().unwrap();
        self.run.roots.push(Root {
            owner: owner.map(|owner| (owner, scope)),
            manual_dep,
        });
        self.length.push(length);
        self.run.roots.len() - 1
    }

    fn block(&mut self, block: &Block) -> Value {
        for stmt in &block.stmts {
            self.stmt(stmt);
            if !matches!(self.jump, Jump::No) {
                return Value::Open;
            }
        }
        block
            .tail
            .as_ref()
            .map_or(Value::Open, |tail| self.expr(tail))
    }

    fn bind(&mut self, pattern: &Pattern, value: Value) {
        match (pattern, value) {
            (Pattern::Var(var), value) => self.env[var.index()] = value,
            (Pattern::Wildcard, _) => {}
            (Pattern::Tuple(items), Value::Tuple(values)) => {
                assert_eq!(items.len(), values.len());
                for (item, value) in items.iter().zip(values) {
                    self.bind(item, value);
                }
            }
            (pattern, value) => panic!("{pattern:?} of {value:?}"),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let {
                pattern,
                init: Some(value),
                ..
            } => {
                let value = self.expr(value);
                self.bind(pattern, value);
            }
            StmtKind::Let { init: None, .. } => {}
            StmtKind::Assign {
                target,
                op: None,
                value,
            } => {
                let value = self.expr(value);
                self.bind(target, value);
            }
            StmtKind::Expr(value) => drop(self.expr(value)),
            StmtKind::For { var, range, body } => {
                let (start, end) = (self.num(&range.start), self.num(&range.end));
                let mut values: Vec<i64> = (start..end).collect();
                for adaptor in &range.adaptors {
                    match adaptor {
                        Adaptor::Rev => values.reverse(),
                        Adaptor::StepBy(by) => {
                            let by = self.num(by) as usize;
                            values = values.into_iter().step_by(by).collect();
                        }
                    }
                }
                self.loops += 1;
                let parallel = range.kind == LoopKind::Parallel;
                self.turns.push((self.loops, 0, parallel));
                for (turn, value) in values.into_iter().enumerate() {
                    self.turns.last_mut().unwrap().1 = turn as i64;
                    if let Some(var) = var {
                        self.env[var.index()] = Value::Num(value);
                    }
                    self.block(body);
                    let jump = std::mem::replace(&mut self.jump, Jump::No);
                    if matches!(jump, Jump::Break) {
                        break;
                    }
                }
                self.turns.pop();
            }
            StmtKind::Break => self.jump = Jump::Break,
            StmtKind::Continue => self.jump = Jump::Continue,
            StmtKind::Alloc { batch, creates } => {
                let mut node = self.node(Kind::Alloc, stmt.span);
                node.ring = Some(self.ring());
                let at = self.push(node);
                let mut roots = Vec::new();
                for create in creates {
                    let length = self.num(&create.dims[0]);
                    roots.push(self.root(Some(at), create.manual_dep, length));
                }
                self.batches.insert(*batch, (at, roots));
            }
            other => panic!("{other:?}"),
        }
    }

    fn num(&mut self, expr: &Expr) -> i64 {
        match self.expr(expr) {
            Value::Num(num) => num,
            other => panic!("{other:?} for a number"),
        }
    }

    fn ring(&self) -> usize {
        self.run.scopes[*self.scopes.last().unwrap()].0
    }

    fn node(&self, kind: Kind, span: SpanId) -> Node {
        Node {
            kind,
            span,
            manual: self.manual,
            uses: Vec::new(),
            deps: Vec::new(),
            ring: None,
            turns: self.turns.clone(),
        }
    }

    fn push(&mut self, node: Node) -> usize {
        self.run.nodes.push(node);
        self.run.nodes.len() - 1
    }

    fn use_of(value: Value, says: Option<Access>) -> Use {
        let Value::Tensor(root, rows) = value else {
            panic!("{value:?} for a tensor")
        };
        Use {
            root,
            rows,
            says,
            fresh: false,
        }
    }

    fn expr(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Literal(text) => match text.parse() {
                Ok(num) => Value::Num(num),
                Err(_) => Value::Open,
            },
            ExprKind::Var(var) => self.env[var.index()].clone(),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.num(a), self.num(b));
                Value::Num(match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    BinaryOp::Gt => i64::from(a > b),
                    other => panic!("{other:?}"),
                })
            }
            ExprKind::Cast(x, _) => self.expr(x),
            ExprKind::Tuple(items) => {
                Value::Tuple(items.iter().map(|item| self.expr(item)).collect())
            }
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => {
                if self.num(cond) != 0 {
                    return self.block(then);
                }
                otherwise
                    .as_ref()
                    .map_or(Value::Open, |block| self.block(block))
            }
            ExprKind::Block(body) => self.block(body),
            ExprKind::Scope { mode, body, .. } => {
                let scope = self.run.scopes.len();
                self.run.scopes.push((self.scopes.len().min(3), usize::MAX));
                self.scopes.push(scope);
                let outer = self.manual;
                if *mode == ScopeMode::Manual {
                    self.manual = Some(scope);
                }
                let value = self.block(body);
                self.manual = outer;
                self.scopes.pop();
                self.run.scopes[scope].1 = self.run.nodes.len();
                value
            }
            ExprKind::AllocRef { batch, index } => {
                let root = self.batches[batch].1[*index as usize];
                Value::Tensor(root, 0..self.length[root])
            }
            ExprKind::Slice { base, items } => {
                let Value::Tensor(root, rows) = self.expr(base) else {
                    panic!("a slice of a tensor")
                };
                let [SliceItem::Range(Some(start), Some(end))] = &items[..] else {
                    panic!("{items:?}")
                };
                let (start, end) = (self.num(start), self.num(end));
                let part = rows.start + start..rows.start + end;
                assert!(part.end <= rows.end, "programs stay inside");
                Value::Tensor(root, part)
            }
            ExprKind::Get { base, indices } => {
                let use_of = self.element(base, indices, Access::Read);
                let mut node = self.node(Kind::Get, expr.span);
                node.uses.push(use_of);
                self.push(node);
                Value::Open
            }
            ExprKind::Set { base, indices, .. } => {
                let use_of = self.element(base, indices, Access::Write);
                let mut node = self.node(Kind::Set, expr.span);
                node.uses.push(use_of);
                self.push(node);
                Value::Open
            }
            ExprKind::Call(call) => self.call(expr, call),
            ExprKind::At(at) => {
                let mut node = self.node(Kind::Task, expr.span);
                for arg in &at.args {
                    if let AtArg::Tensor { var, access, .. } = arg {
                        let value = self.env[var.index()].clone();
                        node.uses.push(Self::use_of(value, Some(*access)));
                    }
                }
                if let Some(launch) = &at.launch {
                    self.launch(launch, &mut node);
                }
                Value::Task(Some(self.push(node)))
            }
            ExprKind::Task(task) => self.task(task),
            other => {
                expr.parts(&mut |part| match part {
                    Part::Expr(expr) => drop(self.expr(expr)),
                    Part::Block(block) => drop(self.block(block)),
                });
                panic!("{other:?}")
            }
        }
    }

    fn element(&mut self, base: &Expr, indices: &[Expr], says: Access) -> Use {
        let base = self.expr(base);
        let mut use_of = Self::use_of(base, Some(says));
        let at = use_of.rows.start + self.num(&indices[0]);
        use_of.rows = at..at + 1;
        use_of
    }

    fn call(&mut self, expr: &Expr, call: &Call) -> Value {
        let args: Vec<Value> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let mut node = self.node(Kind::Task, expr.span);
        for (value, says) in args.into_iter().zip(&call.directions) {
            node.uses
                .push(Self::use_of(value, Some(says.expect("a tensor"))));
        }
        if let Some(launch) = &call.launch {
            self.launch(launch, &mut node);
        }
        let task = self.run.nodes.len();
        let mut made = Vec::new();
        for create in &call.outputs {
            let length = self.num(&create.dims[0]);
            let root = self.root(Some(task), false, length);
            node.ring = Some(self.ring());
            node.uses.push(Use {
                root,
                rows: 0..length,
                says: Some(Access::Write),
                fresh: true,
            });
            made.push(Value::Tensor(root, 0..length));
        }
        self.push(node);
        let value = match made.len() {
            0 => Value::Open,
            1 => made.remove(0),
            _ => Value::Tuple(made),
        };
        match (&call.launch, &expr.ty) {
            (None, _) => value,
            (Some(_), Type::Tuple(_)) => Value::Tuple(vec![value, Value::Task(Some(task))]),
            (Some(_), _) => Value::Task(Some(task)),
        }
    }

    fn launch(&mut self, launch: &Launch, node: &mut Node) {
        for (deps, retain) in [(&launch.deps, true), (&launch.deps_wait, false)] {
            for dep in deps {
                match self.expr(dep) {
                    Value::Task(task) => node.deps.extend(task.map(|task| (task, retain))),
                    Value::Ids(ids) => node
                        .deps
                        .extend(ids.into_iter().flatten().map(|id| (id, retain))),
                    other => panic!("{other:?} for a task"),
                }
            }
        }
        if let Some(predicate) = &launch.predicate {
            let mut operand = self.element(&predicate.base, &predicate.indices, Access::Read);
            operand.says = None;
            node.uses.push(operand);
        }
    }

    fn task(&mut self, task: &TaskExpr) -> Value {
        match task {
            TaskExpr::None => Value::Task(None),
            TaskExpr::Array(length) => Value::Ids(vec![None; self.num(length) as usize]),
            TaskExpr::Set { ids, index, value } => {
                let value = self.expr(value);
                let index = self.num(index) as usize;
                match (&mut self.env[ids.index()], value) {
                    (Value::Ids(ids), Value::Task(task)) => ids[index] = task,
                    (ids, task) => panic!("{task:?} in {ids:?}"),
                }
                Value::Open
            }
            TaskExpr::Allocated(batch) => Value::Task(Some(self.batches[batch].0)),
            other => panic!("{other:?}"),
        }
    }
}
