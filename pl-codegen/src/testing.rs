//! Builds small functions for tests. Every node gets a place of its own.

mod random;

pub(crate) use random::Random;

use crate::ir::{
    Access, Adaptor, At, BinaryOp, Block, Call, Callee, CalleeId, Create, DType, Elem, Expr,
    ExprKind, Function, Kind, Launch, Param, Pattern, Range, Scalar, ScopeMode, SliceItem, SpanId,
    Stmt, StmtKind, TaskExpr, Type, Var, VarId,
};
use crate::ops::Op;
use std::cell::RefCell;

pub(crate) const F32: Elem = Elem::Known(DType::F32);

/// A function under construction. Names stand for variables; a name met for the first time is a
/// `usize` until [`Build::bind`] or a parameter says otherwise.
pub(crate) struct Build(RefCell<Function>, RefCell<u32>);

impl Build {
    pub(crate) fn new(kind: Kind) -> Self {
        let function = Function {
            name: "f".to_owned(),
            kind,
            auto_scope: kind.takes_auto_scope(),
            generics: Vec::new(),
            dims: Vec::new(),
            params: Vec::new(),
            returns: Vec::new(),
            outputs: Vec::new(),
            vars: Vec::new(),
            captures: Vec::new(),
            callees: Vec::new(),
            body: Block::default(),
            span: SpanId(0),
        };
        Self(RefCell::new(function), RefCell::new(0))
    }

    /// An entry with tensor parameters `x` (read) and `o` (written).
    pub(crate) fn entry() -> Self {
        let build = Self::new(Kind::Entry);
        build.tensor("x", Access::Read);
        build.tensor("o", Access::Write);
        build
    }

    /// The same with `auto_scope = false`.
    pub(crate) fn by_hand() -> Self {
        let build = Self::entry();
        build.0.borrow_mut().auto_scope = false;
        build
    }

    /// An in-core function with tensor parameters `x` (read) and `o` (written).
    pub(crate) fn incore() -> Self {
        let build = Self::new(Kind::Incore);
        build.tensor("x", Access::Read);
        build.tensor("o", Access::Write);
        build
    }

    pub(crate) fn tensor(&self, name: &str, access: Access) {
        let var = self.id(name);
        let mut function = self.0.borrow_mut();
        function.vars[var.index()].ty = Type::Tensor(F32);
        let dims = vec![crate::ir::Dim::Any];
        function.params.push(Param {
            var,
            ty: Type::Tensor(F32),
            dims,
            access,
        });
    }

    pub(crate) fn scalar(&self, name: &str) {
        let (var, access) = (self.id(name), Access::Read);
        let param = Param {
            var,
            ty: Type::usize(),
            dims: Vec::new(),
            access,
        };
        self.0.borrow_mut().params.push(param);
    }

    pub(crate) fn finish(self, body: impl Into<Block>) -> Function {
        let mut function = self.0.into_inner();
        function.body = body.into();
        function
    }

    pub(crate) fn span(&self) -> SpanId {
        *self.1.borrow_mut() += 1;
        SpanId(*self.1.borrow())
    }

    pub(crate) fn id(&self, name: &str) -> VarId {
        let found = self
            .0
            .borrow()
            .vars
            .iter()
            .rposition(|var| var.name == name);
        found.map_or_else(|| self.fresh(name), |index| VarId(index as u32))
    }

    /// A new variable, even if the name is taken; the name means it from now on.
    pub(crate) fn fresh(&self, name: &str) -> VarId {
        let span = self.span();
        let mut function = self.0.borrow_mut();
        function.vars.push(Var {
            name: name.to_owned(),
            mutable: false,
            ty: Type::usize(),
            span,
        });
        VarId(function.vars.len() as u32 - 1)
    }

    pub(crate) fn expr(&self, kind: ExprKind, ty: Type) -> Expr {
        Expr {
            kind,
            ty,
            span: self.span(),
        }
    }

    pub(crate) fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt {
            kind,
            span: self.span(),
        }
    }

    pub(crate) fn var(&self, name: &str) -> Expr {
        let id = self.id(name);
        let ty = self.0.borrow().var(id).ty.clone();
        self.expr(ExprKind::Var(id), ty)
    }

    pub(crate) fn int(&self, value: i64) -> Expr {
        self.expr(
            ExprKind::Literal(value.to_string()),
            Type::Scalar(Scalar::Integer),
        )
    }

    pub(crate) fn less(&self, a: Expr, b: Expr) -> Expr {
        self.expr(
            ExprKind::Binary(BinaryOp::Lt, a.into(), b.into()),
            Type::bool(),
        )
    }

    pub(crate) fn add(&self, a: Expr, b: Expr) -> Expr {
        let ty = a.ty.clone();
        self.expr(ExprKind::Binary(BinaryOp::Add, a.into(), b.into()), ty)
    }

    /// A tensor in orchestration, a tile in-core.
    pub(crate) fn create_of(&self, dims: impl Into<Vec<Expr>>) -> Expr {
        let incore = self.0.borrow().kind == Kind::Incore;
        let ty = if incore {
            Type::Tile(F32)
        } else {
            Type::Tensor(F32)
        };
        let create = Create {
            elem: F32,
            dims: dims.into(),
            init: None,
            manual_dep: false,
        };
        self.expr(ExprKind::Create(create.into()), ty)
    }

    pub(crate) fn create(&self) -> Expr {
        self.create_of([self.int(4)])
    }

    pub(crate) fn op(&self, op: Op, args: impl Into<Vec<Expr>>) -> Expr {
        let ty = op.result_type(&F32);
        self.expr(
            ExprKind::Operation {
                op,
                args: args.into(),
            },
            ty,
        )
    }

    pub(crate) fn slice(&self, base: Expr) -> Expr {
        let ty = base.ty.clone();
        let items = vec![SliceItem::Range(None, Some(self.int(2)))];
        self.expr(
            ExprKind::Slice {
                base: base.into(),
                items,
            },
            ty,
        )
    }

    pub(crate) fn get(&self, base: &str) -> Expr {
        let (base, indices) = (self.var(base).into(), vec![self.int(0)]);
        self.expr(
            ExprKind::Get { base, indices },
            Type::Scalar(Scalar::named("f32")),
        )
    }

    pub(crate) fn apply(&self, callee: &str, args: impl Into<Vec<Expr>>) -> Expr {
        let span = self.span();
        let callee = {
            let callees = &mut self.0.borrow_mut().callees;
            callees.push(Callee {
                path: callee.to_owned(),
                span,
            });
            CalleeId(callees.len() as u32 - 1)
        };
        let call = Call {
            callee,
            args: args.into(),
            directions: Vec::new(),
            launch: None,
            outputs: Vec::new(),
        };
        self.expr(ExprKind::Call(call), Type::ResultOf(callee))
    }

    /// `submit!(callee(args), deps = [..])` with variables as arguments and dependencies.
    pub(crate) fn submit(&self, callee: &str, args: &[&str], deps: &[&str]) -> Expr {
        let args: Vec<Expr> = args.iter().map(|arg| self.var(arg)).collect();
        let mut submit = self.apply(callee, args);
        if let ExprKind::Call(call) = &mut submit.kind {
            let deps = deps.iter().map(|dep| self.var(dep)).collect();
            call.launch = Some(Box::new(Launch {
                deps,
                ..Launch::default()
            }));
        }
        submit.ty = Type::TaskId;
        submit
    }

    /// `barrier([..])` of variables.
    pub(crate) fn barrier(&self, deps: &[&str]) -> Expr {
        let deps = deps.iter().map(|dep| self.var(dep)).collect();
        self.task(TaskExpr::Barrier(deps))
    }

    pub(crate) fn task(&self, task: TaskExpr) -> Expr {
        let ty = match task {
            TaskExpr::Array(_) => Type::TaskIds,
            TaskExpr::Set { .. } => Type::Unit,
            _ => Type::TaskId,
        };
        self.expr(ExprKind::Task(task), ty)
    }

    /// `ids[0] = value;`
    pub(crate) fn set_task(&self, ids: &str, value: Expr) -> Stmt {
        let (ids, index, value) = (self.id(ids), self.int(0).into(), value.into());
        self.run(self.task(TaskExpr::Set { ids, index, value }))
    }

    pub(crate) fn scope_of(&self, mode: ScopeMode, body: impl Into<Block>) -> Expr {
        let body = body.into();
        let ty = body
            .tail
            .as_ref()
            .map_or(Type::Unit, |tail| tail.ty.clone());
        self.expr(
            ExprKind::Scope {
                mode,
                implicit: false,
                body,
            },
            ty,
        )
    }

    pub(crate) fn scratch_of(&self, body: impl Into<Block>) -> Expr {
        let body = body.into();
        let ty = body
            .tail
            .as_ref()
            .map_or(Type::Unit, |tail| tail.ty.clone());
        self.expr(ExprKind::ScratchScope(body), ty)
    }

    /// `at!("region", { .. })`
    pub(crate) fn at(&self, body: impl Into<Block>) -> Stmt {
        let kind = ExprKind::At(At {
            name: "region".to_owned(),
            args: Vec::new(),
            launch: None,
            body: body.into(),
        });
        self.run(self.expr(kind, Type::Unit))
    }

    pub(crate) fn choose(&self, then: impl Into<Block>, otherwise: Option<Block>) -> Expr {
        let then = then.into();
        let ty = then
            .tail
            .as_ref()
            .map_or(Type::Unit, |tail| tail.ty.clone());
        let cond = self.less(self.int(0), self.int(1)).into();
        self.expr(
            ExprKind::If {
                cond,
                then,
                otherwise,
            },
            ty,
        )
    }

    // Statements.

    pub(crate) fn run(&self, value: Expr) -> Stmt {
        self.stmt(StmtKind::Expr(value))
    }

    /// `callee(args);` with variables as arguments.
    pub(crate) fn call(&self, callee: &str, args: &[&str]) -> Stmt {
        let args: Vec<Expr> = args.iter().map(|arg| self.var(arg)).collect();
        self.run(self.apply(callee, args))
    }

    pub(crate) fn bind(&self, name: &str, value: Expr) -> Stmt {
        let var = self.id(name);
        self.0.borrow_mut().vars[var.index()].ty = value.ty.clone();
        self.stmt(StmtKind::Let {
            pattern: Pattern::Var(var),
            ty: None,
            init: Some(value),
        })
    }

    /// `let name;` of a tensor.
    pub(crate) fn later(&self, name: &str) -> Stmt {
        let var = self.id(name);
        self.0.borrow_mut().vars[var.index()].ty = Type::Tensor(F32);
        self.stmt(StmtKind::Let {
            pattern: Pattern::Var(var),
            ty: None,
            init: None,
        })
    }

    pub(crate) fn assign(&self, name: &str, value: Expr) -> Stmt {
        let var = self.id(name);
        self.0.borrow_mut().vars[var.index()].mutable = true;
        self.stmt(StmtKind::Assign {
            target: Pattern::Var(var),
            op: None,
            value,
        })
    }

    /// `(a, b) = (c, d);`
    pub(crate) fn assign_both(&self, targets: [&str; 2], values: [&str; 2]) -> Stmt {
        let target = Pattern::Tuple(targets.map(|name| Pattern::Var(self.id(name))).into());
        let values = Vec::from(values.map(|name| self.var(name)));
        let ty = Type::Tuple(values.iter().map(|value| value.ty.clone()).collect());
        let value = self.expr(ExprKind::Tuple(values), ty);
        self.stmt(StmtKind::Assign {
            target,
            op: None,
            value,
        })
    }

    /// `for name in (0..8).step_by(2)`
    pub(crate) fn each(&self, name: &str, body: impl Into<Block>) -> Stmt {
        let adaptors = vec![Adaptor::StepBy(self.int(2))];
        let range = Range {
            kind: crate::ir::LoopKind::Sequential,
            start: self.int(0),
            end: self.int(8),
            adaptors,
        };
        self.stmt(StmtKind::For {
            var: Some(self.id(name)),
            range,
            body: body.into(),
        })
    }

    pub(crate) fn repeat(&self, body: impl Into<Block>) -> Stmt {
        let cond = self.less(self.int(0), self.int(1));
        self.stmt(StmtKind::While {
            cond,
            body: body.into(),
        })
    }

    pub(crate) fn when(&self, then: impl Into<Block>, otherwise: Option<Block>) -> Stmt {
        self.run(self.choose(then, otherwise))
    }

    pub(crate) fn scope(&self, body: impl Into<Block>) -> Stmt {
        self.run(self.scope_of(ScopeMode::Auto, body))
    }

    pub(crate) fn manual(&self, body: impl Into<Block>) -> Stmt {
        self.run(self.scope_of(ScopeMode::Manual, body))
    }

    pub(crate) fn scratch(&self, body: impl Into<Block>) -> Stmt {
        self.run(self.scratch_of(body))
    }
}

impl<const N: usize> From<[Stmt; N]> for Block {
    fn from(stmts: [Stmt; N]) -> Self {
        Self {
            stmts: stmts.into(),
            tail: None,
        }
    }
}

/// Statements and a value.
impl<const N: usize> From<([Stmt; N], Expr)> for Block {
    fn from((stmts, tail): ([Stmt; N], Expr)) -> Self {
        Self {
            stmts: stmts.into(),
            tail: Some(Box::new(tail)),
        }
    }
}
