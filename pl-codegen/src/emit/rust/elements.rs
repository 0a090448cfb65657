//! Elements of tensors and tiles: `get` and `set`, and the element types, which of what a call returns the callee says,
//! by `f::__results`.

use super::expr::{ATOM, is_tile};
use super::{Emitter, Sink};
use crate::ir::{
    Block, CalleeId, Elem, Expr, ExprKind, Function, Pattern, SpanId, Stmt, StmtKind, Type, VarId,
    Visit,
};

/// What says the element type of a tensor or tile.
pub(super) enum Element {
    /// It is written.
    Written(Elem),
    /// The first of these that has elements: a callee, and which of its results. Only where operands meet there are
    /// several, of which some may be scalars.
    Results(Vec<(CalleeId, usize)>),
}

impl<S: Sink> Emitter<'_, S> {
    /// `get` and `set` of one element: the scope waits for a tensor's tasks, a tile is just there.
    pub(super) fn element(
        &mut self,
        name: &str,
        base: &Expr,
        indices: &[Expr],
        value: Option<&Expr>,
        expr: &Expr,
    ) {
        // In-core code has no such methods of tensors.
        let on_tile = is_tile(base) || self.incore;
        let known = matches!(base.ty, Type::Tile(_) | Type::Tensor(_)) || !S::CHECKS;
        let handle = |this: &mut Self| match (known, on_tile) {
            (true, true) => this.operand(base, ATOM),
            (true, false) => this.expr(base),
            // What a call gives may be no tensor.
            (false, _) => this.handle(base, if on_tile { "tile::Tile" } else { "Tensor" }),
        };
        if on_tile {
            handle(self);
        } else {
            self.scope();
        }
        self.out.put(".");
        let element = self.element_type(base);
        let says = match &element {
            Some(result @ Element::Results(_)) if value.is_none() => Some(result),
            _ => None,
        };
        self.out.put(if says.is_some() { "get_as" } else { name });
        if let Some(Element::Written(elem)) = &element {
            self.out.put("::<");
            self.out.elem_type(elem);
            self.out.put(">");
        }
        self.out.put("(");
        self.out.site(expr.span);
        self.out.put(", ");
        if !on_tile {
            handle(self);
            self.out.put(", ");
        }
        self.out.put("&");
        self.lengths(indices);
        if let Some(value) = value {
            self.out.put(", ");
            self.element_value(value, base);
        }
        if let Some(says) = says {
            self.out.put(", ");
            self.says_element(says, expr.span);
        }
        self.out.put(")?");
    }

    /// What says the element type of a tensor or tile; `None` if rustc finds it alone.
    pub(super) fn element_type(&self, base: &Expr) -> Option<Element> {
        Search::new(self.function).value(base, &[])
    }

    /// A value of the element type of `base`.
    pub(super) fn element_value(&mut self, value: &Expr, base: &Expr) {
        match self.element_type(base) {
            Some(element) if S::CHECKS => self.fit_to(
                value.span,
                |this| this.expr(value),
                |this| this.says_element(&element, value.span),
            ),
            _ => self.expr(value),
        }
    }

    /// A `PhantomData` of an element type.
    pub(super) fn says_element(&mut self, element: &Element, span: SpanId) {
        match element {
            Element::Written(elem) => self.expect(|this| this.out.elem_type(elem)),
            Element::Results(results) => {
                for (position, &(callee, index)) in results.iter().enumerate() {
                    if position > 0 {
                        self.out.put(".or(");
                    }
                    self.out.callee_item(callee, "__results");
                    self.out.at(span);
                    self.out.put("()");
                    self.out.put(&".rest()".repeat(index));
                    if position > 0 {
                        self.out.put(")");
                    }
                }
                self.out.put(".element()");
            }
        }
    }
}

/// A search for where the value of a variable comes from.
struct Search<'a> {
    function: &'a Function,
    /// What was searched already: a variable may come from itself.
    met: Vec<(VarId, Vec<usize>)>,
    /// What is searched.
    wanted: Option<(VarId, Vec<usize>)>,
    found: Option<Element>,
}

impl<'a> Search<'a> {
    fn new(function: &'a Function) -> Self {
        Self {
            function,
            met: Vec::new(),
            wanted: None,
            found: None,
        }
    }

    /// What says the element type of a value, or of the part of it at `path`. Where several values come
    /// together one is enough: rustc holds that they agree.
    fn value(&mut self, value: &Expr, path: &[usize]) -> Option<Element> {
        match (&value.ty, path) {
            (
                Type::Tensor(elem @ (Elem::Known(_) | Elem::Generic(_)))
                | Type::Tile(elem @ (Elem::Known(_) | Elem::Generic(_))),
                [],
            ) => return Some(Element::Written(elem.clone())),
            (ty, _) if ty.is_scalar() => return None,
            _ => {}
        }
        match &value.kind {
            ExprKind::Var(var) => self.variable(*var, path),
            ExprKind::Call(call) => {
                // Of a `submit!` it is a pair: what the kernel returns, and the task id.
                let pair = call.launch.is_some();
                let which = match path {
                    [0, path @ ..] if pair => path,
                    _ if pair => return None,
                    path => path,
                };
                let index = which.first().copied().unwrap_or(0);
                Some(Element::Results(vec![(call.callee, index)]))
            }
            ExprKind::Tuple(items) => {
                let (&first, rest) = path.split_first()?;
                self.value(items.get(first)?, rest)
            }
            ExprKind::If {
                then, otherwise, ..
            } => self
                .tail(then, path)
                .or_else(|| self.tail(otherwise.as_ref()?, path)),
            ExprKind::Scope { body, .. } | ExprKind::ScratchScope(body) | ExprKind::Block(body) => {
                self.tail(body, path)
            }
            ExprKind::Slice { base, .. }
            | ExprKind::Reshape { base, .. }
            | ExprKind::Transpose { base, .. }
            | ExprKind::Partition { base, .. }
            | ExprKind::Unary(_, base) => self.value(base, path),
            ExprKind::Binary(_, a, b) => self.operands(&mut [&**a, &**b].into_iter()),
            // Whatever of another type an operation gives, its type is known.
            ExprKind::Operation { op, args } => {
                let args = op.args().iter().zip(args);
                let args = args.filter(|((_, kind), _)| kind.has_element());
                self.operands(&mut args.map(|(_, arg)| arg))
            }
            _ => None,
        }
    }

    /// What says the element type of operands, some of which may be scalars.
    fn operands(&mut self, operands: &mut dyn Iterator<Item = &Expr>) -> Option<Element> {
        let mut all = Vec::new();
        for operand in operands {
            match self.value(operand, &[]) {
                Some(Element::Results(results)) => all.extend(results),
                Some(written) => return Some(written),
                None => {}
            }
        }
        (!all.is_empty()).then_some(Element::Results(all))
    }

    fn tail(&mut self, block: &Block, path: &[usize]) -> Option<Element> {
        self.value(block.tail.as_ref()?, path)
    }

    fn variable(&mut self, var: VarId, path: &[usize]) -> Option<Element> {
        let wanted = (var, path.to_vec());
        if self.met.contains(&wanted) {
            return None;
        }
        self.met.push(wanted.clone());
        let outer = self.wanted.replace(wanted);
        let function = self.function;
        self.block(&function.body);
        self.wanted = outer;
        self.found.take()
    }
}

impl Visit for Search<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if self.found.is_some() {
            return;
        }
        let bound = match &stmt.kind {
            StmtKind::Let {
                pattern,
                init: Some(value),
                ..
            } => Some((pattern, value)),
            StmtKind::Assign {
                target,
                op: None,
                value,
            } => Some((target, value)),
            _ => None,
        };
        if let (Some((pattern, value)), Some((var, path))) = (bound, &self.wanted)
            && let Some(mut whole) = path_to(pattern, *var)
        {
            whole.extend(path);
            self.found = self.value(value, &whole);
        }
        stmt.parts(&mut |part| self.part(&part));
    }

    fn expr(&mut self, expr: &Expr) {
        if self.found.is_none() {
            self.inside(expr);
        }
    }
}

/// Where a pattern binds a variable.
fn path_to(pattern: &Pattern, var: VarId) -> Option<Vec<usize>> {
    match pattern {
        Pattern::Var(bound) => (*bound == var).then(Vec::new),
        Pattern::Wildcard => None,
        Pattern::Tuple(items) => items.iter().enumerate().find_map(|(index, item)| {
            let mut path = path_to(item, var)?;
            path.insert(0, index);
            Some(path)
        }),
    }
}
