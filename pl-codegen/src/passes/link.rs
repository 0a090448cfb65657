//! All functions at hand: constants filled in, callees resolved, inline helpers spliced.

mod outputs;
mod splice;
mod types;

use splice::count_batches;
use types::type_by_parts;

use super::{Validated, derive_directions, outline};
use crate::compile::compile;
use crate::ir::{
    Block, Callee, CalleeId, DType, Dim, Elem, Expr, ExprKind, Function, Param, PartMut, Pattern,
    Scalar, SourceMap, SpanId, Stmt, StmtKind, TaskExpr, Type, UnaryOp, Unit, VarId,
};
use std::sync::Arc;

/// A function with everything that surrounds it, as far as run time knows it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The function as written.
    pub unit: Unit,
    /// Its captured constants, by [`CaptureId`](crate::ir::CaptureId).
    pub constants: Vec<Constant>,
    /// Its types of elements and scalars that are not primitive, by name: type parameters and aliases, with the
    /// primitive type that each stands for.
    pub types: Vec<(String, &'static str)>,
    /// The functions it calls, by [`CalleeId`].
    pub callees: Vec<Arc<Source>>,
}

impl Source {
    /// A type of the function's own, with its type parameters and constants filled in.
    pub fn closed(&self, ty: &Type) -> Type {
        Frame::of(self).ty(ty)
    }

    /// The primitive type that a name of the function stands for; `None` if it is one.
    fn primitive(&self, name: &str) -> Option<&'static str> {
        let mut types = self.types.iter();
        types
            .find(|(known, _)| known == name)
            .map(|&(_, primitive)| primitive)
    }

    /// Name with the values of its generic parameters: `attend::<128>`. A const parameter that the
    /// body never mentions has none that run time knows.
    pub fn instance(&self) -> String {
        let function = &self.unit.function;
        let values: Vec<String> = function
            .generics
            .iter()
            .map(|generic| {
                let primitive = self.primitive(&generic.name);
                let constant = function
                    .captures
                    .iter()
                    .position(|text| *text == generic.name);
                match (primitive, constant) {
                    (Some(primitive), _) => primitive.to_owned(),
                    (_, Some(index)) => self.constants[index].text.clone(),
                    _ => "_".to_owned(),
                }
            })
            .collect();
        if values.is_empty() {
            function.name.clone()
        } else {
            format!("{}::<{}>", function.name, values.join(", "))
        }
    }
}

/// The value of a captured constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constant {
    /// Rust type.
    pub ty: &'static str,
    /// Absolute value, or the name of a special float.
    pub text: String,
    /// Whether it is below zero.
    pub negative: bool,
}

/// A function after linking: the kernels it submits are `kernels`, by [`CalleeId`].
#[derive(Clone, Debug)]
pub struct Linked {
    /// The function.
    pub function: Validated,
    /// Places of its nodes.
    pub source: SourceMap,
    /// In-core functions that its calls submit.
    pub kernels: Vec<Arc<Source>>,
}

/// Links a function: fills in constants, splices helpers, and finds what each call does with its arguments.
///
/// # Panics
/// If the function did not compile; the macro makes no kernel then.
pub fn link(source: &Source) -> Linked {
    let function = compile(&source.unit.function)
        .unwrap_or_else(|_| panic!("`{}` compiled before", source.unit.function.name))
        .function
        .into_function();
    let mut linker = Linker {
        out: function.clone(),
        places: source.unit.source.clone(),
        kernels: Vec::new(),
        next_batch: count_batches(&function.body),
    };
    linker.out.callees.clear();
    let mut body = std::mem::take(&mut linker.out.body);
    let frame = Frame::of(source);
    // First, as what mentions a variable has the type of it.
    for index in 0..linker.out.vars.len() {
        let ty = linker.out.vars[index].ty.clone();
        linker.out.vars[index].ty = frame.ty(&ty);
    }
    linker.block(&mut body, &frame);
    linker.out.body = body;
    for output in 0..linker.out.outputs.len() {
        let elem = frame.elem(&linker.out.outputs[output].elem);
        linker.out.outputs[output].elem = elem;
        let mut dims = std::mem::take(&mut linker.out.outputs[output].dims);
        linker.dims(&mut dims, &frame);
        linker.out.outputs[output].dims = dims;
    }
    for param in 0..linker.out.params.len() {
        let ty = frame.ty(&linker.out.params[param].ty);
        linker.out.params[param].ty = ty;
        let mut dims = std::mem::take(&mut linker.out.params[param].dims);
        linker.dims(&mut dims, &frame);
        linker.out.params[param].dims = dims;
    }
    let kernels = linker.kernels;
    // Again: the helpers that a region calls are part of it by now.
    let directed = derive_directions(outline(linker.out), &|callee| {
        let params = &kernels.get(callee.index())?.unit.function.params;
        let direction = |param: &Param| matches!(param.ty, Type::Tensor(_)).then_some(param.access);
        Some(params.iter().map(direction).collect())
    });
    let function = Validated::new(directed)
        .unwrap_or_else(|broken| panic!("linking gave invalid IR: {}", broken.join("; ")));
    Linked {
        function,
        source: linker.places,
        kernels,
    }
}

/// The function being put together.
struct Linker {
    out: Function,
    places: SourceMap,
    kernels: Vec<Arc<Source>>,
    next_batch: u32,
}

/// Where the nodes that are looked at come from, and how their ids move.
struct Frame<'a> {
    source: &'a Source,
    vars: u32,
    spans: u32,
    batches: u32,
    /// Variables that hold the named dimensions of a spliced helper.
    dims: Option<Vec<VarId>>,
    /// Whether a MANUAL scope is open around them.
    manual: bool,
}

impl<'a> Frame<'a> {
    /// Nothing moved.
    fn of(source: &'a Source) -> Self {
        Self {
            source,
            vars: 0,
            spans: 0,
            batches: 0,
            dims: None,
            manual: false,
        }
    }

    fn span(&self, span: SpanId) -> SpanId {
        SpanId(span.0 + self.spans)
    }

    fn var(&self, var: VarId) -> VarId {
        VarId(var.0 + self.vars)
    }

    fn elem(&self, elem: &Elem) -> Elem {
        match elem {
            Elem::Generic(name) => self
                .source
                .primitive(name)
                .and_then(DType::from_name)
                .map_or_else(|| elem.clone(), Elem::Known),
            other => other.clone(),
        }
    }

    fn ty(&self, ty: &Type) -> Type {
        match ty {
            Type::Tensor(elem) => Type::Tensor(self.elem(elem)),
            Type::Tile(elem) => Type::Tile(self.elem(elem)),
            Type::Tuple(items) => Type::Tuple(items.iter().map(|item| self.ty(item)).collect()),
            Type::Captured(id) => Type::Scalar(Scalar::named(self.source.constants[id.index()].ty)),
            Type::ResultOf(callee) => self.result(*callee),
            Type::Scalar(Scalar::Named(name)) => {
                Type::Scalar(Scalar::named(self.source.primitive(name).unwrap_or(name)))
            }
            other => other.clone(),
        }
    }

    /// What a callee returns.
    fn result(&self, callee: CalleeId) -> Type {
        let callee = &self.source.callees[callee.index()];
        let frame = Frame::of(callee);
        let mut types: Vec<Type> = callee
            .unit
            .function
            .returns
            .iter()
            .map(|ty| frame.ty(ty))
            .collect();
        match types.len() {
            0 => Type::Unit,
            1 => types.remove(0),
            _ => Type::Tuple(types),
        }
    }
}

impl Linker {
    fn dims(&mut self, dims: &mut [Dim], frame: &Frame<'_>) {
        for dim in dims {
            if let Dim::Const(expr) = dim {
                self.expr(expr, frame);
            }
        }
    }

    fn block(&mut self, block: &mut Block, frame: &Frame<'_>) {
        for stmt in &mut block.stmts {
            self.stmt(stmt, frame);
        }
        if let Some(tail) = &mut block.tail {
            self.expr(tail, frame);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt, frame: &Frame<'_>) {
        stmt.span = frame.span(stmt.span);
        stmt.parts_mut(&mut |part| match part {
            PartMut::Expr(expr) => self.expr(expr, frame),
            PartMut::Block(block) => self.block(block, frame),
        });
        match &mut stmt.kind {
            StmtKind::Let { pattern, ty, init } => {
                move_pattern(pattern, frame);
                if let Some(ty) = ty {
                    *ty = frame.ty(ty);
                }
                if let Some(init) = init {
                    self.bind_types(pattern, &init.ty);
                }
            }
            StmtKind::Assign { target, op, value } => {
                move_pattern(target, frame);
                let open = matches!(
                    value.ty,
                    Type::Scalar(Scalar::Integer | Scalar::Float) | Type::Never
                );
                if op.is_none() && !open {
                    self.bind_types(target, &value.ty);
                }
            }
            StmtKind::For { var: Some(var), .. } => *var = frame.var(*var),
            StmtKind::Alloc { batch, creates } => {
                batch.0 += frame.batches;
                for create in creates {
                    create.elem = frame.elem(&create.elem);
                }
            }
            _ => {}
        }
    }

    /// A value from a call was bound, or taken apart, before its type was known.
    fn bind_types(&mut self, pattern: &Pattern, ty: &Type) {
        match (pattern, ty) {
            (Pattern::Var(var), ty) => self.out.vars[var.index()].ty = ty.clone(),
            (Pattern::Tuple(items), Type::Tuple(types)) => {
                for (item, ty) in items.iter().zip(types) {
                    self.bind_types(item, ty);
                }
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: &mut Expr, frame: &Frame<'_>) {
        expr.span = frame.span(expr.span);
        let open = expr.ty.may_be_result();
        expr.ty = frame.ty(&expr.ty);
        let manual = match &expr.kind {
            ExprKind::Scope {
                mode: crate::ir::ScopeMode::Manual,
                ..
            } => true,
            _ => frame.manual,
        };
        // Below a MANUAL scope the scopes that the compiler inserted do not exist.
        if frame.manual
            && let ExprKind::Scope {
                implicit: true,
                body,
                ..
            } = &mut expr.kind
        {
            expr.kind = ExprKind::Block(std::mem::take(body));
        }
        let inner = Frame {
            dims: frame.dims.clone(),
            manual,
            ..*frame
        };
        expr.parts_mut(&mut |part| match part {
            PartMut::Expr(expr) => self.expr(expr, &inner),
            PartMut::Block(block) => self.block(block, &inner),
        });
        match &mut expr.kind {
            ExprKind::Var(var) => {
                *var = frame.var(*var);
                expr.ty = self.out.vars[var.index()].ty.clone();
            }
            ExprKind::Dim(index) => {
                if let Some(dims) = &frame.dims {
                    expr.kind = ExprKind::Var(dims[*index as usize]);
                }
            }
            ExprKind::Capture(id) => {
                expr.kind = literal(&frame.source.constants[id.index()], expr.span, &expr.ty);
            }
            ExprKind::Create(create) => create.elem = frame.elem(&create.elem),
            ExprKind::Task(TaskExpr::Set { ids, .. }) => *ids = frame.var(*ids),
            ExprKind::At(at) => at.args.clear(),
            ExprKind::AllocRef { batch, .. } => batch.0 += frame.batches,
            ExprKind::Cast(_, ty) => {
                if let Type::Scalar(Scalar::Named(name)) = &expr.ty {
                    ty.clone_from(name);
                }
            }
            ExprKind::Call(call) => {
                let callee = Arc::clone(&frame.source.callees[call.callee.index()]);
                let args = std::mem::take(&mut call.args);
                if callee.unit.function.kind.is_helper() {
                    let block = self.splice(&callee, args, expr.span, frame.manual);
                    expr.kind = ExprKind::Block(block);
                } else {
                    call.args = args;
                    for (arg, param) in call.args.iter_mut().zip(&callee.unit.function.params) {
                        fix_literal(arg, &callee.closed(&param.ty));
                    }
                    let written = frame.source.unit.function.callees[call.callee.index()].span;
                    call.callee = CalleeId(self.kernels.len() as u32);
                    self.out.callees.push(Callee {
                        path: callee.instance(),
                        span: frame.span(written),
                    });
                    let bound = self.allocate_outputs(call, &callee, expr.span);
                    self.kernels.push(callee);
                    if !bound.is_empty() {
                        let whole = |kind| Expr {
                            kind,
                            ty: expr.ty.clone(),
                            span: expr.span,
                        };
                        let call = std::mem::replace(&mut expr.kind, ExprKind::Tuple(Vec::new()));
                        let tail = Some(Box::new(whole(call)));
                        expr.kind = ExprKind::Block(Block { stmts: bound, tail });
                    }
                }
            }
            _ => {}
        }
        if open {
            // What was known of it is which call it comes from; by now its parts have types.
            if let Some(ty) = type_by_parts(expr) {
                expr.ty = ty;
            }
        }
    }
}

fn move_pattern(pattern: &mut Pattern, frame: &Frame<'_>) {
    match pattern {
        Pattern::Var(var) => *var = frame.var(*var),
        Pattern::Wildcard => {}
        Pattern::Tuple(items) => items.iter_mut().for_each(|item| move_pattern(item, frame)),
    }
}

fn literal(constant: &Constant, span: SpanId, ty: &Type) -> ExprKind {
    let value = ExprKind::Literal(constant.text.clone());
    if constant.negative {
        ExprKind::Unary(
            UnaryOp::Neg,
            Box::new(Expr {
                kind: value,
                ty: ty.clone(),
                span,
            }),
        )
    } else {
        value
    }
}

/// An open literal has the type of the parameter it is passed to.
fn fix_literal(arg: &mut Expr, ty: &Type) {
    if matches!(arg.ty, Type::Scalar(Scalar::Integer | Scalar::Float)) {
        arg.ty = ty.clone();
        if let ExprKind::Unary(_, operand) = &mut arg.kind {
            fix_literal(operand, ty);
        }
    }
}
