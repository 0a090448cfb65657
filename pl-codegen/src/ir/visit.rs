//! Direct constituents of blocks, statements and expressions, in the order they are evaluated.
//!
//! What checks and passes share; each adds the few cases that it cares about.

use super::{
    Adaptor, At, Block, Create, Expr, ExprKind, Launch, Range, SliceItem, Stmt, StmtKind, TaskExpr,
};

/// A direct constituent.
pub enum Part<'a> {
    /// An expression.
    Expr(&'a Expr),
    /// A block of statements.
    Block(&'a Block),
}

/// A direct constituent that may be rewritten.
pub enum PartMut<'a> {
    /// An expression.
    Expr(&'a mut Expr),
    /// A block of statements.
    Block(&'a mut Block),
}

/// A look at everything in a block, in the order in which it is evaluated.
pub(crate) trait Visit {
    /// Looks at an expression; [`Visit::inside`] goes on with its constituents.
    fn expr(&mut self, expr: &Expr);

    /// Looks at a statement.
    fn stmt(&mut self, stmt: &Stmt) {
        stmt.parts(&mut |part| self.part(&part));
    }

    /// Looks at a block.
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        if let Some(tail) = &block.tail {
            self.expr(tail);
        }
    }

    /// Looks at the constituents of an expression.
    fn inside(&mut self, expr: &Expr) {
        expr.parts(&mut |part| self.part(&part));
    }

    /// Looks at a constituent.
    fn part(&mut self, part: &Part<'_>) {
        match part {
            Part::Expr(expr) => self.expr(expr),
            Part::Block(block) => self.block(block),
        }
    }
}

macro_rules! walkers {
    ($part:ident, $name:ident $(, $mut:tt)?) => {
        impl Expr {
            /// Visits operands and blocks, in the order they are evaluated.
            pub fn $name(&$($mut)? self, visit: &mut dyn FnMut($part<'_>)) {
                match &$($mut)? self.kind {
                    ExprKind::Literal(_)
                    | ExprKind::Var(_)
                    | ExprKind::Dim(_)
                    | ExprKind::Capture(_)
                    | ExprKind::OfBlock(_)
                    | ExprKind::AllocRef { .. } => {}
                    ExprKind::Unary(_, x) | ExprKind::Cast(x, _) => visit($part::Expr(x)),
                    ExprKind::Binary(_, a, b) => {
                        visit($part::Expr(a));
                        visit($part::Expr(b));
                    }
                    ExprKind::Method { receiver, args, .. } => {
                        visit($part::Expr(receiver));
                        for arg in args {
                            visit($part::Expr(arg));
                        }
                    }
                    ExprKind::Operation { args: items, .. }
                    | ExprKind::List(items)
                    | ExprKind::Tuple(items) => {
                        for item in items {
                            visit($part::Expr(item));
                        }
                    }
                    ExprKind::Call(call) => {
                        let (args, launch) = (&$($mut)? call.args, &$($mut)? call.launch);
                        for arg in args {
                            visit($part::Expr(arg));
                        }
                        if let Some(launch) = launch {
                            launch.$name(visit);
                        }
                        for output in &$($mut)? call.outputs {
                            output.$name(visit);
                        }
                    }
                    ExprKind::Task(task) => task.$name(visit),
                    ExprKind::Create(create) => create.$name(visit),
                    ExprKind::Slice { base, items } => {
                        visit($part::Expr(base));
                        for item in items {
                            match item {
                                SliceItem::Range(start, end) => {
                                    for bound in [start, end].into_iter().flatten() {
                                        visit($part::Expr(bound));
                                    }
                                }
                                SliceItem::Index(index) => visit($part::Expr(index)),
                            }
                        }
                    }
                    ExprKind::Reshape { base, dims: items } | ExprKind::Get { base, indices: items } => {
                        visit($part::Expr(base));
                        for item in items {
                            visit($part::Expr(item));
                        }
                    }
                    ExprKind::Transpose { base, axes } => {
                        visit($part::Expr(base));
                        let (a, b) = &$($mut)? **axes;
                        visit($part::Expr(a));
                        visit($part::Expr(b));
                    }
                    ExprKind::DimOf { base, axis } | ExprKind::Partition { base, axis } => {
                        visit($part::Expr(base));
                        visit($part::Expr(axis));
                    }
                    ExprKind::Set { base, indices, value } => {
                        visit($part::Expr(base));
                        for index in indices {
                            visit($part::Expr(index));
                        }
                        visit($part::Expr(value));
                    }
                    ExprKind::If { cond, then, otherwise } => {
                        visit($part::Expr(cond));
                        visit($part::Block(then));
                        if let Some(block) = otherwise {
                            visit($part::Block(block));
                        }
                    }
                    ExprKind::Scope { body: block, .. }
                    | ExprKind::ScratchScope(block)
                    | ExprKind::Block(block) => visit($part::Block(block)),
                    ExprKind::At(At { launch, body, .. }) => {
                        if let Some(launch) = launch {
                            launch.$name(visit);
                        }
                        visit($part::Block(body));
                    }
                    ExprKind::Product(product) => product.$name(visit),
                }
            }
        }

        impl Create {
            /// Visits dimensions, then the initial value.
            pub fn $name(&$($mut)? self, visit: &mut dyn FnMut($part<'_>)) {
                let (dims, init) = (&$($mut)? self.dims, &$($mut)? self.init);
                for part in dims.into_iter().chain(init) {
                    visit($part::Expr(part));
                }
            }
        }

        impl Launch {
            /// Visits what it depends on, then how it runs, then its predicate.
            pub fn $name(&$($mut)? self, visit: &mut dyn FnMut($part<'_>)) {
                let (deps, deps_wait) = (&$($mut)? self.deps, &$($mut)? self.deps_wait);
                for part in deps.into_iter().chain(deps_wait).chain(&$($mut)? self.blocks) {
                    visit($part::Expr(part));
                }
                if let Some(predicate) = &$($mut)? self.predicate {
                    visit($part::Expr(&$($mut)? predicate.base));
                    for index in &$($mut)? predicate.indices {
                        visit($part::Expr(index));
                    }
                    visit($part::Expr(&$($mut)? predicate.target));
                }
            }
        }

        impl TaskExpr {
            /// Visits what it needs; of an assignment the value first.
            pub fn $name(&$($mut)? self, visit: &mut dyn FnMut($part<'_>)) {
                match self {
                    Self::None | Self::Allocated(_) => {}
                    Self::Array(part) | Self::IsValid(part) => visit($part::Expr(part)),
                    Self::At { ids, index } => {
                        visit($part::Expr(ids));
                        visit($part::Expr(index));
                    }
                    Self::Set { index, value, .. } => {
                        visit($part::Expr(value));
                        visit($part::Expr(index));
                    }
                    Self::Barrier(deps) => {
                        for dep in deps {
                            visit($part::Expr(dep));
                        }
                    }
                }
            }
        }

        impl Range {
            /// Visits both ends, then what the adaptors take.
            pub fn $name(&$($mut)? self, visit: &mut dyn FnMut($part<'_>)) {
                visit($part::Expr(&$($mut)? self.start));
                visit($part::Expr(&$($mut)? self.end));
                for adaptor in &$($mut)? self.adaptors {
                    match adaptor {
                        Adaptor::StepBy(step) => visit($part::Expr(step)),
                        Adaptor::Rev => {}
                    }
                }
            }
        }

        impl Stmt {
            /// Visits expressions and blocks, in the order they are evaluated.
            pub fn $name(&$($mut)? self, visit: &mut dyn FnMut($part<'_>)) {
                match &$($mut)? self.kind {
                    StmtKind::Let { init: Some(value), .. }
                    | StmtKind::Assign { value, .. }
                    | StmtKind::Expr(value) => visit($part::Expr(value)),
                    StmtKind::For { range, body, .. } => {
                        range.$name(visit);
                        visit($part::Block(body));
                    }
                    StmtKind::While { cond, body } => {
                        visit($part::Expr(cond));
                        visit($part::Block(body));
                    }
                    StmtKind::Alloc { creates, .. } => {
                        for create in creates {
                            create.$name(visit);
                        }
                    }
                    StmtKind::Sweep(sweep) => sweep.$name(visit),
                    StmtKind::Let { init: None, .. } | StmtKind::Break | StmtKind::Continue => {}
                }
            }
        }

        impl Block {
            /// Visits the parts of each statement, then the value.
            pub fn $name(&$($mut)? self, visit: &mut dyn FnMut($part<'_>)) {
                for stmt in &$($mut)? self.stmts {
                    stmt.$name(visit);
                }
                if let Some(tail) = &$($mut)? self.tail {
                    visit($part::Expr(tail));
                }
            }
        }
    };
}

walkers!(Part, parts);
walkers!(PartMut, parts_mut, mut);
