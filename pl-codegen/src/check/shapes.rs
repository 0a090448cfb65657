//! Shapes that cannot fit, as far as their lengths are written as numbers.
//!
//! What depends on a constant, a named dimension or an argument is left to the run, which checks all.

use crate::diag::{Code, Diagnostic};
use crate::ir::{
    Block, Dim, Expr, ExprKind, Function, Part, Pattern, SliceItem, Stmt, StmtKind, Type, VarId,
};
use crate::ops::{Op, Shape as Rule};
use std::collections::BTreeSet;
use std::fmt;

/// Reports operations on shapes that do not fit.
pub fn check_shapes(function: &Function) -> Vec<Diagnostic> {
    let mut shapes = Shapes {
        function,
        known: vec![None; function.vars.len()],
        assigned: BTreeSet::new(),
        found: Vec::new(),
    };
    collect_assigned(&function.body, &mut shapes.assigned);
    let tensors = function
        .params
        .iter()
        .filter(|param| matches!(param.ty, Type::Tensor(_)))
        .map(|param| (param.var, &param.dims));
    let outputs = function.outputs.iter();
    for (var, dims) in tensors.chain(outputs.map(|output| (output.var, &output.dims))) {
        let length = |dim: &Dim| match dim {
            Dim::Const(expr) => length(expr),
            Dim::Any | Dim::Named(_) => None,
        };
        shapes.known[var.index()] = Some(Shape(dims.iter().map(length).collect()));
    }
    shapes.block(&function.body);
    shapes.found
}

/// The length of each dimension, if it is a number.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shape(Vec<Option<u64>>);

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lengths = self.0.iter().map(|length| match length {
            Some(length) => length.to_string(),
            None => "_".to_owned(),
        });
        write!(f, "[{}]", lengths.collect::<Vec<_>>().join(", "))
    }
}

impl Shape {
    /// `None` without dimensions, which is an error of its own.
    fn of(dims: &[Expr]) -> Option<Self> {
        (!dims.is_empty()).then(|| Self(dims.iter().map(length).collect()))
    }

    /// `None` if they do not broadcast as numpy's do.
    fn broadcast(&self, other: &Self) -> Option<Self> {
        let rank = self.0.len().max(other.0.len());
        let at = |shape: &Self, axis: usize| match (axis + shape.0.len()).checked_sub(rank) {
            Some(own) => shape.0[own],
            None => Some(1),
        };
        let lengths = (0..rank).map(|axis| match (at(self, axis), at(other, axis)) {
            (Some(a), Some(b)) if a == b => Some(Some(a)),
            (Some(1), b) => Some(b),
            (a, Some(1)) => Some(a),
            (Some(_), Some(_)) => None,
            // The known one is the result's, unless it is 1.
            (a, b) => Some(a.or(b)),
        });
        lengths.collect::<Option<_>>().map(Self)
    }

    fn agrees(&self, other: &Self) -> bool {
        let mut pairs = self.0.iter().zip(&other.0);
        self.0.len() == other.0.len() && pairs.all(|(a, b)| a.is_none() || b.is_none() || a == b)
    }

    /// Whether it is, in each dimension, no longer than `other`.
    fn is_within(&self, other: &Self) -> bool {
        let mut pairs = self.0.iter().zip(&other.0);
        let fits = |(a, b): (&Option<u64>, &Option<u64>)| a.is_none() || b.is_none() || a <= b;
        self.0.len() == other.0.len() && pairs.all(fits)
    }

    /// With the last two dimensions exchanged.
    fn transposed(mut self) -> Option<Self> {
        let last = self.0.len().checked_sub(2)?;
        self.0[last..].reverse();
        Some(self)
    }
}

/// A length that is written as a number.
fn length(expr: &Expr) -> Option<u64> {
    match &expr.kind {
        ExprKind::Literal(text) => text.trim_end_matches("usize").replace('_', "").parse().ok(),
        _ => None,
    }
}

/// Variables that have more than one value.
fn collect_assigned(block: &Block, into: &mut BTreeSet<VarId>) {
    for stmt in &block.stmts {
        if let StmtKind::Assign { target, .. } = &stmt.kind {
            into.extend(target.vars());
        }
    }
    block.parts(&mut |part| assigned_in(&part, into));
}

fn assigned_in(part: &Part<'_>, into: &mut BTreeSet<VarId>) {
    match part {
        Part::Block(block) => collect_assigned(block, into),
        Part::Expr(expr) => expr.parts(&mut |part| assigned_in(&part, into)),
    }
}

struct Shapes<'a> {
    function: &'a Function,
    /// Of each variable that has one value.
    known: Vec<Option<Shape>>,
    assigned: BTreeSet<VarId>,
    found: Vec<Diagnostic>,
}

impl Shapes<'_> {
    fn block(&mut self, block: &Block) -> Option<Shape> {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        block.tail.as_ref().and_then(|tail| self.expr(tail))
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let {
                pattern,
                init: Some(value),
                ..
            } => {
                let shape = self.expr(value);
                let several = match &value.kind {
                    // All tiles that one operation gives have one shape.
                    ExprKind::Operation { op, .. } => op.results().len() > 1,
                    _ => false,
                };
                if !several && matches!(pattern, Pattern::Tuple(_)) {
                    return;
                }
                for var in pattern.vars() {
                    if !self.assigned.contains(&var) {
                        self.known[var.index()].clone_from(&shape);
                    }
                }
            }
            _ => stmt.parts(&mut |part| match part {
                Part::Expr(expr) => drop(self.expr(expr)),
                Part::Block(block) => drop(self.block(block)),
            }),
        }
    }

    /// The shape of a value; reports what does not fit inside it.
    fn expr(&mut self, expr: &Expr) -> Option<Shape> {
        match &expr.kind {
            ExprKind::Var(var) => self.known[var.index()].clone(),
            ExprKind::Binary(op, a, b) => {
                let shapes = [self.expr(a), self.expr(b)];
                let name = format!("`{}`", op.symbol());
                let scalars = [a, b].map(|operand| operand.ty.is_scalar());
                self.broadcast(expr, &name, scalars, shapes)
            }
            ExprKind::Operation { op, args } => self.operation(expr, *op, args),
            ExprKind::Create(create) => Shape::of(&create.dims),
            ExprKind::Slice { base, items } => {
                let base = self.expr(base)?;
                if !self.check_bounds(expr, &base, items) {
                    return None;
                }
                let kept = base
                    .0
                    .iter()
                    .zip(items)
                    .filter_map(|(length, item)| match item {
                        SliceItem::Range(None, None) => Some(*length),
                        SliceItem::Range(start, Some(end)) => Some(between(start.as_ref(), end)),
                        SliceItem::Range(Some(_), None) => Some(None),
                        SliceItem::Index(_) => None,
                    });
                Some(Shape(kept.collect()))
            }
            ExprKind::Reshape { base, dims } => {
                self.expr(base);
                Shape::of(dims)
            }
            ExprKind::Block(block) => self.block(block),
            _ => {
                expr.parts(&mut |part| match part {
                    Part::Expr(expr) => drop(self.expr(expr)),
                    Part::Block(block) => drop(self.block(block)),
                });
                None
            }
        }
    }

    fn operation(&mut self, expr: &Expr, op: Op, args: &[Expr]) -> Option<Shape> {
        let known: Vec<_> = args.iter().map(|arg| self.expr(arg)).collect();
        // Another number of arguments is an error of its own.
        if args.len() != op.args().len() {
            return None;
        }
        let mut shapes = known.iter().cloned();
        let mut next = || shapes.next().flatten();
        let name = format!("`{}`", op.name());
        let written = args.iter().find_map(|arg| match &arg.kind {
            ExprKind::List(dims) => Shape::of(dims),
            _ => None,
        });
        match op.shape() {
            Rule::same => next(),
            Rule::broadcast => {
                let mut operands = args.iter().zip(known.iter().cloned());
                let (first, mut shape) = operands.next()?;
                let mut scalar = first.ty.is_scalar();
                for (operand, other) in operands {
                    shape = self.broadcast(
                        expr,
                        &name,
                        [scalar, operand.ty.is_scalar()],
                        [shape, other],
                    );
                    scalar &= operand.ty.is_scalar();
                }
                shape
            }
            Rule::dims => written,
            Rule::row => {
                let mut shape = next()?;
                *shape.0.last_mut()? = Some(1);
                Some(shape)
            }
            Rule::column => {
                let mut shape = next()?;
                let column = shape.0.len().checked_sub(2)?;
                shape.0[column] = Some(1);
                Some(shape)
            }
            Rule::transposed => next()?.transposed(),
            Rule::product => {
                let factors = [next()?, next()?];
                self.product(expr, &name, &factors)
            }
            Rule::accumulated => {
                let (acc, factors) = (next(), [next()?, next()?]);
                let product = self.product(expr, &name, &factors)?;
                let acc = acc.filter(|acc| !acc.agrees(&product))?;
                let help = "the first tile takes the product of the others: change a length";
                self.report(expr, &name, &acc, &product, help);
                None
            }
            Rule::top => {
                let mut shape = next()?;
                let k = length(&args[1]);
                let last = shape.0.last_mut()?;
                if let (Some(k), Some(row)) = (k, *last)
                    && k > row
                {
                    let message = format!("{name} gives no {k} elements of rows of {row}");
                    let help = format!("write a number from 0 to {row}");
                    self.refuse(expr, message, help);
                    return None;
                }
                *last = k;
                Some(shape)
            }
            Rule::behind => {
                let (mut a, b) = (next()?, next()?);
                let axis = usize::try_from(length(&args[2])?).ok()?;
                if axis >= a.0.len() {
                    let message = format!("{a} has no dimension {axis}");
                    let last = a.0.len() - 1;
                    let help = format!("write a dimension from 0 to {last}");
                    self.refuse(expr, message, help);
                    return None;
                }
                let mut others = b.clone();
                *others.0.get_mut(axis)? = None;
                if !a.agrees(&others) {
                    self.report(
                        expr,
                        &name,
                        &a,
                        &b,
                        &format!("all lengths but that of dimension {axis} are equal: change one"),
                    );
                    return None;
                }
                a.0[axis] = a.0[axis].zip(b.0[axis]).map(|(a, b)| a + b);
                Some(a)
            }
            Rule::rows => {
                let mut shape = next()?;
                *shape.0.first_mut()? = next().and_then(|indices| *indices.0.first()?);
                Some(shape)
            }
            Rule::to_rows => {
                let mut rows = next()?;
                *rows.0.first_mut()? = next().and_then(|indices| *indices.0.first()?);
                let value = next()?;
                if !rows.agrees(&value) {
                    self.report(
                        expr,
                        &name,
                        &rows,
                        &value,
                        "give it one row for each index, as long as those of the tensor",
                    );
                }
                None
            }
            Rule::copied => {
                let (target, value) = (next()?, next()?);
                if !target.agrees(&value) && self.is_output(&args[0]) {
                    self.refuse(
                        expr,
                        format!("the kernel gives {value}, and its signature says that it returns {target}"),
                        "make the two agree: change a length in one of them",
                    );
                } else if !target.agrees(&value) {
                    self.report(
                        expr,
                        &name,
                        &target,
                        &value,
                        "give both the same lengths: take a \
                         part of the larger one with `.slice(s![..])`, or change a number",
                    );
                }
                None
            }
            Rule::padded => {
                if let (Some(source), Some(dims)) = (next(), &written)
                    && !source.is_within(dims)
                {
                    self.report(
                        expr,
                        &name,
                        &source,
                        dims,
                        "the tile is as large as the tensor or larger, in as many dimensions: take \
                         a part of the tensor with `.slice(s![..])`, or change a length",
                    );
                }
                written
            }
            Rule::clipped => {
                let (target, value) = (next()?, next()?);
                if !target.is_within(&value) {
                    self.report(
                        expr,
                        &name,
                        &target,
                        &value,
                        "the tile is as large as the tensor or larger, in as many dimensions: take \
                         a part of the tensor with `.slice(s![..])`, or change a length",
                    );
                }
                None
            }
        }
    }

    /// What a matrix product gives.
    fn product(&mut self, expr: &Expr, name: &str, [a, b]: &[Shape; 2]) -> Option<Shape> {
        let ([m, k], [l, n]) = (&a.0[..], &b.0[..]) else {
            return None;
        };
        if k.is_some() && l.is_some() && k != l {
            self.report(
                expr,
                name,
                a,
                b,
                "the second length of the first tile is the first of the second: `transpose` one of \
                 them, or change a length",
            );
            return None;
        }
        Some(Shape(vec![*m, *n]))
    }

    /// Whether it is a tensor that the function returns.
    fn is_output(&self, expr: &Expr) -> bool {
        let outputs = &self.function.outputs;
        matches!(expr.kind, ExprKind::Var(var) if outputs.iter().any(|output| output.var == var))
    }

    /// What an element-wise operation gives.
    fn broadcast(
        &mut self,
        expr: &Expr,
        what: &str,
        scalars: [bool; 2],
        shapes: [Option<Shape>; 2],
    ) -> Option<Shape> {
        let [a, b] = scalars;
        let (a, b) = match (a, b, shapes) {
            (false, true, [a, _]) => return a,
            (true, false, [_, b]) => return b,
            (false, false, [Some(a), Some(b)]) => (a, b),
            _ => return None,
        };
        let result = a.broadcast(&b);
        if result.is_none() {
            self.report(
                expr,
                what,
                &a,
                &b,
                "lengths are the same or 1, counted from the last dimension: change one, or take a \
                 part with `.slice(s![..])`",
            );
        }
        result
    }

    /// Whether no item ends past its dimension.
    fn check_bounds(&mut self, expr: &Expr, base: &Shape, items: &[SliceItem]) -> bool {
        let before = self.found.len();
        for (axis, (length, item)) in base.0.iter().zip(items).enumerate() {
            let (last, is_index) = match item {
                SliceItem::Range(_, Some(end)) => (self::length(end), false),
                SliceItem::Range(start, None) => (start.as_ref().and_then(self::length), false),
                SliceItem::Index(index) => {
                    let index = self::length(index);
                    (index.map(|index| index.saturating_add(1)), true)
                }
            };
            if let (Some(length), Some(last)) = (*length, last)
                && last > length
            {
                let message = format!("the slice ends past dimension {axis} of {base}");
                let help = match length.checked_sub(1) {
                    Some(largest) if is_index => format!("use an index from 0 to {largest}"),
                    None if is_index => "there is no index: the dimension is empty".to_owned(),
                    _ => format!("end it at {length} or before"),
                };
                self.refuse(expr, message, help);
            }
        }
        self.found.len() == before
    }

    fn report(&mut self, expr: &Expr, what: &str, a: &Shape, b: &Shape, help: &str) {
        let message = format!("{what} does not take the shapes {a} and {b}");
        self.refuse(expr, message, help);
    }

    fn refuse(&mut self, expr: &Expr, message: String, help: impl Into<String>) {
        let diagnostic = Diagnostic::new(Code::ShapeMismatch, expr.span, message, help);
        self.found.push(diagnostic);
    }
}

/// The length of `start..end`.
fn between(start: Option<&Expr>, end: &Expr) -> Option<u64> {
    let start = start.map_or(Some(0), length)?;
    length(end)?.checked_sub(start)
}
