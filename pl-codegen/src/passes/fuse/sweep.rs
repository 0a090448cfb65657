//! Statements that become one sweep.

use super::effects::{Mentions, Purity, purity};
use crate::ir::{
    BinaryOp, Block, DType, Elem, Expr, ExprKind, Function, PartMut, Pattern, Step, StepArg, Stmt,
    StmtKind, Sweep, Type, UnaryOp, VarId, Visit,
};
use crate::ops::Op;

/// More steps than this would not share the cache.
const MAX_STEPS: usize = 32;

/// Replaces the statements of a block that can run together. `mentions` says how often the function
/// mentions each variable.
pub(super) fn block(block: &mut Block, function: &Function, mentions: &[usize]) {
    let mut out = Vec::with_capacity(block.stmts.len());
    let mut group = Group::new(function, mentions);
    for stmt in std::mem::take(&mut block.stmts) {
        if !group.takes(&stmt) {
            group.finish(&mut out);
            if !group.takes(&stmt) {
                out.push(stmt);
                continue;
            }
        }
        group.stmts.push(stmt);
    }
    group.finish(&mut out);
    block.stmts = out;
}

/// Statements that run together so far.
struct Group<'a> {
    function: &'a Function,
    mentions: &'a [usize],
    stmts: Vec<Stmt>,
    inputs: Vec<Expr>,
    steps: Vec<Step>,
    /// Variables of the group, and the steps whose results they are.
    defined: Vec<(VarId, u32)>,
    /// What the loads among them load.
    loaded: Vec<(VarId, u32)>,
    /// Whether a statement uses an input or a result of those before it.
    joined: bool,
}

impl<'a> Group<'a> {
    fn new(function: &'a Function, mentions: &'a [usize]) -> Self {
        Self {
            function,
            mentions,
            stmts: Vec::new(),
            inputs: Vec::new(),
            steps: Vec::new(),
            defined: Vec::new(),
            loaded: Vec::new(),
            joined: false,
        }
    }

    /// Makes steps of a statement, if it can join the others.
    fn takes(&mut self, stmt: &Stmt) -> bool {
        let (steps, inputs) = (self.steps.len(), self.inputs.len());
        self.joined = self.stmts.is_empty();
        let value = match &stmt.kind {
            StmtKind::Let {
                pattern: Pattern::Var(var),
                init: Some(init),
                ..
            } if matches!(init.ty, Type::Tile(_)) => match self.value(init) {
                Some(StepArg::Step(step)) => {
                    self.loads(*var, step);
                    self.defined.push((*var, step));
                    Some(())
                }
                _ => None,
            },
            StmtKind::Expr(expr) => match &expr.kind {
                ExprKind::Operation {
                    op: op @ (Op::Store | Op::CopyTo),
                    args,
                } => self.copy(*op, &args[0], &args[1], expr),
                _ => None,
            },
            _ => None,
        };
        if value.is_some() && self.joined && self.steps.len() <= MAX_STEPS {
            return true;
        }
        self.steps.truncate(steps);
        self.inputs.truncate(inputs);
        self.defined.retain(|(_, step)| (*step as usize) < steps);
        self.loaded
            .retain(|(var, _)| self.defined.iter().any(|(own, _)| own == var));
        false
    }

    fn loads(&mut self, var: VarId, step: u32) {
        if let Step {
            op: Op::Load, args, ..
        } = &self.steps[step as usize]
            && let [StepArg::Input(tensor)] = args[..]
        {
            self.loaded.push((var, tensor));
        }
    }

    /// `store(to, value)` or `copy_to(to, value)`
    fn copy(&mut self, op: Op, to: &Expr, value: &Expr, expr: &Expr) -> Option<()> {
        // What a kernel returns has an error of its own.
        let is_output = matches!(to.kind, ExprKind::Var(var)
            if self.function.outputs.iter().any(|output| output.var == var));
        if is_output {
            return None;
        }
        let to = self.place(to)?;
        let value = self.value(value)?;
        let StepArg::Step(_) = value else { return None };
        self.step(op, vec![to, value], None, expr);
        Some(())
    }

    /// A tensor, or a tile that is written.
    fn place(&mut self, expr: &Expr) -> Option<StepArg> {
        let known = matches!(expr.ty, Type::Tensor(_) | Type::Tile(_));
        let ours = matches!(expr.kind, ExprKind::Var(var) if self.defined(var).is_some());
        (known && !ours && has_floats(&expr.ty)).then(|| self.input(expr))?
    }

    /// What a step takes for an expression; the operations in it become steps.
    fn value(&mut self, expr: &Expr) -> Option<StepArg> {
        if expr.ty.is_scalar() {
            return self.scalar(expr);
        }
        if !matches!(expr.ty, Type::Tile(_)) || !has_floats(&expr.ty) {
            return None;
        }
        match &expr.kind {
            ExprKind::Var(var) if self.defined(*var).is_some() => {
                self.joined = true;
                self.defined(*var)
            }
            ExprKind::Binary(op, a, b) => {
                let op = operator(*op)?;
                let args = vec![self.value(a)?, self.value(b)?];
                Some(self.step(op, args, None, expr))
            }
            ExprKind::Unary(UnaryOp::Neg, x) => {
                let args = vec![self.value(x)?];
                Some(self.step(Op::Neg, args, None, expr))
            }
            ExprKind::Operation { op: Op::Load, args } => {
                let args = vec![self.place(&args[0])?];
                Some(self.step(Op::Load, args, None, expr))
            }
            ExprKind::Operation { op, args } if op.in_sweeps() => {
                let args: Option<Vec<StepArg>> = args.iter().map(|arg| self.value(arg)).collect();
                let elem = match (&expr.ty, op) {
                    (Type::Tile(elem), Op::Cast) => Some(elem.clone()),
                    _ => None,
                };
                Some(self.step(*op, args?, elem, expr))
            }
            _ => self.input(expr),
        }
    }

    fn scalar(&mut self, expr: &Expr) -> Option<StepArg> {
        let mut expr = expr.clone();
        lengths(&mut expr, &self.loaded, &self.inputs);
        self.input(&expr)
    }

    fn defined(&self, var: VarId) -> Option<StepArg> {
        let found = self.defined.iter().find(|(own, _)| *own == var);
        found.map(|(_, step)| StepArg::Step(*step))
    }

    fn step(&mut self, op: Op, args: Vec<StepArg>, elem: Option<Elem>, expr: &Expr) -> StepArg {
        self.steps.push(Step {
            op,
            args,
            elem,
            span: expr.span,
        });
        StepArg::Step(self.steps.len() as u32 - 1)
    }

    /// Something from outside: evaluated before all steps, so it may not depend on them.
    fn input(&mut self, expr: &Expr) -> Option<StepArg> {
        let mut ours = false;
        Mentions(|var| ours |= self.defined(var).is_some()).expr(expr);
        let worst = if self.stmts.is_empty() {
            Purity::Reads
        } else {
            Purity::Names
        };
        if ours || purity(expr) > worst || expr.ty.may_be_result() {
            return None;
        }
        if let ExprKind::Var(var) = expr.kind
            && !expr.ty.is_scalar()
        {
            let same = |input: &Expr| matches!(input.kind, ExprKind::Var(other) if other == var);
            if let Some(at) = self.inputs.iter().position(same) {
                self.joined = true;
                return Some(StepArg::Input(at as u32));
            }
        }
        self.inputs.push(expr.clone());
        Some(StepArg::Input(self.inputs.len() as u32 - 1))
    }

    /// Ends the group: one sweep if that is worth it, else the statements as they are.
    fn finish(&mut self, out: &mut Vec<Stmt>) {
        let group = std::mem::replace(self, Self::new(self.function, self.mentions));
        let mut inside = vec![0; group.mentions.len()];
        for stmt in &group.stmts {
            Mentions(|var: VarId| inside[var.index()] += 1).stmt(stmt);
        }
        let outside = |var: VarId| group.mentions[var.index()] > inside[var.index()];
        let kept: Vec<(VarId, u32)> = group
            .defined
            .iter()
            .copied()
            .filter(|(var, _)| outside(*var))
            .collect();
        let is_kept = |at: usize| kept.iter().any(|(_, kept)| *kept as usize == at);
        let (mut computed, mut saved) = (0, 0);
        for (at, step) in group.steps.iter().enumerate() {
            match step.op {
                Op::Load => saved += usize::from(!is_kept(at)),
                Op::Store | Op::CopyTo => saved += 1,
                _ => computed += 1,
            }
        }
        if computed == 0 || computed + saved < 2 {
            return out.extend(group.stmts);
        }
        let span = group.stmts[0].span;
        let sweep = Sweep {
            inputs: group.inputs,
            steps: group.steps,
            kept,
        };
        let kind = StmtKind::Sweep(Box::new(sweep));
        out.push(Stmt { kind, span });
    }
}

fn operator(op: BinaryOp) -> Option<Op> {
    Some(match op {
        BinaryOp::Add => Op::Add,
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Mul => Op::Mul,
        BinaryOp::Div => Op::Div,
        _ => return None,
    })
}

/// Whether its elements are floats, as far as is known.
fn has_floats(ty: &Type) -> bool {
    match ty {
        Type::Tile(elem) | Type::Tensor(elem) => match elem {
            Elem::Known(dtype) => matches!(dtype, DType::F32 | DType::F16 | DType::Bf16),
            Elem::Generic(_) => true,
            Elem::Open(_) | Elem::Unknown => false,
        },
        _ => false,
    }
}

/// Asks the tensor rather than the tile that is loaded from it for lengths.
fn lengths(expr: &mut Expr, loaded: &[(VarId, u32)], inputs: &[Expr]) {
    if let ExprKind::DimOf { base, .. } = &mut expr.kind
        && let ExprKind::Var(var) = base.kind
        && let Some((_, tensor)) = loaded.iter().find(|(own, _)| *own == var)
    {
        **base = inputs[*tensor as usize].clone();
    }
    expr.parts_mut(&mut |part| {
        if let PartMut::Expr(expr) = part {
            lengths(expr, loaded, inputs);
        }
    });
}
