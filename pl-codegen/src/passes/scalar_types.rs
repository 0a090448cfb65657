//! Every scalar gets the type that rustc infers for it.
//!
//! At expansion the type of a literal, and of a variable bound to one, is left to rustc, which decides
//! it from the uses. A language without inference needs it written, so here it is found again in the
//! same way: what meets in an operator, assignment or call has one type, and what nothing decides is
//! `i32` or `f64`.

use crate::ir::{
    At, BinaryOp, Block, CalleeId, Create, Elem, Expr, ExprKind, Function, Launch, Pattern, Range,
    Scalar, SliceItem, Stmt, StmtKind, TaskExpr, Type,
};

/// Gives every scalar of an orchestration function, its regions included, a type by name. `params` are
/// the types of a callee's parameters.
#[must_use]
pub fn close_scalar_types(
    mut function: Function,
    params: &dyn Fn(CalleeId) -> Vec<Type>,
) -> Function {
    let mut body = std::mem::take(&mut function.body);
    let mut closer = Closer {
        vars: function.vars.iter().map(|var| var.ty.clone()).collect(),
        params,
        changed: true,
    };
    while closer.changed {
        closer.changed = false;
        closer.block(&mut body, &mut Type::Never);
        if !closer.changed {
            // Nothing decides about what is left: variables first, so that what meets them follows.
            for ty in &mut closer.vars {
                closer.changed |= default(ty);
            }
        }
    }
    default_in(&mut body);
    for (var, ty) in function.vars.iter_mut().zip(closer.vars) {
        var.ty = ty;
    }
    function.body = body;
    function
}

/// The type of what nothing decides about; true if it was open.
fn default(ty: &mut Type) -> bool {
    let named = match ty {
        Type::Scalar(Scalar::Integer | Scalar::Open) => "i32",
        Type::Scalar(Scalar::Float) => "f64",
        Type::Tuple(items) => {
            return items
                .iter_mut()
                .fold(false, |any, item| default(item) | any);
        }
        _ => return false,
    };
    *ty = Type::Scalar(Scalar::named(named));
    true
}

fn default_in(block: &mut Block) {
    fn expr(each: &mut Expr) {
        default(&mut each.ty);
        each.parts_mut(&mut part);
    }
    fn part(part_of: crate::ir::PartMut<'_>) {
        match part_of {
            crate::ir::PartMut::Expr(each) => expr(each),
            crate::ir::PartMut::Block(block) => default_in(block),
        }
    }
    block.parts_mut(&mut part);
}

struct Closer<'a> {
    vars: Vec<Type>,
    params: &'a dyn Fn(CalleeId) -> Vec<Type>,
    changed: bool,
}

/// How much is known of a scalar's type.
fn known(ty: &Type) -> u8 {
    match ty {
        Type::Scalar(Scalar::Open) => 1,
        Type::Scalar(Scalar::Integer | Scalar::Float) => 2,
        Type::Scalar(Scalar::Named(_)) => 3,
        // No scalar: nothing to find out.
        _ => 0,
    }
}

impl Closer<'_> {
    /// Two values of one type.
    fn meet(&mut self, a: &mut Type, b: &mut Type) {
        if let (Type::Tuple(a), Type::Tuple(b)) = (&mut *a, &mut *b) {
            for (a, b) in a.iter_mut().zip(b) {
                self.meet(a, b);
            }
            return;
        }
        let (of_a, of_b) = (known(a), known(b));
        if of_a == 0 || of_b == 0 || of_a == of_b {
            return;
        }
        self.changed = true;
        if of_a < of_b {
            a.clone_from(b);
        } else {
            b.clone_from(a);
        }
    }

    /// A value that meets a type from outside.
    fn expect(&mut self, expr: &mut Expr, ty: &Type) {
        self.expr(expr);
        self.meet(&mut expr.ty, &mut ty.clone());
    }

    fn lengths<'e>(&mut self, lengths: impl IntoIterator<Item = &'e mut Expr>) {
        for length in lengths {
            self.expect(length, &Type::usize());
        }
    }

    /// Two expressions of one type.
    fn same(&mut self, a: &mut Expr, b: &mut Expr) {
        self.expr(a);
        self.expr(b);
        self.meet(&mut a.ty, &mut b.ty);
    }

    fn block(&mut self, block: &mut Block, ty: &mut Type) {
        for stmt in &mut block.stmts {
            self.stmt(stmt);
        }
        if let Some(tail) = &mut block.tail {
            self.meet(&mut tail.ty, ty);
            self.expr(tail);
            self.meet(&mut tail.ty, ty);
        }
    }

    fn inner(&mut self, block: &mut Block) {
        self.block(block, &mut Type::Never);
    }

    fn pattern_type(&self, pattern: &Pattern) -> Type {
        match pattern {
            Pattern::Var(var) => self.vars[var.index()].clone(),
            Pattern::Wildcard => Type::Never,
            Pattern::Tuple(items) => {
                Type::Tuple(items.iter().map(|item| self.pattern_type(item)).collect())
            }
        }
    }

    fn set_pattern(&mut self, pattern: &Pattern, ty: Type) {
        match (pattern, ty) {
            (Pattern::Var(var), ty) => self.vars[var.index()] = ty,
            (Pattern::Tuple(items), Type::Tuple(types)) => {
                for (item, ty) in items.iter().zip(types) {
                    self.set_pattern(item, ty);
                }
            }
            _ => {}
        }
    }

    fn bind(&mut self, pattern: &Pattern, value: &mut Expr, written: Option<&Type>) {
        let mut ty = self.pattern_type(pattern);
        if let Some(written) = written {
            self.meet(&mut ty, &mut written.clone());
        }
        self.meet(&mut value.ty, &mut ty);
        self.expr(value);
        self.meet(&mut value.ty, &mut ty);
        self.set_pattern(pattern, ty);
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Let { pattern, ty, init } => match init {
                Some(init) => self.bind(pattern, init, ty.as_ref()),
                None => {
                    let mut found = self.pattern_type(pattern);
                    if let Some(ty) = ty {
                        self.meet(&mut found, &mut ty.clone());
                    }
                    self.set_pattern(pattern, found);
                }
            },
            StmtKind::Expr(value)
            | StmtKind::Assign {
                op: Some(BinaryOp::Shl | BinaryOp::Shr),
                value,
                ..
            } => self.expr(value),
            StmtKind::Assign { target, value, .. } => self.bind(target, value, None),
            StmtKind::For { var, range, body } => {
                self.range(range);
                if let Some(var) = var {
                    let mut ty = self.vars[var.index()].clone();
                    self.meet(&mut range.start.ty, &mut ty);
                    self.vars[var.index()] = ty;
                }
                self.inner(body);
            }
            StmtKind::While { cond, body } => {
                self.expect(cond, &Type::bool());
                self.inner(body);
            }
            StmtKind::Alloc { creates, .. } => {
                for create in creates {
                    self.create(create);
                }
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Sweep(_) => {}
        }
    }

    fn range(&mut self, range: &mut Range) {
        self.same(&mut range.start, &mut range.end);
        for adaptor in &mut range.adaptors {
            if let crate::ir::Adaptor::StepBy(step) = adaptor {
                self.expect(step, &Type::usize());
            }
        }
    }

    fn create(&mut self, create: &mut Create) {
        self.lengths(&mut create.dims);
        if let Some(init) = &mut create.init {
            self.expr(init);
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        let ty = &mut expr.ty;
        match &mut expr.kind {
            ExprKind::Var(var) => {
                let mut of_var = self.vars[var.index()].clone();
                self.meet(ty, &mut of_var);
                self.vars[var.index()] = of_var;
            }
            ExprKind::Unary(_, x) => {
                self.meet(&mut x.ty, ty);
                self.expr(x);
                self.meet(&mut x.ty, ty);
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.expect(a, &Type::bool());
                self.expect(b, &Type::bool());
            }
            ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, a, b) => {
                self.meet(&mut a.ty, ty);
                self.expr(a);
                self.meet(&mut a.ty, ty);
                self.expr(b);
            }
            ExprKind::Binary(op, a, b) => {
                if !op.is_comparison() {
                    self.meet(&mut a.ty, ty);
                }
                self.meet(&mut a.ty, &mut b.ty);
                self.same(a, b);
                if !op.is_comparison() {
                    self.meet(&mut a.ty, ty);
                }
            }
            ExprKind::Cast(x, _) => {
                self.expr(x);
                // A literal takes the type that it is cast to, if it is a number of that kind.
                let float =
                    |ty: &Type| *ty == Type::Scalar(Scalar::Float) || is_named(ty, &["f32", "f64"]);
                if is_literal(x)
                    && known(&x.ty) == 2
                    && float(&x.ty) == float(ty)
                    && !is_named(ty, &["bool"])
                {
                    self.meet(&mut x.ty, &mut ty.clone());
                    self.expr(x);
                }
            }
            ExprKind::Method {
                name,
                receiver,
                args,
            } => {
                let own = name != "is_multiple_of";
                if own {
                    self.meet(&mut receiver.ty, ty);
                }
                self.expr(receiver);
                for arg in args {
                    if name == "pow" {
                        self.expect(arg, &Type::Scalar(Scalar::named("u32")));
                    } else {
                        self.meet(&mut arg.ty, &mut receiver.ty);
                        self.expr(arg);
                        self.meet(&mut arg.ty, &mut receiver.ty);
                    }
                }
                if own {
                    self.meet(&mut receiver.ty, ty);
                }
            }
            ExprKind::Operation { args, .. } => args.iter_mut().for_each(|arg| self.expr(arg)),
            ExprKind::List(items) => self.lengths(items),
            ExprKind::Call(call) => {
                let params = (self.params)(call.callee);
                for (arg, param) in call.args.iter_mut().zip(&params) {
                    self.meet(&mut arg.ty, &mut param.clone());
                    self.expr(arg);
                }
                if let Some(launch) = &mut call.launch {
                    self.launch(launch);
                }
                for output in &mut call.outputs {
                    self.create(output);
                }
            }
            ExprKind::Create(create) => self.create(create),
            ExprKind::Slice { base, items } => {
                self.expr(base);
                for item in items {
                    match item {
                        SliceItem::Range(start, end) => {
                            self.lengths(start.iter_mut().chain(end));
                        }
                        SliceItem::Index(index) => self.expect(index, &Type::usize()),
                    }
                }
            }
            ExprKind::Reshape { base, dims } => {
                self.expr(base);
                self.lengths(dims);
            }
            ExprKind::Transpose { base, axes } => {
                self.expr(base);
                self.lengths([&mut axes.0, &mut axes.1]);
            }
            ExprKind::Partition { base, axis } | ExprKind::DimOf { base, axis } => {
                self.expr(base);
                self.expect(axis, &Type::usize());
            }
            ExprKind::Get { base, indices } => {
                self.expr(base);
                self.lengths(indices);
                self.meet(ty, &mut element(&base.ty));
            }
            ExprKind::Set {
                base,
                indices,
                value,
            } => {
                self.expr(base);
                self.lengths(indices);
                let mut element = element(&base.ty);
                self.meet(&mut value.ty, &mut element);
                self.expect(value, &element);
            }
            ExprKind::Tuple(items) => {
                if let Type::Tuple(types) = ty {
                    for (item, ty) in items.iter_mut().zip(types) {
                        self.meet(&mut item.ty, ty);
                        self.expr(item);
                        self.meet(&mut item.ty, ty);
                    }
                }
            }
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.expect(cond, &Type::bool());
                self.block(then, ty);
                if let Some(otherwise) = otherwise {
                    self.block(otherwise, ty);
                }
            }
            ExprKind::Scope { body, .. } | ExprKind::ScratchScope(body) | ExprKind::Block(body) => {
                self.block(body, ty);
            }
            ExprKind::At(At { launch, body, .. }) => {
                if let Some(launch) = launch {
                    self.launch(launch);
                }
                self.inner(body);
            }
            ExprKind::Task(task) => self.task(task),
            ExprKind::Literal(_)
            | ExprKind::Dim(_)
            | ExprKind::Capture(_)
            | ExprKind::OfBlock(_)
            | ExprKind::AllocRef { .. }
            | ExprKind::Product(_) => {}
        }
    }

    fn launch(&mut self, launch: &mut Launch) {
        for dep in launch.deps.iter_mut().chain(&mut launch.deps_wait) {
            self.expr(dep);
        }
        self.lengths(&mut launch.blocks);
        if let Some(predicate) = &mut launch.predicate {
            self.expr(&mut predicate.base);
            self.lengths(&mut predicate.indices);
            let element = element(&predicate.base.ty);
            self.meet(&mut predicate.target.ty, &mut element.clone());
            self.expect(&mut predicate.target, &element);
        }
    }

    fn task(&mut self, task: &mut TaskExpr) {
        match task {
            TaskExpr::Array(length) => self.expect(length, &Type::usize()),
            TaskExpr::At { index, .. } => self.expect(index, &Type::usize()),
            TaskExpr::Set { index, value, .. } => {
                self.expr(value);
                self.expect(index, &Type::usize());
            }
            TaskExpr::Barrier(deps) => deps.iter_mut().for_each(|dep| self.expr(dep)),
            TaskExpr::IsValid(task) => self.expr(task),
            TaskExpr::None | TaskExpr::Allocated(_) => {}
        }
    }
}

/// Whether it is a number as written, perhaps with a sign.
fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Unary(_, x) => is_literal(x),
        _ => false,
    }
}

fn is_named(ty: &Type, names: &[&str]) -> bool {
    matches!(ty, Type::Scalar(Scalar::Named(name)) if names.contains(&name.as_str()))
}

/// The type of an element.
fn element(ty: &Type) -> Type {
    match ty {
        Type::Tensor(Elem::Known(dtype)) | Type::Tile(Elem::Known(dtype)) => {
            Type::Scalar(Scalar::named(dtype.name()))
        }
        _ => Type::Never,
    }
}
